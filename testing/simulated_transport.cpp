#include "testing/simulated_transport.h"

#include "base/check.h"
#include "base/random.h"
#include "transport/window.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

struct PendingWrite {
  Rank target;
  WindowId window;
  std::uint64_t offset;
  std::vector<std::byte> bytes;
};

/// What the ranks share.  One lock for all: this is about order, not speed.
class Network {
 public:
  Network(Rank ranks, std::uint64_t seed)
      : windows_(ranks),
        inboxes_(std::size_t{ranks} * ranks),
        messages_(ranks),
        left_(ranks),
        random_(seed),
        shares_memory_(seed / 4 % 2 == 1) {}

  [[nodiscard]] Rank ranks() const noexcept { return static_cast<Rank>(windows_.size()); }

  /// Stays until the end: a rank may leave while others read.
  std::span<std::byte> memory_for(Rank rank, std::size_t bytes) {
    const std::lock_guard guard(mutex_);
    return memory_.make(static_cast<unsigned>(made_++ * ranks() + rank), bytes);
  }

  /// The same for all ranks that ask for the same window.
  std::span<std::byte> memory_for_all(WindowId window, std::size_t bytes) {
    const std::lock_guard guard(mutex_);
    const auto [place, is_new] = shared_.try_emplace(window);
    if (is_new) place->second = memory_.make(static_cast<unsigned>(made_++ * ranks()), bytes);
    RIZOMA_CHECK(place->second.size() == bytes);
    return place->second;
  }

  WindowId next_window(Rank rank) const {
    const std::lock_guard guard(mutex_);
    return static_cast<WindowId>(windows_[rank].size());
  }

  [[nodiscard]] bool shares_memory() const noexcept { return shares_memory_; }

  WindowId add_window(Rank rank, std::span<std::byte> bytes) {
    const std::lock_guard guard(mutex_);
    windows_[rank].push_back(bytes);
    return static_cast<WindowId>(windows_[rank].size() - 1);
  }

  void close_window(Rank rank, WindowId window) {
    const std::lock_guard guard(mutex_);
    windows_[rank][window] = {};
  }

  void read(Rank target, WindowId window, std::uint64_t offset, std::span<std::byte> out) {
    const std::lock_guard guard(mutex_);
    deliver_some();
    copy_from_window(at(target, window), offset, out);
  }

  void write(PendingWrite write) {
    const std::lock_guard guard(mutex_);
    const std::span<std::byte> window = at(write.target, write.window);
    RIZOMA_CHECK(write.offset <= window.size() && write.bytes.size() <= window.size() - write.offset);
    pending_.push_back(std::move(write));
    deliver_some();
  }

  std::uint64_t fetch_add(Rank target, WindowId window, std::uint64_t offset, std::uint64_t amount) {
    const std::lock_guard guard(mutex_);
    deliver_some();
    return add_in_window(at(target, window), offset, amount);
  }

  Status barrier() {
    std::unique_lock lock(mutex_);
    if (!ended_) return ended_;
    const std::uint64_t generation = generation_;
    if (++waiting_ == ranks()) {
      while (!pending_.empty()) deliver_one();
      waiting_ = 0;
      ++generation_;
      changed_.notify_all();
      return {};
    }
    changed_.wait(lock, [&] { return generation_ != generation || somebody_left() || !ended_; });
    if (generation_ != generation) return {};
    --waiting_;
    return why();
  }

  /// Puts a message where `target` finds it; those of one sender keep their order.
  void send(Rank from, Rank target, std::span<const std::byte> bytes) {
    const std::lock_guard guard(mutex_);
    inbox(from, target).emplace_back(bytes.begin(), bytes.end());
    deliver_some();
    changed_.notify_all();
  }

  Result<Bytes> collect(Rank from, Rank target) {
    std::unique_lock lock(mutex_);
    std::deque<Bytes>& box = inbox(from, target);
    changed_.wait(lock, [&] { return !box.empty() || left_[from] || !ended_; });
    if (!ended_) return ended_.error();
    if (box.empty()) return lost(*first_left_);
    Bytes bytes = std::move(box.front());
    box.pop_front();
    return bytes;
  }

  void send(Rank from, Rank target, Bytes bytes) {
    const std::lock_guard guard(mutex_);
    messages_[target].push_back({from, std::move(bytes)});
    changed_.notify_all();
  }

  std::uint64_t unread(Rank from, Rank target) const {
    const std::lock_guard guard(mutex_);
    std::uint64_t bytes = 0;
    for (const PeerMessage& message : messages_[target]) bytes += message.from == from ? message.bytes.size() : 0;
    return bytes;
  }

  /// Of any sender whose message is the first of its own, or none although there is one: it may be late.
  Result<std::optional<PeerMessage>> next_message(Rank target, std::chrono::microseconds patience) {
    std::unique_lock lock(mutex_);
    std::vector<PeerMessage>& box = messages_[target];
    changed_.wait_for(lock, patience, [&] { return !box.empty() || somebody_left() || !ended_; });
    if (!ended_) return ended_.error();
    if (box.empty() && somebody_left()) return lost(*first_left_);
    if (box.empty() || random_.below(3) == 0) return std::optional<PeerMessage>();
    const Rank from = box[random_.below(box.size())].from;
    const auto first =
        std::find_if(box.begin(), box.end(), [&](const PeerMessage& message) { return message.from == from; });
    std::optional<PeerMessage> message = std::move(*first);
    box.erase(first);
    return message;
  }

  void leave(Rank rank) {
    const std::lock_guard guard(mutex_);
    left_[rank] = true;
    if (!first_left_) first_left_ = rank;
    changed_.notify_all();
  }

  void end(Error error) {
    const std::lock_guard guard(mutex_);
    if (ended_) ended_ = std::move(error);
    changed_.notify_all();
  }

  [[nodiscard]] Status health() const {
    const std::lock_guard guard(mutex_);
    return ended_;
  }

  /// A number of turns to give away, so that ranks overtake each other.
  std::uint64_t delay() {
    const std::lock_guard guard(mutex_);
    // Of very many ranks each does little before others are in its way.
    return ranks() <= 64 || random_.below(ranks()) < 16 ? random_.below(4) : 0;
  }

 private:
  [[nodiscard]] std::span<std::byte> at(Rank target, WindowId window) const {
    RIZOMA_CHECK(target < windows_.size() && window < windows_[target].size());
    return windows_[target][window];
  }

  [[nodiscard]] std::deque<Bytes>& inbox(Rank from, Rank target) {
    return inboxes_[std::size_t{from} * windows_.size() + target];
  }
  [[nodiscard]] bool somebody_left() const { return first_left_.has_value(); }
  [[nodiscard]] static Error lost(Rank rank) {
    return {ErrorCode::io, "rank " + std::to_string(rank) + " is lost: it has left the run"};
  }
  [[nodiscard]] Error why() const {
    if (!ended_) return ended_.error();
    return lost(*first_left_);
  }

  void deliver_some() {
    while (!pending_.empty() && random_.below(3) == 0) deliver_one();
  }

  void deliver_one() {
    std::swap(pending_[random_.below(pending_.size())], pending_.back());
    const PendingWrite write = std::move(pending_.back());
    pending_.pop_back();
    copy_to_window(at(write.target, write.window), write.offset, write.bytes);
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::vector<std::span<std::byte>>> windows_;  // of each rank
  WindowMemory memory_;
  std::size_t made_ = 0;
  std::map<WindowId, std::span<std::byte>> shared_;
  std::vector<PendingWrite> pending_;
  std::vector<std::deque<Bytes>> inboxes_;          // [from * ranks + target]
  std::vector<std::vector<PeerMessage>> messages_;  // to each rank
  std::vector<bool> left_;
  std::optional<Rank> first_left_;  ///< the others may leave because of it
  Status ended_;
  Random random_;
  std::uint64_t generation_ = 0;
  Rank waiting_ = 0;
  bool shares_memory_;
};

class SimulatedTransport final : public Transport {
 public:
  SimulatedTransport(Network& network, Rank rank) : network_(network), rank_(rank), slow_(network.delay() == 0) {}
  ~SimulatedTransport() override { network_.leave(rank_); }

  [[nodiscard]] Rank rank() const noexcept override { return rank_; }
  [[nodiscard]] Rank size() const noexcept override { return network_.ranks(); }

  [[nodiscard]] std::string name_of(Rank rank) const override { return "rank " + std::to_string(rank); }

  [[nodiscard]] Result<WindowId> expose(std::span<std::byte> bytes) override {
    const WindowId window = network_.add_window(rank_, bytes);
    RIZOMA_TRY(network_.barrier());
    return window;
  }

  [[nodiscard]] Result<std::optional<Allocated>> allocate(std::size_t bytes) override {
    const std::span<std::byte> place = network_.memory_for(rank_, bytes);
    RIZOMA_ASSIGN(const WindowId window, expose(place));
    return std::optional<Allocated>({window, place});
  }

  [[nodiscard]] Result<std::optional<SharedBytes>> share(std::size_t bytes) override {
    if (!network_.shares_memory()) return std::optional<SharedBytes>();
    const std::span<std::byte> place = network_.memory_for_all(network_.next_window(rank_), bytes);
    RIZOMA_ASSIGN(const WindowId window, expose(place));
    return std::optional<SharedBytes>({window, place});
  }

  Status release(WindowId window) override {
    RIZOMA_TRY(barrier());
    network_.close_window(rank_, window);
    return {};
  }

  Status read(Rank target, WindowId window, std::uint64_t offset, std::span<std::byte> out) override {
    dawdle();
    network_.read(target, window, offset, out);
    return {};
  }

  Status write(Rank target, WindowId window, std::uint64_t offset, std::span<const std::byte> bytes) override {
    dawdle();
    network_.write({target, window, offset, {bytes.begin(), bytes.end()}});
    return {};
  }

  [[nodiscard]] Result<std::uint64_t> fetch_add(Rank target, WindowId window, std::uint64_t offset,
                                                std::uint64_t amount) override {
    dawdle();
    return network_.fetch_add(target, window, offset, amount);
  }

  Status barrier() override {
    dawdle();
    return network_.barrier();
  }

  using Transport::exchange;
  [[nodiscard]] Result<std::vector<Bytes>> exchange(std::span<const std::span<const std::byte>> to,
                                                    Meanwhile meanwhile) override {
    RIZOMA_CHECK(to.size() == size());
    const Rank first = static_cast<Rank>(network_.delay()) + rank_;
    for (Rank step = 0; step < size(); ++step) {
      dawdle();
      const Rank target = (first + step) % size();
      network_.send(rank_, target, to[target]);
    }
    std::vector<Bytes> received;
    bool busy = true;
    for (Rank from = 0; from < size(); ++from) {
      for (std::uint64_t turn = network_.delay(); turn > 0 && busy; --turn) busy = meanwhile();
      RIZOMA_ASSIGN(Bytes bytes, network_.collect(from, rank_));
      received.push_back(std::move(bytes));
    }
    return received;
  }

  Status send(Rank target, Bytes bytes) override {
    dawdle();
    RIZOMA_CHECK(target < size() && target != rank_);
    network_.send(rank_, target, std::move(bytes));
    return network_.health();
  }

  [[nodiscard]] std::uint64_t on_the_way(Rank target) const noexcept override { return network_.unread(rank_, target); }
  [[nodiscard]] Result<std::optional<PeerMessage>> receive(std::chrono::microseconds patience) override {
    dawdle();
    return network_.next_message(rank_, patience);
  }

  [[nodiscard]] Status health() const override { return network_.health(); }
  void abort(const Error& why) noexcept override {
    network_.end({why.code, name_of(rank_) + " has ended the run: " + why.message});
  }

 private:
  void dawdle() {
    const std::uint64_t turns = network_.delay() * (slow_ ? 20 : 1);
    for (std::uint64_t turn = 0; turn < turns; ++turn) std::this_thread::yield();
  }

  Network& network_;
  Rank rank_;
  bool slow_;  // one rank in four
};

}  // namespace

void run_simulated_cluster(Rank ranks, std::uint64_t seed, FunctionRef<void(Transport&)> body) {
  Network network(ranks, seed);
  std::mutex error_mutex;
  std::exception_ptr error;
  std::vector<std::thread> threads;
  for (Rank rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      SimulatedTransport transport(network, rank);
      try {
        body(transport);
      } catch (...) {
        const std::lock_guard guard(error_mutex);
        if (!error) error = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (error) std::rethrow_exception(error);
}

}  // namespace rizoma
