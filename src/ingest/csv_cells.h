// Fields of CSV as values of columns, and the message for a field that is no such value.
#pragma once

#include <rizoma/columns.h>
#include <rizoma/ingest.h>

#include "ingest/number_text.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {

/// How fields are read, by the options.
struct CellFormat {
  NumberFormat numbers;
  std::string date_format;  ///< plain (see date_text.h); empty: ISO 8601
  std::optional<std::string> null_text;

  /// Errors: invalid_argument.
  static Result<CellFormat> of(const ReadOptions& options);

  /// True of a field that has no value.
  [[nodiscard]] bool is_null(std::string_view text) const { return text.empty() || (null_text && text == *null_text); }
};

/// Appends fields to columns.  One object for each thread.
class CellReader {
 public:
  explicit CellReader(const CellFormat& format) : format_(format) {}

  /// Appends a value, or a null; false, and nothing is appended, if the text is no value of the column's type.
  [[nodiscard]] bool put(ColumnValues& column, std::string_view text);

  /// Whether the last moment added had a zone.
  [[nodiscard]] bool was_zoned() const noexcept { return zoned_; }

  /// Whether the last value added is a whole number that its type rounds.
  [[nodiscard]] bool was_rounded() const noexcept { return rounded_; }

  /// A finite number; false if the text is none.
  [[nodiscard]] bool weight(std::string_view text, double& value);

 private:
  template <class T>
  bool put_number(ColumnValues& column, std::string_view text);
  bool put_time(ColumnValues& column, std::string_view text);

  const CellFormat& format_;
  std::string buffer_;
  bool zoned_ = false;
  bool rounded_ = false;
};

/// Removes the rows of a column from `rows` on.
void cut_rows(ColumnValues& column, std::size_t rows);

/// Why a field is no value of the type, and what would make it one: `'x' in column 'n' is not a number (float64): ...`.
[[nodiscard]] std::string cell_error(const std::string& name, ColumnType type, std::string_view text,
                                     const CellFormat& format);

/// The options that would read it as a number; empty: it is none in any known format.
[[nodiscard]] std::string number_remedy(std::string_view text, const CellFormat& format);

/// What the fields of a column are, by a sample.
class CellSample {
 public:
  explicit CellSample(const CellFormat& format) : format_(&format) {}

  void add(std::string_view text);

  /// Whether the first moment has a zone; nullopt: there is none.
  [[nodiscard]] std::optional<bool> zoned() const noexcept { return zoned_; }

  /// The type that holds all of them; nullopt, and `all_null`, if there is no value.
  [[nodiscard]] FoundValues found(std::string name) const;

 private:
  [[nodiscard]] bool allows(unsigned kind) const noexcept { return (kinds_ & kind) != 0; }
  void add_time(std::string_view text);

  static constexpr unsigned kBoolean = 1, kInteger = 2, kUnsigned = 4, kNumber = 8, kDay = 16, kMoment = 32;

  const CellFormat* format_;
  unsigned kinds_ = ~0U;
  bool some_ = false, zeros_ = false, fractions_ = false;
  std::optional<bool> zoned_;
  std::vector<std::string_view> texts_;  ///< examples of what the column looks like
  std::string buffer_;
};

}  // namespace rizoma
