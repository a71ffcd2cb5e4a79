// MemoryMedium: files that live in this process's memory and end with it.
//
// Each file is an anonymous memory object of the kernel (memfd), so mappings stay where they are
// while the file grows, discarded ranges are given back, and reading, writing and mapping are the
// very code that files on disk use.  Cost: one file descriptor a file.
#pragma once

#include "platform/medium.h"

#include <cstdint>
#include <memory>

namespace rizoma {

/// An empty medium; `granularity` is what it reports, for tests that imitate a device.
[[nodiscard]] std::unique_ptr<Medium> make_memory_medium(std::uint32_t granularity = 512);

}  // namespace rizoma
