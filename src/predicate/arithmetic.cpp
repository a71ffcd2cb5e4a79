#include "predicate/operations.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rizoma::predicate {
namespace {

constexpr Wide kLeastWide = std::numeric_limits<std::int64_t>::min();
constexpr Wide kGreatestWide = std::numeric_limits<std::uint64_t>::max();

bool is_beyond(std::int64_t) { return false; }
bool is_beyond(Wide value) { return value < kLeastWide || value > kGreatestWide; }

/// A whole number and its state.
template <class T>
std::uint8_t calculate_one(Operation operation, T x, T y, T& result) {
  bool over = false;
  result = T{};
  switch (operation) {
    case Operation::modulo:
      if (y == 0) return kNull;
      result = y == -1 ? T{0} : static_cast<T>(x % y);
      return kValid;
    case Operation::add: over = __builtin_add_overflow(x, y, &result); break;
    case Operation::subtract: over = __builtin_sub_overflow(x, y, &result); break;
    default: over = __builtin_mul_overflow(x, y, &result); break;
  }
  return over || is_beyond(result) ? kOverflow : kValid;
}

/// Results that may be missing for values that exist.
template <class T, class F>
void calculate_each(const Values& a, const Values& b, Values& to, F f) {
  T* const result = to.room<T>(to.rows);
  std::uint8_t* const states = to.states();
  if (a.all_valid && b.all_valid) {
    const std::size_t step_a = a.constant ? 0 : 1;
    const std::size_t step_b = b.constant ? 0 : 1;
    const T* x = a.data<T>();
    const T* y = b.data<T>();
    unsigned all = kValid;
    for (std::size_t i = 0; i < to.rows; ++i, x += step_a, y += step_b) {
      states[i] = f(*x, *y, result[i]);
      all = states[i] == kValid ? all : kNull;
    }
    to.all_valid = all == kValid;
    return;
  }
  for (std::size_t i = 0; i < to.rows; ++i) {
    result[i] = T{};
    const std::uint8_t given = joined_state(a.state(i), b.state(i));
    states[i] = given == kValid ? f(a.at<T>(i), b.at<T>(i), result[i]) : given;
  }
}

template <Operation kOperation, class T>
void calculate_by(const Values& a, const Values& b, Values& to) {
  calculate_each<T>(a, b, to, [](T x, T y, T& result) { return calculate_one<T>(kOperation, x, y, result); });
}

template <class T>
void calculate_whole(Operation operation, const Values& a, const Values& b, Values& to) {
  switch (operation) {
    case Operation::add: return calculate_by<Operation::add, T>(a, b, to);
    case Operation::subtract: return calculate_by<Operation::subtract, T>(a, b, to);
    case Operation::multiply: return calculate_by<Operation::multiply, T>(a, b, to);
    default: return calculate_by<Operation::modulo, T>(a, b, to);
  }
}

void calculate_numbers(Operation operation, const Values& a, const Values& b, Values& to) {
  switch (operation) {
    case Operation::add:
      for_each_row<double, double, double>(a, b, to, [](double x, double y) { return x + y; });
      return to.join_states(a, b);
    case Operation::subtract:
      for_each_row<double, double, double>(a, b, to, [](double x, double y) { return x - y; });
      return to.join_states(a, b);
    case Operation::multiply:
      for_each_row<double, double, double>(a, b, to, [](double x, double y) { return x * y; });
      return to.join_states(a, b);
    default: break;
  }
  calculate_each<double>(a, b, to, [operation](double x, double y, double& result) {
    result = 0;
    if (y == 0) return kNull;
    result = operation == Operation::divide ? x / y : std::fmod(x, y);
    return kValid;
  });
}

/// Of -x, for a sign that was reversed.
bool is_turned_beyond(std::int64_t x, bool turns) { return turns && x == std::numeric_limits<std::int64_t>::min(); }
bool is_turned_beyond(Wide x, bool turns) { return turns && is_beyond(-x); }

template <class T>
void convert_whole(Operation operation, const Values& a, Values& to) {
  if (operation == Operation::to_number) {
    for_each_row<T, double>(a, to, [](T x) { return static_cast<double>(x); });
    return to.take_states(a);
  }
  if (operation == Operation::to_wide) {
    for_each_row<T, Wide>(a, to, [](T x) { return Wide{x}; });
    return to.take_states(a);
  }
  const bool turns_all = operation == Operation::minus;
  T* const result = to.room<T>(to.rows);
  bool beyond = false;
  for (std::size_t i = 0; i < to.rows; ++i) {
    const T x = a.data<T>()[i];
    const bool turns = turns_all || x < 0;
    result[i] = turns ? static_cast<T>(Wide{0} - x) : x;
    beyond = beyond || is_turned_beyond(x, turns);
  }
  to.take_states(a);
  if (!beyond) return;
  if (to.all_valid) std::fill_n(to.states(), to.rows, kValid);
  std::uint8_t* const states = to.states();
  for (std::size_t i = 0; i < to.rows; ++i) {
    const T x = a.data<T>()[i];
    if (states[i] == kValid && is_turned_beyond(x, turns_all || x < 0)) states[i] = kOverflow;
  }
}

}  // namespace

void calculate(Operation operation, Type type, const Values& a, const Values& b, Values& to) {
  if (type == Type::number) return calculate_numbers(operation, a, b, to);
  if (type == Type::wide) calculate_whole<Wide>(operation, a, b, to);
  else calculate_whole<std::int64_t>(operation, a, b, to);
}

void convert(Operation operation, Type type, const Values& a, Values& to) {
  if (type == Type::wide) return convert_whole<Wide>(operation, a, to);
  if (type == Type::whole) return convert_whole<std::int64_t>(operation, a, to);
  if (operation == Operation::minus) for_each_row<double, double>(a, to, [](double x) { return -x; });
  else for_each_row<double, double>(a, to, [](double x) { return std::fabs(x); });
  to.take_states(a);
}

}  // namespace rizoma::predicate
