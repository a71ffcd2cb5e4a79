// EdgeScan: the edges of a view as flat columns, chunk by chunk, as tables want them.  Module: api.
//
// Edges are numbered in the order of their source's inner number; an undirected edge is listed once, from
// the end of smaller inner number (a self-loop once).  Any range of these numbers can be read, on all
// threads, so a reader holds no more than the chunk that it asked for.
// Cost: `create` O(vertices) once; `read` O(edges of the chunk) and a walk of at most 256 lists a piece.
// Memory: 8 bytes for 256 vertices, and if external ids differ from inner numbers 4 bytes a vertex, or 8 if
// some id is below 0 or does not fit in 32 bits.
#pragma once

#include <rizoma/executor.h>
#include <rizoma/graph_view.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

namespace rizoma {

/// One value an edge.  Its memory goes back to the scan that made it and is filled again for later chunks.
template <class T>
class ScanColumn {
 public:
  ScanColumn() = default;
  ScanColumn(std::shared_ptr<void> memory, std::size_t size) : memory_(std::move(memory)), size_(size) {}
  [[nodiscard]] T* data() const noexcept { return static_cast<T*>(memory_.get()); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  std::shared_ptr<void> memory_;
  std::size_t size_ = 0;
};

/// Which columns a reader wants.
struct EdgeColumns {
  bool sources = true;
  bool targets = true;
  bool weights = true;
};

/// Edge i goes from sources[i] to targets[i] with the weight at i, in the graph's own type.  Columns that were
/// not wanted are empty.
struct EdgeChunk {
  using Weights = std::variant<std::monostate, ScanColumn<std::int32_t>, ScanColumn<float>, ScanColumn<double>>;
  ScanColumn<std::int64_t> sources;
  ScanColumn<std::int64_t> targets;
  Weights weights;  ///< monostate: the graph has none, or they were not wanted
};

class ColumnPool;

class EdgeScan {
 public:
  /// `ids` are the external ids by inner number; empty: chunks name the inner numbers.
  /// Errors: invalid_argument (another number of ids than of vertices), cancelled.
  static Result<EdgeScan> create(GraphView view, const std::vector<std::int64_t>& ids, Executor& executor);

  [[nodiscard]] EdgeCount size() const noexcept { return starts_.back(); }
  /// Edges [begin, end); those past the last are left out.  Throws std::bad_alloc.  Errors: cancelled.
  [[nodiscard]] Result<EdgeChunk> read(EdgeCount begin, EdgeCount end, Executor& executor,
                                       EdgeColumns wanted = {}) const;

 private:
  /// External ids by inner number; monostate: they are the inner numbers.
  using Ids = std::variant<std::monostate, std::vector<std::uint32_t>, std::vector<std::int64_t>>;

  EdgeScan(GraphView view, Ids ids);
  static Ids pack(const std::vector<std::int64_t>& ids);

  GraphView view_;
  Ids ids_;
  std::vector<EdgeCount> starts_;  ///< number of the first edge of each block of vertices, and of all edges
  std::shared_ptr<ColumnPool> pool_;
};

}  // namespace rizoma
