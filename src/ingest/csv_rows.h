// The rows of a piece of CSV on their way into a batch: what each column of the file is for, and the fields of the most
// frequent form, which are read where they stand.
//
// Which reader a column has is decided once (PlainKind), not field by field.  A reader takes a field only if those of
// every form (csv_cells.h, and CsvParser for ids) would give the same value; it leaves the others to them.
#pragma once

#include <rizoma/detail/column_types.h>
#include <rizoma/ingest.h>

#include "base/utf8.h"
#include "ingest/byte_search.h"
#include "ingest/cell_column.h"
#include "ingest/csv_cells.h"
#include "ingest/csv_fields.h"
#include "ingest/plain_fields.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

namespace rizoma {

/// How fields of a column are read where they stand.
enum class PlainKind : std::uint8_t { none, source, target, weight, integer, real, date, timestamp, text };

/// The columns of a row that are read, and their use.
struct CsvRole {
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  bool source = false, target = false, weight = false, direction = false;
  std::size_t kept = kNone;     ///< for each kept column, its place
  std::optional<bool> zoned{};  ///< of moments: whether they have a zone in the first rows
  PlainKind plain = PlainKind::none;

  [[nodiscard]] bool is_end_or_weight() const noexcept { return source || target || weight; }
  [[nodiscard]] bool is_read() const noexcept { return is_end_or_weight() || direction || kept != kNone; }
};

/// How the fields of a column may be read where they stand; `values`: of a kept one, its type.
[[nodiscard]] PlainKind plain_kind(const CsvRole& role, std::optional<ColumnType> values, bool text_ids,
                                   const CellFormat& format, CsvDialect dialect);

/// The rows of a chunk.  Ids: IntegerIdColumn or TextIdColumn.
template <class Ids>
struct CsvRows {
  Ids sources, targets;
  std::vector<double> weights;
  std::vector<CellColumn> columns;
  CellReader cells;
  std::size_t size = 0;  ///< rows that are whole
  bool both_ways = false;

  /// For this many lines, in the memory of `spare`.
  CsvRows(const CellFormat& format, const std::vector<KeptColumn>& kept, std::size_t lines, EdgeBatch spare)
      : sources(lines, std::move(spare.sources)),
        targets(lines, std::move(spare.targets)),
        weights(std::move(spare.weights)),
        cells(format) {
    weights.clear();
    std::vector<ColumnValues>& values = spare.columns.columns;
    values.resize(kept.size());
    for (std::size_t i = 0; i < kept.size(); ++i)
      columns.emplace_back(kept[i].name, kept[i].type, lines, std::move(values[i]));
  }

  /// Adds the last row in the other direction, too, unless it is a loop.
  void add_reverse() {
    if (sources.back() == targets.back()) return;
    const auto source = sources.copy_of_back(), target = targets.copy_of_back();
    sources.push(target);
    targets.push(source);
    if (!weights.empty()) weights.push_back(weights.back());
    for (CellColumn& column : columns) column.repeat_last();
    ++size;
  }

  void rollback() {
    sources.cut(size);
    targets.cut(size);
    if (weights.size() > size) weights.resize(size);
    for (CellColumn& column : columns) column.cut(size);
  }
};

/// Reads fields of the most frequent form into rows.
template <class Ids>
class PlainFields {
 public:
  PlainFields(CsvRows<Ids>& rows, CsvDialect dialect) : rows_(rows), dialect_(dialect) {}

  /// Appends the value of the field at p and returns its end; nullptr, and nothing is appended: another reads it.
  [[nodiscard]] const char* take(const CsvRole& role, const char* p) {
    switch (role.plain) {
      case PlainKind::none: return nullptr;
      case PlainKind::source: return take_id(p, rows_.sources);
      case PlainKind::target: return take_id(p, rows_.targets);
      case PlainKind::weight: return take_weight(p);
      case PlainKind::integer: return take_integer(p, rows_.columns[role.kept]);
      case PlainKind::real: return take_real(p, rows_.columns[role.kept]);
      case PlainKind::date: return take_date(p, rows_.columns[role.kept]);
      case PlainKind::timestamp: return take_timestamp(p, rows_.columns[role.kept]);
      case PlainKind::text: return take_text(p, rows_.columns[role.kept]);
    }
    return nullptr;
  }

 private:
  [[nodiscard]] bool ends_field(const char* p) const noexcept { return *p == dialect_.delimiter || at_line_end(p); }

  /// The end of the field at p, if `read` takes all of it as a value; else nullptr.
  template <class T>
  const char* whole_field(const char* (*read)(const char*, T&), const char* p, T& value) const {
    const char* const end = read(p, value);
    return end != nullptr && ends_field(end) ? end : nullptr;
  }

  const char* take_id(const char* p, IntegerIdColumn& ids) const {
    std::int64_t id = 0;
    const char* const end = whole_field(plain_integer, p, id);
    if (end == nullptr) return nullptr;
    const char* const digits = p + (*p == '-' ? 1 : 0);
    if (*digits == '0' && end - digits > 1) return nullptr;
    ids.push(id);
    return end;
  }

  const char* take_id(const char* p, TextIdColumn& ids) const {
    std::string_view text;
    bool plain = false;
    const char* const end = find_text(p, text, plain);
    if (end == nullptr || text.empty() || !plain) return nullptr;
    ids.push_padded(text);
    return end;
  }

  const char* take_weight(const char* p) const {
    double value = 0;
    const char* const end = whole_field(plain_real, p, value);
    if (end == nullptr) return nullptr;
    rows_.weights.push_back(value);
    return end;
  }

  const char* take_integer(const char* p, CellColumn& column) const {
    std::int64_t value = 0;
    const char* const end = whole_field(plain_integer, p, value);
    if (end == nullptr) return nullptr;
    const bool fits = visit_column(column.type(), [&]<class T>(ColumnTag<T>) {
      if constexpr (std::is_integral_v<T>) {
        if (!std::in_range<integer_of<T>>(value)) return false;
        column.push(static_cast<T>(value));
        return true;
      }
      return false;
    });
    return fits ? end : nullptr;
  }

  const char* take_real(const char* p, CellColumn& column) const {
    double value = 0;
    const char* const end = whole_field(plain_real, p, value);
    if (end == nullptr) return nullptr;
    if (column.type() == ColumnType::float32) {
      column.push(static_cast<float>(value));
      if (rounds_to_single(value)) [[unlikely]]
        column.note_rounded();
    } else {
      column.push(value);
    }
    return end;
  }

  const char* take_date(const char* p, CellColumn& column) const {
    std::int64_t days = 0;
    const char* const end = whole_field(plain_date, p, days);
    if (end == nullptr) return nullptr;
    column.push(static_cast<std::int32_t>(days));
    return end;
  }

  const char* take_timestamp(const char* p, CellColumn& column) const {
    std::int64_t seconds = 0;
    const char* const end = whole_field(plain_timestamp, p, seconds);
    if (end == nullptr) return nullptr;
    if (__builtin_mul_overflow(seconds, units_per_second(column.type()), &seconds)) return nullptr;
    column.push(seconds);
    return end;
  }

  const char* take_text(const char* p, CellColumn& column) const {
    std::string_view text;
    bool plain = false;
    const char* const end = find_text(p, text, plain);
    if (end == nullptr || (!plain && !is_utf8(text))) return nullptr;
    text.empty() ? column.push_null() : column.push_padded(text);
    return end;
  }

  /// The end of the field at p, whose text may be in quotes; nullptr: quotes within it, or a line end.
  const char* find_text(const char* p, std::string_view& text, bool& plain) const {
    if (dialect_.quote != 0 && *p == dialect_.quote) {
      const FoundByte found = find_either(p + 1, dialect_.quote, '\n');
      text = {p + 1, found.at};
      plain = found.plain;
      return *found.at == dialect_.quote && ends_field(found.at + 1) ? found.at + 1 : nullptr;
    }
    const FoundByte found = find_either(p, dialect_.delimiter, '\n');
    const char* const end = found.at - (*found.at == '\n' && found.at != p && found.at[-1] == '\r' ? 1 : 0);
    text = {p, end};
    plain = found.plain;
    return end;
  }

  template <class T>
  using integer_of = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

  CsvRows<Ids>& rows_;
  CsvDialect dialect_;
};

}  // namespace rizoma
