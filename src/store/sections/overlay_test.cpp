// A view after a batch: lists that the batch did not touch lie where they lay, and all are what a model says.
#include "store/sections/overlay.h"

#include "base/random.h"
#include "platform/memory_medium.h"
#include "store/store.h"
#include "testing/ids_below.h"
#include "testing/store_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr std::int64_t kVertices = 600;
constexpr std::int64_t kWithHubs = 1500;  // vertices, for the lists of hubs to be great
constexpr std::int64_t kHubs = 3;

GraphSchema schema_of(std::uint64_t seed) {
  GraphSchema schema;
  schema.ids = IdKind::dense;
  schema.section_bits = 6;
  schema.directed = seed % 2 == 0;
  schema.in_edges = seed % 3 != 0;
  schema.weights = static_cast<WeightType>(seed / 2 % 4);
  schema.parallel_edges = seed / 3 % 2 == 0 ? ParallelEdges::merge : ParallelEdges::keep;
  if (seed % 5 == 4) add_model_columns(schema);
  return schema;
}

std::vector<StoreModel::Added> random_edges(std::size_t count, std::int64_t vertices, Random& random) {
  std::vector<StoreModel::Added> edges(count);
  const auto id = [&] { return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(vertices))); };
  for (auto& one : edges) one = {{id(), id()}, static_cast<double>(random.below(9))};
  return edges;
}

/// From each hub to every vertex, from every vertex to the next hub, and so on.
std::vector<StoreModel::Added> edges_of_hubs(Random& random) {
  std::vector<StoreModel::Added> edges;
  for (std::int64_t hub = 0; hub < kHubs; ++hub) {
    for (std::int64_t v = 0; v < kWithHubs; ++v) {
      if ((v + hub) % 11 == 0) continue;
      edges.push_back({hub % 2 == 0 ? std::pair(hub, v) : std::pair(v, hub), static_cast<double>(random.below(9))});
    }
  }
  return edges;
}

/// Some of the edges that exist.
std::vector<StoreModel::Added> present_edges(std::size_t count, std::int64_t vertices, const StoreModel& model,
                                             Random& random) {
  std::vector<StoreModel::Added> edges;
  const StoreModel::Lists lists = model.lists(Direction::out);
  while (edges.size() < count) {
    const auto u = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(vertices)));
    const auto list = lists.find(u);
    if (list == lists.end() || list->second.empty()) continue;
    const auto v = list->second[random.below(list->second.size())].first;
    edges.push_back({{u, v}, static_cast<double>(random.below(9))});
  }
  return edges;
}

/// A store, loaded and compacted, and what it should be.
struct Living {
  explicit Living(std::uint64_t seed, bool with_hubs = false)
      : random(seed), model(schema_of(seed)), medium(make_memory_medium()), hubs(with_hubs) {
    StoreOptions options;
    options.schema = schema_of(seed);
    auto created = Store::create(medium, options);
    EXPECT_TRUE(created) << created.error().message;
    store = *std::move(created);
    const std::int64_t vertices = hubs ? kWithHubs : kVertices;
    const auto edges = random_edges(6000, vertices, random);
    Batch batch;
    batch.add_vertices(ids_below(vertices)).add_edges(model.batch(edges));
    model.add_vertices(ids_below(vertices));
    model.add(edges);
    if (hubs) {
      const auto theirs = edges_of_hubs(random);
      batch.add_edges(model.batch(theirs));
      model.add(theirs);
    }
    EXPECT_TRUE(store->apply(batch));
    EXPECT_TRUE(store->compact(serial, std::nullopt));
  }

  void reopen() {
    ASSERT_TRUE(store->close());
    store = nullptr;
    auto opened = Store::open(medium);
    ASSERT_TRUE(opened) << opened.error().message;
    store = *std::move(opened);
  }

  /// A few changes of every kind, most of them at hubs if there are any.  Gives the vertices at whose ends they were.
  std::set<std::int64_t> change() {
    Batch batch;
    ChangeCounts counts;
    auto added = random_edges(6, hubs ? kWithHubs : kVertices, random);
    if (hubs) added[0].edge.first = added[1].edge.second = added[2].edge.first = added[2].edge.second = 1;
    if (hubs) added[3].edge = {2, 2};
    const auto removed = present_edges(3, hubs ? kHubs : kVertices, model, random);
    const auto weighted = present_edges(3, hubs ? kHubs : kVertices, model, random);
    batch.add_edges(model.batch(added)).remove_edges(model.batch(removed), Missing::ignore, Parallel::one);
    model.add(added);
    model.remove_edges(removed, Parallel::one, counts);
    if (model.schema().weights != WeightType::none) {
      EdgeBatch weights = model.batch(weighted);
      weights.columns = {};
      if (!model.has_columns()) batch.set_weights(std::move(weights));
      if (!model.has_columns()) model.set_weights(weighted, counts);
    }
    std::set<std::int64_t> touched;
    for (const auto* edges : {&std::as_const(added), &removed, &weighted}) {
      for (const auto& one : *edges) touched.insert({one.edge.first, one.edge.second});
    }
    EXPECT_TRUE(store->apply(batch));
    return touched;
  }

  [[nodiscard]] GraphView view() {
    const auto found = (*store->snapshot())->view(serial);
    EXPECT_TRUE(found) << found.error().message;
    return found ? *found : GraphView();
  }
  void expect_as_the_model() {
    const auto same = equals(**store->snapshot(), model);
    ASSERT_TRUE(same) << same.error().message;
    EXPECT_TRUE(*same);
  }

  Random random;
  StoreModel model;
  std::shared_ptr<Medium> medium;
  std::unique_ptr<Store> store;
  bool hubs;
  SerialExecutor serial;
};

/// A list with its weights as they are stored.
struct ListBytes {
  std::vector<std::uint32_t> targets;
  std::vector<std::byte> weights;
  friend bool operator==(const ListBytes&, const ListBytes&) = default;
};

/// All lists of a view, in the runs in which they lie.
std::vector<ListBytes> by_runs(const GraphView& view) {
  const std::size_t width = weight_bytes(view.weight_type());
  std::vector<ListBytes> all;
  const auto read = [&](const Adjacency<std::uint32_t>& lists) {
    for (VertexId v = 0; v < lists.num_vertices(); ++v) {
      ListBytes& list = all.emplace_back();
      lists.for_runs(v, 0, lists.degree(v), [&](const auto& run) {
        list.targets.insert(list.targets.end(), run.targets + run.begin, run.targets + run.end);
        const auto* const weights = static_cast<const std::byte*>(run.weights);
        if (width > 0 && run.begin < run.end) {
          list.weights.insert(list.weights.end(), weights + run.begin * width, weights + run.end * width);
        }
        return true;
      });
    }
  };
  read(std::get<Adjacency<std::uint32_t>>(view.parts().out));
  if (view.parts().in) read(std::get<Adjacency<std::uint32_t>>(*view.parts().in));
  return all;
}

/// Great lists that are in pieces.
VertexId patched_lists(const GraphView& view) {
  const auto& lists = std::get<Adjacency<std::uint32_t>>(view.parts().out);
  VertexId count = 0;
  for (VertexId v = 0; v < lists.num_vertices(); ++v) count += lists.in_one_piece(v) ? 0 : 1;
  return count;
}

/// Lists of `after` that do not lie where `before` has them.
std::set<VertexId> moved(const GraphView& before, const GraphView& after) {
  std::set<VertexId> vertices;
  const auto compare = [&](const auto& one, const auto& other) {
    for (VertexId v = 0; v < one.num_vertices(); ++v) {
      if (one.neighbors(v).data() != other.neighbors(v).data()) vertices.insert(v);
    }
  };
  const auto lists = [](const GraphView& view) -> const auto& {
    return std::get<Adjacency<std::uint32_t>>(view.parts().out);
  };
  compare(lists(before), lists(after));
  return vertices;
}

class OverlaidViews : public ::testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Schemas, OverlaidViews, ::testing::Range(std::uint64_t{0}, std::uint64_t{24}));

TEST_P(OverlaidViews, AreWhatAModelSaysRoundAfterRound) {
  Living living(GetParam());
  for (int round = 0; round < 6 && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    living.change();
    living.expect_as_the_model();
    if (round == 1) {
      ASSERT_TRUE(living.store->checkpoint());
    }
    if (round == 3) {
      ASSERT_NO_FATAL_FAILURE(living.reopen());
      living.expect_as_the_model();
    }
    if (round == 4) {
      const auto gone = static_cast<std::int64_t>(living.random.below(kVertices));
      Batch batch;
      ChangeCounts counts;
      batch.remove_vertices(living.model.column({gone}));
      living.model.remove_vertices({gone}, counts);
      ASSERT_TRUE(living.store->apply(batch));
    }
  }
}

TEST_P(OverlaidViews, LeaveListsWithoutChangesWhereTheyAre) {
  Living living(GetParam());
  // A column as weight is looked up entry by entry, in sections that are merged.
  const bool looked_up = living.model.has_columns() && living.model.schema().weights != WeightType::none;
  const GraphView before = living.view();
  const std::set<std::int64_t> touched = living.change();
  const GraphView after = living.view();
  after.with_out([&](const auto& out) {
    SectionId changed = 0;
    for (SectionId s = 0; s < out.num_sections(); ++s) changed += out.section(s).changed != nullptr ? 1 : 0;
    EXPECT_EQ(changed > 0, !looked_up);
  });
  if (looked_up) return;
  const std::set<VertexId> elsewhere = moved(before, after);
  EXPECT_FALSE(elsewhere.empty());
  for (const VertexId v : elsewhere) EXPECT_TRUE(touched.contains(static_cast<std::int64_t>(v))) << v;
  EXPECT_TRUE(moved(after, living.view()).empty()) << "the work is kept";
  const auto snapshot = *living.store->snapshot();
  for (const VertexId v : elsewhere) {
    const auto point = snapshot->neighbors(Direction::out, v);
    ASSERT_TRUE(point) << point.error().message;
    after.with_out([&](const auto& out) {
      const auto list = out.neighbors(v);
      ASSERT_EQ(point->size(), list.size());
      for (std::size_t i = 0; i < list.size(); ++i) EXPECT_EQ((*point)[i], list[i]);
    });
  }
}

TEST_P(OverlaidViews, LeaveGreatListsWhereTheyAre) {
  Living living(GetParam(), true);
  for (int round = 0; round < 5 && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    living.change();
    const GraphView view = living.view();
    // Numbers of rows are weights in one view and none in another: their lists are merged.
    EXPECT_EQ(patched_lists(view) > 0, !living.model.has_columns());
    const std::vector<ListBytes> runs = by_runs(view);
    EXPECT_EQ(patched_lists(view) > 0, !living.model.has_columns()) << "to read runs merges nothing";
    living.expect_as_the_model();  // which wants lists whole
    const GraphView after = living.view();
    EXPECT_EQ(patched_lists(after), 0U) << "what was merged is kept";
    EXPECT_TRUE(by_runs(after) == runs);
    if (round == 2) {
      ASSERT_TRUE(living.store->checkpoint());
    }
    if (round == 3) {
      ASSERT_NO_FATAL_FAILURE(living.reopen());
    }
  }
}

/// Whose lists do not be in the image.
std::set<VertexId> changed_lists(const GraphView& view) {
  const auto& lists = std::get<Adjacency<std::uint32_t>>(view.parts().out);
  std::set<VertexId> vertices;
  for (SectionId s = 0; s < lists.num_sections(); ++s) {
    const VertexRange range = lists.range_of(s);
    const DeltaLists* const changed = lists.section(s).changed;
    for (VertexId v = range.begin; changed != nullptr && v < range.end; ++v) {
      if (changed->has(v - range.begin)) vertices.insert(v);
    }
  }
  return vertices;
}

class CarriedOver : public ::testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Schemas, CarriedOver, ::testing::Range(std::uint64_t{0}, std::uint64_t{24}));

TEST_P(CarriedOver, ListsStayWhereAnEarlierStateMergedThem) {
  Living living(GetParam());
  if (living.model.has_columns()) return;  // views with a column as weight are merged
  GraphView before = living.view();
  int stayed = 0;  // changed before and not since
  for (int round = 0; round < 8 && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const std::set<std::int64_t> touched = living.change();
    const GraphView after = living.view();
    living.expect_as_the_model();
    const std::set<VertexId> elsewhere = moved(before, after);
    for (const VertexId v : changed_lists(before)) {
      if (!touched.contains(static_cast<std::int64_t>(v)) && !elsewhere.contains(v)) ++stayed;
    }
    before = after;
  }
  EXPECT_GT(stayed, 20) << "now and then those of a section move to a larger room, but not each time";
}

TEST_P(CarriedOver, StatesKeepTheirListsWhateverComesLater) {
  for (const bool with_hubs : {false, true}) {
    Living living(GetParam(), with_hubs);
    std::vector<std::pair<GraphView, std::vector<ListBytes>>> states;
    for (int round = 0; round < 10 && !HasFailure(); ++round) {
      living.change();
      const GraphView view = living.view();
      states.emplace_back(view, by_runs(view));
      if (round % 3 == 2) living.expect_as_the_model();  // which merges great lists
    }
    for (const auto& [view, lists] : states) EXPECT_TRUE(by_runs(view) == lists);
    living.expect_as_the_model();
  }
}

TEST_P(CarriedOver, OneStateIsMergedAfterALaterOne) {
  for (const bool with_hubs : {false, true}) {
    Living living(GetParam(), with_hubs);
    living.change();
    static_cast<void>(living.view());
    living.change();
    static_cast<void>(living.view());  // with a room that has place for more
    std::vector<std::pair<std::shared_ptr<const StoreSnapshot>, StoreModel>> states;
    for (int i = 0; i < 3; ++i) {
      living.change();
      states.emplace_back(*living.store->snapshot(), living.model);
    }
    for (const std::size_t i : {std::size_t{1}, std::size_t{2}, std::size_t{0}}) {
      const auto same = equals(*states[i].first, states[i].second);
      ASSERT_TRUE(same) << same.error().message;
      EXPECT_TRUE(*same) << i;
    }
  }
}

TEST_P(CarriedOver, ChangesLieOverASectionThatWasMerged) {
  Living living(GetParam());
  if (living.model.has_columns()) return;
  Batch batch;
  std::vector<StoreModel::Added> edges;
  for (std::int64_t v = 0; v < kVertices; ++v) edges.push_back({{v, (v * 7 + 3) % kVertices}, 1});
  batch.add_edges(living.model.batch(edges));
  living.model.add(edges);
  ASSERT_TRUE(living.store->apply(batch));
  EXPECT_TRUE(changed_lists(living.view()).empty());
  for (int round = 0; round < 4 && !HasFailure(); ++round) {
    const GraphView before = living.view();
    const std::set<std::int64_t> touched = living.change();
    const GraphView after = living.view();
    EXPECT_FALSE(changed_lists(after).empty());
    if (round == 0) {
      for (const VertexId v : moved(before, after)) EXPECT_TRUE(touched.contains(static_cast<std::int64_t>(v))) << v;
    }
    living.expect_as_the_model();
    if (round == 2) {
      ASSERT_TRUE(living.store->checkpoint());
    }
  }
}

TEST_P(CarriedOver, AGreatListIsCopiedOnceMuchOfItHasChanged) {
  Living living(GetParam(), true);
  if (living.model.has_columns()) return;
  bool patched = false;
  for (int round = 0; round < 60 && !HasFailure(); ++round) {
    Batch batch;
    std::vector<StoreModel::Added> edges;
    for (int i = 0; i < 2; ++i) {
      const auto v = static_cast<std::int64_t>(living.random.below(kWithHubs));
      edges.push_back({{round % 2, v}, 2});
      edges.push_back({{v, round % 2}, 3});
    }
    batch.add_edges(living.model.batch(edges));
    living.model.add(edges);
    ASSERT_TRUE(living.store->apply(batch));
    const GraphView view = living.view();
    patched = patched || patched_lists(view) > 0;
    if (round % 10 == 9) living.expect_as_the_model();
  }
  EXPECT_TRUE(patched);
  EXPECT_EQ(patched_lists(living.view()), 0U);
}

TEST(Overlays, OfAGreatListToWhichNothingNewCameHaveNoChange) {
  Living living(0, true);
  const GraphView before = living.view();
  Batch batch;
  const auto present = present_edges(5, kHubs, living.model, living.random);
  batch.add_edges(living.model.batch(present));
  living.model.add(present);
  ASSERT_TRUE(living.store->apply(batch));
  const GraphView view = living.view();
  EXPECT_EQ(patched_lists(view), 0U);
  EXPECT_EQ(view.num_entries(), before.num_entries());
  EXPECT_TRUE(by_runs(view) == by_runs(before));
  living.expect_as_the_model();
}

TEST(Overlays, GiveWayToAMergeWhereMostListsHaveChanged) {
  Living living(0);
  Batch batch;
  std::vector<StoreModel::Added> edges;
  for (std::int64_t v = 0; v < kVertices; ++v) edges.push_back({{v, (v * 7 + 3) % kVertices}, 1});
  batch.add_edges(living.model.batch(edges));
  living.model.add(edges);
  ASSERT_TRUE(living.store->apply(batch));
  living.view().with_out([](const auto& out) {
    for (SectionId s = 0; s < out.num_sections(); ++s) EXPECT_EQ(out.section(s).changed, nullptr);
  });
  living.expect_as_the_model();
}

}  // namespace
}  // namespace rizoma
