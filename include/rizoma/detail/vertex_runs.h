// VertexRuns: vertices that come one after the other, gathered into runs.  Module: engine.  For the engine's own
// headers.
#pragma once

#include <rizoma/ids.h>

#include <cstddef>
#include <utility>

namespace rizoma::engine_detail {

/// So many that what is folded for them stays in the first cache.
inline constexpr std::size_t kMostInRun = 256;

/// Calls f(run) for the vertices that are added, in order, with kMostInRun of them at most that follow one another.
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
  /// There are no more.
  void end() {
    if (!run_.empty()) f_(run_);
    run_ = {};
  }

 private:
  F f_;
  VertexRange run_{};
};

}  // namespace rizoma::engine_detail
