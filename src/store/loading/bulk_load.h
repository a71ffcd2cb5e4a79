// BulkLoader: a stream of edges -> the sections of a new graph, in bounded memory.
//
// How.  add: external ids become provisional numbers (dense: the id; else by first appearance), and
//   edges are kept as pairs of 4 bytes (8 beyond 2^32 vertices) and, if weighted, the weight.  Past the
//   memory limit they go to a spill file.
//   Dense ids that are far apart become integers on the way; those in between that nothing names are no vertices.
// finish: degrees are counted, the order is chosen (order.h), edges get their final numbers, and the entries
//   (two of each undirected edge; with in-edges one for the transpose) are built range by range of
//   vertices ("rounds", whole sections each).  First edges are moved to cells by the rounds of their ends
//   (partition_buffers.h), so that a round reads those it needs; its entries are partitioned into pieces that
//   fit a cache, a piece is radix-sorted, parallel edges are merged by the graph's rules, and each section whose pieces
//   are all there is handed to the target.
// Cost. Time linear in edges: a few passes of sequential memory traffic, and two random reads an edge
//   to relabel it.
// Memory. Without a limit: the edges, 8 bytes each (12 or 16 weighted), and an eighth more; 8 bytes for each entry of a
//   round, which is a twelfth of all entries; 16 bytes a vertex (24 directed); the largest section; the
//   ids of integer and string kinds, with their index about 48 and 96 bytes each.  Of a limit the
//   vertices take what they need, else the load is refused; of the rest edges take half and a round a
//   quarter, and sections are made so small that one takes a quarter if the degrees allow.  Beyond the
//   limit: about 8 MiB for sorting, and what the reader of a file holds.
// After an Error the load is over: drop it.  Nothing was published.
#pragma once

#include <rizoma/batch.h>
#include <rizoma/detail/function_ref.h>
#include <rizoma/executor.h>
#include <rizoma/graph_view.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>
#include <rizoma/schema.h>

#include "platform/medium.h"
#include "store/columns/parallel_rules.h"
#include "store/dictionary/dictionary.h"
#include "store/loading/spill.h"
#include "store/sections/image.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace rizoma {

namespace bulk {
struct DegreeCounts;
}

/// What is known of a load before its first section is.
struct LoadShape {
  VertexId num_vertices = 0;
  IdKind ids = IdKind::dense;  ///< integer where those of a dense graph have gaps
  unsigned section_bits = 0;
  unsigned target_bytes = 4;               ///< 4 or 8: width of a target
  VertexOrder order = VertexOrder::given;  ///< never automatic
  OrderReason order_reason;                ///< if it was
};

/// What is known once all sections are.
struct LoadTotals {
  EdgeCount num_entries = 0;     ///< of the out side
  EdgeCount num_self_loops = 0;  ///< entries u->u of the out side
};

/// Where a load's results go; the store implements it.  Nothing may become visible before `publish`.
class LoadTarget {
 public:
  virtual ~LoadTarget() = default;
  /// First call.
  virtual Status begin(const LoadShape& shape) = 0;
  /// Writes a sealed image (image.h) and need not sync it.  Called from several threads at once, each section of each
  /// direction once, roughly ascending; sections without entries are omitted.
  virtual Status put(const ImageSpec& spec, std::span<const std::byte> image) = 0;
  /// The first segment of the dictionary, for all of [0, num_vertices); not called for an identity.
  virtual Status put_dictionary(std::span<const std::byte> segment) = 0;
  /// Edges of a graph with columns: their values go to rows, whose numbers are the result.
  virtual Result<std::vector<double>> put_rows(const EdgeBatch& edges) {
    static_cast<void>(edges);
    return Error{ErrorCode::unsupported, "this load takes no columns of edges"};
  }
  /// Each of these groups of rows has become one edge, which names the last of them: that row must get the values that
  /// the rules of the columns give the group.
  virtual Status combine_rows(MergedRows groups) {
    static_cast<void>(groups);
    return Error{ErrorCode::unsupported, "columns of edges cannot be loaded here"};
  }
  /// Whether some of the rows leave out a column that others give: edges that become one are combined then, too.
  [[nodiscard]] virtual bool leaves_values_out() const { return false; }
  /// What users call a vertex, for messages.
  [[nodiscard]] virtual std::string name_of(VertexId v) const { return "internal id " + std::to_string(v); }
  /// Last call: syncs everything and publishes it atomically.
  virtual Status publish(const LoadTotals& totals) = 0;
};

/// How a load is to go.
struct LoadSettings {
  VertexOrder order = VertexOrder::automatic;
  std::uint64_t memory_limit = 0;               ///< bytes; 0: none, nothing is spilled
  Medium* spill = nullptr;                      ///< where to spill; needed if there is a limit
  bool stored_weights = false;                  ///< a store has checked them and the ids
  bool stays_dense = false;                     ///< far ids are refused: other processes number theirs beside it
  bool may_search = false;                      ///< automatic may make the order `locality` to see whether it pays
  unsigned min_target_bytes = 4;                ///< 8: as if there were more than 2^32 vertices (tests)
  std::uint64_t most_narrow_rows = UINT32_MAX;  ///< edges that name a row after this one make all rows wide (tests)
  Direction direction = Direction::out;         ///< of the sections that are made of single entries (add_entries)
};

/// What one of several processes has of a load that they make together (rizoma/cluster.h).
struct LoadShare {
  VertexId vertices = 0;
  VertexId named = 0;  ///< dense ids: after the largest that an edge names,
  VertexId given = 0;  ///< this and all below were given as vertices; others: `given_alone`
  std::uint64_t edges = 0;
};

/// How such a load is built.
struct SharedPlan {
  LoadShape shape;
  std::vector<std::uint32_t> rank;  ///< final number by provisional one; empty: they stay
  std::vector<std::uint32_t> out;   ///< entries by final number
  std::vector<std::uint32_t> in;    ///< empty: the graph has no such direction
};

class BulkLoader {
 public:
  /// `target` and the spill medium outlive the loader.
  BulkLoader(const GraphSchema& schema, const LoadSettings& settings, LoadTarget& target);
  ~BulkLoader();  ///< removes spill files
  BulkLoader(const BulkLoader&) = delete;
  BulkLoader& operator=(const BulkLoader&) = delete;

  /// Errors: invalid_argument (ids of the wrong kind or out of range, weights missing, unwanted or not
  /// of the graph's type; names the edge), out_of_space, io, out_of_memory.
  Status add(const EdgeBatch& edges);
  Status add_vertices(const IdColumn& ids);
  /// Dense ids: each number below is a vertex.
  Status add_all_below(VertexId end);
  /// Adds a whole graph, before the data that follows; `ids` belong to `view`.  Call it first. Removed vertices are
  /// left out, except in dense graphs, where the target marks them again.  Errors: also cancelled.
  Status add_graph(const GraphView& view, const DictionaryView& ids, const Executor& executor);
  /// Builds and hands over everything, then publishes.  Errors: cancelled, unsupported (2^32 entries or
  /// more in one section), those of the target.  Reports phases "sort" and "write" in entries.
  Status finish(Executor& executor);
  /// Of edges that did not fit into the memory limit, so far.
  [[nodiscard]] std::uint64_t spilled_bytes() const noexcept;

  // What a load that several processes make together is put together of; see rizoma/cluster.h.

  /// Hands on the edges that were added, as records (bulk_load_edges.h) by provisional number, and forgets them.
  /// Errors: unsupported (2^32 vertices or more), those of `take`.
  Status take_edges(FunctionRef<Status(std::span<const std::byte>)> take);
  [[nodiscard]] LoadShare share() const noexcept;
  /// The ids with these provisional numbers, of kind integer or string.
  [[nodiscard]] IdColumn ids(VertexRange numbers) const;
  /// Dense ids that were given as vertices, beside those that `share` has.
  [[nodiscard]] IdColumn given_alone() const;
  /// Provisional numbers of ids; new ids get the next numbers.
  Result<std::vector<VertexId>> number(const IdColumn& ids);
  /// Sets what all processes together have, for the whole graph.  Errors: as `finish` if dense ids have gaps.
  Status expect(const LoadShare& all);
  /// Decides order and sections by the degrees of all edges; begins with the target, and gives it the dictionary.
  Result<SharedPlan> begin_shared(bulk::DegreeCounts&& all, Executor& executor);
  /// Single entries of lists, as records by final number: of a directed graph with dense ids and no in-edges.
  Status add_entries(std::span<const std::byte> records);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Rebuilds a graph with new internal ids: the sections of `view` in, all sections out.
/// `ids` belong to `view`.  VertexOrder::given: dense graphs go back to internal id = id, others stay.
/// Removed vertices are left out, but in dense graphs, where the target has to mark them again.
/// settings.memory_limit bounds the copy of the edges as in a load.
Status rebuild(const GraphSchema& schema, const GraphView& view, const DictionaryView& ids,
               const LoadSettings& settings, Executor& executor, LoadTarget& target);

}  // namespace rizoma
