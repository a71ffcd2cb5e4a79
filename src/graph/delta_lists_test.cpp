// Changed lists are read instead of those that a section had, by everything that reads lists.
#include <rizoma/graph_view.h>

#include "graph/flat_section.h"
#include "testing/delta_graph.h"
#include "testing/graph_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

namespace rizoma {
namespace {

using testing::BuildOptions;

TEST(DeltaLists, AreReadByPlace) {
  // Vertices 0..69: each has itself and its successor; 3 has none now, 64 has three, 69 has one.
  std::vector<std::uint32_t> offsets{0}, targets;
  for (std::uint32_t v = 0; v < 70; ++v) {
    targets.insert(targets.end(), {v, v + 1});
    offsets.push_back(2 * (v + 1));
  }
  const std::vector<std::uint64_t> places{1u << 3, 1u << 0 | 1u << 5};
  const std::vector<std::uint32_t> before{0, 1};
  const std::vector<ListBounds> bounds{{0, 0}, {0, 3}, {3, 4}};
  const std::vector<std::uint32_t> changed_targets{7, 8, 9, 10};
  const DeltaLists changed{places.data(), before.data(), bounds.data(), changed_targets.data(), nullptr, -2};
  const Adjacency<std::uint32_t> lists(7, 70, {{offsets.data(), targets.data(), nullptr, &changed}});
  const auto of = [&](VertexId v) {
    const auto list = lists.neighbors(v);
    EXPECT_EQ(lists.degree(v), list.size());
    return std::vector<std::uint32_t>(list.begin(), list.end());
  };
  EXPECT_EQ(of(2), (std::vector<std::uint32_t>{2, 3}));
  EXPECT_EQ(of(3), std::vector<std::uint32_t>{});
  EXPECT_EQ(of(63), (std::vector<std::uint32_t>{63, 64}));
  EXPECT_EQ(of(64), (std::vector<std::uint32_t>{7, 8, 9}));
  EXPECT_EQ(of(65), (std::vector<std::uint32_t>{65, 66}));
  EXPECT_EQ(of(69), std::vector<std::uint32_t>{10});
  EXPECT_EQ(lists.section_size(0), 2u * 70 - 2);
}

TEST(DeltaLists, MakeTheSameGraph) {
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    const BuildOptions options{.directed = seed % 2 == 0,
                               .weights = static_cast<WeightType>(seed % 4),
                               .section_bits = static_cast<unsigned>(seed % 9),
                               .wide = seed % 3 == 0,
                               .merge = false};
    const GraphView graph = testing::build_graph(300, testing::rmat_edges(8, 2000, seed), options);
    const GraphView changed = testing::with_changed_lists(graph, seed);
    EXPECT_EQ(testing::entries_of(changed), testing::entries_of(graph));
    for (const Direction direction : {Direction::out, Direction::in}) {
      const Degrees wanted(graph, direction);
      const Degrees found(changed, direction);
      for (VertexId v = 0; v < graph.num_vertices(); ++v) ASSERT_EQ(found[v], wanted[v]) << v;
    }
  }
}

/// Entries [from, to) of a list, by its runs.
template <class Target>
std::vector<Target> in_runs(const Adjacency<Target>& lists, VertexId v, EdgeCount from, EdgeCount to) {
  std::vector<Target> found;
  lists.for_runs(v, from, to, [&](const auto& run) {
    found.insert(found.end(), run.targets + run.begin, run.targets + run.end);
    return true;
  });
  return found;
}

TEST(DeltaLists, ThatArePatchedAreReadInRunsAndMergedForWhoWantsThemWhole) {
  std::size_t patched = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const GraphView graph = testing::build_graph(200, testing::rmat_edges(8, 4000, seed),
                                                 {.section_bits = static_cast<unsigned>(seed % 9), .merge = false});
    const GraphView changed = testing::with_changed_lists(graph, seed);
    const auto& lists = std::get<Adjacency<std::uint32_t>>(changed.parts().out);
    const auto& whole = std::get<Adjacency<std::uint32_t>>(graph.parts().out);
    for (VertexId v = 0; v < graph.num_vertices(); ++v) {
      const auto wanted = whole.neighbors(v);
      const bool waits = !lists.in_one_piece(v);
      patched += waits ? 1 : 0;
      for (EdgeCount from = 0; from < wanted.size(); from += 1 + wanted.size() / 7) {
        ASSERT_EQ(lists.neighbor(v, from), wanted[from]);
        for (EdgeCount to = from; to <= wanted.size(); to += 1 + wanted.size() / 5) {
          const std::vector<std::uint32_t> part(wanted.begin() + std::ptrdiff_t(from),
                                                wanted.begin() + std::ptrdiff_t(to));
          ASSERT_EQ(in_runs(lists, v, from, to), part) << v << " from " << from << " to " << to;
        }
      }
      EXPECT_EQ(lists.in_one_piece(v), !waits) << "to read runs merges nothing";
      const auto list = lists.neighbors(v);
      ASSERT_TRUE(std::equal(list.begin(), list.end(), wanted.begin(), wanted.end())) << v;
      EXPECT_TRUE(lists.in_one_piece(v));
      EXPECT_EQ(in_runs(lists, v, 0, wanted.size()).size(), wanted.size());
    }
  }
  EXPECT_GT(patched, 100U);
}

TEST(DeltaLists, OfWhichManyThreadsWantOneAreMergedOnce) {
  const GraphView graph = testing::build_graph(4,
                                               [] {
                                                 std::vector<testing::TestEdge> edges;
                                                 for (std::uint32_t i = 0; i < 20'000; ++i)
                                                   edges.push_back({0, i % 4, 1});
                                                 return edges;
                                               }(),
                                               {.directed = true, .merge = false});
  int patched = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const GraphView changed = testing::with_changed_lists(graph, seed);
    const auto& lists = std::get<Adjacency<std::uint32_t>>(changed.parts().out);
    if (lists.in_one_piece(0)) continue;
    ++patched;
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        const auto list = lists.neighbors(0);
        const auto& whole = std::get<Adjacency<std::uint32_t>>(graph.parts().out);
        const auto wanted = whole.neighbors(0);
        if (!std::equal(list.begin(), list.end(), wanted.begin(), wanted.end())) ++wrong;
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
  }
  EXPECT_GT(patched, 0);
}

TEST(DeltaLists, AreMergedByOneThreadAndInAForkedChildOnceMore) {
  const std::vector<std::uint32_t> begins{0, 1};
  std::vector<std::atomic<std::uint32_t>> states(1);
  const PatchedLists patched{.begins = begins.data(), .states = states.data(), .process = [] { return 8U; }};
  std::atomic<int> merges{0};
  const auto merge = [&] {
    std::this_thread::yield();
    ++merges;
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] { patched.merge_once(0, merge); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(merges, 1);
  EXPECT_FALSE(patched.waits(0));
  states[0] = PatchedLists::kBusy + 7;  // a thread of the parent was about it, which is not in the child
  EXPECT_TRUE(patched.waits(0));
  patched.merge_once(0, merge);
  EXPECT_EQ(merges, 2);
  EXPECT_FALSE(patched.waits(0));
  patched.merge_once(0, merge);
  EXPECT_EQ(merges, 2);
}

TEST(DeltaLists, ComeToTheirPlacesInAFlatCopy) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const GraphView graph = testing::build_graph(300, testing::rmat_edges(8, 2000, seed),
                                                 {.weights = WeightType::float64, .section_bits = 6});
    const GraphView changed = testing::with_changed_lists(graph, seed);
    const auto& whole = std::get<Adjacency<std::uint32_t>>(graph.parts().out);
    const auto& lists = std::get<Adjacency<std::uint32_t>>(changed.parts().out);
    for (SectionId s = 0; s < lists.num_sections(); ++s) {
      const std::size_t size = whole.section_size(s);
      ASSERT_EQ(lists.section_size(s), size);
      std::vector<std::int64_t> offsets(lists.range_of(s).size());
      std::vector<std::int64_t> targets(size);
      std::vector<double> weights(size);
      flatten_section(lists, s, sizeof(double),
                      FlatSection<std::int64_t, std::int64_t>{offsets.data(), 1000, targets.data(),
                                                              reinterpret_cast<std::byte*>(weights.data())});
      const auto& section = whole.section(s);
      for (std::size_t i = 0; i < offsets.size(); ++i) EXPECT_EQ(offsets[i], 1000 + std::int64_t{section.offsets[i]});
      for (std::size_t e = 0; e < size; ++e) EXPECT_EQ(targets[e], std::int64_t{section.targets[e]});
      EXPECT_EQ(std::memcmp(weights.data(), section.weights, size * sizeof(double)), 0);
    }
  }
}

}  // namespace
}  // namespace rizoma
