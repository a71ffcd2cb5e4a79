// Options of reading that a format has not are refused by name, for each option and each format of the core.
#include <rizoma/ingest.h>

#include "testing/ingest_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace rizoma {
namespace {

using testing::CollectingSink;
using ::testing::HasSubstr;
using testing::PoolExecutor;
using testing::TemporaryDirectory;

struct Option {
  ReadOptions options;
  std::set<std::string> formats;  ///< of the core, that have it
};

const std::set<std::string> kLines = {"csv", "edge_list"};
const std::set<std::string> kText = {"csv", "dimacs", "edge_list", "graphalytics", "matrix_market", "metis"};
const std::set<std::string> kDocuments = {"gml", "graphml", "json"};

const std::map<std::string, Option>& all_options() {
  static const std::map<std::string, Option> options = {
      {"delimiter", {{.delimiter = ';'}, {"csv"}}},
      {"quote", {{.quote = 0}, {"csv"}}},
      {"null", {{.null_text = "NA"}, {"csv"}}},
      {"multiline", {{.multiline = true}, {"csv"}}},
      {"vertex", {{.vertex_table = true}, {"csv"}}},
      {"header", {{.header = true}, kLines}},
      {"comment", {{.comment = '#'}, kLines}},
      {"skip_bad_lines", {{.skip_errors = 1}, kLines}},
      {"encoding", {{.encoding = "latin-1"}, kText}},
      {"decimal", {{.decimal = ','}, {"csv"}}},
      {"thousands", {{.thousands = "."}, {"csv"}}},
      {"date_format", {{.date_format = "%d.%m.%Y"}, {"csv"}}},
      {"rename", {{.rename = {{"a", "b"}}}, {"csv"}}},
      {"source", {{.source_column = "a"}, kLines}},
      {"target", {{.target_column = "a"}, kLines}},
      {"weight", {{.weight_column = "amount"}, kLines}},
      {"edges", {{.edge_columns = {{"a", ColumnType::int64}}}, {"csv", "gml", "graphml", "json"}}},
      {"vertices", {{.vertex_columns = {{"a", ColumnType::int64}}}, kDocuments}},
  };
  return options;
}

TEST(FormatOptions, EachIsRefusedByTheFormatsThatHaveItNot) {
  for (const auto& [name, option] : all_options()) {
    for (const std::string_view format : file_formats()) {
      const Status fits = check_options("file", format, option.options);
      EXPECT_EQ(fits.ok(), option.formats.contains(std::string(format))) << name << " of " << format;
      if (fits) continue;
      EXPECT_EQ(fits.error().code, ErrorCode::invalid_argument);
      EXPECT_THAT(fits.error().message, HasSubstr("file: " + name + "= is for "));
      EXPECT_THAT(fits.error().message, HasSubstr("but this is " + std::string(format)));
    }
  }
}

TEST(FormatOptions, AreAskedWhereFilesAreLookedAtAndRead) {
  const TemporaryDirectory directory;
  const auto file = directory.write("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n");
  const ReadOptions plain, odd{.delimiter = ';'};
  EXPECT_THAT(inspect(file, odd).error().message, HasSubstr("delimiter= is for csv"));
  PoolExecutor executor(1);
  CollectingSink sink;
  EXPECT_FALSE(read_file(file, odd, executor, sink).ok());
  const auto summary = inspect(file, plain);
  ASSERT_TRUE(summary.ok());
  EXPECT_FALSE(read_file(file, *summary, odd, executor, sink).ok());
  EXPECT_TRUE(sink.collected.empty());
}

TEST(FormatOptions, APartOfAFileThatIsReadWholeIsRefused) {
  const TemporaryDirectory directory;
  const auto file = directory.write("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n");
  PoolExecutor executor(1);
  CollectingSink sink;
  const Status read = read_file(file, {.bytes = {10, 20}}, executor, sink);
  ASSERT_FALSE(read.ok());
  EXPECT_THAT(read.error().message, HasSubstr("bytes 10 to 20"));
}

TEST(FormatOptions, CharactersThatNoFileCanBeReadWithAreRefused) {
  const std::vector<ReadOptions> odd = {
      {.delimiter = '\n'}, {.quote = '\r'}, {.decimal = '\''}, {.comment = '\n'}, {.delimiter = '"'}};
  for (const ReadOptions& options : odd) {
    const Status fits = check_options("file", "csv", options);
    ASSERT_FALSE(fits.ok());
    EXPECT_EQ(fits.error().code, ErrorCode::invalid_argument);
  }
}

}  // namespace
}  // namespace rizoma
