#include <rizoma/ingest.h>

#include "testing/ingest_support.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using testing::CollectingSink;
using testing::TemporaryDirectory;

EdgeBatch numbers(std::vector<std::int64_t> sources, std::vector<std::int64_t> targets,
                  std::vector<double> weights = {}) {
  return {std::move(sources), std::move(targets), std::move(weights), {}};
}

StringColumn text(const std::vector<std::string>& values) {
  StringColumn column;
  for (const std::string& value : values) column.push_back(value);
  return column;
}

/// A spool of batches of all kinds.
void write_all(const std::filesystem::path& file, bool weighted) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kGreatestNarrow = std::numeric_limits<std::uint32_t>::max();
  auto spool = EdgeSpool::create(file, weighted);
  ASSERT_TRUE(spool) << spool.error().message;
  ASSERT_TRUE(spool->edges(numbers({1, 2, kGreatestNarrow}, {3, 4, 0}, {0.5, 2, -1})));
  ASSERT_TRUE(spool->vertices(std::vector<std::int64_t>{7, kLeast}));
  ASSERT_TRUE(spool->edges(numbers({kGreatestNarrow + 1, -1}, {kLeast, 5})));
  ASSERT_TRUE(spool->edges({text({"", "ann"}), text({"bob", "cem"}), {}, {}}));
  ASSERT_TRUE(spool->vertices(text({"dia"})));
  ASSERT_TRUE(spool->edges(numbers({}, {})));
  spool->left_out({.skipped_errors = 2, .first_bad = "first"});
  spool->left_out({.skipped_errors = 1, .null_lines = 4, .first_bad = "second"});
  EXPECT_EQ(spool->rows(), 7U);
  EXPECT_EQ(spool->not_read().skipped_errors, 3U);
  EXPECT_EQ(spool->not_read().null_lines, 4U);
  EXPECT_EQ(spool->not_read().first_bad, "first");
}

TEST(EdgeSpool, GivesBackWhatItWasToldInItsOrder) {
  const TemporaryDirectory directory;
  testing::PoolExecutor executor(3);
  for (const bool weighted : {false, true}) {
    write_all(directory / "spool", weighted);
    CollectingSink sink;
    ASSERT_TRUE(read_spool(directory / "spool", executor, sink));
    const std::vector<CollectingSink::Edge> expected = {
        {"1", "3", weighted ? 0.5 : 1},
        {"2", "4", weighted ? 2.0 : 1},
        {"4294967295", "0", weighted ? -1.0 : 1},
        {"4294967296", "-9223372036854775808", 1},
        {"-1", "5", 1},
        {"", "bob", 1},
        {"ann", "cem", 1},
    };
    EXPECT_EQ(sink.collected, expected);
    EXPECT_EQ(sink.vertex_ids, (std::vector<std::string>{"7", "-9223372036854775808", "dia"}));
    EXPECT_FALSE(sink.overlapping);
  }
}

TEST(EdgeSpool, AFileThroughItIsTheFile) {
  const TemporaryDirectory directory;
  std::string lines;
  for (int i = 0; i < 50'000; ++i) lines += std::to_string(i * 7 % 1000) + " " + std::to_string(i) + "\n";
  const auto file = directory.write("edges.txt", lines);
  testing::PoolExecutor executor(3);
  CollectingSink direct;
  ASSERT_TRUE(read_file(file, {}, executor, direct));
  auto spool = EdgeSpool::create(directory / "spool", false);
  ASSERT_TRUE(spool);
  ASSERT_TRUE(read_file(file, {}, executor, *spool));
  CollectingSink through;
  ASSERT_TRUE(read_spool(directory / "spool", executor, through));
  EXPECT_EQ(through.collected, direct.collected);
  EXPECT_EQ(through.batches, direct.batches);
}

TEST(EdgeSpool, WhatIsDamagedIsRefused) {
  const TemporaryDirectory directory;
  testing::PoolExecutor executor(2);
  write_all(directory / "spool", true);
  std::ifstream in(directory / "spool", std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  for (std::size_t at = 0; at < whole.size(); at += 5) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x41);
    CollectingSink sink;
    const Status status = read_spool(directory.write("changed", changed), executor, sink);
    ASSERT_FALSE(status) << at;
    EXPECT_EQ(status.error().code, ErrorCode::corrupt);
    EXPECT_FALSE(read_spool(directory.write("cut", whole.substr(0, whole.size() - 1 - at % 30)), executor, sink)) << at;
  }
  EXPECT_FALSE(EdgeSpool::create(directory / "absent" / "spool", true));
}

}  // namespace
}  // namespace rizoma
