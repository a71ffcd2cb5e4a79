// FaultMedium: a Medium in memory that remembers every change, fails on demand, and shows every
// state that a crash may leave behind.
//
//   FaultMedium medium;
//   run(medium);                                      // note medium.position() at each acknowledgement
//   for (const CrashState& state : medium.crash_states()) {
//     const std::shared_ptr<Medium> left = state.materialize();
//     ...                                             // recover(*left) must know what was acknowledged
//   }                                                 // at positions <= state.position()
//
// Operations are numbered in the order in which they take effect; those of several threads are put
// into one order, so a sync covers all writes that returned before it.
//
// Granularity: 512 and 4096 for files on disks; 8 for mapped persistent memory, where cache lines are
// written back in any order and an aligned store of 8 bytes is all that is atomic.
#pragma once

#include "testing/crash_model.h"

#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rizoma {

/// Makes the n-th operation of a kind, counted from when the fault is set, fail.
///   write: half of the bytes are written; sync: the unsynced bytes are adrift (medium.h rule 4), though
///   reads show them: a later sync does not cover them unless they are written again;
///   all others have no effect.
struct Fault {
  OperationKind kind = OperationKind::write;
  std::uint64_t nth = 1;
  ErrorCode code = ErrorCode::io;
  bool lasting = false;  ///< all later ones of the kind fail too
};

/// How many states to visit at each crash point: all, if there are no more than `exhaustive`; else a sample.
struct CrashLimits {
  std::uint64_t seed = 1;
  std::uint64_t exhaustive = 64;
  unsigned systematic = 64;  ///< at most this many of each kind: one lost, one kept, prefixes
  unsigned random = 8;       ///< seeded random subsets
  std::uint64_t first_position = 0;
  std::uint64_t stride = 1;  ///< visit every stride-th crash point (and the last)
};

/// What is left after a crash.  Valid until the iterator it came from moves on.
class CrashState {
 public:
  /// Operations that had taken effect when the crash came.
  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }
  /// Whether every state that is possible at this position is visited.
  [[nodiscard]] bool exhaustive() const noexcept { return exhaustive_; }
  /// The files as the next process finds them.
  [[nodiscard]] FileContents contents() const { return model_->contents(*items_, choice_); }
  [[nodiscard]] std::shared_ptr<Medium> materialize() const { return medium_of(contents(), granularity()); }
  [[nodiscard]] std::uint32_t granularity() const noexcept { return model_->granularity(); }
  /// For the message of a failing test: where the crash was and what was lost.
  [[nodiscard]] std::string describe() const;

 private:
  friend class CrashStates;
  const CrashModel* model_ = nullptr;
  const std::vector<OpenItem>* items_ = nullptr;
  const std::vector<Operation>* history_ = nullptr;
  std::uint64_t position_ = 0;
  bool exhaustive_ = false;
  std::vector<std::size_t> choice_;
};

/// The crash states of a history, made one after the other: at each crash point every combination of
/// the undecided changes, or, if they are too many, all lost, all kept, each one lost alone, each one
/// kept alone, each prefix kept (a torn write is one of them), random subsets.
class CrashStates {
 public:
  CrashStates(CrashModel start, std::vector<Operation> history, CrashLimits limits);

  class Iterator {
   public:
    using value_type = CrashState;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::input_iterator_tag;
    const CrashState& operator*() const noexcept { return state_; }
    const CrashState* operator->() const noexcept { return &state_; }
    Iterator& operator++();
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& it, std::default_sentinel_t) noexcept { return it.done_; }

   private:
    friend class CrashStates;
    explicit Iterator(const CrashStates& all);
    void visit(std::uint64_t position);
    void show();

    const CrashStates* all_;
    std::unique_ptr<CrashModel> model_;
    std::unique_ptr<std::vector<OpenItem>> items_;
    std::vector<std::vector<std::size_t>> choices_;  // of this crash point
    std::size_t next_ = 0;
    CrashState state_;
    bool done_ = false;
  };

  [[nodiscard]] Iterator begin() const { return Iterator(*this); }
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

 private:
  CrashModel start_;
  std::vector<Operation> history_;
  CrashLimits limits_;
};

class FaultMedium final : public Medium {
 public:
  explicit FaultMedium(std::uint32_t granularity = 512);
  /// Starts with the files of `initial`, all durable: for a crash within a recovery.
  explicit FaultMedium(Medium& initial);
  ~FaultMedium() override;

  void fail(Fault fault);
  void clear_faults();  ///< forgets the faults, and goes on
  /// After this many changes the process that uses the medium is dead: whatever it asks for
  /// gives an Error and does nothing.  What it wrote before stays as it is, synced or not.
  void kill_at(std::uint64_t position);
  void revive();  ///< another process takes over
  /// Changes that there had been when the first fault since `clear_faults`, or death, was met; nothing: none was.
  [[nodiscard]] std::optional<std::uint64_t> struck_at() const;
  /// Changes so far; compare with CrashState::position().
  [[nodiscard]] std::uint64_t position() const;
  /// Operations of a kind asked for so far, failed ones included.
  [[nodiscard]] std::uint64_t count(OperationKind kind) const;
  [[nodiscard]] CrashStates crash_states(CrashLimits limits = {}) const;

  [[nodiscard]] Result<std::unique_ptr<MediumFile>> open(std::string_view name, FileMode mode) override;
  [[nodiscard]] Result<bool> exists(std::string_view name) const override;
  [[nodiscard]] Result<std::vector<std::string>> list() const override;
  Status remove(std::string_view name) override;
  Status rename(std::string_view from, std::string_view to) override;
  Status sync_names() override;
  [[nodiscard]] Result<std::unique_ptr<WriterLock>> lock_for_writing() override;
  [[nodiscard]] std::uint32_t granularity() const noexcept override;
  [[nodiscard]] std::string describe() const override;

 private:
  class Core;
  class File;
  std::shared_ptr<Core> core_;
};

}  // namespace rizoma
