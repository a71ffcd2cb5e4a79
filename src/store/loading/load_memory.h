// LoadMemory: how a load divides its memory limit: vertices take what they need, three quarters at most, and of the
// rest edges take half and a round a quarter.
#pragma once

#include <rizoma/ids.h>
#include <rizoma/result.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace rizoma::bulk {

inline constexpr std::size_t kChunkBytes = std::size_t{4} << 20;
inline constexpr std::size_t kSmallestChunk = std::size_t{1} << 16;

class LoadMemory {
 public:
  /// `limit`: bytes; 0: none.
  LoadMemory(std::uint64_t limit, bool directed) noexcept : limit_(limit), order_bytes_(directed ? 24 : 16) {}

  [[nodiscard]] bool limited() const noexcept { return limit_ != 0; }
  /// Degrees, orders and ids of this many vertices, ids having `id_bytes` each.  Errors: out_of_memory.
  Status hold(VertexId vertices, std::uint64_t id_bytes) {
    vertex_bytes_ = vertices * (order_bytes_ + id_bytes);
    if (!limited() || vertex_bytes_ <= limit_ / 4 * 3) return {};
    const std::uint64_t missing = ((vertex_bytes_ / 3 * 4 - limit_) >> 20) + 8;
    return Error{ErrorCode::out_of_memory, "the memory limit is too small for " + std::to_string(vertices) +
                                               " vertices or more; raise it by at least " + std::to_string(missing) +
                                               " MiB"};
  }
  /// The part of the limit that edges, and the entries of a round, can have.
  [[nodiscard]] std::uint64_t for_edges() const noexcept { return limit_ - std::min(vertex_bytes_, limit_ / 4 * 3); }
  [[nodiscard]] std::size_t chunk_bytes() const noexcept {
    return limited() ? std::clamp<std::size_t>(limit_ / 16, kSmallestChunk, kChunkBytes) : kChunkBytes;
  }

 private:
  std::uint64_t limit_;
  std::uint64_t order_bytes_;
  std::uint64_t vertex_bytes_ = 0;
};

}  // namespace rizoma::bulk
