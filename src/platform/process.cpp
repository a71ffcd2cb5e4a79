#include "platform/process.h"

#include <unistd.h>

#include <array>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>

namespace rizoma {

std::int64_t process_id() noexcept { return ::getpid(); }

bool process_lives(std::int64_t process) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  if (!std::getline(stat, line)) return false;
  // "815 (any name) S ...": the state follows the last parenthesis.
  const std::size_t name_end = line.rfind(')');
  const char state = name_end + 2 < line.size() ? line[name_end + 2] : '?';
  return state != 'Z' && state != 'X';
}

MachineIdentity machine_identity() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '?';
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  std::array<char, 64> processes{};  // the name space of process numbers, as containers have their own
  const ssize_t length = ::readlink("/proc/self/ns/pid", processes.data(), processes.size());
  const std::string space(processes.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
  return {host.data(), std::string(host.data()) + " " + boot + " " + space};
}

Result<HeldLock> lock_in(std::int64_t process, Mutex& mutex) {
  if (process_id() == process) return HeldLock(mutex);
  for (int attempt = 0; attempt < 1000; ++attempt) {
    HeldLock lock(mutex, std::try_to_lock);
    if (lock.owns_lock()) return lock;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return Error{ErrorCode::closed,
               "this process was forked from process " + std::to_string(process) +
                   " while a thread there was reading the graph: open the graph here anew, for reading only"};
}

}  // namespace rizoma
