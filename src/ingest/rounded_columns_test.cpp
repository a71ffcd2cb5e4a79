// Columns whose type rounds whole numbers of a file say so, once, whatever the format and the form of the numbers.
#include <rizoma/ingest.h>

#include "testing/ingest_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::PoolExecutor;
using testing::TemporaryDirectory;
using Guesses = std::vector<std::string>;

/// Keeps the reports.
struct ToldSink final : public BatchSink {
  Status edges(EdgeBatch&&) override { return {}; }
  Status vertices(IdColumn&&) override { return {}; }
  Status vertex_values(IdColumn&&, ColumnTable&&) override { return {}; }
  void left_out(const LeftOut& lines) override { told += lines; }
  LeftOut told;
};

/// What the inspection of a file and its reading say.
Guesses told_of(const std::string& name, const std::string& text, const ReadOptions& options) {
  const TemporaryDirectory directory;
  const auto file = directory.write(name, text);
  PoolExecutor executor(2);
  const auto summary = inspect(file, options, executor);
  EXPECT_TRUE(summary) << (summary ? "" : summary.error().message);
  ToldSink sink;
  const Status status = read_file(file, *summary, options, executor, sink);
  EXPECT_TRUE(status.ok()) << (status ? "" : status.error().message);
  Guesses guesses = summary->guesses;
  guesses.insert(guesses.end(), sink.told.guesses.begin(), sink.told.guesses.end());
  return guesses;
}

struct Number {
  std::string text;
  bool single;  ///< float32 rounds it
  bool wide;    ///< float64 rounds it
};

const std::vector<Number> kNumbers = {
    {"16777216", false, false},
    {"16777217", true, false},
    {"-16777217", true, false},
    {"+16777217", true, false},
    {"16777218", false, false},
    {"16777216.5", false, false},
    {"0.1", false, false},
    {"1e10", false, false},
    {"123456789012", true, false},
    {"1e30", false, false},
    {"6.02e23", false, false},
    {"602000000000000000000001", true, true},
    {"9007199254740992", false, false},
    {"9007199254740993", true, true},
    {"-9007199254740993", true, true},
    {"0009007199254740993", true, true},
    {"18446744073709551616", false, false},
    {"18446744073709551617", true, true},
    {"inf", false, false},
    {"nan", false, false},
    {"", false, false},
};

TEST(RoundedColumns, CsvSaysWhichNumbersATypeDoesNotHold) {
  for (const Number& number : kNumbers) {
    for (const bool wide : {false, true}) {
      for (const std::string quote : {"", "\""}) {
        SCOPED_TRACE(number.text + (wide ? " float64 " : " float32 ") + quote);
        ReadOptions options;
        options.edge_columns = {{"x", wide ? ColumnType::float64 : ColumnType::float32}};
        const std::string row = "1,2," + quote + number.text + quote + "\n";
        const Guesses guesses = told_of("a.csv", "source,target,x\n0,1,0.5\n" + row + row, options);
        EXPECT_EQ(guesses.size(), (wide ? number.wide : number.single) ? 1U : 0U);
      }
    }
  }
}

TEST(RoundedColumns, TheSentenceNamesTheColumnAndTheTypeThatHoldsThem) {
  ReadOptions options;
  options.edge_columns = {{"x", ColumnType::float32}, {"y", ColumnType::float64}};
  EXPECT_THAT(
      told_of("a.csv", "source,target,x,y\n0,1,16777217,9007199254740993\n", options),
      ElementsAre("column 'x' has whole numbers beyond 2^24 that float32 does not hold, and rounds; a column of "
                  "type float64, up to 2^53, or int64 holds them",
                  "column 'y' has whole numbers beyond 2^53 that float64 does not hold, and rounds; a column of "
                  "type int64 holds them"));
}

TEST(RoundedColumns, NumbersAsPeopleWriteThemAreTheSame) {
  ReadOptions options;
  options.thousands = ".";
  options.decimal = ',';
  options.edge_columns = {{"x", ColumnType::float32}};
  const auto of = [&](const std::string& number) {
    return told_of("a.csv", "source;target;x\n0;1;" + number + "\n", options);
  };
  EXPECT_THAT(of("16.777.217"), ElementsAre(HasSubstr("column 'x'")));
  EXPECT_THAT(of("16.777.217,0"), ElementsAre(HasSubstr("column 'x'")));
  EXPECT_THAT(of("16.777.216,5"), IsEmpty());
}

/// Of a line that is left out nothing is rounded.
TEST(RoundedColumns, LinesThatAreLeftOutDoNotCount) {
  ReadOptions options;
  options.skip_errors = 1;
  options.edge_columns = {{"x", ColumnType::float32}};
  EXPECT_THAT(told_of("a.csv", "source,target,x\n0,1,2\n1,2,16777217,9\n", options), IsEmpty());
  EXPECT_THAT(told_of("a.csv", "source,target,x\n0,1,16777217\n1,2,3,9\n", options), ElementsAre(HasSubstr("'x'")));
}

TEST(RoundedColumns, OfATableOfVertices) {
  ReadOptions options;
  options.format = "csv";
  options.vertex_table = true;
  options.vertex_columns = {{"x", ColumnType::float32}};
  EXPECT_THAT(told_of("v.csv", "vertex,x\n0,16777217\n1,2\n", options), ElementsAre(HasSubstr("'x'")));
  EXPECT_THAT(told_of("v.csv", "vertex,x\n0,16777218\n1,2\n", options), IsEmpty());
}

/// A document whose first vertex and only edge have the value.
std::vector<std::pair<std::string, std::string>> documents_of(const std::string& value) {
  return {{"a.gml", "graph [ node [ id 0 x " + value + " ] node [ id 1 ] edge [ source 0 target 1 x " + value + " ] ]"},
          {"a.graphml",
           "<graphml><key id=\"n\" for=\"node\" attr.name=\"x\" attr.type=\"long\"/><key id=\"e\" for=\"edge\" "
           "attr.name=\"x\" attr.type=\"long\"/><graph edgedefault=\"directed\"><node id=\"0\"><data key=\"n\">" +
               value + "</data></node><node id=\"1\"/><edge source=\"0\" target=\"1\"><data key=\"e\">" + value +
               "</data></edge></graph></graphml>"},
          {"a.json", "{\"directed\": false, \"nodes\": [{\"id\": 0, \"x\": " + value +
                         "}, {\"id\": 1}], \"links\": [{\"source\": 0, \"target\": 1, \"x\": " + value + "}]}"}};
}

TEST(RoundedColumns, DocumentsSayItOfVerticesAndEdges) {
  for (const bool vertices : {false, true}) {
    for (const Number& number : {Number{"16777217", true, false}, Number{"16777216", false, false},
                                 Number{"9007199254740993", true, true}, Number{"-3", false, false}}) {
      for (const auto& [name, text] : documents_of(number.text)) {
        for (const bool wide : {false, true}) {
          SCOPED_TRACE(name + " " + number.text);
          const KeptColumn column{"x", wide ? ColumnType::float64 : ColumnType::float32};
          ReadOptions options;
          (vertices ? options.vertex_columns : options.edge_columns) = {column};
          const Guesses guesses = told_of(name, text, options);
          EXPECT_EQ(guesses.size(), (wide ? number.wide : number.single) ? 1U : 0U);
        }
      }
    }
  }
}

TEST(RoundedColumns, ListsSayItOfTheirItems) {
  ReadOptions options;
  options.edge_columns = {{"x", ColumnType::float32_list}};
  const auto of = [&](const std::string& list) {
    return told_of("a.csv", "source,target,x\n0,1,\"" + list + "\"\n", options);
  };
  EXPECT_THAT(of("[1, 16777217]"),
              ElementsAre(HasSubstr("column 'x' has whole numbers beyond 2^24 that list<float32>")));
  EXPECT_THAT(of("[1, 16777216, 16777219]"), ElementsAre(HasSubstr("column 'x'")));
  EXPECT_THAT(of("[0.1, 16777216]"), IsEmpty());
  EXPECT_THAT(of("[]"), IsEmpty());
}

TEST(RoundedColumns, TextsAsValuesSayItToWhoAsks) {
  StringColumn texts;
  for (const char* const text : {"1", "16777217", "", "16777219"}) texts.push_back(text);
  LeftOut told;
  ASSERT_TRUE(column_from_texts({"x", ColumnType::float32}, texts, 0, {}, &told));
  EXPECT_THAT(told.guesses, ElementsAre(HasSubstr("column 'x'")));
  EXPECT_TRUE(column_from_texts({"x", ColumnType::float32}, texts, 0, {}));
  told = {};
  ASSERT_TRUE(column_from_texts({"x", ColumnType::float64}, texts, 0, {}, &told));
  EXPECT_TRUE(told.empty());
}

}  // namespace
}  // namespace rizoma
