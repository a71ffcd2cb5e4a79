// Random histories of a store against a plain model, with reopening, checkpoints, compaction and
// snapshots that are held meanwhile, for every kind of schema, in tiny sections.
#include "testing/store_model.h"

#include "base/random.h"
#include "platform/file_medium.h"
#include "platform/memory_medium.h"
#include "store/repair/store_check.h"
#include "store/store.h"
#include "testing/store_world.h"
#include "testing/temporary_directory.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace rizoma {
namespace {

bool operator==(const ChangeCounts& a, const ChangeCounts& b) {
  return a.edges_removed == b.edges_removed && a.edges_missing == b.edges_missing && a.weights_set == b.weights_set &&
         a.vertices_set == b.vertices_set && a.vertices_removed == b.vertices_removed &&
         a.vertices_missing == b.vertices_missing;
}

/// Same neighbours one vertex at a time as in a whole view.
void expect_point_reads_agree(const StoreSnapshot& snapshot) {
  SerialExecutor serial;
  const auto view = snapshot.view(serial);
  ASSERT_TRUE(view) << view.error().message;
  ASSERT_EQ(view->num_live(), snapshot.num_live());
  view->with_out([&](const auto& out) {
    for (VertexId v = 0; v < out.num_vertices(); ++v) {
      const auto point = snapshot.neighbors(Direction::out, v);
      ASSERT_TRUE(point) << point.error().message;
      const auto list = out.neighbors(v);
      const std::vector<VertexId> targets = point->targets();
      ASSERT_TRUE(std::equal(list.begin(), list.end(), targets.begin(), targets.end())) << "vertex " << v;
      for (const VertexId target : targets) ASSERT_TRUE(point->contains(target));
      ASSERT_FALSE(point->contains(out.num_vertices()));
    }
  });
}

class History {
 public:
  History(const GraphSchema& schema, std::shared_ptr<Medium> medium, std::uint64_t seed)
      : schema_(schema), medium_(std::move(medium)), random_(seed), model_(schema) {
    options_.schema = schema;
    options_.log_limit = 600;  // checkpoints by themselves, often
    options_.close_limit = random_.below(2) * 300;
    options_.min_target_bytes = random_.below(4) == 0 ? 8 : 4;
    auto created = Store::create(medium_, options_);
    EXPECT_TRUE(created) << created.error().message;
    store_ = *std::move(created);
  }

  void run(int steps) {
    for (int i = 0; i < steps && !::testing::Test::HasFailure(); ++i) step();
    for (const auto& [snapshot, model] : held_) expect_equal(*snapshot, model, "a held snapshot");
  }

 private:
  void expect_equal(const StoreSnapshot& snapshot, const StoreModel& model, const char* what) {
    const auto same = equals(snapshot, model);
    ASSERT_TRUE(same) << what << ": " << same.error().message;
    ASSERT_TRUE(*same) << what;
  }
  void change() {
    Batch batch;
    ChangeCounts expected;
    StoreModel next = model_;
    for (std::uint64_t steps = 1 + random_.below(4); steps > 0; --steps) steps_.append(batch, next, expected);
    const bool refused = random_.below(8) == 0;  // by a last step that names what is missing
    if (refused) batch.remove_vertices(next.column({-1000000}), Missing::error);
    const auto counts = store_->apply(batch);
    if (refused) {
      ASSERT_FALSE(counts);
      ASSERT_EQ(counts.error().code, ErrorCode::not_found) << counts.error().message;
      return;
    }
    ASSERT_TRUE(counts) << counts.error().message;
    ASSERT_TRUE(*counts == expected);
    model_ = std::move(next);
  }
  void reopen() {
    const auto closed = store_->close();
    ASSERT_TRUE(closed) << closed.error().message;
    store_ = nullptr;
    SerialExecutor serial;
    const auto report = check_store(medium_, serial);
    ASSERT_TRUE(report) << report.error().message;
    ASSERT_TRUE(report->findings.empty()) << report->findings[0].where << ": " << report->findings[0].what;
    auto opened = Store::open(medium_, options_);
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = *std::move(opened);
  }
  void step() {
    SerialExecutor serial;
    Status status;
    switch (random_.below(14)) {
      case 0: status = store_->checkpoint(); break;
      case 1: reopen(); break;
      case 2: status = store_->compact(serial, std::nullopt); break;
      case 3: status = store_->compact(serial, random_.below(2) == 0 ? VertexOrder::degree : VertexOrder::given); break;
      case 4: {
        const auto added = steps_.edges();
        const auto ids = steps_.vertices();
        status = store_->add(model_.batch(added), model_.column(ids));
        model_.add_vertices(ids);
        model_.add(added);
        break;
      }
      case 5: held_.emplace_back(*store_->snapshot(), model_); break;
      case 6: expect_point_reads_agree(**store_->snapshot()); break;
      default: change();
    }
    ASSERT_TRUE(status) << status.error().message;
    if (random_.below(3) == 0) expect_equal(**store_->snapshot(), model_, "the present state");
    if (held_.size() > 4) held_.erase(held_.begin());
  }

  GraphSchema schema_;
  StoreOptions options_;
  std::shared_ptr<Medium> medium_;
  Random random_;
  RandomSteps steps_{schema_, random_};
  StoreModel model_;
  std::unique_ptr<Store> store_;
  std::vector<std::pair<std::shared_ptr<const StoreSnapshot>, StoreModel>> held_;
};

TEST(StoreModel, RandomHistoriesInMemory) {
  for (std::uint64_t seed = 0; seed < 96 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    History(schema_number(seed), make_memory_medium(), seed).run(60);
  }
}

TEST(StoreModel, RandomHistoriesInFiles) {
  for (std::uint64_t seed = 100; seed < 112 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const testing::TemporaryDirectory directory;
    auto medium = open_file_medium(directory.path(), true);
    ASSERT_TRUE(medium) << medium.error().message;
    History(schema_number(seed), *std::move(medium), seed).run(40);
  }
}

}  // namespace
}  // namespace rizoma
