// BoundaryLists: which vertices of which rank the lists of which other rank lead to.
#pragma once

#include <rizoma/detail/ranks.h>
#include <rizoma/detail/varint.h>
#include <rizoma/engine.h>
#include <rizoma/ids.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace rizoma {

/// Ascending vertices in one or two bytes each: the varints of their distances, as ranks send them.
class VertexSequence {
 public:
  VertexSequence() = default;
  /// As another rank has sent it.
  explicit VertexSequence(std::vector<std::byte> bytes);

  /// v: greater than all before.
  void add(VertexId v) {
    std::array<std::byte, kMaxVarintBytes> bytes;
    bytes_.insert(bytes_.end(), bytes.data(), write_varint(bytes.data(), v - std::exchange(last_, v)));
    ++size_;
  }
  void shrink_to_fit() { bytes_.shrink_to_fit(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }

  /// Reads on from place to place.
  class Cursor {
   public:
    explicit Cursor(const VertexSequence& of) noexcept : at_(of.bytes_.data()), end_(at_ + of.bytes_.size()) {}
    /// The vertex at a place: below size(), and after that of the call before.
    [[nodiscard]] VertexId at(std::size_t place) noexcept {
      for (; next_ <= place; ++next_) {
        std::uint64_t step = 0;
        at_ = read_varint(at_, end_, step);
        vertex_ += step;
      }
      return vertex_;
    }

   private:
    const std::byte* at_;
    const std::byte* end_;
    std::size_t next_ = 0;
    VertexId vertex_ = 0;
  };
  /// f(place, v) for all.
  template <class F>
  void for_each(F&& f) const {
    Cursor cursor(*this);
    for (std::size_t place = 0; place < size_; ++place) f(place, cursor.at(place));
  }

 private:
  std::vector<std::byte> bytes_;
  std::size_t size_ = 0;
  VertexId last_ = 0;
};

struct BoundaryLists {
  std::vector<VertexSequence> read;      ///< by rank: its vertices that lists of this rank lead to
  std::vector<VertexSequence> mirrored;  ///< by rank: this rank's vertices that its lists lead to
  std::uint64_t all = 0;                 ///< how many the ranks read of each other
};

/// Reads this rank's lists once, and tells the others which of their vertices it reads: two rounds.  Collective. Cost:
/// O(entries of this rank); bytes: one or two for each vertex read.
Result<BoundaryLists> find_boundary(Engine& engine, Ranks& ranks, const GraphView& graph, Direction direction);

}  // namespace rizoma
