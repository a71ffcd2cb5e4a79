// Export: writes a graph's edges to a file.  Module: api.
#pragma once

#include <rizoma/batch.h>
#include <rizoma/executor.h>
#include <rizoma/graph.h>
#include <rizoma/graph_view.h>
#include <rizoma/ids.h>
#include <rizoma/ingest.h>
#include <rizoma/result.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace rizoma {

/// Writes every edge once (an undirected edge from its end of smaller internal id, or as the format
/// needs it) with external ids, so that `read_file` restores the graph.  The format is taken from the
/// name if it is `kAnyFormat`; a name ending in .gz or .zst is compressed.  The file appears under its name only
/// when it is complete, and replaces an earlier one.
///
/// Text with weights says so in its first line ("# source target weight"; a CSV header), and is read back
/// with them; that of a directed graph has the comment "# Directed graph", that of string ids of which some look
/// like integers "# String ids", in CSV before the header.  Columns are written to gml, graphml and json alone: there
/// days and moments are text, bytes Base64, and lists JSON.  These three, edge_list and csv carry any ids (an edge list
/// no blanks in them); matrix_market, metis and gapbs need the ids 0..n-1.  metis and
/// gapbs list neighbours by ascending id; metis is for undirected graphs and integer weights; gapbs (.sg without,
/// .wsg with weights) for up to 2^31 vertices and 32-bit integer weights, and is not compressed.  Vertices without
/// edges are kept by these three and by gml, graphml and json.
/// Errors: invalid_argument (the name has no known format), unsupported (the format cannot carry this graph: says why),
/// io, out_of_space, cancelled.
Status export_edges(const Snapshot& snapshot, const std::filesystem::path& file, std::string_view format,
                    Executor& executor);

/// The same for a view and the external ids of its vertices, by internal id; columns are not written.
Status export_edges(const GraphView& view, const IdColumn& ids, const std::filesystem::path& file,
                    std::string_view format, Executor& executor);

/// Whether CSV can hold the ids of all vertices, so that they are read again: no line ends, no NUL, no empty text.  Who
/// writes rows of edges as text by other means asks this first.  Cost: O(bytes of the ids).  Errors: unsupported.
Status check_text_ids(const Snapshot& snapshot, const std::filesystem::path& file);

// EdgeScan: the edges of a view as flat columns, chunk by chunk, for tables.
//
// Edges are numbered in the order of their source's internal id; an undirected edge is listed once, from
// the end of smaller internal id (a self-loop once).  Any range of these numbers can be read, on all
// threads, so a reader holds no more than the chunk that it asked for.
// Cost: `create` O(vertices) once; `read` O(edges of the chunk) and a walk of at most 256 lists a piece.
// Memory: 8 bytes for 256 vertices, and if external ids differ from internal ids 4 bytes a vertex, or 8 if
// some id is below 0 or does not fit in 32 bits.

/// One value per edge.  Its memory returns to the scan that made it, which reuses it for later chunks.
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

/// The columns that a reader asks for.
struct EdgeScanColumns {
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
  Weights weights;  ///< monostate: the graph has none, or they were not asked for
};

class ColumnPool;

class EdgeScan {
 public:
  /// `ids` are the external ids by internal id; empty: chunks name the internal ids.
  /// Errors: invalid_argument (another number of ids than of vertices), cancelled.
  static Result<EdgeScan> create(GraphView view, const std::vector<std::int64_t>& ids, Executor& executor);

  [[nodiscard]] EdgeCount size() const noexcept { return starts_.back(); }
  /// Edges [begin, end); those past the last are left out.  Throws std::bad_alloc.  Errors: cancelled.
  [[nodiscard]] Result<EdgeChunk> read(EdgeCount begin, EdgeCount end, Executor& executor,
                                       EdgeScanColumns wanted = {}) const;

 private:
  /// External ids by internal id; monostate: they are the internal ids.
  using Ids = std::variant<std::monostate, std::vector<std::uint32_t>, std::vector<std::int64_t>>;

  EdgeScan(GraphView view, Ids ids);
  static Ids pack(const std::vector<std::int64_t>& ids);

  GraphView view_;
  Ids ids_;
  std::vector<EdgeCount> starts_;  ///< number of the first edge of each block of vertices, and of all edges
  std::shared_ptr<ColumnPool> pool_;
};

// A view as one compressed-sparse-row matrix, as in SciPy and igraph.
//
// A graph of one section is handed out as stored, without a copy; the sections of a larger one are
// copied one after another, in parallel.  Cost: O(1), or O(vertices + entries) and 4 or 8 bytes for each.

/// List v is targets[offsets[v], offsets[v+1]), its weights parallel to it.  All spans stay valid while a
/// copy of `owner` lives.
template <class Index>
struct FlatCsrOf {
  std::span<const Index> offsets;  ///< vertices + 1
  std::span<const Index> targets;
  const void* weights = nullptr;  ///< of the view's weight type; null if it has none
  std::shared_ptr<const void> owner;
  bool copied = true;  ///< false: offsets, targets and weights are the view's own memory
};

/// Signed indices, as SciPy expects: 32 bits if both the vertices and the entries can be counted so.
using FlatCsr = std::variant<FlatCsrOf<std::int32_t>, FlatCsrOf<std::int64_t>>;

/// `in` needs has_in_edges().  Throws std::bad_alloc.  Errors: cancelled.
Result<FlatCsr> flat_csr(const GraphView& view, Direction direction, Executor& executor);

}  // namespace rizoma
