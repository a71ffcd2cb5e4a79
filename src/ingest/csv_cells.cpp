#include "ingest/csv_cells.h"

#include "base/text.h"
#include "base/utf8.h"
#include "graph/fixed_values.h"
#include "ingest/column_text.h"
#include "ingest/date_text.h"
#include "ingest/document_text.h"
#include "ingest/id_kind.h"
#include "ingest/text_stream.h"

#include <rizoma/detail/column_types.h>
#include <rizoma/detail/interpret.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <type_traits>

namespace rizoma {
namespace {

constexpr std::size_t kTexts = 200;

/// A moment by the format that is asked for, and in ISO 8601 where no text can be both.
std::optional<IsoMoment> moment_of(std::string_view text, const CellFormat& format) {
  if (!format.date_format.empty()) {
    if (const auto moment = moment_in(text, format.date_format)) return IsoMoment{*moment};
    if (format.date_format.starts_with("%Y-")) return std::nullopt;
  }
  return iso_moment(text);
}

/// What values of a kind are called.
std::string name_of(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::boolean: return "true or false";
    case ColumnKind::integer: return "a whole number";
    case ColumnKind::real: return "a number";
    case ColumnKind::text: return "UTF-8";
    case ColumnKind::date: return "a date";
    case ColumnKind::timestamp: return "a date and time";
    case ColumnKind::list: return "a list of numbers such as [0.5, 1]";
    case ColumnKind::bytes: break;
  }
  return "a value";
}

std::string remedy_of_number(ColumnType type, std::string_view text, const CellFormat& format) {
  std::string buffer;
  const auto plain = plain_number(text, format.numbers, buffer);
  const auto number = plain ? number_in(*plain) : std::nullopt;
  if (number && !fits<double>(*plain, *number)) return std::string(kTooLarge);
  if (type == ColumnType::float32 && number) return "float64 would hold it";
  if (column_kind(type) == ColumnKind::integer && number) {
    std::int64_t whole = 0;  // 1.0 is a whole number, too, but is read as float64 alone
    const bool is_whole = plain->find_first_not_of("+-0123456789") == plain->npos && is_whole_number(*plain, whole);
    return is_whole ? "a type of more bits, or another sign, would hold it" : "float64 would hold it";
  }
  return number_remedy(text, format);
}

std::string remedy_of_time(ColumnType type, std::string_view text, const CellFormat& format) {
  if (const auto found = moment_of(text, format)) {
    if (column_kind(type) == ColumnKind::date) return "it has a time: timestamp[s] would hold it";
    if (found->moment.nanoseconds % (1'000'000'000 / units_per_second(type)) == 0) {
      return "it is not from 1677-09-21 to 2262-04-11, beyond which timestamp[us] holds it";
    }
    return "it has a smaller part of a second: timestamp[ns] would hold it";
  }
  const std::string options = date_options({text});
  return options.empty() ? options : options + " would read it";
}

}  // namespace

Result<CellFormat> CellFormat::of(const ReadOptions& options) {
  const NumberFormat numbers{options.decimal, options.thousands};
  RIZOMA_TRY(check_number_format(numbers));
  RIZOMA_TRY(check_date_format(options.date_format));
  return CellFormat{numbers, plain_date_format(options.date_format), options.null_text};
}

bool CellReader::weight(std::string_view text, double& value) {
  const std::optional<double> number = number_of(text, format_.numbers, buffer_);
  if (!number || !std::isfinite(*number)) return false;
  value = *number;
  return true;
}

template <class T>
bool CellReader::put_number(ColumnValues& column, std::string_view text) {
  if constexpr (std::is_floating_point_v<T>) {
    const auto plain = plain_number(text, format_.numbers, buffer_);
    const auto number = plain ? number_in(*plain) : std::nullopt;
    if (!number || !fits<T>(*plain, *number)) return false;
    push_fixed(column, static_cast<T>(*number));
    rounded_ = rounds_last(column, *plain);
  } else {
    auto plain = plain_number(text, format_.numbers, buffer_);
    if (!plain) return false;
    if (plain->size() > 1 && plain->front() == '+' && (*plain)[1] != '-') plain->remove_prefix(1);
    T value{};
    const char* const end = plain->data() + plain->size();
    const auto read = std::from_chars(plain->data(), end, value);
    if (read.ec != std::errc() || read.ptr != end) return false;
    push_fixed(column, value);
  }
  return true;
}

bool CellReader::put_time(ColumnValues& column, std::string_view text) {
  const auto found = moment_of(without_blanks(text), format_);
  if (!found) return false;
  zoned_ = found->zoned;
  const Moment& moment = found->moment;
  if (column_kind(column.type) == ColumnKind::date) {
    if (moment.nanoseconds != 0 || moment.seconds % kSecondsOfDay != 0) return false;
    push_fixed(column, static_cast<std::int32_t>(moment.seconds / kSecondsOfDay));
    return true;
  }
  const std::int64_t ticks = units_per_second(column.type), unit = 1'000'000'000 / ticks;
  std::int64_t value = 0;
  if (moment.nanoseconds % unit != 0 || __builtin_mul_overflow(moment.seconds, ticks, &value)) return false;
  if (__builtin_add_overflow(value, moment.nanoseconds / unit, &value)) return false;
  push_fixed(column, value);
  return true;
}

bool CellReader::put(ColumnValues& column, std::string_view text) {
  rounded_ = false;
  if (format_.is_null(text)) {
    column.push_null();
    return true;
  }
  const ColumnKind kind = column_kind(column.type);
  if (kind == ColumnKind::text || kind == ColumnKind::bytes) {
    if (kind == ColumnKind::text && !is_utf8(text)) return false;
    column.push(std::as_bytes(std::span(text)));
    return true;
  }
  if (format_.null_text && without_blanks(text) == *format_.null_text) {
    column.push_null();
    return true;
  }
  if (is_time(column.type)) return put_time(column, text);
  if (kind != ColumnKind::integer && kind != ColumnKind::real) {
    const bool taken = put_value(column, ValueKind::text, without_blanks(text));
    rounded_ = taken && rounds_last(column, text);
    return taken;
  }
  return visit_column(column.type, [&]<class T>(ColumnTag<T>) {
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
      return put_number<T>(column, text);
    } else {
      return false;
    }
  });
}

void cut_rows(ColumnValues& column, std::size_t rows) {
  if (column.size() <= rows) return;
  const unsigned width = column_width(column.type);
  if (width == 0) {
    column.ends.resize(rows);
    column.values.resize(rows == 0 ? 0 : column.ends.back());
  } else {
    column.values.resize(rows * width);
  }
  if (!column.valid.empty()) column.valid.resize(rows);
  if (!column.given.empty()) column.given.resize(rows);
}

std::string number_remedy(std::string_view text, const CellFormat& format) {
  std::string options = number_options({text});
  if (!options.empty()) return options + " would read it";
  const bool plain = number_in(text).has_value();
  if (plain && !format.numbers.is_plain()) {
    return "it has a point before its fraction, or separates other digits than thousands: decimal=\".\" without "
           "thousands= would "
           "read it";
  }
  return {};
}

std::string cell_error(const std::string& name, ColumnType type, std::string_view text, const CellFormat& format) {
  const std::string_view bare = without_blanks(text);
  const ColumnKind kind = column_kind(type);
  std::string said = shown(text) + " in column " + in_quotes(name) + " is not " + name_of(kind);
  if (kind == ColumnKind::text) {
    return "found bytes that are not UTF-8 in column " + in_quotes(name) + "; " + kSayEncoding;
  }
  said += " (" + std::string(column_type_name(type)) + ")";
  std::string remedy;
  if (is_time(type)) remedy = remedy_of_time(type, bare, format);
  if (kind == ColumnKind::real || kind == ColumnKind::integer) remedy = remedy_of_number(type, bare, format);
  if (!remedy.empty()) return said + ": " + remedy;
  if (kind == ColumnKind::boolean) said += ", which is written true, false, 1 or 0";
  if (is_time(type) && !format.date_format.empty()) said += " as date_format=\"" + format.date_format + "\" has it";
  return said + ": where it stands for no value say null=" + "\"" + std::string(bare.substr(0, 20)) +
         "\", for text keep the column as string";
}

Result<ColumnValues> column_from_texts(const KeptColumn& column, const StringColumn& texts, std::uint64_t first_row,
                                       const ReadOptions& options, LeftOut* left_out) {
  RIZOMA_ASSIGN(const CellFormat format, CellFormat::of(options));
  ColumnValues values{column.name, column.type, {}, {}, {}};
  CellReader reader(format);
  for (std::size_t row = 0; row < texts.size(); ++row) {
    if (reader.put(values, texts[row])) {
      if (left_out != nullptr && reader.was_rounded()) left_out->add_guess(rounding_guess(column.name, column.type));
      continue;
    }
    return Error{ErrorCode::parse, "row " + std::to_string(first_row + row) + ": " +
                                       cell_error(column.name, column.type, texts[row], format)};
  }
  return values;
}

void CellSample::add_time(std::string_view text) {
  const auto moment = moment_of(text, *format_);
  if (!moment || (zoned_ && *zoned_ != moment->zoned)) {
    kinds_ &= ~(kDay | kMoment);
    return;
  }
  zoned_ = moment->zoned;
  fractions_ = fractions_ || moment->moment.nanoseconds != 0;
  if (text.find(':') != text.npos || moment->moment.seconds % kSecondsOfDay != 0) kinds_ &= ~kDay;
}

void CellSample::add(std::string_view text) {
  if (format_->is_null(text)) return;
  some_ = true;
  const std::string_view bare = without_blanks(text);
  if (texts_.size() < kTexts) texts_.push_back(bare);
  if (allows(kBoolean)) {
    ColumnValues scratch{.name = {}, .type = ColumnType::boolean, .values = {}, .ends = {}, .valid = {}};
    if (bare == "0" || bare == "1" || !put_value(scratch, ValueKind::text, bare)) kinds_ &= ~kBoolean;
  }
  if (allows(kNumber)) {
    const auto plain = plain_number(bare, format_->numbers, buffer_);
    const auto number = plain ? number_in(*plain) : std::nullopt;
    if (!number) {
      kinds_ &= ~(kNumber | kInteger | kUnsigned);
    } else {
      zeros_ = zeros_ || has_leading_zero(*plain);
      const char* const end = plain->data() + plain->size();
      std::int64_t whole = 0;
      std::uint64_t positive = 0;
      if (std::from_chars(plain->data(), end, whole).ptr != end || !integer_in(*plain)) kinds_ &= ~kInteger;
      const auto read = std::from_chars(plain->data(), end, positive);
      if (read.ptr != end || read.ec != std::errc()) kinds_ &= ~kUnsigned;
    }
  }
  if (allows(kDay | kMoment)) add_time(bare);
}

FoundValues CellSample::found(std::string name) const {
  FoundValues values{.name = std::move(name), .type = ColumnType::string};
  if (!some_) {
    values.type.reset();
    values.all_null = true;
  } else if (allows(kBoolean)) {
    values.type = ColumnType::boolean;
  } else if (allows(kNumber)) {
    if (zeros_) {
      values.looks_like = "its numbers have leading zeros, which numbers would lose";
    } else {
      values.type = allows(kInteger) ? ColumnType::int64 : allows(kUnsigned) ? ColumnType::uint64 : ColumnType::float64;
    }
  } else if (allows(kDay) && !zoned_.value_or(false)) {
    values.type = ColumnType::date;
  } else if (allows(kMoment)) {
    values.type = fractions_ ? ColumnType::timestamp_ns : ColumnType::timestamp_s;
  } else if (const std::string numbers = number_options(texts_); !numbers.empty()) {
    values.looks_like = "it looks like numbers, which " + numbers + " would read";
  } else if (const std::string dates = date_options(texts_); !dates.empty()) {
    values.looks_like = "it looks like dates, which " + dates + " would read";
  }
  return values;
}

}  // namespace rizoma
