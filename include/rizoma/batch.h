// Batch: changes to a graph of every kind, in order, that become one atomic commit.  Module: graph.
//
//   rizoma::Batch batch;
//   batch.add_edges(follows).remove_edges(unfollows).remove_vertices(accounts);
//   auto counts = graph.apply(std::move(batch));       // all of it, durably, or nothing
//
// Steps act one after the other: what an earlier step added, a later one may remove.
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

/// How external ids look.
enum class IdKind : std::uint8_t {
  dense = 0,    ///< integers 0..n-1, taken as they are; once they have gaps: integer
  integer = 1,  ///< any 64-bit integers (a dictionary maps them)
  string = 2,   ///< UTF-8 strings (a dictionary maps them)
};

/// Strings one behind the other: string i is bytes[offsets[i], offsets[i+1]).
struct StringColumn {
  std::vector<std::uint64_t> offsets{0};
  std::string bytes;

  [[nodiscard]] std::size_t size() const noexcept { return offsets.size() - 1; }
  [[nodiscard]] std::string_view operator[](std::size_t i) const noexcept {
    return std::string_view(bytes).substr(offsets[i], offsets[i + 1] - offsets[i]);
  }
  void push_back(std::string_view text) {
    bytes.append(text);
    offsets.push_back(bytes.size());
  }
  void clear() noexcept {
    offsets.resize(1);
    bytes.clear();
  }
};

/// A column of external ids: integers, or strings.
using IdColumn = std::variant<std::vector<std::int64_t>, StringColumn>;

[[nodiscard]] inline std::size_t size(const IdColumn& ids) noexcept {
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

/// What becomes of a removal or a change of weight that names what is not there.
enum class Missing : std::uint8_t {
  ignore = 0,  ///< it is counted, and does nothing
  error = 1,   ///< ErrorCode::not_found, and nothing of the batch is done
};

/// Which of several edges between the same two vertices are removed (graphs that keep parallel edges).
enum class Parallel : std::uint8_t {
  all = 0,
  one = 1,  ///< the last in the order of arrival, which edges of one bulk load do not have
};

/// What a batch did.  Edges as a user counts them: an undirected edge is one.
struct ChangeCounts {
  EdgeCount edges_removed = 0;  ///< those of removed vertices among them
  EdgeCount edges_missing = 0;  ///< rows that named an edge to remove or to weigh that was not there
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
    EdgeBatch edges;    ///< of kinds that name edges
    IdColumn vertices;  ///< of the others
    Missing missing = Missing::ignore;
    Parallel parallel = Parallel::all;
    ColumnTable values;  ///< of the vertices
    std::string key;     ///< a column of the edges: a row means those of its pair that have its value there; "": all
  };

  /// Adds edges, and the vertices they name.
  Batch& add_edges(EdgeBatch edges) { return push({Kind::add_edges, std::move(edges), {}}); }
  /// Removes edges; weights are not read.  Their vertices stay.  `key` names a column of `edges`: see Step.
  Batch& remove_edges(EdgeBatch edges, Missing missing = Missing::ignore, Parallel parallel = Parallel::all,
                      std::string key = {}) {
    return push({Kind::remove_edges, std::move(edges), {}, missing, parallel, {}, std::move(key)});
  }
  /// Gives edges that are there a new weight, all of several parallel ones.
  Batch& set_weights(EdgeBatch edges, Missing missing = Missing::ignore) {
    return push({Kind::set_weights, std::move(edges), {}, missing});
  }
  /// Gives edges that are there the values of the columns that the batch has; a column that a row does not give (see
  /// ColumnValues) stays.  Rows act one after the other.
  Batch& set_edges(EdgeBatch edges, Missing missing = Missing::ignore, std::string key = {}) {
    return push({Kind::set_edges, std::move(edges), {}, missing, Parallel::all, {}, std::move(key)});
  }
  /// Adds vertices; those that are there too get the values of the columns that the table has.  As `set_edges`.
  Batch& add_vertices(IdColumn ids, ColumnTable values = {}) {
    return push({Kind::add_vertices, {}, std::move(ids), Missing::ignore, Parallel::all, std::move(values)});
  }
  /// Gives vertices that are there values.
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
