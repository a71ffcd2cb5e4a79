#include "query/parse/condition.h"

#include "query/parse/types.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace rizoma::query {
namespace {

constexpr unsigned kDeepest = 200;          // parentheses and signs within each other
constexpr unsigned kMostOperations = 1000;  // additions and multiplications

bool is_whole(const MatchValue& value) {
  return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<std::uint64_t>(value);
}

bool is_number(const MatchValue& value) { return is_whole(value) || std::holds_alternative<double>(value); }

double as_double(const MatchValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* great = std::get_if<std::uint64_t>(&value)) return static_cast<double>(*great);
  return std::get<double>(value);
}

/// None: values of different kinds, or one is missing.
std::optional<std::partial_ordering> compare(const MatchValue& a, const MatchValue& b) {
  if (a.index() != b.index()) {
    if (!is_number(a) || !is_number(b)) return std::nullopt;
    // A uint64 is beyond all that are int64.
    if (is_whole(a) && is_whole(b))
      return std::partial_ordering(std::holds_alternative<std::uint64_t>(a) <=>
                                   std::holds_alternative<std::uint64_t>(b));
    return as_double(a) <=> as_double(b);
  }
  return std::visit(
      [&]<class T>(const T& value) -> std::optional<std::partial_ordering> {
        if constexpr (std::is_same_v<T, std::monostate>) return std::nullopt;
        else return std::partial_ordering(value <=> std::get<T>(b));
      },
      a);
}

MatchValue compared(Operation operation, const MatchValue& a, const MatchValue& b) {
  const auto order = compare(a, b);
  if (!order) return std::monostate{};
  switch (operation) {
    case Operation::equal: return *order == 0;
    case Operation::unequal: return *order != 0;
    case Operation::less: return *order < 0;
    case Operation::at_most: return *order <= 0;
    case Operation::greater: return *order > 0;
    default: return *order >= 0;
  }
}

MatchValue of_whole_numbers(Operation operation, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  bool over = false;
  switch (operation) {
    case Operation::modulo:
      if (b == 0) return std::monostate{};
      return b == -1 ? 0 : a % b;
    case Operation::add: over = __builtin_add_overflow(a, b, &result); break;
    case Operation::subtract: over = __builtin_sub_overflow(a, b, &result); break;
    default: over = __builtin_mul_overflow(a, b, &result); break;
  }
  if (over) return std::monostate{};
  return result;
}

/// Whole numbers stay whole but for a division; what is no number, or divided by 0, is null.
MatchValue calculated(Operation operation, const MatchValue& a, const MatchValue& b) {
  if (!is_number(a) || !is_number(b)) return std::monostate{};
  const auto* x = std::get_if<std::int64_t>(&a);
  const auto* y = std::get_if<std::int64_t>(&b);
  if (x != nullptr && y != nullptr && operation != Operation::divide) return of_whole_numbers(operation, *x, *y);
  const double p = as_double(a);
  const double q = as_double(b);
  switch (operation) {
    case Operation::add: return p + q;
    case Operation::subtract: return p - q;
    case Operation::multiply: return p * q;
    default: break;
  }
  if (q == 0) return std::monostate{};
  return operation == Operation::modulo ? std::fmod(p, q) : p / q;
}

MatchValue absolute(const MatchValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    if (*whole == std::numeric_limits<std::int64_t>::min()) return static_cast<std::uint64_t>(*whole);
    return *whole < 0 ? -*whole : *whole;
  }
  if (const auto* number = std::get_if<double>(&value)) return std::fabs(*number);
  return std::holds_alternative<std::uint64_t>(value) ? value : MatchValue();
}

/// Characters of UTF-8.
MatchValue text_length(const MatchValue& value) {
  const auto* text = std::get_if<std::string_view>(&value);
  if (text == nullptr) return std::monostate{};
  return std::int64_t{
      std::count_if(text->begin(), text->end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; })};
}

MatchValue starts_with(const MatchValue& value, const MatchValue& start) {
  const auto* text = std::get_if<std::string_view>(&value);
  const auto* wanted = std::get_if<std::string_view>(&start);
  if (text == nullptr || wanted == nullptr) return std::monostate{};
  return text->starts_with(*wanted);
}

std::optional<bool> truth(const MatchValue& value) {
  const bool* known = std::get_if<bool>(&value);
  return known == nullptr ? std::nullopt : std::optional<bool>(*known);
}

/// `and` (decisive: false) and `or` (decisive: true).
MatchValue joined(const Condition& condition, const Bindings& bindings, bool decisive) {
  bool unknown = false;
  for (const Condition& operand : condition.operands) {
    const std::optional<bool> value = truth(evaluate(operand, bindings));
    if (value == decisive) return decisive;
    unknown = unknown || !value;
  }
  if (unknown) return std::monostate{};
  return !decisive;
}

MatchValue one_of(const Condition& condition, const Bindings& bindings) {
  const MatchValue value = evaluate(condition.operands[0], bindings);
  bool unknown = std::holds_alternative<std::monostate>(value);
  for (std::size_t i = 1; i < condition.operands.size(); ++i) {
    const MatchValue same = compared(Operation::equal, value, evaluate(condition.operands[i], bindings));
    if (truth(same) == true) return true;
    unknown = unknown || std::holds_alternative<std::monostate>(condition.operands[i].constant);
  }
  if (unknown) return std::monostate{};
  return false;
}

class ConditionParser {
 public:
  ConditionParser(TokenReader reader, const Resolve& resolve) : reader_(std::move(reader)), resolve_(resolve) {}

  Result<Condition> run() {
    RIZOMA_ASSIGN(Condition condition, disjunction());
    if (!reader_.at_end()) {
      return reader_.error("expected \"and\", \"or\" or the end of the condition, not " + reader_.shown());
    }
    RIZOMA_TRY(check(condition, Kind::truth, condition.place));
    return condition;
  }

 private:
  Status check(const Condition& condition, Kind kind, std::size_t place) const {
    const Kind found = kind_of(condition);
    if (found == kind || found == Kind::any) return {};
    return reader_.error_at(place, "expected " + name_of(kind) + ", not " + name_of(found));
  }

  /// An operation whose operands go together.
  Result<Condition> made(Operation operation, std::size_t place, std::vector<Condition> operands) const {
    Condition condition{.operation = operation, .constant = {}, .place = place, .operands = std::move(operands)};
    if (const auto problem = fit_operands(condition)) return reader_.error_at(place, *problem);
    return condition;
  }

  Result<Condition> disjunction() {
    RIZOMA_ASSIGN(Condition first, conjunction());
    if (!reader_.is_word("or")) return first;
    const std::size_t place = reader_.now().begin;
    std::vector<Condition> operands{std::move(first)};
    while (reader_.take_word("or")) {
      RIZOMA_ASSIGN(Condition next, conjunction());
      operands.push_back(std::move(next));
    }
    return made(Operation::either, place, std::move(operands));
  }

  Result<Condition> conjunction() {
    RIZOMA_ASSIGN(Condition first, negation());
    if (!reader_.is_word("and")) return first;
    const std::size_t place = reader_.now().begin;
    std::vector<Condition> operands{std::move(first)};
    while (reader_.take_word("and")) {
      RIZOMA_ASSIGN(Condition next, negation());
      operands.push_back(std::move(next));
    }
    return made(Operation::both, place, std::move(operands));
  }

  Result<Condition> negation() {
    const std::size_t place = reader_.now().begin;
    bool any = false;
    bool negated = false;
    while (reader_.take_word("not")) any = true, negated = !negated;
    RIZOMA_ASSIGN(Condition inner, comparison());
    if (any) RIZOMA_TRY(check(inner, Kind::truth, place));
    if (!negated) return inner;
    return made(Operation::negate, place, {std::move(inner)});
  }

  Result<Condition> comparison() {
    RIZOMA_ASSIGN(Condition left, sum());
    const std::size_t place = reader_.now().begin;
    if (reader_.take_word("is")) {
      const bool negated = reader_.take_word("not");
      if (!reader_.take_word("null") && !reader_.take_word("none")) {
        return reader_.error("expected \"null\" after \"is\", not " + reader_.shown());
      }
      return perhaps_negated(negated, made(Operation::is_null, place, {std::move(left)}));
    }
    const bool negated = reader_.take_word("not");
    if (negated || reader_.is_word("in")) {
      if (!reader_.take_word("in")) return reader_.error("expected \"in\" after \"not\", not " + reader_.shown());
      return perhaps_negated(negated, list(std::move(left), place));
    }
    return chain(std::move(left));
  }

  Result<Condition> perhaps_negated(bool negated, Result<Condition> test) const {
    if (!negated || !test) return test;
    const std::size_t place = test->place;
    return made(Operation::negate, place, {*std::move(test)});
  }

  /// `a < b <= c`: each two that stand side by side.
  Result<Condition> chain(Condition left) {
    std::vector<Condition> all;
    for (;;) {
      const std::size_t place = reader_.now().begin;
      const std::optional<Operation> operation = comparing();
      if (!operation) break;
      RIZOMA_ASSIGN(Condition right, sum());
      RIZOMA_ASSIGN(Condition test, made(*operation, place, {std::move(left), right}));
      all.push_back(std::move(test));
      left = std::move(right);
    }
    if (all.empty()) return left;
    if (all.size() == 1) return std::move(all[0]);
    const std::size_t place = all[0].place;
    return made(Operation::both, place, std::move(all));
  }

  Result<Condition> list(Condition value, std::size_t place) {
    std::vector<Condition> operands{std::move(value)};
    const bool round = reader_.take_if('(');
    const char close = round ? ')' : ']';
    if (!round) RIZOMA_TRY(reader_.expect('[', "after \"in\""));
    while (!reader_.is(close)) {
      if (operands.size() > 1) RIZOMA_TRY(reader_.expect(',', "between the values of the list"));
      RIZOMA_ASSIGN(Literal literal, reader_.literal());
      operands.push_back({.operation = Operation::constant, .constant = std::move(literal)});
    }
    reader_.take();
    return made(Operation::one_of, place, std::move(operands));
  }

  std::optional<Operation> comparing() {
    static constexpr std::pair<std::string_view, Operation> kSigns[] = {
        {"<>", Operation::unequal}, {"!=", Operation::unequal}, {"<=", Operation::at_most}, {">=", Operation::at_least},
        {"==", Operation::equal},   {"=", Operation::equal},    {"<", Operation::less},     {">", Operation::greater}};
    for (const auto& [sign, operation] : kSigns) {
      if (reader_.take_run(sign)) return operation;
    }
    return std::nullopt;
  }

  Result<Condition> sum() {
    RIZOMA_ASSIGN(Condition left, product());
    while (reader_.is('+') || reader_.is('-')) {
      const std::size_t place = reader_.now().begin;
      const Operation operation = reader_.take().text == "+" ? Operation::add : Operation::subtract;
      RIZOMA_TRY(count_operation());
      RIZOMA_ASSIGN(Condition right, product());
      RIZOMA_ASSIGN(left, made(operation, place, {std::move(left), std::move(right)}));
    }
    return left;
  }

  Result<Condition> product() {
    RIZOMA_ASSIGN(Condition left, factor());
    while (reader_.is('*') || reader_.is('/') || reader_.is('%')) {
      const std::size_t place = reader_.now().begin;
      const char sign = reader_.take().text[0];
      const Operation operation = sign == '*'   ? Operation::multiply
                                  : sign == '/' ? Operation::divide
                                                : Operation::modulo;
      RIZOMA_TRY(count_operation());
      RIZOMA_ASSIGN(Condition right, factor());
      RIZOMA_ASSIGN(left, made(operation, place, {std::move(left), std::move(right)}));
    }
    return left;
  }

  /// Each makes the condition deeper: `a + b + c` is `(a + b) + c`.
  Status count_operation() {
    if (++operations_ <= kMostOperations) return {};
    return reader_.error("the condition has more than " + std::to_string(kMostOperations) +
                         " additions and multiplications");
  }

  Result<Condition> factor() {
    if (depth_ == kDeepest) return reader_.error("the condition is nested too deeply");
    ++depth_;
    Result<Condition> read = factor_within();
    --depth_;
    return read;
  }

  Result<Condition> factor_within() {
    const std::size_t place = reader_.now().begin;
    if (reader_.take_if('(')) {
      RIZOMA_ASSIGN(Condition inner, disjunction());
      RIZOMA_TRY(reader_.expect(')', "to close the bracket"));
      return inner;
    }
    const bool constant_word = reader_.is_word("true") || reader_.is_word("false") || reader_.is_word("null");
    const bool named = reader_.now().kind == TokenKind::name || reader_.now().kind == TokenKind::quoted_name;
    if (named && !constant_word) return reference();
    if (reader_.take_if('-')) {
      RIZOMA_ASSIGN(Condition inner, factor());
      Condition zero{.operation = Operation::constant, .constant = std::int64_t{0}, .place = place};
      return made(Operation::subtract, place, {std::move(zero), std::move(inner)});
    }
    if (reader_.at_end()) return reader_.error("expected a name, a number or a text in quotes, not the end");
    RIZOMA_ASSIGN(Literal literal, reader_.literal());
    return Condition{.operation = Operation::constant, .constant = std::move(literal), .place = place};
  }

  Result<Condition> reference() {
    const std::size_t place = reader_.now().begin;
    const bool plain = reader_.now().kind == TokenKind::name;
    const std::string name = reader_.take().text;
    if (plain && reader_.is('(')) return function(name, place);
    std::string column;
    if (reader_.take_if('.')) {
      const bool named = reader_.now().kind == TokenKind::name || reader_.now().kind == TokenKind::quoted_name;
      if (!named) return reader_.error("expected a column's name after \".\", not " + reader_.shown());
      column = reader_.take().text;
    }
    Result<Condition> found = resolve_(name, column);
    if (!found) return Error{found.error().code, reader_.error_at(place, found.error().message).message};
    found->place = place;
    return found;
  }

  Result<Condition> function(const std::string& name, std::size_t place) {
    static constexpr struct {
      std::string_view name;
      Operation operation;
      std::size_t operands;
    } kFunctions[] = {{"abs", Operation::absolute, 1},
                      {"length", Operation::text_length, 1},
                      {"startswith", Operation::starts_with, 2}};
    const auto* const known =
        std::find_if(std::begin(kFunctions), std::end(kFunctions), [&](const auto& each) { return each.name == name; });
    if (known == std::end(kFunctions)) {
      return reader_.error_at(place, "there is no function \"" + name + "\"; there are abs, length and startswith");
    }
    reader_.take();
    std::vector<Condition> operands;
    for (std::size_t i = 0; i < known->operands; ++i) {
      if (i != 0) RIZOMA_TRY(reader_.expect(',', "before the next value"));
      RIZOMA_ASSIGN(Condition operand, sum());
      operands.push_back(std::move(operand));
    }
    RIZOMA_TRY(reader_.expect(')', "to end the function"));
    return made(known->operation, place, std::move(operands));
  }

  TokenReader reader_;
  const Resolve& resolve_;
  unsigned depth_ = 0;
  unsigned operations_ = 0;
};

}  // namespace

MatchValue value_of(const Literal& literal) {
  return std::visit(
      [](const auto& value) -> MatchValue {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, std::string>) {
          return std::string_view(value);
        } else {
          return value;
        }
      },
      literal);
}

MatchValue evaluate(const Condition& condition, const Bindings& bindings) {
  const auto operand = [&](std::size_t i) { return evaluate(condition.operands[i], bindings); };
  switch (condition.operation) {
    case Operation::constant: return value_of(condition.constant);
    case Operation::vertex_id: return bindings.columns.id(bindings.vertices[condition.item]);
    case Operation::vertex_column:
      return bindings.columns.of_vertex(condition.column, bindings.vertices[condition.item]);
    case Operation::edge_column: return bindings.columns.of_edge(condition.column, bindings.edges[condition.item]);
    case Operation::either: return joined(condition, bindings, true);
    case Operation::both: return joined(condition, bindings, false);
    case Operation::negate: {
      const std::optional<bool> value = truth(operand(0));
      if (!value) return std::monostate{};
      return !*value;
    }
    case Operation::one_of: return one_of(condition, bindings);
    case Operation::is_null: return std::holds_alternative<std::monostate>(operand(0));
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::divide:
    case Operation::modulo: return calculated(condition.operation, operand(0), operand(1));
    case Operation::absolute: return absolute(operand(0));
    case Operation::text_length: return text_length(operand(0));
    case Operation::starts_with: return starts_with(operand(0), operand(1));
    default: return compared(condition.operation, operand(0), operand(1));
  }
}

bool holds(const Condition& condition, const Bindings& bindings) {
  return truth(evaluate(condition, bindings)) == true;
}

Result<Condition> parse_condition(std::string_view text, const Resolve& resolve) {
  RIZOMA_ASSIGN(std::vector<Token> tokens, tokens_of(text));
  return ConditionParser(TokenReader(text, std::move(tokens)), resolve).run();
}

void for_each_part(const Condition& condition, const std::function<void(const Condition&)>& f) {
  f(condition);
  for (const Condition& operand : condition.operands) for_each_part(operand, f);
}

std::vector<Condition> conjuncts_of(Condition condition) {
  if (condition.operation != Operation::both) return {std::move(condition)};
  std::vector<Condition> all;
  for (Condition& operand : condition.operands) {
    for (Condition& part : conjuncts_of(std::move(operand))) all.push_back(std::move(part));
  }
  return all;
}

}  // namespace rizoma::query
