#include "store/reorder/reorderer.h"

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

/// Enough for the old and the new `stored` bytes, for spilled edges, and for writers in between.
Status expect_space(const std::string& directory, std::uint64_t stored) {
  const auto free = directory.empty() ? std::nullopt : free_space(directory);
  if (!free || *free / 3 >= stored) return {};
  return Error{ErrorCode::out_of_space, directory + " has " + std::to_string(*free >> 20) +
                                            " MiB left, but a new order may take " +
                                            std::to_string((3 * stored) >> 20) + " MiB for a while"};
}

/// What the order "locality" takes beside it, which has all edges and their neighbours in memory (bulk_load.cpp): with
/// less a load would take another order.
std::uint64_t near_memory(EdgeCount entries, VertexId vertices) noexcept { return 64 * entries + 72 * vertices; }

/// Numbers of rows, which a view of a graph with values of edges unpacks (a double an entry).
std::uint64_t rows_memory(EdgeCount entries, bool both_directions) noexcept {
  return sizeof(double) * entries * (both_directions ? 2 : 1);
}

/// The result of the work.  An exception becomes an Error, with a text that needs no memory if there is none.
template <class Work>
Status outcome_of(Work work) noexcept {
  try {
    try {
      return work();
    } catch (const InternalError& bug) {  // nothing wrong was published; no caller of this thread could catch it
      return Error{ErrorCode::corrupt, bug.what()};
    }
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::out_of_memory, "out of memory"};
  }
}

Error gave_way() { return {ErrorCode::cancelled, "reordering stopped for other work on the graph"}; }

}  // namespace

Reorderer::Reorderer(Publisher& publisher, Checkpointer& checkpointer, Rewriter& rewriter)
    : publisher_(publisher),
      checkpointer_(checkpointer),
      rewriter_(rewriter),
      thread_(std::make_unique<ReorderThread>()) {}

Reorderer::~Reorderer() {
  // The parent's thread may have been at it when it forked: the child cannot destroy it.
  if (!publisher_.access.in_own_process()) static_cast<void>(thread_.release());
}

/// One thread, which stops when the store is wanted for something else.
class Reorderer::GivingWay final : public Executor {
 public:
  explicit GivingWay(Reorderer& reorderer) noexcept : reorderer_(reorderer) {}
  [[nodiscard]] unsigned threads() const noexcept override { return 1; }
  [[nodiscard]] bool stopping() const noexcept override { return reorderer_.gives_way(); }
  Status report(std::string_view phase, double done, double total) override {
    reorderer_.thread_->progressed(phase, total > 0 ? std::min(done / total, 1.0) : 0);
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
  Reorderer& reorderer_;
};

/// A caller waits for the publisher's lock, the store closes, or a checkpoint is due, which cannot run meanwhile.
bool Reorderer::gives_way() const noexcept {
  return publisher_.access.publisher_awaited() || thread_->stopping() ||
         (checkpointer_.has_thread() && checkpointer_.due());
}

/// Asks the system only for a graph that has grown.
ReorderFacts Reorderer::facts() const {
  ReorderFacts facts;
  {
    const MutexLock guard(publisher_.contents.mutex);
    facts.entries = publisher_.contents.out->upper_entries();
    facts.ordered = publisher_.contents.ordered_entries;
    facts.given_for_good = publisher_.contents.order == VertexOrder::given && publisher_.contents.order_asked_for();
    facts.tagged = !publisher_.tags.empty();
    facts.needed = reordering_memory(publisher_.contents.schema.ids, publisher_.contents.num_vertices);
    if (publisher_.contents.order == VertexOrder::locality)
      facts.needed += near_memory(facts.entries, publisher_.contents.num_vertices);
    if (!publisher_.contents.schema.edge_columns.empty())
      facts.needed += rows_memory(facts.entries, publisher_.contents.has_in());
  }
  facts.read_only = publisher_.read_only;
  facts.allowed = facts.needed;
  if (!has_grown(publisher_.options.reordering, facts)) return facts;
  facts.allowed = allowance();
  facts.idle = thread_->idle();
  const ReorderThread::State state = thread_->state();
  facts.unfinished = state.unfinished;
  facts.since_last = state.since_last;
  return facts;
}

std::uint64_t Reorderer::allowance() const {
  if (publisher_.options.reordering.memory_limit != 0) return publisher_.options.reordering.memory_limit;
  const std::uint64_t free = free_memory();
  return free == 0 ? kMemoryIfUnknown : free / 4;
}

std::optional<std::chrono::milliseconds> Reorderer::look() {
  thread_->plan_look(false);
  if (!publisher_.options.reordering.on || publisher_.read_only || thread_->running()) return std::nullopt;
  try {
    const ReorderVerdict verdict = judge_reordering(publisher_.options.reordering, facts());
    if (verdict.reason != ReorderReason::due) {
      thread_->plan_look(verdict.again.has_value());
      return verdict.again;
    }
    thread_->began();  // set here already, so that a change before the thread runs does not begin another one
    thread_->run([this]() -> std::optional<std::chrono::milliseconds> {
      if (!run_unasked()) return kLockAgain;
      checkpointer_.wake();  // it checks again: changes made in between, or the time of the next attempt
      return std::nullopt;
    });
  } catch (const std::system_error&) {
    thread_->ended(Error{ErrorCode::io, "no thread"}, false);
    return publisher_.options.reordering.rest;
  } catch (const std::bad_alloc&) {
    thread_->ended(Error{ErrorCode::out_of_memory, "out of memory"}, false);
    return publisher_.options.reordering.rest;
  }
  return std::nullopt;
}

bool Reorderer::wants_a_look() const {
  if (!publisher_.options.reordering.on || thread_->look_planned() || thread_->running()) return false;
  ReorderFacts facts;
  const MutexLock guard(publisher_.contents.mutex);
  if (!publisher_.tags.empty()) return false;
  facts.entries = publisher_.contents.out->upper_entries();
  facts.ordered = publisher_.contents.ordered_entries;
  facts.given_for_good = publisher_.contents.order == VertexOrder::given && publisher_.contents.order_asked_for();
  return has_grown(publisher_.options.reordering, facts);
}

void Reorderer::reorder_if_due() {
  if (checkpointer_.has_thread() || !wants_a_look()) return;
  if (judge_reordering(publisher_.options.reordering, facts()).reason == ReorderReason::due) run_unasked();
}

/// No caller waits for it: `info` has its error, and it is tried again later.  False if a publication is on its way, so
/// that it did not begin.
bool Reorderer::run_unasked() noexcept {
  const TimedLock publishing(publisher_.mutex, std::try_to_lock);
  if (!publishing.owns_lock()) return false;
  publishing.holds(publisher_.mutex);
  thread_->began();
  bool made = false;
  const Status outcome = outcome_of([&]() -> Status {
    publisher_.mutex.assume_held();
    return run(made);
  });
  const Status noted = outcome_of([&]() -> Status {
    thread_->ended(outcome, made);
    return {};
  });
  if (!noted) thread_->ended(noted, made);
  return true;
}

Status Reorderer::run(bool& made) {
  // Pending changes of any kind count as entries; in sections they count as the entries that they leave.
  if (publisher_.writer.committer().log_bytes() > publisher_.options.close_limit) RIZOMA_TRY(checkpointer_.run());
  const ReorderFacts present = facts();
  if (!has_grown(publisher_.options.reordering, present) || present.tagged || present.needed > present.allowed)
    return {};
  const auto enough = [](const std::string& directory, std::uint64_t bytes) { return expect_space(directory, bytes); };
  RIZOMA_TRY(publisher_.space.for_all_anew(enough));
  LoadSettings settings;
  settings.memory_limit = present.allowed;
  settings.spill = &publisher_.medium;
  if (!publisher_.contents.schema.edge_columns.empty())
    settings.memory_limit -= rows_memory(present.entries, publisher_.contents.has_in());
  const VertexOrder order = [&] {
    const MutexLock guard(publisher_.contents.mutex);
    return publisher_.contents.order_asked_for() ? publisher_.contents.order : VertexOrder::automatic;
  }();
  GivingWay executor(*this);
  RIZOMA_TRY(rewriter_.renumber(executor, order, settings,
                                reordering_pace(publisher_.options.reordering, present.unfinished)));
  made = true;
  return {};
}

ReorderInfo Reorderer::info() const {
  const ReorderFacts present = facts();
  const ReorderThread::State state = thread_->state();
  ReorderInfo info;
  info.on = publisher_.options.reordering.on && !publisher_.read_only;
  info.arrived = arrived_entries(present);
  info.running = state.running;
  info.phase = state.phase;
  info.progress = state.progress;
  info.done = state.done;
  info.error = state.error;
  info.next =
      state.running ? "the order is being rebuilt" : describe_reordering(publisher_.options.reordering, present);
  return info;
}

}  // namespace rizoma
