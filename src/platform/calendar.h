// Time of day, for notes that people read: never for measuring, and nothing is decided by it.
#pragma once

#include <cstdint>
#include <string>

namespace rizoma {

/// Seconds since 1970 (UTC) by the system's clock; 0 if it is before that.
[[nodiscard]] std::uint64_t seconds_since_1970() noexcept;

/// "2026-11-21 17:05:09 UTC".
[[nodiscard]] std::string utc_text(std::uint64_t seconds_since_1970);

}  // namespace rizoma
