// Batch: changes to a graph of every kind, in order, that become one atomic commit.  Module: graph.
//
//   rizoma::Batch batch;
//   batch.add_edges(follows).remove_edges(unfollows).remove_vertices(accounts);
//   auto counts = graph.apply(std::move(batch));       // all of it, durably, or nothing
//
// Steps act one after the other: what an earlier step added, a later one may remove.
#pragma once

#include <rizoma/edge_batch.h>
#include <rizoma/ids.h>

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {

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
