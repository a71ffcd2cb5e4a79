#include "store/user_code.h"

#include <algorithm>

namespace rizoma {
namespace {

std::int64_t now() noexcept { return std::chrono::steady_clock::now().time_since_epoch().count(); }

}  // namespace

/// While one lives, its thread is at the store's work, within a call of the executor.
class UserCode::Work {
 public:
  explicit Work(UserCode& code) noexcept : code_(code) { ++code_.working_; }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  ~Work() {
    code_.since_ = now();  // first: whoever sees that nobody works sees since when
    --code_.working_;
  }

 private:
  UserCode& code_;
};

/// While one lives, its thread is in a call of the executor, and not at the store's work.
class UserCode::Call {
 public:
  explicit Call(UserCode& code) noexcept : code_(code) {
    code_.since_ = now();
    --code_.working_;
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() { ++code_.working_; }

 private:
  UserCode& code_;
};

bool UserCode::is_overdue() const noexcept {
  if (working_ > 0) return false;
  const std::chrono::steady_clock::duration passed(now() - since_);
  return passed > patience_;
}

std::chrono::milliseconds UserCode::pause() const noexcept {
  return std::clamp(patience_ / 4, std::chrono::milliseconds(1), std::chrono::milliseconds(1000));
}

WatchedExecutor::WatchedExecutor(UserCode& code, Executor& executor) noexcept : code_(code), executor_(executor) {
  code_.caller_ = std::this_thread::get_id();
}

WatchedExecutor::~WatchedExecutor() { code_.caller_ = std::thread::id(); }

Status WatchedExecutor::report(std::string_view phase, double done, double total) {
  const UserCode::Call call(code_);
  return executor_.report(phase, done, total);
}

void WatchedExecutor::parallel(FunctionRef<void(unsigned thread)> body) {
  const UserCode::Call call(code_);
  executor_.parallel([&](unsigned thread) {
    const UserCode::Work work(code_);
    body(thread);
  });
}

Status WatchedExecutor::for_blocks(std::uint64_t size, std::uint64_t grain,
                                   FunctionRef<void(VertexRange block, unsigned thread)> body) {
  const UserCode::Call call(code_);
  return executor_.for_blocks(size, grain, [&](VertexRange block, unsigned thread) {
    const UserCode::Work work(code_);
    body(block, thread);
  });
}

}  // namespace rizoma
