// CloseOnFork: an open descriptor that a forked child does not keep.
//
// A lock that belongs to an open file (flock) lives as long as any process has that file open, so a child
// made by fork would hold its parent's lock after the parent's death.  Linux can close descriptors at exec
// but not at fork; hence a handler that fork runs in the child (pthread_atfork) closes them.  The list that
// it reads is of the process, as fork is.
#pragma once

#include <cstdint>

namespace rizoma {

class CloseOnFork {
 public:
  explicit CloseOnFork(int number);  ///< takes it over
  CloseOnFork(const CloseOnFork&) = delete;
  CloseOnFork& operator=(const CloseOnFork&) = delete;
  ~CloseOnFork();  ///< closes it; nothing in a forked child
  /// False in a forked child, where it is closed.
  [[nodiscard]] bool is_ours() const noexcept;
  [[nodiscard]] int number() const noexcept { return number_; }

 private:
  int number_;
  std::int64_t process_;
};

}  // namespace rizoma
