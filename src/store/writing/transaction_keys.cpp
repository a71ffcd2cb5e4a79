// Transaction: parallel edges that a column tells apart.
#include "store/writing/transaction.h"
#include "store/writing/row_groups.h"

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// Bytes that differ where values do; a null is like no value.
std::string text_of(const ColumnValues& values, std::size_t row) {
  if (!values.is_valid(row)) return {};
  const std::size_t width = column_width(values.type);
  const std::span<const std::byte> bytes =
      width == 0 ? values.bytes(row) : std::span(values.values).subspan(row * width, width);
  return "=" + std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

}  // namespace

/// The pairs that the rows name; with a key each pair and value of the key is one of its own, which has those of the
/// pair's edges that have this value.  Cost: all edges of the pairs are read.
Result<Transaction::Found> Transaction::find_by_key(const Batch::Step& step) const {
  RIZOMA_ASSIGN(Found found, find(step.edges));
  if (step.key.empty()) return found;
  return by_key(step, found);
}

/// Divides the edges of the pairs that `find` has found by their values of the step's key.
Result<Transaction::Found> Transaction::by_key(const Batch::Step& step, const Found& found) const {
  RIZOMA_TRY(check_table(step.edges.columns, step.edges.size(), contents_.schema.edge_columns, "edges"));
  const ColumnSchema* const column = find_column(contents_.schema.edge_columns, step.key);
  const ColumnValues* const given = step.edges.columns.find(step.key);
  if (column == nullptr || given == nullptr) {
    return Error{ErrorCode::invalid_argument, "\"" + step.key + "\" tells no edges apart: the " +
                                                  (column == nullptr ? "graph" : "table") +
                                                  " has no such column of edges"};
  }
  std::vector<std::uint64_t> rows;
  for (const double row : found.weights.all()) rows.push_back(static_cast<std::uint64_t>(row));
  RIZOMA_ASSIGN(const ColumnValues present, contents_.edge_rows.staged()->values(*column, rows));
  std::map<std::pair<std::size_t, std::string>, std::vector<double>> edges_of_key;
  std::size_t place = 0;
  for (std::size_t pair = 0; pair < found.pairs.size(); ++pair) {
    for (const double row : found.weights[pair]) {
      edges_of_key[{pair, text_of(present, place++)}].push_back(row);
    }
  }
  Found told;
  std::map<std::pair<std::size_t, std::string>, std::size_t> numbers;
  for (std::size_t i = 0; i < found.rows.size(); ++i) {
    const std::pair name(found.rows[i], text_of(*given, i));
    const auto [at, added] = numbers.emplace(name, told.pairs.size());
    told.rows.push_back(at->second);
    if (!added) continue;
    told.pairs.push_back(found.pairs[found.rows[i]]);
    told.undivided.push_back(found.rows[i]);
    const auto edges = edges_of_key.find(name);
    told.weights.push(edges == edges_of_key.end() ? std::span<const double>() : edges->second);
  }
  return told;
}

/// The edges that rows with a key set, and behind each the later ones of its pair, which stay as they are: all of them
/// are written anew, so that the order of arrival remains.
std::vector<Transaction::EdgeToSet> Transaction::edges_by_key(const Found& found, const Found& keyed,
                                                              const RowGroups& groups) {
  std::map<std::pair<std::size_t, double>, std::size_t> group_of;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const std::uint64_t name = groups.name(group);
    for (const double row : keyed.weights[name]) group_of[{keyed.undivided[name], row}] = group;
  }
  std::vector<EdgeToSet> edges;
  for (auto next = group_of.begin(); next != group_of.end();) {
    const std::size_t pair = next->first.first;
    bool after_first = false;
    for (const double row : found.weights[pair]) {
      const auto set = group_of.find({pair, row});
      after_first = after_first || set != group_of.end();
      if (after_first) edges.push_back({found.pairs[pair], row, set == group_of.end() ? kNoRow : set->second});
    }
    while (next != group_of.end() && next->first.first == pair) ++next;
  }
  return edges;
}

}  // namespace rizoma
