// Writing a graph's edges to a file.  Module: api.
#pragma once

#include <rizoma/edge_batch.h>
#include <rizoma/executor.h>
#include <rizoma/graph.h>
#include <rizoma/graph_view.h>
#include <rizoma/ingest.h>
#include <rizoma/result.h>

#include <filesystem>
#include <string_view>

namespace rizoma {

/// Writes every edge once (an undirected edge from its end of smaller inner number, or as the format
/// wants it) by external ids, so that `read_file` gives the graph back.  The format is taken from the
/// name if it is `kAnyFormat`; a name ending in .gz or .zst is compressed.  The file appears under its name only
/// when it is complete; one that was there is replaced.
///
/// Text with weights says so in its first line ("# source target weight"; a CSV header), and is read back
/// with them; that of a directed graph has the comment "# Directed graph", that of string ids of which some look
/// like integers "# String ids", in CSV before the header.  Columns are written to gml, graphml and json alone: there
/// days and moments are text, bytes Base64, and lists JSON.  These three, edge_list and csv carry any ids (an edge list
/// no blanks in them); matrix_market, metis and gapbs need the ids 0..n-1.  metis and
/// gapbs list neighbours by ascending id; metis is for undirected graphs and integer weights; gapbs (.sg without,
/// .wsg with weights) for up to 2^31 vertices and 32-bit integer weights, and is not compressed.  Vertices without
/// edges are kept by these three and by gml, graphml and json.
/// Errors: invalid_argument (the name tells no format), unsupported (the format cannot carry this graph: says why),
/// io, out_of_space, cancelled.
Status export_edges(const Snapshot& snapshot, const std::filesystem::path& file, std::string_view format,
                    Executor& executor);

/// The same for a view and the external ids of its vertices, by inner number; columns are not written.
Status export_edges(const GraphView& view, const IdColumn& ids, const std::filesystem::path& file,
                    std::string_view format, Executor& executor);

}  // namespace rizoma
