// Transaction: parallel edges that a column tells apart.
#include "store/writing/transaction.h"

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
    const auto edges = edges_of_key.find(name);
    told.weights.push(edges == edges_of_key.end() ? std::span<const double>() : edges->second);
  }
  return told;
}

}  // namespace rizoma
