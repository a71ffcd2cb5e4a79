#include "ingest/csv_rows.h"

namespace rizoma {
namespace {

bool is_of_numbers(char c) noexcept {
  return (c >= '0' && c <= '9') || std::string_view("-+.: T").find(c) != std::string_view::npos;
}

PlainKind kind_of_values(ColumnType type, const CsvRole& role, const CellFormat& format) {
  const bool plain_numbers = format.numbers.is_plain();
  const bool plain_times = format.date_format.empty() && !role.zoned.value_or(false);
  switch (column_kind(type)) {
    case ColumnKind::integer: return plain_numbers ? PlainKind::integer : PlainKind::none;
    case ColumnKind::real: return plain_numbers ? PlainKind::real : PlainKind::none;
    case ColumnKind::date: return plain_times ? PlainKind::date : PlainKind::none;
    case ColumnKind::timestamp: return plain_times ? PlainKind::timestamp : PlainKind::none;
    case ColumnKind::text: return PlainKind::text;
    case ColumnKind::boolean:
    case ColumnKind::bytes:
    case ColumnKind::list: break;
  }
  return PlainKind::none;
}

}  // namespace

PlainKind plain_kind(const CsvRole& role, std::optional<ColumnType> values, bool text_ids, const CellFormat& format,
                     CsvDialect dialect) {
  const bool kept = role.kept != CsvRole::kNone;
  const int uses = int{role.source} + int{role.target} + int{role.weight} + int{role.direction} + int{kept};
  if (uses != 1 || role.direction || dialect.delimiter == dialect.quote) return PlainKind::none;
  PlainKind kind = PlainKind::weight;
  if (role.source || role.target) kind = role.source ? PlainKind::source : PlainKind::target;
  if (role.weight && !format.numbers.is_plain()) return PlainKind::none;
  if (kept) kind = kind_of_values(*values, role, format);
  // What looks like a number must not be the text that stands for no value, and end where a field ends.
  const bool is_text = kind == PlainKind::text || (text_ids && (role.source || role.target));
  if (is_text) return format.null_text ? PlainKind::none : kind;
  if (is_of_numbers(dialect.delimiter) || is_of_numbers(dialect.quote)) return PlainKind::none;
  return format.null_text && !format.null_text->empty() && is_of_numbers(format.null_text->front()) ? PlainKind::none
                                                                                                    : kind;
}

}  // namespace rizoma
