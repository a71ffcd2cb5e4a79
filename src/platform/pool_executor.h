// PoolExecutor: an executor on threads of its own; stops after a number of reports if asked to.
#pragma once

#include <rizoma/executor.h>

#include "platform/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string_view>

namespace rizoma {

class PoolExecutor final : public Executor {
 public:
  explicit PoolExecutor(unsigned threads, int reports_before_stop = -1) : pool_(threads), left_(reports_before_stop) {}
  [[nodiscard]] unsigned threads() const noexcept override { return pool_.threads(); }
  [[nodiscard]] bool stopping() const noexcept override { return left_ == 0; }
  Status report(std::string_view, double, double) override {
    if (left_ > 0) --left_;
    return left_ == 0 ? Status(Error{ErrorCode::cancelled, "stopped"}) : Status();
  }
  void parallel(FunctionRef<void(unsigned)> body) override { pool_.run(body); }
  Status for_blocks(std::uint64_t size, std::uint64_t grain, FunctionRef<void(VertexRange, unsigned)> body) override {
    std::atomic<std::uint64_t> next{0};
    pool_.run([&](unsigned thread) {
      for (std::uint64_t begin; (begin = next.fetch_add(grain)) < size;)
        body({begin, std::min(begin + grain, size)}, thread);
    });
    return {};
  }

 private:
  ThreadPool pool_;
  int left_;
};

}  // namespace rizoma
