#include <rizoma/columns.h>

#include "base/text.h"
#include "base/utf8.h"

#include <rizoma/detail/column_types.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <set>

namespace rizoma {
namespace {

constexpr bool has_all_in_order() {
  for (unsigned i = 0; i < kColumnTypes.size(); ++i) {
    if (static_cast<unsigned>(kColumnTypes[i].type) != i + 1) return false;
  }
  return is_column_type(kColumnTypes.size()) && !is_column_type(kColumnTypes.size() + 1);
}
static_assert(has_all_in_order(), "column_traits finds a row by the type's number");

Error refused(const std::string& message) { return Error{ErrorCode::invalid_argument, message}; }

/// Whether all values of a column with ascending ends are UTF-8, and no bytes of rows without a value are not.
bool are_texts(const ColumnValues& values) {
  const std::string_view all(reinterpret_cast<const char*>(values.values.data()), values.values.size());
  if (is_ascii(all)) return true;
  return is_utf8(all) && std::none_of(values.ends.begin(), values.ends.end(),
                                      [&](std::uint64_t end) { return end < all.size() && continues_utf8(all[end]); });
}

Status check_values(const ColumnValues& values, std::size_t rows) {
  const unsigned width = column_width(values.type);
  const bool fits = width != 0 ? values.values.size() == rows * width : values.ends.size() == rows;
  const auto one_each = [rows](const std::vector<std::uint8_t>& flags) {
    return flags.empty() || flags.size() == rows;
  };
  if (!fits || !one_each(values.valid) || !one_each(values.given)) {
    return refused("column " + in_quotes(values.name) + " does not have " + std::to_string(rows) + " rows");
  }
  for (std::size_t row = 0; row < values.given.size(); ++row) {
    if (values.is_given(row) || !values.is_valid(row)) continue;
    return refused("column " + in_quotes(values.name) + ", row " + std::to_string(row) +
                   ": has a value that is marked as not given");
  }
  if (width == 0) {
    std::uint64_t end = 0;
    for (const std::uint64_t next : values.ends) {
      if (next < end || next > values.values.size())
        return refused("column " + in_quotes(values.name) + " has ends that decrease or lie beyond its bytes");
      end = next;
    }
  }
  if (column_kind(values.type) == ColumnKind::text && !are_texts(values)) {
    for (std::size_t row = 0; row < rows; ++row) {
      if (!values.is_valid(row)) continue;
      const auto bytes = values.bytes(row);
      if (is_utf8({reinterpret_cast<const char*>(bytes.data()), bytes.size()})) continue;
      return refused("column " + in_quotes(values.name) + ", row " + std::to_string(row) +
                     ": the value is not UTF-8 text; convert it, or make the column binary");
    }
  }
  return {};
}

}  // namespace

std::string_view column_kind_name(ColumnKind kind) noexcept {
  switch (kind) {
    case ColumnKind::boolean: return "boolean";
    case ColumnKind::integer: return "integer";
    case ColumnKind::real: return "real";
    case ColumnKind::text: return "text";
    case ColumnKind::bytes: return "bytes";
    case ColumnKind::date: return "date";
    case ColumnKind::timestamp: return "timestamp";
    case ColumnKind::list: break;
  }
  return "list";
}

std::string_view column_type_name(ColumnType type) noexcept {
  return is_column_type(static_cast<unsigned>(type)) ? column_traits(type).name : "?";
}

Result<ColumnType> parse_column_type(std::string_view name) {
  const auto* found =
      std::find_if(kColumnTypes.begin(), kColumnTypes.end(), [&](const auto& each) { return each.name == name; });
  if (found != kColumnTypes.end()) return found->type;
  std::string known;
  for (const ColumnTraits& each : kColumnTypes) known += (known.empty() ? "" : ", ") + std::string(each.name);
  return refused(in_quotes(name) + " is not a type of a column; there are " + known);
}

const ColumnSchema* find_column(const std::vector<ColumnSchema>& columns, std::string_view name) noexcept {
  const auto found =
      std::find_if(columns.begin(), columns.end(), [&](const ColumnSchema& column) { return column.name == name; });
  return found == columns.end() ? nullptr : &*found;
}

std::size_t ColumnValues::size() const {
  const unsigned width = column_width(type);
  return width == 0 ? ends.size() : values.size() / width;
}

void ColumnValues::push(std::span<const std::byte> value) {
  if (!valid.empty()) valid.push_back(1);
  if (!given.empty()) given.push_back(1);
  values.insert(values.end(), value.begin(), value.end());
  if (column_width(type) == 0) ends.push_back(values.size());
}

void ColumnValues::push_null() {
  if (valid.empty()) valid.assign(size(), 1);
  valid.push_back(0);
  if (!given.empty()) given.push_back(1);
  const unsigned width = column_width(type);
  values.resize(values.size() + width);
  if (width == 0) ends.push_back(values.size());
}

void ColumnValues::push_absent() {
  if (given.empty()) given.assign(size(), 1);
  push_null();
  given.resize(size(), 1);
  given.back() = 0;
}

void ColumnValues::push_row(const ColumnValues& from, std::size_t row) {
  if (!from.is_given(row)) return push_absent();
  if (!from.is_valid(row)) return push_null();
  const unsigned width = column_width(type);
  push(width == 0 ? from.bytes(row) : std::span(from.values).subspan(row * width, width));
}

const ColumnValues* ColumnTable::find(std::string_view name) const noexcept {
  const auto found =
      std::find_if(columns.begin(), columns.end(), [&](const ColumnValues& column) { return column.name == name; });
  return found == columns.end() ? nullptr : &*found;
}

Status append_columns(ColumnTable& table, std::size_t before, ColumnTable&& more) {
  for (ColumnValues& values : more.columns) {
    auto found =
        std::find_if(table.columns.begin(), table.columns.end(), [&](const auto& c) { return c.name == values.name; });
    if (found == table.columns.end()) {
      if (before == 0) {
        table.columns.push_back(std::move(values));
        continue;
      }
      table.columns.push_back({values.name, values.type, {}, {}, {}});
      found = std::prev(table.columns.end());
    }
    if (found->type != values.type) return refused("column " + in_quotes(values.name) + " has two types");
    while (found->size() < before) found->push_absent();
    const std::size_t rows = values.size();
    for (std::size_t row = 0; row < rows; ++row) found->push_row(values, row);
  }
  return {};
}

void pad_columns(ColumnTable& table, std::size_t rows) {
  for (ColumnValues& column : table.columns) {
    while (column.size() < rows) column.push_absent();
  }
}

ColumnTable take_rows(const ColumnTable& table, std::span<const std::uint64_t> rows) {
  ColumnTable taken;
  for (const ColumnValues& column : table.columns) {
    ColumnValues& values = taken.columns.emplace_back(ColumnValues{column.name, column.type, {}, {}, {}});
    values.values.reserve(rows.size() * column_width(column.type));
    for (const std::uint64_t row : rows) values.push_row(column, row);
  }
  return taken;
}

Status check_table(const ColumnTable& table, std::size_t rows, const std::vector<ColumnSchema>& columns,
                   std::string_view whose) {
  std::set<std::string_view> seen;
  for (const ColumnValues& values : table.columns) {
    const ColumnSchema* column = find_column(columns, values.name);
    if (column == nullptr) {
      return refused("the " + std::string(whose) + " of this graph have no column " + in_quotes(values.name) +
                     "; add it with add_column, or leave it out");
    }
    if (!seen.insert(values.name).second) return refused("column " + in_quotes(values.name) + " is given twice");
    if (values.type != column->type) {
      return refused("column " + in_quotes(values.name) + " is " + std::string(column_type_name(column->type)) +
                     " in this graph, not " + std::string(column_type_name(values.type)));
    }
    RIZOMA_TRY(check_values(values, rows));
    for (std::size_t row = 0; !column->nullable && row < values.valid.size(); ++row) {
      if (values.is_valid(row) || !values.is_given(row)) continue;
      return refused("column " + in_quotes(values.name) + " may not be null, but row " + std::to_string(row) + " is");
    }
  }
  return {};
}

std::string_view parallel_rule_name(ParallelRule rule) noexcept {
  constexpr std::array<std::string_view, 5> kRules = {"last", "first", "sum", "min", "max"};
  return kRules[static_cast<std::size_t>(rule)];
}

Status check_parallel_rule(const ColumnSchema& column) {
  const ColumnType type = column.type;
  const bool has_order = column_width(type) != 0;
  const bool is_number = column_kind(type) == ColumnKind::integer || column_kind(type) == ColumnKind::real;
  if (column.parallel == ParallelRule::last || column.parallel == ParallelRule::first) return {};
  if (column.parallel == ParallelRule::sum ? is_number : has_order) return {};
  const std::string forms = has_order ? "\"min\", \"max\", \"first\" or \"last\"" : "\"first\" or \"last\"";
  const std::string name = in_quotes(column.name);
  return refused("parallel edges have no " + std::string(parallel_rule_name(column.parallel)) + " of the column " +
                 name + " (" + std::string(column_type_name(type)) + "); name a rule for each column, " + name +
                 " taking " + forms);
}

Status check_columns_of_schema(const std::vector<ColumnSchema>& columns, std::span<const std::string_view> taken,
                               std::string_view whose) {
  std::set<std::string_view> names(taken.begin(), taken.end());
  for (const ColumnSchema& column : columns) {
    if (column.name.empty() || column.name.size() > 1000) {
      return refused("a column of the " + std::string(whose) + " needs a name of 1 to 1000 bytes");
    }
    if (!is_utf8(column.name)) return refused("the name of a column of the " + std::string(whose) + " is not UTF-8");
    if (!is_column_type(static_cast<unsigned>(column.type))) return refused("a column has an unknown type");
    if (!names.insert(column.name).second) {
      const bool is_taken = std::find(taken.begin(), taken.end(), column.name) != taken.end();
      return refused("the " + std::string(whose) + " cannot have a column " + in_quotes(column.name) +
                     (is_taken ? "; ids, ends and weights are called so: choose another name"
                               : "; there is already one of this name"));
    }
  }
  return {};
}

}  // namespace rizoma
