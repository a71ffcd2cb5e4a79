// Puts operations together whose operands go together: types, casts, comparisons with constants.  Module: predicate.
//
// A constant takes the type of what is beside it once, here: text beside a date becomes a moment, a number beside a
// whole one a bound among whole numbers.  What goes together with nothing is an Error with its place.
#pragma once

#include <rizoma/result.h>

#include "predicate/functions.h"
#include "predicate/program.h"
#include "predicate/tokens.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma::predicate {

class Builder {
 public:
  using NodeId = std::uint32_t;
  using Made = Result<NodeId>;

  explicit Builder(std::string_view text) : text_(text) {}

  NodeId constant(const Literal& literal, std::size_t place);
  /// The moment that a text names.
  Made moment(const std::string& text, std::size_t place) { return as_time(add_constant(Type::text, text, place)); }
  /// One node for all mentions of a column.
  NodeId column(const Slot& slot, std::size_t place);
  /// `and` or `or` of predicates.
  Made joined(Operation operation, std::vector<NodeId> operands, std::size_t place);
  Made negated(NodeId operand, std::size_t place);
  Made compared(Operation operation, NodeId left, NodeId right, std::size_t place);
  Made between(NodeId value, NodeId low, NodeId high, std::size_t place);
  Made one_of(NodeId value, const std::vector<NodeId>& members, std::size_t place);
  Made is_null(NodeId operand, std::size_t place);
  Made calculated(Operation operation, NodeId left, NodeId right, std::size_t place);
  Made minus(NodeId operand, std::size_t place);
  Made plus(NodeId operand) { return expect(operand, Type::number); }
  Made call(const Function& function, std::vector<NodeId> operands, std::size_t place);

  /// The program whose last operation is `root`, a predicate.
  Result<Program> finish(NodeId root);

 private:
  [[nodiscard]] const Node& node(NodeId id) const noexcept { return program_.nodes[id]; }
  [[nodiscard]] Type type(NodeId id) const noexcept { return node(id).type; }
  [[nodiscard]] bool is_constant(NodeId id) const noexcept { return node(id).operation == Operation::constant; }
  [[nodiscard]] bool is_text_constant(NodeId id) const noexcept;
  [[nodiscard]] bool is_null_constant(NodeId id) const noexcept;
  [[nodiscard]] bool is_float32(NodeId id) const noexcept;
  [[nodiscard]] Error error(std::size_t place, std::string_view what) const;
  [[nodiscard]] Error mismatch(NodeId left, NodeId right, std::size_t place) const;

  NodeId add(Node made);
  NodeId add(Operation operation, Type type, std::vector<NodeId> operands, std::size_t place);
  NodeId add_constant(Type type, Constant value, std::size_t place);
  NodeId null_of(Type type, std::size_t place) { return add_constant(type, std::monostate{}, place); }

  /// The operand as a value of the type, or an Error that names the expected type.
  Made expect(NodeId operand, Type wanted);
  Made as_time(NodeId text);
  NodeId as_number(NodeId operand);
  NodeId as_wide(NodeId operand);
  /// A constant of an exact value, for a comparison with a column of this kind.
  NodeId beside_number(NodeId constant, bool single);
  /// The operands with one type.
  Result<Type> unified(std::vector<NodeId>& operands, std::size_t place);

  NodeId compare_numbers(Operation operation, NodeId left, NodeId right, std::size_t place);
  NodeId compare_times(Operation operation, NodeId left, NodeId right, std::size_t place);
  /// `value operation (floor + something below 1)` among int64.
  NodeId compare_with_floor(Operation operation, NodeId value, Wide floor, bool exact, std::size_t place);
  Result<Members> members_of(NodeId value, const std::vector<NodeId>& members);
  Made one_of_many(NodeId value, const std::vector<NodeId>& members, std::size_t place);
  Made escape_of(NodeId operand);

  std::string_view text_;
  Program program_;
  std::vector<NodeId> column_nodes_;  ///< of each slot
};

}  // namespace rizoma::predicate
