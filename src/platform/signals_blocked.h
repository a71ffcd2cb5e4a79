// SignalsBlocked: keeps signals from threads started while it lives (a thread inherits the mask of the
// one that makes it), so that they reach the caller.
#pragma once

#include <pthread.h>
#include <signal.h>

namespace rizoma {

class SignalsBlocked {
 public:
  SignalsBlocked() noexcept {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace rizoma
