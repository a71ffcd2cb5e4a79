// Which process this is: what belongs to the parent must not be used after a fork.
#pragma once

#include <rizoma/result.h>

#include "platform/mutex.h"

#include <cstdint>
#include <string>

namespace rizoma {

/// Number of the calling process.
[[nodiscard]] std::int64_t process_id() noexcept;

/// False once a process of this machine has ended, even if its parent has not yet taken note.
[[nodiscard]] bool process_lives(std::int64_t process);

struct MachineIdentity {
  std::string host;     ///< its name among people
  std::string machine;  ///< equal for processes that see each other by their numbers
};
[[nodiscard]] MachineIdentity machine_identity();

/// Locks a mutex of an object that `process` made.  In a child forked from it a mutex that another thread held at
/// the fork stays locked permanently: there the Error closed comes after a second of waiting.
[[nodiscard]] Result<HeldLock> lock_in(std::int64_t process, Mutex& mutex);

}  // namespace rizoma
