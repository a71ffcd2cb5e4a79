#include "query/plan/edge_filter.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <type_traits>

namespace rizoma::query {
namespace {

/// `5 < x` is `x > 5`.
Operation turned(Operation operation) {
  switch (operation) {
    case Operation::less: return Operation::greater;
    case Operation::at_most: return Operation::at_least;
    case Operation::greater: return Operation::less;
    case Operation::at_least: return Operation::at_most;
    default: return operation;
  }
}

bool is_comparison(Operation operation) {
  switch (operation) {
    case Operation::equal:
    case Operation::unequal:
    case Operation::less:
    case Operation::at_most:
    case Operation::greater:
    case Operation::at_least: return true;
    default: return false;
  }
}

template <class T, class Wide, class Holds>
void keep_numbers(const ColumnRun& run, Wide constant, std::span<std::uint8_t> keep, Holds holds) {
  for (std::size_t i = 0; i < keep.size(); ++i) {
    T value;
    std::memcpy(&value, run.values + i * sizeof value, sizeof value);
    keep[i] &= static_cast<std::uint8_t>(holds(static_cast<Wide>(value), constant));
  }
  if (run.valid == nullptr) return;
  for (std::size_t i = 0; i < keep.size(); ++i) keep[i] &= static_cast<std::uint8_t>(run.valid[i] != 0);
}

template <class T, class Wide>
void compare_numbers(Operation operation, const ColumnRun& run, Wide constant, std::span<std::uint8_t> keep) {
  switch (operation) {
    case Operation::equal: return keep_numbers<T>(run, constant, keep, [](Wide a, Wide b) { return a == b; });
    case Operation::unequal: return keep_numbers<T>(run, constant, keep, [](Wide a, Wide b) { return a != b; });
    case Operation::less: return keep_numbers<T>(run, constant, keep, [](Wide a, Wide b) { return a < b; });
    case Operation::at_most: return keep_numbers<T>(run, constant, keep, [](Wide a, Wide b) { return a <= b; });
    case Operation::greater: return keep_numbers<T>(run, constant, keep, [](Wide a, Wide b) { return a > b; });
    default: return keep_numbers<T>(run, constant, keep, [](Wide a, Wide b) { return a >= b; });
  }
}

std::string_view text_in(const ColumnRun& run, std::size_t i) {
  const std::uint64_t begin = i == 0 ? run.start : run.ends[i - 1];
  return {reinterpret_cast<const char*>(run.values) + begin, static_cast<std::size_t>(run.ends[i] - begin)};
}

}  // namespace

EdgeFilter::EdgeFilter(std::span<const Condition> conditions, const MatchColumns& columns) : columns_(columns) {
  for (const Condition& condition : conditions) add(condition);
}

void EdgeFilter::add(const Condition& condition) {
  if (!add_number(condition) && !add_text(condition)) others_.push_back(&condition);
}

bool EdgeFilter::add_number(const Condition& condition) {
  if (!is_comparison(condition.operation)) return false;
  const bool first = condition.operands[0].operation == Operation::edge_column;
  const Condition& column = condition.operands[first ? 0 : 1];
  const Condition& other = condition.operands[first ? 1 : 0];
  if (column.operation != Operation::edge_column || column.kind != Kind::number) return false;
  if (other.operation != Operation::constant) return false;
  const MatchValue constant = value_of(other.constant);
  if (!std::holds_alternative<std::int64_t>(constant) && !std::holds_alternative<double>(constant)) return false;
  const Operation operation = first ? condition.operation : turned(condition.operation);
  numbers_.push_back({operation, column.column, constant, &condition});
  return true;
}

bool EdgeFilter::add_text(const Condition& condition) {
  if (condition.operation != Operation::one_of && condition.operation != Operation::equal) return false;
  const Condition& column = condition.operands[0];
  if (column.operation != Operation::edge_column || column.kind != Kind::text) return false;
  TextTest test{column.column, {}, &condition};
  for (std::size_t i = 1; i < condition.operands.size(); ++i) {
    const Condition& operand = condition.operands[i];
    const auto* const text = std::get_if<std::string>(&operand.constant);
    if (operand.operation != Operation::constant || text == nullptr) return false;
    test.texts.emplace_back(*text);
  }
  texts_.push_back(std::move(test));
  return true;
}

bool EdgeFilter::applies(const NumberTest& test, const ColumnRun& run, std::span<std::uint8_t> keep) {
  return visit_column(run.type, [&]<class T>(ColumnTag<T>) {
    // Great uint64 have no wider type to be compared in.
    if constexpr (!std::is_arithmetic_v<T> || std::is_same_v<T, bool> || std::is_same_v<T, std::uint64_t>) {
      return false;
    } else {
      const auto* const whole = std::get_if<std::int64_t>(&test.constant);
      if (std::is_integral_v<T> && whole != nullptr) {
        compare_numbers<T, std::int64_t>(test.operation, run, *whole, keep);
      } else {
        const double number = whole != nullptr ? static_cast<double>(*whole) : std::get<double>(test.constant);
        compare_numbers<T, double>(test.operation, run, number, keep);
      }
      return true;
    }
  });
}

bool EdgeFilter::applies(const TextTest& test, const ColumnRun& run, std::span<std::uint8_t> keep) {
  if (run.ends == nullptr) return false;
  for (std::size_t i = 0; i < keep.size(); ++i) {
    const bool is_null = run.valid != nullptr && run.valid[i] == 0;
    const bool is_one =
        !is_null && std::find(test.texts.begin(), test.texts.end(), text_in(run, i)) != test.texts.end();
    keep[i] &= static_cast<std::uint8_t>(is_one);
  }
  return true;
}

template <class Test>
void EdgeFilter::run_test(const Test& test, VertexId source, EdgeCount begin, std::span<std::uint8_t> keep) {
  while (!keep.empty()) {
    const ColumnRun run = columns_.run_of_edges(test.column, {source, begin});
    const std::size_t size = std::min(run.size, keep.size());
    if (size == 0 || !applies(test, run, keep.first(size))) return run_each(*test.whole, source, begin, keep);
    begin += size;
    keep = keep.subspan(size);
  }
}

void EdgeFilter::run_each(const Condition& condition, VertexId source, EdgeCount begin, std::span<std::uint8_t> keep) {
  std::array<EdgeEntry, 1> entry{EdgeEntry{source, begin}};
  const Bindings bindings{{}, entry, columns_};
  for (std::uint8_t& kept : keep) {
    if (kept != 0) kept = static_cast<std::uint8_t>(holds(condition, bindings));
    ++entry[0].place;
  }
}

void EdgeFilter::run(VertexId source, EdgeCount begin, std::span<std::uint8_t> keep) {
  std::fill(keep.begin(), keep.end(), std::uint8_t{1});
  for (const NumberTest& test : numbers_) run_test(test, source, begin, keep);
  for (const TextTest& test : texts_) run_test(test, source, begin, keep);
  for (const Condition* other : others_) run_each(*other, source, begin, keep);
}

}  // namespace rizoma::query
