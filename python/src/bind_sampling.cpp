// Random walks and sampled neighbours, by internal id.
#include "bind_kernels.h"

#include <rizoma/sample.h>

#include <vector>

namespace rizoma::python {

namespace {

constexpr std::uint64_t kGrain = 256;  // vertices whose neighbours are drawn at once

Status check(const GraphView& view, const Input<VertexId>& vertices, bool in_edges) {
  if (in_edges && !view.has_in_edges()) {
    return Error{ErrorCode::unsupported, "the graph stores no in-edges; create it with in_edges=True"};
  }
  for (const VertexId v : span_of(vertices)) {
    if (v >= view.num_vertices()) return Error{ErrorCode::invalid_argument, "a vertex is not in the graph"};
  }
  return {};
}

nb::object run_walks(PyEngine& engine, const GraphView& view, const Input<VertexId>& starts, std::uint64_t steps,
                     std::uint64_t seed, bool in_edges) {
  unwrap(check(view, starts, in_edges));
  return nb::cast(to_numpy(engine.run([&](Engine& e) {
    return random_walks(e, NeighborSampler(view, direction_of(in_edges), seed), span_of(starts), steps);
  })));
}

nb::object run_biased_walks(PyEngine& engine, const GraphView& view, const Input<VertexId>& starts, std::uint64_t steps,
                            std::uint64_t seed, bool in_edges, bool weighted, double p, double q, double restart) {
  const WalkOptions options{seed, direction_of(in_edges), weighted, p, q, restart};
  return nb::cast(
      to_numpy(engine.run([&](Engine& e) { return random_walks(e, view, span_of(starts), steps, options); })));
}

/// Neighbours drawn of each vertex, and where those of each begin.
struct Drawn {
  std::vector<std::int64_t> offsets{0};
  std::vector<VertexId> neighbors;
};

Result<Drawn> draw(Engine& engine, const NeighborSampler& sampler, std::span<const VertexId> vertices,
                   std::uint64_t count, bool weighted) {
  const std::uint64_t blocks = (vertices.size() + kGrain - 1) / kGrain;
  std::vector<Drawn> parts(blocks);
  std::vector<Status> failed(blocks);
  RIZOMA_TRY(engine.for_blocks(vertices.size(), kGrain, [&](VertexRange block, unsigned) {
    Drawn& part = parts[block.begin / kGrain];
    for (VertexId i = block.begin; i < block.end; ++i) {
      if (!weighted) {
        sampler.draw_some(vertices[i], count, i, part.neighbors);
      } else if (Status drawn = sampler.draw_some_by_weight(vertices[i], count, i, part.neighbors); !drawn) {
        failed[block.begin / kGrain] = std::move(drawn);
      }
      part.offsets.push_back(static_cast<std::int64_t>(part.neighbors.size()));
    }
  }));
  for (Status& each : failed) RIZOMA_TRY(std::move(each));
  Drawn all;
  for (const Drawn& part : parts) {
    const auto before = static_cast<std::int64_t>(all.neighbors.size());
    for (std::size_t i = 1; i < part.offsets.size(); ++i) all.offsets.push_back(before + part.offsets[i]);
    all.neighbors.insert(all.neighbors.end(), part.neighbors.begin(), part.neighbors.end());
  }
  return all;
}

nb::tuple run_draw(PyEngine& engine, const GraphView& view, const Input<VertexId>& vertices, std::uint64_t count,
                   std::uint64_t seed, bool in_edges, bool weighted) {
  unwrap(check(view, vertices, in_edges));
  Drawn drawn = engine.run([&](Engine& e) {
    return draw(e, NeighborSampler(view, direction_of(in_edges), seed), span_of(vertices), count, weighted);
  });
  return nb::make_tuple(to_numpy(std::move(drawn.offsets)), to_numpy(std::move(drawn.neighbors)));
}

}  // namespace

void bind_sampling(nb::module_& module) {
  using namespace nb::literals;
  module.def(
      "random_walks", &run_walks, "engine"_a, "view"_a, "starts"_a, "steps"_a, "seed"_a, "in_edges"_a = false,
      nb::sig("def random_walks(engine: Engine, view: View, starts: NDArray[numpy.uint64], steps: int, seed: int, "
              "in_edges: bool = False) -> NDArray[numpy.uint64]"),
      "Rows of steps + 1 internal ids, one behind the other; 2^64 - 1 once a walk has ended.");
  module.def("biased_walks", &run_biased_walks, "engine"_a, "view"_a, "starts"_a, "steps"_a, "seed"_a, "in_edges"_a,
             "weighted"_a, "p"_a, "q"_a, "restart"_a,
             nb::sig("def biased_walks(engine: Engine, view: View, starts: NDArray[numpy.uint64], steps: int, seed: "
                     "int, in_edges: bool, weighted: bool, p: float, q: float, restart: float) -> "
                     "NDArray[numpy.uint64]"),
             "The same by weight, by the vertex before (p, q), or with restarts.");
  module.def("sample_neighbors", &run_draw, "engine"_a, "view"_a, "vertices"_a, "count"_a, "seed"_a,
             "in_edges"_a = false, "weighted"_a = false,
             nb::sig("def sample_neighbors(engine: Engine, view: View, vertices: NDArray[numpy.uint64], count: int, "
                     "seed: int, in_edges: bool = False, weighted: bool = False) -> tuple[NDArray[numpy.int64], "
                     "NDArray[numpy.uint64]]"),
             "(offsets, neighbours): at most `count` different entries of each vertex's list.");
}

}  // namespace rizoma::python
