// Tags: states that stay, whatever comes after them, and what is found if they do not.
#include "store/manifest/manifest_copies.h"
#include "store/repair/store_check.h"
#include "testing/store_model.h"
#include "testing/directory_medium.h"
#include "testing/filtered_medium.h"
#include "testing/heap_medium.h"
#include "testing/store_files.h"
#include "testing/store_history.h"
#include "testing/store_world.h"
#include "testing/unreadable_medium.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <future>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace rizoma {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

class Tags : public testing::Test {
 protected:
  /// A store with columns (schema 2) after a few changes, tagged "t" with `model_` in it.
  void SetUp() override {
    StoreHistory history(medium_, nullptr, options_, 7);
    ASSERT_TRUE(history.create());
    const auto status = history.run("arcarca");
    ASSERT_TRUE(status) << status.error().message;
    model_ = std::make_unique<StoreModel>(history.model());
    history.drop();
    store_ = *Store::open(medium_, options_);
    const Status tagged = store_->tag("t");
    ASSERT_TRUE(tagged) << tagged.error().message;
  }
  /// Every section is rewritten, in another order; new values take the place of the old ones.
  void change_all() {
    model_->tag("t");
    StoreModel later = *model_;
    std::vector<StoreModel::Added> added;
    for (std::int64_t v = 0; v < 40; ++v) added.push_back({{v, (v * 7 + 3) % 40}, static_cast<double>(v)});
    ASSERT_TRUE(store_->add_edges(later.batch(added)));
    ASSERT_TRUE(store_->compact(serial_, VertexOrder::degree));
  }
  [[nodiscard]] Result<std::unique_ptr<Store>> open_at(const std::string& at) const {
    StoreOptions options;
    options.at = at;
    return Store::open_read_only(medium_, options);
  }
  void expect_tagged(Store& store) const {
    const auto same = equals(**store.snapshot(), *model_);
    ASSERT_TRUE(same) << same.error().message;
    EXPECT_TRUE(*same);
  }
  [[nodiscard]] std::uint64_t data_bytes() const { return *(*medium_->open(kDataName, FileMode::read))->size(); }
  /// The store's files, all of it closed, with one bit of the tag's manifest turned.
  [[nodiscard]] FileContents with_damaged_tag() {
    EXPECT_TRUE(store_->close());
    FileContents files = read_files(*medium_);
    std::vector<std::byte>& data = files.at(std::string(kDataName));
    data[place_of_tag(files) + sizeof(format::ManifestHeader) + 40] ^= std::byte{1};
    return files;
  }
  /// Where the manifest of the tag, which has no number of a file, is in `data`.
  [[nodiscard]] static std::uint64_t place_of_tag(const FileContents& files) {
    const std::vector<std::byte>& data = files.at(std::string(kDataName));
    std::uint64_t place = data.size();
    for (std::uint64_t at = 0; at < data.size(); at += format::kPage) {
      format::ManifestHeader header;
      std::memcpy(&header, data.data() + at, std::min(sizeof header, data.size() - at));
      if (header.magic == format::kManifestMagic && header.number == 0) place = at;
    }
    EXPECT_LT(place, data.size());
    return place;
  }

  /// The store's files, all of it closed, with another manifest of the tag, whose checksums are right.
  template <class Change>
  [[nodiscard]] FileContents with_other_tag(Change change) {
    EXPECT_TRUE(store_->close());
    FileContents files = read_files(*medium_);
    const std::string name = files.lower_bound("manifest.")->first;
    const std::uint64_t number = std::stoull(name.substr(name.find('.') + 1));
    format::ManifestHeader header;
    std::memcpy(&header, files.at(name).data(), sizeof header);
    ManifestState present = decode_manifest(files.at(name), header.store, number, name)->state;
    std::vector<std::byte>& data = files.at(std::string(kDataName));
    const Extent place = present.tags[0].extent;
    const auto old = std::span(data).subspan(place.offset, place.bytes);
    ManifestState tagged = decode_manifest(old, header.store, 0, "the tag")->state;
    change(tagged, present);
    const std::vector<std::byte> bytes = encode_manifest(tagged, header.store, 0);
    EXPECT_LE(bytes.size(), old.size());
    std::copy(bytes.begin(), bytes.end(), old.begin());
    present.tags[0].id = decode_manifest(bytes, header.store, 0, "the tag")->checksum;
    const std::vector<std::byte> whole = encode_manifest(present, header.store, number);
    for (const std::string& copy : {name, manifest_copy_name(number)}) {
      std::copy(whole.begin(), whole.end(), files.at(copy).begin());
    }
    std::copy(whole.begin(), whole.end(), data.begin() + static_cast<std::ptrdiff_t>(*present.embedded_at));
    return files;
  }
  void expect_found(const FileContents& files, const std::string& where, const std::string& what) {
    const auto found = check_store(medium_of(files), serial_);
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_EQ(found->findings.size(), 1u);
    EXPECT_THAT(found->findings[0].where, HasSubstr(where));
    EXPECT_THAT(found->findings[0].what, HasSubstr(what));
  }

  SerialExecutor serial_;
  std::shared_ptr<Medium> medium_ = make_heap_medium();
  StoreOptions options_ = World{.log_limit = 1 << 20, .close_limit = 1 << 20}.options(schema_number(2));
  std::unique_ptr<StoreModel> model_;
  std::unique_ptr<Store> store_;
};

TEST_F(Tags, CostAManifestWhileNothingChanges) {
  const auto pages = [&] { return (data_bytes() + format::kPage - 1) / format::kPage; };
  const std::uint64_t before = pages();
  for (const char* name : {"u", "v", "w"}) ASSERT_TRUE(store_->tag(name));
  EXPECT_LE(pages(), before + 3);
  for (const char* name : {"u", "v", "w"}) ASSERT_TRUE(store_->untag(name));
  ASSERT_TRUE(store_->compact(serial_, std::nullopt));
  EXPECT_LE(pages(), before + 3)
      << "rows, which are not written again, and the manifest, which is before the last is free";
}

TEST_F(Tags, AReaderOfATaggedStateKeepsItWhenItIsUntagged) {
  change_all();
  const auto reader = open_at("t");
  ASSERT_TRUE(reader) << reader.error().message;
  ASSERT_TRUE(store_->untag("t"));
  for (int round = 0; round < 4; ++round) ASSERT_TRUE(store_->compact(serial_, VertexOrder::degree));
  expect_tagged(**reader);
  const auto gone = open_at("t");
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().code, ErrorCode::not_found);
  EXPECT_THAT(gone.error().message, HasSubstr("it has none"));
}

TEST_F(Tags, SpaceOfOneThatIsGoneIsUsedAgain) {
  ASSERT_TRUE(store_->untag("t"));
  ASSERT_TRUE(store_->compact(serial_, VertexOrder::given));
  const std::uint64_t bare = data_bytes();
  for (int round = 0; round < 10; ++round) {
    ASSERT_TRUE(store_->tag("again"));
    ASSERT_TRUE(store_->compact(serial_, VertexOrder::given));
    ASSERT_TRUE(store_->untag("again"));
  }
  ASSERT_TRUE(store_->compact(serial_, VertexOrder::given));
  EXPECT_LE(data_bytes(), 3 * bare);
}

TEST_F(Tags, AreSetWhileOthersNeverCeaseToChange) {
  std::atomic<bool> done = false;
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 3; ++writer) {
    writers.emplace_back([&, writer] {
      for (StoreModel later = *model_; !done;) EXPECT_TRUE(store_->add_edges(later.batch({{{writer, 39}, 1.0}})));
    });
  }
  const Status tagged = store_->tag("amid");
  done = true;
  for (std::thread& writer : writers) writer.join();
  ASSERT_TRUE(tagged) << tagged.error().message;
  EXPECT_TRUE(open_at("amid"));
}

/// The second checkpoint of a tag keeps changes waiting: a writer that is always in time would have it made again and
/// again.
TEST_F(Tags, TakeTwoCheckpointsAtMost) {
  std::atomic<bool> tagging = false;
  int changes = 0, slots = 0;
  std::unique_ptr<Store> store;
  std::future<bool> change;
  const auto meanwhile = [&](OperationKind kind, std::string_view file, const std::function<Status()>& operation) {
    if (!tagging || kind != OperationKind::write || file.starts_with("log")) return operation();
    slots += file == kSuperblockName ? 1 : 0;
    if (file != kDataName || changes == 8) return operation();
    if (change.valid() && change.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return operation();
    ++changes;
    change = std::async(std::launch::async,
                        [&] { return store->add_edges(StoreModel(*model_).batch({{{1, 39}, 1.0}})).ok(); });
    change.wait_for(std::chrono::milliseconds(30));  // it takes longer only if it waits for the tag
    return operation();
  };
  const auto medium = make_filtered_medium(*medium_, meanwhile);
  ASSERT_TRUE(store_->close());
  store = *Store::open(medium, options_);
  ASSERT_TRUE(store->add_edges(model_->batch({{{1, 39}, 1.0}})));
  tagging = true;
  const Status tagged = store->tag("amid");
  tagging = false;
  ASSERT_TRUE(tagged) << tagged.error().message;
  EXPECT_TRUE(change.get());
  EXPECT_GT(changes, 1);
  EXPECT_LE(slots, 6) << "two checkpoints and the tag";
}

TEST_F(Tags, ShareSectionsThatAreCheckedOnce) {
  SerialExecutor serial;
  const auto one = check_store(medium_, serial);
  for (int i = 0; i < 9; ++i) ASSERT_TRUE(store_->tag("t" + std::to_string(i)));
  const auto ten = check_store(medium_, serial);
  ASSERT_TRUE(one.ok() && ten.ok());
  EXPECT_TRUE(ten->findings.empty());
  EXPECT_GT(one->sections_checked, 0u);
  EXPECT_EQ(ten->sections_checked, one->sections_checked);
}

TEST_F(Tags, NamesAreSomethingToSay) {
  for (const std::string& name : {std::string(), std::string("@1"), std::string(201, 'x'), std::string("\xff")}) {
    const Status refused = store_->tag(name);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
  }
  EXPECT_EQ(store_->tag("t").error().code, ErrorCode::already_exists);
  EXPECT_EQ(store_->untag("x").error().code, ErrorCode::not_found);
  StoreOptions writing = options_;
  writing.at = "t";
  store_ = nullptr;
  EXPECT_EQ(Store::open(medium_, writing).error().code, ErrorCode::invalid_argument);
}

TEST_F(Tags, OneThatIsNotThereIsAnsweredWithThoseThatAre) {
  const auto answer = [&] { return open_at("x").error().message; };
  EXPECT_THAT(answer(), EndsWith("has no tag 'x'; there are 't'"));
  ASSERT_TRUE(store_->tag("u"));
  EXPECT_THAT(answer(), EndsWith("has no tag 'x'; there are 't', 'u'"));
  ASSERT_TRUE(store_->untag("t"));
  ASSERT_TRUE(store_->untag("u"));
  EXPECT_THAT(answer(), EndsWith("has no tag 'x'; it has none"));
}

TEST_F(Tags, OfATimeAreTheLastOnesNotAfterIt) {
  change_all();
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  ASSERT_TRUE(store_->tag("later"));
  const auto tags = store_->tags();
  ASSERT_EQ(tags.size(), 2u);
  const auto at = open_at("@" + std::to_string(tags[1].nanoseconds - 1));
  ASSERT_TRUE(at) << at.error().message;
  expect_tagged(**at);
  EXPECT_EQ(open_at("@" + std::to_string(tags[0].nanoseconds - 1)).error().code, ErrorCode::not_found);
}

TEST_F(Tags, ADamagedOneHarmsNothingElse) {
  change_all();
  const auto medium = medium_of(with_damaged_tag());
  const auto found = check_store(medium, serial_);
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->findings.size(), 1u);
  EXPECT_THAT(found->findings[0].loss, HasSubstr("the tagged state 't'"));
  StoreOptions at;
  at.at = "t";
  EXPECT_EQ(Store::open_read_only(medium, at).error().code, ErrorCode::corrupt);
  auto store = Store::open(medium, options_);
  ASSERT_TRUE(store) << store.error().message;
  ASSERT_TRUE((*store)->compact(serial_, VertexOrder::given));
  ASSERT_TRUE((*store)->untag("t"));
  const auto clean = check_store(medium, serial_);
  ASSERT_TRUE(clean);
  EXPECT_TRUE(clean->findings.empty());
}

/// What it names is not known, and is there once the device can read again: nothing of it is written over meanwhile.
TEST_F(Tags, OneThatTheDeviceCannotReadHarmsNothingAndKeepsItsSpace) {
  change_all();
  ASSERT_TRUE(store_->close());
  const FileContents files = read_files(*medium_);
  const std::uint64_t at = place_of_tag(files);
  const auto device = medium_of(files);
  const auto unreadable = make_unreadable_medium(device, {{std::string(kDataName), at, at + 512}});
  StoreModel later(options_.schema);
  for (std::int64_t round = 0; round < 3; ++round) {
    const auto store = Store::open(unreadable, options_);
    ASSERT_TRUE(store) << store.error().message;
    ASSERT_TRUE((*store)->add_edges(later.batch({{{round, 39}, 1.0}})));
    ASSERT_TRUE((*store)->compact(serial_, VertexOrder::degree));
    ASSERT_TRUE((*store)->checkpoint());
    ASSERT_TRUE((*store)->close());
  }
  medium_ = device;
  const auto again = open_at("t");
  ASSERT_TRUE(again) << again.error().message;
  expect_tagged(**again);
  const auto found = check_store(medium_, serial_);
  EXPECT_TRUE(found && found->findings.empty());
}

TEST_F(Tags, OneThatTheDeviceCannotReadCanBeUntagged) {
  change_all();
  ASSERT_TRUE(store_->close());
  const FileContents files = read_files(*medium_);
  const std::uint64_t at = place_of_tag(files);
  medium_ = make_unreadable_medium(medium_of(files), {{std::string(kDataName), at, at + 512}});
  auto store = Store::open(medium_, options_);
  ASSERT_TRUE(store) << store.error().message;
  ASSERT_TRUE((*store)->untag("t"));
  ASSERT_TRUE((*store)->close());
  const auto found = check_store(medium_, serial_);
  EXPECT_TRUE(found && found->findings.empty());
  std::uint64_t least = UINT64_MAX;
  for (int round = 0; round < 4; ++round) {  // what the tag held is used again
    store = Error{};
    store = Store::open(medium_, options_);
    ASSERT_TRUE(store) << store.error().message;
    ASSERT_TRUE((*store)->compact(serial_, VertexOrder::degree));
    ASSERT_TRUE((*store)->close());
    least = std::min(least, data_bytes());
  }
  EXPECT_LE(data_bytes(), 2 * least);
}

/// With it goes all that it held.
TEST_F(Tags, OneThatTheDeviceCannotReadCanBeUntaggedAndPurgedAtOnce) {
  change_all();
  ASSERT_TRUE(store_->close());
  const FileContents files = read_files(*medium_);
  const std::uint64_t at = place_of_tag(files);
  medium_ = make_unreadable_medium(medium_of(files), {{std::string(kDataName), at, at + 512}});
  const auto store = *Store::open(medium_, options_);
  ASSERT_TRUE(store->untag("t"));
  const Status purged = store->purge(serial_, VertexOrder::given);
  ASSERT_TRUE(purged) << purged.error().message;
  ASSERT_TRUE(store->close());
  const auto found = check_store(medium_, serial_);
  EXPECT_TRUE(found && found->findings.empty());
}

/// A kernel would refuse such a state; each of its parts is whole.
TEST_F(Tags, OneWhoseEdgesDisagreeIsFound) {
  change_all();
  const FileContents files = with_other_tag([](ManifestState& tagged, const ManifestState&) {
    auto& sections = tagged.in.empty() ? tagged.out : tagged.in;
    const auto last = std::find_if(sections.rbegin(), sections.rend(), [](const auto& each) { return !each.empty(); });
    ASSERT_NE(last, sections.rend());
    *last = {};
  });
  expect_found(files, "of the tagged state 't'", "");
}

/// An opening for writing refuses them.
TEST_F(Tags, OneWhoseSpaceIsAnothersIsFound) {
  medium_ = make_heap_medium();
  options_.schema = {.ids = IdKind::integer};
  store_ = *Store::create(medium_, options_);
  ASSERT_TRUE(store_->add_edges({std::vector<std::int64_t>{70, 80}, std::vector<std::int64_t>{80, 90}, {}}));
  ASSERT_TRUE(store_->tag("t"));
  ASSERT_TRUE(store_->compact(serial_, VertexOrder::degree));
  const FileContents files = with_other_tag([](ManifestState& tagged, const ManifestState& present) {
    ASSERT_FALSE(tagged.dictionary.empty());
    Extent& ids = tagged.dictionary[0].extent;  // may be longer than what is in it
    std::uint64_t next = UINT64_MAX;
    for (const Extent& each : present.extents()) {
      if (each.offset > ids.offset) next = std::min(next, each.offset);
    }
    ASSERT_LT(next, UINT64_MAX);
    ids.bytes = next - ids.offset + 8;
  });
  EXPECT_EQ(Store::open(medium_of(files), options_).error().code, ErrorCode::corrupt);
  expect_found(files, "", "overlapping");
}

TEST_F(Tags, PurgingWaitsForWhoeverReadsAnOlderState) {
  const auto refused = store_->purge(serial_, VertexOrder::given);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("remove the tag"));
  ASSERT_TRUE(store_->untag("t"));
  auto held = *store_->snapshot();
  ASSERT_TRUE(store_->compact(serial_, VertexOrder::degree));
  const auto read = store_->purge(serial_, VertexOrder::given);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("purge again"));
  held = nullptr;
  const Status done = store_->purge(serial_, VertexOrder::given);
  EXPECT_TRUE(done) << done.error().message;
  expect_tagged(*store_);
}

TEST(TagsInLocations, StayWhereTheyLie) {
  const auto whole = make_heap_medium();
  StoreOptions options;
  options.schema.section_bits = 2;
  options.locations = {"a", "b"};
  options.open_location = directories_in(*whole);
  const auto home = [&] { return std::make_shared<DirectoryMedium>(*whole, "store"); };
  StoreModel model(options.schema);
  auto store = *Store::create(home(), options);
  std::vector<StoreModel::Added> added;
  for (std::int64_t v = 0; v < 40; ++v) added.push_back({{v, (v * 7 + 3) % 40}, 0});
  model.add(added);
  ASSERT_TRUE(store->add_edges(model.batch(added)));
  ASSERT_TRUE(store->tag("t"));
  ASSERT_TRUE(store->close());
  options.locations = {"b", "c"};
  store = *Store::open(home(), options);
  SerialExecutor serial;
  ASSERT_TRUE(store->compact(serial, std::nullopt));  // nothing of the present state is in "a" any more
  ASSERT_TRUE(store->close());
  StoreOptions at;
  at.open_location = directories_in(*whole);
  at.at = "t";
  const auto tagged = Store::open_read_only(home(), at);
  ASSERT_TRUE(tagged) << tagged.error().message;
  const auto same = equals(**(*tagged)->snapshot(), model);
  ASSERT_TRUE(same) << same.error().message;
  EXPECT_TRUE(*same);
}

}  // namespace
}  // namespace rizoma
