// Parts and other sides of a state have the edges that a list of edges says, beside one that changes; and what was
// looked up for a section serves every state that has the section as it is.
#include "store/state/filtered.h"
#include "store/state/own_sections.h"
#include "store/store.h"
#include "testing/heap_medium.h"
#include "testing/int64_column.h"
#include "testing/store_fields.h"
#include "testing/store_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr std::int64_t kVertices = 300;
using Ids = std::vector<std::int64_t>;
using Pairs = std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t>;  ///< and what their column "since" says

ColumnTable since(std::span<const std::int64_t> values) { return testing::int64_column("since", values); }

StoreOptions with_column(bool directed) {
  StoreOptions options;
  options.schema.directed = directed;
  options.schema.section_bits = 6;
  options.schema.rows = true;
  options.schema.edge_columns.push_back({1, ColumnType::int64, true, "since"});
  options.schema.next_column = 2;
  return options;
}

/// Adds random edges; of those that exist the values become others.
void add(Store& store, std::mt19937_64& random, int count, Pairs& truth) {
  Ids sources, targets, values;
  for (int i = 0; i < count; ++i) {
    auto u = static_cast<std::int64_t>(random() % kVertices), v = static_cast<std::int64_t>(random() % kVertices);
    if (!store.schema().directed && v < u) std::swap(u, v);
    sources.push_back(u);
    targets.push_back(v);
    values.push_back(static_cast<std::int64_t>(random() % 1000));
    truth[{u, v}] = values.back();
  }
  EdgeBatch edges{sources, targets, {}};
  edges.columns = since(values);
  ASSERT_TRUE(store.add_edges(edges));
}

/// A bit for each row whose value is at least `least`.
std::vector<std::uint8_t> rows_from(const StoreSnapshot& snapshot, std::int64_t least) {
  std::vector<std::uint8_t> bits((snapshot.num_rows() + 7) / 8);
  const auto values = snapshot.values_between("since", 0, snapshot.num_rows());
  EXPECT_TRUE(values);
  for (std::uint64_t row = 0; row < snapshot.num_rows(); ++row) {
    std::int64_t value = 0;
    std::memcpy(&value, values->values.data() + row * sizeof value, sizeof value);
    if (values->is_valid(row) && value >= least) bits[row / 8] |= static_cast<std::uint8_t>(1U << (row % 8));
  }
  return bits;
}

/// Both directions of a state as lists of (source, target, value), each sorted; ids are numbers.
template <class Lists>
std::vector<std::tuple<VertexId, VertexId, std::int64_t>> listed(const Lists& lists) {
  std::vector<std::tuple<VertexId, VertexId, std::int64_t>> all;
  for (VertexId v = 0; v < lists.num_vertices(); ++v) {
    const auto neighbors = lists.neighbors(v);
    const auto values = lists.template weights<double>(v);
    for (std::size_t i = 0; i < neighbors.size(); ++i) {
      all.emplace_back(v, neighbors[i], static_cast<std::int64_t>(values[i]));
    }
  }
  return all;
}

void expect_edges(const StoreSnapshot& state, const Pairs& truth, bool turned) {
  std::vector<std::tuple<VertexId, VertexId, std::int64_t>> out, in;
  EdgeCount loops = 0;
  for (const auto& [pair, value] : truth) {
    const auto u = static_cast<VertexId>(turned ? pair.second : pair.first);
    const auto v = static_cast<VertexId>(turned ? pair.first : pair.second);
    loops += u == v ? 1 : 0;
    out.emplace_back(u, v, value);
    in.emplace_back(v, u, value);
  }
  if (!state.schema().directed) {
    for (const auto& entry : in) {
      if (std::get<0>(entry) != std::get<1>(entry)) out.push_back(entry);
    }
    in = out;
  }
  std::sort(out.begin(), out.end());
  std::sort(in.begin(), in.end());
  SerialExecutor serial;
  const auto view = state.view(serial, "since");
  ASSERT_TRUE(view) << view.error().message;
  EXPECT_EQ(view->num_self_loops(), loops);
  EXPECT_EQ(*state.num_edges(), truth.size());
  view->with_both([&](const auto& forth, const auto& back) {
    EXPECT_EQ(listed(forth), out);
    EXPECT_EQ(listed(back), in);
  });
  for (VertexId v = 0; v < state.num_vertices(); v += 7) {
    const auto list = state.entries(Direction::out, v);
    ASSERT_TRUE(list);
    const auto of_v = std::count_if(out.begin(), out.end(), [&](const auto& e) { return std::get<0>(e) == v; });
    EXPECT_EQ(list->size(), static_cast<std::size_t>(of_v));
  }
}

class Filtered : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Directions, Filtered, ::testing::Bool());

TEST_P(Filtered, HasTheEdgesThatAreKept) {
  const auto store = *Store::create(make_heap_medium(), with_column(GetParam()));
  Ids ids(kVertices);
  for (std::size_t v = 0; v < ids.size(); ++v) ids[v] = static_cast<std::int64_t>(v);
  ASSERT_TRUE(store->add_vertices(ids));
  std::mt19937_64 random(3);
  Pairs truth;
  SerialExecutor serial;
  std::shared_ptr<const StoreSnapshot> held;
  Pairs then;
  for (int round = 0; round < 6; ++round) {
    add(*store, random, 400, truth);
    if (round % 3 == 1) {
      ASSERT_TRUE(store->checkpoint());
    }
    if (round == 4) {
      ASSERT_TRUE(store->compact(serial, std::nullopt));
    }
    const auto now = *store->snapshot();
    const std::int64_t least = 250 * (round % 5);
    Pairs kept = truth;
    std::erase_if(kept, [&](const auto& each) { return each.second < least; });
    const auto part = with_rows(*now, rows_from(*now, least), serial);
    ASSERT_TRUE(part) << part.error().message;
    expect_edges(**part, kept, false);
    expect_edges(**reversed(**part), kept, GetParam());
    const auto fewer = with_rows(**part, rows_from(**part, least + 100), serial);
    std::erase_if(kept, [&](const auto& each) { return each.second < least + 100; });
    expect_edges(**fewer, kept, false);
    if (round == 2) std::tie(held, then) = std::pair(*fewer, kept);
  }
  expect_edges(*held, then, false);
  ASSERT_TRUE(store->close());
  expect_edges(*held, then, false);
}

TEST(FilteredGraph, NeedsABitForEachRow) {
  const auto store = *Store::create(make_heap_medium(), with_column(true));
  std::mt19937_64 random(1);
  Pairs truth;
  add(*store, random, 20, truth);
  SerialExecutor serial;
  const auto now = *store->snapshot();
  const auto refused = with_rows(*now, std::vector<std::uint8_t>(1), serial);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
  EXPECT_FALSE(now->values_between("since", 5, now->num_rows() + 1));
  EXPECT_FALSE(now->values_between("until", 0, 1));
}

/// Where the weights of a section lie.
const void* weights_of(const StoreSnapshot& state, SectionId section) {
  SerialExecutor serial;
  const auto view = state.view(serial, "since");
  EXPECT_TRUE(view);
  return view->with_out([&](const auto& out) { return out.section(section).weights; });
}

TEST(FilteredGraph, ValuesOfASectionServeUntilItChanges) {
  const auto store = *Store::create(make_heap_medium(), with_column(true));
  std::mt19937_64 random(8);
  Pairs truth;
  Ids ids(kVertices);
  for (std::size_t v = 0; v < ids.size(); ++v) ids[v] = static_cast<std::int64_t>(v);
  ASSERT_TRUE(store->add_vertices(ids));
  add(*store, random, 3000, truth);
  ASSERT_TRUE(store->checkpoint());
  const auto before = *store->snapshot();
  const void* const first = weights_of(*before, 0);
  const void* const second = weights_of(*before, 1);
  EdgeBatch edge{Ids{70}, Ids{80}, {}};  // of section 1
  edge.columns = since(Ids{5});
  truth[{70, 80}] = 5;
  ASSERT_TRUE(store->add_edges(edge));
  const auto after = *store->snapshot();
  EXPECT_EQ(weights_of(*after, 0), first);
  EXPECT_NE(weights_of(*after, 1), second);
  expect_edges(*after, truth, false);
}

/// Lists that are asked for one by one are searched, until a merge would have read as much, and the same after it.
TEST(SingleLists, AreThoseOfAllHoweverOftenTheyAreAskedFor) {
  const auto store = *Store::create(make_heap_medium(), with_column(true));
  std::mt19937_64 random(9);
  Pairs truth;
  add(*store, random, 4000, truth);
  ASSERT_TRUE(store->checkpoint());
  for (int i = 0; i < 5; ++i) add(*store, random, 3, truth);
  const auto state = *store->snapshot();
  std::vector<std::vector<NeighborList>> lists(state->num_vertices());
  for (int round = 0; round < 30; ++round) {
    for (VertexId v = 0; v < lists.size(); ++v) lists[v].push_back(*state->entries(Direction::out, v));
  }
  SerialExecutor serial;
  (*state->entry_view(serial)).with_out([&](const auto& out) {
    for (VertexId v = 0; v < lists.size(); ++v) {
      const auto targets = out.neighbors(v);
      const auto rows = out.template weights<double>(v);
      for (const NeighborList& list : lists[v]) {
        ASSERT_EQ(list.targets(), std::vector<VertexId>(targets.begin(), targets.end())) << v;
        ASSERT_EQ(list.weights(), std::vector<double>(rows.begin(), rows.end())) << v;
      }
    }
  });
}

/// Of a section of 64 vertices, 600 entries and two changes a search reads three, a merge all.
TEST(SingleLists, AreMergedOnceSearchingHasReadAsMuch) {
  StoreOptions options;
  options.schema.directed = true;
  options.schema.in_edges = false;
  options.schema.section_bits = 6;
  const auto store = *Store::create(make_heap_medium(), options);
  Ids sources, targets;
  for (std::int64_t i = 0; i < 600; ++i) {
    sources.push_back(i % 64);
    targets.push_back((i % 64 + i / 64 + 1) % 64);
  }
  ASSERT_TRUE(store->add_edges({sources, targets, {}}));
  ASSERT_TRUE(store->compact(*std::make_unique<SerialExecutor>(), std::nullopt));
  ASSERT_TRUE(store->add_edges({Ids{1, 2}, Ids{40, 41}, {}}));
  const auto state = *store->snapshot();
  const SectionVersion& section = *state->parts().out[0];
  ASSERT_EQ(section.parts().image->num_entries(), 600U);
  ASSERT_EQ(section.num_changes(), 2U);
  int searches = 0;
  while (!*section.list(3, false)) ++searches;
  EXPECT_EQ(searches, (600 + 2 + 64) / 3 + 1);
  EXPECT_EQ((*section.list(3, false))->size(), 10U);
}

/// A change that fails leaves what a vertex has as it was, for changes that come next in the same log.
TEST(FilteredGraph, AFailedChangeLeavesNoRowsBehind) {
  StoreOptions options;
  for (std::uint32_t id = 1; id <= 2; ++id) {
    options.schema.vertex_columns.push_back({id, ColumnType::int64, true, id == 1 ? "since" : "until"});
  }
  options.schema.next_column = 3;
  const auto store = *Store::create(make_heap_medium(), options);
  ASSERT_TRUE(store->add_vertices(Ids{0, 1, 2, 3}));
  const auto until = [](std::int64_t value) {
    ColumnTable table = since(Ids{value});
    table.columns[0].name = "until";
    return table;
  };
  ASSERT_TRUE(store->apply(Batch().set_vertices(Ids{1}, since(Ids{10}))));
  ASSERT_TRUE(store->apply(Batch().set_vertices(Ids{1}, until(11))));
  for (int round = 0; round < 3; ++round) {
    Batch batch;
    batch.set_vertices(Ids{1, 2}, since(Ids{20, 21})).set_vertices(Ids{1}, until(22));
    batch.set_vertices(Ids{4}, since(Ids{1}), Missing::error);
    const auto failed = store->apply(batch);
    ASSERT_FALSE(failed);
    EXPECT_NE(failed.error().message.find("no vertex 4"), std::string::npos) << failed.error().message;
    ASSERT_TRUE(store->apply(Batch().set_vertices(Ids{3}, until(30 + round))));
    ASSERT_TRUE(store->apply(Batch().set_vertices(Ids{1}, until(40 + round))));
    const auto values = (*store->snapshot())->vertex_values("since", std::vector<VertexId>{1, 2});
    std::int64_t found = 0;
    std::memcpy(&found, values->values.data(), sizeof found);
    EXPECT_EQ(found, 10) << "the value of a change that failed";
    EXPECT_FALSE(values->is_valid(1));
  }
}

/// What is filtered is read first: a damaged image is an error, and no other graph.
TEST(FilteredGraph, OfADamagedImageIsRefused) {
  const std::shared_ptr<Medium> medium = make_heap_medium();
  {
    const auto store = *Store::create(medium, with_column(true));
    std::mt19937_64 random(5);
    Pairs truth;
    add(*store, random, 3'000, truth);
    ASSERT_TRUE(store->checkpoint());
    ASSERT_TRUE(store->close());
  }
  FileContents files = read_files(*medium);
  for (const testing::SealedExtent& extent : testing::find_fields(files).extents) {
    if (extent.structure == "image") files.at(extent.file)[extent.at + extent.bytes / 2] ^= std::byte{1};
  }
  const auto store = *Store::open_read_only(medium_of(files));
  const auto state = *store->snapshot();
  SerialExecutor serial;
  const auto part = with_rows(*state, std::vector<std::uint8_t>((state->num_rows() + 7) / 8, 255), serial);
  ASSERT_FALSE(part);
  EXPECT_EQ(part.error().code, ErrorCode::corrupt);
}

/// Sections are read one by one only where no other process gives back their bytes, and none has numbers of rows.
TEST(OwnSections, OfRowsAreReadWithAllOthers) {
  for (const bool rows : {false, true}) {
    StoreOptions options = with_column(true);
    if (!rows) options.schema = GraphSchema{.directed = true};
    const auto store = *Store::create(make_heap_medium(), options);
    EXPECT_EQ(may_be_read_by_sections(**store->snapshot()), !rows);
  }
}

/// What was made of a section serves the states after it for as long as the section stays: of the last one, which has
/// fewer vertices, too.
TEST(SectionVersions, AreTheSameUntilTheirSectionChanges) {
  StoreOptions options;
  options.schema.directed = true;
  options.schema.section_bits = 4;
  const auto store = *Store::create(make_heap_medium(), options);
  Ids all(20);
  std::iota(all.begin(), all.end(), std::int64_t{0});
  ASSERT_TRUE(store->add_vertices(all));
  ASSERT_TRUE(store->add_edges({Ids{0, 17}, Ids{1, 18}, {}}));
  const auto before = *store->snapshot();
  ASSERT_EQ(before->parts().out.size(), 2u);
  ASSERT_TRUE(store->add_edges({Ids{2}, Ids{3}, {}}));
  const auto after = *store->snapshot();
  EXPECT_NE(before->parts().out[0], after->parts().out[0]);
  EXPECT_EQ(before->parts().out[1], after->parts().out[1]);
}

}  // namespace
}  // namespace rizoma
