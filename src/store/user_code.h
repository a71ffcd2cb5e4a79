// Store::UserCode: while one lives, its thread may call the user's code (a progress function, a signal handler) although
// it holds the writer lock.  Whatever that code asks of the store and needs the lock for is refused; it may read.
#pragma once

#include "store/store.h"

#include <thread>

namespace rizoma {

class Store::UserCode {
 public:
  explicit UserCode(Store& store) noexcept : of_(store.reporting_) { of_ = std::this_thread::get_id(); }
  ~UserCode() { of_ = std::thread::id(); }
  UserCode(const UserCode&) = delete;
  UserCode& operator=(const UserCode&) = delete;

 private:
  std::atomic<std::thread::id>& of_;
};

}  // namespace rizoma
