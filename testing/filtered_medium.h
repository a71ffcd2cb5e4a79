// FilteredMedium: a Medium before another one; each operation that changes something passes a filter, which
// may do it, leave it, do it later, or do something else first.
#pragma once

#include "platform/medium.h"
#include "testing/crash_model.h"

#include <functional>
#include <memory>
#include <string_view>

namespace rizoma {

/// Called with the name of the file (empty for sync_names) and what would do the operation, which may be
/// kept: writes, syncs, resizings, discards and syncs of names.  From the threads that use the medium.
using OperationFilter =
    std::function<Status(OperationKind kind, std::string_view file, std::function<Status()> operation)>;

/// `medium` outlives what this returns.
[[nodiscard]] std::shared_ptr<Medium> make_filtered_medium(Medium& medium, OperationFilter filter);

}  // namespace rizoma
