// What an operation computed for the rows of a block.  Module: predicate.
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/columns.h>

#include "predicate/program.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace rizoma::predicate {

/// The state of one row: missing, present, or beyond its type, which is an error if a row of the whole is.
inline constexpr std::uint8_t kNull = 0;
inline constexpr std::uint8_t kValid = 1;
inline constexpr std::uint8_t kOverflow = 2;

/// Of an operation on two operands: the state of its result.
[[nodiscard]] constexpr std::uint8_t joined_state(std::uint8_t a, std::uint8_t b) noexcept {
  const auto over = static_cast<std::uint8_t>((a | b) & kOverflow);
  return over != 0 ? over : static_cast<std::uint8_t>(a & b);
}

/// Values of a block of rows, or one value for all of them.  Memory is kept from block to block.
class Values {
 public:
  std::size_t rows = 0;
  bool constant = false;   ///< one value stands for all rows, and `rows` is 1
  bool all_valid = true;   ///< the states are not looked at
  std::string bytes = {};  ///< of texts that were computed

  /// Room for this many values: bool as std::uint8_t.
  template <class T>
  [[nodiscard]] T* room(std::size_t count) {
    std::vector<T>& all = store<T>(*this);
    if (all.size() < count) all.resize(count);
    return all.data();
  }
  template <class T>
  [[nodiscard]] const T* data() const noexcept {
    return store<T>(*this).data();
  }
  template <class T>
  [[nodiscard]] const T& at(std::size_t row) const noexcept {
    return store<T>(*this)[constant ? 0 : row];
  }
  [[nodiscard]] std::uint8_t state(std::size_t row) const noexcept {
    return all_valid ? kValid : states_[constant ? 0 : row];
  }
  /// Of all rows, if not all are valid.
  [[nodiscard]] const std::uint8_t* states() const noexcept { return states_.data(); }
  /// States for `rows` rows, which are looked at from now on.
  [[nodiscard]] std::uint8_t* states() {
    all_valid = false;
    if (states_.size() < rows) states_.resize(rows);
    return states_.data();
  }
  void begin(std::size_t count, bool is_constant) {
    rows = count;
    constant = is_constant;
    all_valid = true;
  }
  /// States of a result of one operand.
  void take_states(const Values& operand);
  /// States of a result of two operands.
  void join_states(const Values& a, const Values& b);

 private:
  template <class T, class Self>
  [[nodiscard]] static auto& store(Self& self) noexcept {
    if constexpr (std::is_same_v<T, std::uint8_t>) return self.truths_;
    else if constexpr (std::is_same_v<T, std::int64_t>) return self.wholes_;
    else if constexpr (std::is_same_v<T, Wide>) return self.wides_;
    else if constexpr (std::is_same_v<T, double>) return self.numbers_;
    else return self.texts_;
  }

  std::vector<std::uint8_t> truths_;
  std::vector<std::int64_t> wholes_;
  std::vector<Wide> wides_;
  std::vector<double> numbers_;
  std::vector<std::string_view> texts_;
  std::vector<std::uint8_t> states_;
};

/// Calls f(T()) for the type that the values of a Type have; of null and of lists, nothing.
template <class F>
void visit_type(Type type, F&& f) {
  switch (type) {
    case Type::truth: return f(std::uint8_t{});
    case Type::whole: return f(std::int64_t{});
    case Type::wide:
    case Type::time: return f(Wide{});
    case Type::number: return f(double{});
    case Type::text: return f(std::string_view{});
    case Type::null:
    case Type::list: return;
  }
}

/// to[i] = f(a[i], b[i]) for all rows of `to`; either operand may be a constant.
template <class A, class B, class R, class F>
void for_each_row(const Values& a, const Values& b, Values& to, F f) {
  const A* const x = a.data<A>();
  const B* const y = b.data<B>();
  R* const result = to.room<R>(to.rows);
  if (b.constant) {
    const B second = y[0];
    for (std::size_t i = 0; i < to.rows; ++i) result[i] = f(x[i], second);
  } else if (a.constant) {
    const A first = x[0];
    for (std::size_t i = 0; i < to.rows; ++i) result[i] = f(first, y[i]);
  } else {
    for (std::size_t i = 0; i < to.rows; ++i) result[i] = f(x[i], y[i]);
  }
}

/// The same of one operand.
template <class A, class R, class F>
void for_each_row(const Values& a, Values& to, F f) {
  const A* const x = a.data<A>();
  R* const result = to.room<R>(to.rows);
  for (std::size_t i = 0; i < to.rows; ++i) result[i] = f(x[i]);
}

/// Puts `count` values of a run, from `begin` on, into `to`; with `units`, of a date or timestamp the numbers as they
/// lie.
void load_run(const ColumnRun& run, bool units, std::size_t begin, std::size_t count, Values& to);
/// The same of the values of rows, of which `first` is the run's first; all are in the run.
void load_rows(const ColumnRun& run, bool units, std::span<const std::uint64_t> rows, std::uint64_t first, Values& to);
/// The same of `count` values of a column of this type that are read one by one.
void load_scalars(ColumnType type, bool units, std::size_t count, FunctionRef<Scalar(std::size_t)> read, Values& to);
/// A constant of an operation.
void load_constant(const Constant& constant, Type type, Values& to);

}  // namespace rizoma::predicate
