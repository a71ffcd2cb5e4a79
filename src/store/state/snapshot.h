// StoreSnapshot: one state of a store, pinned: while it lives, it does not change, and no other state
// gets its extents.  Any thread; never waits for a writer. A forked child may use it,
// unless a thread of the parent was reading it at the fork: ErrorCode::closed.
#pragma once

#include <rizoma/detail/adjacency.h>
#include <rizoma/executor.h>
#include <rizoma/graph_view.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>
#include <rizoma/schema.h>
#include <rizoma/store_types.h>

#include "platform/mutex.h"
#include "store/columns/row_table.h"
#include "store/dictionary/dictionary.h"
#include "store/sections/removed_vertices.h"
#include "store/sections/section.h"
#include "store/state/view_weights.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace rizoma {

struct EdgeSums;

class StoreSnapshot : public std::enable_shared_from_this<StoreSnapshot> {
 public:
  using Versions = std::vector<std::shared_ptr<const SectionVersion>>;  ///< null: a section without edges

  struct Parts {
    GraphSchema schema;
    unsigned target_bytes = 4;
    VertexId num_vertices = 0;
    bool ordered_by_degree = false;
    Versions out;
    Versions in;                                                 ///< empty unless the graph stores the transpose
    std::vector<std::shared_ptr<const ExtentLease>> dictionary;  ///< what `ids` reads
    std::shared_ptr<const RemovedVertices> removed;
    /// Whether the edges of the store, as it was opened, have been found to agree (validation/cross_validation.h).
    std::shared_ptr<std::atomic<bool>> cross_validated;
    std::shared_ptr<const RowState> edge_rows;
    std::shared_ptr<const RowState> vertex_rows;
    std::shared_ptr<const Part> part;  ///< of the graph, if this is one part
    std::shared_ptr<const void> pin;   ///< what holds the extents for a child made by fork, which outlives this
  };
  StoreSnapshot(Parts parts, DictionaryView ids) noexcept;

  [[nodiscard]] const Parts& parts() const noexcept { return parts_; }
  [[nodiscard]] const GraphSchema& schema() const noexcept { return parts_.schema; }
  [[nodiscard]] VertexId num_vertices() const noexcept { return parts_.num_vertices; }
  [[nodiscard]] VertexId num_live() const noexcept { return num_vertices() - parts_.removed->count(); }
  [[nodiscard]] bool is_live(VertexId v) const noexcept { return !parts_.removed->contains(v); }
  /// Null: this is the whole graph.
  [[nodiscard]] const Part* part() const noexcept { return parts_.part.get(); }
  /// External ids of all internal ids, those of removed vertices included, and back.
  [[nodiscard]] const DictionaryView& ids() const noexcept { return ids_; }
  /// Internal ids of vertices; not_found, or kNoVertex, for a removed one too.
  [[nodiscard]] Result<VertexId> find(std::int64_t id) const { return live(ids_.find(id), id); }
  [[nodiscard]] Result<VertexId> find(std::string_view id) const { return live(ids_.find(id), id); }
  [[nodiscard]] Result<std::vector<VertexId>> find(const IdColumn& ids) const;
  /// True if in-neighbours can be read: always for undirected graphs.
  [[nodiscard]] bool has_in() const noexcept { return !schema().directed || schema().in_edges; }

  /// All sections, verified, with the lists that have changes merged, in parallel; the work is kept for later
  /// views.  The first of an opening is validated whole.  Errors: corrupt, io, unsupported, out_of_memory, cancelled.
  Result<GraphView> view(Executor& executor) const;
  /// Of a part of a graph: the lists of its own sections; those of all others have their lengths, and must not be read.
  /// Of a whole graph the same as `view`.
  Result<GraphView> part_view(Executor& executor) const;
  Result<GraphView> part_view(Executor& executor, std::string_view weight) const;
  /// The validation of the whole store that the first view does, without a view.  Errors: those of a view.
  Status validate(Executor& executor) const;
  /// The same, not validated, and with sections that are merged: for a search for damage.
  Result<GraphView> unvalidated_view(Executor& executor) const;
  /// The same with the values of an edge column as weights: any numbers, dates or timestamps; int32 and float32 stay
  /// so, smaller ones are int32, all others float64.  Errors: also not_found, invalid_argument (no numbers, nulls).
  Result<GraphView> view(Executor& executor, std::string_view weight) const;
  /// The same with the numbers that the sections hold beside each target: of a graph with edge columns numbers of rows,
  /// as float64, and merged then.
  Result<GraphView> entry_view(Executor& executor) const;

  /// Values of an edge column in these rows (float64, as in entry_view), or of a vertex column of these vertices.
  /// Errors: not_found (no such column), those of reading.
  Result<ColumnValues> edge_values(std::string_view column, std::span<const double> rows) const;
  Result<ColumnValues> vertex_values(std::string_view column, std::span<const VertexId> vertices) const;
  /// Rows of edges are below; row 0 has no values.
  [[nodiscard]] std::uint64_t num_rows() const noexcept { return parts_.edge_rows->end(); }
  /// Values of an edge column in rows [begin, end), those of removed edges included.
  Result<ColumnValues> values_between(std::string_view column, std::uint64_t begin, std::uint64_t end) const;

  /// Entries and self-loops of the out-direction; exact.  Merges pending changes (the work is kept), as only that tells
  /// how many entries they leave.
  Result<std::pair<EdgeCount, EdgeCount>> count_entries() const;
  /// Edges as a user counts them.  Errors: those of `view`.
  [[nodiscard]] Result<EdgeCount> num_edges() const;
  /// Changes of the out-direction that no image holds.
  [[nodiscard]] std::uint64_t pending_entries() const noexcept;
  /// What is stored of each section of the out-direction.  Reads no section.
  [[nodiscard]] std::vector<SectionInfo> sections() const;

  /// Neighbours of v < num_vertices; touches only its section.
  Result<NeighborList> neighbors(Direction direction, VertexId v) const;
  /// The same with the numbers that the sections hold beside each target: of a graph with edge columns numbers of rows.
  Result<NeighborList> entries(Direction direction, VertexId v) const;

 private:
  const Versions& versions(Direction direction) const noexcept;
  [[nodiscard]] Status expect_whole() const;
  template <class Id>
  Result<VertexId> live(Result<VertexId> found, Id id) const {
    if (found && !is_live(*found)) return no_vertex(id);
    return found;
  }
  /// How sections with changes are to be read: as stored, or merged, so that the entries of each are one after the
  /// other.
  enum class Lists : std::uint8_t { as_they_lie, flat };
  template <class Target>
  Result<GraphView::Parts> parts_of_view(Executor& executor, Lists lists, bool with_rows, EdgeSums* sums) const;
  /// `with_rows`: the numbers of rows of a graph with edge columns are among them, where they are packed too.
  Result<GraphView::Parts> entry_parts(Executor& executor, Lists lists, bool with_rows) const;
  /// `sums`: null if they are not wanted; 0 without in-edges, whose directions agree.
  Result<GraphView::Parts> unvalidated_parts(Executor& executor, Lists lists, bool with_rows, EdgeSums* sums) const;
  /// Those of `entry_parts`: put together once, by the first caller.
  Result<GraphView::Parts> kept_parts(Executor& executor, Lists lists, bool with_rows) const;
  Result<NeighborList> list_of(Direction direction, VertexId v, bool with_rows) const;
  [[nodiscard]] GraphView owned(GraphView::Parts parts) const;
  Status validate_once(const GraphView& view, const EdgeSums& sums, Executor& executor) const;
  /// A view of these parts, which are flat, with the values of the column as weights.
  Result<GraphView> weighted(GraphView::Parts parts, const ColumnSchema& column, Executor& executor) const;
  Result<std::shared_ptr<const ViewWeights>> weights_of(const GraphView::Parts& view, const ColumnSchema& column,
                                                        Executor& executor) const;

  Parts parts_;
  DictionaryView ids_;
  std::int64_t process_;  ///< that made it
  mutable Mutex mutex_{LockLevel::snapshot};
  mutable std::optional<std::pair<EdgeCount, EdgeCount>> entries_ RIZOMA_GUARDED_BY(mutex_);
  /// The parts of views, by how lists lie and whether rows are among them; their owners keep alive what the sections
  /// do not.
  mutable std::array<std::shared_ptr<const GraphView::Parts>, 4> kept_ RIZOMA_GUARDED_BY(mutex_);
  /// By id of the column.
  mutable std::vector<std::pair<std::uint32_t, std::shared_ptr<const ViewWeights>>> weights_ RIZOMA_GUARDED_BY(mutex_);
};

}  // namespace rizoma
