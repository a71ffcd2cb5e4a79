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
#include <optional>
#include <span>
#include <string_view>
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

[[nodiscard]] VertexRange range_of_block(std::size_t i, std::uint64_t size) noexcept {
  return {i * kBlock, std::min<VertexId>((i + 1) * kBlock, size)};
}

Result<ColumnValues> block_of_vertices(const Snapshot& snapshot, const ColumnSchema& column, std::size_t i) {
  const VertexRange range = range_of_block(i, snapshot.num_vertices());
  std::vector<VertexId> vertices(range.size());
  std::iota(vertices.begin(), vertices.end(), range.begin);
  return snapshot.vertex_values(column.name, vertices);
}

Result<ColumnValues> block_of_edges(const Snapshot& snapshot, const ColumnSchema& column, std::size_t i) {
  const VertexRange range = range_of_block(i, snapshot.num_rows());
  return snapshot.values_between(column.name, range.begin, range.end);
}

/// The values with some numbers (of vertices, or of rows) out of blocks, which are read when the first value of them is
/// met.
template <class Number>
class BlockGatherer {
 public:
  using Read = FunctionRef<Result<ColumnValues>(std::size_t)>;

  /// Numbers are to be below `size`.
  BlockGatherer(std::span<const Number> numbers, std::uint64_t size, const LazyBlocks<ColumnValues>& blocks, Read read)
      : numbers_(numbers), size_(size), blocks_(blocks), read_(read) {}

  /// False if they are few, or too far apart, by some of them.
  [[nodiscard]] bool pays() const {
    if (numbers_.size() < kFewest) return false;
    Number least = numbers_[0];
    Number most = numbers_[0];
    for (std::size_t i = 0; i < numbers_.size(); i += kLookedAt) {
      least = std::min(least, numbers_[i]);
      most = std::max(most, numbers_[i]);
    }
    return static_cast<double>(most) - static_cast<double>(least) < static_cast<double>(numbers_.size()) * kReadForOne;
  }

  /// None: one is not below the size.
  Result<std::optional<ColumnValues>> gather(const ColumnSchema& column) const {
    ColumnValues out{column.name, column.type, {}, {}, {}};
    switch (column_width(column.type)) {
      case 1: return gathered<std::uint8_t>(std::move(out));
      case 2: return gathered<std::uint16_t>(std::move(out));
      case 4: return gathered<std::uint32_t>(std::move(out));
      default: return gathered<std::uint64_t>(std::move(out));
    }
  }

 private:
  static constexpr std::size_t kFewest = 4096;
  static constexpr std::size_t kLookedAt = 61;  // one in this many
  static constexpr double kReadForOne = 32;     // values of blocks for each that is asked for, at most

  /// Calls f(i, block, place in it) for each number.  False: as above, or a failure.
  template <class F>
  bool for_each(FirstFailure& failure, F&& f) const {
    const ColumnValues* block = nullptr;
    std::uint64_t place_of_block = 0;
    const auto size = static_cast<Number>(size_);
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      if (!(numbers_[i] >= Number{0} && numbers_[i] < size)) return false;
      const auto number = static_cast<std::uint64_t>(numbers_[i]);
      if (block == nullptr || number / kBlock != place_of_block) {
        place_of_block = number / kBlock;
        block = blocks_.get(place_of_block, failure, read_);
        if (block == nullptr) return false;
      }
      f(i, *block, number % kBlock);
    }
    return true;
  }

  template <class T>
  Result<std::optional<ColumnValues>> gathered(ColumnValues out) const {
    FirstFailure failure;
    out.values.resize(numbers_.size() * sizeof(T));
    auto* const values = reinterpret_cast<T*>(out.values.data());
    bool has_nulls = false;
    const bool all = for_each(failure, [&](std::size_t i, const ColumnValues& block, std::uint64_t place) {
      has_nulls = has_nulls || !block.valid.empty();
      values[i] = reinterpret_cast<const T*>(block.values.data())[place];
    });
    RIZOMA_TRY(failure.status());
    if (!all) return std::optional<ColumnValues>();
    if (!has_nulls) return std::optional(std::move(out));
    out.valid.resize(numbers_.size());
    for_each(failure, [&](std::size_t i, const ColumnValues& block, std::uint64_t place) {
      out.valid[i] = block.is_valid(place) ? 1 : 0;
    });
    if (std::find(out.valid.begin(), out.valid.end(), 0) == out.valid.end()) out.valid.clear();
    return std::optional(std::move(out));
  }

  std::span<const Number> numbers_;
  std::uint64_t size_;
  const LazyBlocks<ColumnValues>& blocks_;
  Read read_;
};

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
  [[nodiscard]] Result<ColumnValues> kept_values(std::size_t column,
                                                 std::span<const std::uint64_t> rows) const override {
    const ColumnSchema& schema = snapshot_.schema().edge_columns[column];
    const auto read = [&](std::size_t i) { return block_of_edges(snapshot_, schema, i); };
    RIZOMA_ASSIGN(auto found, BlockGatherer<std::uint64_t>(rows, size(), columns_[column], read).gather(schema));
    return found ? Result<ColumnValues>(*std::move(found)) : corrupt("an edge", "names a row that does not exist");
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
      return block_of_edges(snapshot_, snapshot_.schema().edge_columns[column], i);
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

/// Those that matches of this state share, where all values would take little of what is free; else null.
std::shared_ptr<const ColumnBlocks> shared_blocks(const Snapshot& snapshot) {
  const GraphSchema& schema = snapshot.schema();
  const std::uint64_t values =
      snapshot.num_vertices() * (schema.vertex_columns.size() + 1) + snapshot.num_rows() * schema.edge_columns.size();
  if (snapshot.part() || values > recently_free(snapshot) / kShareOfFree / kBytesOfValue) return nullptr;
  FirstFailure none;
  return *snapshot.match_memory()->columns().get(
      0, none, [&](std::size_t) -> Result<std::shared_ptr<const ColumnBlocks>> { return make_blocks(snapshot); });
}

std::shared_ptr<const ColumnBlocks> blocks_for(const Snapshot& snapshot) {
  auto shared = shared_blocks(snapshot);
  return shared == nullptr ? make_blocks(snapshot) : shared;
}

/// The place of a column of fixed width; none: there is no such column.
std::optional<std::size_t> fixed_column(const std::vector<ColumnSchema>& columns, std::string_view name) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name == name && column_width(columns[i].type) != 0) return i;
  }
  return std::nullopt;
}

/// The values with some numbers out of the blocks that matches share: those of the columns in `of`, which
/// read(snapshot, column, number of the block) reads.  None: there are no such blocks, or they do not pay.
template <class Number, class Read>
Result<std::optional<ColumnValues>> out_of_blocks(const Snapshot& snapshot, const std::vector<ColumnSchema>& columns,
                                                  std::vector<LazyBlocks<ColumnValues>> ColumnBlocks::* of,
                                                  std::string_view name, std::span<const Number> numbers,
                                                  std::uint64_t size, Read read_block) {
  const auto column = fixed_column(columns, name);
  const auto blocks = column ? shared_blocks(snapshot) : nullptr;
  if (blocks == nullptr) return std::optional<ColumnValues>();
  const auto read = [&](std::size_t i) { return read_block(snapshot, columns[*column], i); };
  const BlockGatherer<Number> some(numbers, size, ((*blocks).*of)[*column], read);
  return some.pays() ? some.gather(columns[*column]) : std::optional<ColumnValues>();
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
    const auto read = [&](std::size_t i) { return snapshot_.ids(range_of_block(i, snapshot_.num_vertices())); };
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
    const auto read = [&](std::size_t i) {
      return rizoma::block_of_vertices(snapshot_, schema().vertex_columns[column], i);
    };
    return blocks_->vertices[column].get(number, failure_, read);
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

Result<ColumnValues> values_of_vertices(const Snapshot& snapshot, std::string_view name,
                                        std::span<const VertexId> vertices) {
  RIZOMA_ASSIGN(auto found, out_of_blocks(snapshot, snapshot.schema().vertex_columns, &ColumnBlocks::vertices, name,
                                          vertices, snapshot.num_vertices(), block_of_vertices));
  return found ? Result<ColumnValues>(*std::move(found)) : snapshot.vertex_values(name, vertices);
}

Result<ColumnValues> values_of_edges(const Snapshot& snapshot, std::string_view name, std::span<const double> rows) {
  RIZOMA_ASSIGN(auto found, out_of_blocks(snapshot, snapshot.schema().edge_columns, &ColumnBlocks::edges, name, rows,
                                          snapshot.num_rows(), block_of_edges));
  return found ? Result<ColumnValues>(*std::move(found)) : snapshot.edge_values(name, rows);
}

Result<Match> prepare_match(const Snapshot& snapshot, const GraphView& view, MatchOptions options) {
  if (options.columns == nullptr) options.columns = columns_of(snapshot, view);
  RIZOMA_TRY(options.columns->status());
  if (options.memory_limit == 0) options.memory_limit = recently_free(snapshot) / 2;
  return Match::prepare(view, options);
}

}  // namespace rizoma
