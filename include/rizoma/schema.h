// GraphSchema: the properties of a graph that are fixed when it is created.  Module: graph.
#pragma once

#include <rizoma/batch.h>
#include <rizoma/columns.h>
#include <rizoma/ids.h>

#include <cstdint>
#include <vector>

namespace rizoma {

/// What becomes of a second edge between the same two vertices.
enum class ParallelEdges : std::uint8_t {
  merge = 0,  ///< one edge stays; what it has in each column a ParallelRule says
  keep = 1,   ///< every edge stays
};

/// What becomes of an edge from a vertex to itself.
enum class SelfLoops : std::uint8_t { keep = 0, drop = 1 };

/// How internal ids are given to vertices at bulk load and by compact.
enum class VertexOrder : std::uint8_t {
  automatic = 0,  ///< by degree, in a compaction also locality, where that speeds sweeps up; else as given
  given = 1,      ///< dense ids: internal id = id; else by first appearance
  degree = 2,     ///< by decreasing degree
  striped = 3,    ///< N = 2, 4 .. 64 equal runs, each with the given numbers of one v mod N
  locality = 4,   ///< breadth first from vertices of smallest degree: neighbours near one another
  cyclic [[deprecated("use striped")]] = striped,
  near [[deprecated("use locality")]] = locality,
};

/// What `automatic` measured of the given numbers before it chose: shares in percent, plus 1.  0: nothing, because an
/// order was asked for.
struct OrderReason {
  std::uint8_t hubs = 0;  ///< of edge ends: at the 1/16 of the vertices with the most
  std::uint8_t near = 0;  ///< of edges: that joined numbers closer than 1/64 of the range
};

/// Properties fixed when a graph is created.
struct GraphSchema {
  bool directed = false;
  WeightType weights = WeightType::none;
  IdKind ids = IdKind::dense;
  bool in_edges = true;  ///< directed graphs: store the transpose too (pull needs it)
  ParallelEdges parallel_edges = ParallelEdges::merge;
  SelfLoops self_loops = SelfLoops::keep;
  unsigned section_bits = 0;  ///< 2^k vertices a section; 0: chosen
  /// False: the caller did not choose this kind of ids; the first data of the graph may have another, see
  /// Graph::settle_ids and BulkLoadOptions::ids.
  bool ids_fixed = true;
  /// Columns of edges beside or instead of a weight, and of vertices (columns.h).  With `rows` an entry of a list has,
  /// where other graphs have its weight, the number of the row with its values as a float64; `weights` is then the
  /// type of the edge column "weight", or none.  Set when a graph gets its first edge column.
  std::vector<ColumnSchema> edge_columns;
  std::vector<ColumnSchema> vertex_columns;
  std::uint32_t next_column = 1;  ///< id of the next column
  bool rows = false;
  /// Of graphs that merge parallel edges: the rule of the weight, and of edge columns that are added later and whose
  /// type it suits.  Other columns have their own.
  ParallelRule weight_rule = ParallelRule::last;
  ParallelRule parallel_rule = ParallelRule::last;
};

/// Combines parallel edges by this rule in the weight and in every edge column, also in those to come.
inline void set_parallel_rule(GraphSchema& schema, ParallelRule rule) noexcept {
  schema.weight_rule = schema.parallel_rule = rule;
  for (ColumnSchema& column : schema.edge_columns) column.parallel = rule;
}

/// What the sections hold beside each target.
[[nodiscard]] inline WeightType entry_weights(const GraphSchema& schema) noexcept {
  return schema.rows ? WeightType::float64 : schema.weights;
}

}  // namespace rizoma
