// FirstFailure: the first error of many threads.  Module: base.
#pragma once

#include <rizoma/result.h>

#include <atomic>
#include <memory>

namespace rizoma {

/// Any thread notes errors; a reader sees the first one, or none.
class FirstFailure {
 public:
  FirstFailure() = default;
  FirstFailure(const FirstFailure&) = delete;
  FirstFailure& operator=(const FirstFailure&) = delete;
  ~FirstFailure() { delete first_.load(); }

  void note(const Error& error) {
    auto noted = std::make_unique<const Error>(error);
    const Error* none = nullptr;
    if (first_.compare_exchange_strong(none, noted.get(), std::memory_order_acq_rel)) {
      static_cast<void>(noted.release());
    }
  }
  /// Of a Status that is none, nothing.
  void note(const Status& status) {
    if (!status) note(status.error());
  }
  [[nodiscard]] bool failed() const noexcept { return first_.load(std::memory_order_relaxed) != nullptr; }
  [[nodiscard]] Status status() const {
    const Error* const first = first_.load(std::memory_order_acquire);
    return first == nullptr ? Status() : Status(*first);
  }

 private:
  std::atomic<const Error*> first_ = nullptr;
};

}  // namespace rizoma
