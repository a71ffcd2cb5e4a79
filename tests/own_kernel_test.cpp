// The kernel of the C++ guide ("Your own algorithm"): on threads, in little memory, with checkpoints and on ranks.
#include <rizoma/iteration.h>
#include <rizoma/sweep.h>
#include <rizoma/vertex_state.h>

#include "platform/memory_medium.h"
#include "testing/checkpoint_jobs.h"
#include "testing/graph_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using testing::Job;
using Label = std::uint64_t;

/// A vertex sends its label to its neighbors, and takes the smallest that it receives.
struct Least {
  using Message = Label;
  using Accum = Label;
  Label* labels;

  [[nodiscard]] Message scatter(VertexId v) const { return labels[v]; }
  [[nodiscard]] Accum identity() const { return ~Label{0}; }
  [[nodiscard]] Accum gather(Accum least, const auto& entries) const {
    for (std::size_t i = 0; i < entries.size(); ++i) least = std::min(least, entries.message(i));
    return least;
  }
  [[nodiscard]] Accum combine(Accum a, Accum b) const { return std::min(a, b); }
  bool apply(VertexId v, Accum least) { return least < labels[v] ? (labels[v] = least, true) : false; }
};

Result<VertexMap<Label>> least_labels(Engine& engine, const GraphView& graph) {
  Iteration loop(engine, graph, "least_labels");
  VertexState<Label> labels(loop, 0);
  for (VertexId v = 0; v < labels.size(); ++v) labels[v] = v;
  RIZOMA_TRY(loop.begin());  // goes on from a checkpoint, if there is one
  Least program{labels.data()};
  Sweep<Least> sweep(engine, graph, program);
  RIZOMA_TRY(sweep.start_all());
  const auto step = [&]() -> Result<bool> {
    RIZOMA_TRY(loop.report(0, static_cast<double>(sweep.active())));
    RIZOMA_TRY(sweep.step());
    return sweep.active() > 0;
  };
  RIZOMA_TRY(loop.run(step));
  VertexMap<Label> result = std::move(labels).take();
  RIZOMA_TRY(loop.gather(result));
  return result;
}

GraphView long_components(VertexId n) {
  std::vector<testing::TestEdge> edges = testing::uniform_edges(n / 2, n / 2, 3);
  for (VertexId v = n / 2; v + n / 40 < n; ++v) edges.push_back({v, v + n / 40});  // paths of 20
  return testing::build_graph(n, edges, {.section_bits = 6});
}

void expect_least(const GraphView& graph, const VertexMap<Label>& labels) {
  const VertexId n = graph.num_vertices();
  ASSERT_EQ(labels.size(), n);
  for (VertexId v = n / 2; v < n; ++v) ASSERT_EQ(labels[v], n / 2 + (v - n / 2) % (n / 40)) << v;
  graph.with_out([&](const auto& out) {
    for (VertexId v = 0; v < n; ++v) {
      ASSERT_LE(labels[v], v);
      for (const auto w : out.neighbors(v)) ASSERT_EQ(labels[v], labels[w]) << v << " and " << w;
    }
  });
}

TEST(OwnKernel, RunsOnThreadsAndInLittleMemory) {
  for (const VertexId n : {600U, 40'000U}) {
    const GraphView graph = long_components(n);
    for (const unsigned threads : {1U, 3U}) {
      for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{1} << 20}) {
        Engine engine({.threads = threads, .memory_limit = memory});
        const auto labels = least_labels(engine, graph);
        ASSERT_TRUE(labels) << labels.error().message;
        expect_least(graph, *labels);
      }
    }
  }
}

TEST(OwnKernel, GoesOnFromACheckpointWithOtherRanks) {
  const GraphView graph = long_components(600);
  for (const unsigned before : {1U, 3U}) {
    for (const unsigned after : {1U, 4U}) {
      const std::shared_ptr<Medium> medium = make_memory_medium();
      const auto kernel = [&](Engine& engine) { return least_labels(engine, graph); };
      const auto died = testing::run_job({medium, graph, before, 5}, kernel);
      ASSERT_FALSE(died);
      EXPECT_NE(died.error().message.find("killed"), std::string::npos) << died.error().message;
      EXPECT_TRUE(*medium->exists(testing::kJobName));
      const auto labels = testing::run_job({medium, graph, after}, kernel);
      ASSERT_TRUE(labels) << labels.error().message;
      expect_least(graph, *labels);
    }
  }
}

}  // namespace
}  // namespace rizoma
