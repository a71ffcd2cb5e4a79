// Store: the path from creation through batches, checkpoints and reopening.
#include "store/store.h"

#include "platform/file_medium.h"
#include "platform/memory_medium.h"
#include "store/disk_format.h"
#include "store/recovery/discarded.h"
#include "store/loading/spill.h"
#include "testing/failing_allocation.h"
#include "testing/fault_medium.h"
#include "testing/ids_below.h"
#include "testing/store_files.h"
#include "testing/temporary_directory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
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
    ASSERT_TRUE((*store)->add_vertices(ids_below(32)));
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
  const std::string left[] = {std::string(kSpillPrefix) + "edges", std::string(kSpillPrefix) + "rows"};
  for (const std::string& name : left) ASSERT_TRUE(medium->open(name, FileMode::create));
  ASSERT_TRUE(Store::open_read_only(medium));
  for (const std::string& name : left) EXPECT_TRUE(*medium->exists(name));
  ASSERT_TRUE(Store::open(medium));
  for (const std::string& name : left) EXPECT_FALSE(*medium->exists(name));
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

TEST(Store, IsNotCreatedAmidDirectoriesOfOthers) {
  const testing::TemporaryDirectory directory;
  const std::shared_ptr<Medium> medium = *open_file_medium(directory.path());
  std::filesystem::create_directories(directory / "photos" / "2026");
  const auto refused = Store::create(medium, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::already_exists);
  EXPECT_NE(refused.error().message.find("holds other directories and no Rizoma store"), std::string::npos)
      << refused.error().message;
  EXPECT_EQ(Store::open(medium).error().code, ErrorCode::not_found);
  std::filesystem::rename(directory / "photos", directory / "lost+found");
  ASSERT_TRUE(Store::create(medium, {})) << "a disk that is mounted here has one";
  std::filesystem::create_directory(directory / "photos");
  EXPECT_TRUE(Store::open(medium)) << "one that is there is opened";
}

/// Runs everything on the calling thread, and counts the loops.
class CountingExecutor final : public Executor {
 public:
  [[nodiscard]] unsigned threads() const noexcept override { return 1; }
  [[nodiscard]] bool stopping() const noexcept override { return false; }
  Status report(std::string_view, double, double) override { return {}; }
  void parallel(FunctionRef<void(unsigned thread)> body) override { serial_.parallel(body); }
  Status for_blocks(std::uint64_t size, std::uint64_t grain,
                    FunctionRef<void(VertexRange block, unsigned thread)> body) override {
    ++loops;
    return serial_.for_blocks(size, grain, body);
  }
  int loops = 0;

 private:
  SerialExecutor serial_;
};

TEST(Store, AViewOfAStateIsPutTogetherOnceAndKeepsTheState) {
  StoreOptions options;
  options.schema.section_bits = 2;
  auto store = Store::create(make_memory_medium(), options);
  ASSERT_TRUE(store) << store.error().message;
  ASSERT_TRUE((*store)->add_vertices(ids_below(10)));
  ASSERT_TRUE((*store)->add_edges(batch({0, 1, 9}, {1, 2, 0})));
  auto snapshot = *(*store)->snapshot();
  const std::weak_ptr<const StoreSnapshot> state = snapshot;
  CountingExecutor executor;
  auto first = snapshot->view(executor);
  ASSERT_TRUE(first);
  EXPECT_GT(executor.loops, 0);
  executor.loops = 0;
  auto second = snapshot->view(executor);
  ASSERT_TRUE(second);
  EXPECT_EQ(executor.loops, 0);
  EXPECT_EQ(second->num_entries(), first->num_entries());
  ASSERT_TRUE((*store)->add_edges(batch({0}, {7})));
  snapshot.reset();
  first = Error{ErrorCode::closed, "gone"};
  EXPECT_FALSE(state.expired());
  second->with_out([](const auto& out) { EXPECT_EQ(out.degree(0), 2U); });
  EXPECT_EQ(neighbors_in_view(**store, 0), (Vertices{1, 7, 9}));
  second = Error{ErrorCode::closed, "gone"};
  EXPECT_TRUE(state.expired());
}

/// Who made a graph need not prove that its edges agree; who opens it must, once.
TEST(Store, OnlyAGraphThatWasOpenedIsValidated) {
  const std::shared_ptr<Medium> medium = make_memory_medium();
  const auto loops = [](Store& store) {
    CountingExecutor executor;
    EXPECT_TRUE((*store.snapshot())->view(executor));
    return executor.loops;
  };
  StoreOptions options;
  options.schema.weights = WeightType::float64;
  auto store = *Store::create(medium, options);
  ASSERT_TRUE(store->add_edges({std::vector<std::int64_t>{0, 1, 9}, std::vector<std::int64_t>{1, 2, 0}, {0.5, 1, 2}}));
  ASSERT_TRUE(store->checkpoint());
  const int of_its_maker = loops(*store);
  ASSERT_TRUE(store->close());
  store = *Store::open(medium);
  EXPECT_GT(loops(*store), of_its_maker);
}

/// Asked for by name as another column would be, of the whole graph and of what a rank has.
TEST(Store, TheWeightOfAGraphWithoutColumnsIsAColumnByItsName) {
  SerialExecutor serial;
  for (const WeightType type : {WeightType::float64, WeightType::none}) {
    StoreOptions options;
    options.schema.weights = type;
    const auto store = *Store::create(make_memory_medium(), options);
    EdgeBatch edges = batch({0, 1}, {1, 2});
    if (type != WeightType::none) edges.weights = {0.5, 2};
    ASSERT_TRUE(store->add_edges(edges));
    const auto snapshot = *store->snapshot();
    for (const auto& found : {snapshot->view(serial, "weight"), snapshot->part_view(serial, "weight")}) {
      ASSERT_EQ(found.ok(), type != WeightType::none);
      if (found) {
        EXPECT_EQ(found->weight_type(), type);
      } else {
        EXPECT_EQ(found.error().code, ErrorCode::not_found);
      }
    }
    EXPECT_EQ(snapshot->view(serial, "age").error().code, ErrorCode::not_found);
  }
}

TEST(Store, ALongListIsLookedAtWithoutACopy) {
  constexpr std::int64_t kEdges = 20'000;
  StoreOptions options;
  options.schema.weights = WeightType::float64;
  const auto store = *Store::create(make_memory_medium(), options);
  EdgeBatch edges;
  std::vector<std::int64_t> targets(kEdges);
  std::iota(targets.begin(), targets.end(), 1);
  edges.sources = std::vector<std::int64_t>(kEdges, 0);
  edges.targets = targets;
  edges.weights.assign(kEdges, 0.5);
  ASSERT_TRUE(store->add_edges(edges));
  ASSERT_TRUE(store->checkpoint());
  const auto snapshot = *store->snapshot();
  ASSERT_TRUE(snapshot->entries(Direction::out, 0)) << "the section is verified";
  const auto failing = FailingAllocation::of_at_least(4096);
  const auto list = snapshot->entries(Direction::out, 0);
  ASSERT_TRUE(list);
  EXPECT_EQ(list->size(), static_cast<std::size_t>(kEdges));
  EXPECT_TRUE(list->contains(kEdges));
  EXPECT_FALSE(list->contains(kEdges + 1));
}

/// After a crash during a removal there is all of the store, or a remainder in whose place another can be made.
TEST(Store, ACrashAmidADiscardLeavesTheStoreOrRoomForAnother) {
  const auto medium = std::make_shared<FaultMedium>();
  auto store = *Store::create(medium, {});
  ASSERT_TRUE(store->add_edges(batch({0, 1}, {1, 2})));
  ASSERT_TRUE(store->checkpoint());
  ASSERT_TRUE(store->add_edges(batch({2}, {3})));
  const std::uint64_t before = medium->position();
  ASSERT_TRUE(store->discard());
  EXPECT_EQ(*medium->list(), std::vector<std::string>());
  unsigned whole = 0;
  unsigned remainders = 0;
  for (const CrashState& state : medium->crash_states({.first_position = before})) {
    SCOPED_TRACE(state.describe());
    const std::shared_ptr<Medium> left = state.materialize();
    const auto found = Store::exists(*left);
    ASSERT_TRUE(found) << found.error().message;
    if (*found) {
      const auto opened = Store::open(left);
      ASSERT_TRUE(opened) << opened.error().message;
      EXPECT_EQ((*(*opened)->snapshot())->num_vertices(), 4U);
      ++whole;
      continue;
    }
    if (!left->list()->empty()) ++remainders;
    EXPECT_EQ(Store::open(left).error().code, ErrorCode::not_found);
    const auto created = Store::create(left, {});
    ASSERT_TRUE(created) << created.error().message;
    EXPECT_EQ((*(*created)->snapshot())->num_vertices(), 0U);
    EXPECT_FALSE(*left->exists(kDiscardedName));
  }
  EXPECT_GT(whole, 0U);
  EXPECT_GT(remainders, 3U);
}

/// Names alone are no proof: the files may be another program's.
/// A process that dies while it creates a store may leave one whose name is not durable: the next one that opens it
/// makes it so before it acknowledges a change.
TEST(Store, ThatACreationLeftIsDurableOnceItIsChanged) {
  int opened = 0;
  bool created = false;
  for (std::uint64_t nth = 1; !created; ++nth) {
    SCOPED_TRACE(nth);
    const auto medium = std::make_shared<FaultMedium>();
    medium->kill_at(nth);
    created = static_cast<bool>(Store::create(medium, {}));
    medium->revive();
    if (!*medium->exists(kSuperblockName)) continue;
    auto store = Store::open(medium);
    ASSERT_TRUE(store) << store.error().message;
    ASSERT_TRUE((*store)->add_edges(batch({0}, {1})));
    ++opened;
    for (const CrashState& state : medium->crash_states({.first_position = medium->position()})) {
      const std::shared_ptr<Medium> left = state.materialize();
      const auto again = Store::open_read_only(left);
      ASSERT_TRUE(again) << state.describe() << again.error().message;
      EXPECT_EQ(*(*(*again)->snapshot())->num_edges(), 1U) << state.describe();
    }
  }
  EXPECT_GT(opened, 1);
}

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

/// What is left of a store without its superblock is no room for another: its data may be all that there is of a graph.
TEST(Store, IsNotCreatedWhereTheDataOfAnotherIsLeft) {
  const std::shared_ptr<Medium> medium = make_memory_medium();
  const auto store = *Store::create(medium, {});
  const FileContents created = read_files(*medium);
  ASSERT_TRUE(store->add_edges(batch({0, 1}, {1, 2})));
  ASSERT_TRUE(store->checkpoint());
  const FileContents changed = read_files(*medium);
  for (const bool emptied : {false, true}) {  // its first page, which a system may have given back
    FileContents left{{"data", changed.at("data")}};
    ASSERT_GT(left.at("data").size(), format::kPage);
    if (emptied) std::fill_n(left.at("data").begin(), format::kPage, std::byte{0});
    const auto refused = Store::create(medium_of(left), {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::corrupt) << refused.error().message;
    EXPECT_NE(refused.error().message.find("parts of a Rizoma store (data) but no superblock"), std::string::npos);
  }
  EXPECT_TRUE(Store::create(medium_of({{"data", created.at("data")}}), {})) << "a creation that was cut off";
}

/// A first manifest with many columns takes several pages, of which the later ones begin with anything.
TEST(Store, IsCreatedWhereTheLongFirstManifestOfACreationIsLeft) {
  StoreOptions options;
  for (std::uint32_t id = 0; id < 200; ++id) {
    options.schema.edge_columns.push_back(
        {id, ColumnType::int64, true, "a column with quite a long name, number " + std::to_string(id)});
  }
  const std::shared_ptr<Medium> medium = make_memory_medium();
  ASSERT_TRUE(Store::create(medium, options));
  const FileContents created = read_files(*medium);
  ASSERT_GT(created.at("data").size(), 2 * format::kPage);
  EXPECT_TRUE(Store::create(medium_of({{"data", created.at("data")}}), options));
}

}  // namespace
}  // namespace rizoma
