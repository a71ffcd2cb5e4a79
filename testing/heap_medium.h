// HeapMedium: a MemoryMedium whose files are plain memory of this process: without system calls, which is
// what makes hundreds of thousands of crash states affordable.
#pragma once

#include "platform/medium.h"

#include <cstdint>
#include <memory>

namespace rizoma {

/// An empty medium; `granularity` is what it reports.
[[nodiscard]] std::unique_ptr<Medium> make_heap_medium(std::uint32_t granularity = 512);

}  // namespace rizoma
