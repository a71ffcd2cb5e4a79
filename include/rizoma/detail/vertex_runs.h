// VertexRuns: joins consecutive vertices into runs.  Module: engine.
#pragma once

#include <rizoma/ids.h>

#include <cstddef>
#include <utility>

namespace rizoma::engine_detail {

/// The accumulators of a run fit the L1 cache.
inline constexpr std::size_t kMostInRun = 256;

/// Calls f(run) for the added vertices, in order, with at most kMostInRun consecutive ones each.
template <class F>
class VertexRuns {
 public:
  explicit VertexRuns(F f) : f_(std::move(f)) {}

  void add(VertexId v) {
    if (v != run_.end || run_.size() == kMostInRun) {
      end();
      run_ = {v, v};
    }
    ++run_.end;
  }
  /// Flushes the last run.
  void end() {
    if (!run_.empty()) f_(run_);
    run_ = {};
  }

 private:
  F f_;
  VertexRange run_{};
};

}  // namespace rizoma::engine_detail
