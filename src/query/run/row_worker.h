// A thread that reads rows, and the blocks of vertices that it has taken to begin with.  Module: query.
#pragma once

#include "query/run/rows.h"

#include <rizoma/engine.h>
#include <rizoma/match.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace rizoma::query {

template <class Target>
class RowWorker {
 public:
  RowWorker(const Run& run, const RowColumns& wanted) : graph_(run.graph), reader_(run, wanted) {}

  /// Adds rows until there are `most` or the engine stops: then true, as there may be more.  `take(blocks)` gives it
  /// more blocks; false: there are none left.
  template <class Take>
  bool work(const Engine& engine, MatchRows& rows, std::size_t most, Take&& take) {
    std::uint64_t taken = 0;
    for (;;) {
      if (is_reading_) {
        is_reading_ = reader_.read(engine, rows, most);
        if (is_reading_) return true;
      }
      if (engine.stopping()) return true;
      if (start_next()) continue;
      if (taken++ == kBlocksAtATime) return true;
      blocks_.clear();
      if (!take(blocks_)) return false;
      block_ = 0;
      place_ = blocks_.empty() ? 0 : blocks_[0].vertices.begin;
    }
  }

 private:
  static constexpr std::uint64_t kBlocksAtATime = 1024;  // before it reports its progress

  /// Starts with the next vertex of the blocks that were taken; false if there is none.
  bool start_next() {
    while (block_ < blocks_.size()) {
      const RootBlock& block = blocks_[block_];
      if (place_ < block.vertices.end) {
        const VertexId v = place_++;
        if (!graph_.is_live(v)) continue;
        reader_.start(v, block.piece ? &*block.piece : nullptr);
        is_reading_ = true;
        return true;
      }
      if (++block_ < blocks_.size()) place_ = blocks_[block_].vertices.begin;
    }
    return false;
  }

  const GraphView& graph_;
  RowReader<Target> reader_;
  bool is_reading_ = false;
  std::vector<RootBlock> blocks_;
  std::size_t block_ = 0;
  VertexId place_ = 0;  ///< the next vertex within the block
};

/// All threads read, each with the workers of its number (engines of different sizes may take turns), or, where there
/// is one worker, the caller alone.  Makes `found` a
/// part for each worker, some of them empty; true if there may be more rows.  Errors: cancelled.
template <class Worker, class Take>
Result<bool> read_side_by_side(Engine& engine, const std::vector<std::unique_ptr<Worker>>& workers,
                               const RowColumns& wanted, std::size_t most, Take&& take, std::vector<MatchRows>& found) {
  found.resize(workers.size());
  for (MatchRows& rows : found) {
    rows.vertices.resize(wanted.vertices.size());
    rows.edges.resize(wanted.edges.size());
  }
  std::atomic<bool> some_left = false;
  const auto work = [&](unsigned thread) {
    for (std::size_t i = thread; i < workers.size(); i += engine.threads()) {
      if (workers[i]->work(engine, found[i], most, take)) some_left = true;
    }
  };
  if (workers.size() == 1) work(0);
  else engine.parallel(work);
  // `parallel` says nothing of a stop, which would otherwise end the engine's next loop, of any caller.
  if (engine.stopping()) RIZOMA_TRY(engine.report("match", 0, 1));
  return some_left.load();
}

}  // namespace rizoma::query
