// Repair of a store over several locations: each is read where it is; a mark that is damaged is replaced in
// memory.  A location that is not found at all stops the repair: it may only not be mounted.
#pragma once

#include <rizoma/result.h>
#include <rizoma/store_types.h>

#include "store/disk_format.h"
#include "store/space/locations.h"
#include "store/manifest/manifest.h"

#include <string>
#include <vector>

namespace rizoma {

/// An opener of the locations that the manifest lists, by the paths that it has for them.  `named` and the
/// owner's opener lead to them.  Tells `report` what was mended, and where they are (`kept_locations`).
/// Errors: not_found, unsupported, io.
Result<LocationOpener> repair_locations(const std::vector<LocationEntry>& entries, const LocationOwner& owner,
                                        const std::vector<std::string>& named, RepairReport& report);

}  // namespace rizoma
