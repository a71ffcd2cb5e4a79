// What is exported reads back as the same graph, in every format that can carry it.
#include <rizoma/export.h>

#include "testing/graph_builder.h"
#include "testing/ingest_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <utility>

namespace rizoma {
namespace {

using testing::BuildOptions;
using testing::CollectingSink;
using testing::PoolExecutor;
using testing::TemporaryDirectory;
using testing::TestEdge;
using Edge = CollectingSink::Edge;

constexpr VertexId kVertices = 300;

/// Entries by external id; an undirected edge once, from the smaller text.
std::vector<Edge> expected_edges(const GraphView& view, const std::vector<std::int64_t>& ids) {
  std::vector<Edge> edges;
  for (const TestEdge& entry : testing::entries_of(view)) {
    if (!view.directed() && entry.target < entry.source) continue;
    edges.push_back({std::to_string(ids[entry.source]), std::to_string(ids[entry.target]), entry.weight});
  }
  return edges;
}

std::vector<Edge> normalized(std::vector<Edge> edges, bool directed) {
  for (Edge& edge : edges) {
    if (!directed && edge.target < edge.source) std::swap(edge.source, edge.target);
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

/// Ids 0..n-1 in an order of their own, as after an import ordered by degree.
std::vector<std::int64_t> shuffled_ids() {
  std::vector<std::int64_t> ids(kVertices);
  for (VertexId v = 0; v < kVertices; ++v) ids[v] = static_cast<std::int64_t>(v * 7 % kVertices);
  return ids;
}

void expect_round_trip(const char* name, bool directed, WeightType weights) {
  SCOPED_TRACE(::testing::Message() << name << (directed ? ", directed" : ", undirected") << ", weights "
                                    << int(weights));
  auto edges = testing::uniform_edges(kVertices - 1, 900, 3);
  if (weights == WeightType::float32) {
    for (TestEdge& edge : edges) edge.weight = edge.weight / 3 - 40 > 0 ? 0.1f : -2.5e-7f;
  }
  const GraphView view =
      testing::build_graph(kVertices, edges, BuildOptions{.directed = directed, .weights = weights, .section_bits = 6});
  const TemporaryDirectory directory;
  for (const unsigned threads : {1u, 3u}) {
    PoolExecutor executor(threads);
    const Status written = export_edges(view, shuffled_ids(), directory / name, kAnyFormat, executor);
    ASSERT_TRUE(written.ok()) << written.error().message;
    CollectingSink sink;
    ReadOptions options{.ids = IdKind::dense};  // the rest the file says
    const auto summary = inspect(directory / name, options);
    ASSERT_TRUE(summary.ok()) << summary.error().message;
    EXPECT_EQ(summary->directed, directed);
    const Status read = read_file(directory / name, options, executor, sink);
    ASSERT_TRUE(read.ok()) << read.error().message;
    if (weights == WeightType::float32) {  // as the store narrows them
      for (Edge& edge : sink.collected) edge.weight = static_cast<float>(edge.weight);
    }
    EXPECT_EQ(normalized(sink.collected, directed), normalized(expected_edges(view, shuffled_ids()), directed));
  }
}

TEST(Export, ReadsBackTheSame) {
  for (const char* name :
       {"a.el", "a.csv", "a.tsv", "a.mtx", "a.el.gz", "a.csv.zst", "a.mtx.gz", "a.gml", "a.graphml.gz", "a.json.zst"}) {
    for (const bool directed : {false, true}) {
      for (const WeightType weights : {WeightType::none, WeightType::int32, WeightType::float32, WeightType::float64}) {
        expect_round_trip(name, directed, weights);
      }
    }
  }
  for (const WeightType weights : {WeightType::none, WeightType::int32})
    expect_round_trip("a.graph.zst", false, weights);
  for (const bool directed : {false, true}) {
    expect_round_trip("a.sg", directed, WeightType::none);
    expect_round_trip("a.wsg", directed, WeightType::int32);
  }
}

TEST(Export, NamesGoThroughCsv) {
  const GraphView view = testing::build_graph(3, {{0, 1, 1}, {1, 2, 1}}, {});
  StringColumn names;
  for (const char* name : {"a \"b\", c", "#x", "z"}) names.push_back(name);
  const TemporaryDirectory directory;
  SerialExecutor executor;
  ASSERT_TRUE(export_edges(view, names, directory / "n.csv", kAnyFormat, executor).ok());
  CollectingSink sink;
  ASSERT_TRUE(read_file(directory / "n.csv", {}, executor, sink).ok());
  EXPECT_EQ(sink.collected, (std::vector<Edge>{{"a \"b\", c", "#x"}, {"#x", "z"}}));
}

TEST(Export, StringsStayStringsWhateverTheFirstOnesLookLike) {
  const GraphView view = testing::build_graph(3, {{0, 1, 1}, {1, 2, 1}}, {});
  StringColumn names;
  for (const char* name : {"1", "2", "z"}) names.push_back(name);
  const TemporaryDirectory directory;
  SerialExecutor executor;
  for (const char* name : {"n.csv", "n.el"}) {
    ASSERT_TRUE(export_edges(view, names, directory / name, kAnyFormat, executor).ok());
    const auto summary = inspect(directory / name, {});
    ASSERT_TRUE(summary.ok()) << summary.error().message;
    EXPECT_EQ(summary->ids, IdKind::string) << name;
  }
}

TEST(Export, DocumentsCarryAnyNamesVerticesWithoutEdgesAndColumns) {
  const GraphSchema schema{.directed = true,
                           .weights = WeightType::float64,
                           .ids = IdKind::string,
                           .edge_columns = {{.type = ColumnType::string, .name = "note"}},
                           .vertex_columns = {{.type = ColumnType::date, .name = "born"}}};
  Graph graph = *Graph::in_memory(schema);
  StringColumn ends, others, vertices;
  ColumnValues notes{"note", ColumnType::string, {}, {}, {}};
  ColumnValues born{"born", ColumnType::date, {}, {}, {}};
  const auto bytes = [](const auto& value) { return std::as_bytes(std::span(value)); };
  for (const std::string name : {"a \"b\" <&>", "", "tab\t\nline", "\u00e9\u4e2d"}) {
    ends.push_back(name);
    others.push_back("hub");
    notes.push(bytes(name));
  }
  vertices.push_back("alone");
  born.push(bytes(std::array<std::int32_t, 1>{365}));
  Batch batch;
  batch.add_edges({ends, others, {1, 2.5, -3, 4}, {{notes}}}).add_vertices(vertices, {{born}});
  ASSERT_TRUE(graph.apply(batch).ok());
  const TemporaryDirectory directory;
  SerialExecutor executor;
  for (const char* name : {"n.gml", "n.graphml", "n.json"}) {
    const Status written = export_edges(*graph.snapshot(), directory / name, kAnyFormat, executor);
    ASSERT_TRUE(written.ok()) << written.error().message;
    struct Sink final : BatchSink {
      Status edges(EdgeBatch&& read) override {
        for (std::size_t i = 0; i < read.size(); ++i) {
          const auto note = read.columns.columns.at(0).bytes(i);
          const std::string text(reinterpret_cast<const char*>(note.data()), note.size());
          found[text] = {std::string(std::get<StringColumn>(read.sources)[i]), read.weights.at(i)};
        }
        return {};
      }
      Status vertices(IdColumn&&) override { return {}; }
      Status vertex_values(IdColumn&& ids, ColumnTable&& values) override {
        for (std::size_t i = 0; i < size(ids); ++i) {
          if (values.columns.at(0).is_valid(i)) dated.push_back(std::string(std::get<StringColumn>(ids)[i]));
        }
        vertices_read += size(ids);
        return {};
      }
      std::map<std::string, std::pair<std::string, double>> found;
      std::vector<std::string> dated;
      std::size_t vertices_read = 0;
    } sink;
    const ReadOptions options{.edge_columns = {{"note", ColumnType::string}},
                              .vertex_columns = {{"born", ColumnType::date}}};
    const Status read = read_file(directory / name, options, executor, sink);
    ASSERT_TRUE(read.ok()) << read.error().message;
    ASSERT_EQ(sink.found.size(), 4u) << name;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const std::string id(ends[i]);
      EXPECT_EQ(sink.found.at(id), std::pair(id, std::vector<double>{1, 2.5, -3, 4}[i])) << name;
    }
    EXPECT_EQ(sink.dated, std::vector<std::string>{"alone"}) << name;
    EXPECT_EQ(sink.vertices_read, 6u) << name;
  }
}

TEST(Export, SaysWhatAFormatCannotCarryAndLeavesNothing) {
  const TemporaryDirectory directory;
  SerialExecutor executor;
  StringColumn names;
  for (const char* name : {"a b", "c", "d"}) names.push_back(name);
  const IdColumn gaps = std::vector<std::int64_t>{0, 2, 5};
  const IdColumn numbers = std::vector<std::int64_t>{0, 1, 2};
  const GraphView plain = testing::build_graph(3, {{0, 1, 1}, {1, 2, 1}}, {});
  const GraphView real = testing::build_graph(3, {{0, 1, .5}}, {.weights = WeightType::float64});
  const GraphView arcs = testing::build_graph(3, {{0, 1, 1}}, {.directed = true, .in_edges = false});
  const auto refused = [&](const GraphView& view, const IdColumn& ids, const char* name, const char* why) {
    const Status status = export_edges(view, ids, directory / name, kAnyFormat, executor);
    ASSERT_FALSE(status.ok()) << name;
    EXPECT_EQ(status.error().code, ErrorCode::unsupported);
    EXPECT_THAT(status.error().message, ::testing::HasSubstr(why));
  };
  refused(plain, names, "a.el", "blank");
  refused(plain, names, "a.sg", "strings");
  refused(plain, gaps, "a.mtx", "0..n-1");
  refused(plain, numbers, "a.wsg", ".sg");
  refused(plain, numbers, "a.sg.gz", "not compressed");
  refused(real, numbers, "a.wsg", "integer weights");
  refused(real, numbers, "a.graph", "integer weights");
  refused(arcs, numbers, "a.graph", "directed");
  refused(arcs, numbers, "a.sg", "in-edges");
  refused(plain, numbers, "a.gr", "this format is only read");
  refused(plain, numbers, "a.wel.gz", "write .el");
  const Status unknown = export_edges(plain, numbers, directory / "a.foo", kAnyFormat, executor);
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code, ErrorCode::invalid_argument);
  EXPECT_TRUE(std::filesystem::is_empty(directory / ""));
}

TEST(Export, AnErrorLeavesTheOldFile) {
  const TemporaryDirectory directory;
  const auto file = directory.write("a.el", "old");
  PoolExecutor executor(1, 1);
  const GraphView view = testing::build_graph(3, {{0, 1, 1}}, {});
  const Status status = export_edges(view, IdColumn(std::vector<std::int64_t>{0, 1, 2}), file, kAnyFormat, executor);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::cancelled);
  EXPECT_EQ(std::filesystem::file_size(file), 3u);
}

}  // namespace
}  // namespace rizoma
