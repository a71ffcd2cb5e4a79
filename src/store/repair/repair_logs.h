// Repair of a store's logs: cuts them off where damage begins, and says what that loses.
//
// A log that ends early looks like one that was never longer.  So what can be read is compared with every trace of what
// was: the record of the last clean close, the sequence numbers with which later logs begin, whole records after the
// damage, and the offsets up to which records say that the log was durable.  Nothing is lost for certain only if the
// store was closed cleanly, not changed since, and all that it had then is there.
#pragma once

#include <rizoma/result.h>
#include <rizoma/store_types.h>

#include "store/manifest/manifest_copies.h"
#include "store/repair/salvage_medium.h"

namespace rizoma {

/// Makes the logs fit to be replayed.  Returns whether the record of the last close still holds.
Result<bool> repair_logs(SalvageMedium& medium, const FoundManifest& manifest, RepairReport& report);

}  // namespace rizoma
