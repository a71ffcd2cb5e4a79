#include "testing/fuzz_match.h"

#include <rizoma/match.h>

#include "testing/graph_builder.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace rizoma::testing {
namespace {

/// Columns of every kind without values.
class EmptyColumns final : public MatchColumns {
 public:
  std::vector<ColumnSchema> vertex_columns() const override {
    return {column("label", ColumnType::string), column("age", ColumnType::int32), column("name", ColumnType::string),
            column("born", ColumnType::date), column("vector", ColumnType::float32_list)};
  }
  std::vector<ColumnSchema> edge_columns() const override {
    return {column("weight", ColumnType::float64), column("type", ColumnType::string),
            column("since", ColumnType::timestamp_us), column("open", ColumnType::boolean)};
  }
  MatchValue of_vertex(std::size_t, VertexId) const override { return std::monostate{}; }
  MatchValue of_edge(std::size_t, EdgeEntry) const override { return std::monostate{}; }
  MatchValue id(VertexId v) const override { return static_cast<std::int64_t>(v); }
  Result<VertexId> find(const MatchValue&) const override { return kNoVertex; }

 private:
  static ColumnSchema column(const char* name, ColumnType type) {
    return {.id = 0, .type = type, .nullable = true, .name = name};
  }
};

}  // namespace

void fuzz_match(const std::uint8_t* data, std::size_t size) {
  static const GraphView graph = build_graph(4, path_edges(4), {.directed = true, .weights = WeightType::int32});
  static const auto columns = std::make_shared<const EmptyColumns>();
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::size_t line = text.find('\n');
  MatchOptions options{.pattern = text.substr(0, line)};
  options.columns = columns;
  if (line != std::string::npos) options.where = text.substr(line + 1);
  const Result<Match> match = Match::prepare(graph, options);
  if (match) return;
  const Error& error = match.error();
  const bool placed = error.message.find('^') != std::string::npos || text.size() > (std::size_t{1} << 16);
  if (error.message.empty() || (error.code == ErrorCode::parse && !placed)) {
    throw std::logic_error("an error without its place: " + error.message);
  }
}

}  // namespace rizoma::testing
