// Plain reads of a view: edges in vertex order, degrees, vertices that have not been removed.
#include "bindings.h"
#include "engine.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <rizoma/export.h>
#include <rizoma/graph_view.h>

#include <algorithm>

namespace rizoma::python {

namespace {

struct Edges {
  std::vector<VertexId> sources;
  std::vector<VertexId> targets;
  std::vector<double> weights;
  VertexId next = 0;  ///< first vertex not yet scanned
};

template <class A>
void append_weights(const A& out, WeightType type, VertexId v, std::size_t first, std::vector<double>& weights) {
  const auto append = [&](auto column) {
    weights.insert(weights.end(), column.begin() + static_cast<std::ptrdiff_t>(first), column.end());
  };
  switch (type) {
    case WeightType::none: return;
    case WeightType::int32: return append(out.template weights<std::int32_t>(v));
    case WeightType::float32: return append(out.template weights<float>(v));
    case WeightType::float64: return append(out.template weights<double>(v));
  }
}

/// Edges of the vertices from `begin` on, until at least `rows` are gathered or the vertices end.
/// An undirected edge is given once, from its lower to its higher inner number.
Edges scan_edges(const GraphView& view, VertexId begin, std::size_t rows) {
  Edges edges;
  view.with_out([&](const auto& out) {
    VertexId v = begin;
    for (; v < out.num_vertices() && edges.sources.size() < rows; ++v) {
      const auto list = out.neighbors(v);
      const auto from = view.directed() ? list.begin() : std::lower_bound(list.begin(), list.end(), v);
      edges.targets.insert(edges.targets.end(), from, list.end());
      edges.sources.resize(edges.targets.size(), v);
      append_weights(out, view.weight_type(), v, static_cast<std::size_t>(from - list.begin()), edges.weights);
    }
    edges.next = v;
  });
  return edges;
}

template <class A>
Result<VertexMap<std::uint64_t>> degrees_of(Engine& engine, const GraphView& view, const A& adjacency) {
  auto degrees = engine.make_map<std::uint64_t>(view.num_vertices(), 0);
  RIZOMA_TRY(engine.for_vertices(view, [&](VertexRange block, unsigned) {
    for (VertexId v = block.begin; v < block.end; ++v) degrees[v] = adjacency.degree(v);
  }));
  return degrees;
}

Result<VertexMap<std::uint64_t>> degrees(Engine& engine, const GraphView& view, bool in) {
  if (!in || !view.directed()) {
    return view.with_out([&](const auto& out) { return degrees_of(engine, view, out); });
  }
  if (!view.has_in_edges()) {
    return Error{ErrorCode::invalid_argument, "the graph stores no in-edges; create it with in_edges=True"};
  }
  return view.with_both([&](const auto&, const auto& in_edges) { return degrees_of(engine, view, in_edges); });
}

}  // namespace

void bind_scan(nb::module_& module) {
  using namespace nb::literals;
  module.def("scan_edges", [](const GraphView& view, VertexId begin, std::size_t rows) {
    Edges edges = without_gil([&]() -> Result<Edges> { return scan_edges(view, begin, rows); });
    nb::object weights = nb::none();
    if (view.weight_type() != WeightType::none) weights = nb::cast(to_numpy(std::move(edges.weights)));
    return nb::make_tuple(to_numpy(std::move(edges.sources)), to_numpy(std::move(edges.targets)), weights, edges.next);
  }, "view"_a, "begin"_a, "rows"_a,
  nb::sig("def scan_edges(view: View, begin: int, rows: int) -> tuple[NDArray[numpy.uint64], "
          "NDArray[numpy.uint64], NDArray[numpy.float64] | None, int]"),
  "(sources, targets, weights or None, next vertex) by inner number.");
  module.def("export_edges", [](const Snapshot& snapshot, const std::filesystem::path& file, FileFormat format,
                                PyEngine& engine) {
    engine.run([&](Engine& e) { return export_edges(snapshot, file, format, e); });
  }, "snapshot"_a, "file"_a, "format"_a, "engine"_a);
  module.def("degrees", [](PyEngine& engine, const GraphView& view, bool in) {
    return to_numpy(engine.run([&](Engine& e) { return degrees(e, view, in); }));
  }, "engine"_a, "view"_a, "in_edges"_a = false);
  module.def("live_vertices", [](const GraphView& view) -> nb::object {
    if (view.num_live() == view.num_vertices()) return nb::none();
    std::vector<VertexId> live;
    for (VertexId v = 0; v < view.num_vertices(); ++v) {
      if (view.is_live(v)) live.push_back(v);
    }
    return nb::cast(to_numpy(std::move(live)));
  }, "view"_a, nb::sig("def live_vertices(view: View) -> NDArray[numpy.uint64] | None"),
  "Inner numbers in use, ascending; None if all are.");
}

}  // namespace rizoma::python
