#include <rizoma/predicate.h>

#include "predicate/bounds.h"
#include "predicate/evaluator.h"
#include "predicate/parser.h"
#include "predicate/run_source.h"

#include <algorithm>
#include <string>
#include <utility>

namespace rizoma {
namespace {

using predicate::Slot;

std::string names_of(const std::vector<ColumnSchema>& columns) {
  std::string names;
  for (const ColumnSchema& column : columns) names.append(names.empty() ? "" : ", ").append(column.name);
  return names.empty() ? "none" : names;
}

/// What to write in place of a name with a dot.
std::string undotted(const std::vector<ColumnSchema>& columns, const predicate::Name& name) {
  if (find_column(columns, *name.second) != nullptr) return "write " + *name.second + " alone";
  if (find_column(columns, name.first) == nullptr) return "write a name with a dot in backquotes";
  return "functions stand before what they take, as in startswith(" + name.first + ", 'a'), and lists behind in";
}

}  // namespace

struct Predicate::Impl {
  predicate::Program program;
  std::vector<std::size_t> columns;
};

Result<Predicate> Predicate::parse(std::string_view text, const std::vector<ColumnSchema>& columns) {
  const auto resolve = [&](const predicate::Name& name) -> Result<Slot> {
    if (name.second) {
      return Error{ErrorCode::parse, "a column has no name before it here; " + undotted(columns, name)};
    }
    const ColumnSchema* const found = find_column(columns, name.first);
    if (found == nullptr) {
      return Error{ErrorCode::invalid_argument,
                   "there is no column '" + name.first + "'; there are " + names_of(columns)};
    }
    return Slot{.column = static_cast<std::size_t>(found - columns.data()), .type = found->type};
  };
  auto impl = std::make_shared<Impl>();
  RIZOMA_ASSIGN(impl->program, predicate::parse(text, resolve));
  for (const Slot& slot : impl->program.slots) impl->columns.push_back(slot.column);
  return Predicate(std::move(impl));
}

const std::vector<std::size_t>& Predicate::columns() const noexcept { return impl_->columns; }

std::vector<ColumnBound> Predicate::bounds() const { return predicate::bounds_of(impl_->program); }

Status Predicate::test(std::span<const ColumnRun> values, std::span<std::uint8_t> keep) const {
  const bool enough =
      values.size() == impl_->columns.size() &&
      std::all_of(values.begin(), values.end(), [&](const ColumnRun& run) { return run.size >= keep.size(); });
  if (!enough)
    return Error{ErrorCode::invalid_argument, "a predicate needs a value of each of its columns for each row"};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].type == impl_->program.slots[i].type) continue;
    return Error{ErrorCode::invalid_argument, "the values of a column have a different type than the column"};
  }
  predicate::RunSource source(impl_->program, values);
  predicate::Evaluator evaluator(impl_->program);
  if (!evaluator.test(source, keep)) return evaluator.error();
  return {};
}

}  // namespace rizoma
