// Malformed input: the error names the exact line and column, what was found and what was expected,
// whatever the threads, the chunk size and the compression.
#include "ingest/import_format.h"
#include "testing/ingest_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>

namespace rizoma {
namespace {

using testing::CollectingSink;
using ::testing::HasSubstr;
using testing::PoolExecutor;
using testing::TemporaryDirectory;

struct Malformed {
  const char* name;  ///< of the file; its ending tells the format
  std::string text;
  const char* where;  ///< line:column
  const char* found;
  const char* expected;
  ReadOptions options = {};
};

const std::vector<Malformed> kTable = {
    {"a.el", "0 1\n1 x\n", "2:3", "'x'", "ids=\"string\""},
    {"a.el", "0 1\n1\n", "2:2", "the end of the line", "a target id"},
    {"a.el", "0 1\n  7\t", "2:5", "the end of the line", "a target id"},
    {"a.el", "0 1\n1 2 z\n", "2:5", "'z'", "the end of the line or a number"},
    {"a.el", "0 1\n1 9223372036854775808\n", "2:3", "'9223372036854775808'", "64 bits"},
    {"a.el", "0 1\n-9223372036854775809 2\n", "2:1", "'-9223372036854775809'", "64 bits", {.ids = IdKind::integer}},
    {"a.el", "0 1\n1.5 2\n", "2:1", "'1.5'", "an integer"},
    {"a.el", "0 1\r\n\r\n# c\r\n1 2x\r\n", "4:3", "'2x'", "an integer"},
    {"a.el", std::string("0 1\n\0 2\n", 8), "2:1", "byte 0x00", "a source id"},
    {"a.el", "0 1\n2\r3\n", "2:1", "'2'", "an integer"},
    {"a.el",
     "\xEF\xBB\xBF"
     "0 1\n0,1\n",
     "2:1", "'0,1'", "an integer"},
    {"a.el",
     "ann bob\nb\xFC"
     "rger ann\n",
     "2:1",
     "not UTF-8",
     "a source id",
     {.ids = IdKind::string}},
    {"a.csv",
     "ann,bob\nann,b\xFC"
     "rger\n",
     "2:5",
     "not UTF-8",
     "an id",
     {.ids = IdKind::string}},
    {"a.wel", "0 1 2\n0 1\n", "2:4", "the end of the line", "a weight"},
    {"a.wel", "0 1 2\n0 1 nan\n", "2:5", "'nan'", "a finite number"},
    {"a.wel", "0 1 2\n0 1 inf\n", "2:5", "'inf'", "a finite number"},
    {"a.wel", "0 1 2\n0 1 1e999\n", "2:5", "'1e999'", "a finite number"},
    {"a.wel", "0 1 2\n0 1 3kg\n", "2:5", "'3kg'", "a finite number"},
    {"a.csv", "0,1\n1,x\n", "2:3", "'x'", "ids=\"string\""},
    {"a.csv", "0,1\n1\n", "2:2", "the end of the line", "2 fields"},
    {"a.csv", "0,1\n1,2,3\n", "2:5", "'3'", "after 2 fields"},
    {"a.csv", "0,1\n1,2,\n", "2:5", "the end of the line", "after 2 fields"},
    {"a.csv", "0,1\n\"1,2\n", "2:5", "the end of the line", "closing quote"},
    {"a.csv", "0,1\n\"1\"x,2\n", "2:4", "'x,2'", "a delimiter"},
    {"a.csv", "0,1\n,2\n", "2:1", "an empty field", "null=\"\""},
    {"a.csv", "0 1\n", "1:1", "'0'", "comma, semicolon, tab or |"},
    {"a.el", "1 2 {}\n", "1:5", "'{}'", "data=False"},
    {"a.mtx", "", "1:1", "the end of the file", "banner"},
    {"a.mtx", "%%MatrixMarkt matrix\n", "1:1", "'%%MatrixMarkt'", "banner"},
    {"a.mtx", "%%MatrixMarket matrix array real general\n", "1:23", "'array'", "coordinate"},
    {"a.mtx", "%%MatrixMarket matrix coordinate complex general\n", "1:34", "'complex'", "pattern, real or integer"},
    {"a.mtx", "%%MatrixMarket matrix coordinate real hermitian\n", "1:39", "'hermitian'", "symmetric"},
    {"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n%\n2 3 1\n1 1\n", "3:3", "'3'", "square"},
    {"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n9000000000 9000000000 1\n1 1\n", "2:1",
     "9000000000 vertices", "at most 1048576 for 1 edges"},
    {"a.gr", "c\np sp 9000000000 1\na 1 2 3\n", "2:1", "9000000000 vertices", "at most 1048576 for 1 edges"},
    {"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2\n", "2:4", "the end of the line", "size line"},
    {"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n", "2:1", "the end of the file", "size line"},
    {"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n0 1\n", "3:1", "'0'", "from 1 to 2"},
    {"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 3\n", "3:3", "'3'", "from 1 to 2"},
    {"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2 3\n", "3:5", "'3'", "the end of the line"},
    {"a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2\n", "3:4", "the end of the line", "a weight"},
    {"a.mtx", "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 1.5\n", "3:5", "'1.5'", "32 bits"},
    {"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n", "2:1", "1 entries", "expected 2"},
    {"a.graph", "% c\n", "2:1", "the end of the file", "header"},
    {"a.graph", "2 x\n", "1:3", "'x'", "header"},
    {"a.graph", "2 1 7\n", "1:5", "'7'", "digits 0 or 1"},
    {"a.graph", "2 1\n2\n3\n", "3:1", "'3'", "from 1 to 2"},
    {"a.graph", "2 1\n2\n1\n1\n", "4:1", "'1'", "the end of the file"},
    {"a.graph", "3 1\n2\n1\n", "1:1", "lines of 2 vertices", "expected 3"},
    {"a.graph", "2 2\n2\n1\n", "1:1", "2 entries", "expected 4"},
    {"a.graph", "3 1\n2\n3\n\n", "1:1", "2 entries to greater", "directed=True"},
    {"a.graph", "2 1 1\n2 5\n1\n", "3:2", "the end of the line", "weight of the edge"},
    {"a.gr", "c x\na 1 2 3\n", "2:1", "'a'", "p sp"},
    {"a.gr", "p sp 2 1\na 1 3 3\n", "2:5", "'3'", "from 1 to 2"},
    {"a.gr", "p sp 2 1\nb 1 2 3\n", "2:1", "'b'", "an arc"},
    {"a.gr", "p sp 2 2\na 1 2 3\n", "1:1", "1 arcs", "expected 2"},
};

std::string gzipped(const std::string& text) {
  const TemporaryDirectory directory;
  const std::string name = directory / "malformed.gz";
  gzFile file = gzopen(name.c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  std::ifstream in(name, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), {});
  return bytes;
}

void expect_error(const Malformed& row, const std::filesystem::path& file, const std::string& where, unsigned threads,
                  std::size_t chunk) {
  SCOPED_TRACE(::testing::Message() << row.text << " in " << file.filename() << ", " << threads
                                    << " threads, chunks of " << chunk);
  PoolExecutor executor(threads);
  CollectingSink sink;
  const Status status = read_request({.file = file, .options = row.options, .chunk_bytes = chunk}, executor, sink);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::parse);
  EXPECT_THAT(status.error().message, HasSubstr(file.string() + ":" + where + ": found "));
  EXPECT_THAT(status.error().message, HasSubstr(row.found));
  EXPECT_THAT(status.error().message, HasSubstr(row.expected));
}

TEST(Malformed, LinesAreNamedExactly) {
  const TemporaryDirectory directory;
  for (const Malformed& row : kTable) {
    const auto file = directory.write(row.name, row.text);
    for (const unsigned threads : {1u, 3u}) {
      for (const std::size_t chunk : {1, 4, 1000}) expect_error(row, file, row.where, threads, chunk);
    }
    expect_error(row, directory.write(std::string(row.name) + ".gz", gzipped(row.text)), row.where, 2, 3);
  }
}

TEST(Malformed, LineNumbersHoldDeepInTheFile) {
  const TemporaryDirectory directory;
  std::string text;
  for (int i = 0; i < 5000; ++i) text += std::to_string(i % 100) + " " + std::to_string(i % 77) + "\n";
  text += "12 oops\n" + text + "later too\n";
  const Malformed row{"deep.el", "deep", "5001:4", "'oops'", "an integer"};
  for (const unsigned threads : {1u, 4u}) expect_error(row, directory.write("deep.el", text), "5001:4", threads, 50);
}

/// A header and a body of a serialized graph.
std::string serialized(bool directed, std::int64_t entries, std::int64_t vertices,
                       const std::vector<std::int64_t>& offsets, const std::vector<std::int32_t>& targets) {
  std::string bytes(1, directed ? '\1' : '\0');
  const auto add = [&](const auto& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
  add(entries);
  add(vertices);
  for (const auto offset : offsets) add(offset);
  for (const auto target : targets) add(target);
  return bytes;
}

TEST(Malformed, SerializedGraphs) {
  const TemporaryDirectory directory;
  const std::vector<std::pair<std::string, const char*>> table = {
      {"", "header of 17 bytes"},
      {serialized(false, 2, 2, {0, 1, 2}, {1}), "a size that fits"},
      {serialized(false, -1, 2, {}, {}), "-1 entries"},
      {serialized(false, 0, std::int64_t{1} << 40, {}, {}), "vertices, expected 0 to 2^31"},
      {serialized(false, std::int64_t{1} << 62, 2, {}, {}), "a size that fits"},
      {"\2" + serialized(false, 0, 0, {0}, {}).substr(1), "neither 0 nor 1"},
      {serialized(false, 2, 2, {1, 1, 2}, {1, 0}), "a first offset of 1"},
      {serialized(false, 2, 2, {0, 2, 1}, {1, 0}), "found offset 1, expected 2 to 2"},
      {serialized(false, 2, 2, {0, 1, 1}, {1, 0}), "a last offset of 1"},
      {serialized(false, 2, 2, {0, 1, 9}, {1, 0}), "found offset 9"},
      {serialized(false, 2, 2, {0, 1, 2}, {1, 2}), "byte 45: found target 2, expected 0 to 1"},
      {serialized(false, 2, 2, {0, 1, 2}, {-1, 0}), "byte 41: found target -1"},
  };
  for (const auto& [bytes, message] : table) {
    const auto file = directory.write("a.sg", bytes);
    CollectingSink sink;
    SerialExecutor executor;
    const Status status = read_file(file, {}, executor, sink);
    ASSERT_FALSE(status.ok()) << message;
    EXPECT_EQ(status.error().code, ErrorCode::parse);
    EXPECT_THAT(status.error().message, HasSubstr(message));
  }
}

TEST(Malformed, WhatIsNoTextIsCalledByItsName) {
  const TemporaryDirectory directory;
  const std::vector<std::pair<std::string, const char*>> table = {
      {"\xFD"
       "7zXZ and more",
       "with xz"},
      {"BZh91AY&SY and more", "with bzip2"},
      {"PK\x03\x04 and more", "ZIP archive"},
      {"ARROW1 and more", "Arrow file"},
      {"\x89HDF\r\n", "HDF5"},
      {"SQLite format 3", "SQLite"},
      {"\x93NUMPY and more", "NumPy"},
      {"PAR1\x15 and more", "Parquet"},
  };
  for (const auto& [bytes, name] : table) {
    for (const char* file : {"a.txt", "a.csv", "a.mtx"}) {
      const auto summary = inspect(directory.write(file, bytes));
      ASSERT_FALSE(summary.ok()) << name << " in " << file;
      EXPECT_EQ(summary.error().code, ErrorCode::parse);
      EXPECT_THAT(summary.error().message, HasSubstr(name));
    }
  }
  EXPECT_TRUE(inspect(directory.write("b.txt", "BZh9 PK\nPAR1 ARROW\n")).ok());
}

TEST(Malformed, ACsvHeaderThatIsNoUtf8) {
  const TemporaryDirectory directory;
  const auto summary = inspect(directory.write("a.csv", "von,empf\xE4nger\nann,bob\n"), {.header = true});
  ASSERT_FALSE(summary.ok());
  EXPECT_THAT(summary.error().message, ::testing::AllOf(HasSubstr("a.csv:1:5: "), HasSubstr("not UTF-8")));
  EXPECT_TRUE(inspect(directory.write("b.csv",
                                      "0,1,Z\xFC"
                                      "rich\n1,0,Oslo\n"))
                  .ok());  // which is not read
}

TEST(Malformed, NotWhatTheNameSays) {
  const TemporaryDirectory directory;
  CollectingSink sink;
  SerialExecutor executor;
  const Error plain = read_file(directory.write("a.el.gz", "0 1\n"), {}, executor, sink).error();
  EXPECT_EQ(plain.code, ErrorCode::corrupt);
  EXPECT_THAT(plain.message, ::testing::HasSubstr("a.el.gz: this is no gzip data, though it is called so; rename"));
  EXPECT_EQ(read_file(directory.write("a.el.zst", "0 1\n"), {}, executor, sink).error().code, ErrorCode::corrupt);
  EXPECT_EQ(read_file(directory.write("a.sg.gz", "0 1\n"), {}, executor, sink).error().code, ErrorCode::unsupported);
}

}  // namespace
}  // namespace rizoma
