// Store: the path from creation through batches, checkpoints and reopening.
#include "store/store.h"

#include "platform/file_medium.h"
#include "platform/memory_medium.h"
#include "store/loading/spill.h"
#include "testing/temporary_directory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace rizoma {
namespace {

using Vertices = std::vector<VertexId>;

EdgeBatch batch(std::vector<std::int64_t> sources, std::vector<std::int64_t> targets) {
  return {std::move(sources), std::move(targets), {}};
}

Vertices neighbors(Store& store, VertexId v) {
  const auto snapshot = store.snapshot();
  const auto found = (*snapshot)->neighbors(Direction::out, v);
  EXPECT_TRUE(found) << found.error().message;
  return found ? found->targets() : Vertices{};
}

Vertices neighbors_in_view(Store& store, VertexId v) {
  SerialExecutor serial;
  const auto view = (*store.snapshot())->view(serial);
  EXPECT_TRUE(view) << view.error().message;
  if (!view) return {};
  return view->with_out([&](const auto& out) {
    const auto list = out.neighbors(v);
    return Vertices(list.begin(), list.end());
  });
}

TEST(Store, AddsReopensAndCheckpoints) {
  const std::shared_ptr<Medium> medium = make_memory_medium();
  StoreOptions options;
  options.schema.section_bits = 2;
  {
    auto store = Store::create(medium, options);
    ASSERT_TRUE(store) << store.error().message;
    ASSERT_TRUE((*store)->add_edges(batch({0, 1, 9, 0}, {1, 2, 0, 1})));
    EXPECT_EQ(neighbors(**store, 0), (Vertices{1, 9}));
    EXPECT_EQ(neighbors_in_view(**store, 0), (Vertices{1, 9}));
    EXPECT_EQ(*(*(*store)->snapshot())->num_edges(), 3u);
  }
  {
    auto store = Store::open(medium);
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ(neighbors_in_view(**store, 0), (Vertices{1, 9}));
    const auto before = *(*store)->snapshot();
    ASSERT_TRUE((*store)->checkpoint());
    EXPECT_EQ(neighbors_in_view(**store, 0), (Vertices{1, 9}));
    ASSERT_TRUE((*store)->add_edges(batch({0, 30}, {5, 31})));
    ASSERT_TRUE((*store)->checkpoint());
    EXPECT_EQ(neighbors_in_view(**store, 0), (Vertices{1, 5, 9}));
    EXPECT_EQ(neighbors(**store, 0), (Vertices{1, 5, 9}));
    EXPECT_EQ(before->neighbors(Direction::out, 0)->targets(), (Vertices{1, 9}));
  }
  auto store = Store::open(medium);
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ(neighbors_in_view(**store, 31), (Vertices{30}));
  EXPECT_EQ((*(*store)->snapshot())->num_vertices(), 32u);
  EXPECT_EQ(*(*(*store)->snapshot())->num_edges(), 5u);
}

TEST(Store, AddsEdgesAndVerticesAsOneChange) {
  StoreOptions options;
  options.schema.ids = IdKind::string;
  auto store = Store::create(make_memory_medium(), options);
  ASSERT_TRUE(store) << store.error().message;
  const auto strings = [](std::initializer_list<const char*> ids) {
    StringColumn column;
    for (const char* id : ids) column.push_back(id);
    return column;
  };
  // The edges are refused, so the vertices must not stay either.
  const auto refused = (*store)->add(batch({1}, {2}), strings({"a", "b"}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ((*(*store)->snapshot())->num_vertices(), 0u);
  ASSERT_TRUE((*store)->add({strings({"c"}), strings({"a"}), {}}, strings({"a", "b"})));
  EXPECT_EQ((*(*store)->snapshot())->num_vertices(), 3u);
  EXPECT_EQ(neighbors(**store, 0), (Vertices{2}));
  ASSERT_TRUE((*store)->add({}, {}));
  ASSERT_TRUE((*store)->add_vertices(strings({"d"})));
  EXPECT_EQ((*(*store)->snapshot())->num_vertices(), 4u);
}

TEST(Store, OpeningForWritingRemovesWhatALoadLeft) {
  const std::shared_ptr<Medium> medium = make_memory_medium();
  ASSERT_TRUE(Store::create(medium, {}));
  const std::string left = std::string(kSpillPrefix) + "edges";
  ASSERT_TRUE(medium->open(left, FileMode::create));
  ASSERT_TRUE(Store::open_read_only(medium));
  EXPECT_TRUE(*medium->exists(left));
  ASSERT_TRUE(Store::open(medium));
  EXPECT_FALSE(*medium->exists(left));
}

TEST(Store, RefusesEveryChangeWhereItWasOpenedForReadingOnly) {
  const std::shared_ptr<Medium> medium = make_memory_medium();
  ASSERT_TRUE(Store::create(medium, {}));
  const auto store = *Store::open_read_only(medium);
  SerialExecutor serial;
  const Status refused[] = {store->add_edges(batch({0}, {1})),
                            store->flush(),
                            store->checkpoint(),
                            store->compact(serial, std::nullopt),
                            store->compact(serial, VertexOrder::degree),
                            store->discard()};
  for (const Status& status : refused) {
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::invalid_argument) << status.error().message;
  }
  EXPECT_TRUE(store->close());
  EXPECT_EQ(store->checkpoint().error().code, ErrorCode::closed);
}

TEST(Store, LeavesFilesOfOthersAloneWhateverTheirNames) {
  const std::shared_ptr<Medium> medium = make_memory_medium();
  ASSERT_TRUE(Store::create(medium, {}));
  const std::vector<std::string> names{"log.txt",       "log.",      "log.0x",        "log.007",
                                       "manifest.json", "manifest.", "superblock.txt"};
  for (const std::string& name : names) ASSERT_TRUE(medium->open(name, FileMode::create));
  {
    const auto store = Store::open(medium);
    ASSERT_TRUE(store) << store.error().message;
    ASSERT_TRUE((*store)->add_edges(batch({0, 1}, {1, 2})));
    ASSERT_TRUE((*store)->checkpoint());
  }
  ASSERT_TRUE(Store::open(medium));
  for (const std::string& name : names) EXPECT_TRUE(*medium->exists(name)) << name;
}

TEST(Store, TouchesNothingWhereThereAreOnlyFilesOfOthers) {
  for (const char* theirs : {"LOCK", "notes"}) {
    const testing::TemporaryDirectory directory;
    const auto file = directory.write(theirs, "mine");
    static_cast<void>(directory.write("more", ""));
    const std::shared_ptr<Medium> medium = *open_file_medium(directory.path());
    EXPECT_EQ(Store::open(medium).error().code, ErrorCode::not_found);
    EXPECT_EQ(Store::create(medium, {}).error().code, ErrorCode::already_exists);
    std::string text;
    std::ifstream(file) >> text;
    EXPECT_EQ(text, "mine");
    const std::filesystem::directory_iterator files(directory.path());
    EXPECT_EQ(std::distance(begin(files), end(files)), 2);
  }
}

/// Names alone are no proof: the files may be somebody else's.
TEST(Store, AForeignFileOfAStoresNameIsNotWrittenOver) {
  for (const std::string name : {"log.1", "manifest.1", "manifest-copy.1", "superblock.new"}) {
    const std::shared_ptr<Medium> medium = make_memory_medium();
    const std::string notes = "my notes";
    ASSERT_TRUE((*medium->open(name, FileMode::create))->write(0, std::as_bytes(std::span(notes))));
    const auto refused = Store::create(medium, StoreOptions{});
    ASSERT_FALSE(refused) << name;
    EXPECT_EQ(refused.error().code, ErrorCode::already_exists);
    EXPECT_NE(refused.error().message.find("holds other files (" + name), std::string::npos);
    std::string left(notes.size(), ' ');
    ASSERT_TRUE((*medium->open(name, FileMode::read))->read(0, std::as_writable_bytes(std::span(left))));
    EXPECT_EQ(left, notes);
  }
}

}  // namespace
}  // namespace rizoma
