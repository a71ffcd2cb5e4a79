// Predicate: a condition over columns, such as `age >= 18 and lower(name) like 'a%'`.  Module: predicate.
//
// docs/guide/predicates.md has the language.  Logic has three values, as in SQL: a row is kept if the predicate is
// true, not if it is false or null.
// Cost: a few nanoseconds a row and operation.
#pragma once

#include <rizoma/columns.h>
#include <rizoma/result.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace rizoma {

/// A constant beside a column; of dates and times in units of the column.
using BoundValue = std::variant<std::int64_t, std::uint64_t, double, std::string>;

/// What must hold of one column, so that a scan may pass over what cannot be kept.
struct ColumnBound {
  enum class Test : std::uint8_t { equal, less, at_most, greater, at_least, one_of, not_null };
  std::size_t column = 0;  ///< its place among those that the predicate was read over
  Test test = Test::equal;
  std::vector<BoundValue> values;  ///< one; of one_of any number, of not_null none
};

/// Immutable and cheap to copy; any number of threads use one.
class Predicate {
 public:
  /// Reads a predicate over columns of these names and types.  Errors: parse, invalid_argument (a column), with the
  /// place.
  static Result<Predicate> parse(std::string_view text, const std::vector<ColumnSchema>& columns);

  /// Places of the columns that it reads, in the order of their first mention.
  [[nodiscard]] const std::vector<std::size_t>& columns() const noexcept;

  /// The conjuncts that compare one column with constants: all of them hold of each row of which the predicate is true.
  [[nodiscard]] std::vector<ColumnBound> bounds() const;

  /// Clears keep[i] unless it is true of row i.  `values`: of each of `columns()`, as many as `keep` has.
  /// Errors: invalid_argument (a result beyond 64 bits for a row that was kept; too few values).
  [[nodiscard]] Status test(std::span<const ColumnRun> values, std::span<std::uint8_t> keep) const;

  struct Impl;
  explicit Predicate(std::shared_ptr<const Impl> impl) noexcept : impl_(std::move(impl)) {}

 private:
  std::shared_ptr<const Impl> impl_;
};

}  // namespace rizoma
