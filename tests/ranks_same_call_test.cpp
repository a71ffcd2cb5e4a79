// Kernels on ranks whose calls differ: every rank gets the same kind of error, which names what differs.
#include <rizoma/algorithms/betweenness_centrality.h>
#include <rizoma/algorithms/bfs.h>
#include <rizoma/algorithms/connected_components.h>
#include <rizoma/algorithms/core_numbers.h>
#include <rizoma/algorithms/label_propagation.h>
#include <rizoma/algorithms/louvain.h>
#include <rizoma/algorithms/pagerank.h>
#include <rizoma/algorithms/sssp.h>
#include <rizoma/algorithms/triangle_count.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>
#include <rizoma/graph_view.h>

#include "testing/graph_builder.h"
#include "testing/simulated_transport.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace rizoma {
namespace {

using Call = std::function<Status(Engine&, const GraphView&)>;

/// A kernel's call without its result.
template <class F>
Call call(F kernel) {
  return [kernel](Engine& engine, const GraphView& graph) {
    const auto result = kernel(engine, graph);
    return result ? Status() : Status(result.error());
  };
}

struct Case {
  std::string named;  ///< in the error
  Call first;         ///< of rank 0
  Call others;
};

Call pagerank_with(const PageRankOptions& options) {
  return call([options](Engine& e, const GraphView& g) { return pagerank(e, g, options); });
}
Call louvain_with(const CommunityOptions& options) {
  return call([options](Engine& e, const GraphView& g) { return louvain(e, g, options); });
}
Call labels_with(const LabelPropagationOptions& options) {
  return call([options](Engine& e, const GraphView& g) { return label_propagation(e, g, options); });
}
Call bfs_with(VertexId source, const BfsOptions& options) {
  return call([=](Engine& e, const GraphView& g) { return bfs(e, g, source, options); });
}
Call sssp_with(VertexId source, const SsspOptions& options) {
  return call([=](Engine& e, const GraphView& g) { return sssp(e, g, source, options); });
}
Call betweenness_with(bool normalized) {
  return call([=](Engine& e, const GraphView& g) { return betweenness_centrality(e, g, {.normalized = normalized}); });
}
Call triangles_with(bool per_vertex) {
  return call([=](Engine& e, const GraphView& g) { return triangle_count(e, g, {.per_vertex = per_vertex}); });
}

std::vector<Case> cases() {
  static const std::vector<double> one(200, 1);
  static const std::vector<double> other = [] {
    std::vector<double> values(200, 1);
    values[7] = 2;
    return values;
  }();
  const Call cores = call([](Engine& e, const GraphView& g) { return core_numbers(e, g); });
  const Call components = call([](Engine& e, const GraphView& g) { return connected_components(e, g); });
  const std::vector<Call> kernels{pagerank_with({}), louvain_with({}),       labels_with({}),      bfs_with(0, {}),
                                  sssp_with(0, {}),  betweenness_with(true), triangles_with(true), cores,
                                  components};
  std::vector<Case> all{
      {"source of bfs", bfs_with(0, {}), bfs_with(9, {})},
      {"max_depth of bfs", bfs_with(0, {}), bfs_with(0, {.max_depth = 1})},
      {"source of sssp", sssp_with(0, {}), sssp_with(200'000, {})},
      {"delta of sssp", sssp_with(0, {}), sssp_with(0, {.delta = 0.25})},
      {"alpha of pagerank", pagerank_with({}), pagerank_with({.alpha = 0.5})},
      {"alpha of pagerank", pagerank_with({}), pagerank_with({.alpha = 5})},
      {"use_weights of pagerank", pagerank_with({}), pagerank_with({.use_weights = true})},
      {"personalization of pagerank", pagerank_with({.personalization = one}),
       pagerank_with({.personalization = other})},
      {"personalization of pagerank", pagerank_with({.personalization = one}), pagerank_with({})},
      {"resolution of louvain", louvain_with({}), louvain_with({.resolution = 2})},
      {"max_levels of louvain", louvain_with({}), louvain_with({.max_levels = 1})},
      {"synchronous of label_propagation", labels_with({}), labels_with({.synchronous = true})},
      {"normalized of betweenness_centrality", betweenness_with(true), betweenness_with(false)},
      {"per_vertex of triangle_count", triangles_with(true), triangles_with(false)},
  };
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    all.push_back({"different kernels", kernels[i], kernels[(i + 1) % kernels.size()]});
  }
  return all;
}

TEST(RanksSameCall, AnyDifferenceIsAnErrorOnEveryRankThatNamesIt) {
  const GraphView graph = testing::build_graph(200, testing::uniform_edges(200, 900, 3), {.section_bits = 4});
  for (const Case& asked : cases()) {
    for (const Rank size : {2U, 3U}) {
      run_simulated_cluster(size, 5, [&](Transport& transport) {
        Ranks ranks(transport);
        Engine engine({.threads = 1, .ranks = &ranks});
        const Status status = (ranks.rank() == 0 ? asked.first : asked.others)(engine, graph);
        ASSERT_FALSE(status) << asked.named;
        EXPECT_EQ(status.error().code, ErrorCode::invalid_argument) << asked.named;
        EXPECT_NE(status.error().message.find(asked.named), std::string::npos) << status.error().message;
        EXPECT_NE(status.error().message.find(ranks.name_of(0)), std::string::npos) << status.error().message;
        EXPECT_FALSE(ranks.finalize(status));
        // The ranks are there for the next call.
        const auto next = bfs(engine, graph, 0, {});
        EXPECT_TRUE(next) << asked.named;
        EXPECT_TRUE(ranks.finalize({}));
      });
    }
  }
}

}  // namespace
}  // namespace rizoma
