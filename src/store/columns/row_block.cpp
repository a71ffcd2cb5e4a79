#include "store/columns/row_block.h"

#include "base/check.h"
#include "base/checksum.h"
#include "store/messages.h"

#include <algorithm>
#include <string>
#include <unordered_map>

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

/// Appends parts to a block, each at a multiple of 8.
class BlockWriter {
 public:
  explicit BlockWriter(std::size_t begin) : bytes_(begin) {}

  std::uint64_t begin_part() {
    bytes_.resize(align8(bytes_.size()));
    return bytes_.size();
  }
  void put(const void* data, std::size_t bytes) {
    const auto* begin = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), begin, begin + bytes);
  }
  void put_number(std::uint64_t value, unsigned width) { put(&value, width); }  // little-endian
  [[nodiscard]] std::uint64_t size() const noexcept { return bytes_.size(); }
  [[nodiscard]] std::vector<std::byte>& bytes() noexcept { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

void put_bitmap(const ColumnValues& values, BlockWriter& out) {
  std::vector<std::uint64_t> words((values.valid.size() + 63) / 64);
  for (std::size_t row = 0; row < values.valid.size(); ++row) {
    if (values.valid[row] != 0) words[row / 64] |= std::uint64_t{1} << (row % 64);
  }
  out.put(words.data(), words.size() * sizeof(std::uint64_t));
}

/// Values of variable width as codes of their different values; false if that is not smaller.
bool put_dictionary(const ColumnValues& values, format::RowsColumn& column, BlockWriter& out) {
  std::unordered_map<std::string_view, std::uint64_t> codes;
  std::vector<std::uint64_t> rows, ends;
  std::string text;
  const std::size_t plain = values.values.size() + values.size() * width_for(values.values.size());
  for (std::size_t row = 0; row < values.size(); ++row) {
    const auto bytes = values.bytes(row);
    const std::string_view value(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const auto [found, added] = codes.emplace(value, codes.size());
    rows.push_back(found->second);
    if (!added) continue;
    text += value;
    ends.push_back(text.size());
    if (text.size() + ends.size() * 8 + values.size() >= plain) return false;
  }
  column.width = width_for(codes.empty() ? 0 : codes.size() - 1);
  if (text.size() + ends.size() * 8 + values.size() * column.width >= plain) return false;
  column.coding = format::RowsCoding::dictionary;
  column.bytes = values.size() * column.width;
  for (const std::uint64_t code : rows) out.put_number(code, column.width);
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
  for (const std::uint64_t end : values.ends) out.put_number(end, column.width);
  column.extra_at = out.begin_part();
  out.put(values.values.data(), values.values.size());
  column.extra_bytes = values.values.size();
}

/// Integers as differences from the least; false if that is not smaller.
template <class T>
bool put_narrow(const ColumnValues& values, format::RowsColumn& column, BlockWriter& out) {
  const std::size_t rows = values.values.size() / sizeof(T);
  const auto at = [&](std::size_t row) {
    T value;
    std::memcpy(&value, values.values.data() + row * sizeof(T), sizeof value);
    return value;
  };
  T least = at(0), most = at(0);
  for (std::size_t row = 1; row < rows; ++row) {
    least = std::min(least, at(row));
    most = std::max(most, at(row));
  }
  const auto base = static_cast<std::int64_t>(least);
  column.width = width_for(static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least));
  if (column.width >= sizeof(T)) return false;
  column.coding = format::RowsCoding::narrow;
  column.bytes = rows * column.width;
  for (std::size_t row = 0; row < rows; ++row) {
    out.put_number(static_cast<std::uint64_t>(at(row)) - static_cast<std::uint64_t>(least), column.width);
  }
  column.extra_at = out.begin_part();
  out.put(&base, sizeof base);
  column.extra_bytes = sizeof base;
  return true;
}

void put_fixed(const ColumnValues& values, format::RowsColumn& column, bool smallest, BlockWriter& out) {
  const bool narrow = visit_column(values.type, [&]<class T>(ColumnTag<T>) {
    if constexpr (std::is_integral_v<T> && sizeof(T) > 1) {
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
  std::vector<format::RowsColumn> records;
  BlockWriter out(sizeof(format::RowsHeader) + columns.size() * sizeof(format::RowsColumn));
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
  std::vector<std::byte>& bytes = out.bytes();
  std::copy_n(std::as_bytes(std::span(records)).begin(), records.size() * sizeof(format::RowsColumn),
              bytes.begin() + sizeof(format::RowsHeader));
  format::RowsHeader header;
  header.table = static_cast<std::uint8_t>(kind);
  header.first_row = first_row;
  header.num_rows = rows;
  header.num_columns = static_cast<std::uint32_t>(columns.size());
  header.bytes = bytes.size();
  header.payload_checksum =
      checksum(std::span<const std::byte>(bytes).subspan(sizeof header), format::kSeedRowsPayload);
  header.checksum = header_checksum(header);
  std::memcpy(bytes.data(), &header, sizeof header);
  return std::move(bytes);
}

std::span<const std::byte> BlockColumn::bytes(std::uint64_t row) const noexcept {
  const std::byte* extra = block_ + column_.extra_at;
  if (column_.coding == format::RowsCoding::dictionary) {
    const std::uint64_t code = unsigned_at(row);
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

bool dictionary_ok(const format::RowsColumn& column, std::uint64_t rows, std::span<const std::byte> bytes) {
  if (column.extra_bytes < 8) return false;
  const std::uint64_t count = number_at(bytes, column.extra_at, 8);
  if (count > (column.extra_bytes - 8) / 8) return false;
  const std::uint64_t text = column.extra_bytes - 8 - count * 8;
  if (!ends_ok(count, text, [&](std::uint64_t i) { return number_at(bytes, column.extra_at + 8 + i * 8, 8); })) {
    return false;
  }
  for (std::uint64_t row = 0; row < rows; ++row) {
    if (number_at(bytes, column.at + row * column.width, column.width) >= count) return false;
  }
  return true;
}

bool column_ok(const format::RowsColumn& column, std::uint64_t rows, std::span<const std::byte> bytes) {
  const bool widths = column.width == 1 || column.width == 2 || column.width == 4 || column.width == 8;
  if (!is_column_type(column.type) || !widths || column.nulls > 1) return false;
  if (!inside(column.at, column.bytes, bytes.size()) || column.bytes / column.width != rows) return false;
  if (column.bytes % column.width != 0 || !inside(column.extra_at, column.extra_bytes, bytes.size())) return false;
  const std::uint64_t bitmap = column.nulls == 0 ? 0 : (rows + 63) / 64 * 8;
  if (column.at < sizeof(format::RowsHeader) + bitmap) return false;
  const unsigned width = column_width(static_cast<ColumnType>(column.type));
  switch (column.coding) {
    case format::RowsCoding::plain:
      if (width != 0) return column.width == width;
      return ends_ok(rows, column.extra_bytes,
                     [&](std::uint64_t row) { return number_at(bytes, column.at + row * column.width, column.width); });
    case format::RowsCoding::dictionary: return width == 0 && dictionary_ok(column, rows, bytes);
    case format::RowsCoding::narrow: return width > column.width && column.extra_bytes == 8;
  }
  return false;
}

}  // namespace

Status RowBlock::check_columns(std::string_view where) const {
  const std::uint64_t records = (bytes_.size() - sizeof header_) / sizeof(format::RowsColumn);
  if (header_.num_columns > records) return corrupt(where, "has a list of columns that cannot be");
  std::uint64_t last = 0;
  for (std::uint32_t i = 0; i < header_.num_columns; ++i) {
    const format::RowsColumn column = column_at(i);
    if ((i > 0 && column.id <= last) || column.id == 0 || !column_ok(column, size(), bytes_)) {
      return corrupt(where, "has a column that cannot be");
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
  if (header.version > 1) return future_version(where, header.version);
  if (header.bytes != bytes.size() || header.table > 1 || header.first_row + header.num_rows < header.first_row) {
    return corrupt(where, "has sizes that cannot be");
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
