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
/// of that of 64 vertices whose bits follow, where many of them are members; the lowest bit says which.  They come in
/// pieces, of which each is read without the others, and which are the same for who sends and who has received them.
class VertexSequence {
 public:
  static constexpr std::size_t kMembers = 4096;        ///< of a piece, which ends with a word: about
  static constexpr std::size_t kMost = kMembers + 63;  ///< of a piece

  VertexSequence() = default;
  /// As another rank has sent it: a message of pieces.  Throws InternalError: it is malformed.
  explicit VertexSequence(std::span<const std::byte> message);

  /// v: greater than all before.
  void add(VertexId v) {
    if (v / 64 != word_) begin_word(v / 64);
    bits_ |= std::uint64_t{1} << (v % 64);
    ++size_;
  }
  /// Appends one that has ended, of greater vertices of other words; this has ended, too, or has none.
  void append(const VertexSequence& more);
  /// Call it after the last one.
  void end();
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t pieces() const noexcept { return pieces_.size(); }
  [[nodiscard]] std::size_t size_of(std::size_t piece) const noexcept {
    return pieces_[piece].place - (piece == 0 ? 0 : pieces_[piece - 1].place);
  }
  [[nodiscard]] std::span<const std::byte> bytes_of(std::size_t piece) const noexcept {
    const std::size_t begin = piece == 0 ? 0 : pieces_[piece - 1].end;
    return std::span(bytes_).subspan(begin, pieces_[piece].end - begin);
  }
  /// All pieces, as a message.
  [[nodiscard]] std::vector<std::byte> message() const;

  /// f(place in the piece, v) for the members of a piece.
  template <class F>
  void for_each_in(std::size_t piece, F&& f) const {
    Reader reader(bytes_of(piece));
    const std::size_t size = size_of(piece);
    for (std::size_t place = 0; place < size;) {
      VertexId base = 0;
      for (std::uint64_t bits = reader.next(base); bits != 0; bits &= bits - 1)
        f(place++, base + static_cast<VertexId>(std::countr_zero(bits)));
    }
  }
  /// f(v) for all.
  template <class F>
  void for_each(F&& f) const {
    for (std::size_t piece = 0; piece < pieces(); ++piece) {
      for_each_in(piece, [&](std::size_t, VertexId v) { f(v); });
    }
  }

 private:
  /// Reads the bytes of a piece on.
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
  /// Where a piece ends: in the bytes, and in the members.
  struct Piece {
    std::size_t end;
    std::size_t place;
  };
  static constexpr int kMany = 9;  // of 64 vertices: their bits take no more than a varint each

  void begin_word(VertexId word);
  void end_piece();
  void put(std::uint64_t number);
  void take_piece(std::span<const std::byte> piece);

  std::vector<std::byte> bytes_;
  std::vector<Piece> pieces_;
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

/// Reads this rank's lists once, and tells the others which of their vertices it reads: two rounds.  All threads do it.
/// Collective.  Cost: O(entries of this rank / threads); bytes: one or two for each vertex read.
Result<BoundaryLists> find_boundary(Engine& engine, Ranks& ranks, const GraphView& graph, Direction direction);

}  // namespace rizoma
