#include "predicate/parser.h"

#include "predicate/builder.h"
#include "predicate/functions.h"
#include "predicate/tokens.h"

#include <functional>
#include <utility>
#include <vector>

namespace rizoma::predicate {
namespace {

using NodeId = Builder::NodeId;
using Made = Builder::Made;

constexpr std::string_view kOperators = "the operators are = <> < <= > >= + - * / %";
constexpr unsigned kDeepest = 200;          // parentheses and signs within each other
constexpr unsigned kMostOperations = 1000;  // additions and multiplications

/// Values: sums, products, names, calls and constants.  A predicate within brackets is one, too.
class ValueParser {
 public:
  ValueParser(TokenReader& reader, Builder& make, Resolve resolve, FunctionRef<Made()> predicate)
      : reader_(reader), make_(make), resolve_(resolve), predicate_(predicate) {}

  Made sum() {
    RIZOMA_ASSIGN(NodeId left, product());
    while (reader_.is('+') || reader_.is('-')) {
      const std::size_t place = reader_.now().begin;
      const Operation operation = reader_.take().text == "+" ? Operation::add : Operation::subtract;
      RIZOMA_TRY(count_operation());
      RIZOMA_ASSIGN(const NodeId right, product());
      RIZOMA_ASSIGN(left, make_.calculated(operation, left, right, place));
    }
    return left;
  }

  Made factor() {
    if (depth_ == kDeepest) return reader_.error("the predicate is nested too deeply");
    ++depth_;
    Made read = factor_within();
    --depth_;
    return read;
  }

 private:
  Made product() {
    RIZOMA_ASSIGN(NodeId left, factor());
    while (reader_.is('*') || reader_.is('/') || reader_.is('%')) {
      const std::size_t place = reader_.now().begin;
      const char sign = reader_.take().text[0];
      const Operation operation = sign == '*'   ? Operation::multiply
                                  : sign == '/' ? Operation::divide
                                                : Operation::modulo;
      RIZOMA_TRY(count_operation());
      RIZOMA_ASSIGN(const NodeId right, factor());
      RIZOMA_ASSIGN(left, make_.calculated(operation, left, right, place));
    }
    return left;
  }

  /// Each makes the predicate deeper: `a + b + c` is `(a + b) + c`.
  Status count_operation() {
    if (++operations_ <= kMostOperations) return {};
    return reader_.error("the predicate has more than " + std::to_string(kMostOperations) +
                         " additions and multiplications");
  }

  [[nodiscard]] bool is_negative_number() const {
    return reader_.is('-') && reader_.later().begin == reader_.now().end &&
           (reader_.later().kind == TokenKind::integer || reader_.later().kind == TokenKind::decimal);
  }

  Made factor_within() {
    const std::size_t place = reader_.now().begin;
    if (reader_.take_if('(')) {
      RIZOMA_ASSIGN(const NodeId inner, predicate_());
      RIZOMA_TRY(reader_.expect(')', "to close the bracket"));
      return inner;
    }
    if (reader_.is_literal() || is_negative_number()) {
      RIZOMA_ASSIGN(const Literal literal, reader_.literal());
      return make_.constant(literal, place);
    }
    if (reader_.now().kind == TokenKind::name || reader_.now().kind == TokenKind::quoted_name) return named(place);
    if (reader_.take_if('-')) {
      RIZOMA_ASSIGN(const NodeId inner, factor());
      return make_.minus(inner, place);
    }
    if (reader_.take_if('+')) {
      RIZOMA_ASSIGN(const NodeId inner, factor());
      return make_.plus(inner);
    }
    return reader_.error("expected a name, a number or a text in quotes, not " + reader_.shown() + meant_by_sign());
  }

  /// What a sign or the end may mean where a value must come.
  [[nodiscard]] std::string meant_by_sign() const {
    if (reader_.at_end()) return "; the predicate ends in its middle: write what is missing";
    if (reader_.is('%')) return "; text stands in quotes, as in like '%a%'";
    if (reader_.is('!')) return "; write \"not\"";
    if (reader_.is('[') || reader_.is('{')) return "; write a name or a value without brackets";
    if (reader_.is('=') || reader_.is('<') || reader_.is('>') || reader_.is('*')) return "; " + std::string(kOperators);
    return "";
  }

  Made named(std::size_t place) {
    const bool plain = reader_.now().kind == TokenKind::name;
    const bool is_time = plain && (reader_.is_word("date") || reader_.is_word("timestamp"));
    Name name{reader_.take().text, std::nullopt};
    if (is_time && reader_.now().kind == TokenKind::text) {
      const std::size_t at = reader_.now().begin;
      return make_.moment(reader_.take().text, at);
    }
    if (plain && reader_.take_if('(')) return call(name.first, place);
    if (reader_.take_if('.')) {
      if (reader_.now().kind != TokenKind::name && reader_.now().kind != TokenKind::quoted_name) {
        return reader_.error("expected the name of a column after \".\", not " + reader_.shown());
      }
      name.second = reader_.take().text;
    }
    const Result<Slot> slot = resolve_(name);
    if (!slot) return Error{slot.error().code, reader_.error_at(place, slot.error().message).message};
    return make_.column(*slot, place);
  }

  Made call(const std::string& name, std::size_t place) {
    const Function* const function = find_function(name);
    if (function == nullptr) {
      return reader_.error_at(place, "there is no function '" + name + "'; there are " + function_names());
    }
    std::vector<NodeId> operands;
    while (!reader_.is(')')) {
      if (!operands.empty()) RIZOMA_TRY(reader_.expect(',', "before the next value"));
      RIZOMA_ASSIGN(const NodeId operand, sum());
      operands.push_back(operand);
    }
    reader_.take();
    if (operands.size() < function->least || operands.size() > function->most) {
      return reader_.error_at(place, arity(*function, operands.size()));
    }
    return make_.call(*function, std::move(operands), place);
  }

  static std::string arity(const Function& function, std::size_t found) {
    std::string wanted = std::to_string(function.least);
    if (function.most > 10) wanted += " or more";
    else if (function.most != function.least) wanted += " or " + std::to_string(function.most);
    return std::string(function.name) + " takes " + wanted + (wanted == "1" ? " value" : " values") + ", not " +
           std::to_string(found);
  }

  TokenReader& reader_;
  Builder& make_;
  Resolve resolve_;
  FunctionRef<Made()> predicate_;
  unsigned depth_ = 0;
  unsigned operations_ = 0;
};

/// Tests of values, and what joins them.
class PredicateParser {
 public:
  PredicateParser(TokenReader reader, Resolve resolve)
      : reader_(std::move(reader)), make_(reader_.text()), values_(reader_, make_, resolve, within_brackets_) {}
  PredicateParser(const PredicateParser&) = delete;
  PredicateParser& operator=(const PredicateParser&) = delete;

  Result<Program> run() {
    if (reader_.at_end()) return reader_.error("the predicate is empty; write one such as age >= 18");
    RIZOMA_ASSIGN(const NodeId root, disjunction());
    if (!reader_.at_end()) return unexpected();
    return make_.finish(root);
  }

 private:
  [[nodiscard]] Error unexpected() const {
    std::string what = "expected \"and\", \"or\" or the end of the predicate, not " + reader_.shown();
    if (reader_.is('|')) what += "; write \"or\"";
    if (reader_.is('=') || reader_.is_run("**")) what += "; " + std::string(kOperators);
    if (reader_.is(')')) what += "; no bracket is open here";
    if (reader_.is(';')) what += "; leave it out";
    if (reader_.is(':')) what += "; a label is asked for by has(label, 'Person')";
    if (reader_.now().kind == TokenKind::text) what += "; write a quote within a text twice";
    return reader_.error(what + meant_by_word());
  }

  /// What a word of another language means where a predicate could end.
  [[nodiscard]] std::string meant_by_word() const {
    static constexpr std::pair<std::string_view, std::string_view> kMeant[] = {
        {"ilike", "write lower(x) like 'y'"},
        {"contains", "write contains(x, 'y')"},
        {"has", "write has(x, 'y')"},
        {"starts", "write startswith(x, 'y')"},
        {"startswith", "write startswith(x, 'y')"},
        {"ends", "write endswith(x, 'y')"},
        {"endswith", "write endswith(x, 'y')"},
        {"matches", "write x like 'y%'"},
        {"regexp", "write x like 'y%'"},
        {"xor", "write (a or b) and not (a and b)"},
        {"limit", "a predicate keeps all that fit: limit what comes of it"},
        {"order", "a predicate does not sort: sort what comes of it"},
        {"group", "a predicate does not group: group what comes of it"},
    };
    for (const auto& [word, meant] : kMeant) {
      if (reader_.is_word(word)) return "; " + std::string(meant);
    }
    return "";
  }

  Made disjunction() {
    RIZOMA_ASSIGN(NodeId first, conjunction());
    if (!reader_.is_word("or")) return first;
    const std::size_t place = reader_.now().begin;
    std::vector<NodeId> operands{first};
    while (reader_.take_word("or")) {
      RIZOMA_ASSIGN(const NodeId next, conjunction());
      operands.push_back(next);
    }
    return make_.joined(Operation::any_of, std::move(operands), place);
  }

  Made conjunction() {
    RIZOMA_ASSIGN(NodeId first, negation());
    if (!reader_.is_word("and")) return first;
    const std::size_t place = reader_.now().begin;
    std::vector<NodeId> operands{first};
    while (reader_.take_word("and")) {
      RIZOMA_ASSIGN(const NodeId next, negation());
      operands.push_back(next);
    }
    return make_.joined(Operation::all_of, std::move(operands), place);
  }

  Made negation() {
    const std::size_t place = reader_.now().begin;
    unsigned negations = 0;
    while (reader_.take_word("not")) ++negations;
    RIZOMA_ASSIGN(NodeId inner, comparison());
    // Twice, so that its operand is checked to be a predicate.
    for (unsigned i = 0; i < (negations == 0 ? 0 : 2 - negations % 2); ++i) {
      RIZOMA_ASSIGN(inner, make_.negated(inner, place));
    }
    return inner;
  }

  Made comparison() {
    RIZOMA_ASSIGN(NodeId left, values_.sum());
    const std::size_t place = reader_.now().begin;
    if (reader_.take_word("is")) return null_test(left, place);
    const bool negated = reader_.take_word("not");
    Made test = Error{ErrorCode::parse, ""};
    if (reader_.take_word("in")) test = list(left, place);
    else if (reader_.take_word("between")) test = between(left, place);
    else if (reader_.take_word("like")) test = like(left, place);
    else if (negated)
      return reader_.error("expected \"in\", \"between\" or \"like\" after \"not\", not " + reader_.shown());
    else return chain(left);
    if (!negated || !test) return test;
    return make_.negated(*test, place);
  }

  Made null_test(NodeId left, std::size_t place) {
    const bool negated = reader_.take_word("not");
    if (!reader_.take_word("null") && !reader_.take_word("none")) {
      return reader_.error("expected \"null\" after \"is\", not " + reader_.shown() +
                           "; other values are compared by =, as in kind = 'x'");
    }
    RIZOMA_ASSIGN(NodeId test, make_.is_null(left, place));
    if (!negated) return test;
    return make_.negated(test, place);
  }

  Made between(NodeId left, std::size_t place) {
    RIZOMA_ASSIGN(const NodeId low, values_.sum());
    if (!reader_.take_word("and")) return reader_.error("expected \"and\" of \"between\", not " + reader_.shown());
    RIZOMA_ASSIGN(const NodeId high, values_.sum());
    return make_.between(left, low, high, place);
  }

  Made like(NodeId left, std::size_t place) {
    RIZOMA_ASSIGN(const NodeId pattern, values_.sum());
    std::vector<NodeId> operands{left, pattern};
    if (reader_.take_word("escape")) {
      RIZOMA_ASSIGN(const NodeId escape, values_.factor());
      operands.push_back(escape);
    }
    return make_.call(*find_function("like"), std::move(operands), place);
  }

  /// `a < b <= c`: each two that stand side by side.
  Made chain(NodeId left) {
    std::vector<NodeId> all;
    const std::size_t first = reader_.now().begin;
    for (;;) {
      const std::size_t place = reader_.now().begin;
      const std::optional<Operation> operation = comparing();
      if (!operation) break;
      RIZOMA_ASSIGN(const NodeId right, values_.sum());
      RIZOMA_ASSIGN(const NodeId test, make_.compared(*operation, left, right, place));
      all.push_back(test);
      left = right;
    }
    if (all.empty()) return left;
    if (all.size() == 1) return all[0];
    return make_.joined(Operation::all_of, std::move(all), first);
  }

  Made list(NodeId value, std::size_t place) {
    const char close = reader_.take_if('(') ? ')' : reader_.take_if('[') ? ']' : reader_.take_if('{') ? '}' : '\0';
    if (close == '\0') {
      return reader_.error(
          "expected a list after \"in\", such as (1, 2), not " + reader_.shown() +
          "; write = for one value, contains(text, part) for a part of a text, and has(text, item) for a label");
    }
    std::vector<NodeId> members;
    while (!reader_.is(close)) {
      if (!members.empty()) RIZOMA_TRY(reader_.expect(',', "between the values of the list"));
      if (reader_.is(close)) break;  // after a comma, as in Python's ('a',)
      RIZOMA_ASSIGN(const NodeId member, values_.sum());
      members.push_back(member);
    }
    reader_.take();
    return make_.one_of(value, members, place);
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

  TokenReader reader_;
  Builder make_;
  std::function<Made()> within_brackets_ = [this] { return disjunction(); };
  ValueParser values_;
};

}  // namespace

Result<Program> parse(std::string_view text, Resolve resolve) {
  RIZOMA_ASSIGN(std::vector<Token> tokens, tokens_of(text));
  return PredicateParser(TokenReader(text, std::move(tokens)), resolve).run();
}

}  // namespace rizoma::predicate
