#include "platform/process.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>

namespace rizoma {

namespace {

using KeptNumber = std::atomic<std::int64_t>;

/// A number that is 0 again in a forked child: a page that the system empties there; null where it cannot.
KeptNumber* emptied_at_fork() noexcept {
#ifdef MADV_WIPEONFORK
  constexpr std::size_t kBytes = sizeof(KeptNumber);
  void* page = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return nullptr;
  // An emulator that takes any advice, and uses none, is found out by one that does not exist.
  if (::madvise(page, kBytes, -1) != 0 && ::madvise(page, kBytes, MADV_WIPEONFORK) == 0)
    return new (page) KeptNumber(0);
  ::munmap(page, kBytes);
#endif
  return nullptr;
}

/// The one that this process and its children have; no lock, which a child might find held for ever.
KeptNumber* kept_number() noexcept {
  constinit static std::atomic<KeptNumber*> kept = nullptr;
  constinit static std::atomic<bool> impossible = false;
  if (KeptNumber* const found = kept.load(std::memory_order_acquire); found != nullptr) return found;
  if (impossible.load(std::memory_order_relaxed)) return nullptr;
  KeptNumber* const made = emptied_at_fork();
  if (made == nullptr) impossible.store(true, std::memory_order_relaxed);
  KeptNumber* before = nullptr;
  if (made == nullptr || kept.compare_exchange_strong(before, made, std::memory_order_acq_rel)) return made;
  ::munmap(made, sizeof(KeptNumber));
  return before;
}

}  // namespace

/// The system is asked once: a store asks for the number at each of its sections.
std::int64_t process_id() noexcept {
  KeptNumber* const kept = kept_number();
  if (kept == nullptr) return ::getpid();
  std::int64_t id = kept->load(std::memory_order_relaxed);
  if (id == 0) {
    id = ::getpid();
    kept->store(id, std::memory_order_relaxed);
  }
  return id;
}

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
                   " while a thread there was reading the graph; open the graph again here, for reading only"};
}

}  // namespace rizoma
