// Kernels that die and go on from what they kept, with other ranks than before: the answer is that of a run that was
// never broken off.
#include <rizoma/algorithms/betweenness_centrality.h>
#include <rizoma/algorithms/bfs.h>
#include <rizoma/algorithms/connected_components.h>
#include <rizoma/algorithms/core_numbers.h>
#include <rizoma/algorithms/edge_triangles.h>
#include <rizoma/algorithms/influence.h>
#include <rizoma/algorithms/katz_centrality.h>
#include <rizoma/algorithms/label_propagation.h>
#include <rizoma/algorithms/leiden.h>
#include <rizoma/algorithms/louvain.h>
#include <rizoma/algorithms/sssp.h>
#include <rizoma/algorithms/strong_components.h>

#include "base/random.h"
#include "platform/memory_medium.h"
#include "testing/checkpoint_jobs.h"
#include "testing/delta_graph.h"
#include "testing/graph_builder.h"
#include "testing/crafting.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace rizoma {
namespace {

using testing::Job;

/// What any kernel answers: numbers of each vertex, and how far it had come before.
struct Answer {
  std::vector<double> values;
  double resumed_after = 0;
};

/// Runs a kernel as a job tells.
using Runs = std::function<Result<Answer>(const Job&)>;

template <class T>
std::vector<double> numbers(std::span<const T> values) {
  return {values.begin(), values.end()};
}

template <class Kernel, class Values>
Result<Answer> answer_of(const Job& job, Kernel kernel, Values values) {
  auto result = testing::run_job(job, kernel);
  if (!result) return result.error();
  return Answer{values(*result), static_cast<double>(result->resumed_after)};
}

Result<Answer> levels(const Job& job) {
  return answer_of(
      job, [&](Engine& engine) { return bfs(engine, job.graph, 0); },
      [](BfsResult& result) {
        std::vector<double> levels = numbers<std::int32_t>(result.levels.all().span());
        levels.push_back(static_cast<double>(result.reached));
        levels.push_back(result.depth);
        return levels;
      });
}

Result<Answer> distances_by(const Job& job, double delta) {
  return answer_of(
      job, [&](Engine& engine) { return sssp(engine, job.graph, 0, {.delta = delta}); },
      [](SsspResult& result) {
        std::vector<double> distances = numbers<double>(result.distances.all().span());
        distances.push_back(static_cast<double>(result.reached));
        return distances;
      });
}

Result<Answer> components(const Job& job) {
  return answer_of(
      job, [&](Engine& engine) { return connected_components(engine, job.graph); },
      [](ConnectedComponentsResult& result) {
        std::vector<double> labels = numbers<std::uint64_t>(result.labels.span());
        labels.push_back(static_cast<double>(result.count));
        labels.push_back(static_cast<double>(result.largest));
        return labels;
      });
}

Result<Answer> cores(const Job& job) {
  return answer_of(
      job, [&](Engine& engine) { return core_numbers(engine, job.graph); },
      [](CoreNumbersResult& result) {
        std::vector<double> cores = numbers<std::uint64_t>(result.cores.span());
        cores.push_back(static_cast<double>(result.greatest));
        return cores;
      });
}

Result<Answer> betweenness_of(const Job& job, std::span<const VertexId> sources) {
  return answer_of(
      job, [&](Engine& engine) { return betweenness_centrality(engine, job.graph, {.sources = sources}); },
      [](BetweennessResult& result) { return numbers<double>(result.scores.span()); });
}

/// Labels of all levels; the job resumes with another seed.
Result<Answer> communities(const Job& job, std::uint64_t seed, decltype(louvain)* kernel = louvain) {
  return answer_of(
      job, [&](Engine& engine) { return kernel(engine, job.graph, {.seed = seed}); },
      [](Communities& result) {
        std::vector<double> labels = numbers<std::uint64_t>(result.labels.span());
        for (const auto& level : result.levels) {
          const std::vector<double> of_level = numbers<std::uint64_t>(level.span());
          labels.insert(labels.end(), of_level.begin(), of_level.end());
        }
        labels.push_back(result.modularity);
        return labels;
      });
}

/// An answer that does not say how far it had come: it resumed if the job did.
template <class Kernel, class Values>
Result<Answer> answer_of_one(const Job& job, Kernel kernel, Values values) {
  RIZOMA_ASSIGN(const bool there, job.medium->exists(testing::kJobName));
  RIZOMA_ASSIGN(const auto result, testing::run_job(job, kernel));
  return Answer{values(result), there ? 1.0 : 0.0};
}

Result<Answer> strong(const Job& job) {
  return answer_of(
      job, [&](Engine& engine) { return strong_components(engine, job.graph); },
      [](StrongComponentsResult& result) {
        std::vector<double> labels = numbers<std::uint64_t>(result.labels.span());
        labels.push_back(static_cast<double>(result.count));
        return labels;
      });
}

Result<Answer> katz(const Job& job) {
  return answer_of(
      job, [&](Engine& engine) { return katz_centrality(engine, job.graph, {.alpha = 0.01}); },
      [](KatzResult& result) {
        std::vector<double> scores = numbers<double>(result.scores.span());
        scores.push_back(result.iterations);
        return scores;
      });
}

Result<Answer> truss(const Job& job) {
  return answer_of_one(
      job, [&](Engine& engine) { return k_truss(engine, job.graph, 4); },
      [](const std::vector<std::uint8_t>& kept) { return numbers<std::uint8_t>(kept); });
}

/// The job resumes with another seed.
Result<Answer> spread(const Job& job, std::uint64_t seed) {
  const std::vector<VertexId> seeds = {3, 17};
  return answer_of_one(
      job, [&](Engine& engine) { return influence(engine, job.graph, seeds, {}, 4000, seed); },
      [](const InfluenceEstimate& found) { return std::vector<double>{found.mean, found.low, found.high}; });
}

void expect_same(const Answer& result, const Answer& expected, const std::string& what) {
  ASSERT_EQ(result.values.size(), expected.values.size()) << what;
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    if (expected.values[i] == result.values[i]) continue;
    ASSERT_NEAR(result.values[i], expected.values[i], 1e-12) << what << ", value " << i;
  }
}

/// The job dies after each of its first states, and goes on with other ranks.
/// `goes_on`: that what was kept is of use.  `most`: ranks.
void expect_goes_on(const GraphView& graph, const Runs& run, const Runs& again, int states, bool goes_on = true,
                    unsigned most = 4) {
  const auto expected = run({make_memory_medium(), graph});
  ASSERT_TRUE(expected) << expected.error().message;
  EXPECT_EQ(expected->resumed_after, 0);
  for (unsigned before = 1; before <= most; before += 2) {
    for (unsigned after = 1; after <= most; after += 3) {
      for (int dies_after = 1; dies_after <= states; ++dies_after) {
        const std::string what =
            std::to_string(before) + " ranks, then " + std::to_string(after) + ", state " + std::to_string(dies_after);
        const std::shared_ptr<Medium> medium = make_memory_medium();
        const auto died = run({medium, graph, before, dies_after});
        ASSERT_FALSE(died) << what;
        ASSERT_NE(died.error().message.find("killed"), std::string::npos) << what << died.error().message;
        const auto result = again({medium, graph, after});
        ASSERT_TRUE(result) << what << result.error().message;
        EXPECT_EQ(result->resumed_after > 0, goes_on) << what;
        expect_same(*result, *expected, what);
        EXPECT_FALSE(*medium->exists(testing::kJobName)) << what;
      }
    }
  }
}

/// A rank is killed at random moments, again and again, until the job lives long enough.
void expect_survives(const GraphView& graph, const Runs& run, std::uint64_t longest) {
  const auto expected = run({make_memory_medium(), graph});
  ASSERT_TRUE(expected) << expected.error().message;
  Random random(longest);
  unsigned killed = 0;
  for (int job = 0; job < 6; ++job) {
    const std::shared_ptr<Medium> medium = make_memory_medium();
    for (int lives = 0;; ++lives) {
      const auto ranks = static_cast<unsigned>(2 + random.below(3));
      const std::uint64_t moment = lives < 4 ? 1 + random.below(longest) : 0;
      const auto result = run({.medium = medium, .graph = graph, .ranks = ranks, .killed_after = moment});
      if (result) {
        expect_same(*result, *expected, std::to_string(ranks) + " ranks");
        break;
      }
      ASSERT_NE(moment, 0U) << result.error().message;
      ++killed;
    }
  }
  EXPECT_GT(killed, 0U);
}

GraphView some_graph(bool directed = false, WeightType weights = WeightType::none) {
  return testing::build_graph(1 << 10, testing::rmat_edges(10, 3'000, 5),
                              {.directed = directed, .weights = weights, .section_bits = 6});
}
GraphView a_grid(WeightType weights = WeightType::none) {
  std::vector<testing::TestEdge> edges = testing::grid_edges(24, 24);
  for (std::size_t i = 0; i < edges.size(); ++i) edges[i].weight = static_cast<double>(mix64(i) % 200 + 1);
  return testing::build_graph(24 * 24, edges, {.weights = weights, .section_bits = 6});
}

TEST(KernelCheckpoints, BreadthFirstSearchGoesOn) {
  expect_goes_on(a_grid(), levels, levels, 3);
  expect_goes_on(some_graph(true), levels, levels, 2);
  expect_survives(a_grid(), levels, 150);
}

TEST(KernelCheckpoints, ShortestPathsGoOn) {
  for (const WeightType weights : {WeightType::int32, WeightType::float64, WeightType::none}) {
    for (const double delta : {0.0, 7.3}) {
      const Runs run = [&](const Job& job) { return distances_by(job, delta); };
      expect_goes_on(a_grid(weights), run, run, weights == WeightType::none && delta > 0 ? 1 : 3);
    }
  }
  const Runs run = [](const Job& job) { return distances_by(job, 40); };
  expect_survives(a_grid(WeightType::float32), run, 120);
}

TEST(KernelCheckpoints, ShortestPathsTooLongForIntegersGoOn) {
  std::vector<testing::TestEdge> edges = testing::path_edges(60);
  for (auto& edge : edges) edge.weight = 1 << 29;
  const GraphView graph = testing::build_graph(60, edges, {.weights = WeightType::int32, .section_bits = 6});
  const Runs run = [](const Job& job) { return distances_by(job, 0); };
  expect_goes_on(graph, run, run, 1, false);  // a state of the search by integers, which is given up
  const std::shared_ptr<Medium> medium = make_memory_medium();
  ASSERT_FALSE(run({medium, graph, 2, 10}));
  const auto result = run({medium, graph, 3});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_GT(result->resumed_after, 0);
  expect_same(*result, *run({make_memory_medium(), graph}), "by real numbers");
}

TEST(KernelCheckpoints, ComponentsGoOn) {
  expect_goes_on(some_graph(), components, components, 2);
  expect_goes_on(a_grid(), components, components, 2);
  expect_survives(some_graph(), components, 12);
}

TEST(KernelCheckpoints, CoreNumbersGoOn) {
  expect_goes_on(some_graph(), cores, cores, 3);
  expect_goes_on(some_graph(true), cores, cores, 3);
  expect_survives(some_graph(), cores, 150);
}

TEST(KernelCheckpoints, BetweennessGoesOn) {
  const Runs exact = [](const Job& job) { return betweenness_of(job, {}); };
  const GraphView graph = some_graph();
  expect_goes_on(graph, exact, exact, 2);
  expect_survives(graph, exact, 12);
}

TEST(KernelCheckpoints, BetweennessOfASampleGoesOnWithItsOwnSources) {
  const std::vector<VertexId> few = {3, 900, 17};
  const std::vector<VertexId> others = {4, 5, 6};
  std::vector<VertexId> many(100);
  std::vector<VertexId> as_many(100);
  for (VertexId i = 0; i < many.size(); ++i) many[i] = (i * 37 + 11) % 1024, as_many[i] = i;
  const GraphView graph = testing::build_graph(1 << 10, testing::rmat_edges(10, 3'000, 5), {.section_bits = 6});
  const auto of = [](const std::vector<VertexId>& sources) {
    return [&sources](const Job& job) { return betweenness_of(job, sources); };
  };
  expect_goes_on(graph, of(few), of(others), 2);
  expect_goes_on(graph, of(many), of(as_many), 1);
}

TEST(KernelCheckpoints, LouvainGoesOnWithItsOwnSeed) {
  const Runs run = [](const Job& job) { return communities(job, 0x7123'4567'89ab'cdef); };
  const Runs again = [](const Job& job) { return communities(job, 1); };
  expect_goes_on(a_grid(), run, again, 2);
  expect_goes_on(a_grid(WeightType::float64), run, again, 2);
  expect_goes_on(some_graph(true), run, again, 1);
  expect_survives(a_grid(), run, 300);
}

void expect_goes_on_alone(const GraphView& graph, const Runs& run, const Runs& again, int states) {
  expect_goes_on(graph, run, again, states, true, 1);
}

TEST(KernelCheckpoints, LeidenGoesOnWithItsOwnSeed) {
  const Runs run = [](const Job& job) { return communities(job, 0x7123'4567'89ab'cdef, leiden); };
  const Runs again = [](const Job& job) { return communities(job, 1, leiden); };
  expect_goes_on_alone(a_grid(), run, again, 3);
  expect_goes_on_alone(a_grid(WeightType::float64), run, again, 3);
  expect_goes_on_alone(some_graph(true), run, again, 2);
  expect_goes_on_alone(some_graph(), run, again, 2);
}

/// Most vertices have no edges, and so stay alone on all levels.
TEST(KernelCheckpoints, LeidenGoesOnFromTheLastLevelThatHadRoom) {
  constexpr VertexId kVertices = 8000;
  const GraphView graph = testing::build_graph(kVertices, testing::path_edges(1000), {.section_bits = 6});
  const Runs run = [](const Job& job) { return communities(job, 5, leiden); };
  expect_goes_on_alone(graph, run, run, 3);
  const auto whole = run({make_memory_medium(), graph});
  ASSERT_TRUE(whole);
  ASSERT_GT(whole->values.size(), 6 * kVertices) << "levels";
  const auto fifth = run({make_memory_medium(), graph, 1, 5});  // there is no fifth state to die after
  ASSERT_TRUE(fifth) << fifth.error().message;
  expect_same(*fifth, *whole, "not killed");
}

TEST(KernelCheckpoints, StrongComponentsGoOn) {
  const auto edges = testing::rmat_edges(14, 60'000, 5);
  for (const bool in_edges : {false, true}) {
    const GraphView graph = testing::build_graph(1 << 14, edges, {.directed = true, .in_edges = in_edges});
    expect_goes_on_alone(graph, strong, strong, 3);
  }
  GraphView changed = testing::build_graph(1 << 14, edges, {.directed = true, .in_edges = true, .removed = {3, 9000}});
  expect_goes_on_alone(testing::with_changed_lists(changed, 7), strong, strong, 3);
  expect_goes_on_alone(some_graph(), strong, strong, 2);  // the connected components
}

TEST(KernelCheckpoints, KatzCentralityGoesOn) {
  expect_goes_on_alone(some_graph(), katz, katz, 3);
  expect_goes_on_alone(some_graph(true), katz, katz, 3);
}

TEST(KernelCheckpoints, TrussesGoOn) { expect_goes_on_alone(some_graph(), truss, truss, 3); }

TEST(KernelCheckpoints, InfluenceGoesOnWithItsOwnSeed) {
  const Runs run = [](const Job& job) { return spread(job, 0x7123'4567'89ab'cdef); };
  const Runs again = [](const Job& job) { return spread(job, 1); };
  expect_goes_on_alone(some_graph(), run, again, 3);
  expect_goes_on_alone(some_graph(true), run, again, 3);
}

/// Any 8 bytes of a state, and any figure, are changed: the job is refused, or ends.
template <class Kernel>
void expect_no_harm(const GraphView& graph, Kernel kernel) {
  Random random(11);
  Engine engine({.threads = 2});
  for (int i = 0; i < 24; ++i) {
    const auto craft = [&](const IterationState& state) {
      const std::uint64_t wrong = i % 3 == 0 ? ~std::uint64_t{0} >> random.below(64) : random.below(2000);
      if (i % 4 == 0 && !state.figures.empty()) {
        state.figures[random.below(state.figures.size())] = static_cast<double>(wrong) * (i % 8 == 0 ? -1 : 1);
        return;
      }
      const StateColumn column = state.columns[random.below(state.columns.size())];
      const std::size_t words = graph.num_vertices() * column.value_bytes / sizeof(wrong);
      std::memcpy(static_cast<std::byte*>(column.values) + random.below(words) * sizeof(wrong), &wrong, sizeof(wrong));
    };
    const std::shared_ptr<Medium> medium = make_memory_medium();
    for (const bool resume : {false, true}) {
      const CheckpointOptions options{.name = testing::kJobName, .job = "a job", .every = 0, .resume = resume};
      const auto kept = checkpoints_in(medium, engine, graph, options);
      ASSERT_TRUE(kept);
      testing::Crafting crafting(**kept, craft);
      Checkpoints* const checkpoints = resume ? kept->get() : &crafting;
      engine.set_checkpoints(checkpoints);
      const auto result = kernel(engine);
      engine.set_checkpoints(nullptr);
      const bool is_refused = !result && result.error().code == (resume ? ErrorCode::corrupt : ErrorCode::io);
      EXPECT_TRUE(is_refused || (resume && result)) << i << (result ? "" : result.error().message);
    }
  }
}

TEST(KernelCheckpoints, CraftedStatesDoNoHarm) {
  const GraphView graph = a_grid(WeightType::float64);
  const std::vector<VertexId> sources = {3, 9, 17};
  expect_no_harm(graph, [&](Engine& e) { return bfs(e, graph, 0); });
  expect_no_harm(graph, [&](Engine& e) { return sssp(e, graph, 0); });
  expect_no_harm(graph, [&](Engine& e) { return connected_components(e, graph); });
  const GraphView uneven = some_graph();
  expect_no_harm(uneven, [&](Engine& e) { return core_numbers(e, uneven); });
  expect_no_harm(graph, [&](Engine& e) { return betweenness_centrality(e, graph, {.sources = sources}); });
  expect_no_harm(graph, [&](Engine& e) { return louvain(e, graph); });
}

TEST(KernelCheckpoints, CraftedStatesOfOneProcessDoNoHarm) {
  const testing::BuildOptions directed{.directed = true, .in_edges = true};
  const GraphView ways = testing::build_graph(1 << 12, testing::rmat_edges(12, 15'000, 5), directed);
  expect_no_harm(ways, [&](Engine& e) { return strong_components(e, ways); });
  const GraphView graph = some_graph();
  expect_no_harm(graph, [&](Engine& e) { return katz_centrality(e, graph, {.alpha = 0.01}); });
  expect_no_harm(graph, [&](Engine& e) { return k_truss(e, graph, 4); });
  expect_no_harm(graph, [&](Engine& e) { return label_propagation(e, graph); });
  const GraphView grid = a_grid(WeightType::float64);
  expect_no_harm(grid, [&](Engine& e) { return leiden(e, grid); });
  const std::vector<VertexId> seeds = {3, 17};
  expect_no_harm(graph, [&](Engine& e) { return influence(e, graph, seeds, {}, 4000, 1); });
}

}  // namespace
}  // namespace rizoma
