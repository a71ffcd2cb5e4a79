// Columns of a stored graph: their values, views that have one as weight, adding and dropping.
#include "bind_columns.h"
#include "bind_engine.h"
#include "bind_predicate.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <rizoma/detail/column_types.h>
#include <rizoma/graph.h>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace rizoma::python {

namespace {

using Rows = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Vertices = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Reading values, and states that are made by them.
void bind_values(nb::module_& module) {
  using namespace nb::literals;
  module.def(
      "edge_values",
      [](const Snapshot& snapshot, const std::string& column, const Rows& rows) {
        return to_python(
            without_gil([&] { return values_of_edges(snapshot, column, std::span(rows.data(), rows.shape(0))); }));
      },
      "snapshot"_a, "column"_a, "rows"_a,
      nb::sig("def edge_values(snapshot: Snapshot, column: str, rows: NDArray[numpy.float64]) -> "
              "tuple[NDArray[numpy.uint8], NDArray[numpy.uint64] | None, NDArray[numpy.uint8] | None]"),
      "(bytes, ends or None, valid or None) of the values in these rows, as a rows_view names them.");
  module.def(
      "vertex_values",
      [](const Snapshot& snapshot, const std::string& column, const Vertices& vertices) {
        return to_python(without_gil(
            [&] { return values_of_vertices(snapshot, column, std::span(vertices.data(), vertices.shape(0))); }));
      },
      "snapshot"_a, "column"_a, "vertices"_a,
      nb::sig("def vertex_values(snapshot: Snapshot, column: str, vertices: NDArray[numpy.uint64]) -> "
              "tuple[NDArray[numpy.uint8], NDArray[numpy.uint64] | None, NDArray[numpy.uint8] | None]"),
      "The same of these vertices.");
  module.def(
      "weight_view",
      [](const Snapshot& snapshot, PyEngine& engine, const std::string& weight) {
        return engine.run([&](Engine& e) { return snapshot.view(e, weight); });
      },
      "snapshot"_a, "engine"_a, "weight"_a, "The sections with the values of an edge column as weights.");
  module.def(
      "rows_view",
      [](const Snapshot& snapshot, PyEngine& engine) {
        return engine.run([&](Executor& e) { return snapshot.rows_view(e); });
      },
      "snapshot"_a, "engine"_a, "The sections with the number of each edge's row as weight.");
  module.def(
      "num_rows", [](const Snapshot& snapshot) { return snapshot.num_rows(); }, "snapshot"_a,
      "Rows of edges are below; row 0 has no values.");
  module.def(
      "values_between",
      [](const Snapshot& snapshot, const std::string& column, std::uint64_t begin, std::uint64_t end) {
        return to_python(without_gil([&] { return snapshot.values_between(column, begin, end); }));
      },
      "snapshot"_a, "column"_a, "begin"_a, "end"_a,
      nb::sig("def values_between(snapshot: Snapshot, column: str, begin: int, end: int) -> "
              "tuple[NDArray[numpy.uint8], NDArray[numpy.uint64] | None, NDArray[numpy.uint8] | None]"),
      "The same of rows [begin, end), those of edges that are gone included.");
  module.def(
      "with_rows",
      [](const Snapshot& snapshot, PyEngine& engine, const Bytes& kept) {
        return engine.run([&](Engine& e) { return snapshot.with_rows(std::span(kept.data(), kept.shape(0)), e); });
      },
      "snapshot"_a, "engine"_a, "kept"_a,
      nb::sig("def with_rows(snapshot: Snapshot, engine: Engine, kept: NDArray[numpy.uint8]) -> Snapshot"),
      "The state with the edges whose rows have a bit in `kept`, lowest first.");
  module.def(
      "reversed", [](const Snapshot& snapshot) { return unwrap(snapshot.reversed()); }, "snapshot"_a,
      "The state with every edge turned round.");
}

}  // namespace

void bind_columns(nb::module_& module) {
  using namespace nb::literals;
  bind_values(module);
  bind_predicate(module);
  module.def(
      "add_column",
      [](Graph& graph, bool vertices, const std::string& name, const std::string& type) {
        without_gil([&]() -> Status {
          RIZOMA_ASSIGN(const ColumnType kind, parse_column_type(type));
          return vertices ? graph.add_vertex_column(name, kind) : graph.add_edge_column(name, kind);
        });
      },
      "graph"_a, "vertices"_a, "name"_a, "type"_a);
  module.def(
      "drop_column",
      [](Graph& graph, bool vertices, const std::string& name) {
        without_gil([&] { return vertices ? graph.drop_vertex_column(name) : graph.drop_edge_column(name); });
      },
      "graph"_a, "vertices"_a, "name"_a);
  module.def(
      "upgrade",
      [](const std::filesystem::path& path, const std::vector<std::filesystem::path>& locations) {
        return without_gil([&] { return Graph::upgrade(path, locations); });
      },
      "path"_a, "locations"_a = std::vector<std::filesystem::path>(), "True if the store was of an earlier format.");
  module.def(
      "purge",
      [](Graph& graph, PyEngine& engine, VertexOrder order) {
        engine.run([&](Engine& e) { return graph.purge(e, order); });
      },
      "graph"_a, "engine"_a, "order"_a);
  module.def(
      "tag", [](Graph& graph, const std::string& name) { without_gil([&] { return graph.tag(name); }); }, "graph"_a,
      "name"_a);
  module.def(
      "untag", [](Graph& graph, const std::string& name) { without_gil([&] { return graph.untag(name); }); }, "graph"_a,
      "name"_a);
  module.def(
      "tags",
      [](const Graph& graph) {
        std::vector<std::pair<std::string, std::int64_t>> tags;
        for (const TagInfo& tag : graph.tags()) tags.emplace_back(tag.name, tag.nanoseconds);
        return tags;
      },
      "graph"_a, "Names and nanoseconds since 1970, in the order of tagging.");
  module.def(
      "canonical_type",
      [](const std::string& type) { return std::string(column_type_name(unwrap(parse_column_type(type)))); }, "type"_a,
      "The type's own name; an error lists those there are.");
  module.def(
      "column_types",
      [] {
        std::vector<std::tuple<std::string, std::string, std::string>> types;
        for (const ColumnTraits& each : kColumnTypes) {
          types.emplace_back(each.name, column_kind_name(each.kind), each.arrow);
        }
        return types;
      },
      "Name, kind and name in Arrow of each type that a column may have.");
}

}  // namespace rizoma::python
