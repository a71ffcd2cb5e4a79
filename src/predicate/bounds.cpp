#include "predicate/bounds.h"

#include "predicate/times.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace rizoma::predicate {
namespace {

using Test = ColumnBound::Test;

std::optional<Test> test_of(Operation operation) {
  switch (operation) {
    case Operation::equal: return Test::equal;
    case Operation::less: return Test::less;
    case Operation::at_most: return Test::at_most;
    case Operation::greater: return Test::greater;
    case Operation::at_least: return Test::at_least;
    default: return std::nullopt;
  }
}

/// The same comparison with its sides exchanged.
Test turned(Test test) {
  switch (test) {
    case Test::less: return Test::greater;
    case Test::at_most: return Test::at_least;
    case Test::greater: return Test::less;
    case Test::at_least: return Test::at_most;
    default: return test;
  }
}

/// A whole number; nothing if 64 bits do not hold it.
std::optional<BoundValue> value_of(Wide whole) {
  if (whole > Wide{std::numeric_limits<std::int64_t>::max()}) {
    if (whole > Wide{std::numeric_limits<std::uint64_t>::max()}) return std::nullopt;
    return BoundValue(static_cast<std::uint64_t>(whole));
  }
  if (whole < Wide{std::numeric_limits<std::int64_t>::min()}) return std::nullopt;
  return BoundValue(static_cast<std::int64_t>(whole));
}
std::optional<BoundValue> value_of(std::int64_t whole) { return BoundValue(whole); }
std::optional<BoundValue> value_of(double number) { return BoundValue(number); }
std::optional<BoundValue> value_of(const std::string& text) { return BoundValue(text); }
std::optional<BoundValue> value_of(std::monostate) { return std::nullopt; }
std::optional<BoundValue> value_of(bool) { return std::nullopt; }

/// Reads one conjunct.
class Reader {
 public:
  explicit Reader(const Program& conjunct) : conjunct_(conjunct) {}

  [[nodiscard]] std::optional<ColumnBound> read() const {
    const Node& root = conjunct_.root();
    if (root.operation == Operation::one_of) return members(root);
    if (root.operation == Operation::negate) return not_null(operand(root, 0));
    const std::optional<Test> test = test_of(root.operation);
    if (!test) return std::nullopt;
    const Node &left = operand(root, 0), &right = operand(root, 1);
    return reads_column(left) ? compared(left, *test, right) : compared(right, turned(*test), left);
  }

 private:
  [[nodiscard]] const Node& operand(const Node& node, std::size_t i) const { return conjunct_.nodes[node.operands[i]]; }
  [[nodiscard]] static bool reads_column(const Node& node) {
    return node.operation == Operation::column || node.operation == Operation::units;
  }
  [[nodiscard]] const Slot& slot(const Node& node) const { return conjunct_.slots[node.slot]; }

  [[nodiscard]] std::optional<ColumnBound> compared(const Node& column, Test test, const Node& constant) const {
    const bool of_times = column.type == Type::time;  // beside nanoseconds: only where these are its units
    if (!reads_column(column) || constant.operation != Operation::constant || of_times) return std::nullopt;
    auto value = std::visit([](const auto& held) { return value_of(held); }, constant.constant);
    if (!value) return std::nullopt;
    return ColumnBound{slot(column).column, test, {*std::move(value)}};
  }

  [[nodiscard]] std::optional<ColumnBound> not_null(const Node& tested) const {
    if (tested.operation != Operation::is_null || !reads_column(operand(tested, 0))) return std::nullopt;
    return ColumnBound{slot(operand(tested, 0)).column, Test::not_null, {}};
  }

  [[nodiscard]] std::optional<ColumnBound> members(const Node& root) const {
    const Node& column = operand(root, 0);
    if (!reads_column(column)) return std::nullopt;
    const Wide unit = column.type == Type::time ? nanoseconds_per_unit(slot(column).type) : Wide{1};
    ColumnBound bound{slot(column).column, Test::one_of, {}};
    const auto add_all = [&]<class List>(const List& list) {
      if constexpr (std::is_same_v<List, std::monostate>) {
        return false;
      } else {
        return std::all_of(list.begin(), list.end(), [&](const auto& member) { return add(member, unit, bound); });
      }
    };
    if (!std::visit(add_all, root.members)) return std::nullopt;
    return bound;
  }

  /// A moment between two units of the column is none of its values.
  static bool add(Wide member, Wide unit, ColumnBound& bound) {
    if (member % unit != 0) return true;
    auto value = value_of(member / unit);
    if (!value) return false;
    bound.values.push_back(*std::move(value));
    return true;
  }
  template <class Member>
  static bool add(const Member& member, Wide, ColumnBound& bound) {
    bound.values.push_back(*value_of(member));
    return true;
  }

  const Program& conjunct_;
};

}  // namespace

std::vector<ColumnBound> bounds_of(const Program& program) {
  std::vector<ColumnBound> bounds;
  for (const Program& conjunct : conjuncts_of(program)) {
    if (auto bound = Reader(conjunct).read()) bounds.push_back(*std::move(bound));
  }
  return bounds;
}

}  // namespace rizoma::predicate
