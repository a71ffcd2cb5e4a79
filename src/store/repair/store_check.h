// Check: reads and verifies every byte of a store that means something.
//
// What: both superblock slots, the manifest, every record of the log, every image, delta and
// dictionary segment (checksums and invariants), that each vertex is found by its own id, that removed
// vertices have no edges, and that edges agree with their transpose, or from both of their ends (an order-independent
// sum over a hash of all edges, equal from both sides but by a chance of 2^-64).
// Cost: O(bytes), in parallel.  Changes nothing.
#pragma once

#include <rizoma/executor.h>
#include <rizoma/result.h>
#include <rizoma/store_types.h>

#include "platform/medium.h"
#include "store/store.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace rizoma {

/// Findings for all that is damaged or missing.  `options` say how the store's locations are reached.
/// Errors: not_found (no trace of a store), io, cancelled.
Result<CheckReport> check_store(std::shared_ptr<Medium> medium, Executor& executor, const StoreOptions& options = {});

/// What is wrong with each of these tagged states by itself, or the first of it; "" for one that is whole.  Sections
/// that they share are read once.  Whatever keeps one from being read is said of it.  Errors: cancelled.
Result<std::vector<std::string>> damage_of_tags(const std::shared_ptr<Medium>& medium, std::span<const TagInfo> tags,
                                                Executor& executor, const StoreOptions& options);

}  // namespace rizoma
