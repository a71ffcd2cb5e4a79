// RowBlock: the values of some consecutive rows of edges or of vertices, as they are in the log or in an extent.
//
// A row has the values of one edge or vertex.  Rows of edges are numbered from 1 on in the order in which they were
// written; an entry of a list names its row, 0 being one without values.  Rows of vertices say whose they are in a
// column of their own, kVertexColumn; the last one of a vertex counts.  A column that a block lacks is null in it.
//
// To write: `encode_rows`, which picks the smallest coding of each column if asked to.
// To read: `RowBlock::open` checks every byte once; then a value is found in O(1).
#pragma once

#include <rizoma/columns.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>

#include "base/packed_bits.h"
#include "store/disk_format.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace rizoma {

/// Whose values: those of edges, or of vertices.
enum class RowKind : std::uint8_t { edges = 0, vertices = 1 };

/// A column on its way into a block.
struct RowColumn {
  std::uint32_t id = 0;
  const ColumnValues* values = nullptr;
};

/// `columns` ascend by id and have `rows` rows each.
[[nodiscard]] std::vector<std::byte> encode_rows(RowKind kind, std::uint64_t first_row, std::uint64_t rows,
                                                 std::span<const RowColumn> columns, bool smallest);
/// The same into `bytes`, whose memory it uses.
void encode_rows(RowKind kind, std::uint64_t first_row, std::uint64_t rows, std::span<const RowColumn> columns,
                 bool smallest, std::vector<std::byte>& bytes);

/// One column of a verified block, where it is.
class BlockColumn {
 public:
  BlockColumn(const std::byte* block, const format::RowsColumn& column) noexcept : block_(block), column_(column) {}

  [[nodiscard]] ColumnType type() const noexcept { return static_cast<ColumnType>(column_.type); }
  [[nodiscard]] bool has_nulls() const noexcept { return column_.nulls != 0; }
  [[nodiscard]] bool is_null(std::uint64_t row, std::uint64_t rows) const noexcept {
    if (column_.nulls == 0) return false;
    const std::uint64_t word = load<std::uint64_t>(column_.at - (rows + 63) / 64 * 8 + row / 64 * 8);
    return (word >> (row % 64) & 1) == 0;
  }
  /// Whether any of rows [begin, end), of which there is one, is null.
  [[nodiscard]] bool has_nulls(std::uint64_t begin, std::uint64_t end, std::uint64_t rows) const noexcept {
    if (column_.nulls == 0) return false;
    const std::uint64_t words = column_.at - (rows + 63) / 64 * 8;
    for (std::uint64_t word = begin / 64; word <= (end - 1) / 64; ++word) {
      std::uint64_t missing = ~load<std::uint64_t>(words + word * 8);
      if (word == begin / 64) missing &= ~std::uint64_t{0} << (begin % 64);
      if (word == (end - 1) / 64) missing &= ~std::uint64_t{0} >> (63 - (end - 1) % 64);
      if (missing != 0) return true;
    }
    return false;
  }
  /// Of a type of fixed width.
  template <class T>
  [[nodiscard]] T number(std::uint64_t row) const noexcept {
    if (column_.coding == format::RowsCoding::narrow) {
      return static_cast<T>(load<std::uint64_t>(column_.extra_at) + unsigned_at(row));
    }
    if (column_.coding == format::RowsCoding::packed) {
      const auto frames = load<format::RowsFrames>(column_.extra_at);
      return static_cast<T>(start_of(frames, row >> frames.frame_bits) + packed()[row]);
    }
    if constexpr (std::is_same_v<T, bool>) {
      return load<std::uint8_t>(column_.at + row) != 0;
    } else {
      return load<T>(column_.at + row * sizeof(T));
    }
  }
  /// The values of rows [begin, end), one after another; a null has any value.
  template <class T>
  void numbers(std::uint64_t begin, std::uint64_t end, T* out) const noexcept;
  /// Of a type of variable width.
  [[nodiscard]] std::span<const std::byte> bytes(std::uint64_t row) const noexcept;

 private:
  template <class T>
  [[nodiscard]] T load(std::uint64_t at) const noexcept {
    T value;
    std::memcpy(&value, block_ + at, sizeof value);
    return value;
  }
  [[nodiscard]] PackedBits packed() const noexcept { return {block_ + column_.at, column_.width}; }
  /// What is added to the packed numbers of a frame.
  [[nodiscard]] std::uint64_t start_of(const format::RowsFrames& frames, std::uint64_t frame) const noexcept {
    const std::uint64_t starts = column_.extra_at + sizeof frames;
    const std::uint64_t start =
        frames.start_bytes == 4 ? load<std::uint32_t>(starts + frame * 4) : load<std::uint64_t>(starts + frame * 8);
    return static_cast<std::uint64_t>(frames.base) + start;
  }
  /// Number `i` of those of `width` bytes.
  [[nodiscard]] std::uint64_t unsigned_at(std::uint64_t i) const noexcept {
    switch (column_.width) {
      case 1: return load<std::uint8_t>(column_.at + i);
      case 2: return load<std::uint16_t>(column_.at + i * 2);
      case 4: return load<std::uint32_t>(column_.at + i * 4);
      default: return load<std::uint64_t>(column_.at + i * 8);
    }
  }

  const std::byte* block_;
  format::RowsColumn column_;
};

template <class T>
void BlockColumn::numbers(std::uint64_t begin, std::uint64_t end, T* out) const noexcept {
  if (column_.coding == format::RowsCoding::packed) {
    const auto frames = load<format::RowsFrames>(column_.extra_at);
    const PackedBits bits = packed();
    for (std::uint64_t row = begin; row < end;) {
      const std::uint64_t frame = row >> frames.frame_bits;
      const std::uint64_t start = start_of(frames, frame);
      const std::uint64_t rest = (std::uint64_t{1} << frames.frame_bits) - (row - (frame << frames.frame_bits));
      for (const std::uint64_t past = row + std::min(rest, end - row); row < past; ++row) {
        *out++ = static_cast<T>(start + bits[row]);
      }
    }
  } else if (column_.coding == format::RowsCoding::plain && !std::is_same_v<T, bool>) {
    if (begin < end) std::memcpy(out, block_ + column_.at + begin * sizeof(T), (end - begin) * sizeof(T));
  } else if (column_.coding == format::RowsCoding::narrow && column_.width == 4) {
    const auto base = load<std::uint64_t>(column_.extra_at);
    for (std::uint64_t row = begin; row < end; ++row) {
      *out++ = static_cast<T>(base + load<std::uint32_t>(column_.at + row * 4));
    }
  } else {
    for (std::uint64_t row = begin; row < end; ++row) *out++ = number<T>(row);
  }
}

class RowBlock {
 public:
  /// Checks every byte.  Errors: corrupt, unsupported.
  static Result<RowBlock> open(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                               std::string_view where);

  [[nodiscard]] RowKind kind() const noexcept { return static_cast<RowKind>(header_.table); }
  [[nodiscard]] std::uint64_t id() const noexcept { return header_.checksum; }
  [[nodiscard]] std::uint64_t first() const noexcept { return header_.first_row; }
  [[nodiscard]] std::uint64_t size() const noexcept { return header_.num_rows; }
  [[nodiscard]] std::uint64_t end() const noexcept { return first() + size(); }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::optional<BlockColumn> column(std::uint32_t id) const noexcept;
  /// Fails unless every column is one of `columns`, with its type.
  Status fits(const std::vector<ColumnSchema>& columns, std::string_view where) const;
  /// Of a block of vertices: whose row `row` - first() is.
  [[nodiscard]] VertexId vertex(std::uint64_t place) const noexcept {
    return column(format::kVertexColumn)->number<std::uint64_t>(place);
  }

 private:
  Status check_columns(std::string_view where) const;
  [[nodiscard]] bool column_ok(const format::RowsColumn& column) const;
  [[nodiscard]] format::RowsColumn column_at(std::uint32_t i) const noexcept;

  format::RowsHeader header_;
  std::span<const std::byte> bytes_;
  std::shared_ptr<const void> owner_;
};

/// The header checksum of an encoded block: names these very bytes.
[[nodiscard]] std::uint64_t rows_id(std::span<const std::byte> block) noexcept;

}  // namespace rizoma
