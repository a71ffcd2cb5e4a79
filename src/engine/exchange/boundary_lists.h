// BoundaryLists: which vertices of which rank the lists of which other rank lead to.
#pragma once

#include <rizoma/detail/ranks.h>
#include <rizoma/detail/varint.h>
#include <rizoma/engine.h>
#include <rizoma/ids.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace rizoma {

/// Ascending vertices in a byte or less each, as ranks send them: varints, of the distance from the vertex before, or
/// of that of 64 vertices whose bits follow, where many of them are members; the lowest bit says which.
class VertexSequence {
  /// Reads the bytes on.
  class Reader {
   public:
    explicit Reader(std::span<const std::byte> bytes) noexcept : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}
    /// Some vertices, as bits from `base` on; none: the bytes are malformed.
    [[nodiscard]] std::uint64_t next(VertexId& base) noexcept {
      std::uint64_t number = 0;
      at_ = read_varint(at_, end_, number);
      if (at_ == nullptr) return 0;
      if (number % 2 == 0) {
        base = last_ += number / 2;
        return 1;
      }
      std::uint64_t bits = 0;
      if (static_cast<std::size_t>(end_ - at_) < sizeof(bits)) return 0;
      std::memcpy(&bits, at_, sizeof(bits));
      at_ += sizeof(bits);
      base = (last_ / 64 + number / 2) * 64;
      last_ = base + 63;
      return bits;
    }
    [[nodiscard]] bool at_end() const noexcept { return at_ == end_; }

   private:
    const std::byte* at_;
    const std::byte* end_;
    VertexId last_ = 0;
  };

 public:
  VertexSequence() = default;
  /// As another rank has sent it.
  explicit VertexSequence(std::vector<std::byte> bytes);

  /// v: greater than all before.
  void add(VertexId v) {
    if (v / 64 != word_) begin_word(v / 64);
    bits_ |= std::uint64_t{1} << (v % 64);
    ++size_;
  }
  /// Call it after the last one.
  void end() {
    begin_word(0);
    bytes_.shrink_to_fit();
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }

  /// Reads on from place to place.
  class Cursor {
   public:
    explicit Cursor(const VertexSequence& of) noexcept : reader_(of.bytes_) {}
    /// The vertex at a place: below size(), and after that of the call before.
    [[nodiscard]] VertexId at(std::size_t place) noexcept {
      for (; next_ <= place; ++next_) {
        if (bits_ == 0) bits_ = reader_.next(base_);
        vertex_ = base_ + static_cast<VertexId>(std::countr_zero(bits_));
        bits_ &= bits_ - 1;
      }
      return vertex_;
    }

   private:
    friend class VertexSequence;
    Reader reader_;
    std::uint64_t bits_ = 0;  ///< not read yet, from base_ on
    VertexId base_ = 0;
    std::size_t next_ = 0;
    VertexId vertex_ = 0;
  };
  /// f(place, v) for all.
  template <class F>
  void for_each(F&& f) const {
    Reader reader(bytes_);
    std::size_t place = 0;
    while (place < size_) {
      VertexId base = 0;
      for (std::uint64_t bits = reader.next(base); bits != 0; bits &= bits - 1)
        f(place++, base + static_cast<VertexId>(std::countr_zero(bits)));
    }
  }

 private:
  static constexpr int kMany = 9;  // of 64 vertices: their bits take no more than a varint each

  void begin_word(VertexId word);
  void put(std::uint64_t number);

  std::vector<std::byte> bytes_;
  std::size_t size_ = 0;
  VertexId last_ = 0;  ///< that was put, or the last one that bits stand for
  VertexId word_ = 0;
  std::uint64_t bits_ = 0;  ///< of the word that is not put yet
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
