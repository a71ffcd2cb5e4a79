// The kernels.  Each returns a dict: columns as NumPy arrays over the kernel's own memory, and figures.
#include "kernels.h"

#include <rizoma/algorithms/betweenness_centrality.h>
#include <rizoma/algorithms/bfs.h>
#include <rizoma/algorithms/connected_components.h>
#include <rizoma/algorithms/pagerank.h>
#include <rizoma/algorithms/sssp.h>
#include <rizoma/algorithms/triangle_count.h>

namespace rizoma::python {

namespace {

Answer run_pagerank(PyEngine& engine, const GraphView& view, double alpha, double tol, int max_iter, bool use_weights,
                    const std::optional<Input<double>>& personalization, const std::optional<Input<double>>& start,
                    const std::optional<Input<double>>& dangling) {
  const PageRankOptions options{alpha,         tol, max_iter, use_weights, span_of(personalization), span_of(dangling),
                                span_of(start)};
  PageRankResult result = engine.run(
      [&](Engine& e) { return whole(e, engine.answers_to(), pagerank(e, view, options), &PageRankResult::ranks); });
  Answer out;
  out["rank"] = to_numpy(std::move(result.ranks));
  out["iterations"] = result.iterations;
  out["converged"] = result.converged;
  out["error"] = result.error;
  return out;
}

Answer run_bfs(PyEngine& engine, const GraphView& view, VertexId source, std::int64_t max_depth) {
  BfsResult result = engine.run([&](Engine& e) {
    return whole(e, engine.answers_to(), bfs(e, view, source, {.max_depth = max_depth}), &BfsResult::levels,
                 &BfsResult::parents);
  });
  Answer out;
  out["level"] = to_numpy(std::move(result.levels));
  out["parent"] = to_numpy(std::move(result.parents));
  out["reached"] = result.reached;
  out["depth"] = result.depth;
  return out;
}

Answer run_connected_components(PyEngine& engine, const GraphView& view) {
  ConnectedComponentsResult result = engine.run([&](Engine& e) {
    return whole(e, engine.answers_to(), connected_components(e, view), &ConnectedComponentsResult::labels);
  });
  Answer out;
  out["component"] = to_numpy(std::move(result.labels));
  out["count"] = result.count;
  out["largest"] = result.largest;
  return out;
}

Answer run_betweenness(PyEngine& engine, const GraphView& view, const std::optional<Input<VertexId>>& sources,
                       bool normalized) {
  BetweennessResult result =
      engine.run([&](Engine& e) { return betweenness_centrality(e, view, {span_of(sources), normalized}); });
  Answer out;
  out["score"] = to_numpy(std::move(result.scores));
  out["sources"] = result.sources;
  return out;
}

Answer run_sssp(PyEngine& engine, const GraphView& view, VertexId source, double delta) {
  SsspResult result = engine.run([&](Engine& e) { return sssp(e, view, source, {.delta = delta}); });
  Answer out;
  out["distance"] = to_numpy(std::move(result.distances));
  out["reached"] = result.reached;
  out["delta"] = result.delta;
  return out;
}

Answer run_triangle_count(PyEngine& engine, const GraphView& view) {
  TriangleCountResult result = engine.run([&](Engine& e) { return triangle_count(e, view); });
  Answer out;
  out["triangles"] = to_numpy(std::move(result.counts));
  out["total"] = result.total;
  return out;
}

std::uint64_t run_triangle_total(PyEngine& engine, const GraphView& view) {
  return engine.run([&](Engine& e) { return triangle_count(e, view, {.per_vertex = false}); }).total;
}

}  // namespace

void bind_algorithms(nb::module_& module) {
  using namespace nb::literals;
  module.def("pagerank", &run_pagerank, "engine"_a, "view"_a, "alpha"_a, "tol"_a, "max_iter"_a, "use_weights"_a,
             "personalization"_a = nb::none(), "start"_a = nb::none(), "dangling"_a = nb::none());
  module.def("bfs", &run_bfs, "engine"_a, "view"_a, "source"_a, "max_depth"_a = -1);
  module.def("connected_components", &run_connected_components, "engine"_a, "view"_a);
  module.def("betweenness_centrality", &run_betweenness, "engine"_a, "view"_a, "sources"_a = nb::none(),
             "normalized"_a = true);
  module.def("sssp", &run_sssp, "engine"_a, "view"_a, "source"_a, "delta"_a = 0.0);
  module.def("triangle_count", &run_triangle_count, "engine"_a, "view"_a);
  module.def("triangle_total", &run_triangle_total, "engine"_a, "view"_a);
}

}  // namespace rizoma::python
