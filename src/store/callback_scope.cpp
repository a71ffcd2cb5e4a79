#include "store/callback_scope.h"

#include <algorithm>

namespace rizoma {
namespace {

std::int64_t now() noexcept { return std::chrono::steady_clock::now().time_since_epoch().count(); }

}  // namespace

/// While one lives, its thread is at the store's work, within a call of the executor.
class CallbackScope::Work {
 public:
  explicit Work(CallbackScope& code) noexcept : code_(code) { ++code_.working_; }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  ~Work() {
    code_.since_ = now();  // first: a thread that sees no work sees since when
    --code_.working_;
  }

 private:
  CallbackScope& code_;
};

/// While one lives, its thread is in a call of the executor, and not at the store's work.
class CallbackScope::Call {
 public:
  explicit Call(CallbackScope& code) noexcept : code_(code) {
    code_.since_ = now();
    --code_.working_;
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() { ++code_.working_; }

 private:
  CallbackScope& code_;
};

bool CallbackScope::is_overdue() const noexcept {
  if (working_ > 0) return false;
  const std::chrono::steady_clock::duration passed(now() - since_);
  return passed > lock_timeout_;
}

std::chrono::milliseconds CallbackScope::pause() const noexcept {
  return std::clamp(lock_timeout_ / 4, std::chrono::milliseconds(1), std::chrono::milliseconds(1000));
}

WatchedExecutor::WatchedExecutor(CallbackScope& code, Executor& executor) noexcept : code_(code), executor_(executor) {
  code_.caller_ = std::this_thread::get_id();
}

WatchedExecutor::~WatchedExecutor() { code_.caller_ = std::thread::id(); }

Status WatchedExecutor::report(std::string_view phase, double done, double total) {
  const CallbackScope::Call call(code_);
  return executor_.report(phase, done, total);
}

void WatchedExecutor::parallel(FunctionRef<void(unsigned thread)> body) {
  const CallbackScope::Call call(code_);
  executor_.parallel([&](unsigned thread) {
    const CallbackScope::Work work(code_);
    body(thread);
  });
}

Status WatchedExecutor::for_blocks(std::uint64_t size, std::uint64_t grain,
                                   FunctionRef<void(VertexRange block, unsigned thread)> body) {
  const CallbackScope::Call call(code_);
  return executor_.for_blocks(size, grain, [&](VertexRange block, unsigned thread) {
    const CallbackScope::Work work(code_);
    body(block, thread);
  });
}

}  // namespace rizoma
