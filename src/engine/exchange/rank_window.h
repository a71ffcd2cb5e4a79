// RankWindow: memory of each rank that the others read without its help, until the program that all ranks run has been
// settled; with what crosses counted as the ranks' traffic.
#pragma once

#include <rizoma/detail/ranks.h>
#include <rizoma/result.h>

#include "engine/transport.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace rizoma {

class RankWindow {
 public:
  /// False: others' reads may wait until this rank calls its transport.  The same on all.
  [[nodiscard]] static bool one_sided(const Ranks& ranks) noexcept { return ranks.transport_.one_sided(); }
  /// So many bytes here, zeros; none on any rank where memory that ranks can share is lacking.  Collective.
  static Result<std::optional<RankWindow>> make(Ranks& ranks, std::size_t bytes);

  [[nodiscard]] std::span<std::byte> mine() const noexcept { return allocated_.bytes; }
  /// From any thread.  Errors: io (a rank is lost).
  Status read(unsigned rank, std::span<const Wanted> wanted);
  /// Adds to 8 bytes at `offset`, and returns the value before.  From any thread.  Errors: io.
  [[nodiscard]] Result<std::uint64_t> fetch_add(unsigned rank, std::uint64_t offset, std::uint64_t amount);

 private:
  RankWindow(Ranks& ranks, const Allocated& allocated) : ranks_(&ranks), allocated_(allocated) {}
  Ranks* ranks_;
  Allocated allocated_;
};

}  // namespace rizoma
