// Triangles of a graph that memory cannot hold: as many lists as fit are loaded, and all lists are streamed past them.
//
// How.  Each edge belongs to its end of higher degree rank (triangle_count.h).  The lists of the first degree ranks are
// rows of bits, which stay; the others are loaded part by part.
// For each part the lists of the file go by once, in its order: of each
// vertex the list marks its members, and those of its members' lists that are loaded are held against the marks.  So
// each triangle is found once, where its middle vertex is loaded.  In a graph stored by decreasing degree only what
// follows the beginning of a part is read.
// Of a directed graph the lists of both directions go by, some vertices' out-edges first, which wait in memory for
// their in-edges: a neighbour is one by either.
// Cost: reads of 1 + parts times the lists at most, one more without that order; time by the wedges; 8 bytes a vertex
// without that order, 16 bytes a vertex of a part, 1/8 byte a vertex and thread, and the
// room that the engine leaves for lists, or what 1,024 vertices need if that is more.
// Source: Hu, Tao, Chung, "Massive graph triangulation", SIGMOD'13; Giechaskiel, Panagopoulos, Yoneki, "PDTL: parallel
// and distributed triangle listing for massive graphs", ICPP'15.
#pragma once

#include <rizoma/algorithms/triangle_count.h>

namespace rizoma {

/// Counts into `result` if memory cannot hold the graph, which has in-edges, fewer than 2^32 vertices, and is this
/// process's alone; false, with `result` as it was, if not.  Errors: cancelled.
Result<bool> count_out_of_core(Engine& engine, const GraphView& graph, const TriangleCountOptions& options,
                               TriangleCountResult& result);

}  // namespace rizoma
