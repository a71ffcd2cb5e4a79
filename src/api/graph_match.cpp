#include <rizoma/executor.h>
#include <rizoma/graph.h>
#include <rizoma/match.h>

#include "api/used_rows.h"
#include "platform/free_memory.h"
#include "query/plan/match_memory.h"
#include "query/run/lazy_blocks.h"
#include "store/messages.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using query::ColumnBlocks;
using query::LazyBlocks;

constexpr std::uint64_t kShareOfFree = 4;    // values that are kept take at most one part in this many of free memory
constexpr std::uint64_t kBytesOfValue = 16;  // about
constexpr VertexId kBlock = 4096;            // vertices, or rows of edges, whose values are read together

[[nodiscard]] constexpr VertexId blocks_of(VertexId rows) noexcept { return (rows + kBlock - 1) / kBlock; }

/// The values of edges of a graph that has columns: blocks of rows, each read when a value of it is first asked for.
class StoredEdges final : public EdgeRows {
 public:
  StoredEdges(const Snapshot& snapshot, const std::vector<LazyBlocks<ColumnValues>>& columns)
      : snapshot_(snapshot), columns_(columns) {}

  [[nodiscard]] std::uint64_t size() const override { return snapshot_.num_rows(); }
  [[nodiscard]] Result<ColumnValues> values(std::size_t column, std::uint64_t begin, std::uint64_t end) const override {
    return snapshot_.values_between(snapshot_.schema().edge_columns[column].name, begin, end);
  }
  [[nodiscard]] Result<ColumnValues> values(std::size_t column, std::span<const double> rows) const override {
    return snapshot_.edge_values(snapshot_.schema().edge_columns[column].name, rows);
  }
  [[nodiscard]] Result<std::shared_ptr<const UsedRows>> used(Executor& executor) const override {
    FirstFailure failure;
    const auto* const known = snapshot_.match_memory()->used_rows().get(
        0, failure, [&](std::size_t) -> Result<std::shared_ptr<const UsedRows>> {
          RIZOMA_ASSIGN(const GraphView lists, snapshot_.rows_view(executor));
          RIZOMA_ASSIGN(UsedRows found, find_used_rows(lists, size(), executor));
          return std::make_shared<const UsedRows>(std::move(found));
        });
    if (known == nullptr) return failure.status().error();
    return *known;
  }
  [[nodiscard]] const GraphView* lists() const override { return lists_.load(std::memory_order_acquire); }

  Status prepare(Executor& executor, FirstFailure& failure) {
    const std::lock_guard guard(preparing_);
    if (lists() != nullptr) return {};
    RIZOMA_TRY(failure.status());
    Result<GraphView> made = snapshot_.rows_view(executor);
    if (!made) {
      if (made.error().code != ErrorCode::cancelled) failure.note(made.error());
      return made.error();
    }
    held_ = std::make_unique<const GraphView>(*std::move(made));
    lists_.store(held_.get(), std::memory_order_release);
    return {};
  }

  /// Of an entry of `lists`, which are there.
  [[nodiscard]] MatchValue value(std::size_t column, EdgeEntry edge, FirstFailure& failure) const {
    const double named = lists()->with_out(
        [&](const auto& out) -> double { return out.template weights<double>(edge.source)[edge.place]; });
    if (!(named >= 0 && named < static_cast<double>(size()))) {
      failure.note(corrupt("an edge", "names a row that does not exist"));
      return std::monostate{};
    }
    const auto row = static_cast<std::uint64_t>(named);
    const auto read = [&](std::size_t i) {
      return values(column, i * kBlock, std::min<std::uint64_t>((i + 1) * kBlock, size()));
    };
    const ColumnValues* const block = columns_[column].get(row / kBlock, failure, read);
    return block == nullptr ? std::monostate{} : scalar_of(*block, row % kBlock);
  }

 private:
  const Snapshot& snapshot_;
  const std::vector<LazyBlocks<ColumnValues>>& columns_;
  std::mutex preparing_;
  std::unique_ptr<const GraphView> held_;
  std::atomic<const GraphView*> lists_ = nullptr;  ///< once they are there
};

std::shared_ptr<const ColumnBlocks> make_blocks(const Snapshot& snapshot) {
  auto made =
      std::make_shared<ColumnBlocks>(ColumnBlocks{LazyBlocks<IdColumn>(blocks_of(snapshot.num_vertices())), {}, {}});
  for (std::size_t i = 0; i < snapshot.schema().vertex_columns.size(); ++i) {
    made->vertices.emplace_back(blocks_of(snapshot.num_vertices()));
  }
  for (std::size_t i = 0; i < snapshot.schema().edge_columns.size(); ++i) {
    made->edges.emplace_back(blocks_of(snapshot.num_rows()));
  }
  return made;
}

/// As matches of this state ask for it one after the other: to ask the system takes as long as a short one.
std::uint64_t recently_free(const Snapshot& snapshot) {
  return snapshot.match_memory()->free_memory().get([] { return free_memory(); });
}

/// Those that matches of this state share, where all values would take little of what is free; else new ones.
std::shared_ptr<const ColumnBlocks> blocks_for(const Snapshot& snapshot) {
  const GraphSchema& schema = snapshot.schema();
  const std::uint64_t values =
      snapshot.num_vertices() * (schema.vertex_columns.size() + 1) + snapshot.num_rows() * schema.edge_columns.size();
  if (snapshot.part() || values > recently_free(snapshot) / kShareOfFree / kBytesOfValue) return make_blocks(snapshot);
  FirstFailure none;
  return *snapshot.match_memory()->columns().get(
      0, none, [&](std::size_t) -> Result<std::shared_ptr<const ColumnBlocks>> { return make_blocks(snapshot); });
}

class SnapshotColumns final : public MatchColumns {
 public:
  SnapshotColumns(Snapshot snapshot, const GraphView& view)
      : snapshot_(std::move(snapshot)),
        plain_(columns_of(view)),
        blocks_(blocks_for(snapshot_)),
        edges_(snapshot_, blocks_->edges) {}

  std::vector<ColumnSchema> vertex_columns() const override { return schema().vertex_columns; }
  std::vector<ColumnSchema> edge_columns() const override {
    return schema().rows ? schema().edge_columns : plain_->edge_columns();
  }

  MatchValue of_vertex(std::size_t column, VertexId v) const override {
    const ColumnValues* const block = block_of_vertices(column, v / kBlock);
    return block == nullptr ? std::monostate{} : scalar_of(*block, v % kBlock);
  }

  ColumnRun run_of_vertices(std::size_t column, VertexId first) const override {
    const ColumnValues* const block = block_of_vertices(column, first / kBlock);
    return block == nullptr ? ColumnRun() : run_of(*block, first % kBlock, kBlock);
  }

  MatchValue of_edge(std::size_t column, EdgeEntry edge) const override {
    if (!schema().rows) return plain_->of_edge(column, edge);
    SerialExecutor serial;
    if (edges_.lists() == nullptr && !prepare_edges(serial)) return std::monostate{};
    return edges_.value(column, edge, failure_);
  }

  ColumnRun run_of_edges(std::size_t column, EdgeEntry first) const override {
    return schema().rows ? ColumnRun() : plain_->run_of_edges(column, first);
  }

  const EdgeRows* edge_rows() const override { return schema().rows ? &edges_ : nullptr; }

  Status prepare_edges(Executor& executor) const override {
    return schema().rows ? edges_.prepare(executor, failure_) : Status();
  }

  ColumnType id_type() const override {
    return schema().ids == IdKind::string ? ColumnType::string : ColumnType::int64;
  }
  MatchValue id(VertexId v) const override {
    const auto read = [&](std::size_t i) { return snapshot_.ids(range_of_block(i)); };
    const IdColumn* const block = blocks_->ids.get(v / kBlock, failure_, read);
    if (block == nullptr) return std::monostate{};
    if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(block)) return (*numbers)[v % kBlock];
    return std::get<StringColumn>(*block)[v % kBlock];
  }

  Result<VertexId> find(const MatchValue& id) const override {
    const auto* number = std::get_if<std::int64_t>(&id);
    const auto* text = std::get_if<std::string_view>(&id);
    const bool strings = schema().ids == IdKind::string;
    if (strings ? text == nullptr : number == nullptr) return kNoVertex;
    Result<VertexId> found = strings ? snapshot_.find(*text) : snapshot_.find(*number);
    if (!found && found.error().code == ErrorCode::not_found) return kNoVertex;
    return found;
  }

  query::MatchMemory* memory() const override { return snapshot_.part() ? nullptr : snapshot_.match_memory().get(); }

  Status status() const override { return failure_.status(); }

 private:
  [[nodiscard]] const GraphSchema& schema() const noexcept { return snapshot_.schema(); }
  /// Null if it cannot be read, which is then noted.
  [[nodiscard]] const ColumnValues* block_of_vertices(std::size_t column, std::size_t number) const {
    const auto read = [&](std::size_t i) -> Result<ColumnValues> {
      const VertexRange range = range_of_block(i);
      std::vector<VertexId> vertices(range.end - range.begin);
      std::iota(vertices.begin(), vertices.end(), range.begin);
      return snapshot_.vertex_values(schema().vertex_columns[column].name, vertices);
    };
    return blocks_->vertices[column].get(number, failure_, read);
  }
  [[nodiscard]] VertexRange range_of_block(std::size_t i) const noexcept {
    return {i * kBlock, std::min<VertexId>((i + 1) * kBlock, snapshot_.num_vertices())};
  }

  Snapshot snapshot_;
  std::shared_ptr<const MatchColumns> plain_;
  std::shared_ptr<const ColumnBlocks> blocks_;
  mutable StoredEdges edges_;
  mutable FirstFailure failure_;
};

}  // namespace

std::shared_ptr<const MatchColumns> columns_of(const Snapshot& snapshot, const GraphView& view) {
  return std::make_shared<const SnapshotColumns>(snapshot, view);
}

Result<Match> prepare_match(const Snapshot& snapshot, const GraphView& view, MatchOptions options) {
  if (options.columns == nullptr) options.columns = columns_of(snapshot, view);
  RIZOMA_TRY(options.columns->status());
  if (options.memory_limit == 0) options.memory_limit = recently_free(snapshot) / 2;
  return Match::prepare(view, options);
}

}  // namespace rizoma
