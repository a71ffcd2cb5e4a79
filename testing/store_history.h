// StoreHistory: a store and its model, driven through the same changes, with a note of what was
// promised when.
//
// A script is a string of steps, one character each:
//   a  one batch of random edges, and at times of vertices      c  checkpoint
//   v  one batch of vertices alone                              k  compaction
//   C  checkpoint, with changes of another thread in between    K  compaction, the same
//   e  one more edge, always the same (records of one length)
//   l  bulk load (a store that is empty)                        o  compaction with another inner order
//   s  bulk load that spills                                    R  close and open again
//   r  one batch of steps of every kind: removals, weights      f  flush
//   d  another kind of ids, if the store may still take one    t  a tag, or one less
//   p  a purge; a checkpoint while there are tags               x  a column more, or one less
//   O  compaction with another inner order, with changes of another thread in between
//   A  a load that adds to what is there, which at times spills; a checkpoint where it has to be a batch
//   h  another inner order if it is due, as the store does by itself, the same (StoreOptions::reordering)
#pragma once

#include <rizoma/detail/function_ref.h>

#include "base/random.h"
#include "platform/medium.h"
#include "store/store.h"
#include "testing/store_model.h"
#include "testing/broken_medium.h"
#include "testing/fault_medium.h"
#include "testing/store_world.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {

/// A state of the store: from which position of the medium on it may be, and from which on no older one may
/// (UINT64_MAX: not known to be durable).
struct Moment {
  StoreModel state;
  std::uint64_t begun = 0;
  std::uint64_t acknowledged = 0;  ///< kNever: it never was, a crash before the next one may leave it
  static constexpr std::uint64_t kNever = UINT64_MAX;
};

class StoreHistory {
 public:
  /// Stays where it is made.  `recorder`, which may be null, is the FaultMedium whose positions are noted; `medium`
  /// may be it or something before it.
  StoreHistory(std::shared_ptr<Medium> medium, const FaultMedium* recorder, const StoreOptions& options,
               std::uint64_t seed);

  StoreHistory(const StoreHistory&) = delete;
  StoreHistory& operator=(const StoreHistory&) = delete;

  Status create();
  /// Opens a store whose content is `state`.
  Status open(StoreModel state);
  /// Stops at the first step that gives an Error.  With `reopens`, each step is followed by R.
  Status run(std::string_view script, bool reopens = false);
  Status step(char what);
  /// After `create` or a step that gave an Error, and `drop`: opens the store again, or creates it if there
  /// is none.  What it then shows is durable: the state before that step or the one after it, nothing else.
  /// The opening makes the mistake, if there is one.
  Status resume(const Mistake* mistake = nullptr);
  /// Lets go of the store without an explicit close.
  void drop() { store_ = nullptr; }

  [[nodiscard]] Store& store() { return *store_; }
  /// False after a failed reopening.
  [[nodiscard]] bool has_store() const noexcept { return store_ != nullptr; }
  [[nodiscard]] const std::vector<Moment>& moments() const noexcept { return moments_; }
  [[nodiscard]] const StoreModel& model() const noexcept { return moments_.back().state; }
  /// How often the store renumbered itself in steps of kind h.
  [[nodiscard]] std::uint64_t reorderings() const noexcept { return reorderings_; }
  /// The state that the step which gave an Error was to reach.
  [[nodiscard]] const StoreModel& attempted() const noexcept { return attempted_; }

 private:
  [[nodiscard]] std::uint64_t position() const { return recorder_ == nullptr ? 0 : recorder_->position(); }
  Status change(bool with_edges);
  Status change_of_every_kind();
  Status durable_step(char what);
  Status same_edge();
  Status tag_or_untag();
  Status change_columns();
  Status load(bool spills);
  Status append();
  Status add_and_finish(BulkLoader& loader);
  Status fill_dense();
  Status among_changes(FunctionRef<Status()> checkpoint);
  Status renumber_among_changes();
  Status reorder_among_changes();
  void interrupt(OperationKind kind, std::string_view file);
  void change_elsewhere();
  Status settle_ids();
  IdKind take_another_kind();
  Status reopen();
  /// Whether the store shows this state.
  [[nodiscard]] Result<bool> shows(const StoreModel& state);
  /// Notes that the store went to `attempted_`, which a call begun at `begun` acknowledged just now.
  void note(std::uint64_t begun);
  /// Notes that the first `count` moments may not be lost from now on.
  void note_durable(std::size_t moments);

  Result<std::unique_ptr<Store>> open_with(const Mistake* mistake);

  std::shared_ptr<Medium> below_;
  std::shared_ptr<Medium> medium_;               ///< the store's: over `below_`, to see what it does
  std::vector<std::shared_ptr<Medium>> behind_;  ///< media that medium_ is before
  const FaultMedium* recorder_;
  StoreOptions options_;
  Random random_;
  RandomSteps steps_{options_.schema, random_};
  StoreModel attempted_;
  std::uint64_t begun_ = 0;  ///< position at which the last step began
  std::vector<Moment> moments_;
  std::unique_ptr<Store> store_;
  bool interruptible_ = false;  ///< the store is in a checkpoint that other threads are to meet
  bool frozen_ = false;         ///< the checkpoint no longer holds the lock of its first part
  std::uint64_t reorderings_ = 0;
  Status interruption_;  ///< what the changes of another thread came to
};

/// A script of `steps` steps, which starts with a bulk load at times.
[[nodiscard]] std::string random_script(std::uint64_t seed, std::size_t steps);

}  // namespace rizoma
