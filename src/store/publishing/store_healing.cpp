// Store: giving itself its inner order anew, when and how.
#include "store/store.h"

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
class Store::HealingExecutor final : public Executor {
 public:
  explicit HealingExecutor(Store& store) noexcept : store_(store) {}
  [[nodiscard]] unsigned threads() const noexcept override { return 1; }
  [[nodiscard]] bool stopping() const noexcept override { return store_.healing_gives_way(); }
  Status report(std::string_view phase, double done, double total) override {
    store_.healing_->progressed(phase, total > 0 ? std::min(done / total, 1.0) : 0);
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
  Store& store_;
};

/// Others want the maintenance lock, the store ends, or the log wants to be moved, which cannot be done meanwhile.
bool Store::healing_gives_way() const noexcept {
  return maintenance_awaited_ > 0 || healing_->stopping() || (maintenance_->running() && checkpoint_due());
}

/// Without what is asked of the system, which is for a graph that has grown only.
HealingFacts Store::healing_facts() const {
  HealingFacts facts;
  {
    const MutexLock guard(state_mutex_);
    facts.entries = out_->upper_entries();
    facts.ordered = ordered_entries_;
    facts.given_for_good = order_ == VertexOrder::given && order_asked_for();
    facts.needed = healing_memory(schema_.ids, num_vertices_);
    if (order_ == VertexOrder::near) facts.needed += near_memory(facts.entries, num_vertices_);
    if (!schema_.edge_columns.empty()) facts.needed += rows_memory(facts.entries, has_in());
  }
  facts.read_only = read_only_;
  facts.allowed = facts.needed;
  if (!has_grown(options_.healing, facts)) return facts;
  facts.allowed = healing_allowance();
  facts.idle = healing_->idle();
  const Healing::State state = healing_->state();
  facts.unfinished = state.unfinished;
  facts.since_last = state.since_last;
  return facts;
}

std::uint64_t Store::healing_allowance() const {
  if (options_.healing.memory_limit != 0) return options_.healing.memory_limit;
  const std::uint64_t free = free_memory();
  return free == 0 ? kMemoryIfUnknown : free / 4;
}

/// The order was asked for by its name: "auto" would have left its measures.
bool Store::order_asked_for() const noexcept { return ordered_entries_ > 0 && order_reason_.hubs == 0; }

/// In the thread of maintenance; returns when to come again.
std::optional<std::chrono::milliseconds> Store::look_at_healing() {
  healing_->plan_look(false);
  if (!options_.healing.on || read_only_ || healing_->running()) return std::nullopt;
  try {
    const HealingVerdict verdict = judge_healing(options_.healing, healing_facts());
    if (verdict.reason != HealingReason::due) {
      healing_->plan_look(verdict.again.has_value());
      return verdict.again;
    }
    healing_->began();  // here already: a change that comes before the thread runs is not to begin another one
    healing_->run([this]() -> std::optional<std::chrono::milliseconds> {
      if (!heal_unasked()) return kLockAgain;
      maintenance_->call();  // it looks again: at what came meanwhile, or when to try anew
      return std::nullopt;
    });
  } catch (const std::system_error&) {
    healing_->ended(Error{ErrorCode::io, "no thread"}, false);
    return options_.healing.rest;
  } catch (const std::bad_alloc&) {
    healing_->ended(Error{ErrorCode::out_of_memory, "out of memory"}, false);
    return options_.healing.rest;
  }
  return std::nullopt;
}

/// After a change: whether somebody should look, because the graph has grown.  The change is durable: nothing here may
/// fail, and nothing is asked of the system.
bool Store::healing_wants_a_look() const {
  if (!options_.healing.on || healing_->look_planned() || healing_->running()) return false;
  HealingFacts facts;
  const MutexLock guard(state_mutex_);
  facts.entries = out_->upper_entries();
  facts.ordered = ordered_entries_;
  facts.given_for_good = order_ == VertexOrder::given && order_asked_for();
  return has_grown(options_.healing, facts);
}

void Store::heal_if_due() {
  if (maintenance_->running() || !healing_wants_a_look()) return;
  if (judge_healing(options_.healing, healing_facts()).reason == HealingReason::due) heal_unasked();
}

/// Nobody waits for it: what goes wrong is in `info`, and it is tried again later.  False if others have the store, so
/// that it did not begin.
bool Store::heal_unasked() noexcept {
  const PatientLock maintenance(maintenance_mutex_, std::try_to_lock);
  if (!maintenance.owns_lock()) return false;
  maintenance.holds(maintenance_mutex_);
  healing_->began();
  bool made = false;
  const Status outcome = outcome_of([&]() -> Status {
    maintenance_mutex_.assume_held();
    return heal(made);
  });
  const Status told = outcome_of([&]() -> Status {
    healing_->ended(outcome, made);
    return {};
  });
  if (!told) healing_->ended(told, made);
  return true;
}

Status Store::heal(bool& made) {
  // Changes that wait count as entries, whatever they are; in sections they are what they come to.
  if (committer_->log_bytes() > options_.close_limit) RIZOMA_TRY(checkpoint_now(options_.rewrite_percent));
  const HealingFacts facts = healing_facts();
  if (!has_grown(options_.healing, facts) || facts.needed > facts.allowed) return {};
  const auto enough = [](const std::string& directory, std::uint64_t bytes) { return expect_space(directory, bytes); };
  RIZOMA_TRY(space_->for_all_anew(enough));
  LoadSettings settings;
  settings.memory_limit = facts.allowed;
  settings.spill = medium_.get();
  if (!schema_.edge_columns.empty()) settings.memory_limit -= rows_memory(facts.entries, has_in());
  const VertexOrder order = [&] {
    const MutexLock guard(state_mutex_);
    return order_asked_for() ? order_ : VertexOrder::automatic;
  }();
  HealingExecutor executor(*this);
  RIZOMA_TRY(renumber(executor, order, settings, healing_pace(options_.healing, facts.unfinished)));
  made = true;
  return {};
}

HealingInfo Store::healing_info() const {
  const HealingFacts facts = healing_facts();
  const Healing::State state = healing_->state();
  HealingInfo info;
  info.on = options_.healing.on;
  info.arrived = arrived_entries(facts);
  info.running = state.running;
  info.phase = state.phase;
  info.progress = state.progress;
  info.done = state.done;
  info.error = state.error;
  info.next = state.running ? "the order is being made anew" : describe_healing(options_.healing, facts);
  return info;
}

}  // namespace rizoma
