// RankMemory: memory that all ranks work in as the threads of one process do.  Module: engine.
//
// Where ranks share memory, a kernel may keep its state there: what one rank has written, the others see after the next
// round, and atomics at once, without a message, and none of it counts as traffic.
#pragma once

#include <rizoma/detail/ranks.h>
#include <rizoma/result.h>

#include <cstddef>
#include <utility>

namespace rizoma {

class RankMemory {
 public:
  /// None.
  RankMemory() = default;
  /// So many bytes, the same on all ranks, which hold anything: the memory of former calls is used again.  None, on all
  /// ranks, where they do not share memory or lack it.  Collective: when it returns, nobody works any more in what
  /// ranks let go of before.
  static Result<RankMemory> take(Ranks& ranks, std::size_t bytes);
  RankMemory(RankMemory&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  RankMemory& operator=(RankMemory&& other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  RankMemory(const RankMemory&) = delete;
  RankMemory& operator=(const RankMemory&) = delete;
  ~RankMemory() {
    if (block_ != nullptr) block_->taken = false;
  }

  [[nodiscard]] explicit operator bool() const noexcept { return block_ != nullptr; }
  [[nodiscard]] std::byte* data() const noexcept { return block_->data; }

 private:
  explicit RankMemory(Ranks::SharedBlock& block) : block_(&block) { block.taken = true; }
  static Status release_smaller(Ranks& ranks, std::size_t bytes);
  Ranks::SharedBlock* block_ = nullptr;
};

}  // namespace rizoma
