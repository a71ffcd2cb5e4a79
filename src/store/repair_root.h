// Repair of a store's root: superblock, manifest, logs, so far that it can be opened for reading.
#pragma once

#include <rizoma/result.h>
#include <rizoma/store_types.h>

#include "store/salvage_medium.h"

namespace rizoma {

/// Mends the copies; tells `report`.  Errors: corrupt (no manifest is left), unsupported, io.
Status repair_root(SalvageMedium& medium, RepairReport& report);

}  // namespace rizoma
