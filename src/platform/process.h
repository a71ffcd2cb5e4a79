// Which process this is: what belongs to the parent must not be used after a fork.
#pragma once

#include <cstdint>

namespace rizoma {

/// Number of the calling process.
[[nodiscard]] std::int64_t process_id() noexcept;

}  // namespace rizoma
