#include "store/columns/row_block.h"

#include "base/check.h"
#include "base/checksum.h"
#include "store/columns/text_codes.h"
#include "store/messages.h"

#include <algorithm>
#include <string>
#include <type_traits>

namespace rizoma {
namespace {

constexpr std::uint64_t align8(std::uint64_t bytes) noexcept { return (bytes + 7) / 8 * 8; }

std::uint64_t header_checksum(const format::RowsHeader& header) {
  return checksum(std::as_bytes(std::span(&header, 1)).first(offsetof(format::RowsHeader, checksum)),
                  format::kSeedRowsHeader);
}

/// Bytes that hold every number up to `most`.
std::uint8_t width_for(std::uint64_t most) noexcept {
  return most <= UINT8_MAX ? 1 : most <= UINT16_MAX ? 2 : most <= UINT32_MAX ? 4 : 8;
}

bool is_packed(const format::RowsColumn& column) noexcept { return column.coding >= format::RowsCoding::packed; }

/// Appends parts to a block, each at a multiple of 8.
class BlockWriter {
 public:
  /// Begins after `begin` bytes, in the memory of `buffer`.
  BlockWriter(std::size_t begin, std::vector<std::byte>& buffer) : bytes_(buffer) {
    bytes_.clear();
    bytes_.resize(begin);
  }

  std::uint64_t begin_part() {
    bytes_.resize(align8(bytes_.size()));
    return bytes_.size();
  }
  void put(const void* data, std::size_t bytes) {
    const auto* begin = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), begin, begin + bytes);
  }
  /// Room for this many bytes.
  std::byte* grow(std::size_t bytes) {
    bytes_.resize(bytes_.size() + bytes);
    return bytes_.data() + bytes_.size() - bytes;
  }
  void put_number(std::uint64_t value, unsigned width) { put(&value, width); }  // little-endian
  /// number(0), number(1), .. of `width` bytes each.
  template <class Number>
  void put_numbers(std::uint64_t count, unsigned width, Number&& number) {
    std::byte* const to = grow(count * width);
    const auto write = [&]<class T>(T) {
      for (std::uint64_t i = 0; i < count; ++i) {
        const auto value = static_cast<T>(number(i));
        std::memcpy(to + i * sizeof(T), &value, sizeof(T));
      }
    };
    switch (width) {
      case 1: return write(std::uint8_t{});
      case 2: return write(std::uint16_t{});
      case 4: return write(std::uint32_t{});
      default: return write(std::uint64_t{});
    }
  }
  [[nodiscard]] std::uint64_t size() const noexcept { return bytes_.size(); }

 private:
  std::vector<std::byte>& bytes_;
};

void put_bitmap(const ColumnValues& values, BlockWriter& out) {
  std::vector<std::uint64_t> words((values.valid.size() + 63) / 64);
  for (std::size_t row = 0; row < values.valid.size(); ++row) {
    if (values.valid[row] != 0) words[row / 64] |= std::uint64_t{1} << (row % 64);
  }
  out.put(words.data(), words.size() * sizeof(std::uint64_t));
}

/// Values of variable width as codes of their different values; false if that is not smaller, which it is not if nearly
/// all of the first quarter differ.
bool put_dictionary(const ColumnValues& values, format::RowsColumn& column, BlockWriter& out) {
  TextCodes codes;
  std::vector<std::uint32_t> rows(values.size());
  const std::string& text = codes.text();
  const std::vector<std::uint64_t>& ends = codes.ends();
  const std::size_t plain = values.values.size() + values.size() * width_for(values.values.size());
  if (values.size() >= UINT32_MAX) return false;
  const std::size_t quarter = std::max<std::size_t>(values.size() / 4, 1024);
  for (std::size_t row = 0; row < values.size(); ++row) {
    const auto bytes = values.bytes(row);
    rows[row] = codes.code({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    if (text.size() + ends.size() * 8 >= plain) return false;
    if (row == quarter && codes.size() > quarter / 100 * 95) return false;
  }
  const std::uint64_t last = codes.size() == 0 ? 0 : codes.size() - 1;
  const unsigned bits = bits_for(last);
  const std::uint64_t whole = rows.size() * width_for(last);
  const bool packs = packed_bytes(rows.size(), bits) < whole;
  column.bytes = packs ? packed_bytes(rows.size(), bits) : whole;
  if (text.size() + ends.size() * 8 + column.bytes >= plain) return false;
  column.width = packs ? static_cast<std::uint8_t>(bits) : width_for(last);
  column.coding = packs ? format::RowsCoding::packed_dictionary : format::RowsCoding::dictionary;
  if (!packs) {
    out.put_numbers(rows.size(), column.width, [&](std::uint64_t i) { return rows[i]; });
  } else {
    pack(rows.size(), bits, out.grow(column.bytes), [&](std::uint64_t i) { return rows[i]; });
  }
  column.extra_at = out.begin_part();
  out.put_number(ends.size(), 8);
  out.put(ends.data(), ends.size() * 8);
  out.put(text.data(), text.size());
  column.extra_bytes = out.size() - column.extra_at;
  return true;
}

void put_variable(const ColumnValues& values, format::RowsColumn& column, bool smallest, BlockWriter& out) {
  if (smallest && values.size() > 1 && put_dictionary(values, column, out)) return;
  column.width = width_for(values.values.size());
  column.bytes = values.size() * column.width;
  out.put_numbers(values.size(), column.width, [&](std::uint64_t i) { return values.ends[i]; });
  column.extra_at = out.begin_part();
  out.put(values.values.data(), values.values.size());
  column.extra_bytes = values.values.size();
}

/// The smallest and the largest of some rows, above the smallest of all.
struct Reach {
  std::uint64_t least = 0;
  std::uint64_t most = 0;
};

/// How numbers are packed in frames.
struct Frames {
  unsigned frame_bits = 0;
  unsigned width = 0;
  unsigned start_bytes = 0;
  std::uint64_t bytes = UINT64_MAX;  ///< of all parts
};

/// The frames that take the fewest bytes; `bytes` of none if the numbers are too far apart.
Frames smallest_frames(std::span<const std::uint64_t> numbers) {
  constexpr unsigned kSmallest = 5;
  const std::uint64_t rows = numbers.size();
  std::vector<Reach> reaches((rows + (1U << kSmallest) - 1) >> kSmallest, Reach{UINT64_MAX, 0});
  for (std::uint64_t row = 0; row < rows; ++row) {
    Reach& reach = reaches[row >> kSmallest];
    reach = {std::min(reach.least, numbers[row]), std::max(reach.most, numbers[row])};
  }
  Frames best;
  for (unsigned frame_bits = kSmallest;; ++frame_bits) {
    std::uint64_t range = 0, start = 0;
    for (const Reach& reach : reaches) {
      range = std::max(range, reach.most - reach.least);
      start = std::max(start, reach.least);
    }
    const unsigned start_bytes = start <= UINT32_MAX ? 4 : 8;
    const unsigned width = bits_for(range);
    if (width <= kMostPackedBits) {
      const std::uint64_t bytes = packed_bytes(rows, width) + sizeof(format::RowsFrames) + reaches.size() * start_bytes;
      if (bytes < best.bytes) best = {frame_bits, width, start_bytes, bytes};
    }
    if (reaches.size() == 1) return best;
    for (std::size_t i = 0; i < reaches.size(); i += 2) {
      const Reach& other = reaches[std::min(i + 1, reaches.size() - 1)];
      reaches[i / 2] = {std::min(reaches[i].least, other.least), std::max(reaches[i].most, other.most)};
    }
    reaches.resize((reaches.size() + 1) / 2);
  }
}

/// `numbers` are above `base`.
void put_packed(std::span<const std::uint64_t> numbers, std::int64_t base, const Frames& frames,
                format::RowsColumn& column, BlockWriter& out) {
  const unsigned bits = frames.frame_bits;
  std::vector<std::uint64_t> starts(((numbers.size() - 1) >> bits) + 1, UINT64_MAX);
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    starts[row >> bits] = std::min(starts[row >> bits], numbers[row]);
  }
  column.coding = format::RowsCoding::packed;
  column.width = static_cast<std::uint8_t>(frames.width);
  column.bytes = packed_bytes(numbers.size(), frames.width);
  pack(numbers.size(), frames.width, out.grow(column.bytes),
       [&](std::uint64_t row) { return numbers[row] - starts[row >> bits]; });
  column.extra_at = out.begin_part();
  const format::RowsFrames header{base, bits, frames.start_bytes};
  out.put(&header, sizeof header);
  for (const std::uint64_t start : starts) out.put_number(start, frames.start_bytes);
  column.extra_bytes = out.size() - column.extra_at;
}

/// Integers, each as the 64 bits of its value.  What is null is the value before it, or the first one that exists, so
/// that it widens nothing.
template <class T>
std::vector<std::uint64_t> numbers_of(const ColumnValues& values) {
  using Stored = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;
  const auto at = [&](std::size_t row) {
    Stored value;
    std::memcpy(&value, values.values.data() + row * sizeof value, sizeof value);
    return static_cast<std::uint64_t>(value);
  };
  std::vector<std::uint64_t> numbers(values.values.size() / sizeof(Stored));
  std::size_t there = 0;
  while (there < numbers.size() && !values.is_valid(there)) ++there;
  std::uint64_t last = there < numbers.size() ? at(there) : 0;
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    if (values.is_valid(row)) last = at(row);
    numbers[row] = last;
  }
  return numbers;
}

/// Integers as differences from the least, of whole bytes or packed; false if that is not smaller.
template <class T>
bool put_narrow(const ColumnValues& values, format::RowsColumn& column, BlockWriter& out) {
  std::vector<std::uint64_t> numbers = numbers_of<T>(values);
  const std::uint64_t rows = numbers.size();
  const auto less = [](std::uint64_t a, std::uint64_t b) { return static_cast<T>(a) < static_cast<T>(b); };
  const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end(), less);
  const std::uint64_t base = *least;
  column.width = width_for(*most - base);
  for (std::uint64_t& number : numbers) number -= base;
  const bool narrow = column.width < sizeof(T);
  const Frames frames = smallest_frames(numbers);
  if (frames.bytes < rows * column.width + (narrow ? sizeof base : 0)) {
    put_packed(numbers, static_cast<std::int64_t>(base), frames, column, out);
    return true;
  }
  if (!narrow) return false;
  column.coding = format::RowsCoding::narrow;
  column.bytes = rows * column.width;
  out.put_numbers(rows, column.width, [&](std::uint64_t i) { return numbers[i]; });
  column.extra_at = out.begin_part();
  out.put(&base, sizeof base);
  column.extra_bytes = sizeof base;
  return true;
}

void put_fixed(const ColumnValues& values, format::RowsColumn& column, bool smallest, BlockWriter& out) {
  const bool narrow = visit_column(values.type, [&]<class T>(ColumnTag<T>) {
    if constexpr (std::is_integral_v<T>) {
      return smallest && !values.values.empty() && put_narrow<T>(values, column, out);
    }
    return false;
  });
  if (narrow) return;
  column.width = static_cast<std::uint8_t>(column_width(values.type));
  column.bytes = values.values.size();
  out.put(values.values.data(), values.values.size());
}

}  // namespace

std::vector<std::byte> encode_rows(RowKind kind, std::uint64_t first_row, std::uint64_t rows,
                                   std::span<const RowColumn> columns, bool smallest) {
  std::vector<std::byte> bytes;
  encode_rows(kind, first_row, rows, columns, smallest, bytes);
  return bytes;
}

void encode_rows(RowKind kind, std::uint64_t first_row, std::uint64_t rows, std::span<const RowColumn> columns,
                 bool smallest, std::vector<std::byte>& bytes) {
  std::vector<format::RowsColumn> records;
  BlockWriter out(sizeof(format::RowsHeader) + columns.size() * sizeof(format::RowsColumn), bytes);
  for (const RowColumn& each : columns) {
    const ColumnValues& values = *each.values;
    RIZOMA_CHECK(values.size() == rows && each.id > (records.empty() ? 0 : records.back().id));
    format::RowsColumn& column = records.emplace_back();
    column.id = each.id;
    column.type = static_cast<std::uint8_t>(values.type);
    column.nulls = std::find(values.valid.begin(), values.valid.end(), 0) != values.valid.end() ? 1 : 0;
    out.begin_part();
    if (column.nulls != 0) put_bitmap(values, out);
    column.at = out.size();
    column_width(values.type) == 0 ? put_variable(values, column, smallest, out)
                                   : put_fixed(values, column, smallest, out);
  }
  const bool keyed = !records.empty() && records.back().id == format::kVertexColumn;
  RIZOMA_CHECK(keyed == (kind == RowKind::vertices) && first_row <= UINT64_MAX - rows);
  out.begin_part();
  std::copy_n(std::as_bytes(std::span(records)).begin(), records.size() * sizeof(format::RowsColumn),
              bytes.begin() + sizeof(format::RowsHeader));
  format::RowsHeader header;
  header.table = static_cast<std::uint8_t>(kind);
  header.first_row = first_row;
  header.num_rows = rows;
  header.num_columns = static_cast<std::uint32_t>(columns.size());
  if (std::any_of(records.begin(), records.end(), is_packed)) header.version = format::kPackedVersion;
  header.bytes = bytes.size();
  header.payload_checksum =
      checksum(std::span<const std::byte>(bytes).subspan(sizeof header), format::kSeedRowsPayload);
  header.checksum = header_checksum(header);
  std::memcpy(bytes.data(), &header, sizeof header);
}

std::span<const std::byte> BlockColumn::bytes(std::uint64_t row) const noexcept {
  const std::byte* extra = block_ + column_.extra_at;
  const bool packs = column_.coding == format::RowsCoding::packed_dictionary;
  if (packs || column_.coding == format::RowsCoding::dictionary) {
    const std::uint64_t code = packs ? packed()[row] : unsigned_at(row);
    const auto count = load<std::uint64_t>(column_.extra_at);
    const std::uint64_t ends = column_.extra_at + 8;
    const std::uint64_t begin = code == 0 ? 0 : load<std::uint64_t>(ends + (code - 1) * 8);
    return {extra + 8 + count * 8 + begin, static_cast<std::size_t>(load<std::uint64_t>(ends + code * 8) - begin)};
  }
  const std::uint64_t begin = row == 0 ? 0 : unsigned_at(row - 1);
  return {extra + begin, static_cast<std::size_t>(unsigned_at(row) - begin)};
}

format::RowsColumn RowBlock::column_at(std::uint32_t i) const noexcept {
  format::RowsColumn column;
  std::memcpy(&column, bytes_.data() + sizeof(format::RowsHeader) + i * sizeof column, sizeof column);
  return column;
}

std::optional<BlockColumn> RowBlock::column(std::uint32_t id) const noexcept {
  for (std::uint32_t i = 0; i < header_.num_columns; ++i) {
    const format::RowsColumn column = column_at(i);
    if (column.id == id) return BlockColumn(bytes_.data(), column);
  }
  return std::nullopt;
}

Status RowBlock::fits(const std::vector<ColumnSchema>& columns, std::string_view where) const {
  for (std::uint32_t i = 0; i < header_.num_columns; ++i) {
    const format::RowsColumn column = column_at(i);
    if (column.id == format::kVertexColumn) continue;
    const bool known = std::any_of(columns.begin(), columns.end(), [&](const ColumnSchema& each) {
      return each.id == column.id && static_cast<std::uint8_t>(each.type) == column.type;
    });
    if (!known) return corrupt(where, "holds values of a column that the graph does not have");
  }
  return {};
}

namespace {

bool inside(std::uint64_t at, std::uint64_t bytes, std::uint64_t size) noexcept {
  return at <= size && bytes <= size - at;
}

/// Whether the ends of `count` values, as `end(i)`, ascend up to `most`.
template <class End>
bool ends_ok(std::uint64_t count, std::uint64_t most, End&& end) {
  std::uint64_t last = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t next = end(i);
    if (next < last || next > most) return false;
    last = next;
  }
  return true;
}

std::uint64_t number_at(std::span<const std::byte> bytes, std::uint64_t at, unsigned width) noexcept {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at, width);
  return value;
}

/// `code(row)`: into the dictionary in the extra part.
template <class Code>
bool dictionary_ok(const format::RowsColumn& column, std::uint64_t rows, std::span<const std::byte> bytes,
                   Code&& code) {
  if (column.extra_bytes < 8) return false;
  const std::uint64_t count = number_at(bytes, column.extra_at, 8);
  if (count > (column.extra_bytes - 8) / 8) return false;
  const std::uint64_t text = column.extra_bytes - 8 - count * 8;
  if (!ends_ok(count, text, [&](std::uint64_t i) { return number_at(bytes, column.extra_at + 8 + i * 8, 8); })) {
    return false;
  }
  for (std::uint64_t row = 0; row < rows; ++row) {
    if (code(row) >= count) return false;
  }
  return true;
}

/// A base, and a start for each frame that exists.
bool frames_ok(const format::RowsColumn& column, std::uint64_t rows, std::span<const std::byte> bytes) {
  format::RowsFrames frames;
  if (column.extra_bytes < sizeof frames) return false;
  std::memcpy(&frames, bytes.data() + column.extra_at, sizeof frames);
  if (frames.frame_bits > 63 || (frames.start_bytes != 4 && frames.start_bytes != 8)) return false;
  const std::uint64_t count = ((rows - 1) >> frames.frame_bits) + 1;
  const std::uint64_t starts = column.extra_bytes - sizeof frames;
  return starts / frames.start_bytes == count && starts % frames.start_bytes == 0;
}

/// Numbers packed into `width` bits each, in parts that are within the block.
bool packed_ok(const format::RowsColumn& column, std::uint64_t rows, std::span<const std::byte> bytes) {
  if (column.width < 1 || column.width > kMostPackedBits || rows == 0 || rows / 8 > column.bytes) return false;
  if (packed_bytes(rows, column.width) != column.bytes) return false;
  const bool fixed = column_width(static_cast<ColumnType>(column.type)) != 0;
  if (column.coding == format::RowsCoding::packed_dictionary) {
    const PackedBits codes(bytes.data() + column.at, column.width);
    return !fixed && dictionary_ok(column, rows, bytes, [&](std::uint64_t row) { return codes[row]; });
  }
  const bool whole =
      visit_column(static_cast<ColumnType>(column.type), []<class T>(ColumnTag<T>) { return std::is_integral_v<T>; });
  return column.coding == format::RowsCoding::packed && whole && frames_ok(column, rows, bytes);
}

/// Numbers of whole bytes, in parts that are within the block.
bool whole_bytes_ok(const format::RowsColumn& column, std::uint64_t rows, std::span<const std::byte> bytes) {
  const bool widths = column.width == 1 || column.width == 2 || column.width == 4 || column.width == 8;
  if (!widths || column.bytes / column.width != rows || column.bytes % column.width != 0) return false;
  const unsigned width = column_width(static_cast<ColumnType>(column.type));
  const auto number = [&](std::uint64_t row) { return number_at(bytes, column.at + row * column.width, column.width); };
  switch (column.coding) {
    case format::RowsCoding::plain:
      return width != 0 ? column.width == width : ends_ok(rows, column.extra_bytes, number);
    case format::RowsCoding::dictionary: return width == 0 && dictionary_ok(column, rows, bytes, number);
    case format::RowsCoding::narrow: return width > column.width && column.extra_bytes == 8;
    default: return false;
  }
}

}  // namespace

bool RowBlock::column_ok(const format::RowsColumn& column) const {
  if (!is_column_type(column.type) || column.nulls > 1) return false;
  if (!inside(column.at, column.bytes, bytes_.size()) || !inside(column.extra_at, column.extra_bytes, bytes_.size())) {
    return false;
  }
  const std::uint64_t bitmap = column.nulls == 0 ? 0 : (size() + 63) / 64 * 8;
  if (column.at < sizeof(format::RowsHeader) + bitmap) return false;
  if (!is_packed(column)) return whole_bytes_ok(column, size(), bytes_);
  return header_.version >= format::kPackedVersion && packed_ok(column, size(), bytes_);
}

Status RowBlock::check_columns(std::string_view where) const {
  const std::uint64_t records = (bytes_.size() - sizeof header_) / sizeof(format::RowsColumn);
  if (header_.num_columns > records) return corrupt(where, "has an impossible list of columns");
  std::uint64_t last = 0;
  for (std::uint32_t i = 0; i < header_.num_columns; ++i) {
    const format::RowsColumn column = column_at(i);
    if ((i > 0 && column.id <= last) || column.id == 0 || !column_ok(column)) {
      return corrupt(where, "has an impossible column");
    }
    last = column.id;
  }
  const bool keyed = last == format::kVertexColumn;
  const bool wanted = kind() == RowKind::vertices;
  if (keyed != wanted || (keyed && this->column(format::kVertexColumn)->type() != ColumnType::uint64)) {
    return corrupt(where, "does not say whose rows they are");
  }
  return {};
}

Result<RowBlock> RowBlock::open(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                                std::string_view where) {
  RowBlock block;
  format::RowsHeader& header = block.header_;
  if (bytes.size() < sizeof header) return corrupt(where, "is shorter than the header of rows");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != format::kRowsMagic) return corrupt(where, "does not hold rows");
  if (header.checksum != header_checksum(header)) return corrupt(where, "has a damaged header");
  if (header.version > format::kPackedVersion) return future_version(where, header.version);
  if (header.bytes != bytes.size() || header.table > 1 || header.first_row + header.num_rows < header.first_row) {
    return corrupt(where, "has impossible sizes");
  }
  if (header.payload_checksum != checksum(bytes.subspan(sizeof header), format::kSeedRowsPayload)) {
    return corrupt(where, "fails its checksum");
  }
  block.bytes_ = bytes;
  block.owner_ = std::move(owner);
  RIZOMA_TRY(block.check_columns(where));
  return block;
}

std::uint64_t rows_id(std::span<const std::byte> block) noexcept {
  std::uint64_t id = 0;
  if (block.size() < sizeof(format::RowsHeader)) return id;
  std::memcpy(&id, block.data() + offsetof(format::RowsHeader, checksum), sizeof id);
  return id;
}

}  // namespace rizoma
