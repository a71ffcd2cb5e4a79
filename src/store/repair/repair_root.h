// Repair of a store's root: superblock, manifest, logs, marks of locations, so far that it can be opened for reading.
#pragma once

#include <rizoma/result.h>
#include <rizoma/store_types.h>

#include "store/repair/salvage_medium.h"
#include "store/store.h"

namespace rizoma {

/// Mends the copies; tells `report`.  `reach` says how the store's locations are found, the result how they
/// are to be opened then.  Errors: corrupt (no manifest is left), not_found (a location), unsupported, io.
Result<StoreOptions> repair_root(SalvageMedium& medium, const StoreOptions& reach, RepairReport& report);

}  // namespace rizoma
