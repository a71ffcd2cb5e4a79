#include "query/run/edge_pattern_scan.h"

#include "query/plan/filtered_adjacency.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace rizoma::query {
namespace {

constexpr VertexId kFewer = 8;  // ends that are fewer than one vertex in this many are looked at one by one

/// Whether the filter speaks of the edge and of nothing else.
bool is_of_edge(const Query& query, const Filter& filter) {
  return query.edges[0].item && filter.mask == bit(query.item_of_edge(*query.edges[0].item));
}

/// Walks the lists; the sources of entries stand for `first`.
template <class Target>
class ListWalk {
 public:
  ListWalk(const ScanState& shared, const GraphView& graph, const Adjacency<Target>& lists, unsigned first,
           unsigned second)
      : shared_(shared), graph_(graph), lists_(lists), first_(first), second_(second) {}

  Status run(Engine& engine, bool without_loops, FunctionRef<void(const ScannedEdges&)> found) {
    std::vector<std::unique_ptr<ScanBatch>> batches;
    while (batches.size() < engine.threads()) batches.push_back(std::make_unique<ScanBatch>(shared_, first_, second_));
    const auto whole = [&](VertexRange block, unsigned thread) {
      const auto read = [&](VertexId v) {
        scan_list(*batches[thread], lists_, {v, 0, lists_.degree(v)}, without_loops, found);
      };
      if (const VertexSet* const some = batches[thread]->set_of_first()) {
        some->for_each(block, read);
        return;
      }
      for (VertexId v = block.begin; v < block.end && !engine.stopping(); ++v) {
        if (graph_.is_live(v)) read(v);
      }
    };
    const auto part = [&](ListPiece piece, unsigned thread) {
      if (graph_.is_live(piece.vertex)) scan_list(*batches[thread], lists_, piece, without_loops, found);
    };
    RIZOMA_TRY(engine.for_pieces(graph_, Direction::out, whole, part));
    for (const auto& batch : batches) batch->test(found);
    return {};
  }

 private:
  const ScanState& shared_;
  const GraphView& graph_;
  const Adjacency<Target>& lists_;
  unsigned first_;
  unsigned second_;
};

/// The rows for which the filters on the edge alone hold; none if there are no such filters, or one fails of some edge,
/// which may be in no match.
Result<std::optional<RowBits>> rows_of_edges(Engine& engine, const EdgePatternScan& scan, const UsedRows& used) {
  const FilteredEdges* const set = scan.set();
  const auto failure = std::make_shared<FirstFailure>();
  std::vector<Filter> filters;
  for (const Filter& filter : scan.query.filters) {
    if (!is_of_edge(scan.query, filter)) continue;
    filters.push_back(filter);
    filters.back().failure = failure;
  }
  if (filters.empty()) return std::optional<RowBits>();
  const EdgeRows& rows = *scan.columns.edge_rows();
  RIZOMA_ASSIGN(RowBits bits, kept_rows(engine, filters, rows, set != nullptr ? *set->rows : RowBits(used)));
  return failure->failed() ? std::optional<RowBits>() : std::optional<RowBits>(std::move(bits));
}

/// Whether the rows that are left tell the number of matches.
bool is_counted_by_rows(const Query& query, const UsedRows& used) {
  return used.distinct && query.unequal.empty() && query.filter_of(0) == nullptr && query.filter_of(1) == nullptr &&
         std::all_of(query.filters.begin(), query.filters.end(),
                     [&](const Filter& filter) { return is_of_edge(query, filter); });
}

/// Each edge once, or, where it matches both ways, twice unless it is a loop.
std::uint64_t matches_of_rows(const RowBits& bits, const UsedRows& used, bool both_ways) {
  const bool without_values = bits.holds(0);
  const std::uint64_t edges = bits.count() - (without_values ? 1 : 0) + (without_values ? used.without_values : 0);
  if (!both_ways) return edges;
  const auto loops =
      std::count_if(used.loops.begin(), used.loops.end(), [&](std::uint64_t row) { return bits.holds(row); });
  return 2 * edges - static_cast<std::uint64_t>(loops) - (without_values ? used.loops_without_values : 0);
}

/// Whether a query is a pattern of one edge in one process of which anything but few vertices may be the ends.
bool is_of_many_edges(const Engine& engine, const GraphView& graph, const Query& query) {
  const auto is_missing = [](const auto& anchors) { return !anchors.has_value(); };
  if (engine.ranks() != nullptr || query.vertices != 2 || query.edges.size() != 1) return false;
  const QueryEdge& edge = query.edges[0];
  const auto is_many = [&](unsigned v) {
    const auto kept = query.kept_of(v);
    return !kept || edge.set != 0 || *kept * kFewer >= graph.num_vertices();
  };
  return edge.from != edge.to && (edge.set == 0 || (graph.directed() && query.filtered_edges[edge.set - 1]->rows)) &&
         query.absent.empty() && query.shortest.empty() && query.below.empty() && query.unequal_edges.empty() &&
         std::all_of(query.anchors.begin(), query.anchors.end(), is_missing) && is_many(0) && is_many(1);
}

}  // namespace

bool scans_edges(const Engine& engine, const GraphView& graph, const Query& query) {
  return !query.filters.empty() && is_of_many_edges(engine, graph, query);
}

bool reads_all_edges(const Engine& engine, const GraphView& graph, const Query& query) {
  return query.images.empty() && is_of_many_edges(engine, graph, query);
}

bool walks_back(const GraphView& graph, const Query& query) { return query.edges[0].either && graph.directed(); }

Result<std::uint64_t> EdgePatternScan::count(Engine& engine) const {
  if (const EdgeRows* const rows = columns.edge_rows()) {
    RIZOMA_ASSIGN(const auto used, rows->used(engine));
    if (is_counted_by_rows(query, *used)) {
      RIZOMA_ASSIGN(const auto bits, rows_of_edges(engine, *this, *used));
      if (bits) return matches_of_rows(*bits, *used, !graph.directed() || query.edges[0].either);
    }
  }
  std::atomic<std::uint64_t> matches = 0;
  RIZOMA_TRY(run(engine, [&](const ScannedEdges& edges) {
    std::uint64_t kept = 0;
    for (const std::uint8_t each : edges.keep) kept += each;
    matches.fetch_add(kept, std::memory_order_relaxed);
  }));
  return matches.load();
}

Status EdgePatternScan::count_by(Engine& engine, unsigned item, VertexMap<std::uint64_t>& counts) const {
  const bool by_from = query.edges[0].from == item;
  return run(engine, [&](const ScannedEdges& edges) {
    const std::span<const VertexId> vertices = by_from ? edges.from : edges.to;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      if (edges.keep[i] != 0) counts.atomic(vertices[i]).fetch_add(query.times, std::memory_order_relaxed);
    }
  });
}

Result<ScanState> EdgePatternScan::prepared(Engine& engine) const {
  const auto of_edge = [&](const Filter& filter) { return is_of_edge(query, filter); };
  // Without predicates no value of an edge is read.
  const EdgeRows* const rows = query.filters.empty() ? nullptr : columns.edge_rows();
  ScanState shared{query, columns, {}, {}, rows != nullptr, {}, set() != nullptr};
  if (rows != nullptr) {
    RIZOMA_TRY(columns.prepare_edges(engine));
    if (std::any_of(query.filters.begin(), query.filters.end(), of_edge)) {
      RIZOMA_ASSIGN(const auto used, rows->used(engine));
      RIZOMA_ASSIGN(shared.bits, rows_of_edges(engine, *this, *used));
    }
  }
  for (const Filter& filter : query.filters) {
    if (!shared.bits || !of_edge(filter)) shared.filters.push_back(filter);
  }
  const std::uint64_t room = memory_limit == 0 ? std::numeric_limits<std::uint64_t>::max() : memory_limit;
  RIZOMA_ASSIGN(shared.whole, WholeColumns::read(engine, shared.filters, columns, graph.num_vertices(), room));
  return shared;
}

const GraphView& EdgePatternScan::lists_of(const ScanState& shared) const {
  if (shared.is_part) return set()->lists;
  return shared.has_rows ? *columns.edge_rows()->lists() : graph;
}

const FilteredEdges* EdgePatternScan::set() const {
  const std::size_t number = query.edges[0].set;
  return number == 0 ? nullptr : query.filtered_edges[number - 1].get();
}

Status EdgePatternScan::run(Engine& engine, FunctionRef<void(const ScannedEdges&)> found) const {
  const QueryEdge& edge = query.edges[0];
  RIZOMA_ASSIGN(const ScanState shared, prepared(engine));
  const GraphView& walked = lists_of(shared);
  return walked.with_out([&]<class Target>(const Adjacency<Target>& lists) -> Status {
    ListWalk<Target> forwards(shared, walked, lists, edge.from, edge.to);
    RIZOMA_TRY(forwards.run(engine, !query.unequal.empty(), found));
    if (!walks_back(graph, query)) return {};
    return ListWalk<Target>(shared, walked, lists, edge.to, edge.from).run(engine, true, found);
  });
}

}  // namespace rizoma::query
