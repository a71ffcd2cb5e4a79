// A predicate as typed operations over columns.  Module: predicate.
//
// What: a graph without cycles of operations; the operands of an operation are before it, and one that several
// operations use is computed once.
#pragma once

#include <rizoma/columns.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace rizoma::predicate {

/// Whole numbers from -2^63 to 2^64 - 1 where a uint64 takes part, and moments in nanoseconds.
__extension__ using Wide = __int128;

/// What an operation computes.
enum class Type : std::uint8_t {
  null,    ///< nothing but null
  truth,   ///< true or false
  whole,   ///< std::int64_t
  wide,    ///< Wide
  number,  ///< double
  text,    ///< UTF-8, or bytes
  time,    ///< Wide: nanoseconds since 1970-01-01 00:00 UTC
  list,    ///< of which only null is asked
};

enum class Operation : std::uint8_t {
  constant,
  column,     ///< the values of `slot`
  units,      ///< the same of a date or timestamp, in units of its column: whole
  to_number,  ///< a whole or wide as number
  to_wide,    ///< a whole as wide
  all_of,     ///< and
  any_of,     ///< or
  negate,     ///< not
  equal,
  unequal,
  less,
  at_most,
  greater,
  at_least,
  one_of,  ///< the operand is among `members`
  is_null,
  add,
  subtract,
  multiply,
  divide,
  modulo,  ///< with the sign of the dividend
  minus,
  absolute,
  coalesce,  ///< the first operand that is not null
  length,    ///< in characters
  lower,
  upper,
  starts_with,
  ends_with,
  contains,
  has,   ///< the text is the second one, or a list with ; between its items that has it
  like,  ///< % is any text, _ any character; the third operand is the escape character
  year,
  month,
  day,
  hour,
  minute,
  second,
  to_date,  ///< midnight of the day
  epoch,    ///< seconds since 1970-01-01 00:00 UTC
};

using Constant = std::variant<std::monostate, bool, std::int64_t, Wide, double, std::string>;
/// The members of a list, ascending and each once.
using Members = std::variant<std::monostate, std::vector<std::int64_t>, std::vector<Wide>, std::vector<double>,
                             std::vector<std::string>>;

struct Node {
  Operation operation = Operation::constant;
  Type type = Type::null;
  std::vector<std::uint32_t> operands;  ///< numbers of nodes
  std::uint32_t slot = 0;
  Constant constant = {};
  Members members = {};
  std::size_t place = 0;  ///< in the text

  /// The same operation on operands of the same numbers, wherever it stands.
  [[nodiscard]] bool is_same(const Node& other) const {
    return operation == other.operation && type == other.type && operands == other.operands && slot == other.slot &&
           constant == other.constant && members == other.members;
  }
};

/// A column that a program reads.  The resolver of names gives `source` and `item` their meaning.
struct Slot {
  unsigned source = 0;
  unsigned item = 0;
  std::size_t column = 0;
  ColumnType type = ColumnType::float64;
  friend bool operator==(const Slot&, const Slot&) = default;
};

struct Program {
  std::vector<Node> nodes;  ///< the last one is the whole
  std::vector<Slot> slots;
  std::shared_ptr<const std::string> text;  ///< the source text, for errors with a position

  [[nodiscard]] const Node& root() const noexcept { return nodes.back(); }
  /// The same operations on the same columns.
  [[nodiscard]] bool is_same(const Program& other) const;
};

/// The operations that node `root` needs, and no others.
[[nodiscard]] Program program_of(const Program& whole, std::uint32_t root);
/// The parts that must hold together.
[[nodiscard]] std::vector<Program> conjuncts_of(const Program& program);

/// Values of a column of this type; a date or timestamp is a time.
[[nodiscard]] Type type_of(ColumnType type) noexcept;
/// "a number", ..
[[nodiscard]] std::string name_of(Type type);

}  // namespace rizoma::predicate
