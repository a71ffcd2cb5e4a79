// Space: what is free is given back, what readers of an earlier state need is not.
#include "platform/memory_medium.h"
#include "store/manifest/publish.h"
#include "store/store.h"
#include "testing/filtered_medium.h"
#include "testing/store_files.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {
namespace {

constexpr std::int64_t kVertices = 1 << 12;

/// Adds an edge from every vertex to the one `step` further on, so that every section changes.
void add_step(Store& store, std::int64_t step) {
  std::vector<std::int64_t> sources, targets;
  for (std::int64_t v = 0; v < kVertices; ++v) {
    sources.push_back(v);
    targets.push_back((v + step) % kVertices);
  }
  const Status added = store.add_edges({std::move(sources), std::move(targets), {}});
  ASSERT_TRUE(added) << added.error().message;
}

/// A store with the steps 1..6.
std::unique_ptr<Store> make_store(const std::shared_ptr<Medium>& medium) {
  StoreOptions options;
  options.schema.directed = true;
  options.schema.in_edges = false;
  options.schema.section_bits = 8;
  auto store = Store::create(medium, options);
  EXPECT_TRUE(store) << store.error().message;
  for (std::int64_t step = 1; step <= 6; ++step) add_step(**store, step);
  EXPECT_TRUE((*store)->checkpoint());
  return *std::move(store);
}

void expect_steps(Store& store, std::uint64_t count) {
  SerialExecutor serial;
  const auto view = (*store.snapshot())->view(serial);
  ASSERT_TRUE(view) << view.error().message;
  std::uint64_t wrong = 0;
  view->with_out([&](const auto& out) {
    for (VertexId v = 0; v < kVertices; ++v) wrong += out.neighbors(v).size() != count ? 1 : 0;
  });
  EXPECT_EQ(wrong, 0u);
}

std::uint64_t data_bytes(Medium& medium) { return *(*medium.open(kDataName, FileMode::read))->allocated(); }

class StoreSpace : public testing::Test {
 protected:
  std::shared_ptr<Medium> medium_ = make_memory_medium();
};

TEST_F(StoreSpace, OfEachFileHasAPurpose) {
  const std::shared_ptr<Medium> medium = make_memory_medium();
  const auto store = make_store(medium);
  const auto info = store->info();
  ASSERT_TRUE(info);
  for (const GraphInfo::File& file : info->files) {
    const std::string expected = file.name.starts_with("manifest") ? "manifest"
                                 : file.name.starts_with("log.")   ? "log"
                                 : file.name == "superblock"       ? "superblock"
                                 : file.name == kDataName          ? "sections and dictionary"
                                                                   : "other";
    EXPECT_EQ(file.purpose, expected) << file.name;
  }
}

TEST_F(StoreSpace, IsGivenBackAfterManyUpdates) {
  auto store = make_store(medium_);
  const std::uint64_t fresh = data_bytes(*medium_);
  for (int round = 0; round < 30; ++round) {
    for (std::int64_t step = 1; step <= 6; ++step) add_step(*store, step);
    ASSERT_TRUE(store->checkpoint());
    EXPECT_LE(data_bytes(*medium_), fresh * 5 / 4) << "in round " << round;
  }
  ASSERT_TRUE(store->close());
  EXPECT_LE(data_bytes(*medium_), fresh * 21 / 20);
  store = *Store::open(medium_);
  expect_steps(*store, 6);
}

TEST_F(StoreSpace, ASnapshotKeepsItsOwnOnly) {
  auto store = make_store(medium_);
  const std::uint64_t fresh = data_bytes(*medium_);
  auto snapshot = *store->snapshot();
  SerialExecutor serial;
  for (std::int64_t step = 7; step < 37; ++step) {
    add_step(*store, step);
    ASSERT_TRUE(store->compact(serial, std::nullopt));
  }
  const std::uint64_t grown = data_bytes(*medium_);
  snapshot = nullptr;
  ASSERT_TRUE(store->checkpoint());
  EXPECT_LE(data_bytes(*medium_) + fresh * 3 / 4, grown);
  EXPECT_LE(data_bytes(*medium_), fresh * 6) << "36 edges a vertex";
}

/// Other openings on the same medium stand for other processes: pins and marks distinguishes them.
TEST_F(StoreSpace, AReaderBesideAWriterKeepsItsState) {
  auto store = make_store(medium_);
  auto reader = Store::open_read_only(medium_);
  ASSERT_TRUE(reader) << reader.error().message;
  for (std::int64_t step = 7; step < 37; ++step) {
    add_step(*store, step);
    ASSERT_TRUE(store->checkpoint());
  }
  expect_steps(**reader, 6);  // nothing of it had been read before
  ASSERT_TRUE(store->close());
  store = *Store::open(medium_);  // another writer minds it too
  for (std::int64_t step = 37; step < 50; ++step) {
    add_step(*store, step);
    ASSERT_TRUE(store->checkpoint());
  }
  reader = Store::open_read_only(medium_);
  ASSERT_TRUE(reader) << reader.error().message;
  expect_steps(**reader, 49);
}

/// A snapshot of the first steps is whole however often the store goes on.
void expect_kept(const StoreSnapshot& snapshot, Store& store) {
  for (std::int64_t step = 7; step < 20; ++step) {
    add_step(store, step);
    ASSERT_TRUE(store.checkpoint());
  }
  SerialExecutor serial;
  const auto view = snapshot.view(serial);
  ASSERT_TRUE(view) << view.error().message;
  EXPECT_EQ(view->num_entries(), 6u * kVertices);
}

TEST_F(StoreSpace, ASnapshotOutlivesItsReader) {
  auto store = make_store(medium_);
  auto reader = *Store::open_read_only(medium_);
  const auto snapshot = *reader->snapshot();
  reader = nullptr;
  expect_kept(*snapshot, *store);
}

TEST_F(StoreSpace, ASnapshotOutlivesItsWriter) {
  auto store = make_store(medium_);
  const auto snapshot = *store->snapshot();
  ASSERT_TRUE(store->close());
  store = nullptr;
  store = *Store::open(medium_);
  expect_kept(*snapshot, *store);
}

TEST_F(StoreSpace, IsReusedOnceTheReaderIsGone) {
  auto store = make_store(medium_);
  const std::uint64_t fresh = data_bytes(*medium_);
  auto reader = Store::open_read_only(medium_);
  const auto rewrite_all = [&](int times) {
    for (int round = 0; round < times; ++round) {
      for (std::int64_t step = 1; step <= 6; ++step) add_step(*store, step);
      ASSERT_TRUE(store->checkpoint());
    }
  };
  rewrite_all(20);
  EXPECT_GE(data_bytes(*medium_), 2 * fresh * 9 / 10) << "the reader's state and the present one";
  EXPECT_LE(data_bytes(*medium_), fresh * 13 / 4) << "the states between are not kept";
  reader = Error{};
  rewrite_all(2);
  EXPECT_LE(data_bytes(*medium_), fresh * 5 / 4);
}

/// A checkpoint for which the device is too full: what it did write does not take the rest of the space, however
/// often it is tried, and leaves no more and more files.
TEST_F(StoreSpace, AFailedCheckpointKeepsNone) {
  for (const std::string_view full : {"data", "manifest-copy."}) {
    SCOPED_TRACE(full);
    medium_ = make_memory_medium();
    bool failing = false;
    const auto filtered =
        make_filtered_medium(*medium_, [&](OperationKind kind, std::string_view file, const auto& operation) -> Status {
          if (failing && kind == OperationKind::sync && file.starts_with(full))
            return Error{ErrorCode::out_of_space, "full"};
          return operation();
        });
    auto store = make_store(filtered);
    const std::uint64_t fresh = data_bytes(*medium_);
    add_step(*store, 7);
    failing = true;
    SerialExecutor serial;
    EXPECT_FALSE(store->compact(serial, VertexOrder::degree));
    EXPECT_LE(data_bytes(*medium_), fresh * 5 / 4);
    const std::size_t files = medium_->list()->size();
    for (int attempt = 0; attempt < 10; ++attempt) {
      EXPECT_FALSE(store->checkpoint());
      EXPECT_LE(data_bytes(*medium_), fresh * 5 / 4);
      EXPECT_LE(medium_->list()->size(), files + 1) << "the log that it began";
    }
    add_step(*store, 8);
    failing = false;
    ASSERT_TRUE(store->checkpoint());
    EXPECT_LE(medium_->list()->size(), files);
    expect_steps(*store, 8);
    store = nullptr;
    store = *Store::open(filtered);
    expect_steps(*store, 8);
  }
}

TEST_F(StoreSpace, AFailedBulkLoadKeepsNone) {
  bool failing = true;
  const auto filtered =
      make_filtered_medium(*medium_, [&](OperationKind kind, std::string_view file, const auto& operation) -> Status {
        if (failing && kind == OperationKind::sync && file == kDataName) return Error{ErrorCode::out_of_space, "full"};
        return operation();
      });
  const auto load = [](Store& store) -> Status {
    RIZOMA_ASSIGN(const auto target, store.load_target(IdKind::dense));
    BulkLoader loader(store.load_schema(), {}, *target);
    std::vector<std::int64_t> sources(1 << 16), targets(1 << 16);
    for (std::size_t i = 0; i < sources.size(); ++i) sources[i] = static_cast<std::int64_t>(i), targets[i] = 0;
    RIZOMA_TRY(loader.add({std::move(sources), std::move(targets), {}}));
    SerialExecutor serial;
    return loader.finish(serial);
  };
  failing = false;
  const auto store = *Store::create(filtered, {});
  failing = true;
  EXPECT_FALSE(load(*store));
  EXPECT_EQ(data_bytes(*medium_), format::kPage) << "the manifest alone";
  failing = false;
  ASSERT_TRUE(load(*store));
  EXPECT_GT(data_bytes(*medium_), 1u << 18);
}

TEST_F(StoreSpace, IsGivenBackByACompactionWithAnOrder) {
  auto store = make_store(medium_);
  const std::uint64_t fresh = data_bytes(*medium_);
  SerialExecutor serial;
  for (const VertexOrder order : {VertexOrder::degree, VertexOrder::given}) {
    ASSERT_TRUE(store->compact(serial, order));
    EXPECT_LE(data_bytes(*medium_), fresh * 3 / 2) << "with a dictionary of the order";
    expect_steps(*store, 6);
  }
}

/// What is free is given back, or where the device takes nothing back, filled with zeros.
TEST_F(StoreSpace, APurgeLeavesNothingThatWasRemoved) {
  for (const bool takes_back : {true, false}) {
    const std::shared_ptr<Medium> below = make_memory_medium();
    const auto medium = make_filtered_medium(
        *below, [&](OperationKind kind, std::string_view, const std::function<Status()>& operation) -> Status {
          if (kind == OperationKind::discard && !takes_back) return Error{ErrorCode::io, "not of this device"};
          return operation();
        });
    StoreOptions options;
    options.schema.ids = IdKind::string;
    options.schema.vertex_columns = {{0, ColumnType::string, true, "note"}};
    const auto store = *Store::create(medium, options);
    const auto give = [&](std::string_view text) {
      StringColumn ids;
      ColumnValues notes{"note", ColumnType::string, {}, {}, {}};
      for (int i = 0; i < 2000; ++i) {
        ids.push_back("v" + std::to_string(i));
        const std::string note = std::string(text) + std::to_string(i * 7919);  // each its own: they take space
        notes.push(std::as_bytes(std::span(note)));
      }
      ASSERT_TRUE(store->add_vertices(ids));
      ASSERT_TRUE(store->apply(Batch().set_vertices(ids, {{notes}})));
      ASSERT_TRUE(store->checkpoint());
    };
    give("unmistakable");
    give("plain");
    SerialExecutor serial;
    ASSERT_TRUE(store->purge(serial, std::nullopt));
    for (const auto& [name, file] : read_files(*below)) {
      const std::string_view bytes(reinterpret_cast<const char*>(file.data()), file.size());
      EXPECT_EQ(bytes.find("unmistakable"), bytes.npos) << name << (takes_back ? "" : ", nothing is taken back");
    }
    EXPECT_TRUE(store->close());
    EXPECT_TRUE(Store::open(below, options));
  }
}

TEST_F(StoreSpace, OpeningAndClosingTakesNone) {
  make_store(medium_);
  const auto bytes = [&] {
    std::uint64_t sum = 0;
    const auto names = *medium_->list();
    for (const std::string& name : names) sum += *(*medium_->open(name, FileMode::read))->size();
    return sum;
  };
  const std::uint64_t before = bytes();
  for (int i = 0; i < 5; ++i) ASSERT_TRUE((*Store::open(medium_))->close());
  EXPECT_EQ(bytes(), before);
  auto store = *Store::open(medium_);
  add_step(*store, 7);
  ASSERT_TRUE(store->close());
  store = *Store::open(medium_);
  expect_steps(*store, 7);
}

}  // namespace
}  // namespace rizoma
