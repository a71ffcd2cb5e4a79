// The parts of a BulkLoad, and its memory limit.
#pragma once

#include <rizoma/graph.h>
#include <rizoma/result.h>
#include <rizoma/schema.h>

#include "platform/medium.h"
#include "store/loading/bulk_load.h"
#include "store/store.h"

#include <cstdint>
#include <memory>

namespace rizoma {

struct BulkLoad::Impl {
  std::shared_ptr<Store> store;
  IdKind ids = IdKind::dense;
  std::unique_ptr<Medium> spill;
  std::unique_ptr<LoadTarget> target;

  /// Makes the loader, into the target.
  Status begin(const GraphSchema& schema, const BulkLoadOptions& options);
  std::unique_ptr<BulkLoader> loader;
};

/// What a loader may use of the limit that the user gave, or of the free memory; 0: no limit.
Result<std::uint64_t> loader_limit(std::uint64_t asked, bool spills_to_memory);

}  // namespace rizoma
