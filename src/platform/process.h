// Which process this is: what belongs to the parent must not be used after a fork.
#pragma once

#include <rizoma/result.h>

#include <cstdint>
#include <mutex>

namespace rizoma {

/// Number of the calling process.
[[nodiscard]] std::int64_t process_id() noexcept;

/// Locks a mutex of an object that `process` made.  In a child forked from it a mutex that another thread held at
/// the fork stays locked for good: there the Error closed comes after a second of waiting.
[[nodiscard]] Result<std::unique_lock<std::mutex>> lock_in(std::int64_t process, std::mutex& mutex);

}  // namespace rizoma
