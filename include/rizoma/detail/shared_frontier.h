// SharedFrontier: who is active on all ranks, in memory that they share: nobody need be told.  Module: engine.
#pragma once

#include <rizoma/detail/rank_memory.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>

#include <cstdint>
#include <optional>

namespace rizoma::engine_detail {

class SharedFrontier {
 public:
  /// Puts which of this rank's vertices are active (`mine`, bits of n vertices) where all ranks read it, and waits for
  /// them.  False, on all ranks: they share no memory.  Between two calls all must have had a round.  Collective.
  Result<bool> publish(Ranks& ranks, VertexId n, const std::uint64_t* mine);
  /// Bits of all vertices; null if `show` was not called, or in vain.
  [[nodiscard]] const std::uint64_t* words() const noexcept {
    return memory_ && *memory_ ? reinterpret_cast<const std::uint64_t*>(memory_->data()) : nullptr;
  }

 private:
  std::optional<RankMemory> memory_;  ///< once it was asked for
};

}  // namespace rizoma::engine_detail
