// What the page cache holds of a file, and asking it to give that up.
#pragma once

#include <rizoma/result.h>

#include <cstdint>
#include <string_view>

namespace rizoma::probe {

/// Share of the file's first `bytes` bytes, 0..1, that is in the page cache (by mincore).
[[nodiscard]] Result<double> resident_share(int file, std::uint64_t bytes, std::string_view where);

/// Makes the file durable (a dirty page cannot be given up) and asks the page cache to let go of it.
/// Asking is all that an ordinary process may do: ask resident_share whether it was granted.
Status evict(int file, std::string_view where);

/// Empties the page cache of the whole machine; only root may.  Slows all other programs down for a while.
Status drop_all_caches();

/// Reads all of the file once.
Status warm_up(int file, std::uint64_t bytes, std::string_view where);

/// Switches O_DIRECT on or off.  Error of code unsupported if the file system has no direct I/O.
Status set_direct(int file, bool direct, std::string_view where);

}  // namespace rizoma::probe
