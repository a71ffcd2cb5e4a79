#include "predicate/operations.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <type_traits>

namespace rizoma::predicate {
namespace {

/// Below 0, 0 or above it as the whole number is below, equal to or above the other, exactly; NaN beside a NaN.
double exact_order(Wide whole, double number) {
  constexpr Wide kExact = Wide{1} << 53;
  constexpr double kFar = 0x1p65;  // beyond all whole numbers
  if (whole >= -kExact && whole <= kExact) return static_cast<double>(static_cast<std::int64_t>(whole)) - number;
  if (std::isnan(number)) return number;
  if (number >= kFar) return -1;
  if (number <= -kFar) return 1;
  const double floor = std::floor(number);
  const auto bound = static_cast<Wide>(floor);
  if (whole != bound) return whole < bound ? -1 : 1;
  return number > floor ? -1 : 0;
}

template <class A, class B, class Compare>
void compare_by(const Values& a, const Values& b, Values& to, Compare holds) {
  for_each_row<A, B, std::uint8_t>(a, b, to, [holds](const A& x, const B& y) {
    if constexpr (std::is_same_v<A, B>) return static_cast<std::uint8_t>(holds(x, y));
    else return static_cast<std::uint8_t>(holds(exact_order(x, y), 0.0));
  });
}

template <class A, class B>
void compare_as(Operation operation, const Values& a, const Values& b, Values& to) {
  switch (operation) {
    case Operation::equal: return compare_by<A, B>(a, b, to, [](const auto& x, const auto& y) { return x == y; });
    case Operation::unequal: return compare_by<A, B>(a, b, to, [](const auto& x, const auto& y) { return x != y; });
    case Operation::less: return compare_by<A, B>(a, b, to, [](const auto& x, const auto& y) { return x < y; });
    case Operation::at_most: return compare_by<A, B>(a, b, to, [](const auto& x, const auto& y) { return x <= y; });
    case Operation::greater: return compare_by<A, B>(a, b, to, [](const auto& x, const auto& y) { return x > y; });
    default: return compare_by<A, B>(a, b, to, [](const auto& x, const auto& y) { return x >= y; });
  }
}

template <class T, class Member>
void find_members(const std::vector<Member>& members, const Values& a, Values& to) {
  constexpr std::size_t kFew = 8;
  if (members.size() <= kFew) {
    for_each_row<T, std::uint8_t>(a, to, [&](const T& value) {
      return static_cast<std::uint8_t>(
          std::any_of(members.begin(), members.end(), [&](const Member& member) { return value == member; }));
    });
  } else {
    for_each_row<T, std::uint8_t>(a, to, [&](const T& value) {
      return static_cast<std::uint8_t>(std::binary_search(members.begin(), members.end(), value, std::less<>()));
    });
  }
}

}  // namespace

void compare(Operation operation, Type left, Type right, const Values& a, const Values& b, Values& to) {
  if (left == Type::wide && right == Type::number) compare_as<Wide, double>(operation, a, b, to);
  else visit_type(left, [&]<class T>(T) { compare_as<T, T>(operation, a, b, to); });
  to.join_states(a, b);
}

void test_members(const Members& members, const Values& a, Values& to) {
  std::visit(
      [&]<class List>(const List& list) {
        if constexpr (std::is_same_v<List, std::vector<std::string>>) find_members<std::string_view>(list, a, to);
        else if constexpr (!std::is_same_v<List, std::monostate>) find_members<typename List::value_type>(list, a, to);
      },
      members);
  to.take_states(a);
}

}  // namespace rizoma::predicate
