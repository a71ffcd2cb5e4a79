// Stores whose checksums are right and whose meaning is wrong: each is refused, and `check` finds it.
#include "store/validation/validation.h"

#include "store/dictionary/dictionary_segment.h"
#include "store/disk_format.h"
#include "store/manifest/manifest.h"
#include "store/repair/store_check.h"
#include "store/repair/store_repair.h"
#include "store/store.h"
#include "testing/fault_medium.h"
#include "testing/fuzz_store.h"
#include "testing/heap_medium.h"
#include "testing/store_fields.h"
#include "testing/store_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using testing::StoreFields;
using Ids = std::vector<std::int64_t>;

constexpr std::uint64_t kHeader = sizeof(format::ImageHeader);

StoreOptions options_of(GraphSchema schema) {
  StoreOptions options;
  options.schema = schema;
  options.log_ahead = 0;
  options.schema.section_bits = 4;
  return options;
}

/// A closed store of six vertices whose bytes can be changed.
class Crafted {
 public:
  explicit Crafted(GraphSchema schema, const std::function<void(Store&)>& more = {}) : options_(options_of(schema)) {
    const std::shared_ptr<Medium> medium = make_heap_medium();
    const auto store = *Store::create(medium, options_);
    const bool weighted = schema.weights != WeightType::none;
    const std::vector<double> weights(weighted ? 6 : 0, 2.0);
    EXPECT_TRUE(store->add_edges({Ids{0, 0, 1, 2, 3, 4}, Ids{1, 2, 3, 3, 4, 5}, weights}));
    EXPECT_TRUE(store->compact(serial_, std::nullopt));
    if (more) more(*store);
    EXPECT_TRUE(store->close());
    files_ = read_files(*medium);
    fields_ = testing::find_fields(files_);
    EXPECT_TRUE(sound());
  }

  /// A store that was not closed.
  Crafted(GraphSchema schema, FileContents files)
      : options_(options_of(schema)), files_(std::move(files)), fields_(testing::find_fields(files_)) {}

  /// Where the first extent of this kind is in `data`.
  [[nodiscard]] std::uint64_t extent(const std::string& structure, int which = 0) const {
    for (const testing::SealedExtent& each : fields_.extents) {
      if (each.structure == structure && which-- == 0) return each.at;
    }
    ADD_FAILURE() << "no " << structure;
    return 0;
  }
  /// Where this text is in `data`.
  [[nodiscard]] std::uint64_t text(std::string_view text) const {
    const auto& data = files_.at("data");
    const auto bytes = std::as_bytes(std::span(text));
    const auto found = std::search(data.begin(), data.end(), bytes.begin(), bytes.end());
    EXPECT_NE(found, data.end());
    return static_cast<std::uint64_t>(found - data.begin());
  }
  [[nodiscard]] ImageLayout layout(std::uint64_t at) const {
    format::ImageHeader header;
    std::memcpy(&header, files_.at("data").data() + at, sizeof header);
    ImageSpec spec;
    spec.target_bytes = header.target_bytes;
    spec.weights = static_cast<WeightType>(header.weight_type);
    spec.num_vertices = header.num_vertices;
    spec.num_entries = header.num_entries;
    spec.row_bits = header.row_bits;
    return image_layout(spec);
  }
  template <class T>
  Crafted& put(const std::string& file, std::uint64_t at, T value) {
    std::memcpy(files_.at(file).data() + at, &value, sizeof value);
    return *this;
  }
  template <class T>
  [[nodiscard]] T get(const std::string& file, std::uint64_t at) const {
    T value;
    std::memcpy(&value, files_.at(file).data() + at, sizeof value);
    return value;
  }
  /// Where the manifest has its first block of rows.
  [[nodiscard]] std::uint64_t rows_record() const {
    for (const testing::SealedExtent& each : fields_.extents) {
      if (each.structure == "rows") return each.ids.front().at - offsetof(format::RowsRecord, id);
    }
    ADD_FAILURE() << "no rows";
    return 0;
  }
  /// In both copies.
  template <class T>
  Crafted& put_manifest(std::uint64_t at, T value) {
    return put(fields_.manifest, at, value).put(fields_.manifest_copy, at, value);
  }
  Crafted& seal() {
    testing::seal_store(fields_, files_);
    return *this;
  }
  /// Appends one operation of 64-bit words to the last log.
  Crafted& append_log(format::LogKind kind, std::uint64_t count, const std::vector<std::uint64_t>& body) {
    std::vector<std::byte>* last = nullptr;
    for (auto& [name, bytes] : files_) {
      if (name.starts_with("log.")) last = &bytes;
    }
    format::LogRecord record;
    record.payload_bytes = sizeof(format::LogOperation) + body.size() * 8;
    const format::LogOperation operation{kind, 0, count, body.size() * 8};
    const auto append = [last](std::span<const std::byte> part) {
      last->insert(last->end(), part.begin(), part.end());
    };
    append(std::as_bytes(std::span(&record, 1)));
    append(std::as_bytes(std::span(&operation, 1)));
    append(std::as_bytes(std::span(body)));
    return *this;
  }

  /// Opened, changed by `first`, and read as a whole; the first Error.
  [[nodiscard]] Status read(const std::function<void(Store&)>& first = {}) const {
    const auto store = Store::open(medium_of(files_), options_);
    if (!store) return store.error();
    if (first) first(**store);
    const auto snapshot = *(*store)->snapshot();
    SerialExecutor serial;
    const auto view = snapshot->view(serial);
    return view ? Status() : Status(view.error());
  }
  [[nodiscard]] Status compact(VertexOrder order) const {
    const auto store = Store::open(medium_of(files_), options_);
    if (!store) return store.error();
    SerialExecutor serial;
    return (*store)->compact(serial, order);
  }
  [[nodiscard]] Status purge() const {
    const auto store = Store::open(medium_of(files_), options_);
    if (!store) return store.error();
    SerialExecutor serial;
    return (*store)->purge(serial, VertexOrder::given);
  }
  [[nodiscard]] Status repair(const std::shared_ptr<Medium>& fresh) const {
    SerialExecutor serial;
    const auto report = repair_store(medium_of(files_), fresh, serial);
    return report ? Status() : Status(report.error());
  }
  [[nodiscard]] bool found() const { return !findings().empty(); }
  /// Whether `check` says this of it.
  [[nodiscard]] bool found(std::string_view what) const {
    const auto all = findings();
    return std::any_of(all.begin(), all.end(),
                       [&](const CheckFinding& finding) { return finding.what.find(what) != std::string::npos; });
  }
  [[nodiscard]] std::vector<CheckFinding> findings() const {
    SerialExecutor serial;
    const auto report = check_store(medium_of(files_), serial);
    return report ? report->findings : std::vector<CheckFinding>();
  }
  [[nodiscard]] bool sound() const {
    SerialExecutor serial;
    const auto report = check_store(medium_of(files_), serial);
    return read() && report && report->findings.empty();
  }
  [[nodiscard]] const StoreFields& fields() const { return fields_; }

 private:
  StoreOptions options_;
  SerialExecutor serial_;
  FileContents files_;
  StoreFields fields_;
};

void expect_refused(const Crafted& store, const std::string& because) {
  const Status read = store.read();
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::corrupt);
  EXPECT_NE(read.error().message.find(because), std::string::npos) << read.error().message;
  EXPECT_TRUE(store.found());
}

constexpr std::uint64_t kBoundOfImage = 40;  ///< places in headers
constexpr std::uint64_t kBoundOfDelta = 24;

TEST(Validation, AnImageDoesNotNameVerticesThatTheGraphHasNot) {
  Crafted store({.directed = true});
  const std::uint64_t at = store.extent("image");
  // The last target of vertex 0, and with it the bound that the image itself gives.
  store.put<std::uint32_t>("data", at + store.layout(at).targets + 4, 1000)
      .put<std::uint64_t>("data", at + kBoundOfImage, 1001);
  expect_refused(store.seal(), "names vertices that the graph does not have");
}

TEST(Validation, ADeltaDoesNotEither) {
  Crafted store({}, [](Store& each) {
    EXPECT_TRUE(each.add_edges({Ids{0}, Ids{5}, {}}));
    EXPECT_TRUE(each.checkpoint());
  });
  const std::uint64_t at = store.extent("delta");
  store.put<std::uint64_t>("data", at + kHeader, change_word(ChangeKind::add, 0, 900))
      .put<std::uint64_t>("data", at + kBoundOfDelta, 901);
  expect_refused(store.seal(), "names vertices that the graph does not have");
}

TEST(Validation, ADeltaHasNoSelfLoopsOfAGraphWithout) {
  Crafted store({.self_loops = SelfLoops::drop}, [](Store& each) {
    EXPECT_TRUE(each.add_edges({Ids{0}, Ids{5}, {}}));
    EXPECT_TRUE(each.checkpoint());
  });
  const std::uint64_t at = store.extent("delta");
  store.put<std::uint64_t>("data", at + kHeader, change_word(ChangeKind::add, 0, 0));
  expect_refused(store.seal(), "holds self-loops, but the graph has none");
}

/// The manifest gives the dictionary this many bytes.
void expect_refused_dictionary(std::uint64_t bytes, const std::string& what) {
  Crafted store({.ids = IdKind::integer});
  for (const testing::SealedExtent& each : store.fields().extents) {
    if (each.structure != "dictionary") continue;
    const std::uint64_t record = each.ids.front().at - offsetof(format::ExtentRecord, id);
    store.put_manifest<std::uint64_t>(record + offsetof(format::ExtentRecord, bytes), bytes);
  }
  expect_refused(store.seal(), what);
}

TEST(Validation, AnExtentHasBytes) { expect_refused_dictionary(0, "names an extent without bytes"); }

TEST(Validation, AnExtentEndsWhereAFileCan) {
  expect_refused_dictionary(UINT64_MAX, "names an extent that no file can hold");
  expect_refused_dictionary(std::uint64_t{1} << 63, "names an extent that no file can hold");
}

TEST(Validation, InEdgesAreTheOutEdges) {
  Crafted store({.directed = true});
  const std::uint64_t at = store.extent("image", 1);
  store.put<std::uint32_t>("data", at + store.layout(at).targets, 4);  // the source of the edge 0 -> 1
  expect_refused(store.seal(), "edges and in-edges differ");
}

TEST(Validation, AColumnMoreProvesNothing) {
  Crafted store({.directed = true});
  const std::uint64_t at = store.extent("image", 1);
  store.put<std::uint32_t>("data", at + store.layout(at).targets, 4).seal();
  const Status read = store.read(
      [](Store& each) { EXPECT_TRUE(each.add_column(RowKind::edges, {0, ColumnType::float64, true, "since"})); });
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("edges and in-edges differ"), std::string::npos) << read.error().message;
}

TEST(Validation, UndirectedEdgesHaveAnEntryAtBothEnds) {
  Crafted store({});
  const std::uint64_t at = store.extent("image");
  store.put<std::uint32_t>("data", at + store.layout(at).targets + 4, 5);  // 0-2 becomes 0-5, at one end
  expect_refused(store.seal(), "the list of one end only");
}

TEST(Validation, AnEdgeDoesNotReachARemovedVertex) {
  Crafted store({.directed = true, .in_edges = false}, [](Store& each) {
    EXPECT_TRUE(each.add_vertices(Ids{6}));
    Batch batch;
    batch.remove_vertices(Ids{6});
    EXPECT_TRUE(each.apply(batch));
    SerialExecutor serial;
    EXPECT_TRUE(each.compact(serial, std::nullopt));
    EXPECT_TRUE(each.add_edges({Ids{0}, Ids{5}, {}}));
    EXPECT_TRUE(each.checkpoint());
  });
  const std::uint64_t at = store.extent("delta");
  store.put<std::uint64_t>("data", at + kHeader, change_word(ChangeKind::add, 0, 6));
  expect_refused(store.seal(), "edges of removed vertices");
}

Crafted with_a_removed_vertex(GraphSchema schema) {
  return Crafted(schema, [](Store& each) {
    Batch batch;
    batch.remove_vertices(Ids{5});
    EXPECT_TRUE(each.apply(batch));
  });
}

TEST(Validation, TheLogDoesNotChangeEdgesOfARemovedVertex) {
  Crafted store = with_a_removed_vertex({});
  store.append_log(format::LogKind::edges, 1, {0, 5});
  expect_refused(store.seal(), "a vertex that was removed");
}

TEST(Validation, TheLogRemovesAVertexOnce) {
  Crafted store = with_a_removed_vertex({});
  store.append_log(format::LogKind::remove_vertices, 1, {5});
  expect_refused(store.seal(), "removes a vertex twice");
}

TEST(Validation, AVertexThatTheLogRemovesHasNoEdgesLeft) {
  Crafted store({});
  store.append_log(format::LogKind::remove_vertices, 1, {5});
  expect_refused(store.seal(), "edges of removed vertices");
}

TEST(Validation, TheLogHasWeightsThatTheGraphCanHave) {
  const std::uint64_t huge = std::bit_cast<std::uint64_t>(1e300);
  Crafted store({.weights = WeightType::int32});
  store.append_log(format::LogKind::weighted_edges, 1, {0, 5, huge});
  expect_refused(store.seal(), "weights that the graph cannot have");
}

/// A checkpoint that failed leaves two; the error is to name the right one.
TEST(Validation, OfAChainOfLogsTheOneIsNamed) {
  const auto medium = std::make_shared<FaultMedium>();
  const GraphSchema schema;
  {
    const auto store = *Store::create(medium, options_of(schema));
    ASSERT_TRUE(store->add_edges({Ids{0}, Ids{1}, {}}));
    medium->fail({OperationKind::create, 2, ErrorCode::io, true});
    ASSERT_FALSE(store->checkpoint());
    ASSERT_TRUE(store->add_edges({Ids{1}, Ids{2}, {}}));
    medium->kill_at(medium->position());
  }
  medium->revive();
  medium->clear_faults();
  FileContents files = read_files(*medium);
  ASSERT_TRUE(files.contains("log.1") && files.contains("log.2"));
  Crafted store(schema, std::move(files));
  store.append_log(format::LogKind::remove_vertices, 1, {9}).seal();
  const Status refused = store.read();
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("/log.2"), std::string::npos) << refused.error().message;
}

TEST(Validation, WeightsOfAnImageAreFinite) {
  Crafted store({.directed = true, .weights = WeightType::float32, .in_edges = false});
  const std::uint64_t at = store.extent("image");
  store.put("data", at + store.layout(at).weights + 8, std::numeric_limits<float>::quiet_NaN());
  expect_refused(store.seal(), "weights that are not finite");
}

TEST(Validation, MergedEdgesAreThereOnce) {
  Crafted store({.directed = true, .in_edges = false});
  const std::uint64_t at = store.extent("image");
  store.put<std::uint32_t>("data", at + store.layout(at).targets + 4, 1);  // 0 -> 1 twice
  expect_refused(store.seal(), "unsorted neighbours");
}

TEST(Validation, TheManifestCountsWhatTheImageHas) {
  Crafted store({.directed = true, .in_edges = false});
  constexpr std::uint64_t kLoopsOfRecord = 40;
  store.put_manifest<std::uint64_t>(sizeof(format::ManifestHeader) + sizeof(format::ManifestBody) + kLoopsOfRecord, 3);
  expect_refused(store.seal(), "is not the one that the manifest names");
}

TEST(Validation, NumbersDoNotComeNearTheirEnd) {
  Crafted store({});
  store.put_manifest<std::uint64_t>(sizeof(format::ManifestHeader) + 40, UINT64_MAX - 1);  // log_sequence
  expect_refused(store.seal(), "a number that no store can reach");
  const std::shared_ptr<Medium> medium = make_heap_medium();
  ASSERT_TRUE((*Store::create(medium, {}))->close());
  ASSERT_TRUE(medium->open("log." + std::to_string(format::kMostNumberFound), FileMode::create));
  const auto opened = Store::open(medium);
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find("a number that no file can reach"), std::string::npos);
}

TEST(Validation, APermutationHasNoOtherNumbers) {
  EXPECT_TRUE(validate_permutation(std::array<std::int64_t, 2>{1, 0}, "case"));
  for (const std::int64_t other : {-1, 0, 2, 63}) {
    EXPECT_FALSE(validate_permutation(std::array<std::int64_t, 2>{0, other}, "case")) << other;
  }
}

TEST(Validation, APermutationNamesEachVertexOnce) {
  const auto reordered = [](Store& each) {
    SerialExecutor serial;
    EXPECT_TRUE(each.compact(serial, VertexOrder::degree));
  };
  for (const std::uint32_t id : {1000U, 0U}) {
    Crafted store({}, reordered);
    const std::uint64_t at = store.extent("dictionary") + 128;  // after the header
    store.put<std::uint32_t>("data", at, id).put<std::uint32_t>("data", at + 4, id).seal();
    EXPECT_TRUE(store.found()) << id;
    const Status compacted = store.compact(VertexOrder::given);
    ASSERT_FALSE(compacted) << id;
    EXPECT_EQ(compacted.error().code, ErrorCode::corrupt);
  }
}

TEST(Validation, TwoVerticesHaveTwoIds) {
  Crafted store({.ids = IdKind::integer});
  const std::uint64_t at = store.extent("dictionary") + 128;
  store.put<std::int64_t>("data", at, 7).put<std::int64_t>("data", at + 8, 7).seal();
  EXPECT_TRUE(store.found());
  const Status compacted = store.compact(VertexOrder::degree);
  ASSERT_FALSE(compacted);
  EXPECT_EQ(compacted.error().code, ErrorCode::corrupt);
}

TEST(Validation, PartsOfADictionaryLieWithinIt) {
  std::vector<std::string> names;
  for (int i = 0; i < 16; ++i) names.push_back("v" + std::to_string(i));
  const std::vector<std::string_view> views(names.begin(), names.end());
  std::vector<std::byte> segment = encode_strings(0, views);
  // An index so far away that what is after it comes round to the beginning.
  const auto put = [&](std::uint64_t at, std::uint64_t value) {
    std::memcpy(segment.data() + at, &value, sizeof value);
  };
  put(56, 0ULL - 64);
  put(64, 192);
  put(72, 200);
  testing::seal_structure("dictionary", segment);
  const auto opened = DictionarySegment::open({segment, nullptr}, "case");
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find("impossible sizes"), std::string::npos) << opened.error().message;
}

TEST(Validation, AManifestIsCheckedAgainstItself) {
  ManifestState state;
  state.schema = {.directed = false};
  EXPECT_TRUE(validate(state, "case"));
  state.num_vertices = format::kMaxNarrowVertices + 1;
  EXPECT_FALSE(validate(state, "case"));
  state.num_vertices = 6;
  state.in.resize(1);
  EXPECT_FALSE(validate(state, "case")) << "an undirected graph has no in-edges";
  state.in.clear();
  state.out.resize(1);
  state.out[0].image_entries = 3;
  EXPECT_FALSE(validate(state, "case")) << "entries of an image that is not there";
  state.out[0].image = {0, 4096, 0};
  EXPECT_TRUE(validate(state, "case"));
  state.out[0].image_entries = 2000;
  EXPECT_FALSE(validate(state, "case")) << "more entries than bytes";
}

// ---- columns ----

GraphSchema with_columns() {
  GraphSchema schema{.directed = true, .weights = WeightType::float64};
  schema.in_edges = false;
  schema.edge_columns = {{0, ColumnType::string, true, "note"}};
  schema.vertex_columns = {{0, ColumnType::int32, true, "age"}};
  return schema;
}

void give_ages(Store& store) {
  ColumnValues ages{"age", ColumnType::int32, {}, {}, {}};
  for (const std::int32_t age : {30, 40}) ages.push(std::as_bytes(std::span(&age, 1)));
  EXPECT_TRUE(store.apply(Batch().set_vertices(Ids{0, 1}, {{ages}})));
  EXPECT_TRUE(store.checkpoint());
}

constexpr std::uint64_t kColumnsOfManifest =
    sizeof(format::ManifestHeader) + sizeof(format::ManifestBody) + sizeof(format::SectionRecord);
constexpr std::uint64_t kTypeOfColumn = 4;

TEST(Validation, EdgesNameRowsThatExist) {
  Crafted store(with_columns());
  const std::uint64_t at = store.extent("image");
  ASSERT_EQ(store.get<std::uint8_t>("data", at + offsetof(format::ImageHeader, row_bits)), 3u) << "rows 1 to 6";
  store.put<std::uint64_t>("data", at + store.layout(at).weights, 7);  // of the first entry
  expect_refused(store.seal(), "names a row that does not exist");
}

TEST(Validation, PackedRowsHaveAVersionAWidthAndAType) {
  const auto refused = [](std::uint64_t place, auto value, ErrorCode code) {
    Crafted store(with_columns());
    store.put("data", store.extent("image") + place, value).seal();
    const Status read = store.read();
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, code) << read.error().message;
    EXPECT_EQ(store.found(), code == ErrorCode::corrupt) << "what a later release wrote is no damage";
  };
  refused(offsetof(format::ImageHeader, row_bits), std::uint8_t{0}, ErrorCode::corrupt);
  refused(offsetof(format::ImageHeader, row_bits), std::uint8_t{54}, ErrorCode::corrupt);
  refused(offsetof(format::ImageHeader, row_bits), std::uint8_t{255}, ErrorCode::corrupt);
  refused(offsetof(format::ImageHeader, version), std::uint16_t{1}, ErrorCode::corrupt);
  refused(offsetof(format::ImageHeader, version), std::uint16_t{3}, ErrorCode::unsupported);
  refused(offsetof(format::ImageHeader, weight_type), WeightType::none, ErrorCode::corrupt);
  refused(offsetof(format::ImageHeader, weight_type), WeightType::float32, ErrorCode::corrupt);
}

/// One vertex with two loops, whose rows are these; as float64, or packed.
Status validate_rows(const std::array<double, 2>& rows, bool packed, const SectionFacts& facts) {
  ImageSpec spec{.weights = WeightType::float64, .num_vertices = 1, .num_entries = 2, .num_self_loops = 2};
  spec.target_bound = 1;
  std::vector<std::byte> image(image_layout(spec).bytes);
  const std::array<std::uint32_t, 2> offsets{0, 2};
  std::memcpy(image.data() + image_layout(spec).offsets, offsets.data(), sizeof offsets);
  std::memcpy(image.data() + image_layout(spec).weights, rows.data(), sizeof rows);
  if (packed) spec = pack_rows(spec, image);
  const std::span<std::byte> whole = std::span(image).first(image_layout(spec).bytes);
  const NamedExtent named{seal_image(spec, whole), 2, 2};
  const auto verified = verify_image(whole, 4, "image");
  if (!verified) return verified.error();
  return validate(*verified, whole, named, facts, "image");
}

TEST(Validation, WideRowsAreNumbersOfRows) {
  SectionFacts facts{.num_vertices = 1, .graph_vertices = 1, .weights = WeightType::float64, .rows = true};
  for (const double row : {std::numeric_limits<double>::quiet_NaN(), -1.0, 2.5, 1e300, 0x1p53}) {
    const Status wide = validate_rows({1, row}, false, facts);
    ASSERT_FALSE(wide) << row;
    EXPECT_NE(wide.error().message.find("impossible row numbers"), std::string::npos) << wide.error().message;
    EXPECT_THROW(static_cast<void>(validate_rows({1, row}, true, facts)), InternalError) << "none are written";
  }
  EXPECT_TRUE(validate_rows({0, 0x1p53 - 1}, false, facts));
  EXPECT_TRUE(validate_rows({0, 0x1p53 - 1}, true, facts));
  facts.rows = false;
  EXPECT_TRUE(validate_rows({0, 7}, false, facts)) << "a graph of weights";
  EXPECT_FALSE(validate_rows({0, 7}, true, facts)) << "which are not packed";
}

TEST(Validation, ValuesHaveTheTypeOfTheirColumn) {
  Crafted block(with_columns());
  block.put("data", block.extent("rows") + sizeof(format::RowsHeader) + kTypeOfColumn, ColumnType::int64);
  expect_refused(block.seal(), "values of a different type than column 'weight'");
  Crafted manifest(with_columns());
  manifest.put_manifest(kColumnsOfManifest + sizeof(format::ManifestColumns) + kTypeOfColumn, ColumnType::float32);
  expect_refused(manifest.seal(), "impossible rows or columns");
}

/// A manifest may list columns in any order; blocks of rows have them by their ids.
TEST(Validation, ColumnsStandInAnyOrder) {
  Crafted store(with_columns());
  using Record = std::array<std::byte, sizeof(format::ManifestColumn) + 8>;  // the names are shorter
  const std::uint64_t weight = kColumnsOfManifest + sizeof(format::ManifestColumns);
  const std::uint64_t note = weight + sizeof(Record);
  const auto first = store.get<Record>(store.fields().manifest, weight);
  const auto second = store.get<Record>(store.fields().manifest, note);
  store.put_manifest(weight, second).put_manifest(note, first).seal();
  const Status read = store.read([](Store& each) {
    const Status added = each.add_edges({Ids{0}, Ids{5}, {7.0}});
    ASSERT_TRUE(added) << added.error().message;
    const Status written = each.checkpoint();
    ASSERT_TRUE(written) << written.error().message;
  });
  EXPECT_TRUE(read) << read.error().message;
}

TEST(Validation, ValuesAreOfVerticesThatExist) {
  Crafted store(with_columns(), give_ages);
  const std::uint64_t at = store.extent("rows", 1);
  const std::uint64_t vertices = at + sizeof(format::RowsHeader) + sizeof(format::RowsColumn);
  ASSERT_EQ(store.get<std::uint32_t>("data", vertices), format::kVertexColumn);
  const auto base = store.get<std::uint64_t>("data", vertices + offsetof(format::RowsColumn, extra_at));
  store.put<std::int64_t>("data", at + base, 4).seal();
  EXPECT_FALSE(store.found("has values of vertices")) << "they are of the last two";
  for (const std::int64_t first : {5, 1000}) {
    SCOPED_TRACE(first);
    store.put<std::int64_t>("data", at + base, first).seal();
    EXPECT_TRUE(store.found("has values of vertices that the graph does not have"));
    const Status moved = store.compact(VertexOrder::degree);
    ASSERT_FALSE(moved);
    EXPECT_NE(moved.error().message.find("vertices that the graph does not have"), std::string::npos)
        << moved.error().message;
  }
}

TEST(Validation, ValuesOfTheLogAreOfVerticesThatExist) {
  const StoreOptions options = options_of(with_columns());
  const std::shared_ptr<Medium> medium = make_heap_medium();
  const auto store = *Store::create(medium, options);
  ASSERT_TRUE(store->add_edges({Ids{0, 0, 1, 2, 3, 4}, Ids{1, 2, 3, 3, 4, 5}, std::vector<double>(6, 2.0)}));
  ColumnValues ages{"age", ColumnType::int32, {}, {}, {}};
  for (const std::int32_t age : {30, 40}) ages.push(std::as_bytes(std::span(&age, 1)));
  ASSERT_TRUE(store->apply(Batch().set_vertices(Ids{4, 5}, {{ages}})));
  const FileContents files = read_files(*medium);
  const auto log = std::find_if(files.begin(), files.end(), [](const auto& each) {
    return each.first.starts_with("log.") && each.second.size() > sizeof(format::LogHeader);
  });
  ASSERT_NE(log, files.end());
  std::size_t at = 0;
  format::RowsHeader header;
  do {
    at += 8;
    ASSERT_LT(at + sizeof header, log->second.size()) << "no values of vertices";
    std::memcpy(&header, log->second.data() + at, sizeof header);
  } while (header.magic != format::kRowsMagic || header.table != 1);
  for (std::uint64_t last : {5U, 6U, 1000U}) {
    SCOPED_TRACE(last);
    Crafted crafted(with_columns(), files);
    format::RowsColumn column;
    for (std::size_t i = 0; column.id != format::kVertexColumn && i < header.num_columns; ++i)
      column = crafted.get<format::RowsColumn>(log->first, at + sizeof header + i * sizeof column);
    ASSERT_EQ(column.id, format::kVertexColumn);
    if (column.coding == format::RowsCoding::narrow) {
      crafted.put<std::int64_t>(log->first, at + column.extra_at, static_cast<std::int64_t>(last) - 1);
    } else {
      ASSERT_EQ(column.coding, format::RowsCoding::plain);
      crafted.put<std::uint64_t>(log->first, at + column.at + 8, last);
    }
    const Status read = crafted.seal().read();
    if (last == 5) {
      EXPECT_TRUE(read) << read.error().message;
      continue;
    }
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::corrupt);
    EXPECT_NE(read.error().message.find("holds values of vertices that the graph does not have"), std::string::npos)
        << read.error().message;
  }
}

/// It is readable, and no text: Python gets an error when it asks for it.
TEST(Validation, AValueThatIsNoTextIsFound) {
  for (const std::size_t more : {0, 100}) {  // a long one is looked at once, however many rows have it
    Crafted store(with_columns(), [&](Store& graph) {
      ColumnValues notes{"note", ColumnType::string, {}, {}, {}};
      const std::string note = "unmistakable" + std::string(more, '.');
      for (const std::string_view each : {std::string_view(note), std::string_view("plain")})
        notes.push(std::as_bytes(std::span(each)));
      EXPECT_TRUE(graph.add_edges({Ids{0, 1}, Ids{5, 5}, {1.0, 1.0}, {{notes}}}));
      EXPECT_TRUE(graph.checkpoint());
    });
    const std::uint64_t at = store.text("unmistakable");
    store.put<std::uint8_t>("data", at + 3, 0xff).seal();
    EXPECT_TRUE(store.read());
    EXPECT_TRUE(store.found("is not UTF-8 text")) << more;
  }
}

/// Neither does a damaged slot of the superblock, whose other one is whole.
TEST(Validation, AValueThatIsNoTextHidesNothingElse) {
  GraphSchema schema = with_columns();
  schema.in_edges = true;
  Crafted store(schema, [](Store& graph) {
    ColumnValues notes{"note", ColumnType::string, {}, {}, {}};
    for (const std::string_view note : {"unmistakable", "plain"}) notes.push(std::as_bytes(std::span(note)));
    EXPECT_TRUE(graph.add_edges({Ids{0, 1}, Ids{5, 5}, {1.0, 1.0}, {{notes}}}));
    EXPECT_TRUE(graph.checkpoint());
    EXPECT_TRUE(graph.tag("then"));
  });
  store.put<std::uint8_t>("data", store.text("unmistakable") + 3, 0xff);
  const std::uint64_t at = store.extent("image", 1);
  store.put<std::uint32_t>("data", at + store.layout(at).targets, 4).seal();
  store.put<std::uint8_t>("superblock", format::kPage + 20, 0xff);
  EXPECT_TRUE(store.found("one of its two copies is damaged"));
  EXPECT_TRUE(store.found("is not UTF-8 text"));
  EXPECT_TRUE(store.found("edges and in-edges differ"));
}

TEST(Validation, RowsOfAManifestFollowOneAnother) {
  ManifestState state;
  state.schema.rows = true;
  state.schema.edge_columns = {{1, ColumnType::string, true, "note"}};
  state.edge_rows = {{{0, 4096, 0}, 1, 1, 10}, {{4096, 4096, 0}, 2, 11, 5}};
  EXPECT_TRUE(validate(state, "case"));
  state.edge_rows[1].first = 12;
  EXPECT_FALSE(validate(state, "case")) << "a row that no block has";
  state.edge_rows[1].first = 11;
  state.edge_rows[1].rows = std::uint64_t{1} << 53;
  EXPECT_FALSE(validate(state, "case")) << "more rows than a float64 can name";
  state.edge_rows.pop_back();
  state.schema.weights = WeightType::float64;
  EXPECT_FALSE(validate(state, "case")) << "a weight without a column";
}

/// A block of 64 bytes may have any number of rows, if it has no columns: neither repair nor purge sizes memory by it.
TEST(Validation, RowsWithoutValuesTakeNoMemory) {
  Crafted store(with_columns());
  const std::uint64_t at = store.extent("rows");
  constexpr std::uint64_t kMany = std::uint64_t{1} << 50;
  store.put<std::uint64_t>("data", at + offsetof(format::RowsHeader, num_rows), kMany)
      .put<std::uint32_t>("data", at + offsetof(format::RowsHeader, num_columns), 0)
      .put_manifest<std::uint64_t>(store.rows_record() + offsetof(format::RowsRecord, rows), kMany)
      .seal();
  const std::shared_ptr<Medium> fresh = make_heap_medium();
  const Status repaired = store.repair(fresh);
  ASSERT_TRUE(repaired) << repaired.error().message;
  EXPECT_EQ((*Store::open(fresh))->info()->num_edges, 6u);
  const Status purged = store.purge();
  ASSERT_TRUE(purged) << purged.error().message;
}

}  // namespace
}  // namespace rizoma
