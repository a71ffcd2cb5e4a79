#include "transport/network_timing.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <string>
#include <utility>

namespace rizoma {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Rank kFirst = 0;
constexpr Rank kOther = 1;
constexpr std::chrono::microseconds kPiece{100};  // of computing between two looks for messages
constexpr std::chrono::microseconds kPatience{1000};
constexpr std::array<std::pair<std::string_view, NetworkOperation>, 5> kNames = {
    {{"read", NetworkOperation::read},
     {"write", NetworkOperation::write},
     {"fetch_add", NetworkOperation::fetch_add},
     {"message", NetworkOperation::message},
     {"round", NetworkOperation::round}}};

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

void compute(double seconds) {
  for (const auto begin = Clock::now(); seconds_since(begin) < seconds;) {
  }
}

/// Seconds of each run of `operation`, until `seconds` are over: at least one.
template <class Operation>
Result<std::vector<double>> repeated(double seconds, Operation&& operation) {
  std::vector<double> took;
  const auto begin = Clock::now();
  do {
    const auto start = Clock::now();
    RIZOMA_TRY(operation());
    took.push_back(seconds_since(start));
  } while (seconds_since(begin) < seconds);
  return took;
}

/// Rank 0 works on memory of rank 1, which computes for as long, or is at the barrier at once.
Result<std::vector<double>> one_sided(Transport& transport, const NetworkTask& task) {
  RIZOMA_ASSIGN(const auto window, transport.allocate(std::max(task.bytes, sizeof(std::uint64_t))));
  if (!window)
    return Error{ErrorCode::unsupported, "these ranks cannot read each other's memory; measure message and round"};
  std::vector<double> took;
  Bytes place(task.bytes);
  if (transport.rank() == kFirst) {
    RIZOMA_ASSIGN(took, repeated(task.seconds, [&]() -> Status {
                    if (task.operation == NetworkOperation::read)
                      return transport.read(kOther, window->window, 0, place);
                    if (task.operation == NetworkOperation::write)
                      return transport.write(kOther, window->window, 0, place);
                    RIZOMA_ASSIGN([[maybe_unused]] const std::uint64_t before,
                                  transport.fetch_add(kOther, window->window, 0, 1));
                    return {};
                  }));
  } else if (task.other_computes) {
    compute(task.seconds);
  }
  RIZOMA_TRY(transport.barrier());
  RIZOMA_TRY(transport.release(window->window));
  return took;
}

/// The next message to this rank; computes meanwhile if asked to.
Result<PeerMessage> awaited(Transport& transport, bool computing) {
  while (true) {
    if (computing) compute(std::chrono::duration<double>(kPiece).count());
    RIZOMA_ASSIGN(auto message, transport.receive(computing ? std::chrono::microseconds{0} : kPatience));
    if (message) return std::move(*message);
  }
}

/// Rank 0 sends bytes, rank 1 sends them back; an empty message ends it.
Result<std::vector<double>> messages(Transport& transport, const NetworkTask& task) {
  std::vector<double> took;
  if (transport.rank() == kFirst) {
    RIZOMA_ASSIGN(took, repeated(task.seconds, [&]() -> Status {
                    RIZOMA_TRY(transport.send(kOther, Bytes(task.bytes)));
                    RIZOMA_ASSIGN([[maybe_unused]] const PeerMessage back, awaited(transport, false));
                    return {};
                  }));
    for (double& each : took) each /= 2;
    RIZOMA_TRY(transport.send(kOther, {}));
  } else if (transport.rank() == kOther) {
    for (bool more = true; more;) {
      RIZOMA_ASSIGN(PeerMessage message, awaited(transport, task.other_computes));
      more = !message.bytes.empty();
      if (more) RIZOMA_TRY(transport.send(kFirst, std::move(message.bytes)));
    }
  }
  RIZOMA_TRY(transport.barrier());
  return took;
}

/// All ranks send to all; the first byte of rank 0 says whether another round follows.
Result<std::vector<double>> rounds(Transport& transport, const NetworkTask& task) {
  std::vector<double> took;
  Bytes mine(task.bytes);
  const std::vector<std::span<const std::byte>> to(transport.size(), mine);
  const auto begin = Clock::now();
  for (bool more = true; more;) {
    if (seconds_since(begin) >= task.seconds) mine[0] = std::byte{1};
    const auto start = Clock::now();
    RIZOMA_ASSIGN(const std::vector<Bytes> received, transport.exchange(to));
    if (transport.rank() == kFirst) took.push_back(seconds_since(start));
    more = received[kFirst][0] == std::byte{0};
  }
  return took;
}

Status checked(const Transport& transport, const NetworkTask& task) {
  if (transport.size() < 2)
    return Error{ErrorCode::invalid_argument, "a network has two ranks or more, and this run has one"};
  if (task.bytes == 0) return Error{ErrorCode::invalid_argument, "bytes is 0; an operation moves one byte or more"};
  if (task.operation == NetworkOperation::round && task.other_computes)
    return Error{ErrorCode::invalid_argument, "in a round all ranks take part, so that none computes meanwhile"};
  return {};
}

}  // namespace

Result<NetworkOperation> parse_network_operation(std::string_view name) {
  std::string names;
  for (const auto& [known, operation] : kNames) {
    if (known == name) return operation;
    names += (names.empty() ? "" : ", ") + std::string(known);
  }
  return Error{ErrorCode::invalid_argument, "there is no operation '" + std::string(name) + "'; there are " + names};
}

Result<NetworkTimes> time_network(Transport& transport, const NetworkTask& task) {
  RIZOMA_TRY(checked(transport, task));
  RIZOMA_TRY(transport.barrier());
  NetworkTimes times;
  const std::clock_t begin = std::clock();
  if (task.operation == NetworkOperation::message) {
    RIZOMA_ASSIGN(times.seconds, messages(transport, task));
  } else if (task.operation == NetworkOperation::round) {
    RIZOMA_ASSIGN(times.seconds, rounds(transport, task));
  } else {
    RIZOMA_ASSIGN(times.seconds, one_sided(transport, task));
  }
  times.processor_seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  return times;
}

}  // namespace rizoma
