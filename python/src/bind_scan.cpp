// Plain reads of a view: edges as columns or as one CSR matrix, degrees, vertices that have not been removed.
#include "bindings.h"
#include "bind_engine.h"
#include "bind_kernels.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <rizoma/export.h>
#include <rizoma/graph_view.h>

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

namespace rizoma::python {

namespace {

constexpr std::uint64_t kIdsAtATime = std::uint64_t{1} << 16;

}  // namespace

Result<std::vector<std::int64_t>> ids_by_number(const Snapshot& snapshot, Executor& executor) {
  if (snapshot.schema().ids == IdKind::string) return std::vector<std::int64_t>{};
  std::vector<std::int64_t> all(snapshot.num_vertices());
  std::vector<Status> read(executor.threads());
  RIZOMA_TRY(executor.for_blocks(all.size(), kIdsAtATime, [&](VertexRange block, unsigned thread) {
    const Result<IdColumn> ids = snapshot.ids(block);
    if (!ids) {
      read[thread] = ids.error();
      return;
    }
    std::ranges::copy(std::get<std::vector<std::int64_t>>(*ids),
                      all.begin() + static_cast<std::ptrdiff_t>(block.begin));
  }));
  for (Status& status : read) RIZOMA_TRY(std::move(status));
  return all;
}

namespace {

nb::object numbers_to_numpy(ScanColumn<std::int64_t>&& column, bool wanted) {
  return wanted ? nb::cast(to_numpy(std::move(column))) : nb::none();
}

nb::object weights_to_numpy(EdgeChunk::Weights&& weights) {
  return std::visit(
      [](auto&& column) -> nb::object {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(column)>, std::monostate>) {
          return nb::none();
        } else {
          return nb::cast(to_numpy(std::move(column)));
        }
      },
      std::move(weights));
}

void bind_edge_scan(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<EdgeScan>(module, "EdgeScan", "The edges of a view as columns, by edge number.")
      .def_static(
          "create",
          [](PyEngine& engine, const GraphView& view, const Snapshot* names) {
            return engine.run([&](Engine& e) -> Result<EdgeScan> {
              std::vector<std::int64_t> ids;
              if (names != nullptr) {
                RIZOMA_ASSIGN(ids, ids_by_number(*names, e));
              }
              return EdgeScan::create(view, ids, e);
            });
          },
          "engine"_a, "view"_a, "names"_a.none() = nb::none(),
          "`names` has the external ids; without it, or if they are strings, internal ids are given.")
      .def("__len__", &EdgeScan::size)
      .def(
          "read",
          [](const EdgeScan& self, PyEngine& engine, EdgeCount begin, EdgeCount end, bool sources, bool targets,
             bool weights) {
            const EdgeScanColumns wanted{sources, targets, weights};
            EdgeChunk chunk = engine.run([&](Engine& e) { return self.read(begin, end, e, wanted); });
            return nb::make_tuple(numbers_to_numpy(std::move(chunk.sources), sources),
                                  numbers_to_numpy(std::move(chunk.targets), targets),
                                  weights_to_numpy(std::move(chunk.weights)));
          },
          "engine"_a, "begin"_a, "end"_a, "sources"_a = true, "targets"_a = true, "weights"_a = true,
          nb::sig("def read(self, engine: Engine, begin: int, end: int, sources: bool = True, targets: bool = True, "
                  "weights: bool = True) -> tuple[NDArray[numpy.int64] | None, NDArray[numpy.int64] | None, "
                  "NDArray[Any] | None]"),
          "(sources, targets, weights) of edges [begin, end); None for what is not wanted or not there.");
}

/// A read-only array over memory that `owner` keeps.
template <class T>
nb::object shared_array(const T* data, std::size_t size, const std::shared_ptr<const void>& owner) {
  auto* holder = new std::shared_ptr<const void>(owner);
  nb::capsule capsule(holder, [](void* p) noexcept { delete static_cast<std::shared_ptr<const void>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, const T, nb::ndim<1>, nb::c_contig>(data, {size}, capsule));
}

template <class Index>
nb::object weights_of(const FlatCsrOf<Index>& flat, WeightType type) {
  const auto array = [&]<class W>(W) {
    return shared_array(static_cast<const W*>(flat.weights), flat.targets.size(), flat.owner);
  };
  switch (type) {
    case WeightType::none: break;
    case WeightType::int32: return array(std::int32_t{});
    case WeightType::float32: return array(float{});
    case WeightType::float64: return array(double{});
  }
  return nb::none();
}

nb::tuple csr(PyEngine& engine, const GraphView& view, bool in) {
  const FlatCsr flat = engine.run([&](Engine& e) { return flat_csr(view, in ? Direction::in : Direction::out, e); });
  return std::visit(
      [&](const auto& csr) {
        return nb::make_tuple(shared_array(csr.offsets.data(), csr.offsets.size(), csr.owner),
                              shared_array(csr.targets.data(), csr.targets.size(), csr.owner),
                              weights_of(csr, view.weight_type()), csr.copied);
      },
      flat);
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
  bind_edge_scan(module);
  module.def(
      "export_edges",
      [](const Snapshot& snapshot, const std::filesystem::path& file, std::string_view format, PyEngine& engine) {
        engine.run([&](Engine& e) { return export_edges(snapshot, file, format, e); });
      },
      "snapshot"_a, "file"_a, "format"_a, "engine"_a);
  module.def(
      "check_text_ids",
      [](const Snapshot& snapshot, const std::filesystem::path& file) {
        without_gil([&] { return check_text_ids(snapshot, file); });
      },
      "snapshot"_a, "file"_a);
  module.def("csr", &csr, "engine"_a, "view"_a, "in_edges"_a = false,
             nb::sig("def csr(engine: Engine, view: View, in_edges: bool = False) -> tuple[NDArray[Any], "
                     "NDArray[Any], NDArray[Any] | None, bool]"),
             "(offsets, targets, weights or None, copied), read-only; without a copy if the graph is one section.");
  module.def(
      "degrees",
      [](PyEngine& engine, const GraphView& view, bool in) {
        return to_numpy(engine.run([&](Engine& e) { return degrees(e, view, in); }));
      },
      "engine"_a, "view"_a, "in_edges"_a = false);
  module.def(
      "live_vertices",
      [](const GraphView& view) -> nb::object {
        if (view.num_live() == view.num_vertices()) return nb::none();
        std::vector<VertexId> live;
        for (VertexId v = 0; v < view.num_vertices(); ++v) {
          if (view.is_live(v)) live.push_back(v);
        }
        return nb::cast(to_numpy(std::move(live)));
      },
      "view"_a, nb::sig("def live_vertices(view: View) -> NDArray[numpy.uint64] | None"),
      "Internal ids in use, ascending; None if all are.");
}

}  // namespace rizoma::python
