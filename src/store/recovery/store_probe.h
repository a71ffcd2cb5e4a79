// StoreProbe: whether a directory holds a store, the rest of one, other files, or nothing.
#pragma once

#include <rizoma/result.h>

#include "platform/medium.h"

#include <string>

namespace rizoma {

/// Whether a store makes files of this name in its own directory.
[[nodiscard]] bool store_makes_file(const std::string& name);

/// True if there is a store.  Errors: corrupt (only remains of one), already_exists (other files).
Result<bool> store_exists(Medium& medium);

/// Errors: not_found, unless there is a store; corrupt, io.
Status expect_store(Medium& medium);

}  // namespace rizoma
