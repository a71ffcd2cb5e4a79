// Validation: what a structure says against what the graph is, before any code indexes by it.
//
// A checksum tells that bytes are those that were written, not that Rizoma wrote them: a store may come
// from anywhere.  Each structure is checked against itself where it is decoded (image.h, delta.h, log.h, manifest.h,
// removed_vertices.h, dictionary_segment.h), and by a `validate` here against the graph and the other structures.
// All are pure functions; `where` names the place in messages.  Errors: corrupt.
// Cost.  Of a manifest O(sections), of an image O(1) beside the pass that verifies it, of a delta and of an operation
// of the log O(changes).  What needs a look at all edges at once, and all weights: cross_validation.h.
#pragma once

#include <rizoma/ids.h>
#include <rizoma/result.h>
#include <rizoma/schema.h>

#include "store/log/log.h"
#include "store/sections/delta.h"
#include "store/sections/image.h"
#include "store/sections/pending.h"
#include "store/sections/removed_vertices.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace rizoma {

struct ManifestState;

/// What a section of a graph is.
struct SectionFacts {
  SectionId section = 0;
  Direction direction = Direction::out;
  std::uint32_t num_vertices = 0;  ///< of this section
  VertexId graph_vertices = 0;
  unsigned target_bytes = 4;              ///< of the graph; an image may have narrower ones
  WeightType weights = WeightType::none;  ///< of its entries (entry_weights)
  bool rows = false;                      ///< they are row numbers; edges older than any row have none
  SelfLoops self_loops = SelfLoops::keep;
};

/// What a manifest says of an extent.
struct NamedExtent {
  std::uint64_t id = 0;
  EdgeCount num_entries = 0;
  EdgeCount num_self_loops = 0;  ///< of an image
};

/// Everything that follows from a manifest alone.
Status validate(const ManifestState& state, std::string_view where);

/// An image that verify_image has passed: the one that the manifest names, and its section's.
Status validate(const ImageSpec& spec, std::span<const std::byte> image, const NamedExtent& named,
                const SectionFacts& facts, std::string_view where);

/// A delta that verify_delta has passed, as above.
Status validate(const DeltaSpec& spec, std::span<const std::byte> delta, const NamedExtent& named,
                const SectionFacts& facts, std::string_view where);

/// The graph to which an operation of the log applies.
struct ReplayedGraph {
  const GraphSchema& schema;
  VertexId num_vertices = 0;
  const RemovedVertices& removed;
  std::uint64_t rows_end = 0;  ///< after the last row of edges
};

/// Changes to edges in the log.
Status validate(ChangeKind kind, const EdgeColumns& edges, const ReplayedGraph& graph, std::string_view where);

/// Vertices that the log removes, or has again.
Status validate_removal(std::span<const VertexId> vertices, bool removed, const ReplayedGraph& graph,
                        std::string_view where);

/// The number of vertices of a graph with dense ids that the log says.
Status validate_growth(VertexId num_vertices, const ReplayedGraph& graph, std::string_view where);

/// External ids of all internal ids of a reordered dense graph: each of 0..size-1 once.
Status validate_permutation(std::span<const std::int64_t> external, std::string_view where);

}  // namespace rizoma
