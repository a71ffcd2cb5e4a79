#include "query/parse/types.h"

#include "query/parse/timestamps.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

namespace rizoma::query {
namespace {

using Problem = std::optional<std::string>;

/// A text becomes the moment that it names.
Problem make_timestamp(Condition& text) {
  const auto moment = timestamp_of(std::get<std::string>(text.constant));
  if (!moment) {
    return "'" + std::get<std::string>(text.constant) +
           "' is no date or time; write one as '2026-01-31' or '2026-01-31 12:30:00'";
  }
  text.constant = *moment;
  return std::nullopt;
}

bool is_text(const Condition& condition) {
  return condition.operation == Operation::constant && std::holds_alternative<std::string>(condition.constant);
}

Problem fit_pair(Condition& a, Condition& b) {
  if (kind_of(a) == Kind::time && is_text(b)) return make_timestamp(b);
  if (kind_of(b) == Kind::time && is_text(a)) return make_timestamp(a);
  const Kind first = kind_of(a);
  const Kind second = kind_of(b);
  if (first == Kind::list || second == Kind::list) return "a list is null or not; it is compared with nothing";
  if (first == second || first == Kind::any || second == Kind::any) return std::nullopt;
  return name_of(first) + " is compared with " + name_of(second);
}

Problem expect(const Condition& operand, Kind kind) {
  const Kind found = kind_of(operand);
  if (found == kind || found == Kind::any) return std::nullopt;
  return "expected " + name_of(kind) + " here, not " + name_of(found);
}

Problem expect_all(const Condition& condition, Kind kind) {
  for (const Condition& operand : condition.operands) {
    if (Problem problem = expect(operand, kind)) return problem;
  }
  return std::nullopt;
}

}  // namespace

Kind kind_of(ColumnType type) {
  switch (type) {
    case ColumnType::boolean: return Kind::truth;
    case ColumnType::string:
    case ColumnType::binary: return Kind::text;
    case ColumnType::date:
    case ColumnType::timestamp_s:
    case ColumnType::timestamp_ms:
    case ColumnType::timestamp_us:
    case ColumnType::timestamp_ns: return Kind::time;
    case ColumnType::float32_list: return Kind::list;
    default: return Kind::number;
  }
}

Kind kind_of(const Condition& condition) {
  switch (condition.operation) {
    case Operation::constant:
      return std::visit(
          []<class T>(const T&) {
            if constexpr (std::is_same_v<T, std::monostate>) return Kind::any;
            else if constexpr (std::is_same_v<T, bool>) return Kind::truth;
            else if constexpr (std::is_arithmetic_v<T>) return Kind::number;
            else return std::is_same_v<T, MatchTime> ? Kind::time : Kind::text;
          },
          condition.constant);
    case Operation::vertex_id: return Kind::any;
    case Operation::vertex_column:
    case Operation::edge_column: return condition.kind;
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::divide:
    case Operation::modulo:
    case Operation::absolute:
    case Operation::text_length: return Kind::number;
    default: return Kind::truth;
  }
}

std::string name_of(Kind kind) {
  switch (kind) {
    case Kind::truth: return "a condition";
    case Kind::number: return "a number";
    case Kind::text: return "a text";
    case Kind::time: return "a date or time";
    case Kind::list: return "a list";
    case Kind::any: break;
  }
  return "a value";
}

std::optional<std::string> fit_operands(Condition& condition) {
  auto& operands = condition.operands;
  switch (condition.operation) {
    case Operation::either:
    case Operation::both:
    case Operation::negate: return expect_all(condition, Kind::truth);
    case Operation::equal:
    case Operation::unequal:
    case Operation::less:
    case Operation::at_most:
    case Operation::greater:
    case Operation::at_least:
    case Operation::one_of:
      for (std::size_t i = 1; i < operands.size(); ++i) {
        if (Problem problem = fit_pair(operands[0], operands[i])) return problem;
      }
      return std::nullopt;
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::divide:
    case Operation::modulo:
    case Operation::absolute: return expect_all(condition, Kind::number);
    case Operation::text_length:
    case Operation::starts_with: return expect_all(condition, Kind::text);
    default: return std::nullopt;
  }
}

}  // namespace rizoma::query
