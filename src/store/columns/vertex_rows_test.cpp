// Rows of vertices: those of a few, which are searched for, are those that reading all of them finds.
#include "store/store.h"
#include "testing/fault_medium.h"
#include "testing/heap_medium.h"
#include "testing/ids_below.h"
#include "testing/int64_column.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <span>
#include <vector>

namespace rizoma {
namespace {

constexpr std::int64_t kVertices = 200'000;
constexpr std::int64_t kValued =
    4000;  // the first ones, of which most are searched for before searching has cost too much

ColumnTable ages(std::span<const std::int64_t> values) { return testing::int64_column("age", values); }

/// What the graph says of each vertex, asked for `together` at once.
std::vector<std::int64_t> ages_of(const StoreSnapshot& snapshot, VertexId together) {
  std::vector<std::int64_t> found;
  for (VertexId v = 0; v < kVertices; v += together) {
    std::vector<VertexId> asked;
    for (VertexId u = v; u < std::min<VertexId>(v + together, kVertices); ++u) asked.push_back(u);
    const auto values = snapshot.vertex_values("age", asked);
    EXPECT_TRUE(values);
    for (std::size_t i = 0; i < asked.size(); ++i) {
      std::int64_t age = -1;
      if (values->is_valid(i)) std::memcpy(&age, values->values.data() + i * sizeof age, sizeof age);
      found.push_back(age);
    }
  }
  return found;
}

TEST(VertexRows, OfAFewAreThoseOfAll) {
  StoreOptions options;
  options.schema.vertex_columns.push_back({1, ColumnType::int64, true, "age"});
  options.schema.next_column = 2;
  const auto store = *Store::create(make_heap_medium(), options);
  std::vector<std::int64_t> ids(kVertices), truth(kVertices, -1);
  for (std::int64_t v = 0; v < kVertices; ++v) ids[static_cast<std::size_t>(v)] = v;
  ASSERT_TRUE(store->add_vertices(ids));
  std::mt19937_64 random(5);
  for (std::int64_t round = 0; round < 12; ++round) {
    std::vector<std::int64_t> some, values;
    for (int i = 0; i < 300; ++i) {
      some.push_back(static_cast<std::int64_t>(random() % kValued));
      values.push_back(round * 1000 + i);
      truth[static_cast<std::size_t>(some.back())] = values.back();
    }
    Batch batch;
    batch.set_vertices(some, ages(values));
    ASSERT_TRUE(store->apply(batch));
    if (round % 4 == 3) {
      ASSERT_TRUE(store->checkpoint());  // what is there now is in blocks of extents
    }
  }
  const std::vector<std::int64_t> last{7, 9, 8}, of_last{70, 90, 80};  // these stay in memory
  ASSERT_TRUE(store->apply(Batch().set_vertices(last, ages(of_last))));
  truth[7] = 70, truth[8] = 80, truth[9] = 90;
  EXPECT_EQ(ages_of(**store->snapshot(), 1), truth);
  EXPECT_EQ(ages_of(**store->snapshot(), 77), truth);
  EXPECT_EQ(ages_of(**store->snapshot(), kVertices), truth);
}

/// A row keeps what it is not given, also from rows that a checkpoint was about to write when it failed.
TEST(VertexRows, OfACheckpointThatFailedAreGoneOnWith) {
  const auto medium = std::make_shared<FaultMedium>();
  StoreOptions options;
  options.schema.vertex_columns = {{0, ColumnType::int64, true, "age"}, {0, ColumnType::int64, true, "size"}};
  const auto store = *Store::create(medium, options);
  const std::vector<std::int64_t> both{0, 1}, ages_of_both{30, 31}, second{1}, size{9};
  ASSERT_TRUE(store->apply(Batch().add_vertices(both).set_vertices(both, ages(ages_of_both))));
  medium->fail({OperationKind::create, 2, ErrorCode::io, true});
  ASSERT_FALSE(store->checkpoint());
  medium->clear_faults();
  ASSERT_TRUE(store->apply(Batch().set_vertices(second, testing::int64_column("size", size))));
  const std::vector<VertexId> asked{0, 1};
  const auto values = (*store->snapshot())->vertex_values("age", asked);
  ASSERT_TRUE(values);
  std::vector<std::int64_t> found(2);
  std::memcpy(found.data(), values->values.data(), sizeof(std::int64_t) * found.size());
  EXPECT_TRUE(values->is_valid(1));
  EXPECT_EQ(found, ages_of_both);
}

/// A checkpoint writes a block anew with the rows after it if it is small beside them; others stay where they are.
TEST(VertexRows, OfAGreatBlockAreNotWrittenAgainForAFewMore) {
  StoreOptions options;
  options.schema.vertex_columns.push_back({1, ColumnType::int64, true, "age"});
  options.schema.next_column = 2;
  const auto store = *Store::create(make_heap_medium(), options);
  ASSERT_TRUE(store->add_vertices(ids_below(kValued)));
  const auto blocks_after = [&](std::int64_t rows) {
    const std::vector<std::int64_t> some = ids_below(rows);
    EXPECT_TRUE(store->apply(Batch().set_vertices(some, ages(some))));
    EXPECT_TRUE(store->checkpoint());
    std::vector<std::uint64_t> blocks;
    for (const auto& stored : (*store->snapshot())->parts().vertex_rows->parts().stored) {
      blocks.push_back(stored->entry().rows);
    }
    return blocks;
  };
  using Blocks = std::vector<std::uint64_t>;
  EXPECT_EQ(blocks_after(1000), Blocks({1000}));
  EXPECT_EQ(blocks_after(1), Blocks({1000, 1}));
  EXPECT_EQ(blocks_after(400), Blocks({1000, 400})) << "of a vertex the last row counts";
  EXPECT_EQ(blocks_after(500), Blocks({1000})) << "500 and 400 are together nearly the 1000";
}

}  // namespace
}  // namespace rizoma
