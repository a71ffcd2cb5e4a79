// EdgeBuffer: the edges of a load as pairs of numbers, in memory in chunks or spilled, in order.
#pragma once

#include <rizoma/ids.h>
#include <rizoma/result.h>

#include "platform/page_array.h"
#include "store/loading/spill.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace rizoma::bulk {

/// The weight of an unweighted edge.
struct NoBits {
  friend bool operator==(NoBits, NoBits) = default;
};

/// An edge, or an entry of the list of `source`.  Number: 32 or 64 bits.  Bits: the weight's bytes as
/// they are stored (uint32 for int32 and float32, uint64 for float64), or NoBits.  Where edges name rows, uint32 is the
/// number of the row, and uint64 that number as a float64.
template <class Number_, class Bits_>
struct Edge {
  using Number = Number_;
  using Bits = Bits_;
  static constexpr bool kWeighted = !std::is_same_v<Bits, NoBits>;
  Number source;
  Number target;
  [[no_unique_address]] Bits weight;
};

/// A run of edges: in memory, or `size` of them at `place` of the spill file.
template <class Record>
struct EdgeChunk {
  PageArray<Record> memory;
  std::size_t size = 0;
  std::uint64_t place = 0;
  bool spilled = false;

  [[nodiscard]] std::span<Record> edges() const noexcept { return {memory.data(), size}; }
};

template <class Record>
class EdgeBuffer {
 public:
  explicit EdgeBuffer(std::size_t chunk_bytes) : chunk_edges_(chunk_bytes / sizeof(Record)) {}

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t chunk_bytes() const noexcept { return chunk_edges_ * sizeof(Record); }
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept { return memory_bytes_; }
  [[nodiscard]] bool spilled() const noexcept { return file_ != nullptr; }
  [[nodiscard]] std::vector<EdgeChunk<Record>>& chunks() noexcept { return chunks_; }

  /// Place for up to `count` more edges, at least one: after all others, or `early`, before all that are not.  Fill it,
  /// then say how many with `added`.
  [[nodiscard]] std::span<Record> room(std::size_t count, bool early = false) {
    filling_ = early ? early_ : chunks_.size();
    const bool full =
        filling_ == (early ? 0 : early_) || chunks_[filling_ - 1].spilled || chunks_[filling_ - 1].size == chunk_edges_;
    if (full) {
      chunks_.insert(chunks_.begin() + static_cast<std::ptrdiff_t>(filling_),
                     {PageArray<Record>(chunk_edges_), 0, 0, false});
      memory_bytes_ += chunk_edges_ * sizeof(Record);
      early_ += early ? 1 : 0;
    } else {
      --filling_;
    }
    EdgeChunk<Record>& last = chunks_[filling_];
    const std::size_t left = chunk_edges_ - last.size;
    return {last.memory.data() + last.size, count < left ? count : left};
  }
  void added(std::size_t count) noexcept {
    chunks_[filling_].size += count;
    size_ += count;
  }

  /// Moves all edges in memory to `file`, which outlives this.
  Status spill(SpillFile& file) {
    file_ = &file;
    for (EdgeChunk<Record>& chunk : chunks_) {
      if (chunk.spilled) continue;
      RIZOMA_ASSIGN(chunk.place, file.append(std::as_bytes(chunk.edges())));
      chunk.memory = {};
      chunk.spilled = true;
    }
    memory_bytes_ = 0;
    return {};
  }

  /// The edges of a chunk; those of a spilled one are read into `buffer`.
  Result<std::span<const Record>> load(const EdgeChunk<Record>& chunk, PageArray<Record>& buffer) const {
    if (!chunk.spilled) return std::span<const Record>(chunk.edges());
    if (buffer.size() < chunk.size) buffer = PageArray<Record>(chunk_edges_);
    const std::span<Record> edges(buffer.data(), chunk.size);
    RIZOMA_TRY(file_->read(chunk.place, std::as_writable_bytes(edges)));
    return std::span<const Record>(edges);
  }
  /// As `load`, for a caller that changes them in place and then releases the chunk.
  Result<std::span<Record>> load_to_change(EdgeChunk<Record>& chunk, PageArray<Record>& buffer) const {
    if (!chunk.spilled) return chunk.edges();
    RIZOMA_ASSIGN(const std::span<const Record> edges, load(chunk, buffer));
    return std::span<Record>(buffer.data(), edges.size());
  }
  /// Frees the place of a chunk that is not loaded again, in memory or in the file.
  Status let_go(EdgeChunk<Record>& chunk) {
    chunk.memory = {};
    return chunk.spilled ? file_->let_go(chunk.place, chunk.size * sizeof(Record)) : Status{};
  }

 private:
  std::size_t chunk_edges_;
  std::vector<EdgeChunk<Record>> chunks_;
  std::size_t early_ = 0;    ///< chunks at the beginning
  std::size_t filling_ = 0;  ///< the chunk that `room` gave a place in
  SpillFile* file_ = nullptr;
  std::uint64_t size_ = 0;
  std::uint64_t memory_bytes_ = 0;
};

}  // namespace rizoma::bulk
