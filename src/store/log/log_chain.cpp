#include "store/log/log_chain.h"

#include "store/file_names.h"
#include "store/messages.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// The bytes of a log, aligned to 8.
class LogBytes {
 public:
  static Result<LogBytes> read(Medium& medium, std::uint64_t number) {
    RIZOMA_ASSIGN(const auto file, medium.open(log_name(number), FileMode::read));
    LogBytes log;
    RIZOMA_ASSIGN(log.size_, file->size());
    RIZOMA_ASSIGN(const std::uint64_t allocated, file->allocated());
    if (log.size_ > kSmall && (log.size_ - kSmall) / kCompressed > allocated) {
      return corrupt(medium.describe() + "/" + log_name(number),
                     "is " + std::to_string(log.size_) + " bytes long, but the device has at most " +
                         std::to_string(allocated) + " of them: no store wrote that");
    }
    log.words_ = std::make_unique_for_overwrite<std::uint64_t[]>((log.size_ + 7) / 8);
    RIZOMA_TRY(
        file->read(0, std::as_writable_bytes(std::span(log.words_.get(), (log.size_ + 7) / 8)).first(log.size_)));
    return log;
  }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
    return std::as_bytes(std::span(words_.get(), (size_ + 7) / 8)).first(size_);
  }

 private:
  // A hole costs nothing to make, and memory to read.  File systems that compress may keep much less than they give.
  static constexpr std::uint64_t kSmall = std::uint64_t{64} << 20;
  static constexpr std::uint64_t kCompressed = 64;

  std::unique_ptr<std::uint64_t[]> words_;
  std::uint64_t size_ = 0;
};

}  // namespace

Result<std::vector<std::uint64_t>> logs_from(Medium& medium, std::uint64_t first) {
  RIZOMA_ASSIGN(const auto names, medium.list());
  std::vector<std::uint64_t> numbers;
  for (const std::string& name : names) {
    const auto number = number_in(name, kLogPrefix);
    if (number && *number >= first) numbers.push_back(*number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

namespace {

Error cut_short(std::string_view where, const LogEnd& end) {
  return corrupt(where, "ends at byte " + std::to_string(end.offset) + ", but was longer when the store was " +
                            "closed: changes from batch " + std::to_string(end.next_sequence) + " on are missing");
}

}  // namespace

Result<LogChainEnd> replay_logs(Medium& medium, const LogChainStart& start, LogVisitor& visitor) {
  RIZOMA_ASSIGN(std::vector<std::uint64_t> numbers, logs_from(medium, start.number));
  if (numbers.empty() || numbers.front() != start.number) numbers.insert(numbers.begin(), start.number);
  LogChainEnd chain;
  chain.end.next_sequence = start.sequence;
  std::uint64_t closed_end = start.closed ? start.closed_end : 0;
  std::uint64_t hinted_end = start.hinted_end;
  for (const std::uint64_t number : numbers) {
    const std::string where = medium.describe() + "/" + log_name(number);
    RIZOMA_ASSIGN(const LogBytes log, LogBytes::read(medium, number));
    const LogExpectation expected{start.store, number, chain.end.next_sequence,
                                  start.closed && number == start.closed_number ? start.closed_end : 0,
                                  start.beside_writer};
    if (number != start.number) {
      RIZOMA_ASSIGN(const bool continues, continues_log(log.bytes(), expected, where));
      if (!continues) continue;
    }
    chain.earlier += chain.end.offset;
    chain.number = number;
    const std::uint64_t time = chain.end.time;
    visitor.begin(where);
    RIZOMA_ASSIGN(chain.end, replay_log(log.bytes(), expected, where, visitor));
    if (chain.end.time == 0) chain.end.time = time;
    if (number == start.closed_number) closed_end = 0;
    if (number == start.hinted_number) {
      if (chain.end.offset < hinted_end) return cut_short(where, chain.end);
      hinted_end = 0;
    }
  }
  for (const auto& [missing, end] :
       {std::pair(start.closed_number, closed_end), std::pair(start.hinted_number, hinted_end)}) {
    if (end > sizeof(format::LogHeader)) {
      return corrupt(medium.describe() + "/" + log_name(missing), "has lost all of its changes");
    }
  }
  return chain;
}

}  // namespace rizoma
