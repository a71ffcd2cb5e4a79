// Patterns: a prepared match, its counts, and its rows as columns.
#include "bind_kernels.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <rizoma/graph.h>
#include <rizoma/match.h>

namespace rizoma::python {

namespace {

using Anchors = std::vector<std::pair<std::string, Input<VertexId>>>;

Match prepare(const Snapshot& snapshot, const GraphView& view, const std::string& pattern, const std::string& where,
              DistinctMatches distinct, const Anchors& anchors, const std::pair<std::string, std::string>& words,
              const std::pair<unsigned, std::uint64_t>& sharing, std::uint64_t memory_limit) {
  MatchOptions options{.pattern = pattern,
                       .where = where,
                       .label_column = words.first,
                       .type_column = words.second,
                       .distinct = distinct,
                       .sharing = {.data_nodes = sharing.first, .cache_bytes = sharing.second},
                       .memory_limit = memory_limit};
  for (const auto& [name, vertices] : anchors) {
    const auto members = span_of(vertices);
    options.anchors.emplace_back(name, std::vector<VertexId>(members.begin(), members.end()));
  }
  return without_gil([&] { return prepare_match(snapshot, view, std::move(options)); });
}

/// Rows of matches as Python reads them: the cursor, and where the weights of edges, or the numbers of their rows, lie.
struct RowStream {
  MatchCursor cursor;
  GraphView view;
};

template <class W>
nb::object weights_as(const GraphView& view, const std::vector<EdgeEntry>& entries) {
  std::vector<W> weights;
  weights.reserve(entries.size());
  view.with_out([&](const auto& out) {
    for (const EdgeEntry& entry : entries) weights.push_back(out.template weights<W>(entry.source)[entry.place]);
  });
  return nb::cast(to_numpy(std::move(weights)));
}

nb::object weights_of(const GraphView& view, const std::vector<EdgeEntry>& entries) {
  switch (view.weight_type()) {
    case WeightType::none: break;
    case WeightType::int32: return weights_as<std::int32_t>(view, entries);
    case WeightType::float32: return weights_as<float>(view, entries);
    case WeightType::float64: return weights_as<double>(view, entries);
  }
  return nb::none();
}

RowStream rows(const Match& match, PyEngine& engine, const Snapshot& snapshot, const GraphView& view,
               std::vector<std::string> vertices, std::vector<std::string> edges, bool translate, bool some,
               std::pair<unsigned, unsigned> part) {
  MatchSelection selection{std::move(vertices), std::move(edges), nullptr, some, part.first, part.second};
  if (translate) {
    auto ids = engine.run([&](Engine& e) { return ids_by_number(snapshot, e); });
    if (!ids.empty()) selection.ids = std::make_shared<const std::vector<std::int64_t>>(std::move(ids));
  }
  if (!snapshot.schema().rows || selection.edges.empty()) return {unwrap(match.rows(selection)), view};
  GraphView numbered = engine.run([&](Executor& e) { return snapshot.rows_view(e); });
  return {unwrap(match.rows(selection)), std::move(numbered)};
}

nb::list next_rows(RowStream& stream, PyEngine& engine, std::size_t most) {
  std::vector<MatchRows> parts = engine.run([&](Engine& e) { return stream.cursor.next(e, most); });
  nb::list all;
  for (MatchRows& part : parts) {
    nb::list columns;
    for (auto& column : part.vertices) columns.append(to_numpy(std::move(column)));
    for (const auto& column : part.edges) columns.append(weights_of(stream.view, column));
    all.append(nb::make_tuple(part.rows, columns));
  }
  return all;
}

/// Past and expected work of ranks that share a match.
void bind_sharing(nb::module_& module, nb::class_<Match>& match) {
  using namespace nb::literals;
  nb::class_<RankShare>(module, "RankShare", "What one rank did in a call that data nodes and workers shared.")
      .def_ro("holds", &RankShare::holds, "It is a data node.")
      .def_ro("blocks", &RankShare::blocks, "Blocks of vertices to begin with.")
      .def_ro("lists", &RankShare::lists, "Lists that it fetched.")
      .def_ro("bytes", &RankShare::bytes, "In these.")
      .def_ro("hits", &RankShare::hits, "Lists that it would have fetched, had it not kept them.");
  match
      .def(
          "count_shared",
          [](const Match& self, PyEngine& engine) {
            std::vector<RankShare> shares;
            const std::uint64_t found = engine.run([&](Engine& e) { return self.count(e, &shares); });
            return std::pair(found, std::move(shares));
          },
          "engine"_a, "The matches, and what each rank did.")
      .def(
          "estimate",
          [](const Match& self, PyEngine& engine, const std::vector<unsigned>& ranks, double held) {
            std::vector<std::pair<double, double>> fetched;
            for (const FetchEstimate& each : engine.run([&](Engine& e) { return self.estimate(e, ranks, held); })) {
              fetched.emplace_back(each.lists, each.bytes);
            }
            return fetched;
          },
          "engine"_a, "ranks"_a, "held"_a,
          "For each number of ranks: the lists that one of them fetches which holds such a share of all, and their "
          "bytes.");
}

}  // namespace

void bind_match(nb::module_& module) {
  using namespace nb::literals;
  nb::enum_<DistinctMatches>(module, "DistinctMatches")
      .value("none", DistinctMatches::none)
      .value("edges", DistinctMatches::edges)
      .value("nodes", DistinctMatches::nodes);
  nb::class_<Match> match(module, "Match", "A pattern bound to a view, and planned.");
  match
      .def_static(
          "prepare", &prepare, "snapshot"_a, "view"_a, "pattern"_a, "where"_a, "distinct"_a, "anchors"_a, "words"_a,
          "sharing"_a, "memory_limit"_a,
          nb::sig("def prepare(snapshot: Snapshot, view: View, pattern: str, where: str, distinct: "
                  "DistinctMatches, anchors: Sequence[tuple[str, NDArray[numpy.uint64]]], words: tuple[str, str], "
                  "sharing: tuple[int, int], memory_limit: int) -> Match"),
          "`words`: the columns of labels and of types.  `sharing`: how many ranks are data nodes (0: each reads all), "
          "and the bytes of lists that a rank keeps.  `memory_limit`: bytes that lists of the edges that a predicate "
          "keeps, ranked lists and counts of paths that meet may take, each by itself; 0: half of what is free.")
      .def_prop_ro("vertices", [](const Match& self) { return self.vertices(); })
      .def_prop_ro("edges", [](const Match& self) { return self.edges(); })
      .def(
          "count",
          [](const Match& self, PyEngine& engine) { return engine.run([&](Engine& e) { return self.count(e); }); },
          "engine"_a)
      .def(
          "count_by",
          [](const Match& self, PyEngine& engine, const std::string& name) {
            VertexCounts found = engine.run([&](Engine& e) { return self.count_by(e, name); });
            return nb::make_tuple(to_numpy(std::move(found.vertices)), to_numpy(std::move(found.counts)));
          },
          "engine"_a, "name"_a,
          nb::sig(
              "def count_by(self, engine: Engine, name: str) -> tuple[NDArray[numpy.uint64], NDArray[numpy.uint64]]"),
          "The vertices that the name stands for (internal ids, ascending), and the matches of each.")
      .def(
          "explain",
          [](const Match& self, PyEngine& engine, bool run) {
            return engine.run([&](Engine& e) { return self.explain(e, run); });
          },
          "engine"_a, "run"_a)
      .def("rows", &rows, "engine"_a, "snapshot"_a, "view"_a, "vertices"_a, "edges"_a, "translate"_a, "some"_a,
           "part"_a,
           "Reads columns of vertices (external ids that are integers if `translate`, else internal ids), then the "
           "weights of edges, or the numbers of their rows in a graph with columns of edges.  `some`: only the first "
           "rows will be read.  `part`: (0, 1), or which of `count` parts of all rows.");
  bind_sharing(module, match);
  nb::class_<RowStream>(module, "MatchRows", "The matches, some at a time.")
      .def("next", &next_rows, "engine"_a, "most"_a,
           nb::sig("def next(self, engine: Engine, most: int) -> list[tuple[int, list[NDArray[Any]]]]"),
           "Parts of about `most` rows; none at the end.");
}

}  // namespace rizoma::python
