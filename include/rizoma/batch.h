// Batch: an ordered list of changes to a graph that become one atomic commit.  Module: graph.
//
//   rizoma::Batch batch;
//   batch.add_edges(follows).remove_edges(unfollows).remove_vertices(accounts);
//   auto counts = graph.apply(std::move(batch));       // all of it, durably, or nothing
//
// Steps apply in order: a later step may remove what an earlier one added.
#pragma once

#include <rizoma/columns.h>
#include <rizoma/ids.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace rizoma {

// EdgeBatch: edges on their way from a source into a store, by external id.

/// Kind of external ids.
enum class IdKind : std::uint8_t {
  dense = 0,    ///< integers 0..n-1, stored without a dictionary; become `integer` once they have gaps
  integer = 1,  ///< any 64-bit integers (a dictionary maps them)
  string = 2,   ///< UTF-8 strings (a dictionary maps them)
};

/// Concatenated strings: string i is bytes[offsets[i], offsets[i+1]).
struct StringColumn {
  std::vector<std::uint64_t> offsets{0};
  std::string bytes;

  [[nodiscard]] std::size_t size() const noexcept { return offsets.size() - 1; }
  [[nodiscard]] std::string_view operator[](std::size_t i) const noexcept {
    return std::string_view(bytes).substr(offsets[i], offsets[i + 1] - offsets[i]);
  }
  void push_back(std::string_view text) {  ///< appends a string
    bytes.append(text);
    offsets.push_back(bytes.size());
  }
  void clear() noexcept {  ///< leaves no string
    offsets.resize(1);
    bytes.clear();
  }
};

/// A column of external ids: integers, or strings.
using IdColumn = std::variant<std::vector<std::int64_t>, StringColumn>;

[[nodiscard]] inline std::size_t size(const IdColumn& ids) noexcept {  ///< how many ids
  return std::visit([](const auto& column) { return column.size(); }, ids);
}

/// Columns of equal length: edge i goes from sources[i] to targets[i] with weights[i].
/// Both id columns are of the same kind.  `weights` is empty for unweighted edges; weights are
/// carried as float64 (exact for int32 and float32) and narrowed by the store.
struct EdgeBatch {
  IdColumn sources;
  IdColumn targets;
  std::vector<double> weights;
  ColumnTable columns;  ///< other columns, by name

  [[nodiscard]] std::size_t size() const noexcept { return rizoma::size(sources); }
};

/// How a removal or a change of values treats an edge or vertex that does not exist.
enum class Missing : std::uint8_t {
  ignore = 0,  ///< counts it and does nothing
  error = 1,   ///< fails with ErrorCode::not_found; nothing of the batch is applied
};

/// Which of several edges between the same two vertices are removed (graphs that keep parallel edges).
enum class Parallel : std::uint8_t {
  all = 0,
  one = 1,  ///< the one added last; edges of one bulk load have no such order
};

/// Counts of what a batch did.  An undirected edge counts once.
struct ChangeCounts {
  EdgeCount edges_removed = 0;  ///< includes the edges of removed vertices
  EdgeCount edges_missing = 0;  ///< rows that named an edge that does not exist
  EdgeCount weights_set = 0;    ///< edges given a weight or other values
  EdgeCount edges_merged = 0;   ///< rows that a ParallelRule combined with an edge that was there or was added before
  VertexId vertices_set = 0;    ///< vertices given values
  VertexId vertices_removed = 0;
  VertexId vertices_missing = 0;  ///< ids of vertices to remove that were not there
};

class Batch {
 public:
  enum class Kind : std::uint8_t {
    add_edges,
    remove_edges,
    set_weights,
    add_vertices,
    remove_vertices,
    set_edges,
    set_vertices
  };
  struct Step {
    Kind kind;
    EdgeBatch edges;    ///< for kinds that name edges
    IdColumn vertices;  ///< for the other kinds
    Missing missing = Missing::ignore;
    Parallel parallel = Parallel::all;
    ColumnTable values;  ///< of the vertices
    std::string key;     ///< an edge column: a row names the edges of its pair that have its value; "": all
  };

  /// Adds edges, and the vertices they name.
  Batch& add_edges(EdgeBatch edges) { return push({Kind::add_edges, std::move(edges), {}}); }
  /// Removes edges; ignores weights.  Their vertices stay.  `key` names a column of `edges`: see Step.
  Batch& remove_edges(EdgeBatch edges, Missing missing = Missing::ignore, Parallel parallel = Parallel::all,
                      std::string key = {}) {
    return push({Kind::remove_edges, std::move(edges), {}, missing, parallel, {}, std::move(key)});
  }
  /// Sets the weight of existing edges, of all parallel ones.
  Batch& set_weights(EdgeBatch edges, Missing missing = Missing::ignore) {
    return push({Kind::set_weights, std::move(edges), {}, missing});
  }
  /// Gives edges that exist the values of the columns that the batch has; a column that a row does not give (see
  /// ColumnValues) stays.  Rows act one after the other.
  Batch& set_edges(EdgeBatch edges, Missing missing = Missing::ignore, std::string key = {}) {
    return push({Kind::set_edges, std::move(edges), {}, missing, Parallel::all, {}, std::move(key)});
  }
  /// Adds vertices; those that exist too get the values of the columns that the table has.  As `set_edges`.
  Batch& add_vertices(IdColumn ids, ColumnTable values = {}) {
    return push({Kind::add_vertices, {}, std::move(ids), Missing::ignore, Parallel::all, std::move(values)});
  }
  /// Gives vertices that exist values.
  Batch& set_vertices(IdColumn ids, ColumnTable values, Missing missing = Missing::ignore) {
    return push({Kind::set_vertices, {}, std::move(ids), missing, Parallel::all, std::move(values)});
  }
  /// Removes vertices with all their edges; their ids may be added again.
  Batch& remove_vertices(IdColumn ids, Missing missing = Missing::ignore) {
    return push({Kind::remove_vertices, {}, std::move(ids), missing});
  }

  [[nodiscard]] std::span<const Step> steps() const noexcept { return steps_; }
  [[nodiscard]] bool empty() const noexcept { return steps_.empty(); }

 private:
  Batch& push(Step step) {
    steps_.push_back(std::move(step));
    return *this;
  }
  std::vector<Step> steps_;
};

}  // namespace rizoma
