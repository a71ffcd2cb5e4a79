#include "platform/process.h"

#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>

namespace rizoma {

std::int64_t process_id() noexcept { return ::getpid(); }

Result<std::unique_lock<std::mutex>> lock_in(std::int64_t process, std::mutex& mutex) {
  if (process_id() == process) return std::unique_lock(mutex);
  for (int attempt = 0; attempt < 1000; ++attempt) {
    std::unique_lock lock(mutex, std::try_to_lock);
    if (lock.owns_lock()) return lock;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return Error{ErrorCode::closed,
               "this process was forked from process " + std::to_string(process) +
                   " while a thread there was reading the graph: open the graph here anew, for reading only"};
}

}  // namespace rizoma
