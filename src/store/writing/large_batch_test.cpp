// A batch that is added in pieces has each of its edges, with its values, once.
#include "store/store.h"
#include "testing/heap_medium.h"
#include "testing/ids_below.h"
#include "testing/int64_column.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr std::size_t kEdges = (std::size_t{1} << 19) + 5;  // one piece, and a little

TEST(LargeBatch, OfTextIdsHasEachEdgeOfEachPiece) {
  StoreOptions options;
  options.schema.ids = IdKind::string;
  options.schema.directed = true;
  options.schema.weights = WeightType::int32;
  options.schema.parallel_edges = ParallelEdges::keep;
  const auto store = *Store::create(make_heap_medium(), options);
  StringColumn sources, targets;
  std::vector<double> weights(kEdges);
  for (std::size_t i = 0; i < kEdges; ++i) {
    sources.push_back("s" + std::to_string(i % 7));
    targets.push_back("t" + std::to_string(i % 11));
    weights[i] = static_cast<double>(i);
  }
  ASSERT_TRUE(store->add_edges({sources, targets, weights, {}}));
  const auto state = *store->snapshot();
  EXPECT_EQ(*state->num_edges(), kEdges);
  std::set<double> found;
  for (std::size_t s = 0; s < 7; ++s) {
    const NeighborList list = *state->neighbors(Direction::out, *state->find("s" + std::to_string(s)));
    const std::vector<VertexId> ends = list.targets();
    const std::vector<double> of_list = list.weights();
    for (std::size_t e = 0; e < ends.size(); ++e) {
      const auto i = static_cast<std::size_t>(of_list[e]);
      ASSERT_EQ(i % 7, s);
      ASSERT_EQ(ends[e], *state->find("t" + std::to_string(i % 11)));
      found.insert(of_list[e]);
    }
  }
  EXPECT_EQ(found.size(), kEdges);
}

TEST(LargeBatch, OfEdgesWithValuesHasEachValueOfEachPiece) {
  StoreOptions options;
  options.schema.directed = true;
  options.schema.parallel_edges = ParallelEdges::keep;
  options.schema.edge_columns = {{0, ColumnType::int64, true, "number"}};
  const auto store = *Store::create(make_heap_medium(), options);
  std::vector<std::int64_t> sources(kEdges), targets(kEdges, 3);
  for (std::size_t i = 0; i < kEdges; ++i) sources[i] = static_cast<std::int64_t>(i % 3);
  ASSERT_TRUE(store->add_edges({sources, targets, {}, testing::int64_column("number", ids_below(kEdges))}));
  const auto state = *store->snapshot();
  std::set<std::int64_t> found;
  for (VertexId v = 0; v < 3; ++v) {
    const NeighborList list = *state->entries(Direction::out, v);
    const ColumnValues values = *state->edge_values("number", list.weights());
    for (std::size_t e = 0; e < list.size(); ++e) {
      std::int64_t number = 0;
      std::memcpy(&number, values.values.data() + e * sizeof number, sizeof number);
      ASSERT_EQ(static_cast<VertexId>(number % 3), v);
      found.insert(number);
    }
  }
  EXPECT_EQ(found.size(), kEdges);
}

/// Keeps what is reported, and runs everything on the calling thread.
class Reports final : public Executor {
 public:
  [[nodiscard]] unsigned threads() const noexcept override { return 1; }
  [[nodiscard]] bool stopping() const noexcept override { return false; }
  Status report(std::string_view, double done, double total) override {
    made.emplace_back(done, total);
    return {};
  }
  void parallel(FunctionRef<void(unsigned thread)> body) override { serial_.parallel(body); }
  Status for_blocks(std::uint64_t size, std::uint64_t grain,
                    FunctionRef<void(VertexRange block, unsigned thread)> body) override {
    return serial_.for_blocks(size, grain, body);
  }
  std::vector<std::pair<double, double>> made;

 private:
  SerialExecutor serial_;
};

/// Rows of every kind of step count, and those of edges that are added piece by piece.
TEST(LargeBatch, ReportsHowManyOfAllItsRowsAreDone) {
  using Ids = std::vector<std::int64_t>;
  StoreOptions options;
  options.schema.weights = WeightType::float64;
  const auto store = *Store::create(make_heap_medium(), options);
  EdgeBatch many{Ids(kEdges, 1), Ids(kEdges, 2), std::vector<double>(kEdges, 0.5)};
  Batch batch;
  batch.add_vertices(ids_below(9))
      .add_edges(std::move(many))
      .set_weights({Ids{1}, Ids{2}, {3}})
      .remove_edges({Ids{1, 3}, Ids{2, 4}, {}}, Missing::ignore)
      .remove_vertices(Ids{7, 8});
  constexpr double kRows = 9 + kEdges + 1 + 2 + 2;
  Reports reports;
  ASSERT_TRUE(store->apply(batch, reports));
  std::vector<double> done;
  for (const auto& [rows, total] : reports.made) {
    EXPECT_EQ(total, kRows);
    done.push_back(rows);
  }
  EXPECT_EQ(done, (std::vector<double>{9, 9 + (1 << 19), 9 + kEdges, kRows - 4, kRows - 2, kRows}));
}

}  // namespace
}  // namespace rizoma
