#include "query/run/scanned_rows.h"

#include "query/run/roots.h"
#include "query/run/row_worker.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

namespace rizoma::query {
namespace {

/// The columns of a row: from which end of the edge each is.
class ScanWriter {
 public:
  ScanWriter(const Query& query, const RowColumns& wanted) : wanted_(wanted) {
    for (const std::size_t name : wanted.vertices)
      is_from_.push_back(query.vertex_of_name[name] == query.edges[0].from);
  }

  /// So that columns do not move while they grow.
  static void make_room(MatchRows& rows, std::size_t count) {
    for (auto& column : rows.vertices) column.reserve(count);
    for (auto& column : rows.edges) column.reserve(count);
  }

  void write(const ScannedEdges& edges, MatchRows& rows) {
    kept_.resize(edges.keep.size());
    std::size_t count = 0;
    for (std::size_t i = 0; i < edges.keep.size(); ++i) {
      kept_[count] = i;
      count += edges.keep[i];
    }
    kept_.resize(count);
    for (std::size_t i = 0; i < is_from_.size(); ++i) {
      const std::span<const VertexId> vertices = is_from_[i] ? edges.from : edges.to;
      if (wanted_.ids == nullptr) append(rows.vertices[i], [&](std::size_t at) { return vertices[at]; });
      else append(rows.vertices[i], [&](std::size_t at) { return (*wanted_.ids)[vertices[at]]; });
    }
    for (auto& column : rows.edges) append(column, [&](std::size_t at) { return edges.entries[at]; });
    rows.rows += count;
  }

 private:
  template <class T, class Value>
  void append(std::vector<T>& column, Value&& value) const {
    const std::size_t before = column.size();
    column.resize(before + kept_.size());
    for (std::size_t i = 0; i < kept_.size(); ++i) column[before + i] = static_cast<T>(value(kept_[i]));
  }

  const RowColumns& wanted_;
  std::vector<bool> is_from_;
  std::vector<std::size_t> kept_;
};

/// What all workers of a scan share.
template <class Target>
struct ScanRun {
  const ScanState& shared;
  const GraphView& graph;  ///< whose lists are walked
  const Adjacency<Target>& lists;
  const Query& query;
  const RowColumns& wanted;
};

/// Blocks of a scan, forwards and then, where the pattern's edge matches either way, backwards.
struct ScanBlocks {
  std::vector<RootBlock> blocks;
  bool backwards = false;
};

/// A thread that reads rows, with the blocks that it has taken.
template <class Target>
class ScanWorker {
 public:
  explicit ScanWorker(const ScanRun<Target>& run) : run_(run), writer_(run.query, run.wanted) {
    const QueryEdge& edge = run.query.edges[0];
    forwards_ = std::make_unique<ScanBatch>(run.shared, edge.from, edge.to);
    backwards_ = std::make_unique<ScanBatch>(run.shared, edge.to, edge.from);
  }

  /// As RowWorker::work, but that rows of a block come together.
  template <class Take>
  bool work(const Engine& engine, MatchRows& rows, std::size_t most, Take&& take) {
    const auto found = [&](const ScannedEdges& edges) { writer_.write(edges, rows); };
    writer_.make_room(rows, std::min<std::size_t>(most, kRoom));
    for (std::uint64_t taken = 0; rows.rows < most && taken < kBlocksAtATime; ++taken) {
      if (engine.stopping()) return true;
      ScanBlocks some;
      if (!take(some)) {
        forwards_->test(found);
        backwards_->test(found);
        return false;
      }
      ScanBatch& batch = some.backwards ? *backwards_ : *forwards_;
      for (const RootBlock& block : some.blocks)
        walk(batch, block, some.backwards || !run_.query.unequal.empty(), found);
    }
    return true;
  }

 private:
  static constexpr std::uint64_t kBlocksAtATime = 1024;  // before it reports its progress
  static constexpr std::size_t kRoom = std::size_t{1} << 17;

  void walk(ScanBatch& batch, const RootBlock& block, bool without_loops,
            FunctionRef<void(const ScannedEdges&)> found) {
    const auto read = [&](VertexId v) {
      const ListPiece whole{v, 0, run_.lists.degree(v)};
      scan_list(batch, run_.lists, block.piece ? *block.piece : whole, without_loops, found);
    };
    if (const VertexSet* const some = batch.set_of_first()) {
      some->for_each(block.vertices, read);
      return;
    }
    for (VertexId v = block.vertices.begin; v < block.vertices.end; ++v) {
      if (run_.graph.is_live(v)) read(v);
    }
  }

  const ScanRun<Target>& run_;
  ScanWriter writer_;
  std::unique_ptr<ScanBatch> forwards_;
  std::unique_ptr<ScanBatch> backwards_;
};

template <class Target>
class ScannedRows final : public QueryRows {
 public:
  ScannedRows(const CursorPlan& plan, const Query& query, ScanState shared, const GraphView& walked,
              const Adjacency<Target>& lists)
      : shared_(std::move(shared)),
        run_{shared_, walked, lists, query, plan.wanted},
        blocks_(RootBlocks::in_pieces(walked)),
        share_{plan.selection.part, plan.selection.parts},
        size_(blocks_.size() * (walks_back(plan.graph, query) ? 2 : 1)) {}

  Result<bool> next(Engine& engine, std::size_t most, std::vector<MatchRows>& parts) override {
    while (workers_.size() < engine.threads()) workers_.push_back(std::make_unique<ScanWorker<Target>>(run_));
    const auto take = [&](ScanBlocks& some) {
      const std::uint64_t i = next_.fetch_add(1, std::memory_order_relaxed);
      if (i >= share_.count(size_)) return false;
      const std::uint64_t number = share_.number(i);
      some.backwards = number >= blocks_.size();
      blocks_.read(number % blocks_.size(), some.blocks);
      return true;
    };
    std::vector<MatchRows> found;
    RIZOMA_ASSIGN(const bool some_left, read_side_by_side(engine, workers_, run_.wanted, most, take, found));
    for (MatchRows& rows : found) {
      if (rows.rows != 0) parts.push_back(std::move(rows));
    }
    return some_left;
  }

  double share_done() const override {
    const auto all = static_cast<double>(share_.count(size_));
    return all == 0 ? 1 : std::min(1.0, static_cast<double>(next_.load(std::memory_order_relaxed)) / all);
  }

 private:
  ScanState shared_;
  ScanRun<Target> run_;
  RootBlocks blocks_;
  BlockShare share_;
  std::uint64_t size_;
  std::atomic<std::uint64_t> next_ = 0;
  std::vector<std::unique_ptr<ScanWorker<Target>>> workers_;
};

}  // namespace

Result<std::unique_ptr<QueryRows>> scanned_rows(Engine& engine, const CursorPlan& plan, const Query& query) {
  const EdgePatternScan scan{plan.graph, query, *plan.columns, plan.memory_limit};
  RIZOMA_ASSIGN(ScanState shared, scan.prepared(engine));
  const GraphView& walked = scan.lists_of(shared);
  return walked.with_out([&]<class Target>(const Adjacency<Target>& lists) -> std::unique_ptr<QueryRows> {
    return std::make_unique<ScannedRows<Target>>(plan, query, std::move(shared), walked, lists);
  });
}

}  // namespace rizoma::query
