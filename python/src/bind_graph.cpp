// Graph, Snapshot and BulkLoad, by internal id; rizoma/graph/graph.py adds external ids.
#include "bind_columns.h"
#include "bind_engine.h"
#include "bind_local.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>
#include <rizoma/graph.h>

#include <chrono>
#include <memory>

namespace rizoma::python {

namespace {

using Numbers = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Result<IdColumn> integer_ids(const AnyColumn& values) {
  std::vector<std::int64_t> ids;
  RIZOMA_TRY(append(ids, values, 0, values.shape(0)));
  return IdColumn(std::move(ids));
}

Result<IdColumn> string_ids(const Offsets& offsets, const Bytes& bytes) {
  StringColumn ids;
  RIZOMA_TRY(append(ids, offsets, bytes, 0, offsets.shape(0) - 1));
  return IdColumn(std::move(ids));
}

/// kNoVertex becomes None.
std::optional<VertexId> or_none(Result<VertexId>&& found) {
  if (!found && found.error().code == ErrorCode::not_found) return std::nullopt;
  return unwrap(std::move(found));
}

/// Answers of a snapshot about single vertices and edges, and about its part of a graph.
void bind_lists(nb::class_<Snapshot>& snapshot) {
  using namespace nb::literals;
  snapshot.def_prop_ro("part", &Snapshot::part, "Of a distributed graph; None: this is a whole one.")
      .def(
          "neighbors",
          [](const Snapshot& self, VertexId v) { return to_numpy(without_gil([&] { return self.neighbors(v); })); },
          "v"_a)
      .def(
          "in_neighbors",
          [](const Snapshot& self, VertexId v) { return to_numpy(without_gil([&] { return self.in_neighbors(v); })); },
          "v"_a)
      .def(
          "weights",
          [](const Snapshot& self, VertexId v) { return to_numpy(without_gil([&] { return self.weights(v); })); },
          "v"_a)
      .def(
          "degree", [](const Snapshot& self, VertexId v) { return without_gil([&] { return self.degree(v); }); }, "v"_a)
      .def(
          "has_edge",
          [](const Snapshot& self, VertexId u, VertexId v) { return without_gil([&] { return self.has_edge(u, v); }); },
          "u"_a, "v"_a);
}

void bind_view(nb::module_& module) {
  nb::class_<GraphView>(module, "View", "Sections ready for kernels.")
      .def_prop_ro("num_vertices", &GraphView::num_vertices)
      .def_prop_ro("num_live", &GraphView::num_live)
      .def_prop_ro("num_edges", &GraphView::num_edges);
}

/// Tells a state from all others, and keeps nothing of it.
struct StateMark {
  std::weak_ptr<query::MatchMemory> state;  // each state has its own; copies share it
};

void bind_mark(nb::module_& module, nb::class_<Snapshot>& snapshot) {
  using namespace nb::literals;
  nb::class_<StateMark>(module, "StateMark", "Tells a state from all others, and keeps nothing of it.")
      .def(
          "is_of",
          [](const StateMark& self, const Snapshot& other) {
            return !self.state.owner_before(other.match_memory()) && !other.match_memory().owner_before(self.state);
          },
          "snapshot"_a, "True if the snapshot is of the state that gave the mark.");
  snapshot.def("mark", [](const Snapshot& self) { return StateMark{self.match_memory()}; });
}

void bind_snapshot(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<Snapshot> snapshot(module, "Snapshot");
  snapshot.def_prop_ro("num_vertices", &Snapshot::num_vertices)
      .def_prop_ro("num_live", &Snapshot::num_live)
      .def("num_edges", [](const Snapshot& self) { return without_gil([&] { return self.num_edges(); }); })
      .def_prop_ro("schema", [](const Snapshot& self) { return self.schema(); })
      .def(
          "sections",
          [](const Snapshot& self) {
            std::vector<std::uint64_t> entries;
            std::vector<std::uint64_t> bytes;
            std::vector<std::uint64_t> pending;
            for (const SectionInfo& section : self.sections()) {
              entries.push_back(section.image_entries);
              bytes.push_back(section.image_bytes);
              pending.push_back(section.pending);
            }
            return nb::make_tuple(to_numpy(std::move(entries)), to_numpy(std::move(bytes)),
                                  to_numpy(std::move(pending)));
          },
          nb::sig("def sections(self) -> tuple[NDArray[numpy.uint64], NDArray[numpy.uint64], NDArray[numpy.uint64]]"),
          "By section: entries in the image, its bytes, changes that it lacks.")
      .def(
          "view",
          [](const Snapshot& self, PyEngine& engine) { return engine.run([&](Executor& e) { return self.view(e); }); },
          "engine"_a, "The sections where they are stored.")
      .def(
          "working_view",
          [](const Snapshot& self, PyEngine& engine) { return engine.run([&](Engine& e) { return self.view(e); }); },
          "engine"_a, "The sections where the engine's tiers say: a working copy, made once.")
      .def(
          "find_integer", [](const Snapshot& self, std::int64_t id) { return or_none(self.find(id)); }, "id"_a)
      .def(
          "find_string", [](const Snapshot& self, std::string_view id) { return or_none(self.find(id)); }, "id"_a)
      .def(
          "find_integers",
          [](const Snapshot& self, const AnyColumn& ids) {
            return to_numpy(without_gil([&]() -> Result<std::vector<VertexId>> {
              RIZOMA_ASSIGN(const IdColumn column, integer_ids(ids));
              return self.find(column);
            }));
          },
          "ids"_a, "Internal ids; 2^64 - 1 for an id that is not there.")
      .def(
          "find_strings",
          [](const Snapshot& self, const Offsets& offsets, const Bytes& bytes) {
            return to_numpy(without_gil([&]() -> Result<std::vector<VertexId>> {
              RIZOMA_ASSIGN(const IdColumn column, string_ids(offsets, bytes));
              return self.find(column);
            }));
          },
          "offsets"_a, "bytes"_a)
      .def(
          "continues", [](const Snapshot& self, const Snapshot& earlier) { return self.continues(earlier); },
          "earlier"_a, "True if the vertices of an earlier state surely have the same internal ids.")
      .def(
          "ids_of_range",
          [](const Snapshot& self, VertexId begin, VertexId end) {
            return to_python(without_gil([&] { return self.ids(VertexRange{begin, end}); }));
          },
          "begin"_a, "end"_a,
          nb::sig("def ids_of_range(self, begin: int, end: int) -> NDArray[numpy.int64] | "
                  "tuple[NDArray[numpy.uint64], NDArray[numpy.uint8]]"),
          "External ids: an int64 array, or (offsets, bytes) of strings.")
      .def(
          "ids_of",
          [](const Snapshot& self, const Numbers& vertices) {
            return to_python(without_gil([&] { return self.ids(std::span(vertices.data(), vertices.shape(0))); }));
          },
          "vertices"_a,
          nb::sig("def ids_of(self, vertices: NDArray[numpy.uint64]) -> NDArray[numpy.int64] | "
                  "tuple[NDArray[numpy.uint64], NDArray[numpy.uint8]]"));
  bind_mark(module, snapshot);
  bind_lists(snapshot);
  bind_local(snapshot);
}

void bind_bulk_load(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<BulkLoad>(module, "BulkLoad", "Fills a graph in bounded memory; thrown away unless finished.")
      .def(
          "add", [](BulkLoad& self, const EdgeBatch& edges) { without_gil([&] { return self.add(edges); }); },
          "edges"_a)
      .def(
          "add_vertices",
          [](BulkLoad& self, const VertexBatch& vertices) {
            without_gil([&] { return self.add_vertices(vertices.ids); });
          },
          "vertices"_a)
      .def_prop_ro("ids", &BulkLoad::ids)
      .def(
          "finish", [](BulkLoad& self, PyEngine& engine) { engine.run([&](Engine& e) { return self.finish(e); }); },
          "engine"_a);
}

Graph open_graph(const std::filesystem::path& path, OpenMode mode, const GraphSchema& schema, Durability durability,
                 std::uint64_t group_delay_ms, std::uint64_t lock_timeout_ms, std::uint64_t log_limit,
                 MediumChoice medium, std::vector<std::filesystem::path> locations, std::string at, bool auto_reorder,
                 std::uint64_t memory_limit, bool part) {
  OpenOptions options{.mode = mode, .schema = schema, .durability = durability};
  options.group_delay = std::chrono::milliseconds(group_delay_ms);
  options.lock_timeout = std::chrono::milliseconds(lock_timeout_ms);
  if (log_limit != 0) options.log_limit = log_limit;
  options.medium = medium;
  options.locations = std::move(locations);
  options.at = std::move(at);
  options.auto_reorder = auto_reorder;
  options.memory_limit = memory_limit;
  options.part = part;
  return without_gil([&] { return Graph::open(path, options); });
}

}  // namespace

void bind_graph(nb::module_& module) {
  using namespace nb::literals;
  bind_sequences(module);
  bind_view(module);
  bind_snapshot(module);
  bind_bulk_load(module);
  nb::class_<Graph> graph(module, "Graph");
  bind_local(graph);
  graph
      .def_static("open", &open_graph, "path"_a, "mode"_a, "schema"_a, "durability"_a = Durability::always,
                  "group_delay_ms"_a = 10, "lock_timeout_ms"_a = 10'000, "log_limit"_a = 0,
                  "medium"_a = MediumChoice::automatic, "locations"_a = std::vector<std::filesystem::path>(),
                  "at"_a = std::string(), "auto_reorder"_a = true, "memory_limit"_a = 0, "part"_a = false)
      .def_static(
          "in_memory", [](const GraphSchema& schema) { return unwrap(Graph::in_memory(schema)); }, "schema"_a)
      .def(
          "apply",
          [](Graph& self, const Batch& batch, PyEngine* engine) {
            if (engine == nullptr) return without_gil([&] { return self.apply(batch); });
            return engine->run([&](Executor& e) { return self.apply(batch, e); });
          },
          "batch"_a, "engine"_a = nb::none(),
          "One atomic change; with an engine it tells how far it is, and can be stopped.")
      .def(
          "settle_ids",
          [](Graph& self, IdKind kind, bool for_good) {
            return without_gil([&] { return self.settle_ids(kind, for_good); });
          },
          "kind"_a, "for_good"_a = false)
      .def(
          "bulk_load",
          [](Graph& self, VertexOrder order, std::uint64_t memory_limit, std::optional<IdKind> ids) {
            return without_gil(
                [&] { return self.bulk_load({.order = order, .memory_limit = memory_limit, .ids = ids}); });
          },
          "order"_a, "memory_limit"_a = 0, "ids"_a = nb::none())
      .def(
          "append_load",
          [](Graph& self, PyEngine& engine, VertexOrder order, std::uint64_t memory_limit) {
            return engine.run(
                [&](Engine& e) { return self.append_load(e, {.order = order, .memory_limit = memory_limit}); });
          },
          "engine"_a, "order"_a, "memory_limit"_a = 0, "Fills a graph that has something in bounded memory.")
      .def("snapshot", [](const Graph& self) { return without_gil([&] { return self.snapshot(); }); })
      .def("info", [](const Graph& self) { return without_gil([&] { return self.info(); }); })
      .def_prop_ro("damage", &Graph::damage)
      .def("flush", [](Graph& self) { without_gil([&] { return self.flush(); }); })
      .def("checkpoint", [](Graph& self) { without_gil([&] { return self.checkpoint(); }); })
      .def(
          "place",
          [](Graph& self, const std::vector<unsigned>& homes) { without_gil([&] { return self.place(homes); }); },
          "homes"_a)
      .def(
          "compact",
          [](Graph& self, PyEngine& engine, std::optional<VertexOrder> order) {
            engine.run([&](Engine& e) { return self.compact(e, order); });
          },
          "engine"_a, "order"_a = nb::none())
      .def("close", [](Graph& self) { without_gil([&] { return self.close(); }); })
      .def("discard", [](Graph& self) { without_gil([&] { return self.discard(); }); })
      .def_static(
          "check",
          [](const std::filesystem::path& path, PyEngine& engine, const std::vector<std::filesystem::path>& locations) {
            return engine.run([&](Engine& e) { return Graph::check(path, e, locations); });
          },
          "path"_a, "engine"_a, "locations"_a = std::vector<std::filesystem::path>())
      .def_static(
          "repair",
          [](const std::filesystem::path& path, PyEngine& engine, const std::vector<std::filesystem::path>& locations) {
            return engine.run([&](Engine& e) { return Graph::repair(path, e, locations); });
          },
          "path"_a, "engine"_a, "locations"_a = std::vector<std::filesystem::path>());
}

}  // namespace rizoma::python
