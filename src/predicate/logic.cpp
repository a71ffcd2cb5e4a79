#include "predicate/operations.h"

#include <algorithm>
#include <array>

namespace rizoma::predicate {
namespace {

/// A truth and its state as one number: null, false, true or overflow.
constexpr unsigned kCodes = 4;
constexpr unsigned kCodeNull = 0;
constexpr unsigned kCodeFalse = 1;
constexpr unsigned kCodeTrue = 2;
constexpr unsigned kCodeOverflow = 3;

unsigned code_of(std::uint8_t state, std::uint8_t truth) {
  if (state == kOverflow) return kCodeOverflow;
  return state == kNull ? kCodeNull : kCodeFalse + truth;
}

/// Kleene's `and` or `or`, in which an overflow is a second unknown that outweighs null.
constexpr unsigned joined(bool decisive, unsigned a, unsigned b) {
  const unsigned decides = decisive ? kCodeTrue : kCodeFalse;
  if (a == decides || b == decides) return decides;
  if (a == kCodeOverflow || b == kCodeOverflow) return kCodeOverflow;
  if (a == kCodeNull || b == kCodeNull) return kCodeNull;
  return decisive ? kCodeFalse : kCodeTrue;
}

constexpr std::array<std::uint8_t, kCodes * kCodes> table_of(bool decisive) {
  std::array<std::uint8_t, kCodes * kCodes> table{};
  for (unsigned a = 0; a < kCodes; ++a) {
    for (unsigned b = 0; b < kCodes; ++b) table[a * kCodes + b] = static_cast<std::uint8_t>(joined(decisive, a, b));
  }
  return table;
}

constexpr std::array kJoined{table_of(false), table_of(true)};

void expand(Values& values, std::size_t rows) {
  const std::uint8_t truth = values.at<std::uint8_t>(0);
  const std::uint8_t state = values.state(0);
  const bool all_valid = values.all_valid;
  values.begin(rows, false);
  std::fill_n(values.room<std::uint8_t>(rows), rows, truth);
  if (!all_valid) std::fill_n(values.states(), rows, state);
}

template <class F>
void join_valid(const Values& operand, Values& to, F f) {
  std::uint8_t* const truths = to.room<std::uint8_t>(to.rows);
  const std::uint8_t* const others = operand.data<std::uint8_t>();
  if (operand.constant) {
    for (std::size_t i = 0; i < to.rows; ++i) truths[i] = static_cast<std::uint8_t>(f(truths[i], others[0]));
  } else {
    for (std::size_t i = 0; i < to.rows; ++i) truths[i] = static_cast<std::uint8_t>(f(truths[i], others[i]));
  }
}

}  // namespace

void join_truths(bool decisive, const Values& operand, Values& to) {
  if (to.constant && !operand.constant) expand(to, operand.rows);
  if (to.all_valid && operand.all_valid) {
    return decisive ? join_valid(operand, to, [](unsigned x, unsigned y) { return x | y; })
                    : join_valid(operand, to, [](unsigned x, unsigned y) { return x & y; });
  }
  std::uint8_t* const truths = to.room<std::uint8_t>(to.rows);
  if (to.all_valid) std::fill_n(to.states(), to.rows, kValid);
  std::uint8_t* const states = to.states();
  for (std::size_t i = 0; i < to.rows; ++i) {
    const unsigned mine = code_of(states[i], truths[i]);
    const unsigned other = code_of(operand.state(i), operand.at<std::uint8_t>(i));
    const unsigned code = kJoined[decisive ? 1 : 0][mine * kCodes + other];
    truths[i] = code == kCodeTrue ? 1 : 0;
    states[i] = code == kCodeOverflow ? kOverflow : code == kCodeNull ? kNull : kValid;
  }
}

bool is_decided(bool decisive, const Values& result) {
  if (result.all_valid) {
    const std::uint8_t* const truths = result.data<std::uint8_t>();
    return std::find(truths, truths + result.rows, decisive ? 0 : 1) == truths + result.rows;
  }
  for (std::size_t i = 0; i < result.rows; ++i) {
    if (result.state(i) != kValid || (result.data<std::uint8_t>()[i] != 0) != decisive) return false;
  }
  return true;
}

void negate_truths(const Values& a, Values& to) {
  for_each_row<std::uint8_t, std::uint8_t>(a, to, [](std::uint8_t x) { return static_cast<std::uint8_t>(x ^ 1U); });
  to.take_states(a);
}

void test_null(const Values& a, Values& to) {
  std::uint8_t* const truths = to.room<std::uint8_t>(to.rows);
  std::fill_n(truths, to.rows, std::uint8_t{0});
  if (a.all_valid) return;
  std::uint8_t* const states = to.states();
  for (std::size_t i = 0; i < to.rows; ++i) {
    truths[i] = a.state(i) == kNull ? 1 : 0;
    states[i] = a.state(i) == kOverflow ? kOverflow : kValid;
  }
}

bool has_nulls(const Values& values) {
  if (values.all_valid) return false;
  for (std::size_t i = 0; i < values.rows; ++i) {
    if (values.state(i) == kNull) return true;
  }
  return false;
}

void fill_nulls(Type type, const Values& operand, Values& to) {
  visit_type(type, [&]<class T>(T) {
    if (to.constant && !operand.constant) {
      const T value = to.at<T>(0);
      const std::uint8_t state = to.state(0);
      to.begin(operand.rows, false);
      std::fill_n(to.room<T>(to.rows), to.rows, value);
      std::fill_n(to.states(), to.rows, state);
    }
    if (to.all_valid) return;
    T* const values = to.room<T>(to.rows);
    std::uint8_t* const states = to.states();
    for (std::size_t i = 0; i < to.rows; ++i) {
      if (states[i] != kNull) continue;
      values[i] = operand.at<T>(i);
      states[i] = operand.state(i);
    }
  });
}

}  // namespace rizoma::predicate
