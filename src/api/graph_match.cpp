#include <rizoma/executor.h>
#include <rizoma/graph.h>
#include <rizoma/match.h>

#include "platform/free_memory.h"
#include "query/run/lazy_blocks.h"

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

using query::LazyBlocks;

constexpr VertexId kBlock = 4096;  // vertices, or entries, whose values are read together

[[nodiscard]] constexpr VertexId blocks_of(VertexId rows) noexcept { return (rows + kBlock - 1) / kBlock; }

/// The values of edges of a graph that has columns, in the order of the lists.
class EdgeValues {
 public:
  EdgeValues(const Snapshot& snapshot, GraphView rows) : snapshot_(snapshot), rows_(std::move(rows)) {
    VertexId blocks = 0;
    rows_.with_out([&](const auto& out) {
      for (SectionId s = 0; s < out.num_sections(); ++s) {
        first_block_.push_back(blocks);
        blocks += blocks_of(out.section_size(s));
      }
    });
    for (std::size_t i = 0; i < snapshot.schema().edge_columns.size(); ++i) columns_.emplace_back(blocks);
  }

  [[nodiscard]] MatchValue value(std::size_t column, EdgeEntry edge, FirstFailure& failure) const {
    const auto [block, place] = at(column, edge, failure);
    return block == nullptr ? std::monostate{} : scalar_of(*block, place);
  }

  /// The values of a list from this entry on, up to the end of their block.
  [[nodiscard]] ColumnRun run(std::size_t column, EdgeEntry edge, FirstFailure& failure) const {
    const EdgeCount degree = rows_.with_out([&](const auto& out) { return out.degree(edge.source); });
    if (edge.place >= degree) return {};
    const auto [block, place] = at(column, edge, failure);
    return block == nullptr ? ColumnRun() : run_of(*block, place, degree - edge.place);
  }

 private:
  /// The block of values that has the entry's, and its place there; null: it cannot be read.
  [[nodiscard]] std::pair<const ColumnValues*, std::size_t> at(std::size_t column, EdgeEntry edge,
                                                               FirstFailure& failure) const {
    return rows_.with_out([&](const auto& out) {
      const SectionId s = out.section_of(edge.source);
      const EdgeCount place = out.section(s).offsets[edge.source - out.range_of(s).begin] + edge.place;
      const auto read = [&](std::size_t i) -> Result<ColumnValues> {
        const EdgeCount begin = (i - first_block_[s]) * kBlock;
        const EdgeCount end = std::min<EdgeCount>(begin + kBlock, out.section_size(s));
        const auto* const numbers = static_cast<const double*>(out.section(s).weights);
        return snapshot_.edge_values(snapshot_.schema().edge_columns[column].name,
                                     std::span(numbers + begin, numbers + end));
      };
      const ColumnValues* const block = columns_[column].get(first_block_[s] + place / kBlock, failure, read);
      return std::pair(block, std::size_t{place % kBlock});
    });
  }

  const Snapshot& snapshot_;
  GraphView rows_;
  std::vector<VertexId> first_block_;  ///< of each section
  std::vector<LazyBlocks<ColumnValues>> columns_;
};

class SnapshotColumns final : public MatchColumns {
 public:
  SnapshotColumns(Snapshot snapshot, const GraphView& view)
      : snapshot_(std::move(snapshot)), plain_(columns_of(view)), ids_(blocks_of(snapshot_.num_vertices())) {
    for (std::size_t i = 0; i < schema().vertex_columns.size(); ++i) {
      vertices_.emplace_back(blocks_of(snapshot_.num_vertices()));
    }
  }

  std::vector<ColumnSchema> vertex_columns() const override { return schema().vertex_columns; }
  std::vector<ColumnSchema> edge_columns() const override {
    return schema().rows ? schema().edge_columns : plain_->edge_columns();
  }

  MatchValue of_vertex(std::size_t column, VertexId v) const override {
    const auto read = [&](std::size_t i) -> Result<ColumnValues> {
      const VertexRange range = range_of_block(i);
      std::vector<VertexId> vertices(range.end - range.begin);
      std::iota(vertices.begin(), vertices.end(), range.begin);
      return snapshot_.vertex_values(schema().vertex_columns[column].name, vertices);
    };
    const ColumnValues* const block = vertices_[column].get(v / kBlock, failure_, read);
    return block == nullptr ? std::monostate{} : scalar_of(*block, v % kBlock);
  }

  MatchValue of_edge(std::size_t column, EdgeEntry edge) const override {
    if (!schema().rows) return plain_->of_edge(column, edge);
    const EdgeValues* const edges = edge_values();
    return edges == nullptr ? std::monostate{} : edges->value(column, edge, failure_);
  }

  ColumnRun run_of_edges(std::size_t column, EdgeEntry first) const override {
    if (!schema().rows) return plain_->run_of_edges(column, first);
    const EdgeValues* const edges = edge_values();
    return edges == nullptr ? ColumnRun() : edges->run(column, first, failure_);
  }

  Status prepare_edges(Executor& executor) const override {
    if (!schema().rows) return {};
    const std::lock_guard guard(making_edges_);
    if (edges_.load(std::memory_order_relaxed) != nullptr) return {};
    RIZOMA_TRY(failure_.status());
    Result<GraphView> rows = snapshot_.rows_view(executor);
    if (!rows) {
      if (rows.error().code != ErrorCode::cancelled) failure_.note(rows.error());
      return rows.error();
    }
    held_edges_ = std::make_unique<const EdgeValues>(snapshot_, *std::move(rows));
    edges_.store(held_edges_.get(), std::memory_order_release);
    return {};
  }

  ColumnType id_type() const override {
    return schema().ids == IdKind::string ? ColumnType::string : ColumnType::int64;
  }
  MatchValue id(VertexId v) const override {
    const auto read = [&](std::size_t i) { return snapshot_.ids(range_of_block(i)); };
    const IdColumn* const block = ids_.get(v / kBlock, failure_, read);
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

  Status status() const override { return failure_.status(); }

 private:
  [[nodiscard]] const GraphSchema& schema() const noexcept { return snapshot_.schema(); }
  /// Null if they cannot be read.
  [[nodiscard]] const EdgeValues* edge_values() const {
    const EdgeValues* const known = edges_.load(std::memory_order_acquire);
    if (known != nullptr) return known;
    SerialExecutor serial;
    return prepare_edges(serial) ? edges_.load(std::memory_order_acquire) : nullptr;
  }
  [[nodiscard]] VertexRange range_of_block(std::size_t i) const noexcept {
    return {i * kBlock, std::min<VertexId>((i + 1) * kBlock, snapshot_.num_vertices())};
  }

  Snapshot snapshot_;
  std::shared_ptr<const MatchColumns> plain_;
  LazyBlocks<IdColumn> ids_;
  std::vector<LazyBlocks<ColumnValues>> vertices_;  ///< of each column
  mutable std::mutex making_edges_;
  mutable std::unique_ptr<const EdgeValues> held_edges_;
  mutable std::atomic<const EdgeValues*> edges_ = nullptr;  ///< once a value of an edge has been asked for
  mutable FirstFailure failure_;
};

}  // namespace

std::shared_ptr<const MatchColumns> columns_of(const Snapshot& snapshot, const GraphView& view) {
  return std::make_shared<const SnapshotColumns>(snapshot, view);
}

Result<Match> prepare_match(const Snapshot& snapshot, const GraphView& view, MatchOptions options) {
  if (options.columns == nullptr) options.columns = columns_of(snapshot, view);
  RIZOMA_TRY(options.columns->status());
  if (options.memory_limit == 0) options.memory_limit = free_memory() / 2;
  return Match::prepare(view, options);
}

}  // namespace rizoma
