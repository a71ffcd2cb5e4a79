// SectionWriter: writes the sections of a state to extents: an image again where much of it changed, a delta elsewhere.
//
// What is written is not synced.  Cost: the bytes of the images and deltas, and the merge of each image's changes.
#pragma once

#include <rizoma/ids.h>
#include <rizoma/result.h>

#include "store/sections/merge_arena.h"
#include "store/sections/removed_vertices.h"
#include "store/sections/section.h"
#include "store/space/space.h"
#include "store/state/durable.h"
#include "store/state/snapshot.h"

#include <vector>

namespace rizoma {

class SectionWriter {
 public:
  /// `space` outlives this.
  explicit SectionWriter(Space& space) noexcept : space_(space) {}

  /// Writes the changes of `versions` that `sections` lack.  A section gets a new image if its changes are
  /// `rewrite_percent` or more of its entries; with 0, also if it is in the wrong location.
  Result<std::vector<SectionExtents>> write(std::vector<SectionExtents> sections, const SectionContext& context,
                                            const StoreSnapshot::Versions& versions, unsigned rewrite_percent);

 private:
  Result<SectionExtents> write_image(const SectionVersion& version, const SectionContext& context, MergeArena& arena);
  Result<SectionExtents> write_delta(const SectionVersion& version, const SectionContext& context);

  Space& space_;
};

/// Writes the list of removed vertices; returns no lease if there are none.
Result<IdentifiedExtent> write_removed(Space& space, const RemovedVertices& removed);

}  // namespace rizoma
