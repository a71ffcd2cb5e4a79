// StoreHistory: a store and its model, driven through the same changes, with a note of what was
// promised when.
//
// A script is a string of steps, one letter each:
//   a  one batch of random edges, and at times of vertices      c  checkpoint
//   v  one batch of vertices alone                              k  compaction
//   l  bulk load (a store that is empty)                        o  compaction with another inner order
//   s  bulk load that spills                                    R  close and open anew
//   r  one batch of steps of every kind: removals, weights      f  flush
#pragma once

#include "base/random.h"
#include "platform/medium.h"
#include "store/store.h"
#include "store/store_model.h"
#include "testing/fault_medium.h"
#include "testing/store_world.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {

/// A state of the store: from which position of the medium on it may be, and from which on no older one may.
struct Moment {
  StoreModel state;
  std::uint64_t begun = 0;
  std::uint64_t acknowledged = 0;
};

class StoreHistory {
 public:
  /// `recorder`, which may be null, is the FaultMedium whose positions are noted; `medium` may be it
  /// or something before it.
  StoreHistory(std::shared_ptr<Medium> medium, const FaultMedium* recorder, const StoreOptions& options, std::uint64_t seed);

  Status create();
  /// Opens a store whose content is `state`.
  Status open(StoreModel state);
  /// Stops at the first step that gives an Error.  With `reopens`, each step is followed by R.
  Status run(std::string_view script, bool reopens = false);
  Status step(char what);
  /// Lets go of the store without an explicit close.
  void drop() { store_ = nullptr; }

  [[nodiscard]] Store& store() { return *store_; }
  /// False after a failed reopening.
  [[nodiscard]] bool has_store() const noexcept { return store_ != nullptr; }
  [[nodiscard]] const std::vector<Moment>& moments() const noexcept { return moments_; }
  [[nodiscard]] const StoreModel& model() const noexcept { return moments_.back().state; }
  /// The state that the step which gave an Error was to reach.
  [[nodiscard]] const StoreModel& attempted() const noexcept { return attempted_; }

 private:
  [[nodiscard]] std::uint64_t position() const { return recorder_ == nullptr ? 0 : recorder_->position(); }
  Status change(bool with_edges);
  Status change_of_every_kind();
  Status load(bool spills);
  Status reopen();
  /// Notes that the store went to `attempted_`, which a call begun at `begun` acknowledged just now.
  void note(std::uint64_t begun);

  std::shared_ptr<Medium> medium_;
  const FaultMedium* recorder_;
  StoreOptions options_;
  Random random_;
  RandomSteps steps_{options_.schema, random_};
  StoreModel attempted_;
  std::vector<Moment> moments_;
  std::unique_ptr<Store> store_;
};

/// A script of `steps` steps, which starts with a bulk load at times.
[[nodiscard]] std::string random_script(std::uint64_t seed, std::size_t steps);

}  // namespace rizoma
