#include "predicate/evaluator.h"

#include "predicate/operations.h"
#include "predicate/tokens.h"

#include <algorithm>
#include <array>

namespace rizoma::predicate {

bool Evaluator::test(Source& source, std::span<std::uint8_t> keep) {
  source_ = &source;
  bool answered = true;
  for (std::size_t begin = 0; begin < keep.size(); begin += kBlock) {
    begin_ = begin;
    count_ = std::min(kBlock, keep.size() - begin);
    ++block_;
    answered = test_block(keep.subspan(begin, count_)) && answered;
  }
  return answered;
}

bool Evaluator::test_block(std::span<std::uint8_t> keep) {
  const Values& result = value(static_cast<std::uint32_t>(program_.nodes.size() - 1));
  if (result.constant) {
    const bool answered = result.state(0) != kOverflow || std::ranges::count(keep, 0) == std::ssize(keep);
    if (result.state(0) != kValid || result.at<std::uint8_t>(0) == 0) std::ranges::fill(keep, std::uint8_t{0});
    return answered;
  }
  const std::uint8_t* const truths = result.data<std::uint8_t>();
  if (result.all_valid) {
    for (std::size_t i = 0; i < keep.size(); ++i) keep[i] = static_cast<std::uint8_t>(keep[i] & truths[i]);
    return true;
  }
  static_assert(kValid == 1 && kOverflow == 2 && kNull == 0);
  const std::uint8_t* const states = result.states();
  unsigned unanswered = 0;
  for (std::size_t i = 0; i < keep.size(); ++i) {
    unanswered |= keep[i] & unsigned{states[i]} >> 1;
    keep[i] = static_cast<std::uint8_t>(keep[i] & truths[i] & states[i]);
  }
  return unanswered == 0;
}

const Values& Evaluator::value(std::uint32_t number) {
  Values& to = values_[number];
  if (computed_[number] == block_ || computed_[number] == kForGood) return to;
  const Node& node = program_.nodes[number];
  run(node, to);
  computed_[number] = to.constant ? kForGood : block_;
  return to;
}

void Evaluator::load(const Node& node, bool units, Values& to) {
  source_->load(program_.slots[node.slot], units, begin_, count_, to);
}

void Evaluator::run(const Node& node, Values& to) {
  switch (node.operation) {
    case Operation::constant: return load_constant(node.constant, node.type, to);
    case Operation::column: return load(node, false, to);
    case Operation::units: return load(node, true, to);
    case Operation::all_of:
    case Operation::any_of: return join(node, to);
    case Operation::coalesce: return coalesce(node, to);
    default: break;
  }
  std::array<const Values*, 3> operands{};
  bool constant = true;
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    operands[i] = &value(node.operands[i]);
    constant = constant && operands[i]->constant;
  }
  to.begin(constant ? 1 : count_, constant);
  const Values& a = *operands[0];
  const Type type = program_.nodes[node.operands[0]].type;
  switch (node.operation) {
    case Operation::negate: return negate_truths(a, to);
    case Operation::is_null: return test_null(a, to);
    case Operation::one_of: return test_members(node.members, a, to);
    case Operation::equal:
    case Operation::unequal:
    case Operation::less:
    case Operation::at_most:
    case Operation::greater:
    case Operation::at_least:
      return compare(node.operation, type, program_.nodes[node.operands[1]].type, a, *operands[1], to);
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::divide:
    case Operation::modulo: calculate(node.operation, node.type, a, *operands[1], to); return note_overflow(node, to);
    case Operation::minus:
    case Operation::absolute:
    case Operation::to_number:
    case Operation::to_wide: convert(node.operation, type, a, to); return note_overflow(node, to);
    case Operation::lower:
    case Operation::upper:
    case Operation::length:
    case Operation::starts_with:
    case Operation::ends_with:
    case Operation::contains:
    case Operation::has:
    case Operation::like: return run_text(node.operation, std::span(operands).first(node.operands.size()), to);
    default: return run_time(node.operation, a, to);
  }
}

void Evaluator::join(const Node& node, Values& to) {
  const bool decisive = node.operation == Operation::any_of;
  to.begin(1, true);
  *to.room<std::uint8_t>(1) = decisive ? 0 : 1;
  for (const std::uint32_t operand : node.operands) {
    join_truths(decisive, value(operand), to);
    if (is_decided(decisive, to)) return;
  }
}

void Evaluator::coalesce(const Node& node, Values& to) {
  to.begin(1, true);
  visit_type(node.type, [&]<class T>(T) { *to.room<T>(1) = T{}; });
  *to.states() = kNull;
  for (const std::uint32_t operand : node.operands) {
    fill_nulls(node.type, value(operand), to);
    if (!has_nulls(to)) return;
  }
}

void Evaluator::note_overflow(const Node& node, const Values& values) {
  if (values.all_valid || overflow_ != nullptr) return;
  for (std::size_t i = 0; i < values.rows; ++i) {
    if (values.state(i) == kOverflow) overflow_ = &node;
  }
}

Error Evaluator::error() const {
  const std::string_view text = program_.text == nullptr ? std::string_view() : std::string_view(*program_.text);
  Error error = syntax_error(
      text, overflow_ == nullptr ? 0 : overflow_->place,
      "a result is beyond 64 bits; write one of the numbers with a fraction, such as 1.0, to calculate in float64");
  error.code = ErrorCode::invalid_argument;
  return error;
}

}  // namespace rizoma::predicate
