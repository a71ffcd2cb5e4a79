// GML, GraphML and JSON: what files of other programs look like, values in columns, encodings, and what is refused.
#include "ingest/column_text.h"
#include "ingest/import_format.h"
#include "testing/ingest_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

namespace rizoma {
namespace {

using testing::CollectingSink;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::TemporaryDirectory;
using Edge = CollectingSink::Edge;

/// Keeps the columns, too, as text.
class ColumnSink final : public BatchSink {
 public:
  Status edges(EdgeBatch&& batch) override {
    keep(batch.columns, batch.size(), edge_rows);
    return sink.edges(std::move(batch));
  }
  Status vertices(IdColumn&& ids) override { return sink.vertices(std::move(ids)); }
  Status vertex_values(IdColumn&& ids, ColumnTable&& values) override {
    keep(values, size(ids), vertex_rows);
    return sink.vertices(std::move(ids));
  }
  CollectingSink sink;
  std::vector<std::string> edge_rows, vertex_rows;

 private:
  static void keep(const ColumnTable& table, std::size_t rows, std::vector<std::string>& out) {
    for (std::size_t row = 0; row < rows && !table.empty(); ++row) {
      std::string line, text;
      for (const ColumnValues& column : table.columns) {
        line += line.empty() ? "" : "|";
        line += value_text(column, row, text) == ValueKind::null ? "-" : text;
      }
      out.push_back(line);
    }
  }
};

/// What a reading gives.
struct Read {
  std::vector<Edge> edges;
  std::vector<std::string> vertex_ids, edge_rows, vertex_rows;
  friend bool operator==(const Read&, const Read&) = default;
};

class Documents : public ::testing::Test {
 protected:
  /// Reads it in chunks of several sizes, which must make no difference.
  Read read(const std::string& name, const std::string& text, const ReadOptions& options = {}) {
    const auto file = directory_.write(name, text);
    std::vector<Read> reads;
    for (const std::size_t chunk : {1, 3, 1000}) {
      ColumnSink sink;
      SerialExecutor executor;
      const Status status = read_request({.file = file, .options = options, .chunk_bytes = chunk}, executor, sink);
      EXPECT_TRUE(status.ok()) << status.error().message << " in " << text;
      reads.push_back({sink.sink.collected, sink.sink.vertex_ids, sink.edge_rows, sink.vertex_rows});
      EXPECT_EQ(reads.back(), reads.front()) << name << " in chunks of " << chunk;
    }
    return reads.front();
  }
  FileSummary look(const std::string& name, const std::string& text, const ReadOptions& options = {}) {
    const auto summary = inspect(directory_.write(name, text), options);
    EXPECT_TRUE(summary.ok()) << summary.error().message;
    return summary ? *summary : FileSummary{};
  }
  std::string message(const std::string& name, const std::string& text, const ReadOptions& options = {}) {
    const auto file = directory_.write(name, text);
    std::string first;
    for (const std::size_t chunk : {1, 3, 1000}) {
      ColumnSink sink;
      SerialExecutor executor;
      const Status status = read_request({.file = file, .options = options, .chunk_bytes = chunk}, executor, sink);
      if (status.ok()) return "no error";
      EXPECT_NE(status.error().code, ErrorCode::io);
      if (first.empty()) first = status.error().message;
      EXPECT_EQ(status.error().message, first) << chunk;
    }
    return first;
  }

  TemporaryDirectory directory_;
};

TEST_F(Documents, GmlAsOtherProgramsWriteIt) {
  const Read labelled = read("a.gml",
                             "Creator \"x\" # who\r\nVersion 1\ngraph\n[\n directed 1\n"
                             " node [ id 5 label \"A &amp; B\" graphics [ x 1.5 y -2e3 ] ]\n"
                             " node [ id 7 label \"&#233;&eacute;&none;&\" ]\n"
                             " edge [ source 5 target 7 value 2.5 ] edge [ target 5 source 7 ]\n]\n");
  EXPECT_THAT(labelled.vertex_ids, ElementsAre("A & B", "éé&none;&"));
  EXPECT_THAT(labelled.edges, ElementsAre(Edge{"A & B", "éé&none;&", 2.5}, Edge{"éé&none;&", "A & B", 1}));
  const std::string same_labels =
      "graph [ edge [ source 5 target 7 ] node [ id 5 label \"x\" ] node [ id 7 label \"x\" ] ]";
  EXPECT_THAT(read("b.gml", same_labels).edges, ElementsAre(Edge{"5", "7"}));
  const FileSummary summary = look("b.gml", same_labels);
  EXPECT_EQ(summary.ids, IdKind::integer);
  EXPECT_FALSE(summary.directed);
  EXPECT_EQ(summary.weights, WeightType::none);
  EXPECT_EQ(summary.num_edges, 1u);
  ASSERT_EQ(summary.vertex_values.size(), 1u);
  EXPECT_EQ(summary.vertex_values[0].name, "label");
  EXPECT_EQ(look("c.gml", "graph [ ]").ids, IdKind::dense);
  EXPECT_EQ(look("d.gml", "graph [ node [ id 1 ] node [ id 0 ] ] other [ a [ ] ]").ids, IdKind::dense);
}

TEST_F(Documents, GmlThatIsNoUtf8IsLatin1) {
  EXPECT_THAT(read("a.gml", "graph [ node [ id 1 label \"Z\xFCrich\" ] ]").vertex_ids, ElementsAre("Zürich"));
  EXPECT_THAT(read("a.gml", "graph [ node [ id 1 label \"Zürich\" ] ]").vertex_ids, ElementsAre("Zürich"));
}

TEST_F(Documents, WeightsAreIntegersIfAllAreSuch) {
  const auto graph = [](const std::string& weights) {
    return "graph [ node [ id 1 ] edge [ source 1 target 1 " + weights + " ] edge [ source 1 target 1 ] ]";
  };
  EXPECT_EQ(look("a.gml", graph("weight 3")).weights, WeightType::int32);
  EXPECT_EQ(look("a.gml", graph("weight 3.0")).weights, WeightType::float64);
  EXPECT_EQ(look("a.gml", graph("weight 3000000000")).weights, WeightType::float64);
  EXPECT_EQ(look("a.gml", graph("weight \"3\" value 2")).weights, WeightType::int32);
}

const char* const kGraphml =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?><!DOCTYPE graphml SYSTEM \"x\" [<!ELEMENT a (b)> <!-- c --> %p; ]>\n"
    "<g:graphml xmlns:g='http://graphml.graphdrawing.org/xmlns'><!-- a > b -->"
    "<g:key id='w' for='edge' attr.name='weight' attr.type='int'><g:default>4</g:default></g:key>"
    "<g:key id='c' for='node' attr.name='color'><g:default>none</g:default></g:key><?do it?>"
    "<g:graph edgedefault='directed'>"
    "<g:node id='1'><g:data key='c'>r&#101;d<![CDATA[ <&]]> ]</g:data></g:node><g:node id = '0&amp;2'/>"
    "<g:edge source='1' target='0&#38;2'><g:data key='w'> 7 </g:data><g:data key='c'>x</g:data></g:edge>\r\n"
    "<g:edge source=\"0&amp;2\" target='1'></g:edge></g:graph></g:graphml>\n<!-- end -->\n";

TEST_F(Documents, GraphmlAsOtherProgramsWriteIt) {
  const ReadOptions options{.vertex_columns = {{"color", ColumnType::string}}};
  const Read graph = read("a.graphml", kGraphml, options);
  EXPECT_THAT(graph.edges, ElementsAre(Edge{"1", "0&2", 7}, Edge{"0&2", "1", 4}));
  EXPECT_THAT(graph.vertex_rows, ElementsAre("red <& ]", "none"));
  const FileSummary summary = look("a.graphml", kGraphml);
  EXPECT_TRUE(summary.directed);
  EXPECT_EQ(summary.weights, WeightType::int32);
  EXPECT_EQ(summary.ids, IdKind::string);
}

TEST_F(Documents, GraphmlIdsAreIntegersIfAllAreWrittenSo) {
  const auto graph = [](const std::string& a, const std::string& b) {
    return "<graphml><graph><node id='" + a + "'/><node id='" + b + "'/></graph></graphml>";
  };
  EXPECT_EQ(look("a.graphml", graph("0", "1")).ids, IdKind::dense);
  EXPECT_EQ(look("a.graphml", graph("-5", "1")).ids, IdKind::integer);
  EXPECT_EQ(look("a.graphml", graph("01", "1")).ids, IdKind::string);
  EXPECT_THAT(read("a.graphml", graph("-0", "0")).vertex_ids, ElementsAre("-0", "0"));
  EXPECT_EQ(look("a.graphml", graph("1", "a")).ids, IdKind::string);
  EXPECT_THAT(read("a.graphml", graph("0", "1"), {.ids = IdKind::string}).vertex_ids, ElementsAre("0", "1"));
  EXPECT_THAT(message("a.graphml", graph("0", "x"), {.ids = IdKind::dense}), HasSubstr("found 'x', expected an id"));
}

TEST_F(Documents, JsonAsOtherProgramsWriteIt) {
  const std::string text =
      "{\"directed\": true, \"multigraph\": false, \"graph\": {\"a\": [[{}]]}, \"nodes\": [{\"name\": "
      "\"x\\u00e9\\ud83d\\ude00"
      "\\n\"}, {}, {}],\n \"links\": [{\"source\": 0, \"target\": 2, \"weight\": 2.5}, {\"target\": 1, \"source\": "
      "2}]}";
  const ReadOptions options{.vertex_columns = {{"name", ColumnType::string}}};
  const Read graph = read("a.json", text, options);
  EXPECT_THAT(graph.vertex_ids, ElementsAre("0", "1", "2"));
  EXPECT_THAT(graph.edges, ElementsAre(Edge{"0", "2", 2.5}, Edge{"2", "1", 1}));
  EXPECT_THAT(graph.vertex_rows, ElementsAre("xé😀\n", "-", "-"));
  EXPECT_TRUE(look("a.json", text).directed);
  // `edges` goes before `links` that are none.
  EXPECT_THAT(read("b.json",
                   R"({"links": [], "nodes": [{"id": 1}],
                       "edges": [{"source": 1, "target": 1}]})")
                  .edges,
              ElementsAre(Edge{"1", "1"}));
}

TEST_F(Documents, TwoValuesOfOneNameAreRefusedWhereTheyAreRead) {
  const ReadOptions kept{.edge_columns = {{"x", ColumnType::int64}}};
  const auto json = [](const std::string& edge) { return R"({"nodes": [{"id": 1}], "edges": [{)" + edge + "}]}"; };
  const auto gml = [](const std::string& edge) { return "graph [ node [ id 1 ] edge [ " + edge + " ] ]"; };
  const std::string ends = R"("source": 1, "target": 1)";
  EXPECT_THAT(message("a.json", json(ends + R"(, "source": 1)")), HasSubstr("two values of 'source'"));
  EXPECT_THAT(message("a.json", json(ends + R"(, "weight": 1, "weight": 2)")), HasSubstr("two values of 'weight'"));
  EXPECT_THAT(message("a.json", json(ends + R"(, "x": 1, "x": 2)"), kept), HasSubstr("two values of 'x'"));
  EXPECT_EQ(read("a.json", json(ends + R"(, "x": 1, "x": 2)")).edges.size(), 1U);
  EXPECT_THAT(message("a.gml", gml("source 1 target 1 target 1")), HasSubstr("two values of 'target'"));
  EXPECT_THAT(message("a.gml", gml("source 1 target 1 weight 1 weight 1")), HasSubstr("two values of 'weight'"));
  EXPECT_THAT(message("a.gml", gml("source 1 target 1 x 1 x 2"), kept), HasSubstr("two values of 'x'"));
}

TEST_F(Documents, WhatNoColumnHoldsIsNamed) {
  const auto names = [](const std::vector<FoundValues>& found) {
    std::vector<std::string> all;
    for (const FoundValues& each : found) all.push_back(each.name + (each.type ? "" : "?"));
    return all;
  };
  const std::string json = R"({"nodes": [{"id": 1, "at": {"x": 1}}], "edges": [{"source": 1, "target": 1, "by": {}}]})";
  const FileSummary found = look("a.json", json);
  EXPECT_THAT(names(found.vertex_values), ElementsAre("at?"));
  EXPECT_THAT(names(found.edge_values), ElementsAre("by?"));
  const ReadOptions kept{.vertex_columns = {{"at", ColumnType::string}}};
  EXPECT_THAT(message("a.json", json, kept), HasSubstr("the at '{...}' cannot be stored as string"));
  const std::string gml = "graph [ node [ id 1 graphics [ x 1 ] ] edge [ source 1 target 1 ";
  EXPECT_THAT(names(look("a.gml", gml + "] ]").vertex_values), ElementsAre("graphics?"));
  const std::string graphml = "<graphml><graph edgedefault='directed'><node id='a'/><edge source='a' target='a' id=";
  EXPECT_THAT(look("a.graphml", graphml + "'road'/></graph></graphml>").notes, ElementsAre("not read, of edges: 'id'"));
  EXPECT_THAT(look("a.graphml", graphml + "'e1'/></graph></graphml>").notes, ElementsAre()) << "it counts the edges";
  for (const auto& [name, text] : std::map<std::string, std::string>{
           {"d.json", R"({"graph": {"title": "x"}, "multigraph": false, "nodes": [], "edges": [], "year": {"a": 1}})"},
           {"d.gml", "graph [ title \"x\" year 1 year 2 ]"},
           {"d.graphml",
            "<graphml><key id='k' for='graph' attr.name='title'/><graph edgedefault='directed'>"
            "<data key='k'>x</data><data key='year'>1</data></graph></graphml>"}}) {
    EXPECT_THAT(look(name, text).notes, ElementsAre("not read, of the graph itself: \"title\", \"year\"")) << name;
  }
  // Which of two keys has the weights is said; the other one is a value like others.
  const FileSummary by_value = look("b.gml", gml + "value 3 ] ]");
  EXPECT_THAT(by_value.notes, ElementsAre(HasSubstr("is \"value\"")));
  EXPECT_THAT(names(by_value.edge_values), ElementsAre());
  const FileSummary by_weight = look("c.gml", gml + "value 3 weight 2 ] ]");
  EXPECT_THAT(by_weight.notes, ElementsAre(HasSubstr("is \"weight\"")));
  EXPECT_THAT(names(by_weight.edge_values), ElementsAre("value"));
}

TEST_F(Documents, KeysOfOneNameAreOneColumnWhoseTypeHoldsAll) {
  const auto file = [](const std::string& first, const std::string& second) {
    const auto key = [](const std::string& id, const std::string& type) {
      return "<key id='" + id + "' for='edge' attr.name='x' attr.type='" + type + "'/>";
    };
    return "<graphml>" + key("a", "int") + key("b", "double") + key("c", "string") +
           "<key id='d' for='node' attr.name='empty' attr.type='boolean'/><key id='e' for='node'/><graph><node "
           "id='1'/>" +
           "<edge source='1' target='1'><data key='a'>" + first + "</data></edge><edge source='1' target='1'>" +
           second + "</edge></graph></graphml>";
  };
  const auto type_of = [&](const std::string& text) { return look("a.graphml", text).edge_values.at(0).type; };
  EXPECT_EQ(type_of(file("1", "<data key='b'>2.5</data>")), ColumnType::float64);
  EXPECT_EQ(type_of(file("1", "<data key='c'>t</data>")), std::nullopt);
  const std::vector<FoundValues> declared = look("a.graphml", file("1", "")).vertex_values;
  ASSERT_EQ(declared.size(), 1U);
  EXPECT_EQ(declared[0].type, ColumnType::boolean);
  EXPECT_TRUE(declared[0].all_null);
}

/// UTF-16 or UTF-32 of ASCII.
std::string widened(const std::string& text, std::size_t width, bool big, bool mark) {
  std::string out;
  const auto add = [&](unsigned unit) {
    for (std::size_t i = 0; i < width; ++i) {
      const std::size_t shift = 8 * (big ? width - 1 - i : i);
      out += static_cast<char>(unit >> shift & 0xFFU);
    }
  };
  if (mark) add(0xFEFF);
  for (const char c : text) add(static_cast<unsigned char>(c));
  return out;
}

TEST_F(Documents, EveryEncodingThatIsTold) {
  const std::string json = R"({"nodes": [{"id": "a"}], "edges": []})";
  const std::string xml = "<graphml><graph><node id='a'/></graph></graphml>";
  for (const std::size_t width : {2, 4}) {
    for (const bool big : {false, true}) {
      for (const bool mark : {false, true}) {
        EXPECT_THAT(read("a.json", widened(json, width, big, mark)).vertex_ids, ElementsAre("a"));
        EXPECT_THAT(read("a.graphml", widened(xml, width, big, mark)).vertex_ids, ElementsAre("a"));
      }
    }
  }
  EXPECT_THAT(read("a.json", "\xEF\xBB\xBF" + json).vertex_ids, ElementsAre("a"));
  const auto in = [](const std::string& name, const std::string& id) {
    return "<?xml version='1.0' encoding='" + name + "'?><graphml><graph><node id='" + id + "'/></graph></graphml>";
  };
  EXPECT_THAT(read("a.graphml", in("ISO-8859-1", "\xE9")).vertex_ids, ElementsAre("é"));
  EXPECT_THAT(read("a.graphml", in("windows-1252", "\x80")).vertex_ids, ElementsAre("€"));
  EXPECT_THAT(message("a.graphml", in("UTF-8", "\xE9")), HasSubstr(":1: bytes that are not in the encoding"));
  EXPECT_THAT(message("a.graphml", in("koi8-r", "a")), HasSubstr("the encoding 'koi8-r' is not read"));
  EXPECT_THAT(message("a.json", "{\"nodes\":\n[{\"id\": \"\xC3\"}]}"), HasSubstr("a.json:2: bytes that are not"));
}

TEST_F(Documents, ValuesGoIntoColumnsOfEveryType) {
  const std::string text = R"({"nodes": [{"id": 1}], "edges": [{"source": 1, "target": 1, "b": true, "i": -128,
    "u": 18446744073709551615, "f": 1.5, "d": -1e300, "s": "x|y", "raw": "AP8=", "day": "1999-12-31",
    "t": "2026-03-01 12:00:00.250", "l": [1, -2.5], "n": null, "more": {"x": 1}},
    {"source": 1, "target": 1, "b": 0, "i": 7.0, "f": NaN, "s": 5, "raw": "", "t": 5, "l": "[]", "more": 3}]})";
  const ReadOptions options{.edge_columns = {{"b", ColumnType::boolean},
                                             {"i", ColumnType::int8},
                                             {"u", ColumnType::uint64},
                                             {"f", ColumnType::float32},
                                             {"d", ColumnType::float64},
                                             {"s", ColumnType::string},
                                             {"raw", ColumnType::binary},
                                             {"day", ColumnType::date},
                                             {"t", ColumnType::timestamp_ms},
                                             {"l", ColumnType::float32_list}}};
  EXPECT_THAT(read("a.json", text, options).edge_rows,
              ElementsAre("true|-128|18446744073709551615|1.5|-1.0e+300|x|y|AP8=|1999-12-31|2026-03-01 12:00:00.250|"
                          "[1.0, -2.5]",
                          "false|7|-|nan|-|5||-|1970-01-01 00:00:00.005|[]"));
  const FileSummary summary = look("a.json", text);
  std::vector<std::string> found;
  for (const FoundValues& each : summary.edge_values) {
    found.push_back(each.name + ":" +
                    (each.type       ? std::string(column_type_name(*each.type))
                     : each.all_null ? "-"
                                     : "?"));
  }
  EXPECT_THAT(found, ElementsAre("b:?", "i:float64", "u:int64", "f:float64", "d:float64", "s:?", "raw:string",
                                 "day:string", "t:?", "l:?", "n:-", "more:?"));
}

TEST_F(Documents, AListOfTextsIsOneText) {
  const std::string text = R"({"nodes": [{"id": 1, "label": ["Person", "Actor"]}, {"id": 2, "label": "Movie"},
    {"id": 3, "label": []}, {"id": 4, "label": ["", null]}, {"id": 5, "label": ["", "\u00e4", null]}, {"id": 6}],
    "edges": []})";
  EXPECT_THAT(read("a.json", text, {.vertex_columns = {{"label", ColumnType::string}}}).vertex_rows,
              ElementsAre("Person;Actor", "Movie", "-", "-", "\u00e4", "-"));
  const FileSummary summary = look("a.json", text);
  ASSERT_EQ(summary.vertex_values.size(), 1U);
  EXPECT_EQ(summary.vertex_values[0].type, ColumnType::string);
}

TEST_F(Documents, AListThatIsNoListOfTextsIsNoText) {
  for (const char* list : {R"(["a;b"])", R"(["a", 1])", R"([["a"]])", R"([{"a": "b"}])", R"([true])"}) {
    const std::string text = R"({"nodes": [{"id": 1, "label": )" + std::string(list) + R"(}], "edges": []})";
    EXPECT_THAT(message("a.json", text, {.vertex_columns = {{"label", ColumnType::string}}}),
                HasSubstr("cannot be stored as string: a list is kept as its texts with ; between"))
        << list;
    EXPECT_EQ(look("a.json", text).vertex_values.size(), 1U) << list;
  }
  EXPECT_THAT(message("a.json", R"({"nodes": [{"id": ["a"]}], "edges": []})", {}), HasSubstr("this file has list"));
}

TEST_F(Documents, NoColumnIsCalledHalfASurrogatePair) {
  const std::string text = R"({"nodes": [{"id": 1, "\ud800": {"y": 2}, "x": 4, "a\udfff": 3}], "edges": []})";
  const FileSummary summary = look("a.json", text);
  ASSERT_EQ(summary.vertex_values.size(), 1U);
  EXPECT_EQ(summary.vertex_values[0].name, "x");
  EXPECT_THAT(read("a.json", text, {.vertex_columns = {{"x", ColumnType::int8}}}).vertex_rows, ElementsAre("4"));
}

TEST_F(Documents, ValuesThatDoNotFitAreNamed) {
  const std::vector<std::pair<ColumnType, const char*>> table = {
      {ColumnType::int8, "128"},
      {ColumnType::int8, "1.5"},
      {ColumnType::uint8, "-1"},
      {ColumnType::uint64, "1e20"},
      {ColumnType::float64, "\"x\""},
      {ColumnType::boolean, "\"maybe\""},
      {ColumnType::date, "\"2026-02-30\""},
      {ColumnType::date, "5"},
      {ColumnType::timestamp_s, "\"2026-01-01 00:00:00.5\""},
      {ColumnType::binary, "\"A\""},
      {ColumnType::binary, "7"},
      {ColumnType::float32_list, "[1, \"x\"]"},
      {ColumnType::timestamp_ns, "\"9999-01-01\""},
  };
  for (const auto& [type, value] : table) {
    const std::string text =
        "{\"nodes\": [{\"id\": 1}],\n\"edges\": [{\"source\": 1, \"target\": 1, \"x\": " + std::string(value) + "}]}";
    EXPECT_THAT(message("a.json", text, {.edge_columns = {{"x", type}}}),
                ::testing::AllOf(HasSubstr("a.json:2: the x"), HasSubstr(column_type_name(type))));
  }
  EXPECT_THAT(message("a.json", R"({"nodes": [{"id": 1, "age": 3}], "edges": []})",
                      {.vertex_columns = {{"aeg", ColumnType::int8}}}),
              HasSubstr("has no values called 'aeg' (there are age)"));
}

struct Faulty {
  const char* name;
  std::string text;
  const char* message;
};

std::string times(const std::string& text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

const std::vector<Faulty> kFaulty = {
    {"a.gml", "", "a.gml: there is no record"},
    {"a.gml", "graph 5", "there is no record"},
    {"a.gml", "graph [\n node [ id 1 ]\n", "a.gml:3: the file ends within a record: it is cut off"},
    {"a.gml", "graph [\n node [ id = ]\n]", "a.gml:2: expected a key"},
    {"a.gml", "graph [\n node [ id 1x ]\n]", "a.gml:2: expected a number, found '1x'"},
    {"a.gml", "graph [ node [ id ] ]", "a.gml:1: expected a value"},
    {"a.gml", "graph [ node [ ] ]", "a node has no integer id"},
    {"a.gml", "graph [ node [ id \"1\" ] ]", "a node has no integer id"},
    {"a.gml", "graph [ node [ id 1 ]\nnode [ id 1 ] ]", "a.gml:2: two nodes have one id"},
    {"a.gml", "graph [ node [ id 1 ]\nedge [ source 1 target 2 ] ]",
     "a.gml:2: an edge leads from or to 2, but no node has this id"},
    {"a.gml", "graph [ node [ id 1 ] edge [ source \"1\" target 1 ] ]", "'1', but no node has this id"},
    {"a.gml", "graph [ node [ id 1 ] edge [ source 1 ] ]", "an edge has no source or no target"},
    {"a.gml", times("a [ ", 5000), "nested more than"},
    {"a.gml", "graph [ 5 ]", "expected a key"},
    {"a.gml", "graph [ ]\nother [ ]\ngraph [ ]", "a.gml:3: the file has a second graph"},
    {"a.gml", "graph [ a \"\n", "a.gml:2: the file ends within a string"},
    {"a.graphml", "", "a.graphml:1: no element found"},
    {"a.graphml", "<graphml/>", "no element `graph`"},
    {"a.graphml", "<graphml>\n<graph>\n<node/></graph></graphml>", "a.graphml:3: a node has no id"},
    {"a.graphml", "<graphml><graph><node id='a'/>\n<edge source='a' target='b'/></graph></graphml>",
     "a.graphml:2: an edge leads"},
    {"a.graphml", "<graphml><graph><hyperedge/></graph></graphml>", "hyperedges"},
    {"a.graphml", "<graphml><graph/><graph/></graphml>", "second graph"},
    {"a.graphml", "<graphml><graph><node id='a'><graph/></node></graph></graphml>", "graph within a node"},
    {"a.graphml", "<graphml><graph><node id='a'><node id='b'/></node></graph></graphml>", "a node within a node"},
    {"a.graphml", "<!DOCTYPE x [<!ENTITY a 'aaaa'>]><graphml><graph/></graphml>", "the entity 'a'"},
    {"a.graphml", "<!DOCTYPE x [<!ENTITY % a 'aaaa'>]><graphml><graph/></graphml>", "the entity 'a'"},
    {"a.graphml", "<graphml><graph><node id='&lol;'/></graph></graphml>", "undefined entity 'lol'"},
    {"a.graphml", "<graphml>\n<graph>", "a.graphml:2: the file ends within the element 'graph'"},
    {"a.graphml", "<graphml><graph></graphml></graph>", "mismatched tag"},
    {"a.graphml", "<graphml><graph/></graphml><x/>", "junk after document element"},
    {"a.graphml", "<graphml><graph/></graphml>x", "junk after document element"},
    {"a.graphml", "x<graphml/>", "text outside"},
    {"a.graphml", " <?xml version='1.0'?><graphml><graph/></graphml>", "not at start"},
    {"a.graphml", "<graphml a='1' a='2'/>", "duplicate attribute"},
    {"a.graphml", "<graphml a='<'/>", "not well-formed"},
    {"a.graphml", "<graphml a=1/>", "not well-formed"},
    {"a.graphml", "<graphml><!-- a -- b --></graphml>", "-- in a comment"},
    {"a.graphml", "<graphml>&#0;</graphml>", "invalid character"},
    {"a.graphml", "<graphml>]]></graphml>", "]]>"},
    {"a.graphml", "<graphml><![CDATA[ x", "within CDATA"},
    {"a.graphml", std::string("<graphml>\1</graphml>"), "control character"},
    {"a.graphml", "<graphml>" + times("<a>", 100000), "the file ends within the element 'a'"},
    {"a.json", "", "a.json:1: Expecting value"},
    {"a.json", "{\"nodes\": [\n{\"id\": }]}", "a.json:2: Expecting value"},
    {"a.json", "[1]", "expected an object"},
    {"a.json", "5", "expected an object"},
    {"a.json", "{\"nodes\": 5}", "called `nodes`"},
    {"a.json", "{\"nodes\": []}", "called `edges`"},
    {"a.json", "{\"nodes\": [5], \"edges\": []}", "called `nodes`"},
    {"a.json", "{\"nodes\": [{\"id\": 1}],\n\"edges\": [{\"source\": 1}]}",
     "a.json:2: an edge has no source or no target"},
    {"a.json", R"({"nodes": [{"id": 1}, {"id": "a"}], "edges": []})", "this file has int, str"},
    {"a.json", R"({"nodes": [{"id": 1.5}], "edges": []})",
     "a.json:1: ids must be all integers or all strings; this file has float"},
    {"a.json", R"({"nodes": [{"id": 99999999999999999999}], "edges": []})", "int of more than 64 bits"},
    {"a.json", times("[", 100000), "not a list"},
    {"a.json", "{\"a\": " + times("[", 100000), "nested more than"},
    {"a.json", "{\"nodes\": [{\"a\": " + times("{\"a\": ", 100000), "nested more than"},
    {"a.json", R"({"ann": ["bob"], "bob": []})", "lists of neighbours by networkx.from_dict_of_lists("},
    {"a.json", R"({"elements": {"nodes": []}})", "Cytoscape's by networkx.cytoscape_graph("},
    {"a.json", "{}", "called `nodes`"},
    {"a.json", "{\"nodes\": [],\n\"nodes\": [], \"edges\": []}", "a.json:2: there are two values of `nodes`"},
    {"a.json", R"({"links": [], "links": []})", "two values of `links`"},
    {"a.json", R"({"directed": false, "nodes": [], "edges": [], "directed": true})", "two values of `directed`"},
    {"a.gml", "graph [ directed 0 directed 1 ]", "two values of `directed`"},
    {"a.json", R"({"nodes": [{"id": 1, "id": 1}], "edges": []})", "two values of 'id'"},
    {"a.json", "{} {}", "Extra data"},
    {"a.json", R"({"a": "\x"})", "Invalid escape"},
    {"a.json", R"({"a": "\u12g4"})", "Invalid \\uXXXX"},
    {"a.json", "{\"a\": \"\n\"}", "Invalid control character"},
    {"a.json", R"({"a": 01})", "Expecting value, found '01'"},
    {"a.json", R"({"a": 1.})", "Expecting value"},
    {"a.json", R"({"a": 1,})", "property name enclosed in double quotes"},
    {"a.json", R"({"nodes": [{"id": "\ud800"}], "edges": []})", "half of a surrogate pair"},
};

TEST_F(Documents, FaultsAreNamedWithTheirPlace) {
  for (const Faulty& each : kFaulty) EXPECT_THAT(message(each.name, each.text), HasSubstr(each.message)) << each.text;
}

TEST_F(Documents, WhatIsNoTextIsCalledByItsName) {
  for (const char* name : {"a.gml", "a.graphml", "a.json"}) {
    EXPECT_THAT(message(name, "PK\x03\x04 and more"), HasSubstr("ZIP archive"));
  }
}

TEST_F(Documents, ASummaryThatWasAskedForIsNotReadAgain) {
  const auto file = directory_.write("a.json", R"({"nodes": [{"id": 7}], "edges": []})");
  const auto summary = inspect(file);
  ASSERT_TRUE(summary.ok());
  std::filesystem::remove(file);
  CollectingSink sink;
  SerialExecutor executor;
  ASSERT_TRUE(read_file(file, *summary, {.ids = IdKind::string}, executor, sink).ok());
  EXPECT_THAT(sink.vertex_ids, ElementsAre("7"));
}

TEST_F(Documents, ManyNames) {
  std::string text = "{\"nodes\": [], \"edges\": [";
  for (int i = 0; i < 200'000; ++i)
    text += (i == 0 ? "" : ",") + std::string("{\"source\":") + std::to_string(i * 7) + ",\"target\":0}";
  const auto file = directory_.write("a.json", text + "]}");
  CollectingSink sink;
  SerialExecutor executor;
  ASSERT_TRUE(read_file(file, {}, executor, sink).ok());
  ASSERT_EQ(sink.collected.size(), 200'000u);
  for (std::size_t i = 0; i < sink.collected.size(); ++i) ASSERT_EQ(sink.collected[i].source, std::to_string(i * 7));
}

TEST(NumberText, TellsNumbersThatAreTooLargeFromInfinity) {
  const auto as_double = [](std::string_view text) { return fits<double>(text, number_in(text).value()); };
  const auto as_float = [](std::string_view text) { return fits<float>(text, number_in(text).value()); };
  const std::string long_one = "1" + std::string(400, '0');
  for (const std::string_view text : {"1e400", "-1e400", "1.8e308", "+2E+308"}) EXPECT_FALSE(as_double(text)) << text;
  EXPECT_FALSE(as_double(long_one));
  EXPECT_FALSE(as_double(long_one + "e-5"));
  for (const std::string_view text : {"inf", "-Infinity", "nan", "1.7976931348623157e308"}) {
    EXPECT_TRUE(as_double(text)) << text;
  }
  for (const std::string_view text : {"inf", "3.4028235e38", "-3.4028234663852886e+38"}) EXPECT_TRUE(as_float(text));
  for (const std::string_view text : {"3.4028236e38", "1e39", "1e400"}) EXPECT_FALSE(as_float(text)) << text;
  for (const std::string& text : {std::string("1e-400"), "0." + std::string(400, '0') + "1e5"}) {
    EXPECT_EQ(number_in(text), 0.0) << text;
  }
  EXPECT_TRUE(std::signbit(number_in("-1e-400").value()));
}

}  // namespace
}  // namespace rizoma
