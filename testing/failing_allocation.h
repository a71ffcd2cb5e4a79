// Makes the n-th allocation by `operator new` fail, in test programs that use this: linking it replaces
// the operator for the whole program.
#pragma once

#include <cstdint>

namespace rizoma {

/// While it lives, the n-th allocation (1: the next) of this thread throws std::bad_alloc; with `lasting`
/// all later ones too.  One at a time a thread.
class FailingAllocation {
 public:
  explicit FailingAllocation(std::uint64_t nth, bool lasting = false) noexcept;
  /// Instead, each of at least this many bytes.
  [[nodiscard]] static FailingAllocation of_at_least(std::uint64_t bytes) noexcept { return {bytes, 1, true}; }
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;
  ~FailingAllocation();
  /// Whether an allocation failed.
  [[nodiscard]] static bool happened() noexcept;

 private:
  FailingAllocation(std::uint64_t bytes, std::uint64_t nth, bool lasting) noexcept;
};

}  // namespace rizoma
