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
#include <optional>
#include <string>

namespace rizoma {

/// Findings for all that is damaged or missing.  `options` say how the store's locations are reached.
/// Errors: not_found (no trace of a store), io, cancelled.
Result<CheckReport> check_store(std::shared_ptr<Medium> medium, Executor& executor, const StoreOptions& options = {});

/// What is wrong with a tagged state by itself, or the first of it; nothing if it is whole, or not there.
Result<std::optional<CheckFinding>> damage_of_tag(const std::shared_ptr<Medium>& medium, const std::string& name,
                                                  Executor& executor, const StoreOptions& options);

}  // namespace rizoma
