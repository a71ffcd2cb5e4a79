// Repair keeps tagged states that are whole, whatever happened to the current one, and says which it lost.
#include "store/dictionary/dictionary_segment.h"
#include "store/manifest/manifest.h"
#include "store/repair/store_check.h"
#include "store/repair/store_repair.h"
#include "testing/store_model.h"
#include "testing/heap_medium.h"
#include "testing/store_files.h"
#include "testing/store_history.h"
#include "testing/store_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace rizoma {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// A closed store with three tags, of which the first two share all that they have, and nothing else does.
class RepairOfTags : public testing::TestWithParam<std::uint64_t> {
 protected:
  RepairOfTags()
      : options_(World{.log_limit = 1 << 20, .close_limit = 1 << 20}.options(schema_number(GetParam()))),
        model_(options_.schema) {
    const std::shared_ptr<Medium> medium = make_heap_medium();
    StoreHistory history(medium, nullptr, options_, GetParam());
    EXPECT_TRUE(history.create());
    EXPECT_TRUE(history.run("arcarca"));
    model_ = history.model();
    history.drop();
    const auto store = *Store::open(medium, options_);
    tag(*store, "first");
    tag(*store, "second");
    change(*store, 1);
    EXPECT_TRUE(store->compact(serial_, VertexOrder::degree));
    change(*store, 2);
    tag(*store, "third");
    EXPECT_TRUE(store->compact(serial_, VertexOrder::degree));
    change(*store, 3);
    EXPECT_TRUE(store->checkpoint());
    tags_ = store->tags();
    EXPECT_TRUE(store->close());
    files_ = read_files(*medium);
  }
  void tag(Store& store, const std::string& name) {
    const Status tagged = store.tag(name);
    EXPECT_TRUE(tagged) << tagged.error().message;
    model_.tag(name);
  }
  void change(Store& store, std::int64_t source) {
    std::vector<StoreModel::Added> added;
    for (std::int64_t target = 4; target < 9; ++target) added.push_back({{source, target}, 2.0});
    EXPECT_TRUE(store.add_edges(model_.batch(added)));
    model_.add(added);
  }
  [[nodiscard]] ManifestState present() const { return manifest_at(files_.lower_bound("manifest.")->second, number()); }
  [[nodiscard]] ManifestState tagged(std::size_t i) const {
    const Extent extent = present().tags[i].extent;
    const auto& data = files_.at("data");
    return manifest_at(std::span(data).subspan(extent.offset, extent.bytes), 0);
  }
  void damage(const Extent& extent, std::size_t at = 0) { files_.at("data")[extent.offset + at] ^= std::byte{1}; }
  /// What is repaired, and is whole then.
  [[nodiscard]] std::shared_ptr<Medium> repaired() {
    std::shared_ptr<Medium> fresh = make_heap_medium();
    const auto report = repair_store(medium_of(files_), fresh, serial_);
    EXPECT_TRUE(report) << report.error().message;
    report_ = *report;
    const auto checked = check_store(fresh, serial_);
    EXPECT_TRUE(checked && checked->findings.empty() && checked->unproven.empty());
    return fresh;
  }
  /// The tags of the model, and no others, are there.
  void expect_tags(const std::shared_ptr<Medium>& medium) const {
    const auto store = Store::open_read_only(medium, {});
    ASSERT_TRUE(store) << store.error().message;
    const auto same = tags_equal(**store, medium, {}, model_);
    ASSERT_TRUE(same) << same.error().message;
    EXPECT_TRUE(*same) << "tags are missing, or there are more";
  }

  SerialExecutor serial_;
  StoreOptions options_;
  StoreModel model_;
  FileContents files_;
  std::vector<TagInfo> tags_;
  RepairReport report_;

 private:
  [[nodiscard]] std::uint64_t number() const {
    const std::string& name = files_.lower_bound("manifest.")->first;
    return std::stoull(name.substr(name.find('.') + 1));
  }
  [[nodiscard]] static ManifestState manifest_at(std::span<const std::byte> bytes, std::uint64_t number) {
    format::ManifestHeader header;
    std::memcpy(&header, bytes.data(), sizeof header);
    return decode_manifest(bytes, header.store, number, "a manifest")->state;
  }
};

TEST_P(RepairOfTags, KeepsThoseThatAreWholeWhereThePresentStateIsDamaged) {
  damage(present().out[0].image, 70);
  files_.erase("superblock");
  const auto fresh = repaired();
  for (const std::string& lost : report_.lost) EXPECT_THAT(lost, testing::Not(HasSubstr("tagged state")));
  expect_tags(fresh);
  const std::vector<TagInfo> kept = (*Store::open_read_only(fresh, {}))->tags();
  ASSERT_EQ(kept.size(), tags_.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    EXPECT_EQ(kept[i].name, tags_[i].name);
    EXPECT_EQ(kept[i].nanoseconds, tags_[i].nanoseconds);
  }
}

TEST_P(RepairOfTags, NamesOneThatIsDamagedAndKeepsTheOthers) {
  damage(tagged(2).out[0].image, 70);
  const auto fresh = repaired();
  ASSERT_EQ(report_.lost.size(), 1U);
  EXPECT_THAT(report_.lost[0], HasSubstr("the tagged state 'third': "));
  EXPECT_THAT(report_.lost[0], HasSubstr("checksum"));
  model_.untag("third");
  expect_tags(fresh);
  EXPECT_TRUE(*equals(**(*Store::open_read_only(fresh, {}))->snapshot(), model_));
}

TEST_P(RepairOfTags, NamesAllThatShareWhatIsDamaged) {
  const SectionEntry shared = tagged(0).out[0];
  ASSERT_EQ(shared.image.offset, tagged(1).out[0].image.offset) << "the test needs a section that two tags share";
  damage(shared.image, 70);
  const auto fresh = repaired();
  EXPECT_EQ(report_.lost.size(), 2U);
  for (const char* name : {"first", "second"}) {
    EXPECT_THAT(report_.lost, testing::Contains(HasSubstr(std::string("the tagged state '") + name + "'")));
    model_.untag(name);
  }
  expect_tags(fresh);
}

TEST_P(RepairOfTags, NamesOneWhoseManifestIsDamaged) {
  damage(present().tags[0].extent, sizeof(format::ManifestHeader) + 40);
  const auto fresh = repaired();
  ASSERT_EQ(report_.lost.size(), 1U);
  EXPECT_THAT(report_.lost[0], HasSubstr("the tagged state 'first': "));
  model_.untag("first");
  expect_tags(fresh);
}

/// Nor does the check of the tag depend on the present ids, nor the repair of the present state on the tag.
TEST_P(RepairOfTags, NamesOneWhoseManifestIsDamagedWhereThePresentIdsAreToo) {
  for (const TiedExtent& segment : present().dictionary) {
    DictionarySegmentHeader header;
    std::memcpy(&header, files_.at("data").data() + segment.extent.offset, sizeof header);
    for (std::size_t i = header.index_at; i < header.index_at + 8 * header.slots; i += 3) damage(segment.extent, i);
  }
  damage(present().tags[0].extent, sizeof(format::ManifestHeader) + 40);
  const auto checked = check_store(medium_of(files_), serial_);
  ASSERT_TRUE(checked) << checked.error().message;
  EXPECT_GE(checked->findings.size(), options_.schema.ids == IdKind::dense ? 1U : 2U);
  const auto fresh = repaired();
  ASSERT_EQ(report_.lost.size(), 1U);
  EXPECT_THAT(report_.lost[0], HasSubstr("the tagged state 'first': "));
  EXPECT_THAT(report_.lost[0], testing::Not(HasSubstr("store: ")));
  EXPECT_TRUE(*equals(**(*Store::open_read_only(fresh, {}))->snapshot(), model_));
  model_.untag("first");
  expect_tags(fresh);
}

TEST_P(RepairOfTags, CopiesWhatTheyShareOnce) {
  const auto size_of = [](const ManifestState& state) {
    std::uint64_t pages = 0;
    for (const Extent& extent : state.extents()) pages += (extent.bytes + format::kPage - 1) / format::kPage;
    return pages;
  };
  const std::uint64_t apart = size_of(tagged(0)) + size_of(tagged(1)) + size_of(tagged(2)) + 3;
  files_.erase("superblock");
  const auto with_tags = repaired();
  const auto store = *Store::open(with_tags, {});
  const auto bytes = [&] { return *(*with_tags->open("data", FileMode::read))->allocated(); };
  const std::uint64_t before = bytes();
  for (const char* name : {"first", "second", "third"}) ASSERT_TRUE(store->untag(name));
  ASSERT_TRUE(store->checkpoint());
  EXPECT_LT(before - bytes(), apart * format::kPage);
}

/// They are tags like others from then on.
TEST_P(RepairOfTags, LeavesStatesThatStayThroughAllThatFollows) {
  files_.erase("superblock");
  const auto fresh = repaired();
  auto store = *Store::open(fresh, options_);
  change(*store, 5);
  tag(*store, "fourth");
  ASSERT_TRUE(store->compact(serial_, VertexOrder::degree));
  ASSERT_TRUE(store->untag("second"));
  model_.untag("second");
  change(*store, 6);
  ASSERT_TRUE(store->close());
  store = *Store::open(fresh, options_);
  ASSERT_TRUE(store->compact(serial_, VertexOrder::given));
  EXPECT_TRUE(*equals(**store->snapshot(), model_));
  ASSERT_TRUE(store->close());
  expect_tags(fresh);
  const auto checked = check_store(fresh, serial_);
  ASSERT_TRUE(checked);
  EXPECT_THAT(checked->findings, IsEmpty());
  files_ = read_files(*fresh);
  files_.erase("superblock");
  expect_tags(repaired());
}

INSTANTIATE_TEST_SUITE_P(Schemas, RepairOfTags, testing::Values(2, 13, 21));

}  // namespace
}  // namespace rizoma
