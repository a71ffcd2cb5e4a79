// Transaction: turns the steps of a change into what the log records and the sections stage.
//
// How.  Each step is resolved to internal ids, looked up where its outcome depends on what is there,
// encoded into the payload of the log record, and staged in the section tables at once, so that the
// next step of the batch meets it.  Readers see none of it before Contents::publish; unless it is
// kept, all of it is rolled back.
//   remove, set weight  only edges that exist are logged; so counts are exact and replay needs no
//                       reading.  Of parallel edges, one is named by its weight, which both of its
//                       entries have.
//   remove vertices     their edges are removed one by one, both entries of each, then the number joins
//                       the RemovedVertices.  Sources of the edges to them come from the in-edges; a
//                       directed graph without in-edges is searched for them.
//   add                 where the schema combines parallel edges, what is logged is the edge that takes the place of
//                       those that are there and those that are added (parallel_edges_added.h).
//                       A removed vertex that an edge or a list of vertices names is there again.
// Cost.  add: O(edges), where nothing is combined.  Others: a search in the image and one among the pending changes
//   for each pair, and a pass over the delta of each section touched; O(degree), and that pass and one over the
//   pending changes, for a vertex removed; without in-edges O(all edges) for each step that removes vertices.
// Threads.  One at a time, under the writer's lock.
#pragma once

#include <rizoma/batch.h>
#include <rizoma/executor.h>
#include <rizoma/store_types.h>

#include "store/access_guard.h"
#include "store/log/log.h"
#include "store/state/contents.h"
#include "store/writing/edges_to_set.h"
#include "store/writing/parallel_edges_added.h"
#include "store/writing/row_groups.h"
#include "store/writing/staged_graph.h"
#include "store/writing/staged_vertices.h"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace rizoma {

class Transaction {
 public:
  Transaction(Contents& contents, AccessGuard& access);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();  ///< rolls back unless the change was kept

  Status add_edges(const EdgeBatch& edges);
  Status add_vertices(const IdColumn& ids, const ColumnTable& values = {});
  Status apply(const Batch::Step& step);
  /// From here on `apply` tells the executor how many of `rows` are done, and stops with its error (cancelled) between
  /// steps, and between pieces of added edges.
  void report_to(Executor& executor, std::uint64_t rows) noexcept { executor_ = &executor, rows_ = rows; }

  /// The last step: refuses a change that leaves dense ids with gaps (StagedVertices).
  Status expect_no_gaps() { return vertices_.expect_no_gaps(); }
  [[nodiscard]] bool has_gaps() const noexcept { return vertices_.has_gaps(); }

  /// Vertices there were before it.
  [[nodiscard]] VertexId first_vertex() const noexcept { return vertices_.first(); }
  [[nodiscard]] const LogPayload& payload() const noexcept { return payload_; }
  [[nodiscard]] const ChangeCounts& counts() const noexcept { return counts_; }
  /// The change is on its way: this object rolls nothing back from now on.
  void keep() noexcept { kept_ = true; }

 private:
  using Columns = AddedEdges;

  Status add_piece(const EdgeBatch& edges);
  Status advance(std::uint64_t rows);
  Status remove_edges(const Batch::Step& step);
  Status set_weights(const Batch::Step& step);
  Status remove_vertices(const Batch::Step& step);

  // columns: transaction_rows.cpp
  Result<std::uint64_t> stage_rows(RowKind kind, const ColumnTable& values, std::uint64_t rows,
                                   std::span<const VertexId> vertices = {});
  Status number_rows(const ColumnTable& values, Columns& columns);
  Status set_edges(const Batch::Step& step);
  Status rewrite_edges(const Batch::Step& step, const RowGroups& groups, std::span<const EdgeToSet> edges);
  Status set_vertices(const Batch::Step& step);
  Status set_values(std::span<const VertexId> vertices, const ColumnTable& values);

  void change(ChangeKind kind, const Columns& columns);
  Result<std::vector<VertexId>> find_vertices(const Batch::Step& step);

  Contents& contents_;
  StagedGraph staged_;
  AccessGuard& access_;
  const std::shared_ptr<const RemovedVertices> first_removed_;
  LogPayload payload_;
  StagedVertices vertices_;  ///< after the payload that it writes to
  ChangeCounts counts_;
  Executor* executor_ = nullptr;
  std::uint64_t rows_ = 0;
  std::uint64_t rows_done_ = 0;
  bool kept_ = false;
};

}  // namespace rizoma
