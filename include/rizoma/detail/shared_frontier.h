// SharedFrontier: the active vertices of all ranks as bits in shared memory, without messages.  Module: engine.
#pragma once

#include <rizoma/detail/rank_memory.h>
#include <rizoma/engine.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>

#include <cstdint>
#include <optional>

namespace rizoma::engine_detail {

class SharedFrontier {
 public:
  /// Publishes this rank's active vertices (`mine`, n bits) and waits for all ranks.  False, on all ranks: they share
  /// no memory.  Two calls need a collective between them.  Collective.
  Result<bool> publish(Engine& engine, VertexId n, const std::uint64_t* mine);
  /// Bits of all vertices; null before `publish`, and if it returned false.
  [[nodiscard]] const std::uint64_t* words() const noexcept {
    return memory_ && *memory_ ? reinterpret_cast<const std::uint64_t*>(memory_->data()) : nullptr;
  }

 private:
  std::optional<RankMemory> memory_;  ///< after the first call of publish
};

}  // namespace rizoma::engine_detail
