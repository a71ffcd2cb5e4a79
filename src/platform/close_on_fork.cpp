#include "platform/close_on_fork.h"

#include "platform/process.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <vector>

namespace rizoma {
namespace {

struct OpenDescriptors {
  std::mutex mutex;
  std::vector<int> numbers;
};

OpenDescriptors& open_descriptors() {
  // Never destroyed: a fork may happen at any time.
  static auto* const open = new OpenDescriptors;
  return *open;
}

void before_fork() { open_descriptors().mutex.lock(); }
void after_in_parent() { open_descriptors().mutex.unlock(); }
void after_in_child() {
  for (const int number : open_descriptors().numbers) ::close(number);
  open_descriptors().numbers.clear();
  open_descriptors().mutex.unlock();
}

void watch_forks() {
  static const int watched = ::pthread_atfork(before_fork, after_in_parent, after_in_child);
  static_cast<void>(watched);  // without memory for it a child only keeps its parent's descriptors
}

}  // namespace

CloseOnFork::CloseOnFork(int number) : number_(number), process_(process_id()) {
  watch_forks();
  const std::lock_guard guard(open_descriptors().mutex);
  open_descriptors().numbers.push_back(number);
}

bool CloseOnFork::is_ours() const noexcept { return process_id() == process_; }

CloseOnFork::~CloseOnFork() {
  if (!is_ours()) return;
  const std::lock_guard guard(open_descriptors().mutex);
  std::erase(open_descriptors().numbers, number_);
  ::close(number_);
}

}  // namespace rizoma
