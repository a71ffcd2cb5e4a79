// Graph and Snapshot: the public face of a stored (or in-memory) graph.  Module: api.
//
//   auto graph = rizoma::Graph::open("social.rz", {.schema = {.directed = true}});   // creates or opens
//   if (!graph) return report(graph.error());
//   graph->add_edges(batch);                       // durable when it returns
//   rizoma::Engine engine;
//   auto view = graph->snapshot()->view(engine);   // immutable; analytics run on it
//   auto ranks = rizoma::pagerank(engine, *view);
//
// Every call reports failure by Result; nothing here prints, exits or throws on bad input.
#pragma once

#include <rizoma/batch.h>
#include <rizoma/detail/neighbor_list.h>
#include <rizoma/executor.h>
#include <rizoma/graph_view.h>
#include <rizoma/placement.h>
#include <rizoma/result.h>
#include <rizoma/schema.h>
#include <rizoma/store_types.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {

class Engine;
class Match;
class MatchColumns;
struct MatchOptions;
namespace query {
class MatchMemory;
}  // namespace query

/// The part of a distributed graph that a directory holds.
struct GraphPart {
  unsigned number = 0;
  unsigned parts = 0;
  PlacementPolicy partition = PlacementPolicy::chunk;
  std::vector<unsigned> owners;  ///< the part of each section
  std::string state;             ///< identifies the state of the graph; equal in all its parts
};

/// An immutable state of a graph; later changes do not affect it.  Cheap to copy.
class Snapshot {
 public:
  /// The sections, verified and with pending edges folded in; the work is done once for each section
  /// version, in parallel on the executor (an Engine is one), and shared by later views.  Errors: corrupt, io,
  /// cancelled.
  [[nodiscard]] Result<GraphView> view(Executor& executor) const;
  /// The same for analytics: with the sections where the tiers of the engine say.  A working copy is loaded
  /// once, with progress, and kept with this state of the graph until the graph has another, closes, or a
  /// view with other tiers is asked for.  Ranks that share no memory verify their own sections alone, when a kernel
  /// divides the view among them: its call has the errors of damaged sections then.  Errors: also unsupported (the
  /// machine lacks a tier, or ranks did not agree on the partitions of a graph), out_of_memory.
  [[nodiscard]] Result<GraphView> view(Engine& engine) const;
  /// The same with the values of an edge column as weights: numbers, dates or timestamps.  What is read for it is kept
  /// with this state; a working copy is not.  Errors: also not_found, invalid_argument (not numbers, or nulls).
  [[nodiscard]] Result<GraphView> view(Engine& engine, std::string_view weight) const;
  /// For reading columns: the sections with, of a graph with edge columns, the number of each edge's row as weight.
  [[nodiscard]] Result<GraphView> rows_view(Executor& executor) const;
  /// Values of an edge column in these rows, or of a vertex column of these vertices.  Errors: not_found, corrupt, io.
  [[nodiscard]] Result<ColumnValues> edge_values(std::string_view column, std::span<const double> rows) const;
  [[nodiscard]] Result<ColumnValues> vertex_values(std::string_view column, std::span<const VertexId> vertices) const;

  /// Rows of edges, which rows_view names, are below; row 0 has no values.
  [[nodiscard]] std::uint64_t num_rows() const noexcept;
  /// Values of an edge column in rows [begin, end), those of edges that are gone included.  Errors: also
  /// invalid_argument.
  [[nodiscard]] Result<ColumnValues> values_between(std::string_view column, std::uint64_t begin,
                                                    std::uint64_t end) const;
  /// The same vertices with the edges whose rows have a bit set in `kept` (byte i: rows 8i..8i+7, lowest first), of a
  /// graph with columns of edges.  Its own state: ids and values are shared, and the files held, as by this.  Errors:
  /// invalid_argument (not a bit for each row), those of `view`.
  [[nodiscard]] Result<Snapshot> with_rows(std::span<const std::uint8_t> kept, Executor& executor) const;
  /// The same on an engine; the ranks of a distributed graph do it together, each with the rows of its own edges.
  [[nodiscard]] Result<Snapshot> with_rows(std::span<const std::uint8_t> kept, Engine& engine) const;
  /// The same with every edge reversed.  Errors: invalid_argument (the graph stores no in-edges).
  [[nodiscard]] Result<Snapshot> reversed() const;

  [[nodiscard]] VertexId num_vertices() const noexcept;  ///< internal ids in use, including holes
  [[nodiscard]] VertexId num_live() const noexcept;
  /// False for a vertex that was removed.
  [[nodiscard]] bool is_live(VertexId v) const noexcept;
  /// Number of edges; an undirected edge counts once.  Errors: those of `view`.
  [[nodiscard]] Result<EdgeCount> num_edges() const;
  [[nodiscard]] const GraphSchema& schema() const noexcept;
  /// What is stored for each section's out-edges; reads no section.
  [[nodiscard]] std::vector<SectionInfo> sections() const;
  /// Which part of a distributed graph this is; nullopt if it is whole.  A part has a view only for an engine
  /// with ranks, and lists of its own sections alone: all else is ErrorCode::unsupported.
  [[nodiscard]] std::optional<GraphPart> part() const;

  /// Internal id of an external id; ErrorCode::not_found if the graph has no such vertex.
  [[nodiscard]] Result<VertexId> find(std::int64_t id) const;
  [[nodiscard]] Result<VertexId> find(std::string_view id) const;
  /// Internal ids of many ids; kNoVertex for an id that is missing.
  [[nodiscard]] Result<std::vector<VertexId>> find(const IdColumn& ids) const;
  /// True if the vertices of an earlier state certainly have the same internal ids here; false: unknown.  O(1).
  [[nodiscard]] bool continues(const Snapshot& earlier) const noexcept;
  /// External ids of the internal ids in `range`; removed vertices keep theirs.
  [[nodiscard]] Result<IdColumn> ids(VertexRange range) const;
  [[nodiscard]] Result<IdColumn> ids(std::span<const VertexId> vertices) const;

  /// Neighbours of one vertex by internal id, ascending, without a copy if the list has no pending changes; reads its
  /// section only.  Valid while this snapshot, or a copy of it, lives.
  [[nodiscard]] Result<NeighborList> list(VertexId v, Direction direction = Direction::out) const;
  /// Copies of the same.
  [[nodiscard]] Result<std::vector<VertexId>> neighbors(VertexId v) const;
  [[nodiscard]] Result<std::vector<VertexId>> in_neighbors(VertexId v) const;
  /// Weights parallel to neighbors(v).
  [[nodiscard]] Result<std::vector<double>> weights(VertexId v) const;
  [[nodiscard]] Result<EdgeCount> degree(VertexId v) const;
  [[nodiscard]] Result<bool> has_edge(VertexId u, VertexId v) const;

  /// What matches of this state keep for one another (match.h).
  [[nodiscard]] const std::shared_ptr<query::MatchMemory>& match_memory() const noexcept;

  struct Impl;
  explicit Snapshot(std::shared_ptr<const Impl> impl) noexcept : impl_(std::move(impl)) {}

 private:
  std::shared_ptr<const Impl> impl_;
};

/// Fills a graph from a stream of edges in bounded memory.  Nothing is visible, and after a crash nothing is left,
/// until `finish` returns.
class BulkLoad {
 public:
  BulkLoad(BulkLoad&&) noexcept;
  BulkLoad& operator=(BulkLoad&&) noexcept;
  ~BulkLoad();  ///< an unfinished load is discarded

  Status add(const EdgeBatch& edges);         ///< errors: invalid_argument, out_of_space, out_of_memory, closed
  Status add_vertices(const IdColumn& ids);   ///< the same
  [[nodiscard]] IdKind ids() const noexcept;  ///< kind of ids that it takes
  /// Orders, writes and publishes; durable when it returns.
  Status finish(Executor& executor);
  /// Bytes of edges written to disk so far, because they exceed the memory limit.
  [[nodiscard]] std::uint64_t spilled_bytes() const noexcept;

  struct Impl;
  explicit BulkLoad(std::unique_ptr<Impl> impl) noexcept;

 private:
  friend class SharedLoad;
  std::unique_ptr<Impl> impl_;
};

/// A durable graph in a directory, or one in memory.  Calls may come from several threads.
class Graph {
 public:
  static Result<Graph> open(const std::filesystem::path& path, const OpenOptions& options = {});  ///< see store_types.h
  /// A graph that lives in memory only.
  static Result<Graph> in_memory(const GraphSchema& schema = {});

  Graph(Graph&&) noexcept;
  Graph& operator=(Graph&&) noexcept;
  ~Graph();  ///< closes and drops errors: call close() to see them

  /// Adds edges, and the vertices they name, as one atomic change; durable when it returns, or as
  /// OpenOptions::durability says.  Calls of several threads share what durability costs.  Dense ids that are to have
  /// gaps, here or in any other change, become integers first, durably as a whole: no vertex is made that nothing
  /// names, and internal ids stay as they are.
  Status add_edges(const EdgeBatch& edges);
  Status add_vertices(const IdColumn& ids);
  /// Adds vertices and edges as one atomic change; the vertices get the lower internal ids.
  Status add(const EdgeBatch& edges, const IdColumn& vertices);
  /// Any number of changes of every kind, in order, as one atomic change.  Errors: not_found (a step
  /// with Missing::error), invalid_argument; then nothing of it was done.
  Result<ChangeCounts> apply(const Batch& batch);
  /// The same, with progress to the executor until only durability remains; the callback may
  /// not change the graph.  Errors: also cancelled, without effect.
  Result<ChangeCounts> apply(const Batch& batch, Executor& executor);
  /// Gives a graph without vertices, whose kind of ids the caller did not choose (GraphSchema::ids_fixed), this
  /// kind, durably; any other graph stays as it is.  Returns the kind that the graph then has.
  /// `for_good`: from then on it counts as asked for.
  Result<IdKind> settle_ids(IdKind kind, bool for_good = false);
  /// Fails with already_exists unless the graph is empty.
  Result<BulkLoad> bulk_load(const BulkLoadOptions& options = {});
  /// A bulk load into a graph that has vertices, atomic and in bounded memory: it reads the whole graph, and writes
  /// all of it again with new internal ids, so use it for what is too large for a batch.  Of parallel edges that are
  /// merged, the last one counts.  Errors: unsupported for graphs with columns of edges, and with dense ids of which
  /// some were removed; when it is finished, locked if the graph was changed meanwhile: then nothing was added.
  Result<BulkLoad> append_load(Executor& executor, const BulkLoadOptions& options = {});

  /// The current state.  Never waits for a writer's I/O.
  [[nodiscard]] Result<Snapshot> snapshot() const;
  [[nodiscard]] Result<GraphInfo> info() const;
  /// That a data file was cut off, as the opening saw by its size; empty: none was.  Graph::check looks at all.
  [[nodiscard]] const std::string& damage() const;

  /// Returns when every earlier change is durable; at Durability::always each one already is.
  Status flush();
  /// Makes everything durable and moves the log into sections.  Changes of other threads go on meanwhile.
  Status checkpoint();
  /// Rewrites every section, optionally with new internal ids.  Changes of other threads go on meanwhile.
  Status compact(Executor& executor, std::optional<VertexOrder> order = std::nullopt);
  /// Moves each section to the location of its home (its number modulo that of locations) and folds what
  /// is pending.  Readers and writers go on meanwhile.  Errors: invalid_argument (not one home for each
  /// section, or the graph is in one location), those of `checkpoint`.
  Status place(const std::vector<unsigned>& home_of_section);
  Status close();
  /// Closes the graph and removes every file that it made, here and in its locations; directories stay, and
  /// so do files of others.
  Status discard();

  /// Reads and verifies every byte of the store at `path`.  Errors: only if it cannot be read at all.
  /// `locations` is needed only if they have moved; see OpenOptions.
  static Result<CheckReport> check(const std::filesystem::path& path, Executor& executor,
                                   const std::vector<std::filesystem::path>& locations = {});
  /// Converts a store of an earlier format to this format, in one step; false if it already has it.  An older store
  /// can be read without conversion.  Errors: those of open.
  static Result<bool> upgrade(const std::filesystem::path& path,
                              const std::vector<std::filesystem::path>& locations = {});
  /// Secure delete: compacts so that no file of the store keeps removed data.  Errors: invalid_argument (a tag keeps an
  /// older state), those of compact.
  Status purge(Executor& executor, VertexOrder order = VertexOrder::given);
  /// Keeps the current state under a name, to open later (OpenOptions::at), until it is untagged.  Cost: that of the
  /// later changes.  Errors: invalid_argument, already_exists, not_found.
  Status tag(std::string_view name);
  Status untag(std::string_view name);
  [[nodiscard]] std::vector<TagInfo> tags() const;
  /// Adds a column, null everywhere, or drops one; writes no section.  Errors: invalid_argument, not_found,
  /// unsupported.
  Status add_edge_column(std::string_view name, ColumnType type);
  Status add_vertex_column(std::string_view name, ColumnType type);
  Status drop_edge_column(std::string_view name);
  Status drop_vertex_column(std::string_view name);
  /// Puts a whole store at `path`, with all that redundancy allows, in the place of a damaged one, which is
  /// kept beside it under another name (RepairReport::kept); does nothing to a whole one.  After a crash
  /// either of them is at `path`, and the next repair goes on from there.  The repaired graph
  /// is at `path` alone; what a damaged one has in other locations is renamed there as it is itself, which
  /// makes room for spreading the graph again.  `locations` is needed only if they have moved.
  /// Errors: not_found (a location too), locked, corrupt (too little is left), already_exists, those of a load.
  static Result<RepairReport> repair(const std::filesystem::path& path, Executor& executor,
                                     const std::vector<std::filesystem::path>& locations = {});

 private:
  struct Impl;
  explicit Graph(std::unique_ptr<Impl> impl) noexcept;
  std::unique_ptr<Impl> impl_;
};

/// The columns of a state of a graph: external ids of vertices, and all columns of vertices and edges.  Values are read
/// when they are first asked for, a few thousand at a time.  `view` is that of the snapshot.
[[nodiscard]] std::shared_ptr<const MatchColumns> columns_of(const Snapshot& snapshot, const GraphView& view);

/// As Snapshot::vertex_values and edge_values; many values of fixed width that are near one another come out of the
/// blocks that predicates read, which are kept with the state where they take little of the free memory: a nanosecond
/// or two each.
[[nodiscard]] Result<ColumnValues> values_of_vertices(const Snapshot& snapshot, std::string_view name,
                                                      std::span<const VertexId> vertices);
[[nodiscard]] Result<ColumnValues> values_of_edges(const Snapshot& snapshot, std::string_view name,
                                                   std::span<const double> rows);

/// As Match::prepare (match.h), errors and cost included, with the columns of the snapshot; `view` is its view.
[[nodiscard]] Result<Match> prepare_match(const Snapshot& snapshot, const GraphView& view, MatchOptions options);

/// A bit for each row of edges for which a predicate over the edge columns is true, as Snapshot::with_rows takes them.
/// Errors: those of Predicate::parse and Predicate::test, also for the row of an edge that is gone; of reading values.
[[nodiscard]] Result<std::vector<std::uint8_t>> rows_where(const Snapshot& snapshot, std::string_view predicate,
                                                           Executor& executor);

}  // namespace rizoma
