// Publisher: giving itself its inner order anew, when and how.
#include "store/publishing/publisher.h"

#include "base/check.h"
#include "platform/free_memory.h"
#include "platform/free_space.h"

#include <algorithm>
#include <new>
#include <string>
#include <system_error>
#include <utility>

namespace rizoma {
namespace {

constexpr std::uint64_t kMemoryIfUnknown = std::uint64_t{256} << 20;
constexpr std::chrono::milliseconds kLockAgain{1000};  // after others had the store

/// Enough for what there was and will be of `stored` bytes, for what is spilled, and for those who write meanwhile.
Status expect_space(const std::string& directory, std::uint64_t stored) {
  const auto free = directory.empty() ? std::nullopt : free_space(directory);
  if (!free || *free / 3 >= stored) return {};
  return Error{ErrorCode::out_of_space, directory + " has " + std::to_string(*free >> 20) +
                                            " MiB left, and a new order may take " +
                                            std::to_string((3 * stored) >> 20) + " MiB for a while"};
}

/// What the order "near" takes beside it, which has all edges and their neighbours in memory (bulk_load.cpp): with less
/// a load would take another order.
std::uint64_t near_memory(EdgeCount entries, VertexId vertices) noexcept { return 64 * entries + 72 * vertices; }

/// Numbers of rows, which a view of a graph with values of edges unpacks (a double an entry).
std::uint64_t rows_memory(EdgeCount entries, bool both_directions) noexcept {
  return sizeof(double) * entries * (both_directions ? 2 : 1);
}

/// What the work comes to.  What it throws is an error of it, with a text that needs no memory if there is none.
template <class Work>
Status outcome_of(Work work) noexcept {
  try {
    try {
      return work();
    } catch (const InternalError& bug) {  // nothing wrong was published; on this thread nobody could catch it
      return Error{ErrorCode::corrupt, bug.what()};
    }
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::out_of_memory, "out of memory"};
  }
}

Error gave_way() { return {ErrorCode::cancelled, "it gave way to other work on the graph"}; }

}  // namespace

/// One thread, which stops when the store is wanted for something else.
class Publisher::ReorderExecutor final : public Executor {
 public:
  explicit ReorderExecutor(Publisher& publisher) noexcept : publisher_(publisher) {}
  [[nodiscard]] unsigned threads() const noexcept override { return 1; }
  [[nodiscard]] bool stopping() const noexcept override { return publisher_.reordering_gives_way(); }
  Status report(std::string_view phase, double done, double total) override {
    publisher_.reordering_->progressed(phase, total > 0 ? std::min(done / total, 1.0) : 0);
    if (stopping()) return gave_way();
    return {};
  }
  void parallel(FunctionRef<void(unsigned)> body) override { body(0); }
  Status for_blocks(std::uint64_t size, std::uint64_t grain, FunctionRef<void(VertexRange, unsigned)> body) override {
    for (std::uint64_t begin = 0; begin < size; begin += grain) {
      if (stopping()) return gave_way();
      body(VertexRange{begin, std::min(begin + grain, size)}, 0);
    }
    return {};
  }

 private:
  Publisher& publisher_;
};

/// Others want the publisher's lock, the store ends, or the log wants to be moved, which cannot be done meanwhile.
bool Publisher::reordering_gives_way() const noexcept {
  return access_.publisher_awaited() || reordering_->stopping() || (maintenance_->running() && checkpoint_due());
}

/// Without what is asked of the system, which is for a graph that has grown only.
ReorderFacts Publisher::reorder_facts() const {
  ReorderFacts facts;
  {
    const MutexLock guard(contents_.mutex);
    facts.entries = contents_.out->upper_entries();
    facts.ordered = contents_.ordered_entries;
    facts.given_for_good = contents_.order == VertexOrder::given && contents_.order_asked_for();
    facts.tagged = !tags_.empty();
    facts.needed = reordering_memory(contents_.schema.ids, contents_.num_vertices);
    if (contents_.order == VertexOrder::near) facts.needed += near_memory(facts.entries, contents_.num_vertices);
    if (!contents_.schema.edge_columns.empty()) facts.needed += rows_memory(facts.entries, contents_.has_in());
  }
  facts.read_only = read_only_;
  facts.allowed = facts.needed;
  if (!has_grown(options_.reordering, facts)) return facts;
  facts.allowed = reordering_allowance();
  facts.idle = reordering_->idle();
  const Reordering::State state = reordering_->state();
  facts.unfinished = state.unfinished;
  facts.since_last = state.since_last;
  return facts;
}

std::uint64_t Publisher::reordering_allowance() const {
  if (options_.reordering.memory_limit != 0) return options_.reordering.memory_limit;
  const std::uint64_t free = free_memory();
  return free == 0 ? kMemoryIfUnknown : free / 4;
}

/// In the thread of maintenance; returns when to come again.
std::optional<std::chrono::milliseconds> Publisher::look_at_order() {
  reordering_->plan_look(false);
  if (!options_.reordering.on || read_only_ || reordering_->running()) return std::nullopt;
  try {
    const ReorderVerdict verdict = judge_reordering(options_.reordering, reorder_facts());
    if (verdict.reason != ReorderReason::due) {
      reordering_->plan_look(verdict.again.has_value());
      return verdict.again;
    }
    reordering_->began();  // here already: a change that comes before the thread runs is not to begin another one
    reordering_->run([this]() -> std::optional<std::chrono::milliseconds> {
      if (!reorder_unasked()) return kLockAgain;
      maintenance_->call();  // it looks again: at what came meanwhile, or when to try anew
      return std::nullopt;
    });
  } catch (const std::system_error&) {
    reordering_->ended(Error{ErrorCode::io, "no thread"}, false);
    return options_.reordering.rest;
  } catch (const std::bad_alloc&) {
    reordering_->ended(Error{ErrorCode::out_of_memory, "out of memory"}, false);
    return options_.reordering.rest;
  }
  return std::nullopt;
}

/// After a change, or once a tag is gone: whether somebody should look, because the graph has grown.  The change is
/// durable: nothing here may fail, and nothing is asked of the system.
bool Publisher::reordering_wants_a_look() const {
  if (!options_.reordering.on || reordering_->look_planned() || reordering_->running()) return false;
  ReorderFacts facts;
  const MutexLock guard(contents_.mutex);
  if (!tags_.empty()) return false;
  facts.entries = contents_.out->upper_entries();
  facts.ordered = contents_.ordered_entries;
  facts.given_for_good = contents_.order == VertexOrder::given && contents_.order_asked_for();
  return has_grown(options_.reordering, facts);
}

void Publisher::reorder_if_due() {
  if (maintenance_->running() || !reordering_wants_a_look()) return;
  if (judge_reordering(options_.reordering, reorder_facts()).reason == ReorderReason::due) reorder_unasked();
}

/// Nobody waits for it: what goes wrong is in `info`, and it is tried again later.  False if others have the store, so
/// that it did not begin.
bool Publisher::reorder_unasked() noexcept {
  const TimedLock maintenance(mutex, std::try_to_lock);
  if (!maintenance.owns_lock()) return false;
  maintenance.holds(mutex);
  reordering_->began();
  bool made = false;
  const Status outcome = outcome_of([&]() -> Status {
    mutex.assume_held();
    return reorder(made);
  });
  const Status told = outcome_of([&]() -> Status {
    reordering_->ended(outcome, made);
    return {};
  });
  if (!told) reordering_->ended(told, made);
  return true;
}

Status Publisher::reorder(bool& made) {
  // Changes that wait count as entries, whatever they are; in sections they are what they come to.
  if (writer_.committer().log_bytes() > options_.close_limit) RIZOMA_TRY(checkpoint_now(options_.rewrite_percent));
  const ReorderFacts facts = reorder_facts();
  if (!has_grown(options_.reordering, facts) || facts.tagged || facts.needed > facts.allowed) return {};
  const auto enough = [](const std::string& directory, std::uint64_t bytes) { return expect_space(directory, bytes); };
  RIZOMA_TRY(space_.for_all_anew(enough));
  LoadSettings settings;
  settings.memory_limit = facts.allowed;
  settings.spill = &medium_;
  if (!contents_.schema.edge_columns.empty()) settings.memory_limit -= rows_memory(facts.entries, contents_.has_in());
  const VertexOrder order = [&] {
    const MutexLock guard(contents_.mutex);
    return contents_.order_asked_for() ? contents_.order : VertexOrder::automatic;
  }();
  ReorderExecutor executor(*this);
  RIZOMA_TRY(renumber(executor, order, settings, reordering_pace(options_.reordering, facts.unfinished)));
  made = true;
  return {};
}

ReorderInfo Publisher::reorder_info() const {
  const ReorderFacts facts = reorder_facts();
  const Reordering::State state = reordering_->state();
  ReorderInfo info;
  info.on = options_.reordering.on && !read_only_;
  info.arrived = arrived_entries(facts);
  info.running = state.running;
  info.phase = state.phase;
  info.progress = state.progress;
  info.done = state.done;
  info.error = state.error;
  info.next = state.running ? "the order is being made anew" : describe_reordering(options_.reordering, facts);
  return info;
}

}  // namespace rizoma
