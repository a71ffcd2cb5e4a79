// Values of columns that are read when a pattern first asks for them, a block at a time.  Module: query.
//
// Any thread asks; two that ask for the same block at once both read it, and one of them is kept.
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/result.h>

#include "base/first_failure.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace rizoma::query {

/// A number of blocks, each read once, by `Result<Block> read(i)`.
template <class Block>
class LazyBlocks {
 public:
  explicit LazyBlocks(std::size_t count)
      : blocks_(std::make_unique<std::atomic<const Block*>[]>(count)), count_(count) {}
  LazyBlocks(LazyBlocks&&) noexcept = default;
  LazyBlocks& operator=(LazyBlocks&&) = delete;
  ~LazyBlocks() {
    for (std::size_t i = 0; blocks_ != nullptr && i < count_; ++i) delete blocks_[i].load();
  }

  /// Block i; null if it cannot be read, which is then noted.
  const Block* get(std::size_t i, FirstFailure& failure, FunctionRef<Result<Block>(std::size_t)> read) const {
    std::atomic<const Block*>& block = blocks_[i];
    const Block* known = block.load(std::memory_order_acquire);
    if (known != nullptr) return known;
    Result<Block> made = read(i);
    if (!made) {
      failure.note(made.error());
      return nullptr;
    }
    auto kept = std::make_unique<const Block>(*std::move(made));
    if (block.compare_exchange_strong(known, kept.get(), std::memory_order_acq_rel)) return kept.release();
    return known;
  }

 private:
  std::unique_ptr<std::atomic<const Block*>[]> blocks_;
  std::size_t count_;
};

}  // namespace rizoma::query
