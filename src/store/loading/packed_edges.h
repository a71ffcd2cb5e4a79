// PackedEdges: edges whose ends are in known ranges of vertices, in as few whole bytes each as these allow.
//
// Both ends count from the beginning of their range; the source's number is above the target's, in as many bits as
// the largest needs, and the weight follows as it is.  Where that takes more than 64 bits, edges stay as they are.
// Cost: one load and one store of 8 bytes an edge, unaligned.
#pragma once

#include <rizoma/ids.h>

#include "base/packed_bits.h"
#include "store/loading/bulk_load_edges.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace rizoma::bulk {

/// The vertices that the ends of some edges may be.
struct EndRanges {
  VertexRange sources;
  VertexRange targets;
};

template <class Record>
class PackedEdges {
 public:
  explicit PackedEdges(const EndRanges& ranges) : ranges_(ranges) {
    const auto bits = [](VertexRange range) { return range.empty() ? 1 : bits_for(range.size() - 1); };
    target_bits_ = bits(ranges.targets);
    const std::size_t bytes = (bits(ranges.sources) + target_bits_ + 7) / 8;
    packs_ = bytes <= kMostPacked;
    end_bytes_ = packs_ ? bytes : 2 * sizeof(Number);
  }

  /// Bytes of an edge.
  [[nodiscard]] std::size_t width() const noexcept { return packs_ ? end_bytes_ + kWeightBytes : sizeof(Record); }

  /// Packs the edges where they are; gives the bytes that hold them then.
  [[nodiscard]] std::span<const std::byte> pack(std::span<Record> edges) const {
    auto* const bytes = reinterpret_cast<std::byte*>(edges.data());
    if (packs_) {
      for (std::size_t i = 0; i < edges.size(); ++i) {
        const Record edge = edges[i];
        const std::uint64_t ends =
            (edge.source - ranges_.sources.begin) << target_bits_ | (edge.target - ranges_.targets.begin);
        std::byte* const out = bytes + i * width();
        std::memcpy(out, &ends, sizeof ends);  // within the edges up to this one, which have been read
        if constexpr (Record::kWeighted) std::memcpy(out + end_bytes_, &edge.weight, kWeightBytes);
      }
    }
    return {bytes, edges.size() * width()};
  }

  /// Where the bytes of `room.size() - 1` packed edges belong before `unpack`.
  [[nodiscard]] std::span<std::byte> place(std::span<Record> room) const {
    const std::size_t count = room.size() - 1;
    return std::as_writable_bytes(room.first(count)).last(count * width());
  }
  /// Edges of the bytes that exist.  The last record is of no meaning.
  std::span<const Record> unpack(std::span<Record> room) const {
    const std::size_t count = room.size() - 1;
    const std::byte* const bytes = place(room).data();
    const std::uint64_t mask = (std::uint64_t{1} << target_bits_) - 1;
    const std::uint64_t used = end_bytes_ >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * end_bytes_) - 1;
    for (std::size_t i = 0; packs_ && i < count; ++i) {
      const std::byte* const in = bytes + i * width();
      std::uint64_t ends;
      std::memcpy(&ends, in, sizeof ends);  // the last record has padding for this wide read
      ends &= used;
      Record edge{static_cast<Number>(ranges_.sources.begin + (ends >> target_bits_)),
                  static_cast<Number>(ranges_.targets.begin + (ends & mask)),
                  {}};
      if constexpr (Record::kWeighted) std::memcpy(&edge.weight, in + end_bytes_, kWeightBytes);
      room[i] = edge;
    }
    return room.first(count);
  }

 private:
  using Number = typename Record::Number;
  /// Bytes of two ends that are packed: a word's, or where two numbers take no more, fewer than they do.
  static constexpr std::size_t kMostPacked = std::min(sizeof(std::uint64_t), 2 * sizeof(Number) - 1);
  static constexpr std::size_t kWeightBytes = Record::kWeighted ? sizeof(typename Record::Bits) : 0;

  EndRanges ranges_;
  unsigned target_bits_ = 0;
  std::size_t end_bytes_ = 0;
  bool packs_ = false;
};

}  // namespace rizoma::bulk
