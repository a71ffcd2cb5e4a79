// Each format against expectations written by hand, whatever the threads and the size of chunks.
#include "ingest/import_format.h"
#include "testing/ingest_support.h"
#include "testing/shared_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace rizoma {
namespace {

using testing::CollectingSink;
using testing::format_example;
using testing::PoolExecutor;
using testing::TemporaryDirectory;
using Edge = CollectingSink::Edge;

std::vector<Edge> sorted(std::vector<Edge> edges) {
  std::sort(edges.begin(), edges.end());
  return edges;
}

/// Undirected edges in one direction: formats differ in which end they name first.
std::vector<Edge> undirected(std::vector<Edge> edges) {
  for (Edge& edge : edges) {
    if (edge.target < edge.source) std::swap(edge.source, edge.target);
  }
  return sorted(std::move(edges));
}

struct Read {
  std::vector<Edge> edges;
  std::vector<std::string> vertices;
};

Read must_read(const std::filesystem::path& file, const ReadOptions& options = {}, unsigned threads = 2,
               std::size_t chunk_bytes = 7) {
  PoolExecutor executor(threads);
  CollectingSink sink;
  const Status status = read_request({.file = file, .options = options, .chunk_bytes = chunk_bytes}, executor, sink);
  EXPECT_TRUE(status.ok()) << (status ? "" : status.error().message);
  EXPECT_FALSE(sink.overlapping);
  return {std::move(sink.collected), std::move(sink.vertex_ids)};
}

FileSummary must_inspect(const std::filesystem::path& file, const ReadOptions& options = {}) {
  const Result<FileSummary> summary = inspect(file, options);
  EXPECT_TRUE(summary.ok()) << (summary ? "" : summary.error().message);
  return summary ? *summary : FileSummary{};
}

const std::vector<Edge> kTail = {{"0", "1", 5}, {"0", "2", 7}, {"1", "2", 2}, {"2", "3", 9}};
const std::vector<Edge> kPlainTail = {{"0", "1"}, {"0", "2"}, {"1", "2"}, {"2", "3"}};

struct Example {
  const char* file;
  std::string_view format;
  WeightType weights;
  std::uint64_t num_vertices;
  ReadOptions options = {};
};

class Examples : public ::testing::TestWithParam<Example> {};

TEST_P(Examples, GiveTheSameGraphForAllThreadsAndChunkSizes) {
  const Example& example = GetParam();
  const auto file = format_example(example.file);
  const FileSummary summary = must_inspect(file, example.options);
  EXPECT_EQ(summary.format, example.format);
  EXPECT_EQ(summary.weights, example.weights);
  EXPECT_EQ(summary.num_vertices, example.num_vertices);
  EXPECT_EQ(summary.ids, IdKind::dense);
  EXPECT_EQ(summary.directed, example.options.directed.value_or(false));
  for (const unsigned threads : {1u, 2u, 3u, 4u}) {
    for (const std::size_t chunk : {1, 2, 3, 5, 16, 1000}) {
      const Read read = must_read(file, example.options, threads, chunk);
      EXPECT_EQ(undirected(read.edges), example.weights == WeightType::none ? kPlainTail : kTail)
          << threads << " threads, chunks of " << chunk;
      if (example.num_vertices != 0) {
        EXPECT_EQ(read.vertices, (std::vector<std::string>{"0", "1", "2", "3", "4"})) << "the header names them all";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Tail, Examples,
    ::testing::Values(Example{"tail.el", "edge_list", WeightType::none, 0},
                      Example{"tail.el.gz", "edge_list", WeightType::none, 0},
                      Example{"tail.wel", "edge_list", WeightType::float64, 0},
                      Example{"tail.wel.zst", "edge_list", WeightType::float64, 0},
                      Example{"tail.csv", "csv", WeightType::float64, 0},
                      Example{"tail.csv", "csv", WeightType::float64, 0, {.weight_column = "weight"}},
                      Example{"tail-columns.csv",
                              "csv",
                              WeightType::float64,
                              0,
                              {.source_column = "from", .target_column = "to", .weight_column = "the cost"}},
                      Example{"tail-columns.csv",
                              "csv",
                              WeightType::float64,
                              0,
                              {.source_column = "2", .target_column = "0", .weight_column = "1"}},
                      Example{"tail.mtx", "matrix_market", WeightType::int32, 5, {}},
                      Example{"tail.graph", "metis", WeightType::int32, 5},
                      Example{"tail-sizes.graph", "metis", WeightType::int32, 5},
                      Example{"tail.sg", "gapbs", WeightType::none, 5},
                      Example{"tail.wsg", "gapbs", WeightType::int32, 5},
                      Example{"tail.gr", "dimacs", WeightType::int32, 5, {.directed = false}}),
    [](const auto& example) {
      std::string name = std::to_string(example.index) + example.param.file;
      std::replace_if(
          name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
      return name;
    });

TEST(Graphalytics, AnyOfTheThreeFilesNamesTheGraph) {
  for (const char* name : {"tail.v", "tail.e", "tail.properties"}) {
    const FileSummary summary = must_inspect(format_example(name));
    EXPECT_EQ(summary.format, "graphalytics");
    EXPECT_EQ(summary.weights, WeightType::float64);
    EXPECT_EQ(summary.ids, IdKind::dense);
    const Read read = must_read(format_example(name));
    EXPECT_EQ(read.edges, kTail);
    EXPECT_EQ(read.vertices, (std::vector<std::string>{"0", "1", "2", "3", "4"}));
  }
}

TEST(Graphalytics, NeedsBothFiles) {
  const TemporaryDirectory directory;
  const auto file = directory.write("alone.e", "0 1\n");
  const auto summary = inspect(file, {.format = "graphalytics"});
  ASSERT_FALSE(summary.ok());
  EXPECT_EQ(summary.error().code, ErrorCode::not_found);
}

TEST(EdgeList, StringIds) {
  const FileSummary summary = must_inspect(format_example("names.el"));
  EXPECT_EQ(summary.ids, IdKind::string);
  EXPECT_EQ(must_read(format_example("names.el")).edges,
            (std::vector<Edge>{{"ann", "bob"}, {"ann", "carl"}, {"bob", "carl"}, {"carl", "dora"}}));
}

TEST(EdgeList, DetailsOfLines) {
  const TemporaryDirectory directory;
  const std::string text = "\xEF\xBB\xBF# comment\r\n\r\n  0 1\r\n%other\n1\t \t2  \n2\t0 \r\n0 2 # why\n1 0";
  const auto file = directory.write("lines.txt", text);
  const std::vector<Edge> expected = {{"0", "1"}, {"1", "2"}, {"2", "0"}, {"0", "2"}, {"1", "0"}};
  for (const std::size_t chunk : {1, 2, 3, 4, 11, 1000}) EXPECT_EQ(must_read(file, {}, 3, chunk).edges, expected);
}

TEST(EdgeList, ExtremeIntegers) {
  const TemporaryDirectory directory;
  const auto file = directory.write("wide.el", "-9223372036854775808 9223372036854775807\n12 12345678\n-1 123456789\n");
  EXPECT_EQ(must_inspect(file).ids, IdKind::integer);
  EXPECT_EQ(
      must_read(file).edges,
      (std::vector<Edge>{{"-9223372036854775808", "9223372036854775807"}, {"12", "12345678"}, {"-1", "123456789"}}));
}

TEST(EdgeList, EmptyFilesAreEmptyGraphs) {
  const TemporaryDirectory directory;
  for (const char* text : {"", "\n\n", "# only a comment", "\xEF\xBB\xBF"}) {
    const auto file = directory.write("empty.txt", text);
    EXPECT_EQ(must_inspect(file).ids, IdKind::dense);
    EXPECT_TRUE(must_read(file).edges.empty());
  }
}

TEST(EdgeList, DirectionFromTheComment) {
  const TemporaryDirectory directory;
  EXPECT_TRUE(must_inspect(directory.write("d.txt", "# Directed graph (each pair once)\n0 1\n")).directed);
  EXPECT_TRUE(must_inspect(directory.write("d.csv", "# Directed graph\nsource,target\n0,1\n")).directed);
  EXPECT_FALSE(must_inspect(directory.write("u.csv", "# a graph\nsource,target\n0,1\n")).directed);
  EXPECT_FALSE(must_inspect(directory.write("u.txt", "# Undirected graph\n0 1\n")).directed);
}

TEST(EdgeList, ALineOfNamesIsAHeader) {
  const TemporaryDirectory directory;
  const auto file = directory.write("h.txt", "# made by hand\n\nsource target\nann bob\n# more\nbob cem\n");
  const std::vector<Edge> expected = {{"ann", "bob"}, {"bob", "cem"}};
  for (const std::size_t chunk : {1, 2, 5, 30, 1000}) EXPECT_EQ(must_read(file, {}, 3, chunk).edges, expected);
  EXPECT_THAT(must_inspect(file).notes, ::testing::Contains(::testing::HasSubstr("'source' and 'target'")));
  EXPECT_EQ(must_read(file, {.header = false}).edges.size(), 3U);
  EXPECT_EQ(must_read(directory.write("n.txt", "FromNodeId\tToNodeId\n0\t1\n1\t2\n")).edges,
            (std::vector<Edge>{{"0", "1"}, {"1", "2"}}));
  EXPECT_EQ(must_read(directory.write("w.txt", "from to weight\na b 1.5\n")).edges,
            (std::vector<Edge>{{"a", "b", 1.5}}));
  EXPECT_EQ(must_read(directory.write("x.txt", "x y\na b\n"), {.header = true}).edges, (std::vector<Edge>{{"a", "b"}}));
}

TEST(EdgeList, ALineOfIdsIsNone) {
  const TemporaryDirectory directory;
  EXPECT_EQ(must_read(directory.write("a.txt", "user friend\nfriend enemy\n")).edges.size(), 2U);
  EXPECT_EQ(must_read(directory.write("b.txt", "ann bob\ncem dee\n")).edges.size(), 2U);
  EXPECT_EQ(must_read(directory.write("c.txt", "source target\n")).edges.size(), 1U);
  for (const char* text : {"target source\na b\n", "id source target\n1 a b\n"}) {
    const auto summary = inspect(directory.write("d.txt", text));
    ASSERT_FALSE(summary.ok()) << text;
    EXPECT_THAT(summary.error().message, ::testing::HasSubstr("format=\"csv\""));
  }
}

TEST(EdgeList, ColumnsThatAreNotReadAreSaid) {
  const TemporaryDirectory directory;
  const auto file = directory.write("t.txt", "1 2 1577836800\n2 3 1577836801 # late\n");
  EXPECT_THAT(must_inspect(file).notes, ::testing::ElementsAre(::testing::StartsWith("not read: column 2, counted")));
  EXPECT_TRUE(must_inspect(file, {.weighted = true}).notes.empty());
  EXPECT_THAT(must_inspect(directory.write("u.txt", "1 2 3 4 5\n")).notes,
              ::testing::ElementsAre(::testing::HasSubstr("columns 2 to 4")));
  EXPECT_TRUE(must_inspect(directory.write("v.txt", "1 2 # a comment\n")).notes.empty());
}

TEST(EdgeList, LongLines) {
  const TemporaryDirectory directory;
  const auto file =
      directory.write("long.el", "# " + std::string(100000, 'x') + "\n0" + std::string(50000, ' ') + "1\n");
  EXPECT_EQ(must_read(file).edges, (std::vector<Edge>{{"0", "1"}}));
}

TEST(IdKinds, FollowTheRule) {
  const TemporaryDirectory directory;
  const std::map<std::string, IdKind> rule = {
      {"0 1\n1 2\n", IdKind::dense},      {"1 2\n2 3\n", IdKind::integer},     {"0 1\n1 3\n", IdKind::integer},
      {"a b\n", IdKind::string},          {"a b\n1 2\nc 3\n", IdKind::string}, {"0 1\n1 x\n", IdKind::dense},
      {"x 1\n0 1\n1 0\n", IdKind::dense}, {"-1 0\n", IdKind::integer},
  };
  for (const auto& [text, kind] : rule) EXPECT_EQ(must_inspect(directory.write("ids.txt", text)).ids, kind) << text;
}

TEST(IdKinds, OfALongFileComeFromItsBeginning) {
  const TemporaryDirectory directory;
  std::string dense, counted_from_1, sparse;
  for (int i = 0; i < 200000; ++i) {
    dense += std::to_string((i * 7919LL + 40) % 90000 + 2) + " " + std::to_string((i * 104729LL) % 90000 + 2) + "\n";
    counted_from_1 += std::to_string(i % 1000 + 1) + " " + std::to_string(i + 1) + "\n";
    sparse += std::to_string(i * 1000000LL) + " " + std::to_string(i + 7) + "\n";
  }
  EXPECT_EQ(must_inspect(directory.write("a.txt", dense)).ids, IdKind::dense);
  EXPECT_EQ(must_inspect(directory.write("b.txt", counted_from_1)).ids, IdKind::integer);
  EXPECT_EQ(must_inspect(directory.write("c.txt", sparse)).ids, IdKind::integer);
}

TEST(Csv, HeaderDelimiterAndQuotes) {
  const TemporaryDirectory directory;
  EXPECT_EQ(must_read(directory.write("a.csv", "x;y\n0;1\n1;2\n")).edges, (std::vector<Edge>{{"0", "1"}, {"1", "2"}}));
  EXPECT_EQ(must_read(directory.write("b.tsv", "0\t1\n1\t0\n")).edges, (std::vector<Edge>{{"0", "1"}, {"1", "0"}}));
  EXPECT_EQ(must_read(directory.write("c.csv", "source,target\nann,\"bob \"\"b\"\", jr\"\n")).edges,
            (std::vector<Edge>{{"ann", "bob \"b\", jr"}}));
  EXPECT_EQ(must_read(directory.write("d.csv", "a,b\nc,d\nb,c\n")).edges,
            (std::vector<Edge>{{"a", "b"}, {"c", "d"}, {"b", "c"}}));
  EXPECT_EQ(must_read(directory.write("e.csv", "a,b\nc,d\n"), {.header = true}).edges, (std::vector<Edge>{{"c", "d"}}));
  EXPECT_EQ(must_read(directory.write("f.csv", "# note\n\n0,1,x y\r\n1,0,\r\n")).edges,
            (std::vector<Edge>{{"0", "1"}, {"1", "0"}}));
  EXPECT_EQ(must_read(directory.write("g.txt", "0,1\n1,0\n")).edges, (std::vector<Edge>{{"0", "1"}, {"1", "0"}}));
}

TEST(Csv, BarsSeparateAndBlanksAroundNamesAreSaid) {
  const TemporaryDirectory directory;
  EXPECT_EQ(must_read(directory.write("a.csv", "source|target\nann|bob\n")).edges, (std::vector<Edge>{{"ann", "bob"}}));
  const auto blanks = directory.write("b.csv", "source, target\nann, bob\n");
  EXPECT_THAT(must_inspect(blanks).notes, ::testing::Contains(::testing::HasSubstr("' bob' is not 'bob'")));
  const auto numbers = must_inspect(directory.write("c.csv", "source, target\n1, 2\n")).notes;
  EXPECT_THAT(numbers, ::testing::Not(::testing::Contains(::testing::HasSubstr("blanks"))));
  EXPECT_THAT(must_inspect(directory.write("d.csv", "1,2\n2,3\n")).notes,
              ::testing::Contains("source is column 0, target is column 1"));
}

/// Headers as people have them, each before a line of strings and one of numbers.
TEST(Csv, UsualHeadersAreHeaders) {
  const TemporaryDirectory directory;
  struct Case {
    std::string header;
    std::string row;
    Edge edge;
  };
  const std::vector<Case> cases{
      {"buyer,seller,amount", "ann,bob,7", {"ann", "bob"}},
      {"from_id,to_id", "ann,bob", {"ann", "bob"}},
      {"user,friend", "ann,bob", {"ann", "bob"}},
      {"node1,node2", "ann,bob", {"ann", "bob"}},
      {"FromNodeId,ToNodeId", "3,4", {"3", "4"}},
      {"Id,Source,Target", "1,ann,bob", {"ann", "bob"}},
      {":START_ID,:END_ID,:TYPE", "ann,bob,KNOWS", {"ann", "bob"}},
      {"id,name,src,dst", "1,x,ann,bob", {"ann", "bob"}},
      {",source,target", "0,ann,bob", {"ann", "bob"}},
      {"source,target,w", "ann,bob,2.5", {"ann", "bob", 2.5}},
      {"from_id,from_name,to_id,to_name", "5,Ann,6,Bob", {"5", "6"}},
      {"person_a,person_b", "ann,bob", {"ann", "bob"}},
      {"target,source", "bob,ann", {"ann", "bob"}},
      {"follower;followee", "ann;bob", {"ann", "bob"}},
      {"origin,dest,miles", "JFK,LAX,2475", {"JFK", "LAX"}},
      {"customerId,productId", "12,34", {"12", "34"}},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(must_read(directory.write("a.csv", c.header + '\n' + c.row + '\n')).edges, (std::vector<Edge>{c.edge}))
        << c.header;
  }
}

TEST(Csv, WhatCanBeReadInTwoWaysIsRefusedWithBoth) {
  const TemporaryDirectory directory;
  const auto refused = [&](const std::string& text) {
    const auto summary = inspect(directory.write("a.csv", text));
    return summary.ok() ? std::string() : summary.error().message;
  };
  EXPECT_THAT(refused("ann,bob\ncem,dee\n"),
              ::testing::AllOf(::testing::HasSubstr("as a header"), ::testing::HasSubstr("an edge from 'ann' to 'bob'"),
                               ::testing::HasSubstr("header=False")));
  EXPECT_THAT(refused("id,name,city\n1,ann,rome\n2,bob,oslo\n"), ::testing::HasSubstr("source="));
  EXPECT_THAT(refused("x,y,likes\nann,bob,3\n"), ::testing::HasSubstr("from 'x' to 'y', or from 'y' to 'likes'"));
  EXPECT_THAT(refused("ann,knows,bob\nbob,knows,cem\n"), ::testing::HasSubstr("do not tell which two"));
  EXPECT_THAT(refused("0,1,0,1\n1,0,1,0\n0,1,0,1\n1,0,1,0\n"), ::testing::HasSubstr("adjacency matrix"));
  EXPECT_EQ(refused("ann,bob\nbob,cem\n"), "");  // bob is a vertex
  EXPECT_EQ(refused("ann,bob\n"), "");
  EXPECT_EQ(must_read(directory.write("b.csv", "ann,bob\ncem,dee\n"), {.header = false}).edges.size(), 2U);
}

/// Comments are what the format says: a row may begin with '#'.
TEST(Csv, RowsThatBeginWithAHashAreRows) {
  const TemporaryDirectory directory;
  const std::vector<Edge> tags{{"#a", "ann"}, {"ann", "#b"}, {"#b", "bob"}};
  EXPECT_EQ(must_read(directory.write("a.csv", "source,target\n#a,ann\nann,#b\n#b,bob\n")).edges, tags);
  EXPECT_EQ(must_read(directory.write("b.csv", "#a,ann\nann,#b\n#b,bob\n")).edges, tags);
  EXPECT_EQ(must_read(directory.write("c.csv", "# made by hand\n\n#source,target\n1,2\n")).edges,
            (std::vector<Edge>{{"1", "2"}}));
  const auto comment = directory.write("d.csv", "source,target\n1,2\n# a comment\n2,3\n");
  PoolExecutor executor(1);
  CollectingSink sink;
  EXPECT_THAT(read_file(comment, {}, executor, sink).error().message, ::testing::HasSubstr("comment=\"#\""));
  EXPECT_EQ(must_read(comment, {.comment = '#'}).edges, (std::vector<Edge>{{"1", "2"}, {"2", "3"}}));
  EXPECT_EQ(must_read(directory.write("e.txt", "#a #b\nann bob\n"), {.comment = '\0'}).edges,
            (std::vector<Edge>{{"#a", "#b"}, {"ann", "bob"}}));
}

TEST(Csv, RowsSayWhetherTheyHaveADirection) {
  const TemporaryDirectory directory;
  const auto file =
      directory.write("a.csv", "Source,Target,Type,Weight\na,b,Directed,1\nb,a,Directed,2\nb,c,Undirected,3\n");
  EXPECT_TRUE(must_inspect(file).directed);
  EXPECT_THAT(must_inspect(file).notes, ::testing::Each(::testing::Not(::testing::HasSubstr("not read"))));
  const std::vector<Edge> all{{"a", "b", 1}, {"b", "a", 2}, {"b", "c", 3}, {"c", "b", 3}};
  EXPECT_EQ(must_read(file).edges, all);
  EXPECT_EQ(must_read(file, {.directed = false}).edges.size(), 3U);
  const auto none = directory.write("b.csv", "Source,Target,Type\na,b,Undirected\nb,b,undirected\n");
  EXPECT_FALSE(must_inspect(none).directed);
  EXPECT_EQ(must_read(none, {.directed = true}).edges, (std::vector<Edge>{{"a", "b"}, {"b", "a"}, {"b", "b"}}));
}

TEST(EdgeList, WhatKonectSaysIsHeard) {
  const TemporaryDirectory directory;
  EXPECT_TRUE(must_inspect(directory.write("out.a", "% asym unweighted\n1 2\n")).directed);
  const auto undirected = directory.write("out.s", "% sym unweighted\n1 2\n");
  EXPECT_FALSE(must_inspect(undirected).directed);
  EXPECT_EQ(must_read(undirected, {.directed = true}).edges, (std::vector<Edge>{{"1", "2"}, {"2", "1"}}));
  const auto sides = directory.write("out.b", "% bip unweighted\n% 4 2 3\n1 1\n1 2\n2 1\n2 3\n");
  EXPECT_EQ(must_read(sides).edges, (std::vector<Edge>{{"1", "3"}, {"1", "4"}, {"2", "3"}, {"2", "5"}}));
  EXPECT_THAT(must_inspect(sides).notes, ::testing::Contains(::testing::HasSubstr("renumbered, from 3 on")));
  EXPECT_EQ(must_read(sides, {.format = "edge_list"}).edges.front(), (Edge{"1", "1"}));
  const auto summary = inspect(directory.write("out.c", "% bip unweighted\n1 1\n"));
  ASSERT_FALSE(summary.ok());
  EXPECT_THAT(summary.error().message, ::testing::HasSubstr("are numbered separately"));
}

TEST(EdgeList, WhatKonectSaysOfWeightsIsHeard) {
  const TemporaryDirectory directory;
  for (const std::string word : {"posweighted", "signed", "positive"}) {
    const auto file = directory.write("out.w", "% asym " + word + "\n1 2 5\n");
    EXPECT_EQ(must_read(file).edges, (std::vector<Edge>{{"1", "2", 5}})) << word;
    EXPECT_THAT(must_inspect(file).notes,
                ::testing::Contains("the comment '" + word + "' says that the third column is the weight"));
    EXPECT_EQ(must_inspect(directory.write("out.x", "% asym " + word + "\n1 2\n")).weights, WeightType::none);
  }
  for (const std::string head : {"% sym unweighted", "% sym dynamic", "% sums weighted"})
    EXPECT_EQ(must_inspect(directory.write("out.n", head + "\n1 2 5\n")).weights, WeightType::none) << head;
}

TEST(EdgeList, AMatrixIsNoList) {
  const TemporaryDirectory directory;
  const auto file = directory.write("a.txt", "0 1 0 1\n1 0 1 0\n0 1 0 1\n1 0 1 0\n");
  const auto summary = inspect(file);
  ASSERT_FALSE(summary.ok());
  EXPECT_THAT(summary.error().message, ::testing::HasSubstr("adjacency matrix"));
  EXPECT_TRUE(inspect(directory.write("b.txt", "0 1 5\n1 2 3\n2 0 4\n")).ok());
}

TEST(Dimacs, ColouringsAreUndirectedAndHaveNoWeights) {
  const TemporaryDirectory directory;
  const auto file = directory.write("a.col", "c four\np edge 4 2\ne 1 2\ne 2 3\n");
  const FileSummary summary = must_inspect(file);
  EXPECT_EQ(std::tuple(summary.directed, summary.weights, summary.num_vertices),
            std::tuple(false, WeightType::none, 4U));
  EXPECT_EQ(must_read(file).edges, (std::vector<Edge>{{"0", "1"}, {"1", "2"}}));
  EXPECT_EQ(must_inspect(directory.write("b.txt", "p col 2 1\ne 1 2\n")).format, "dimacs");
  EXPECT_FALSE(inspect(file, {.weighted = true}).ok());
}

TEST(Ids, WholeNumbersHaveOneForm) {
  const TemporaryDirectory directory;
  const std::vector<Edge> edges{{"1", "2"}, {"2", "3"}, {"3", "1"}};
  EXPECT_EQ(must_read(directory.write("a.csv", "source,target\n1,2.0\n2,3.0\n3,1.0\n")).edges, edges);
  EXPECT_EQ(must_read(directory.write("a.txt", "1 2.0\n2.0 3\n3.00 1\n")).edges, edges);
  EXPECT_EQ(must_inspect(directory.write("b.txt", "1.5 2\n2 3\n3.5 1\n")).ids, IdKind::string);
}

TEST(Content, IsHeardWhereANameLies) {
  const TemporaryDirectory directory;
  const std::string json = R"({"directed": true, "nodes": [{"id": 1}], "edges": []})";
  EXPECT_EQ(must_inspect(directory.write("a.txt", json)).format, "json");
  for (const char* name : {"a.csv", "a.el"}) {
    const auto summary = inspect(directory.write(name, json));
    ASSERT_FALSE(summary.ok()) << name;
    EXPECT_THAT(summary.error().message, ::testing::HasSubstr("by its content json"));
  }
  const auto pointer = inspect(directory.write("b.csv", "version https://git-lfs.github.com/spec/v1\noid sha256:4d\n"));
  ASSERT_FALSE(pointer.ok());
  EXPECT_THAT(pointer.error().message, ::testing::HasSubstr("git lfs pull"));
}

TEST(Csv, LinesThatEndInCarriageReturnsAloneAreNoEmptyGraph) {
  const TemporaryDirectory directory;
  for (const char* text : {"source,target\rann,bob\r", "source,target\rann,bob\rbob,cem", "1,2\r3,4\r"}) {
    const auto summary = inspect(directory.write("a.csv", text));
    ASSERT_FALSE(summary.ok()) << text;
    EXPECT_THAT(summary.error().message, ::testing::HasSubstr("carriage return"));
  }
  EXPECT_EQ(must_read(directory.write("b.csv", "source,target\r\nann,bob\r\n")).edges,
            (std::vector<Edge>{{"ann", "bob"}}));
  EXPECT_EQ(must_read(directory.write("c.csv", "source,target\r\nann,bob\r")).edges,
            (std::vector<Edge>{{"ann", "bob"}}));
}

TEST(Csv, LeadingZerosAreKept) {
  const TemporaryDirectory directory;
  const auto zips = directory.write("a.csv", "from,to\n00501,10001\n10001,501\n");
  EXPECT_EQ(must_inspect(zips).ids, IdKind::string);
  EXPECT_EQ(must_read(zips).edges, (std::vector<Edge>{{"00501", "10001"}, {"10001", "501"}}));
  EXPECT_THAT(must_inspect(zips).notes, ::testing::Contains(::testing::HasSubstr("'00501' would lose")));
  EXPECT_EQ(must_inspect(directory.write("b.el", "007 8\n8 9\n")).ids, IdKind::string);
  const auto integers = directory.write("c.csv", "1,2\n2,007\n");
  PoolExecutor executor(1);
  CollectingSink sink;
  EXPECT_FALSE(read_file(integers, {.ids = IdKind::integer}, executor, sink).ok());
  EXPECT_EQ(must_read(integers, {.ids = IdKind::integer, .leading_zeros = true}).edges,
            (std::vector<Edge>{{"1", "2"}, {"2", "7"}}));
  const auto great = directory.write("d.el", "9223372036854775808 1\n9223372036854775809 2\n");
  EXPECT_EQ(must_inspect(great).ids, IdKind::string);
  EXPECT_THAT(must_inspect(great).notes, ::testing::Contains(::testing::HasSubstr("does not fit 64 bits")));
}

/// Counts what comes, and what was left out.
struct CountingSink final : public BatchSink {
  Status edges(EdgeBatch&& batch) override {
    rows += batch.size();
    sum = std::accumulate(batch.weights.begin(), batch.weights.end(), sum);
    EXPECT_EQ(batch.weights.size(), batch.size());
    return {};
  }
  Status vertices(IdColumn&&) override { return {}; }
  void left_out(const LeftOut& lines) override {
    bad += lines.skipped_errors;
    null += lines.null_lines;
  }
  std::uint64_t rows = 0, bad = 0, null = 0;
  double sum = 0;
};

TEST(Csv, LinesAreLeftOutOnlyAsAskedFor) {
  const TemporaryDirectory directory;
  const auto file = directory.write("a.csv", "source,target,weight\n1,2,3\n1,2\n4,x,1\n5,NA,2\n6,7,NA\n8,9,1\n");
  PoolExecutor executor(2);
  CountingSink sink;
  const ReadOptions tolerant{.ids = IdKind::integer, .null_text = "NA", .skip_errors = 2};
  ASSERT_TRUE(read_file(file, tolerant, executor, sink).ok());
  EXPECT_EQ(std::tuple(sink.rows, sink.bad, sink.null), std::tuple(2U, 2U, 2U));
  ReadOptions strict = tolerant;
  strict.skip_errors = 1;
  const Status status = read_file(file, strict, executor, sink);
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().message, ::testing::HasSubstr("a.csv:3"));
}

TEST(EdgeList, LinesAreLeftOutOnlyAsAskedFor) {
  const TemporaryDirectory directory;
  // Without a target, with a name, without a weight, with text after the weight: left out, weights and all.
  const auto file = directory.write("a.wel", "1 2 3\n7\n4 x 1\n5 6\n6 7 100 !\n8 9 1\n\n# 1 2\n");
  PoolExecutor executor(2);
  CountingSink sink;
  ReadOptions options{.ids = IdKind::integer, .skip_errors = 4};
  ASSERT_TRUE(read_file(file, options, executor, sink).ok());
  EXPECT_EQ(std::tuple(sink.rows, sink.bad, sink.sum), std::tuple(2U, 4U, 4.0));
  options.skip_errors = 3;
  const Status status = read_file(file, options, executor, sink);
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().message, ::testing::HasSubstr("a.wel:2:2: found the end of the line"));
}

TEST(EdgeList, AMalformedLineDoesNotTellWhatIdsAre) {
  const TemporaryDirectory directory;
  const auto file = directory.write("a.el", "oops\n0 1\n1 2\n");
  EXPECT_EQ(must_inspect(file, {.skip_errors = 1}).ids, IdKind::dense);
}

TEST(Csv, DecimalCommas) {
  const TemporaryDirectory directory;
  const auto file = directory.write("a.csv", "source;target;weight\n1;2;3,5\n2;3;-1e1\n3;1; ,25 \n");
  const ReadOptions commas{.decimal = ','};
  EXPECT_EQ(must_inspect(file, commas).weights, WeightType::float64);
  EXPECT_EQ(must_read(file, commas).edges, (std::vector<Edge>{{"1", "2", 3.5}, {"2", "3", -10}, {"3", "1", .25}}));
  EXPECT_THAT(
      must_inspect(file).notes,
      ::testing::Contains(::testing::HasSubstr("'weight' is text: it looks like numbers, which decimal=\",\"")));
  PoolExecutor executor(2);
  CountingSink sink;
  const Status points = read_file(file, {.weight_column = "weight"}, executor, sink);
  ASSERT_FALSE(points.ok());
  EXPECT_THAT(points.error().message, ::testing::HasSubstr("a.csv:2:5: found '3,5', expected a weight"));
  EXPECT_THAT(points.error().message, ::testing::HasSubstr("decimal=\",\""));
  const auto tabs = directory.write("b.tsv", "1,5\t2,5\t3,5\n");
  EXPECT_EQ(must_read(tabs, {.ids = IdKind::string, .weighted = true, .decimal = ','}).edges,
            (std::vector<Edge>{{"1,5", "2,5", 3.5}}));
  EXPECT_EQ(read_file(file, {.delimiter = ',', .decimal = ','}, executor, sink).error().code,
            ErrorCode::invalid_argument);
}

TEST(Csv, AFieldOverSeveralLinesIsRefusedWithItsPlace) {
  const TemporaryDirectory directory;
  const auto file = directory.write("a.csv", "source,target,note\n1,2,\"one\ntwo\"\n");
  PoolExecutor executor(2);
  CountingSink sink;
  const Status status = read_file(file, {}, executor, sink);
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().message, ::testing::HasSubstr("a.csv:2:9: found the end of the line"));
  EXPECT_THAT(status.error().message, ::testing::HasSubstr("multiline=True"));
}

TEST(MatrixMarket, Symmetries) {
  const TemporaryDirectory directory;
  const auto general =
      directory.write("g.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 .5\n3 3 -1e1 \n");
  EXPECT_TRUE(must_inspect(general).directed);
  EXPECT_EQ(must_read(general).edges, (std::vector<Edge>{{"0", "1", .5}, {"2", "2", -10}}));
  const auto skew = directory.write("k.mtx", "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 4\n");
  EXPECT_EQ(must_read(skew).edges, (std::vector<Edge>{{"1", "0", 4}, {"0", "1", -4}}));
  const auto symmetric =
      directory.write("s.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n");
  EXPECT_EQ(must_read(symmetric).edges, (std::vector<Edge>{{"0", "0"}, {"1", "0"}}));
  EXPECT_EQ(must_read(symmetric, {.directed = true}).edges, (std::vector<Edge>{{"0", "0"}, {"1", "0"}, {"0", "1"}}));
  const Read rows = must_read(symmetric, {.ids = IdKind::integer});
  EXPECT_EQ(rows.edges, (std::vector<Edge>{{"1", "1"}, {"2", "1"}}));
  EXPECT_EQ(rows.vertices, (std::vector<std::string>{"1", "2"}));
}

TEST(Compression, SeveralMembersAndFramesFollowEachOther) {
  const TemporaryDirectory directory;
  for (const char* ending : {".gz", ".zst"}) {
    const bool gzip = std::string(ending) == ".gz";
    std::ifstream in(format_example(gzip ? "tail.el.gz" : "tail.wel.zst"), std::ios::binary);
    const std::string one((std::istreambuf_iterator<char>(in)), {});
    const auto file = directory.write(std::string("twice.") + (gzip ? "el" : "wel") + ending, one + one);
    EXPECT_EQ(must_read(file).edges.size(), 8u);
  }
}

TEST(Compression, EveryTruncationIsAnError) {
  const TemporaryDirectory directory;
  for (const char* name : {"tail.el.gz", "tail.wel.zst"}) {
    std::ifstream in(format_example(name), std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(in)), {});
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const auto file = directory.write(name, std::string_view(whole).substr(0, size));
      CollectingSink sink;
      SerialExecutor executor;
      const Status status = read_file(file, {}, executor, sink);
      ASSERT_FALSE(status.ok()) << name << " cut to " << size;
      EXPECT_EQ(status.error().code, ErrorCode::corrupt);
    }
  }
}

TEST(Sinks, ErrorOfTheSinkEndsTheReading) {
  const TemporaryDirectory directory;
  std::string text;
  for (int i = 0; i < 10000; ++i) text += "0 1\n";
  CollectingSink sink;
  sink.stop_after = 5;
  PoolExecutor executor(4);
  const Status status = read_request({.file = directory.write("a.el", text), .chunk_bytes = 100}, executor, sink);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message, "the sink is full");
  EXPECT_EQ(sink.batches, 5u);
}

TEST(Sinks, StoppingEndsTheReading) {
  const TemporaryDirectory directory;
  CollectingSink sink;
  PoolExecutor executor(2, 1);
  const Status status = read_request({.file = directory.write("a.el", "0 1\n")}, executor, sink);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::cancelled);
}

TEST(Files, ThatCannotBeRead) {
  CollectingSink sink;
  SerialExecutor executor;
  EXPECT_EQ(read_file("no/such.el", {}, executor, sink).error().code, ErrorCode::not_found);
  EXPECT_EQ(inspect(".", {}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(inspect("a.parquet", {}).error().code, ErrorCode::unsupported);
}

TEST(GapTests, EncodingsOfOneGraphAgree) {
  std::vector<std::vector<Edge>> graphs;
  for (const char* name : {"4.wel", "4w.mtx", "4.gr", "4.el", "4.mtx"}) {
    RIZOMA_SHARED_DATA(file, std::string("expected/gapbs-tests/") + name);
    graphs.push_back(sorted(must_read(file, {.directed = true}, 2, 64).edges));
  }
  EXPECT_EQ(graphs[0].size(), 256u);
  EXPECT_EQ(graphs[0], graphs[1]);
  EXPECT_EQ(graphs[0], graphs[2]);
  EXPECT_EQ(graphs[3], graphs[4]);
  for (Edge& edge : graphs[0]) edge.weight = 1;
  EXPECT_EQ(sorted(graphs[0]), graphs[3]);
}

TEST(RealFiles, HaveAsManyEdgesAsTheyShould) {
  const std::map<std::string, std::size_t> counts = {
      {"expected/lagraph-small/karate.mtx", 78},
      {"expected/lagraph-small/west0067.mtx", 294},
      {"expected/lagraph-small/ldbc-directed-example.mtx", 17},
      {"expected/lagraph-small/pushpull.mtx", 99208},
      {"small/nk-karate.graph.zst", 78},
      {"small/nk-jazz.graph.zst", 2742},
      {"small/nk-lesmis.graph.zst", 254},
      {"small/snap-kuzu-email-Eu-core.csv.zst", 25571},
      {"wiki-Vote.el.zst", 103689},
      {"expected/libgrape-p2p31/p2p-31.e.gz", 147892},
      {"road-USA-NY.el.zst", 365050},
  };
  for (const auto& [name, count] : counts) {
    RIZOMA_SHARED_DATA(file, name);
    EXPECT_EQ(must_read(file, {}, 2, 10000).edges.size(), count) << name;
  }
}

TEST(Formats, AreFoundByTheirFilesAndNames) {
  const std::vector<std::string_view> names = file_formats();
  std::vector<std::string> files;
  for (const auto& file : std::filesystem::directory_iterator(testing::source_directory() / "src/ingest/formats"))
    files.push_back(file.path().stem().string());
  std::sort(files.begin(), files.end());
  EXPECT_TRUE(std::equal(names.begin(), names.end(), files.begin(), files.end()));
  const auto unknown = inspect("a.csv", {.format = "cvs"});
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code, ErrorCode::invalid_argument);
  EXPECT_THAT(unknown.error().message, ::testing::HasSubstr("'cvs' is not known; choose one of auto, csv, dimacs,"));
}

// ---- beginnings ----

TEST(Beginnings, LieBehindMoreCommentsThanAreLookedAtAtOnce) {
  const TemporaryDirectory directory;
  std::string lines = "# Directed graph\n";
  while (lines.size() < std::size_t{3} << 19) lines += "# a comment\n\n";
  const std::string line = "#" + std::string(std::size_t{3} << 20, 'x') + "\n";
  for (const std::string& comments : {lines, line}) {
    const auto table = directory.write("a.csv", comments + "x,target,source\n9,a,b\n9,b,c\n");
    const auto text = directory.write("a.el", comments + "source target\nb a\nc b\n");
    for (const auto& file : {table, text}) {
      const FileSummary summary = must_inspect(file);
      EXPECT_TRUE(summary.header) << file;
      EXPECT_EQ(summary.ids, IdKind::string) << file;
      EXPECT_EQ(summary.directed, comments == lines) << file;
      EXPECT_EQ(summary.in_ranges, comments == lines) << file << ": the header has to be in the first range";
      EXPECT_EQ(must_read(file).edges, (std::vector<Edge>{{"b", "a"}, {"c", "b"}})) << file;
    }
  }
}

TEST(Beginnings, OfFilesOfCommentsAlone) {
  const TemporaryDirectory directory;
  std::string comments;
  while (comments.size() < std::size_t{5} << 19) comments += "# a comment\n";
  for (const char* name : {"a.csv", "a.el"}) EXPECT_TRUE(must_read(directory.write(name, comments)).edges.empty());
}

// ---- ranges of bytes ----

/// What is read of the file in `ranges` pieces whose bounds are spread evenly over its bytes.
std::vector<Edge> read_in_ranges(const std::filesystem::path& file, ReadOptions options, std::uint64_t ranges) {
  const std::uint64_t size = std::filesystem::file_size(file);
  std::vector<Edge> all;
  for (std::uint64_t r = 0; r < ranges; ++r) {
    options.bytes = {r * size / ranges, (r + 1) * size / ranges};
    const std::vector<Edge> some = must_read(file, options).edges;
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

TEST(ByteRanges, EachLineIsReadInTheRangeInWhichItBegins) {
  const TemporaryDirectory directory;
  const std::string body = "10 11\r\n\n# a comment that is longer than the rest\n12 13\n1 2\n100000 3\n4 5";
  const auto text = directory.write("a.el", body);
  const auto table = directory.write("a.csv", "x,source,target\n0,1,2\n\n0,3,4\n0,\"5\",6\n0,7,8\n");
  for (const auto& file : {text, table}) {
    ASSERT_TRUE(must_inspect(file).in_ranges);
    ReadOptions options{.ids = IdKind::integer};
    const std::vector<Edge> whole = must_read(file, options).edges;
    ASSERT_FALSE(whole.empty());
    const std::uint64_t size = std::filesystem::file_size(file);
    for (std::uint64_t cut = file == text ? 0 : 16; cut <= size + 1; ++cut) {  // after the header
      options.bytes = {0, cut};
      std::vector<Edge> both = must_read(file, options).edges;
      options.bytes = {cut, size + 7};
      const std::vector<Edge> rest = must_read(file, options).edges;
      both.insert(both.end(), rest.begin(), rest.end());
      EXPECT_EQ(both, whole) << file << " cut at " << cut;
    }
  }
  for (const std::uint64_t ranges : {1, 3, 7, 200}) {
    EXPECT_EQ(read_in_ranges(text, {.ids = IdKind::integer}, ranges), must_read(text, {.ids = IdKind::integer}).edges);
  }
}

TEST(ByteRanges, MessagesNameTheLineOfTheFile) {
  const TemporaryDirectory directory;
  const auto text = directory.write("a.el", "0 1\n1 2\n\n2 3\n3 x\n");
  const auto table = directory.write("a.csv", "s,t\n1,2\n2,3\n3,4,5\n");
  PoolExecutor executor(2);
  for (const auto& [file, line] : {std::pair(text, ":5:3: "), std::pair(table, ":4:5: ")}) {
    for (const std::uint64_t begin : {0, 5, 12}) {
      CollectingSink sink;
      const ReadOptions options{.ids = IdKind::integer, .bytes = {begin, 100}};
      const Status status = read_request({.file = file, .options = options, .chunk_bytes = 3}, executor, sink);
      ASSERT_FALSE(status.ok());
      EXPECT_NE(status.error().message.find(file.string() + line), std::string::npos) << status.error().message;
    }
  }
}

TEST(ByteRanges, CompressedFilesAndOtherFormatsHaveNone) {
  EXPECT_FALSE(must_inspect(format_example("tail.mtx")).in_ranges);
  EXPECT_FALSE(must_inspect(format_example("tail.el.gz")).in_ranges);
}

}  // namespace
}  // namespace rizoma
