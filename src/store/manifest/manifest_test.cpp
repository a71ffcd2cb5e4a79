// What a manifest may say: each number at the ends of its range is read as it was written; one beyond them, under right
// checksums, is refused with words that say what is wrong.
#include "store/manifest/manifest.h"

#include "base/checksum.h"
#include "store/columns/column_rules.h"
#include "store/disk_format.h"
#include "store/space/data_files.h"
#include "store/validation/validation.h"
#include "testing/store_seal.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using Bytes = std::vector<std::byte>;
using format::ManifestBody;
using format::ManifestColumn;
using format::ManifestColumns;
using format::ManifestHeader;
using format::RowsRecord;
using format::SectionRecord;

constexpr std::uint64_t kNumber = 9;
constexpr std::string_view kImpossible = "holds impossible values";
constexpr std::string_view kSections = "holds an impossible section table";
constexpr std::string_view kLocations = "holds an impossible list of locations";
constexpr std::string_view kColumns = "holds an impossible list of columns";
constexpr std::string_view kSizes = "holds a section with impossible sizes";
constexpr std::string_view kReach = "holds a number that no store can reach";

format::StoreId store_id() { return {5, 6}; }

/// Something of every kind: 40 vertices in sections of 16.
ManifestState some_state() {
  ManifestState state;
  state.schema.directed = true;
  state.schema.weights = WeightType::float64;
  state.schema.ids = IdKind::integer;
  state.schema.section_bits = 4;
  state.schema.rows = true;
  state.schema.next_column = 4;
  state.schema.edge_columns = {{1, ColumnType::float64, false, "weight"}, {2, ColumnType::int64, true, "since"}};
  state.schema.vertex_columns = {{3, ColumnType::string, true, "name"}};
  state.num_vertices = 40;
  state.out.resize(3);
  state.out[0] = {{4096, 8192, 0}, 11, 100, 4, {}, 0, 0};
  state.out[2] = {{12288, 4096, 0}, 12, 10, 10, {16384, sizeof(format::DeltaHeader) + 16 * 16, 1}, 13, 16};
  state.in = {{{0, 4096, 1}, 14, 50, 0, {}, 0, 0}};
  state.dictionary = {{{20480, 64, 0}, 15}, {{24576, 64, 0}, 16}};
  state.removed = {{28672, 64, 0}, 17};
  state.locations = {{0, true, ""}, {1, true, "/a"}};
  state.edge_rows = {{{32768, 4096, 0}, 18, 1, 5}, {{36864, 4096, 0}, 19, 6, 2}};
  state.vertex_rows = {{{40960, 4096, 0}, 20, 1, 3}};
  state.tags = {{"one", 77, {45056, 4096, 0}, 21}};
  state.embedded_at = 49152;
  state.generation = 7;
  state.log_number = 3;
  state.log_sequence = 100;
  return state;
}

// Where the records of that state are.
constexpr std::size_t kBody = sizeof(ManifestHeader);
constexpr std::size_t kFirstSection = kBody + sizeof(ManifestBody);
constexpr std::size_t kSecondSection = kFirstSection + sizeof(SectionRecord);
constexpr std::size_t kInSection = kSecondSection + sizeof(SectionRecord);
constexpr std::size_t kDictionary = kInSection + sizeof(SectionRecord);
constexpr std::size_t kFirstLocation = kDictionary + 3 * sizeof(format::ExtentRecord);
constexpr std::size_t kSecondLocation = kFirstLocation + sizeof(format::LocationRecord);
constexpr std::size_t kPath = kSecondLocation + sizeof(format::LocationRecord);
constexpr std::size_t kColumnsAt = kPath + 8;
constexpr std::size_t kFirstColumn = kColumnsAt + sizeof(ManifestColumns);
constexpr std::size_t kSecondColumn = kFirstColumn + sizeof(ManifestColumn) + 8;
constexpr std::size_t kVertexColumn = kSecondColumn + sizeof(ManifestColumn) + 8;
constexpr std::size_t kFirstRows = kVertexColumn + sizeof(ManifestColumn) + 8;
constexpr std::size_t kSecondRows = kFirstRows + sizeof(RowsRecord);
constexpr std::size_t kTag = kSecondRows + 2 * sizeof(RowsRecord);
constexpr std::size_t kEnd = kTag + sizeof(format::ManifestTag) + 8;

/// Makes the checksums right; the body is as long as the bytes say.
Bytes sealed(Bytes bytes) {
  const auto body = std::span<const std::byte>(bytes).subspan(kBody);
  seal<ManifestHeader>(bytes, 0, format::kSeedManifestHeader, [&](ManifestHeader& header) {
    header.body_bytes = body.size();
    header.body_checksum = checksum(body, format::kSeedManifestBody);
  });
  return bytes;
}

Result<ManifestFile> decoded(const Bytes& bytes) { return decode_manifest(bytes, store_id(), kNumber, "case"); }

using Change = std::function<void(Bytes&)>;

template <class Record>
Change at(std::size_t where, void (*change)(Record&)) {
  return [=](Bytes& bytes) {
    Record record;
    std::memcpy(&record, bytes.data() + where, sizeof record);
    change(record);
    std::memcpy(bytes.data() + where, &record, sizeof record);
  };
}

struct Case {
  const char* name;
  Change change;
};

void expect_refused(const std::vector<Case>& cases, std::string_view says) {
  const Bytes whole = encode_manifest(some_state(), store_id(), kNumber);
  for (const Case& each : cases) {
    SCOPED_TRACE(each.name);
    Bytes bytes = whole;
    each.change(bytes);
    const auto found = decoded(sealed(std::move(bytes)));
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::corrupt);
    EXPECT_NE(found.error().message.find(says), std::string::npos) << found.error().message;
  }
}

void expect_same_again(const ManifestState& state) {
  const Bytes bytes = encode_manifest(state, store_id(), kNumber);
  const auto found = decoded(bytes);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(encode_manifest(found->state, store_id(), kNumber), bytes);
  EXPECT_EQ(found->length, bytes.size());
}

TEST(Manifest, SaysWhatWasWritten) {
  const ManifestState state = some_state();
  const Bytes bytes = encode_manifest(state, store_id(), kNumber);
  ASSERT_EQ(bytes.size(), kEnd);
  expect_same_again(state);
  const auto found = decoded(bytes);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->state.schema.edge_columns, state.schema.edge_columns);
  EXPECT_EQ(found->state.schema.vertex_columns, state.schema.vertex_columns);
  EXPECT_EQ(found->state.out.size(), 3U);
  EXPECT_TRUE(found->state.out[1].empty());
  EXPECT_EQ(found->state.out[2].delta.location, 1U);
  EXPECT_EQ(found->state.locations.at(1).path, "/a");
  EXPECT_EQ(found->state.tags.at(0).name, "one");
  EXPECT_EQ(found->state.embedded_at, state.embedded_at);
  EXPECT_EQ(found->state.extents().size(), 11U);
}

TEST(Manifest, NumbersAtTheEndsOfTheirRangesAreRead) {
  ManifestState state = some_state();
  state.generation = state.log_number = state.log_sequence = format::kMostNumberFound - 1;
  state.order = VertexOrder::locality;
  state.embedded_at = 0;
  state.schema.next_column = kEndOfColumnIds;
  state.edge_rows[1].rows = kMostRows - 6;
  state.locations[1].path = std::string(4096, 'p');
  expect_same_again(state);
  state = some_state();
  state.schema.section_bits = format::kMaxSectionBits;
  state.out.resize(1);
  state.num_vertices = format::kMaxNarrowVertices;
  expect_same_again(state);
  state.target_bytes = 8;
  state.num_vertices = format::kMaxVertices;
  expect_same_again(state);
  state.num_vertices = 8;
  state.schema.section_bits = format::kMinSectionBits;
  expect_same_again(state);
  state.schema.weight_rule = state.schema.parallel_rule = ParallelRule::max;
  expect_same_again(state);
  state.schema.weight_rule = state.schema.parallel_rule = ParallelRule::last;
  state.schema.parallel_edges = ParallelEdges::keep;
  expect_same_again(state);
}

TEST(Manifest, FactsBeyondTheirRangesAreRefused) {
  expect_refused(
      {{"directed", at<ManifestBody>(kBody, [](auto& body) { body.directed = 2; })},
       {"type of weights", at<ManifestBody>(kBody, [](auto& body) { body.weight_type = 4; })},
       {"kind of ids", at<ManifestBody>(kBody, [](auto& body) { body.id_kind = 3; })},
       {"in-edges", at<ManifestBody>(kBody, [](auto& body) { body.in_edges = 2; })},
       {"rules of a graph that keeps all", at<ManifestBody>(kBody, [](auto& body) { body.parallel_edges = 3; })},
       {"rule of the weight", at<ManifestBody>(kBody, [](auto& body) { body.parallel_edges = 5 << 1; })},
       {"rule of columns", at<ManifestBody>(kBody, [](auto& body) { body.parallel_edges = 5 << 4; })},
       {"self-loops", at<ManifestBody>(kBody, [](auto& body) { body.self_loops = 2; })},
       {"too small sections", at<ManifestBody>(kBody, [](auto& body) { body.section_bits = 1; })},
       {"too large sections", at<ManifestBody>(kBody, [](auto& body) { body.section_bits = 21; })},
       {"targets of 5 bytes", at<ManifestBody>(kBody, [](auto& body) { body.target_bytes = 5; })},
       {"bits", at<ManifestBody>(kBody, [](auto& body) { body.bits_fixed = 2; })},
       {"open ids", at<ManifestBody>(kBody, [](auto& body) { body.ids_open = 2; })},
       {"copied", at<ManifestBody>(kBody, [](auto& body) { body.copied = 2; })},
       {"removed vertices", at<ManifestBody>(kBody, [](auto& body) { body.removed_extents = 2; })},
       {"order", at<ManifestBody>(kBody, [](auto& body) { body.order = 5; })},
       {"vertices", at<ManifestBody>(kBody, [](auto& body) { body.num_vertices = format::kMaxVertices + 1; })}},
      kImpossible);
}

TEST(Manifest, SectionsBeyondTheGraphAreRefused) {
  expect_refused(
      {{"more sections than a store has", at<ManifestBody>(kBody,
                                                           [](auto& body) {
                                                             body.target_bytes = 8;
                                                             body.num_vertices = format::kMaxSections * 16 + 1;
                                                           })},
       {"more out-sections than the graph", at<ManifestBody>(kBody, [](auto& body) { body.out_sections = 4; })},
       {"more in-sections than the graph", at<ManifestBody>(kBody, [](auto& body) { body.in_sections = 4; })},
       {"a dictionary beyond the bytes",
        at<ManifestBody>(kBody, [](auto& body) { body.dictionary_segments = UINT64_MAX / 24; })},
       {"more records than bytes", at<ManifestBody>(kBody, [](auto& body) { body.dictionary_segments = 20; })},
       {"a section behind the last", at<SectionRecord>(kSecondSection, [](auto& record) { record.section = 3; })},
       {"an in-section behind the last", at<SectionRecord>(kInSection, [](auto& record) { record.section = 3; })},
       {"a section twice", at<SectionRecord>(kSecondSection, [](auto& record) { record.section = 0; })}},
      kSections);
}

TEST(Manifest, SizesOfASectionThatDoNotAgreeAreRefused) {
  expect_refused(
      {{"entries without an image", at<SectionRecord>(kFirstSection,
                                                      [](auto& record) {
                                                        record.image_offset = record.image_bytes = record.image_id =
                                                            record.image_self_loops = 0;
                                                      })},
       {"an image's id without an image", at<SectionRecord>(kFirstSection,
                                                            [](auto& record) {
                                                              record.image_offset = record.image_bytes =
                                                                  record.image_entries = record.image_self_loops = 0;
                                                              record.delta_offset = 8192;
                                                              record.delta_bytes = sizeof(format::DeltaHeader) + 16;
                                                              record.delta_entries = 1;
                                                            })},
       {"more self-loops than entries",
        at<SectionRecord>(kFirstSection, [](auto& record) { record.image_self_loops = 101; })},
       {"more entries than bytes", at<SectionRecord>(kFirstSection, [](auto& record) { record.image_entries = 2040; })},
       {"more entries than a section has", at<SectionRecord>(kFirstSection,
                                                             [](auto& record) {
                                                               record.image_entries = std::uint64_t{1} << 32;
                                                               record.image_bytes = std::uint64_t{1} << 36;
                                                             })},
       {"a delta's entries without a delta",
        at<SectionRecord>(kFirstSection, [](auto& record) { record.delta_entries = 1; })},
       {"a delta's id without a delta", at<SectionRecord>(kFirstSection, [](auto& record) { record.delta_id = 1; })},
       {"a delta without entries", at<SectionRecord>(kSecondSection,
                                                     [](auto& record) {
                                                       record.delta_entries = 0;
                                                       record.delta_bytes = sizeof(format::DeltaHeader);
                                                     })},
       {"a delta of another length", at<SectionRecord>(kSecondSection, [](auto& record) { record.delta_bytes += 8; })}},
      kSizes);
  expect_refused({{"in-edges of an undirected graph", at<ManifestBody>(kBody, [](auto& body) { body.directed = 0; })},
                  {"in-edges that are not stored", at<ManifestBody>(kBody, [](auto& body) { body.in_edges = 0; })}},
                 "holds in-edges, but the graph stores none");
}

TEST(Manifest, LocationsThatCannotBeAreRefused) {
  using Record = format::LocationRecord;
  expect_refused(
      {{"a path beyond the bytes", at<Record>(kSecondLocation, [](auto& record) { record.path_bytes = kEnd; })},
       {"a path of all bytes", at<Record>(kSecondLocation, [](auto& record) { record.path_bytes = UINT64_MAX; })},
       {"a number too large", at<Record>(kSecondLocation, [](auto& record) { record.number = kMaxLocations; })},
       {"a number twice", at<Record>(kSecondLocation, [](auto& record) { record.number = 0; })},
       {"a path with a zero in it", [](Bytes& bytes) { bytes[kPath] = std::byte{0}; }},
       {"an image where nothing is",
        at<SectionRecord>(kFirstSection, [](auto& record) { record.image_offset |= std::uint64_t{2} << 56; })},
       {"bytes behind all", [](Bytes& bytes) { bytes.resize(bytes.size() + 8); }},
       {"fewer locations than records", at<ManifestBody>(kBody, [](auto& body) { body.locations = 9; })}},
      kLocations);
  expect_refused({{"an end beyond all files",
                   at<SectionRecord>(kFirstSection, [](auto& record) { record.image_bytes = UINT64_MAX / 2; })}},
                 "names an extent that no file can hold");
  ManifestState state = some_state();
  state.locations.push_back({2, false, "/b"});  // in which nothing lies: who looks for an extent does not miss it
  Bytes bytes = encode_manifest(state, store_id(), kNumber);
  at<Record>(kPath + 8, [](auto& record) { record.number = kMaxLocations; })(bytes);
  const auto found = decoded(sealed(std::move(bytes)));
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message.find(kLocations), std::string::npos) << found.error().message;
  state = some_state();
  state.locations[1].path = std::string(4097, 'p');
  EXPECT_FALSE(decoded(encode_manifest(state, store_id(), kNumber))) << "no system opens so long a path";
}

TEST(Manifest, ColumnsThatCannotBeAreRefused) {
  expect_refused(
      {{"rows", at<ManifestColumns>(kColumnsAt, [](auto& header) { header.rows = 2; })},
       {"columns without rows", at<ManifestColumns>(kColumnsAt, [](auto& header) { header.rows = 0; })},
       {"no next id", at<ManifestColumns>(kColumnsAt, [](auto& header) { header.next_column = 0; })},
       {"a next id behind all",
        at<ManifestColumns>(kColumnsAt, [](auto& header) { header.next_column = kEndOfColumnIds + 1; })},
       {"the next id is taken", at<ManifestColumns>(kColumnsAt, [](auto& header) { header.next_column = 3; })},
       {"a copy behind all pages",
        at<ManifestColumns>(kColumnsAt, [](auto& header) { header.embedded_page = UINT64_MAX; })},
       {"more columns than bytes", at<ManifestColumns>(kColumnsAt, [](auto& header) { header.vertex_columns = 99; })},
       {"more blocks than bytes", at<ManifestColumns>(kColumnsAt, [](auto& header) { header.edge_blocks = 99; })},
       {"more blocks of vertices than bytes",
        at<ManifestColumns>(kColumnsAt, [](auto& header) { header.vertex_blocks = 99; })},
       {"more tags than bytes", at<ManifestColumns>(kColumnsAt, [](auto& header) { header.tags = 2; })},
       {"id 0", at<ManifestColumn>(kSecondColumn, [](auto& column) { column.id = 0; })},
       {"an id twice", at<ManifestColumn>(kSecondColumn, [](auto& column) { column.id = 1; })},
       {"an id of vertices, too", at<ManifestColumn>(kVertexColumn, [](auto& column) { column.id = 2; })},
       {"type 0", at<ManifestColumn>(kSecondColumn, [](auto& column) { column.type = 0; })},
       {"type 20", at<ManifestColumn>(kSecondColumn, [](auto& column) { column.type = 20; })},
       {"a rule behind the last", at<ManifestColumn>(kSecondColumn, [](auto& column) { column.flags = 1 | 5 << 1; })},
       {"a sum of texts", at<ManifestColumn>(kVertexColumn, [](auto& column) { column.flags = 1 | 2 << 1; })},
       {"a name beyond the bytes", at<ManifestColumn>(kVertexColumn, [](auto& column) { column.name_bytes = 9999; })},
       {"a name that is no text",
        [](Bytes& bytes) { bytes[kVertexColumn + sizeof(ManifestColumn)] = std::byte{0xff}; }},
       {"a name twice",
        [](Bytes& bytes) {
          at<ManifestColumn>(kSecondColumn, [](auto& column) { column.name_bytes = 6; })(bytes);
          std::memcpy(bytes.data() + kSecondColumn + sizeof(ManifestColumn), "weight", 6);
        }}},
      kColumns);
}

/// Nothing but a list of columns behind which the manifest ends: what is wrong with a column is said of the columns.
TEST(Manifest, TheLastColumnIsLookedAtLikeTheOthers) {
  ManifestState state;
  state.schema.section_bits = 4;
  state.schema.rows = true;
  state.schema.next_column = 3;
  state.schema.edge_columns = {{1, ColumnType::int64, true, "a"}, {2, ColumnType::string, true, "b"}};
  const Bytes whole = encode_manifest(state, store_id(), kNumber);
  const std::size_t last = whole.size() - sizeof(ManifestColumn) - 8;
  for (const Change& change : {at<ManifestColumn>(last, [](auto& column) { column.id = 0; }),
                               at<ManifestColumn>(last, [](auto& column) { column.id = 3; }),
                               at<ManifestColumn>(last, [](auto& column) { column.type = 0; }),
                               at<ManifestColumn>(last, [](auto& column) { column.flags = 1 | 5 << 1; }),
                               at<ManifestColumn>(last, [](auto& column) { column.flags = 1 | 2 << 1; }),  // a sum
                               at<ManifestColumn>(last, [](auto& column) { column.name_bytes = 9; })}) {
    Bytes bytes = whole;
    change(bytes);
    const auto found = decoded(sealed(std::move(bytes)));
    ASSERT_FALSE(found);
    EXPECT_NE(found.error().message.find(kColumns), std::string::npos) << found.error().message;
  }
}

TEST(Manifest, RowsAndTagsThatCannotBeAreRefused) {
  using Tag = format::ManifestTag;
  expect_refused(
      {{"a row twice", at<RowsRecord>(kSecondRows, [](auto& record) { record.first = 5; })},
       {"row 0", at<RowsRecord>(kFirstRows, [](auto& record) { record.first = 0; })},
       {"row 0 of vertices", at<RowsRecord>(kSecondRows + sizeof(RowsRecord), [](auto& record) { record.first = 0; })},
       {"a block without rows", at<RowsRecord>(kSecondRows, [](auto& record) { record.rows = 0; })},
       {"rows behind all numbers", at<RowsRecord>(kSecondRows, [](auto& record) { record.rows = UINT64_MAX; })},
       {"a tag without a manifest", at<Tag>(kTag, [](auto& tag) { tag.bytes = 0; })},
       {"a tag's name beyond the bytes", at<Tag>(kTag, [](auto& tag) { tag.name_bytes = 9; })},
       {"a tag's name of all bytes", at<Tag>(kTag, [](auto& tag) { tag.name_bytes = UINT64_MAX; })},
       {"a tag's name cut within its last 8 bytes", [](Bytes& bytes) { bytes.resize(bytes.size() - 4); }},
       {"a tag's name that is no text", [](Bytes& bytes) { bytes[kTag + sizeof(Tag)] = std::byte{0xff}; }}},
      kColumns);
  expect_refused({{"a row that no block has", at<RowsRecord>(kSecondRows, [](auto& record) { record.first = 7; })},
                  {"more rows than a float64 names",
                   at<RowsRecord>(kSecondRows, [](auto& record) { record.rows = kMostRows - 5; })},
                  {"a weight of another type", at<ManifestBody>(kBody, [](auto& body) { body.weight_type = 1; })},
                  {"a weight of a graph without", at<ManifestBody>(kBody, [](auto& body) { body.weight_type = 0; })}},
                 "holds impossible rows or columns");
  expect_refused(
      {{"a block without bytes", at<RowsRecord>(kFirstRows, [](auto& record) { record.bytes = 0; })},
       {"values of vertices without bytes",
        at<RowsRecord>(kSecondRows + sizeof(RowsRecord), [](auto& record) { record.bytes = 0; })},
       {"a dictionary without bytes", at<format::ExtentRecord>(kDictionary, [](auto& record) { record.bytes = 0; })}},
      "names an extent without bytes");
}

TEST(Manifest, NumbersThatNoStoreReachesAreRefused) {
  expect_refused(
      {{"generation", at<ManifestHeader>(0, [](auto& header) { header.generation = format::kMostNumberFound; })},
       {"log", at<ManifestBody>(kBody, [](auto& body) { body.log_number = format::kMostNumberFound; })},
       {"sequence", at<ManifestBody>(kBody, [](auto& body) { body.log_sequence = format::kMostNumberFound; })},
       {"last generation", at<ManifestHeader>(0, [](auto& header) { header.generation = format::kMostNumber; })},
       {"last log", at<ManifestBody>(kBody, [](auto& body) { body.log_number = format::kMostNumber; })},
       {"last sequence", at<ManifestBody>(kBody, [](auto& body) { body.log_sequence = format::kMostNumber; })}},
      kReach);
  expect_refused({{"vertices that 4 bytes do not name", at<ManifestBody>(kBody,
                                                                         [](auto& body) {
                                                                           body.section_bits = 20;
                                                                           body.num_vertices =
                                                                               format::kMaxNarrowVertices + 1;
                                                                         })}},
                 "more vertices than neighbours of 4 bytes can name");
  for (std::uint64_t ManifestState::* number :
       {&ManifestState::generation, &ManifestState::log_number, &ManifestState::log_sequence}) {
    ManifestState wrong = some_state();
    wrong.*number = format::kMostNumber;
    EXPECT_FALSE(validate(wrong, "case"));
    wrong.*number = format::kMostNumber - 1;
    EXPECT_TRUE(validate(wrong, "case"));
  }
  ManifestState state;
  state.schema.section_bits = 4;
  state.generation = format::kMostNumber - 1;
  state.log_number = state.log_sequence = format::kMostNumber - 1;
  EXPECT_EQ(encode_manifest(state, store_id(), kNumber).size() % 8, 0U) << "may be written, so that writing goes on";
}

TEST(Manifest, OfAnotherStoreOrCutShortIsRefused) {
  const Bytes whole = encode_manifest(some_state(), store_id(), kNumber);
  expect_refused({{"another store", at<ManifestHeader>(0, [](auto& header) { header.store.low = 7; })},
                  {"another number", at<ManifestHeader>(0, [](auto& header) { header.number = kNumber + 1; })}},
                 "belongs to another store");
  expect_refused({{"another magic", at<ManifestHeader>(0, [](auto& header) { header.magic = 1; })}},
                 "is not a manifest");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto found = decoded(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
    ASSERT_FALSE(found) << size;
    EXPECT_NE(found.error().message.find("is cut short"), std::string::npos) << found.error().message;
    EXPECT_EQ(manifest_length(std::span(whole).first(size)).has_value(), size >= sizeof(ManifestHeader));
  }
  EXPECT_EQ(manifest_length(whole), kEnd);
  for (std::size_t size = kBody + sizeof(ManifestBody); size < whole.size(); ++size) {  // cut, and sealed again
    EXPECT_FALSE(decoded(sealed(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))))) << size;
  }
}

TEST(Manifest, RecordsOfPublishingFollowIt) {
  using format::PublishKind;
  Bytes bytes = encode_manifest(some_state(), store_id(), kNumber);
  const auto add = [&](const format::PublishRecord& record) {
    const auto raw = std::as_bytes(std::span(&record, 1));
    bytes.insert(bytes.end(), raw.begin(), raw.end());
  };
  add(format::PublishRecord(publish_record(PublishKind::changed, 3, 0, 0)));
  EXPECT_FALSE(decoded(bytes)->closed) << "it was opened";
  add(format::PublishRecord(publish_record(PublishKind::closed, 2, 64, 5)));
  EXPECT_FALSE(decoded(bytes)->closed) << "of a log before that of the manifest";
  add(format::PublishRecord(publish_record(PublishKind::closed, 3, 640, 105)));
  auto found = decoded(bytes);
  EXPECT_TRUE(found->closed);
  EXPECT_FALSE(found->changed);
  EXPECT_EQ(found->log_number, 3U);
  EXPECT_EQ(found->log_end, 640U);
  EXPECT_EQ(found->next_sequence, 105U);
  EXPECT_EQ(found->records.size(), 3U);
  EXPECT_EQ(found->append_at, bytes.size());
  add(format::PublishRecord(publish_record(PublishKind::changed, 3, 0, 0)));
  EXPECT_TRUE(decoded(bytes)->changed);
  add(format::PublishRecord(publish_record(PublishKind::closed, 4, 64, 200)));
  found = decoded(bytes);
  EXPECT_TRUE(found->closed && !found->changed);
  EXPECT_TRUE(found->behind.empty());
  const std::size_t whole = bytes.size();
  add(format::PublishRecord(publish_record(PublishKind::changed, 4, 0, 0)));
  bytes.back() ^= std::byte{1};
  found = decoded(bytes);
  EXPECT_FALSE(found->changed) << "its checksum is wrong";
  EXPECT_EQ(found->append_at, whole);
  EXPECT_EQ(found->behind.size(), bytes.size() - whole);
  bytes.resize(whole);
  add(format::PublishRecord(publish_record(PublishKind::changed, 4, 0, 0)));
  seal<format::PublishRecord>(bytes, whole, format::kSeedPublish, [](auto& record) { ++record.magic; });
  found = decoded(bytes);
  EXPECT_FALSE(found->changed) << "it is no record";
  EXPECT_EQ(found->append_at, whole);
  bytes.resize(whole + 8);
  EXPECT_EQ(decoded(bytes)->behind.size(), 8U);
}

}  // namespace
}  // namespace rizoma
