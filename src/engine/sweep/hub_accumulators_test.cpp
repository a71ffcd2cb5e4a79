#include <rizoma/sweep.h>

#include "base/random.h"
#include "testing/delta_graph.h"
#include "testing/graph_builder.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;
using testing::TestEdge;

/// The share of each value that its neighbours show, which may be below 0; sums are at most 1 in size.
template <class Number>
struct Sums {
  using Message = Number;
  using Accum = double;
  static constexpr bool update_all = true;
  struct Tally {
    VertexId applied = 0;
    void add(const Tally& other) { applied += other.applied; }
  };
  std::vector<double>& values;
  double share;

  [[nodiscard]] Number scatter(VertexId v) const { return static_cast<Number>(values[v] * share); }
  [[nodiscard]] double gather(double sum, const auto& entries) const { return sum + sum_messages(entries); }
  [[nodiscard]] double combine(double a, double b) const { return a + b; }
  void apply(VertexRange run, const Number*, Number* outgoing, const double* accum, Tally& tally) {
    for (VertexId v = run.begin; v < run.end; ++v) {
      values[v] = accum[v - run.begin];
      outgoing[v] = scatter(v);
    }
    tally.applied += run.size();
  }
};

std::vector<double> random_values(VertexId n) {
  Random random(5);
  std::vector<double> values(n);
  for (double& value : values) value = static_cast<double>(random.below(2000)) / 1000 - 1;
  return values;
}

double share_of(const GraphView& graph) {
  EdgeCount most = 1;
  const Degrees degrees(graph);
  for (VertexId v = 0; v < graph.num_vertices(); ++v) most = std::max(most, degrees[v]);
  return 1 / static_cast<double>(most);
}

/// What three sweeps make of the values.
template <class Number = float>
std::vector<double> swept(const GraphView& graph, unsigned threads, VertexId hubs, double most = 1) {
  Engine engine(EngineOptions{.threads = threads});
  std::vector<double> values = random_values(graph.num_vertices());
  Sums<Number> program{values, share_of(graph)};
  Sweep<Sums<Number>> sweep(engine, graph, program,
                            {.direction = SweepDirection::pull, .sum_bound = most, .hubs = hubs});
  EXPECT_TRUE(sweep.start_all());
  for (int step = 0; step < 3; ++step) {
    EXPECT_TRUE(sweep.step());
    EXPECT_EQ(sweep.tally().applied, graph.num_live());
  }
  return values;
}

/// The same, entry by entry.
std::vector<double> right(const GraphView& graph) {
  const double share = share_of(graph);
  std::vector<double> values = random_values(graph.num_vertices());
  for (int step = 0; step < 3; ++step) {
    std::vector<double> next(values.size());
    for (const TestEdge& e : entries_of(graph)) next[e.target] += values[e.source] * share;
    for (VertexId v = 0; v < values.size(); ++v) {
      if (graph.is_live(v)) values[v] = next[v];
    }
  }
  return values;
}

/// Equal but for near, a share of the sums.  `in_pieces`: lists are cut differently for other numbers of threads, and
/// so rounded differently.
template <class Number>
void expect_right_of(const GraphView& graph, const std::vector<VertexId>& counts, double near, bool in_pieces) {
  const std::vector<double> expected = right(graph);
  for (const VertexId hubs : counts) {
    const std::vector<double> one = swept<Number>(graph, 1, hubs);
    for (const unsigned threads : {1, 2, 3}) {
      const std::vector<double> found = swept<Number>(graph, threads, hubs);
      for (VertexId v = 0; v < found.size(); ++v) ASSERT_NEAR(found[v], expected[v], near) << v << " hubs " << hubs;
      if (in_pieces) continue;
      ASSERT_EQ(found, one) << hubs;
    }
  }
}

void expect_right_with(const GraphView& graph, const std::vector<VertexId>& counts, bool in_pieces = false) {
  expect_right_of<float>(graph, counts, 1e-6, in_pieces);
  expect_right_of<double>(graph, counts, 1e-12, in_pieces);
}

TEST(HubAccumulatorsTest, AreTheSumsOfWhatNeighboursShow) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const testing::BuildOptions options{.section_bits = static_cast<unsigned>(3 + seed),
                                        .wide = seed % 2 == 1,
                                        .merge = seed % 4 < 2,
                                        .removed = {17, 64, 900}};
    const GraphView graph = build_graph(1500, testing::rmat_edges(10, 12000, seed), options);
    expect_right_with(graph, {0, 1, 64, 300, 1500, 5000});
    expect_right_with(testing::with_changed_lists(graph, seed), {64, 300});
  }
}

/// Lists that several threads share, of a hub and of another vertex.
TEST(HubAccumulatorsTest, GreatListsAreAddedUpInPieces) {
  constexpr VertexId kVertices = 200000;
  std::vector<TestEdge> edges;
  for (VertexId v = 1; v + 1 < kVertices; ++v) {
    edges.push_back({0, v});
    edges.push_back({kVertices - 1, v});
  }
  expect_right_with(build_graph(kVertices, edges), {64, 100000}, true);
}

TEST(HubAccumulatorsTest, AreNotUsedWhereSumsMayBeTooGreat) {
  const GraphView graph = build_graph(1500, testing::rmat_edges(10, 12000, 3));
  const std::vector<double> plain = swept(graph, 2, 0);
  EXPECT_EQ(swept(graph, 2, 64, std::numeric_limits<double>::infinity()), plain);
  EXPECT_EQ(swept(graph, 2, 64, std::nan("")), plain);
  EXPECT_NE(swept(graph, 2, 64), plain);  // roundings differ, so the others were not added up by hubs
}

/// A graph of which only the lengths of lists are there: those of the first 2^18 vertices, and those of all others.
GraphView lengths_alone(VertexId n, std::uint32_t of_hubs, std::uint32_t of_others, GraphView::Parts parts,
                        std::vector<std::uint32_t>& offsets) {
  constexpr unsigned kBits = 12;
  constexpr VertexId kPlaces = VertexId{1} << kBits;
  offsets.resize(2 * (kPlaces + 1));
  for (std::uint32_t place = 0; place <= kPlaces; ++place) {
    offsets[place] = place * of_hubs;
    offsets[kPlaces + 1 + place] = place * of_others;
  }
  std::vector<SectionEdges<std::uint32_t>> sections;
  for (VertexId first = 0; first < n; first += kPlaces) {
    const bool hubs = first < VertexId{1} << 18;
    sections.push_back({offsets.data() + (hubs ? 0 : kPlaces + 1), nullptr, nullptr, nullptr});
    parts.num_entries += kPlaces * (hubs ? of_hubs : of_others);
  }
  parts.out = Adjacency<std::uint32_t>(kBits, n, std::move(sections));
  return GraphView(std::move(parts));
}

TEST(HubAccumulatorsTest, PayWhereMostEntriesLeadToThem) {
  Engine engine(EngineOptions{.threads = 2});
  std::vector<std::uint32_t> offsets;
  const auto hubs = [&](VertexId n, std::uint32_t of_hubs, std::uint32_t of_others,
                        const GraphView::Parts& parts = {.ordered_by_degree = true}) {
    return engine_detail::hubs_that_pay(engine, lengths_alone(n, of_hubs, of_others, parts, offsets));
  };
  constexpr VertexId kMany = VertexId{1} << 22;
  EXPECT_EQ(hubs(kMany, 300, 10), VertexId{1} << 18);
  EXPECT_EQ(hubs(kMany, 300, 10, {.directed = true, .ordered_by_degree = true}), 0U);
  EXPECT_EQ(hubs(kMany, 300, 10, {}), 0U);
  EXPECT_EQ(hubs(kMany, 10, 10), 0U);
  EXPECT_EQ(hubs(kMany, 300, 1), 0U);
  EXPECT_EQ(hubs(kMany / 4, 300, 100), 0U);
  Engine many(EngineOptions{.threads = 16});
  const GraphView graph = lengths_alone(kMany, 300, 10, {.ordered_by_degree = true}, offsets);
  EXPECT_EQ(engine_detail::hubs_that_pay(many, graph), 0U);
}

}  // namespace
}  // namespace rizoma
