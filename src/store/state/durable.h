// Durable: what of a store's contents is in extents, held by their leases.
#pragma once

#include "store/columns/row_table.h"
#include "store/manifest/manifest.h"
#include "store/space/extent_allocator.h"
#include "store/state/section_table.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace rizoma {

/// An extent, and its header checksum.
struct IdentifiedExtent {
  std::shared_ptr<const ExtentLease> lease;
  std::uint64_t id = 0;
};

struct Durable {
  std::vector<SectionExtents> out;
  std::vector<SectionExtents> in;
  std::vector<IdentifiedExtent> dictionary;
  IdentifiedExtent removed;  ///< no lease: no removed vertices
  RowParts edge_rows;
  RowParts vertex_rows;

  /// Everything that a manifest names.
  static Durable of(const ManifestState& state, LeaseBook& leases);
  /// `state` names nothing yet.
  void put_into(ManifestState& state) const;
};

}  // namespace rizoma
