// Match: the matches of a pattern such as (a)-->(b)-->(c)-->(a) in a graph.  Module: query.
//
// What: every assignment of vertices to the pattern's vertices such that each pattern edge exists (a
// homomorphism, like a join in SQL; two names may stand for one vertex), once for each choice among
// parallel edges.  docs/guide/patterns.md has the language.
// How: binds one variable after another by intersecting the sorted lists of the bound ones (worst-case
// optimal for cycles); what is only counted is not enumerated: independent branches are
// multiplied, a leaf adds the length of its list, and a symmetric pattern is matched once for each orbit.
// Cost: at most O(m^(k/2)) for a cyclic pattern of k vertices in a graph of m edges; O(m) for a tree.
// Source: Ngo, Porat, Re, Rudra, "Worst-case optimal join algorithms", PODS'12; Olteanu, Zavodny, "Size bounds
// for factorised representations of query results", TODS 40, 2015; Grochow, Kellis, "Network motif discovery using
// subgraph enumeration and symmetry-breaking", RECOMB'07.
#pragma once

#include <rizoma/columns.h>
#include <rizoma/engine.h>
#include <rizoma/graph_view.h>
#include <rizoma/result.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace rizoma {

namespace query {
class MatchMemory;
}  // namespace query

using MatchTime = TimeValue;
using MatchValue = Scalar;

/// Which matches are kept.
enum class DistinctMatches : std::uint8_t {
  none,   ///< all
  edges,  ///< matches that use no edge twice
  nodes,  ///< matches that use no vertex twice
};

/// An entry of a list: the edge at `place` of the out-list of `source`.
struct EdgeEntry {
  VertexId source = 0;
  EdgeCount place = 0;
  friend bool operator==(const EdgeEntry&, const EdgeEntry&) = default;
};

/// Which rows of edges are those of an edge, and not of one that is gone.
struct UsedRows {
  std::vector<std::uint8_t> bits;      ///< byte i: rows 8i..8i+7, lowest first; never row 0, which has no values
  std::vector<std::uint64_t> loops;    ///< the rows of self-loops
  EdgeCount without_values = 0;        ///< edges of row 0
  EdgeCount loops_without_values = 0;  ///< self-loops of row 0
  bool distinct = true;                ///< no row is that of two edges
};

/// Values of edges that lie apart from the lists, in rows, one for each edge.  Called from many threads.
class EdgeRows {
 public:
  virtual ~EdgeRows() = default;
  /// Rows are below.
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  /// The values of rows [begin, end), those of removed edges included, read anew in each call.  Errors: corrupt, io.
  [[nodiscard]] virtual Result<ColumnValues> values(std::size_t column, std::uint64_t begin,
                                                    std::uint64_t end) const = 0;
  /// Those of rows as lists name them; a few nanoseconds each.  Errors: also invalid_argument, for what is no row.
  [[nodiscard]] virtual Result<ColumnValues> values(std::size_t column, std::span<const double> rows) const = 0;
  /// Those of rows below `size`, of a column of fixed width, out of blocks that are kept.  Errors: corrupt, io.
  [[nodiscard]] virtual Result<ColumnValues> kept_values(std::size_t column,
                                                         std::span<const std::uint64_t> rows) const = 0;
  /// Found in the first call.  Cost of that: O(entries).  Errors: corrupt, io, cancelled.
  [[nodiscard]] virtual Result<std::shared_ptr<const UsedRows>> used(Executor& executor) const = 0;
  /// The lists of the graph, with the number of each edge's row as weight (double).  Null before
  /// MatchColumns::prepare_edges.
  [[nodiscard]] virtual const GraphView* lists() const = 0;
};

/// What a pattern may say of vertices and edges beyond who is adjacent to whom: the seam by which the columns of a
/// graph come in.  Called from many threads.  Errors: corrupt, io.
class MatchColumns {
 public:
  virtual ~MatchColumns() = default;
  /// Names and types of the columns; a column's number is its place.
  [[nodiscard]] virtual std::vector<ColumnSchema> vertex_columns() const = 0;
  [[nodiscard]] virtual std::vector<ColumnSchema> edge_columns() const = 0;
  [[nodiscard]] virtual MatchValue of_vertex(std::size_t column, VertexId v) const = 0;
  [[nodiscard]] virtual MatchValue of_edge(std::size_t column, EdgeEntry edge) const = 0;
  /// The values of this entry and of those after it in the same list, as many as are together.
  [[nodiscard]] virtual ColumnRun run_of_edges(std::size_t /*column*/, EdgeEntry /*first*/) const { return {}; }
  /// The values of this vertex and of those of the numbers after it, as many as are together.
  [[nodiscard]] virtual ColumnRun run_of_vertices(std::size_t /*column*/, VertexId /*first*/) const { return {}; }
  /// Null: the values of edges lie beside the entries.
  [[nodiscard]] virtual const EdgeRows* edge_rows() const { return nullptr; }
  /// Makes the values of edges ready to be read, on the threads of the executor; else the first value that is asked
  /// for does, on one thread.
  [[nodiscard]] virtual Status prepare_edges(Executor& /*executor*/) const { return {}; }
  /// int64 or string.
  [[nodiscard]] virtual ColumnType id_type() const { return ColumnType::int64; }
  /// External id of a vertex.
  [[nodiscard]] virtual MatchValue id(VertexId v) const = 0;
  /// The vertex with this id; kNoVertex if there is none.
  [[nodiscard]] virtual Result<VertexId> find(const MatchValue& id) const = 0;
  /// What matches of the graph keep for one another; null: nothing.
  [[nodiscard]] virtual query::MatchMemory* memory() const { return nullptr; }
  /// The first failure to read a value, which then passed for null.
  [[nodiscard]] virtual Status status() const { return {}; }
};

/// The weight of edges, and internal ids as ids.
[[nodiscard]] std::shared_ptr<const MatchColumns> columns_of(const GraphView& graph);

/// How ranks share a graph that only some of them hold.
struct Sharing {
  /// Ranks 0..data_nodes-1 hold the sections, each a part of them; the others are workers, which hold none and fetch
  /// the lists that they read.  0: each rank reads the whole graph itself.
  unsigned data_nodes = 0;
  /// Memory for lists that were fetched, on each rank.  A batch of vertices to begin with may need more.
  std::uint64_t cache_bytes = std::uint64_t{64} << 20;
};

/// What one rank did in a call that data nodes and workers shared.
struct RankShare {
  bool holds = false;        ///< this rank is a data node
  std::uint64_t blocks = 0;  ///< blocks of starting vertices, of about equal work
  std::uint64_t lists = 0;   ///< lists that it fetched
  std::uint64_t bytes = 0;   ///< in them
  std::uint64_t hits = 0;    ///< lists found in its cache
};

/// The estimated bytes that one rank fetches if `ranks` ranks share the graph.
struct FetchEstimate {
  unsigned ranks = 1;
  double lists = 0;
  double bytes = 0;  ///< in them, if it keeps them all
};

struct MatchOptions {
  std::string pattern;
  std::string where;                   ///< a condition over the names of the pattern; empty: none
  std::string label_column = "label";  ///< of vertices: what `(a:User)` looks at
  std::string type_column = "type";    ///< of edges: what `-[:KNOWS]->` looks at
  DistinctMatches distinct = DistinctMatches::none;
  /// Vertices (internal ids) that a name may stand for.
  std::vector<std::pair<std::string, std::vector<VertexId>>> anchors;
  std::shared_ptr<const MatchColumns> columns;  ///< null: columns_of(graph)
  Sharing sharing;
  /// Bytes of memory for lists of the edges that a condition keeps; where they would take more, the condition is tested
  /// edge by edge.  0: no limit; prepare_match takes half of what is free.
  std::uint64_t memory_limit = 0;
};

/// Columns of matches, one value a row.
struct MatchRows {
  std::vector<std::vector<std::int64_t>> vertices;  ///< of each vertex that was asked for: its id, or internal id
  std::vector<std::vector<EdgeEntry>> edges;        ///< of each edge that was asked for
  std::size_t rows = 0;
};

/// Which columns of matches to read.
struct MatchSelection {
  std::vector<std::string> vertices;
  std::vector<std::string> edges;
  /// External ids by internal id, for the columns of vertices; null: they hold internal ids.
  std::shared_ptr<const std::vector<std::int64_t>> ids;
  bool some = false;  ///< only the first rows will be read: nothing is computed for all edges beforehand
  /// Which of `parts` disjoint parts of all matches to read: for processes that share them.
  unsigned part = 0;
  unsigned parts = 1;
};

/// The vertices (internal ids, ascending) that have matches, and how many each.
struct VertexCounts {
  std::vector<VertexId> vertices;
  std::vector<std::uint64_t> counts;
};

class MatchCursor;

/// A pattern bound to a graph, with its plan.  Cheap to copy; immutable.
class Match {
 public:
  /// Errors: parse (the pattern or the condition, with the place; a comparison of values of different kinds), not_found
  /// (a column), invalid_argument (a name that the pattern lacks), unsupported (the pattern needs in-edges that the
  /// graph does not store).
  static Result<Match> prepare(const GraphView& graph, const MatchOptions& options);

  /// Names of the pattern's vertices and edges, in the order of their first mention.
  [[nodiscard]] const std::vector<std::string>& vertices() const noexcept;
  [[nodiscard]] const std::vector<std::string>& edges() const noexcept;

  /// Number of matches.  On ranks, each rank counts a part (collective), and all get the same sum.
  /// With MatchOptions::sharing a rank reads no lists but its own and those that it fetches; `shares`, if given, takes
  /// what each rank did.
  /// Errors: cancelled, unsupported (2^64 matches or more; data nodes and shortest paths), invalid_argument (more data
  /// nodes than ranks), those of reading a column.
  [[nodiscard]] Result<std::uint64_t> count(Engine& engine, std::vector<RankShare>* shares = nullptr) const;
  /// The same for each vertex that a name stands for.  Counts from that vertex, or lists the matches from where a plan
  /// is cheapest.  Not on ranks (unsupported).
  [[nodiscard]] Result<VertexCounts> count_by(Engine& engine, std::string_view name) const;
  /// The plan as text: the order, what each step reads, and estimates; with `run` also what each step found, which
  /// counts the matches.  Errors: those of `count`.
  [[nodiscard]] Result<std::string> explain(Engine& engine, bool run) const;
  /// What a rank that holds the share `held` of all lists will fetch in a count that this many ranks share, for each
  /// number of ranks.  Errors: cancelled, unsupported (on ranks).  Cost: O(entries).
  [[nodiscard]] Result<std::vector<FetchEstimate>> estimate(Engine& engine, const std::vector<unsigned>& ranks,
                                                            double held) const;
  /// The matches, with the vertices and edges named.  Errors: invalid_argument (a name, a part that there is not).
  [[nodiscard]] Result<MatchCursor> rows(const MatchSelection& selection) const;

  struct Impl;
  explicit Match(std::shared_ptr<const Impl> impl) noexcept : impl_(std::move(impl)) {}

 private:
  std::shared_ptr<const Impl> impl_;
};

/// Reads matches in any order, some at a time, in bounded memory.
class MatchCursor {
 public:
  struct Impl;
  explicit MatchCursor(std::unique_ptr<Impl> impl) noexcept;
  MatchCursor(MatchCursor&&) noexcept;
  MatchCursor& operator=(MatchCursor&&) noexcept;
  ~MatchCursor();

  /// The next matches, in parts of about `most` rows, one a thread; no part only if none are left.
  /// Errors: cancelled, those of reading a column.
  [[nodiscard]] Result<std::vector<MatchRows>> next(Engine& engine, std::size_t most);
  [[nodiscard]] bool finished() const noexcept;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace rizoma
