#include "query/run/edge_pattern_scan.h"

#include "predicate/evaluator.h"
#include "query/plan/row_filter.h"
#include "query/run/whole_columns.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace rizoma::query {
namespace {

constexpr VertexId kFewer = 8;  // ends that are fewer than one vertex in this many are looked at one by one
constexpr std::size_t kTestedTogether = 1024;

/// Whether the filter speaks of the edge and of nothing else.
bool is_of_edge(const Query& query, const Filter& filter) {
  return query.edges[0].item && filter.mask == bit(query.item_of_edge(*query.edges[0].item));
}

/// What all threads of a scan share.
struct ScanState {
  const Query& query;
  const MatchColumns& columns;
  std::vector<Filter> filters;  ///< to test of each edge
  WholeColumns whole;
  bool has_rows = false;        ///< the lists name the row of each edge
  std::optional<RowBits> bits;  ///< the rows that predicates on the edge alone keep, if there are such
};

/// The edges of a direction that one thread tests together.
class TestBatch final : public predicate::Source {
 public:
  TestBatch(const ScanState& shared, unsigned first, unsigned second)
      : shared_(shared), first_(first), second_(second) {
    for (const Filter& filter : shared.filters) evaluators_.emplace_back(*filter.program);
    for (auto* const list : {&sources_, &targets_, &rows_, &places_}) list->resize(kTestedTogether);
    keep_.resize(kTestedTogether);
  }

  /// True if it is full.
  bool add(VertexId source, VertexId target, std::uint64_t row, EdgeCount place) {
    sources_[size_] = source;
    targets_[size_] = target;
    rows_[size_] = row;
    places_[size_] = place;
    return ++size_ == kTestedTogether;
  }

  void test(FunctionRef<void(const ScannedEdges&)> found) {
    if (size_ == 0) return;
    const std::span keep = std::span(keep_).first(size_);
    std::fill(keep.begin(), keep.end(), std::uint8_t{1});
    for (std::size_t i = 0; i < evaluators_.size(); ++i) {
      if (!evaluators_[i].test(*this, keep)) shared_.filters[i].failure->note(evaluators_[i].error());
    }
    const bool forwards = shared_.query.edges[0].from == first_;
    const std::span<const VertexId> sources = std::span(sources_).first(size_);
    const std::span<const VertexId> targets = std::span(targets_).first(size_);
    found({forwards ? sources : targets, forwards ? targets : sources, keep});
    size_ = 0;
  }

  void load(const predicate::Slot& slot, bool units, std::size_t begin, std::size_t count,
            predicate::Values& to) override {
    const bool of_edge = source_of(slot) == SlotSource::edge_column;
    const std::uint64_t* const places = (of_edge ? rows_ : slot.item == first_ ? sources_ : targets_).data() + begin;
    if (const WholeColumn* const whole = shared_.whole.find(slot, units)) {
      return gather_values(*whole, count, to, [places](std::size_t i) { return places[i]; });
    }
    const auto value = [&](std::size_t i) -> Scalar {
      if (of_edge) return shared_.columns.of_edge(slot.column, {sources_[begin + i], places_[begin + i]});
      if (source_of(slot) == SlotSource::vertex_id) return shared_.columns.id(places[i]);
      return shared_.columns.of_vertex(slot.column, places[i]);
    };
    predicate::load_scalars(slot.type, units, count, value, to);
  }

  [[nodiscard]] const VertexSet* set_of_first() const noexcept { return shared_.query.filter_of(first_); }
  [[nodiscard]] const VertexSet* set_of_second() const noexcept { return shared_.query.filter_of(second_); }

 private:
  const ScanState& shared_;
  unsigned first_;   ///< the vertex item that the sources of entries are
  unsigned second_;  ///< and the targets
  std::vector<predicate::Evaluator> evaluators_;
  std::size_t size_ = 0;
  std::vector<std::uint64_t> sources_;
  std::vector<std::uint64_t> targets_;
  std::vector<std::uint64_t> rows_;
  std::vector<std::uint64_t> places_;
  std::vector<std::uint8_t> keep_;
};

/// Walks the lists; the sources of entries stand for `first`.
template <class Target>
class ListWalk {
 public:
  ListWalk(const ScanState& shared, const GraphView& graph, const Adjacency<Target>& lists, unsigned first,
           unsigned second)
      : shared_(shared), graph_(graph), lists_(lists), first_(first), second_(second) {}

  Status run(Engine& engine, bool without_loops, FunctionRef<void(const ScannedEdges&)> found) {
    std::vector<std::unique_ptr<TestBatch>> batches;
    while (batches.size() < engine.threads()) batches.push_back(std::make_unique<TestBatch>(shared_, first_, second_));
    const auto whole = [&](VertexRange block, unsigned thread) {
      for (VertexId v = block.begin; v < block.end && !engine.stopping(); ++v) {
        if (graph_.is_live(v)) walk(*batches[thread], {v, 0, lists_.degree(v)}, without_loops, found);
      }
    };
    const auto part = [&](ListPiece piece, unsigned thread) {
      if (graph_.is_live(piece.vertex)) walk(*batches[thread], piece, without_loops, found);
    };
    RIZOMA_TRY(engine.for_pieces(graph_, Direction::out, whole, part));
    for (const auto& batch : batches) batch->test(found);
    return {};
  }

 private:
  void walk(TestBatch& batch, const ListPiece& piece, bool without_loops,
            FunctionRef<void(const ScannedEdges&)> found) {
    const VertexId v = piece.vertex;
    if (piece.begin == piece.end) return;
    if (const VertexSet* const set = batch.set_of_first(); set != nullptr && !set->contains(v)) return;
    const VertexSet* const others = batch.set_of_second();
    const RowBits* const bits = shared_.bits ? &*shared_.bits : nullptr;
    const auto targets = lists_.neighbors(v);
    const double* const rows = shared_.has_rows ? lists_.template weights<double>(v).data() : nullptr;
    for (EdgeCount i = piece.begin; i < piece.end; ++i) {
      if (bits != nullptr && !bits->holds(rows[i])) continue;
      const VertexId to = targets[i];
      if ((without_loops && to == v) || (others != nullptr && !others->contains(to))) continue;
      if (batch.add(v, to, rows == nullptr ? 0 : static_cast<std::uint64_t>(rows[i]), i)) batch.test(found);
    }
  }

  const ScanState& shared_;
  const GraphView& graph_;
  const Adjacency<Target>& lists_;
  unsigned first_;
  unsigned second_;
};

/// The rows for which the filters on the edge alone hold; none if there are no such filters.
Result<std::optional<RowBits>> rows_of_edges(Engine& engine, const EdgePatternScan& scan, const UsedRows& used) {
  std::vector<Filter> filters;
  for (const Filter& filter : scan.query.filters) {
    if (is_of_edge(scan.query, filter)) filters.push_back(filter);
  }
  if (filters.empty()) return std::optional<RowBits>();
  RIZOMA_ASSIGN(RowBits bits, kept_rows(engine, filters, *scan.columns.edge_rows(), used));
  return std::optional<RowBits>(std::move(bits));
}

/// Whether the rows that are left tell the number of matches.
bool is_counted_by_rows(const Query& query, const UsedRows& used) {
  return used.distinct && query.unequal.empty() && query.filter_of(0) == nullptr && query.filter_of(1) == nullptr &&
         std::all_of(query.filters.begin(), query.filters.end(),
                     [&](const Filter& filter) { return is_of_edge(query, filter); });
}

/// Each edge once, or, where it matches both ways, twice unless it is a loop.
std::uint64_t matches_of_rows(const RowBits& bits, const UsedRows& used, bool both_ways) {
  const bool without_values = bits.holds(std::uint64_t{0});
  const std::uint64_t edges = bits.count() - (without_values ? 1 : 0) + (without_values ? used.without_values : 0);
  if (!both_ways) return edges;
  const auto loops =
      std::count_if(used.loops.begin(), used.loops.end(), [&](std::uint64_t row) { return bits.holds(row); });
  return 2 * edges - static_cast<std::uint64_t>(loops) - (without_values ? used.loops_without_values : 0);
}

}  // namespace

bool scans_edges(const Engine& engine, const GraphView& graph, const Query& query) {
  const auto is_missing = [](const auto& anchors) { return !anchors.has_value(); };
  if (engine.ranks() != nullptr || query.vertices != 2 || query.edges.size() != 1 || query.filters.empty())
    return false;
  const QueryEdge& edge = query.edges[0];
  const auto is_many = [&](unsigned v) {
    const auto kept = query.kept_of(v);
    return !kept || *kept * kFewer >= graph.num_vertices();
  };
  return edge.from != edge.to && edge.set == 0 && query.absent.empty() && query.shortest.empty() &&
         query.below.empty() && query.unequal_edges.empty() &&
         std::all_of(query.anchors.begin(), query.anchors.end(), is_missing) && is_many(0) && is_many(1);
}

Result<std::uint64_t> EdgePatternScan::count(Engine& engine) const {
  if (const EdgeRows* const rows = columns.edge_rows()) {
    RIZOMA_ASSIGN(const auto used, rows->used(engine));
    if (is_counted_by_rows(query, *used)) {
      RIZOMA_ASSIGN(const auto bits, rows_of_edges(engine, *this, *used));
      return matches_of_rows(*bits, *used, !graph.directed() || query.edges[0].either);
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

Status EdgePatternScan::run(Engine& engine, FunctionRef<void(const ScannedEdges&)> found) const {
  const QueryEdge& edge = query.edges[0];
  const EdgeRows* const rows = columns.edge_rows();
  std::shared_ptr<const UsedRows> used;
  if (rows != nullptr) {
    RIZOMA_TRY(columns.prepare_edges(engine));
    RIZOMA_ASSIGN(used, rows->used(engine));
  }
  ScanState shared{query, columns, {}, {}, rows != nullptr, {}};
  for (const Filter& filter : query.filters) {
    if (used == nullptr || !is_of_edge(query, filter)) shared.filters.push_back(filter);
  }
  if (used != nullptr) {
    RIZOMA_ASSIGN(shared.bits, rows_of_edges(engine, *this, *used));
  }
  const std::uint64_t room = memory_limit == 0 ? std::numeric_limits<std::uint64_t>::max() : memory_limit;
  RIZOMA_ASSIGN(shared.whole, WholeColumns::read(engine, shared.filters, columns, graph.num_vertices(), room));
  const GraphView& walked = rows == nullptr ? graph : *rows->lists();
  return walked.with_out([&]<class Target>(const Adjacency<Target>& lists) -> Status {
    ListWalk<Target> forwards(shared, walked, lists, edge.from, edge.to);
    RIZOMA_TRY(forwards.run(engine, !query.unequal.empty(), found));
    if (!edge.either || !graph.directed()) return {};
    return ListWalk<Target>(shared, walked, lists, edge.to, edge.from).run(engine, true, found);
  });
}

}  // namespace rizoma::query
