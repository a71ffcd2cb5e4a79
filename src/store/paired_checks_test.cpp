// What is written is checked as what is read is: a mistake of the writer ends before it reaches a file.
#include "base/check.h"
#include "platform/memory_medium.h"
#include "store/columns/row_block.h"
#include "store/disk_format.h"
#include "store/manifest/manifest.h"
#include "store/sections/delta.h"
#include "store/sections/image.h"
#include "store/store.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace rizoma {
namespace {

TEST(PairedChecks, MoreChangesThanADeltaHasRoomForAreNotWritten) {
  const std::array<std::uint64_t, 3> words{1, 2, 3};
  const std::vector<ChangeRun> runs{{words, nullptr}};
  EXPECT_THROW(static_cast<void>(encode_delta({.num_entries = 2, .target_bound = 9}, runs)), InternalError);
  EXPECT_THROW(static_cast<void>(encode_delta({.num_entries = 4, .target_bound = 9}, runs)), InternalError);
  EXPECT_EQ(encode_delta({.num_entries = 3, .target_bound = 9}, runs).size(), sizeof(format::DeltaHeader) + 3 * 8);
}

TEST(PairedChecks, AnImageWhoseOffsetsDoNotEndAtItsEntriesIsNotSealed) {
  const ImageSpec spec{.target_bytes = 4, .num_vertices = 2, .num_entries = 3, .target_bound = 2};
  std::vector<std::byte> image(image_layout(spec).bytes);
  EXPECT_THROW(static_cast<void>(seal_image(spec, image)), InternalError);
}

TEST(PairedChecks, RowsThatNoReaderTakesAreNotWritten) {
  const std::array<std::byte, 16> two{};
  const ColumnValues values{"", ColumnType::uint64, {two.begin(), two.end()}, {}, {}};
  const auto encode = [](RowKind kind, std::uint64_t first, std::vector<RowColumn> columns) {
    static_cast<void>(encode_rows(kind, first, 2, columns, true));
  };
  EXPECT_NO_THROW(encode(RowKind::edges, 1, {{1, &values}, {2, &values}}));
  EXPECT_THROW(encode(RowKind::edges, 1, {{2, &values}, {1, &values}}), InternalError) << "columns out of order";
  EXPECT_THROW(encode(RowKind::edges, UINT64_MAX, {{1, &values}}), InternalError) << "rows that have no numbers";
  EXPECT_THROW(encode(RowKind::vertices, 1, {{1, &values}}), InternalError) << "no record says whose rows they are";
}

TEST(PairedChecks, BytesTooShortForAHeaderHaveNoName) {
  const std::vector<std::byte> few(5);
  EXPECT_EQ(delta_id(few), 0u);
  EXPECT_EQ(image_id(few), 0u);
  EXPECT_EQ(rows_id(few), 0u);
}

/// A block of rows could not distinguishes them, and none with both could be written.
TEST(PairedChecks, AManifestWithTwoColumnsOfOneIdIsRefused) {
  ManifestState state;
  state.generation = 1;
  state.schema.section_bits = 14;
  state.schema.rows = true;
  state.schema.next_column = 4;
  state.schema.edge_columns = {{1, ColumnType::int64, true, "a"}, {2, ColumnType::int64, true, "b"}};
  state.schema.vertex_columns = {{3, ColumnType::int64, true, "a"}};
  const format::StoreId store{};
  const auto read = [&] { return decode_manifest(encode_manifest(state, store, 1), store, 1, "the manifest"); };
  const auto whole = read();
  EXPECT_TRUE(whole) << whole.error().message;
  state.schema.vertex_columns[0].id = 2;
  EXPECT_FALSE(read());
  state.schema.vertex_columns[0].id = 3;
  state.schema.edge_columns[1].id = 1;
  EXPECT_FALSE(read());
}

TEST(PairedChecks, AManifestNamesWhatCanBeNamed) {
  const format::StoreId store{};
  ManifestState whole;
  whole.schema = {.directed = false, .section_bits = 4, .next_column = 2};
  const auto reads = [&](const auto& change) {
    ManifestState state = whole;
    change(state);
    return decode_manifest(encode_manifest(state, store, 1), store, 1, "the manifest").ok();
  };
  const auto with_path = [&](const std::string& path) {
    return reads([&](ManifestState& state) { state.locations = {{1, true, path}}; });
  };
  EXPECT_TRUE(with_path("/mnt/pmem0/g"));
  EXPECT_FALSE(with_path(std::string("/mnt/pmem0/g\0x", 14))) << "the system would look for another directory";
  EXPECT_FALSE(with_path(std::string(5000, 'x')));
  const auto with_column = [&](const std::string& name) {
    return reads([&](ManifestState& state) { state.schema.vertex_columns = {{1, ColumnType::int64, true, name}}; });
  };
  EXPECT_TRUE(
      with_column("gr\xc3\xb6\xc3\x9f"
                  "e"));
  EXPECT_FALSE(
      with_column("gr\xf6\xdf"
                  "e"));
  const auto with_tag = [&](const std::string& name) {
    return reads([&](ManifestState& state) { state.tags = {{name, 0, {4096, 4096, 0}, 1}}; });
  };
  EXPECT_TRUE(with_tag("t\xc3\xa4g"));
  EXPECT_FALSE(with_tag("t\xe4g"));
}

/// As many sections as a change may grow the graph to, and a manifest may have.
TEST(PairedChecks, ALoadHasTheLimitsOfAChange) {
  const auto store = *Store::create(std::shared_ptr<Medium>(make_memory_medium()), {});
  const auto target = *store->load_target(IdKind::dense);
  const LoadShape shape{.num_vertices = format::kMaxSections << format::kMinSectionBits,
                        .section_bits = format::kMinSectionBits};
  const Status begun = target->begin(shape);
  ASSERT_FALSE(begun);
  EXPECT_EQ(begun.error().code, ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace rizoma
