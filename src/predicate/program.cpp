#include "predicate/program.h"

#include <rizoma/detail/column_types.h>

#include <algorithm>
#include <limits>

namespace rizoma::predicate {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// Copies nodes in their order, each once.
class Extraction {
 public:
  Extraction(const Program& whole, std::uint32_t root) : whole_(whole), needed_(root + 1, false) {
    needed_[root] = true;
    for (std::uint32_t i = root + 1; i-- > 0;) {
      if (!needed_[i]) continue;
      for (const std::uint32_t operand : whole.nodes[i].operands) needed_[operand] = true;
    }
  }

  Program run() {
    std::vector<std::uint32_t> number(needed_.size(), kNone);
    for (std::uint32_t i = 0; i < needed_.size(); ++i) {
      if (!needed_[i]) continue;
      Node node = whole_.nodes[i];
      for (std::uint32_t& operand : node.operands) operand = number[operand];
      if (node.operation == Operation::column || node.operation == Operation::units) node.slot = slot_of(node.slot);
      number[i] = static_cast<std::uint32_t>(part_.nodes.size());
      part_.nodes.push_back(std::move(node));
    }
    part_.text = whole_.text;
    return std::move(part_);
  }

 private:
  std::uint32_t slot_of(std::uint32_t slot) {
    const Slot& wanted = whole_.slots[slot];
    const auto known = std::find(part_.slots.begin(), part_.slots.end(), wanted);
    const auto place = static_cast<std::uint32_t>(known - part_.slots.begin());
    if (known == part_.slots.end()) part_.slots.push_back(wanted);
    return place;
  }

  const Program& whole_;
  std::vector<bool> needed_;
  Program part_;
};

}  // namespace

bool Program::is_same(const Program& other) const {
  return slots == other.slots && std::equal(nodes.begin(), nodes.end(), other.nodes.begin(), other.nodes.end(),
                                            [](const Node& a, const Node& b) { return a.is_same(b); });
}

Program program_of(const Program& whole, std::uint32_t root) { return Extraction(whole, root).run(); }

std::vector<Program> conjuncts_of(const Program& program) {
  std::vector<Program> all;
  std::vector<std::uint32_t> open{static_cast<std::uint32_t>(program.nodes.size() - 1)};
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    const Node& node = program.nodes[at];
    if (node.operation != Operation::all_of) {
      all.push_back(program_of(program, at));
      continue;
    }
    open.insert(open.end(), node.operands.rbegin(), node.operands.rend());
  }
  return all;
}

Type type_of(ColumnType type) noexcept {
  switch (column_kind(type)) {
    case ColumnKind::boolean: return Type::truth;
    case ColumnKind::integer: return type == ColumnType::uint64 ? Type::wide : Type::whole;
    case ColumnKind::real: return Type::number;
    case ColumnKind::text:
    case ColumnKind::bytes: return Type::text;
    case ColumnKind::date:
    case ColumnKind::timestamp: return Type::time;
    case ColumnKind::list: break;
  }
  return Type::list;
}

std::string name_of(Type type) {
  switch (type) {
    case Type::truth: return "a predicate";
    case Type::whole:
    case Type::wide:
    case Type::number: return "a number";
    case Type::text: return "text";
    case Type::time: return "a date or time";
    case Type::list: return "a list";
    case Type::null: break;
  }
  return "null";
}

}  // namespace rizoma::predicate
