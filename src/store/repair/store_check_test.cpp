// What a check costs: nothing for what is missing.
#include "store/repair/store_check.h"

#include "platform/file_medium.h"
#include "store/disk_format.h"
#include "store/manifest/manifest.h"
#include "testing/failing_allocation.h"
#include "testing/heap_medium.h"
#include "testing/ids_below.h"
#include "testing/int64_column.h"
#include "testing/store_fields.h"
#include "testing/store_files.h"
#include "testing/temporary_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {
namespace {

/// A manifest may name any number of them; memory is not sized by it.
TEST(Check, OfManyVerticesWithoutEdgesTakesNoByteForEach) {
  constexpr std::int64_t kVertices = std::int64_t{1} << 24;
  const std::shared_ptr<Medium> medium = make_heap_medium();
  StoreOptions options;
  options.schema.section_bits = format::kMaxSectionBits;
  {
    const auto store = *Store::create(medium, options);
    ASSERT_TRUE(store->add_vertices(ids_below(kVertices)));
    ASSERT_TRUE(store->add_edges({std::vector<std::int64_t>{0, 5}, std::vector<std::int64_t>{3, 9}, {}}));
    ASSERT_TRUE(store->checkpoint());
    ASSERT_TRUE(store->close());
  }
  SerialExecutor serial;
  const auto failing = FailingAllocation::of_at_least(kVertices);
  const auto report = check_store(medium, serial);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->findings.empty());
}

StringColumn texts(std::initializer_list<std::string_view> values) {
  StringColumn column;
  for (const std::string_view value : values) column.push_back(value);
  return column;
}

/// A directed graph whose ids are texts, with values of edges and vertices.
FileContents store_of_everything(const std::vector<std::int64_t>& values = {5, 6, 7}) {
  const std::shared_ptr<Medium> medium = make_heap_medium();
  StoreOptions options;
  options.schema.directed = true;
  options.schema.ids = IdKind::string;
  options.schema.section_bits = 2;
  options.schema.edge_columns = {{0, ColumnType::int64, true, "since"}};
  options.schema.vertex_columns = {{0, ColumnType::int64, true, "age"}};
  const auto store = *Store::create(medium, options);
  EXPECT_TRUE(store->apply(
      Batch()
          .add_edges({texts({"a", "b", "c"}), texts({"b", "c", "e"}), {}, testing::int64_column("since", values)})
          .set_vertices(texts({"a", "b", "c"}), testing::int64_column("age", values))));
  EXPECT_TRUE(store->checkpoint());
  EXPECT_TRUE(store->close());
  return read_files(*medium);
}

/// What is said of a store in which one bit of an extent, in turn of each of a kind, is another.
std::vector<std::string> said_of_damage(const std::string& structure,
                                        const FileContents& whole = store_of_everything()) {
  std::vector<std::string> said;
  for (const testing::SealedExtent& extent : testing::find_fields(whole).extents) {
    if (extent.structure != structure) continue;
    FileContents files = whole;
    files.at(extent.file)[extent.at + extent.bytes - 1] ^= std::byte{1};
    SerialExecutor serial;
    const auto report = check_store(medium_of(files), serial);
    EXPECT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->findings.size(), 1U) << structure;
    for (const CheckFinding& finding : report->findings) {
      said.push_back(finding.where + " | " + finding.what + " | " + finding.loss);
    }
  }
  return said;
}

TEST(Check, SaysWhatIsDamagedAndWhatThatCosts) {
  using ::testing::ElementsAre;
  const std::string at = ":memory:/data at byte ";
  EXPECT_THAT(said_of_damage("image"), ElementsAre(at + "4096 | the image of section 0 (out) fails its checksum | "
                                                        "3 edges from vertices 0..3 (internal ids)",
                                                   at + "8192 | the image of section 0 (in) fails its checksum | "
                                                        "3 edges to vertices 0..3 (internal ids)"));
  EXPECT_THAT(said_of_damage("dictionary"),
              ElementsAre("store | :memory:/data (dictionary of vertices 0 to 4) has a damaged list of checksums | "
                          "nothing: a repair rebuilds the index from the ids"));
  EXPECT_THAT(said_of_damage("rows"), ElementsAre(at + "16384 | the rows 1..3 of edges fails its checksum | "
                                                       "the values of the columns of up to 3 edges",
                                                  at + "20480 | the rows 1..3 of vertices fails its checksum | "
                                                       "the values of the columns of up to 3 vertices"));
}

/// Which edges a section has that cannot be read: those of its image and those added since.
TEST(Check, CountsTheEdgesOfADamagedSection) {
  const std::shared_ptr<Medium> medium = make_heap_medium();
  StoreOptions options;
  options.schema.directed = true;
  options.schema.in_edges = false;
  const auto store = *Store::create(medium, options);
  ASSERT_TRUE(
      store->add_edges({std::vector<std::int64_t>{0, 0, 0, 1, 1, 2}, std::vector<std::int64_t>{1, 2, 3, 2, 3, 3}, {}}));
  SerialExecutor serial;
  ASSERT_TRUE(store->compact(serial, std::nullopt));
  ASSERT_TRUE(store->add_edges({std::vector<std::int64_t>{3}, std::vector<std::int64_t>{0}, {}}));
  ASSERT_TRUE(store->checkpoint());
  ASSERT_TRUE(store->close());
  const std::vector<std::string> said = said_of_damage("delta", read_files(*medium));
  ASSERT_EQ(said.size(), 1U);
  EXPECT_NE(said[0].find("7 edges from vertices 0..3 (internal ids)"), std::string::npos) << said[0];
}

/// An id that is damaged is lost, and which vertices it may be of is said.
TEST(Check, NamesTheVerticesWhoseIdsAreDamaged) {
  const std::shared_ptr<Medium> medium = make_heap_medium();
  StoreOptions options;
  options.schema.ids = IdKind::integer;
  const auto store = *Store::create(medium, options);
  ASSERT_TRUE(store->add_vertices(std::vector<std::int64_t>{50, 60, 70}));
  ASSERT_TRUE(store->checkpoint());
  ASSERT_TRUE(store->close());
  FileContents files = read_files(*medium);
  for (const testing::SealedExtent& extent : testing::find_fields(files).extents) {
    if (extent.structure == "dictionary") files.at(extent.file)[extent.at + 128] ^= std::byte{1};  // after the header
  }
  SerialExecutor serial;
  const auto report = check_store(medium_of(files), serial);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->findings.size(), 1U);
  EXPECT_EQ(report->findings[0].loss, "the ids of 1 of the vertices 0..2 (internal ids)");
}

/// Values that only a tagged state has are checked with it.
TEST(Check, SaysWhatATaggedStateLoses) {
  const std::shared_ptr<Medium> medium = medium_of(store_of_everything());
  const auto before = testing::find_fields(read_files(*medium)).extents;
  {
    const auto store = *Store::open(medium);
    ASSERT_TRUE(store->tag("before"));
    SerialExecutor serial;
    ASSERT_TRUE(store->drop_column(RowKind::edges, "since"));
    ASSERT_TRUE(store->drop_column(RowKind::vertices, "age"));
    ASSERT_TRUE(store->compact(serial, VertexOrder::given));
    ASSERT_TRUE(store->close());
  }
  FileContents files = read_files(*medium);
  for (const testing::SealedExtent& extent : before) {
    if (extent.structure == "rows") files.at(extent.file)[extent.at + extent.bytes - 1] ^= std::byte{1};
  }
  SerialExecutor serial;
  const auto report = check_store(medium_of(files), serial);
  ASSERT_TRUE(report) << report.error().message;
  std::vector<std::string> losses;
  for (const CheckFinding& finding : report->findings) losses.push_back(finding.loss);
  const std::string of_edges = "the values of the columns of up to 3 edges";  // which the present state still names
  EXPECT_THAT(losses, ::testing::ElementsAre(of_edges, of_edges, "the values of the columns of up to 3 vertices"));
}

/// Blocks of rows of another store are whole, of the same rows, and have the values of other edges.
TEST(Check, TellsRowsOfAnotherStore) {
  FileContents files = store_of_everything();
  const FileContents other = store_of_everything({8, 9, 10});
  std::uint64_t blocks = 0;
  for (const testing::SealedExtent& extent : testing::find_fields(files).extents) {
    if (extent.structure != "rows") continue;
    const auto begin = other.at(extent.file).begin() + static_cast<std::ptrdiff_t>(extent.at);
    std::copy_n(begin, extent.bytes, files.at(extent.file).begin() + static_cast<std::ptrdiff_t>(extent.at));
    ++blocks;
  }
  SerialExecutor serial;
  const auto report = check_store(medium_of(files), serial);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->findings.size(), blocks);
  for (const CheckFinding& finding : report->findings)
    EXPECT_NE((finding.where + finding.what).find("are not those that the manifest names"), std::string::npos)
        << finding.what;
}

/// A manifest that names fewer rows than edges have is no damage of a file, and is found all the same.
TEST(Check, CountsEdgesWhoseRowsNoBlockHas) {
  FileContents files = store_of_everything();
  for (auto& [name, bytes] : files) {
    if (!name.starts_with("manifest")) continue;
    format::ManifestHeader there;
    std::memcpy(&there, bytes.data(), sizeof there);
    auto manifest = decode_manifest(bytes, there.store, there.number, name);
    ASSERT_TRUE(manifest) << manifest.error().message;
    ASSERT_EQ(manifest->state.edge_rows.size(), 1U);
    manifest->state.edge_rows.clear();
    const auto records = std::span<const std::byte>(bytes).subspan(manifest->length);
    std::vector<std::byte> anew = encode_manifest(manifest->state, there.store, there.number);
    anew.insert(anew.end(), records.begin(), records.end());
    bytes = std::move(anew);
  }
  SerialExecutor serial;
  const auto report = check_store(medium_of(files), serial);
  ASSERT_TRUE(report) << report.error().message;
  std::string said;
  for (const CheckFinding& finding : report->findings) said += finding.what + "\n";
  EXPECT_NE(said.find("3 edges name rows that do not exist"), std::string::npos) << said;
}

/// That a file is gone is damage, too, and no reason to check nothing else.
TEST(Check, SaysWhatIsMissing) {
  for (const std::string prefix : {"data", "log."}) {
    FileContents files = store_of_everything();
    std::erase_if(files, [&](const auto& file) { return file.first.starts_with(prefix); });
    SerialExecutor serial;
    const auto report = check_store(medium_of(files), serial);
    ASSERT_TRUE(report) << report.error().message;
    ASSERT_FALSE(report->findings.empty());
    EXPECT_NE(report->findings[0].where.find(prefix), std::string::npos) << report->findings[0].where;
  }
}

/// Another program may keep anything beside a store, a link to nothing among it.
TEST(Check, OfADirectoryWithALinkToNothingFindsNothing) {
  const testing::TemporaryDirectory directory;
  const std::shared_ptr<Medium> medium = *open_file_medium(directory.path());
  {
    const auto store = *Store::create(medium, {});
    ASSERT_TRUE(store->add_edges({std::vector<std::int64_t>{0, 5}, std::vector<std::int64_t>{3, 9}, {}}));
  }
  std::filesystem::create_symlink("nowhere", directory / "notes");
  SerialExecutor serial;
  const auto report = check_store(medium, serial);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->findings.empty());
}

}  // namespace
}  // namespace rizoma
