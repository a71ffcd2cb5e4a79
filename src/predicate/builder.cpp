#include "predicate/builder.h"

#include "predicate/text_functions.h"
#include "predicate/times.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace rizoma::predicate {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kGreatest = std::numeric_limits<std::int64_t>::max();

bool is_numeric(Type type) { return type == Type::whole || type == Type::wide || type == Type::number; }

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

bool reads_as_number(const std::string& text) {
  double number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() && std::isfinite(number);
}

bool is_exact_double(Wide value) {
  constexpr Wide kExact = Wide{1} << 53;
  return (value >= -kExact && value <= kExact) || static_cast<Wide>(static_cast<double>(value)) == value;
}

/// The largest whole number that is not above a double, far ones cut off.
Wide floor_of(double value) {
  constexpr double kFar = 0x1p100;
  return static_cast<Wide>(std::floor(std::clamp(value, -kFar, kFar)));
}

template <class T>
void sort_members(std::vector<T>& members) {
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
}

}  // namespace

Error Builder::error(std::size_t place, std::string_view what) const { return syntax_error(text_, place, what); }

bool Builder::is_text_constant(NodeId id) const noexcept {
  return is_constant(id) && std::holds_alternative<std::string>(node(id).constant);
}

bool Builder::is_null_constant(NodeId id) const noexcept {
  return is_constant(id) && std::holds_alternative<std::monostate>(node(id).constant);
}

bool Builder::is_float32(NodeId id) const noexcept {
  return node(id).operation == Operation::column && program_.slots[node(id).slot].type == ColumnType::float32;
}

Builder::NodeId Builder::add(Node made) {
  program_.nodes.push_back(std::move(made));
  return static_cast<NodeId>(program_.nodes.size() - 1);
}

Builder::NodeId Builder::add(Operation operation, Type type, std::vector<NodeId> operands, std::size_t place) {
  return add(Node{.operation = operation, .type = type, .operands = std::move(operands), .place = place});
}

Builder::NodeId Builder::add_constant(Type type, Constant value, std::size_t place) {
  return add(Node{.operation = Operation::constant, .type = type, .constant = std::move(value), .place = place});
}

Builder::NodeId Builder::constant(const Literal& literal, std::size_t place) {
  return std::visit(
      [&]<class T>(const T& value) {
        if constexpr (std::is_same_v<T, std::monostate>) return add_constant(Type::null, value, place);
        else if constexpr (std::is_same_v<T, bool>) return add_constant(Type::truth, value, place);
        else if constexpr (std::is_same_v<T, std::int64_t>) return add_constant(Type::whole, value, place);
        else if constexpr (std::is_same_v<T, std::uint64_t>) return add_constant(Type::wide, Wide{value}, place);
        else if constexpr (std::is_same_v<T, double>) return add_constant(Type::number, value, place);
        else if constexpr (std::is_same_v<T, TimeValue>) return add_constant(Type::time, nanoseconds_of(value), place);
        else return add_constant(Type::text, value, place);
      },
      literal);
}

Builder::NodeId Builder::column(const Slot& slot, std::size_t place) {
  const auto known = std::find(program_.slots.begin(), program_.slots.end(), slot);
  const auto number = static_cast<std::uint32_t>(known - program_.slots.begin());
  if (known != program_.slots.end()) return column_nodes_[number];
  program_.slots.push_back(slot);
  column_nodes_.push_back(
      add(Node{.operation = Operation::column, .type = type_of(slot.type), .slot = number, .place = place}));
  return column_nodes_.back();
}

Builder::Made Builder::as_time(NodeId text) {
  const std::string& written = std::get<std::string>(node(text).constant);
  const std::optional<Wide> moment = nanoseconds_of(written);
  if (!moment) {
    return error(node(text).place, "'" + written +
                                       "' is not a date or time; write one as '2026-01-31', '2026-01-31 12:30:00' or "
                                       "'2026-01-31 12:30:00+02:00'");
  }
  return add_constant(Type::time, *moment, node(text).place);
}

Builder::NodeId Builder::as_number(NodeId operand) {
  const Node& given = node(operand);
  if (given.type == Type::number) return operand;
  if (const auto* const whole = std::get_if<std::int64_t>(&given.constant)) {
    return add_constant(Type::number, static_cast<double>(*whole), given.place);
  }
  if (const auto* const wide = std::get_if<Wide>(&given.constant)) {
    return add_constant(Type::number, static_cast<double>(*wide), given.place);
  }
  const std::size_t place = given.place;
  return add(Operation::to_number, Type::number, {operand}, place);
}

Builder::NodeId Builder::as_wide(NodeId operand) {
  const Node& given = node(operand);
  if (given.type != Type::whole) return operand;
  const std::size_t place = given.place;
  if (const auto* const whole = std::get_if<std::int64_t>(&given.constant)) {
    return add_constant(Type::wide, Wide{*whole}, place);
  }
  return add(Operation::to_wide, Type::wide, {operand}, place);
}

Builder::Made Builder::expect(NodeId operand, Type wanted) {
  const Type found = type(operand);
  if (found == Type::null) return null_of(wanted, node(operand).place);
  if (found == wanted || (wanted == Type::number && is_numeric(found))) return operand;
  if (wanted == Type::time && is_text_constant(operand)) return as_time(operand);
  std::string what = "expected " + name_of(wanted) + " here, not " + name_of(found);
  if (wanted == Type::number && found == Type::time) what += "; epoch(..) is its seconds since 1970";
  if (wanted == Type::number && is_text_constant(operand)) what += "; a number has no quotes";
  if (wanted == Type::text && is_constant(operand)) what += "; text is written in quotes";
  else if (wanted == Type::text && is_numeric(found)) what += "; numbers are compared by = < and >";
  if (wanted == Type::truth && !is_constant(operand)) what += "; compare it, as in x > 1";
  return error(node(operand).place, what);
}

Builder::Made Builder::joined(Operation operation, std::vector<NodeId> operands, std::size_t place) {
  for (NodeId& operand : operands) {
    RIZOMA_ASSIGN(operand, expect(operand, Type::truth));
  }
  return add(operation, Type::truth, std::move(operands), place);
}

Builder::Made Builder::negated(NodeId operand, std::size_t place) {
  RIZOMA_ASSIGN(const NodeId predicate, expect(operand, Type::truth));
  return add(Operation::negate, Type::truth, {predicate}, place);
}

Error Builder::mismatch(NodeId left, NodeId right, std::size_t place) const {
  std::string what = name_of(type(left)) + " is compared with " + name_of(type(right));
  const bool first = is_constant(left);
  const NodeId given = first ? left : right;
  const NodeId other = first ? right : left;
  if (is_constant(given) && is_text_constant(given) && is_numeric(type(other)) &&
      reads_as_number(std::get<std::string>(node(given).constant))) {
    what += "; write " + std::get<std::string>(node(given).constant) + " without quotes";
  } else if (is_constant(given) && type(other) == Type::text && is_numeric(type(given))) {
    what += "; write the number in quotes";
  } else if (is_constant(given) && type(other) == Type::truth) {
    what += "; a predicate is true or false";
  } else if (type(other) == Type::time && is_numeric(type(given))) {
    what += "; write a date in quotes, '2026-01-31', or compare epoch(..)";
  }
  return error(place, what);
}

Builder::Made Builder::compared(Operation operation, NodeId left, NodeId right, std::size_t place) {
  if (is_constant(left) && is_constant(right)) {
    for (const NodeId each : {left, right}) {
      if (!is_text_constant(each) || text_[node(each).place] != '"') continue;
      return error(node(each).place, "'" + std::get<std::string>(node(each).constant) +
                                         "' in quotes is text, not a column; write a name without quotes or in "
                                         "backquotes");
    }
  }
  if (is_null_constant(left) || is_null_constant(right)) {
    return error(place, "a comparison with null is true of no row; test with `is null` or `is not null`");
  }
  if (is_constant(left) && !is_constant(right)) {
    std::swap(left, right);
    operation = turned(operation);
  }
  if (type(left) == Type::time && is_text_constant(right)) {
    RIZOMA_ASSIGN(right, as_time(right));
  } else if (type(right) == Type::time && is_text_constant(left)) {
    RIZOMA_ASSIGN(left, as_time(left));
  }
  if (type(left) == Type::list || type(right) == Type::list) {
    return error(place, "a list cannot be compared; test it with `is null` or `is not null`");
  }
  if (is_numeric(type(left)) && is_numeric(type(right))) return compare_numbers(operation, left, right, place);
  if (type(left) != type(right)) return mismatch(left, right, place);
  if (type(left) == Type::time) return compare_times(operation, left, right, place);
  return add(operation, Type::truth, {left, right}, place);
}

Builder::NodeId Builder::compare_with_floor(Operation operation, NodeId value, Wide floor, bool exact,
                                            std::size_t place) {
  const bool is_order = operation != Operation::equal && operation != Operation::unequal;
  if (is_order) {
    // x < c is x <= floor(c) unless c is whole; x >= c is x > floor(c).
    const bool below = operation == Operation::less || operation == Operation::at_least;
    if (below && exact) --floor;
    operation =
        operation == Operation::less || operation == Operation::at_most ? Operation::at_most : Operation::greater;
  }
  if (floor < kLeast || floor > kGreatest || (!is_order && !exact)) {
    const bool always =
        is_order ? (operation == Operation::at_most) == (floor > kGreatest) : operation == Operation::unequal;
    operation = always ? Operation::at_least : Operation::less;
    floor = kLeast;
  }
  const NodeId bound = add_constant(Type::whole, static_cast<std::int64_t>(floor), node(value).place);
  return add(operation, Type::truth, {value, bound}, place);
}

Builder::NodeId Builder::beside_number(NodeId constant, bool single) {
  const Node& given = node(constant);
  if (given.type != Type::number && !single) {
    const Wide whole =
        given.type == Type::wide ? std::get<Wide>(given.constant) : Wide{std::get<std::int64_t>(given.constant)};
    return is_exact_double(whole) ? as_number(constant) : as_wide(constant);
  }
  const NodeId number = as_number(constant);
  if (!single) return number;
  const double exact = std::get<double>(node(number).constant);
  if (std::fabs(exact) > double{std::numeric_limits<float>::max()}) return number;
  return add_constant(Type::number, double{static_cast<float>(exact)}, node(number).place);
}

Builder::NodeId Builder::compare_numbers(Operation operation, NodeId left, NodeId right, std::size_t place) {
  if (is_constant(right) && !is_constant(left)) {
    if (type(left) == Type::number) {
      right = beside_number(right, is_float32(left));
    } else if (type(left) == Type::whole && type(right) != Type::whole) {
      if (type(right) == Type::wide) {
        return compare_with_floor(operation, left, std::get<Wide>(node(right).constant), true, place);
      }
      const double bound = std::get<double>(node(right).constant);
      return compare_with_floor(operation, left, floor_of(bound), std::floor(bound) == bound, place);
    }
  }
  if (type(left) != type(right)) {
    left = as_wide(left);
    right = as_wide(right);
  }
  if (type(left) == Type::number && type(right) == Type::wide) {
    std::swap(left, right);
    operation = turned(operation);
  }
  return add(operation, Type::truth, {left, right}, place);
}

Builder::NodeId Builder::compare_times(Operation operation, NodeId left, NodeId right, std::size_t place) {
  if (node(left).operation != Operation::column || !is_constant(right)) {
    return add(operation, Type::truth, {left, right}, place);
  }
  const std::uint32_t slot = node(left).slot;
  const std::int64_t unit = nanoseconds_per_unit(program_.slots[slot].type);
  const Wide moment = std::get<Wide>(node(right).constant);
  const NodeId units =
      add(Node{.operation = Operation::units, .type = Type::whole, .slot = slot, .place = node(left).place});
  return compare_with_floor(operation, units, floor_divided(moment, unit), moment % unit == 0, place);
}

Builder::Made Builder::between(NodeId value, NodeId low, NodeId high, std::size_t place) {
  RIZOMA_ASSIGN(const NodeId above, compared(Operation::at_least, value, low, place));
  RIZOMA_ASSIGN(const NodeId below, compared(Operation::at_most, value, high, place));
  return joined(Operation::all_of, {above, below}, place);
}

Builder::Made Builder::one_of(NodeId value, const std::vector<NodeId>& members, std::size_t place) {
  bool constants = true;
  for (const NodeId member : members) {
    if (is_null_constant(member)) {
      return error(node(member).place, "a list of values cannot hold null; add `or x is null`");
    }
    constants = constants && is_constant(member);
  }
  if (type(value) == Type::list)
    return error(place, "a list cannot be in a list of values; test it with `is null` or `is not null`");
  if (is_null_constant(value)) return null_of(Type::truth, place);
  const bool truths = type(value) == Type::truth;
  if (!constants || truths || is_constant(value) || members.empty()) return one_of_many(value, members, place);
  RIZOMA_ASSIGN(Members sorted, members_of(value, members));
  return add(Node{.operation = Operation::one_of,
                  .type = Type::truth,
                  .operands = {value},
                  .members = std::move(sorted),
                  .place = place});
}

/// By one comparison each.
Builder::Made Builder::one_of_many(NodeId value, const std::vector<NodeId>& members, std::size_t place) {
  std::vector<NodeId> tests;
  for (const NodeId member : members) {
    RIZOMA_ASSIGN(const NodeId test, compared(Operation::equal, value, member, node(member).place));
    tests.push_back(test);
  }
  if (!tests.empty()) return joined(Operation::any_of, std::move(tests), place);
  // Nothing is in no values, but a null is not known to be.
  RIZOMA_ASSIGN(const NodeId missing, is_null(value, place));
  RIZOMA_ASSIGN(const NodeId none, joined(Operation::all_of, {missing, null_of(Type::truth, place)}, place));
  return none;
}

Result<Members> Builder::members_of(NodeId value, const std::vector<NodeId>& members) {
  std::vector<std::int64_t> wholes;
  std::vector<Wide> wides;
  std::vector<double> numbers;
  std::vector<std::string> texts;
  for (NodeId member : members) {
    const std::size_t place = node(member).place;
    if (type(value) == Type::time && is_text_constant(member)) {
      RIZOMA_ASSIGN(member, as_time(member));
    }
    const bool same = type(value) == type(member) || (is_numeric(type(value)) && is_numeric(type(member)));
    if (!same) return mismatch(value, member, place);
    if (type(value) == Type::number) member = beside_number(member, is_float32(value));
    const Constant& constant = node(member).constant;
    if (const auto* const text = std::get_if<std::string>(&constant)) {
      texts.push_back(*text);
    } else if (type(value) == Type::number) {
      if (const auto* const number = std::get_if<double>(&constant)) numbers.push_back(*number);
    } else {
      // A whole number equals none that has a fraction, or lies beyond its range.
      Wide exact = 0;
      if (const auto* const number = std::get_if<double>(&constant)) {
        if (std::floor(*number) != *number) continue;
        exact = floor_of(*number);
      } else {
        exact =
            std::holds_alternative<Wide>(constant) ? std::get<Wide>(constant) : Wide{std::get<std::int64_t>(constant)};
      }
      wides.push_back(exact);
      if (exact >= kLeast && exact <= kGreatest) wholes.push_back(static_cast<std::int64_t>(exact));
    }
  }
  sort_members(wholes);
  sort_members(wides);
  sort_members(numbers);
  sort_members(texts);
  switch (type(value)) {
    case Type::whole: return Members(std::move(wholes));
    case Type::number: return Members(std::move(numbers));
    case Type::text: return Members(std::move(texts));
    default: return Members(std::move(wides));
  }
}

Builder::Made Builder::is_null(NodeId operand, std::size_t place) {
  return add(Operation::is_null, Type::truth, {operand}, place);
}

Builder::Made Builder::calculated(Operation operation, NodeId left, NodeId right, std::size_t place) {
  RIZOMA_ASSIGN(left, expect(left, Type::number));
  RIZOMA_ASSIGN(right, expect(right, Type::number));
  Type result = Type::whole;
  if (type(left) == Type::wide || type(right) == Type::wide) result = Type::wide;
  if (type(left) == Type::number || type(right) == Type::number || operation == Operation::divide) {
    result = Type::number;
  }
  if (result == Type::number) return add(operation, result, {as_number(left), as_number(right)}, place);
  if (result == Type::wide) return add(operation, result, {as_wide(left), as_wide(right)}, place);
  return add(operation, result, {left, right}, place);
}

Builder::Made Builder::minus(NodeId operand, std::size_t place) {
  RIZOMA_ASSIGN(operand, expect(operand, Type::number));
  return add(Operation::minus, type(operand), {operand}, place);
}

Result<Type> Builder::unified(std::vector<NodeId>& operands, std::size_t place) {
  Type common = Type::null;
  for (const NodeId operand : operands) {
    const Type found = type(operand);
    if (found == Type::null || found == common) continue;
    const bool text_beside_time = (common == Type::time && is_text_constant(operand));
    if (common == Type::null) common = found;
    else if (is_numeric(common) && is_numeric(found))
      common = common == Type::number || found == Type::number ? Type::number : Type::wide;
    else if (found == Type::time && common == Type::text) common = Type::time;
    else if (!text_beside_time) {
      return error(node(operand).place, "expected " + name_of(common) + " here, not " + name_of(found));
    }
  }
  if (common == Type::list) return error(place, "a function takes no list; test it with `is null` or `is not null`");
  if (common == Type::null) common = Type::truth;
  for (NodeId& operand : operands) {
    RIZOMA_ASSIGN(operand, expect(operand, common == Type::wide || common == Type::whole ? Type::number : common));
    if (type(operand) == Type::number && common != Type::number) operand = null_of(common, node(operand).place);
    if (common == Type::number) operand = as_number(operand);
    if (common == Type::wide) operand = as_wide(operand);
  }
  return common;
}

Builder::Made Builder::escape_of(NodeId operand) {
  const bool single = is_text_constant(operand) && characters_in(std::get<std::string>(node(operand).constant)) == 1;
  if (single) return operand;
  return error(node(operand).place, "an escape must be one character in quotes");
}

Builder::Made Builder::call(const Function& function, std::vector<NodeId> operands, std::size_t place) {
  if (function.operation == Operation::all_of) return between(operands[0], operands[1], operands[2], place);
  Type result = function.result;
  if (function.operands == Type::null) {
    RIZOMA_ASSIGN(result, unified(operands, place));
  } else {
    for (NodeId& operand : operands) {
      RIZOMA_ASSIGN(operand, expect(operand, function.operands));
    }
    if (result == Type::null) result = type(operands[0]);
  }
  if (function.operation == Operation::like && operands.size() == 3) RIZOMA_TRY(escape_of(operands[2]));
  return add(function.operation, result, std::move(operands), place);
}

Result<Program> Builder::finish(NodeId root) {
  RIZOMA_ASSIGN(root, expect(root, Type::truth));
  Program made = program_of(program_, root);
  made.text = std::make_shared<const std::string>(text_);
  return made;
}

}  // namespace rizoma::predicate
