// Discarded: a store that is being removed.
//
// Its superblock gets another name first, which is durable before anything else goes, and which goes last: what a
// crash leaves in between is recognized, and the next creation of a store there removes it.
#pragma once

#include <rizoma/result.h>

#include "platform/medium.h"

namespace rizoma {

inline constexpr const char* kDiscardedName = "superblock.discarded";

/// Whether the directory has the rest of a store that was being removed.
Result<bool> is_discarded(Medium& medium);

/// Begins to remove the store, if there is one: from then on it is none.
Status begin_discarding(Medium& medium);

/// Removes all files that a store makes, once the superblock is gone.
Status remove_discarded(Medium& medium);

}  // namespace rizoma
