// Edge lists whose lines are no edges, whatever the threads and the size of chunks: they are refused with their place.
#include "ingest/import_format.h"
#include "testing/ingest_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using testing::CollectingSink;
using ::testing::HasSubstr;
using testing::PoolExecutor;
using testing::TemporaryDirectory;

/// The message of reading a file, or "" and the edges.
std::string read(const std::filesystem::path& file, const ReadOptions& options, std::size_t chunk_bytes,
                 CollectingSink& sink) {
  PoolExecutor executor(2);
  const Status status = read_request({.file = file, .options = options, .chunk_bytes = chunk_bytes}, executor, sink);
  return status ? "" : status.error().message;
}

TEST(EdgeList, LinesOfAnotherNumberOfColumnsAreRefusedWithTheirPlace) {
  const TemporaryDirectory directory;
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"1 2 3\n2 3\n3 1\n", ":1:6: found 3 columns, expected 2"},
      {"1 2\n2 3 1\n3 1\n", ":2:6: found 3 columns, expected 2"},
      {"1 2 5\n2 3 5\n3 1\n", ":3:4: found 2 columns, expected 3"},
      {"# a list\n\n1 2 5\n2 3 5 # told\n3 1 # not\n", ":5:5: found 2 columns, expected 3"},
      {"a b\nb c 1 2\nc a\n", ":2:8: found 4 columns, expected 2"},
      {"source target\na b 1\nb c 2\nc a\n", ":4:4: found 2 columns, expected 3"},
      {"0 1 2 3\n1 2\n2 3\n", ":1:8: found 4 columns, expected 2"},
  };
  for (const auto& [text, message] : cases) {
    const auto file = directory.write("a.txt", text);
    for (const std::size_t chunk : {1, 7, 1000}) {
      CollectingSink sink;
      const std::string said = read(file, {}, chunk, sink);
      EXPECT_THAT(said, HasSubstr(file.string() + message)) << text;
      EXPECT_THAT(said, HasSubstr("networkx.read_adjlist")) << text;
    }
    CollectingSink sink;
    EXPECT_EQ(read(file, {.skip_errors = 1}, 7, sink), "") << text;
    EXPECT_EQ(sink.collected.size(), 2U) << text;
  }
}

TEST(EdgeList, LinesBeyondTheFirstThousandAreLookedAtToo) {
  const TemporaryDirectory directory;
  std::string text;
  for (int i = 0; i < 3000; ++i) text += std::to_string(i) + " " + std::to_string(i + 1) + "\n";
  CollectingSink sink;
  EXPECT_THAT(read(directory.write("a.txt", text + "1 2 3\n"), {}, 1000, sink), HasSubstr(":3001:6: found 3 columns"));
}

TEST(EdgeList, AWeightThatSomeLinesLackIsRefused) {
  const TemporaryDirectory directory;
  const auto file = directory.write("a.txt", "1 2 5\n2 3\n3 1 4\n");
  CollectingSink sink;
  EXPECT_THAT(read(file, {.weighted = true}, 7, sink), HasSubstr("expected a weight"));
  EXPECT_THAT(read(directory.write("b.txt", "1 2 5\n2 3 1 7\n3 1 4\n"), {.weighted = true}, 7, sink),
              HasSubstr(":2:8: found 4 columns, expected 3"));
}

TEST(EdgeList, AHeaderOfVerticesIsNoHeaderOfEdges) {
  const TemporaryDirectory directory;
  for (const char* text : {"id name\n1 ann\n2 bob\n", "node_id label\na x\nb y\n", "id age\n1 20\n2 30\n"}) {
    const ReadOptions options{.header = true};
    const auto file = directory.write("a.txt", text);
    const auto summary = inspect(file, options);
    ASSERT_FALSE(summary.ok()) << text;
    EXPECT_THAT(summary.error().message, HasSubstr("or as vertices with one value each")) << text;
  }
  const auto file = directory.write("b.txt", "id name\n1 ann\n2 bob\n");
  const auto summary = inspect(file, {.source_column = "id", .target_column = "name"});
  EXPECT_TRUE(summary.ok()) << summary.error().message;
  for (const char* text : {"user friend\nann bob\n", "source target\n1 2\n", "from_id to_id\n1 2\n"}) {
    EXPECT_TRUE(inspect(directory.write("c.txt", text)).ok()) << text;
  }
}

TEST(EdgeList, TheEndsAreTheFirstTwoColumns) {
  const TemporaryDirectory directory;
  const auto file = directory.write("a.txt", "source target weight\na b 1\n");
  EXPECT_TRUE(inspect(file, {.source_column = "source", .target_column = "1"}).ok());
  EXPECT_TRUE(inspect(file, {.target_column = "target"}).ok());
  EXPECT_TRUE(inspect(file, {.weight_column = "weight"}).ok());
  for (const ReadOptions& odd : std::vector<ReadOptions>{
           {.source_column = "target"}, {.source_column = "1", .target_column = "0"}, {.weight_column = "target"}}) {
    const auto summary = inspect(file, odd);
    ASSERT_FALSE(summary.ok());
    EXPECT_THAT(summary.error().message, HasSubstr("format=\"csv\""));
  }
}

TEST(Joined, ALineThatRepeatsTheHeaderIsRefusedWithItsPlace) {
  const TemporaryDirectory directory;
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"a.txt", "source target\na b\nsource target\nb c\n"},
      {"a.csv", "source,target\na,b\nsource,target\nb,c\n"},
      {"b.csv", "from;to\na;b\nfrom;to\nb;c\n"},
  };
  for (const auto& [name, text] : cases) {
    const auto file = directory.write(name, text);
    for (const std::size_t chunk : {1, 7, 1000}) {
      CollectingSink sink;
      EXPECT_THAT(read(file, {.header = true}, chunk, sink), HasSubstr(":3:1: found the names of the columns again"));
    }
    CollectingSink sink;
    EXPECT_EQ(read(file, {.header = true, .skip_errors = 1}, 7, sink), "");
    EXPECT_EQ(sink.collected.size(), 2U);
  }
}

TEST(Ids, ThatMayStandForNoneOrForLongerNumbersAreTold) {
  const TemporaryDirectory directory;
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"NULL", "stands for no value"},
      {"nan", "stands for no value"},
      {"\\N", "stands for no value"},
      {"4.9E+11", "a spreadsheet"},
      {"1e+15", "a spreadsheet"},
      {"bob", ""},
      {"E+5", ""},
      {"Nancy", ""},
  };
  for (const auto& [id, says] : cases) {
    for (const auto& [name, text] :
         {std::pair<std::string, std::string>("a.csv", "source,target\nann," + id + "\nann,x\n"),
          {"a.txt", "source target\nann " + id + "\nann x\n"}}) {
      const auto summary = inspect(directory.write(name, text));
      ASSERT_TRUE(summary.ok()) << summary.error().message;
      EXPECT_EQ(summary->guesses.size(), says.empty() ? 0U : 1U) << name << ", " << id;
      if (!says.empty() && !summary->guesses.empty()) {
        EXPECT_THAT(summary->guesses.front(), HasSubstr(says));
      }
    }
  }
}

TEST(Csv, ATruthValueSaysADirectionInAColumnThatAsksForIt) {
  const TemporaryDirectory directory;
  const std::vector<std::pair<std::string, bool>> cases = {{"directed", true},    {"Directed", true},
                                                           {"is_directed", true}, {"isDirected", true},
                                                           {"checked", false},    {"undirected", false}};
  for (const auto& [name, says] : cases) {
    for (const auto& [yes, no] : {std::pair("true", "false"), {"True", "False"}, {"1", "0"}}) {
      const auto file = directory.write("a.csv", "source,target," + name + "\na,b," + yes + "\nb,c," + no + "\n");
      const auto summary = inspect(file);
      ASSERT_TRUE(summary.ok()) << summary.error().message;
      EXPECT_EQ(summary->directed, says) << name << ", " << yes;
      CollectingSink sink;
      EXPECT_EQ(read(file, {}, 7, sink), "");
      EXPECT_EQ(sink.collected.size(), says ? 3U : 2U) << name << ", " << yes;
    }
  }
}

}  // namespace
}  // namespace rizoma
