// Executor: threads to run loops on, with progress and a way to stop.  Module: base.
// Implementations: Engine; platform/thread_pool.h; SerialExecutor below.
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>

#include <cstdint>
#include <functional>
#include <string_view>

namespace rizoma {

/// Progress of a long call.
struct Progress {
  std::string_view phase;  ///< e.g. "pagerank"
  double done = 0;         ///< units done in this phase
  double total = 0;        ///< units in all; 0 if unknown
};

/// Called on the thread that called into Rizoma, at most every 50 ms; returns false to stop the call.
using ProgressCallback = std::function<bool(const Progress&)>;

class Executor {
 public:
  virtual ~Executor() = default;

  /// Number of threads, the calling one included.
  [[nodiscard]] virtual unsigned threads() const noexcept = 0;
  /// True once the running call should return.
  [[nodiscard]] virtual bool stopping() const noexcept = 0;
  /// Calls the progress callback (from the calling thread, between parallel loops).  Returns an Error of code cancelled
  /// if the call is to stop: pass it on.
  virtual Status report(std::string_view phase, double done, double total) = 0;

  /// Runs body(thread) once on every thread, 0..threads()-1; returns when all have.  An exception
  /// thrown by a body is rethrown here once all threads have returned.
  virtual void parallel(FunctionRef<void(unsigned thread)> body) = 0;

  /// Runs body(block, thread) for blocks that partition [0, size), each of `grain` items (the last
  /// may be smaller), handed out by a shared counter, so order is arbitrary.  Stops early, with an
  /// Error of code cancelled, if asked to.
  virtual Status for_blocks(std::uint64_t size, std::uint64_t grain,
                            FunctionRef<void(VertexRange block, unsigned thread)> body) = 0;
};

/// Runs everything on the calling thread; never stops.
class SerialExecutor final : public Executor {
 public:
  [[nodiscard]] unsigned threads() const noexcept override { return 1; }
  [[nodiscard]] bool stopping() const noexcept override { return false; }
  Status report(std::string_view, double, double) override { return {}; }
  void parallel(FunctionRef<void(unsigned thread)> body) override { body(0); }
  Status for_blocks(std::uint64_t size, std::uint64_t grain,
                    FunctionRef<void(VertexRange block, unsigned thread)> body) override {
    for (std::uint64_t begin = 0; begin < size; begin += grain) {
      body(VertexRange{begin, size - begin < grain ? size : begin + grain}, 0);
    }
    return {};
  }
};

}  // namespace rizoma
