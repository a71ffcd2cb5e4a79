// Stores of other releases.  Of a later one: whichever structure has a version, or a kind of change, that this
// release does not know, the store is refused with a message that says what and where; never misread.  Of
// an earlier one, whose manifest has one copy: read, changed, and given two copies.  Of format 1, as an earlier release
// wrote it (tests/data/stores/format-1-changed): read; changed once it is upgraded, whatever interrupts that.  Of
// format 2 before columns were packed (format-2-wide-rows): read, changed, packed.
#include "store/repair/store_check.h"
#include "store/dictionary/dictionary_segment.h"
#include "store/disk_format.h"
#include "store/manifest/manifest.h"
#include "testing/fault_medium.h"
#include "testing/heap_medium.h"
#include "testing/shared_data.h"
#include "testing/store_fields.h"
#include "testing/store_files.h"
#include "testing/store_history.h"
#include "testing/store_seal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {
namespace {

using ::testing::HasSubstr;
using ::testing::Values;
using ::testing::WithParamInterface;

constexpr std::uint16_t kFuture = 99;

/// The error of opening the store and reading all of it.
std::optional<Error> error_of(const FileContents& files) {
  const auto store = Store::open(medium_of(files));
  if (!store) return store.error();
  const auto out = lists_of(**(*store)->snapshot(), Direction::out);
  if (!out) return out.error();
  const auto in = lists_of(**(*store)->snapshot(), Direction::in);
  return in ? std::nullopt : std::optional(in.error());
}

class StoreOfALaterRelease : public ::testing::Test {
 protected:
  StoreOfALaterRelease() {
    GraphSchema schema;
    schema.directed = schema.in_edges = true;
    schema.ids = IdKind::integer;
    // A log that stays, and sections that keep deltas.
    const World world{.log_limit = 1 << 20, .close_limit = 1 << 20, .rewrite_percent = 60};
    const std::shared_ptr<Medium> medium = make_heap_medium();
    StoreHistory history(medium, nullptr, world.options(schema), 11);
    EXPECT_TRUE(history.create());
    auto status = history.run("aaakrcr");
    EXPECT_TRUE(status) << status.error().message;
    const IdColumn first = *(*history.store().snapshot())->ids().ids(VertexRange{0, 1});
    EXPECT_TRUE(history.store().apply(Batch().add_vertices(first).remove_vertices(first)));
    status = history.run("cee");
    EXPECT_TRUE(status) << status.error().message;
    history.drop();
    files_ = read_files(*medium);
    EXPECT_FALSE(error_of(files_));
  }

  /// The only file whose name begins so.
  std::vector<std::byte>& file(const std::string& name) {
    const auto found =
        std::find_if(files_.begin(), files_.end(), [&](const auto& each) { return each.first.starts_with(name); });
    EXPECT_NE(found, files_.end()) << name;
    return found->second;
  }
  /// Gives every such extent of `data` the version.
  template <class Header>
  void age_extents(std::uint64_t seed) {
    const testing::StoreFields fields = testing::find_fields(files_);
    std::vector<std::byte>& data = file("data");
    int found = 0;
    for (std::size_t at = 0; at + sizeof(Header) <= data.size(); at += format::kPage) {
      std::uint32_t magic = 0;
      std::memcpy(&magic, data.data() + at, sizeof magic);
      if (magic != static_cast<std::uint32_t>(magic_of<Header>())) continue;
      ++found;
      seal<Header>(data, at, seed, [](Header& header) { header.version = kFuture; });
    }
    EXPECT_GT(found, 0) << "the store has none of these";
    testing::seal_store(fields, files_);  // the manifest names them
  }
  void expect_refused(const std::string& where, const std::string& what = "format version 99") {
    const auto error = error_of(files_);
    ASSERT_TRUE(error) << "it was read as if it were of this release";
    EXPECT_EQ(error->code, ErrorCode::unsupported) << error->message;
    EXPECT_THAT(error->message, HasSubstr(where));
    EXPECT_THAT(error->message, HasSubstr(what));
    EXPECT_THAT(error->message, HasSubstr("use a newer release"));
    // Neither a check nor a repair calls it damaged.
    SerialExecutor serial;
    const auto report = check_store(medium_of(files_), serial);
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().code, ErrorCode::unsupported) << report.error().message;
    EXPECT_THAT(report.error().message, HasSubstr(what));
  }

  FileContents files_;

 private:
  template <class Header>
  static std::uint64_t magic_of() {
    if constexpr (std::is_same_v<Header, DictionarySegmentHeader>) return 0x49445a52;
    else return Header{}.magic;
  }
};

TEST_F(StoreOfALaterRelease, IsRefusedForItsSuperblock) {
  for (const std::size_t slot : {std::size_t{0}, static_cast<std::size_t>(format::kPage)}) {
    seal<format::Superblock>(file("superblock"), slot, format::kSeedSuperblock,
                             [](auto& block) { block.version = kFuture; });
  }
  expect_refused("superblock");
}

TEST_F(StoreOfALaterRelease, IsRefusedForOneCopyOfItsSuperblock) {
  seal<format::Superblock>(file("superblock"), format::kPage, format::kSeedSuperblock,
                           [](auto& block) { block.version = kFuture; });
  expect_refused("superblock");
}

TEST_F(StoreOfALaterRelease, IsRefusedForItsManifest) {
  seal<format::ManifestHeader>(file("manifest."), 0, format::kSeedManifestHeader,
                               [](auto& header) { header.version = kFuture; });
  expect_refused("manifest.");
}

TEST_F(StoreOfALaterRelease, IsRefusedForOneCopyOfItsManifest) {
  seal<format::ManifestHeader>(file("manifest-copy."), 0, format::kSeedManifestHeader,
                               [](auto& header) { header.version = kFuture; });
  expect_refused("manifest-copy.");
}

TEST_F(StoreOfALaterRelease, IsRefusedForItsLog) {
  seal<format::LogHeader>(file("log."), 0, format::kSeedLogHeader, [](auto& header) { header.version = kFuture; });
  expect_refused("log.");
}

TEST_F(StoreOfALaterRelease, IsRefusedForAKindOfChange) {
  std::vector<std::byte>& log = file("log.");
  const std::size_t payload = sizeof(format::LogHeader) + sizeof(format::LogRecord);
  const std::uint32_t kind = 99;
  std::memcpy(log.data() + payload, &kind, sizeof kind);
  format::LogHeader header;
  std::memcpy(&header, log.data(), sizeof header);
  seal<format::LogRecord>(
      log, sizeof header, format::kSeedLogRecord ^ (header.number << 24), [&](format::LogRecord& record) {
        record.payload_checksum =
            checksum(std::span(log).subspan(payload, record.payload_bytes), format::kSeedLogPayload);
      });
  expect_refused("log.", "a change of kind 99");
}

TEST_F(StoreOfALaterRelease, IsRefusedForItsImages) {
  age_extents<format::ImageHeader>(format::kSeedImageHeader);
  expect_refused("data at byte");
}

TEST_F(StoreOfALaterRelease, IsRefusedForItsDeltas) {
  age_extents<format::DeltaHeader>(format::kSeedDeltaHeader);
  expect_refused("data at byte");
}

TEST_F(StoreOfALaterRelease, IsRefusedForItsRemovedVertices) {
  age_extents<format::RemovedHeader>(format::kSeedRemovedHeader);
  expect_refused("removed vertices");
}

TEST_F(StoreOfALaterRelease, IsRefusedForItsDictionary) {
  age_extents<DictionarySegmentHeader>(kSeedDictionaryHeader);
  expect_refused("data");
}

class StoreOfAnEarlierRelease : public ::testing::Test {
 protected:
  StoreOfAnEarlierRelease() : options_(World{.log_limit = 1 << 20, .close_limit = 1 << 20}.options({})) {
    const std::shared_ptr<Medium> medium = make_heap_medium();
    StoreHistory history(medium, nullptr, options_, 3);
    EXPECT_TRUE(history.create());
    const Status status = history.run("aacraR");
    EXPECT_TRUE(status) << status.error().message;
    history.drop();
    model_ = history.model();
    files_ = read_files(*medium);
    EXPECT_EQ(std::erase_if(files_, [](const auto& file) { return file.first.starts_with("manifest-copy."); }), 1u);
    const auto manifest = files_.lower_bound("manifest.");
    name_ = manifest->first;
    say_that_there_is_one_copy(manifest->second);
  }

  static void say_that_there_is_one_copy(std::vector<std::byte>& bytes) {
    constexpr std::size_t kBody = sizeof(format::ManifestHeader);
    format::ManifestHeader there;
    std::memcpy(&there, bytes.data(), sizeof there);
    ManifestState state = decode_manifest(bytes, there.store, there.number, "the manifest")->state;
    state.embedded_at.reset();  // nor is there one in `data`
    const std::vector<std::byte> anew = encode_manifest(state, there.store, there.number);
    std::copy(anew.begin(), anew.end(), bytes.begin());
    bytes[kBody + offsetof(format::ManifestBody, copied)] = std::byte{0};
    seal<format::ManifestHeader>(bytes, 0, format::kSeedManifestHeader, [&](format::ManifestHeader& header) {
      header.body_checksum = checksum(std::span(bytes).subspan(kBody, header.body_bytes), format::kSeedManifestBody);
    });
  }
  void expect_whole(const std::shared_ptr<Medium>& medium) const {
    SerialExecutor serial;
    const auto report = check_store(medium, serial);
    ASSERT_TRUE(report) << report.error().message;
    for (const CheckFinding& finding : report->findings) ADD_FAILURE() << finding.where << ": " << finding.what;
  }

  StoreOptions options_;
  std::optional<StoreModel> model_;
  FileContents files_;
  std::string name_;  ///< of the only copy
};

/// A copy that the manifest does not know of is of a later release, and damaged.
TEST_F(StoreOfAnEarlierRelease, SaysThatASecondCopyIsDamaged) {
  files_["manifest-copy." + name_.substr(std::string_view("manifest.").size())] = std::vector<std::byte>(5000);
  SerialExecutor serial;
  const auto report = check_store(medium_of(files_), serial);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->findings.size(), 1U);
  EXPECT_TRUE(Store::open(medium_of(files_), options_));
}

TEST_F(StoreOfAnEarlierRelease, IsReadAndChangedAndGetsTwoCopiesOfItsManifest) {
  const std::shared_ptr<Medium> medium = medium_of(files_);
  expect_whole(medium);
  StoreHistory history(medium, nullptr, options_, 5);
  ASSERT_TRUE(history.open(*model_));
  const auto run = [&](std::string_view script, bool copied) {
    SCOPED_TRACE(script);
    const Status status = history.run(script);
    ASSERT_TRUE(status) << status.error().message;
    const auto same = equals(**history.store().snapshot(), history.model());
    ASSERT_TRUE(same) << same.error().message;
    EXPECT_TRUE(*same);
    const FileContents now = read_files(*medium);
    EXPECT_EQ(now.lower_bound("manifest-copy.") != now.lower_bound("manifest."), copied);
  };
  run("R", false);
  run("raR", false);
  run("crR", true);
  history.drop();
  expect_whole(medium);
}

/// A store that a release has left behind.
FileContents stored_sample(const std::string& name) {
  FileContents files;
  for (const auto& entry :
       std::filesystem::directory_iterator(testing::source_directory() / "tests/data/stores" / name)) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto bytes = std::as_bytes(std::span(text));
    files[entry.path().filename().string()].assign(bytes.begin(), bytes.end());
  }
  return files;
}

/// Written when numbers of rows were float64, and columns not packed: read; packed when it is written again.
TEST(StoreOfWideRows, IsReadAndPacked) {
  const auto medium = medium_of(stored_sample("format-2-wide-rows"));
  const auto store = Store::open(medium);
  ASSERT_TRUE(store) << store.error().message;
  SerialExecutor serial;
  const auto edges = [&](std::string_view column) {
    std::vector<std::array<double, 3>> found;
    const auto view = (*(*store)->snapshot())->view(serial, column);
    if (!view) return found;
    view->with_out([&](const auto& out) {
      for (VertexId v = 0; v < out.num_vertices(); ++v) {
        const auto weights =
            view->weight_type() == WeightType::float32 ? out.template weights<float>(v) : std::span<const float>();
        for (std::size_t i = 0; i < weights.size(); ++i) {
          found.push_back({static_cast<double>(v), static_cast<double>(out.neighbors(v)[i]), double{weights[i]}});
        }
      }
    });
    return found;
  };
  const std::vector<std::array<double, 3>> expected = {{0, 1, 0.5}, {0, 2, 1.5}, {0, 6, 99},  {1, 1, 2.5},
                                                       {1, 2, 3.5}, {2, 2, 4.5}, {2, 5, 5.5}, {3, 3, 6.5},
                                                       {3, 5, 7.5}, {4, 3, 8.5}, {5, 3, 9.5}, {5, 5, 10.5}};
  EXPECT_EQ(edges("amount"), expected);
  const auto packed = [&] {
    const FileContents files = read_files(*medium);
    std::vector<unsigned> bits;
    for (const auto& extent : testing::find_fields(files).extents) {
      if (extent.structure != "image") continue;
      format::ImageHeader header;
      std::memcpy(&header, files.at("data").data() + extent.at, sizeof header);
      bits.push_back(header.row_bits);
    }
    return bits;
  };
  EXPECT_EQ(packed(), (std::vector<unsigned>{0, 0})) << "out-edges and in-edges";
  ASSERT_TRUE((*store)->compact(serial, std::nullopt));
  EXPECT_EQ(packed(), (std::vector<unsigned>{4, 4})) << "12 rows";
  EXPECT_EQ(edges("amount"), expected);
  const auto report = check_store(medium, serial);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->findings.empty());
}

class StoreOfFormat1 : public ::testing::Test {
 protected:
  /// Edges by their ids, with their weights, in order; what could not be read, as one line.
  static std::vector<std::string> edges_of(const Result<std::unique_ptr<Store>>& store) {
    if (!store) return {store.error().message};
    const auto snapshot = *(*store)->snapshot();
    SerialExecutor serial;
    const auto view = snapshot->view(serial);
    if (!view) return {view.error().message};
    const auto ids = std::get<StringColumn>(*snapshot->ids().ids(VertexRange{0, snapshot->num_vertices()}));
    std::vector<std::string> edges;
    view->with_out([&](const auto& out) {
      for (VertexId v = 0; v < out.num_vertices(); ++v) {
        const auto weights = out.template weights<double>(v);
        for (std::size_t i = 0; i < weights.size(); ++i) {
          edges.push_back(std::string(ids[v]) + " " + std::string(ids[out.neighbors(v)[i]]) + " " +
                          std::to_string(static_cast<int>(2 * weights[i])));
        }
      }
    });
    std::sort(edges.begin(), edges.end());
    return edges;
  }
  static void expect_whole(const std::shared_ptr<Medium>& medium) {
    SerialExecutor serial;
    const auto report = check_store(medium, serial);
    ASSERT_TRUE(report) << report.error().message;
    for (const CheckFinding& finding : report->findings) ADD_FAILURE() << finding.where << ": " << finding.what;
  }

  const std::vector<std::string> edges_ = {"ann bob 17", "bob cem 4", "cem eve 14", "eve eve 12", "fay gus 18"};
  FileContents files_ = stored_sample("format-1-changed");
};

TEST_F(StoreOfFormat1, IsRead) {
  const auto medium = medium_of(files_);
  const auto store = Store::open_read_only(medium);
  EXPECT_EQ(edges_of(store), edges_);
  EXPECT_EQ((*(*store)->snapshot())->num_live(), 7u);
  expect_whole(medium);
  EXPECT_EQ(read_files(*medium), files_);
}

TEST_F(StoreOfFormat1, IsNotChangedUnasked) {
  const auto medium = medium_of(files_);
  const auto store = Store::open(medium);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::unsupported);
  EXPECT_THAT(store.error().message, HasSubstr("rizoma upgrade"));
  EXPECT_EQ(read_files(*medium), files_);
}

TEST_F(StoreOfFormat1, IsUpgradedOnce) {
  const auto medium = medium_of(files_);
  for (const bool needed : {true, false}) {
    const auto done = Store::upgrade(medium);
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(*done, needed);
    EXPECT_EQ(edges_of(Store::open(medium)), edges_);
    expect_whole(medium);
  }
}

/// In every state that a crash may leave it is of one format or of the other, whole, and can be upgraded.
TEST_F(StoreOfFormat1, EveryPointOfItsUpgrade) {
  const auto medium = std::make_shared<FaultMedium>(*medium_of(files_));
  ASSERT_TRUE(Store::upgrade(medium));
  std::uint64_t states = 0;
  for (const CrashState& state : medium->crash_states({.exhaustive = 64, .systematic = 12, .random = 4})) {
    ++states;
    const std::shared_ptr<Medium> left = state.materialize();
    EXPECT_EQ(edges_of(Store::open_read_only(left)), edges_) << state.describe();
    EXPECT_TRUE(Store::upgrade(left)) << state.describe();
    EXPECT_EQ(edges_of(Store::open(left)), edges_) << state.describe();
    if (HasFailure()) break;
  }
  EXPECT_GT(states, 100u);
}

/// A whole dictionary segment, or list of removed vertices, that is not the manifest's.
class TiedExtents : public StoreOfFormat1, public WithParamInterface<std::uint32_t> {};

TEST_P(TiedExtents, AreThoseOfTheManifest) {
  const auto medium = medium_of(files_);
  ASSERT_TRUE(Store::upgrade(medium));
  FileContents files = read_files(*medium);
  std::vector<std::byte>& data = files.at("data");
  int found = 0;
  for (std::size_t at = 0; at + format::kPage <= data.size(); at += format::kPage) {
    std::uint32_t magic = 0;
    std::memcpy(&magic, data.data() + at, sizeof magic);
    if (magic != GetParam()) continue;
    ++found;
    if (magic == format::kRemovedMagic) {
      seal<format::RemovedHeader>(data, at, format::kSeedRemovedHeader, [](auto& header) { header.reserved[0] = 1; });
    } else {
      seal<DictionarySegmentHeader>(data, at, kSeedDictionaryHeader, [](auto& header) { header.reserved[0] = 1; });
    }
  }
  ASSERT_GT(found, 0);
  const auto store = Store::open(medium_of(files));
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::corrupt);
  EXPECT_THAT(store.error().message, HasSubstr("the manifest names"));
}

constexpr std::uint32_t kSegmentMagic = 0x49445a52;
INSTANTIATE_TEST_SUITE_P(OfBothKinds, TiedExtents, Values(kSegmentMagic, format::kRemovedMagic));

TEST_F(StoreOfAnEarlierRelease, IsRefusedByTheNameOfItsOnlyManifestIfThatIsDamaged) {
  files_[name_][sizeof(format::ManifestHeader)] ^= std::byte{1};
  const auto store = Store::open(medium_of(files_));
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::corrupt);
  EXPECT_THAT(store.error().message, HasSubstr(name_));
  EXPECT_THAT(store.error().message, ::testing::Not(HasSubstr("manifest-copy")));
}

}  // namespace
}  // namespace rizoma
