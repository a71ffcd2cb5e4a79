// RankMemory: memory that all ranks of one host share.  Module: engine.
//
// Where ranks share memory, a kernel may keep its state there: ranks see each other's writes after the next collective,
// and atomics at once.  Such accesses need no message and do not count as traffic.
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
  /// `bytes` uninitialised bytes, the same number on all ranks; reuses memory of earlier calls.  None, on all ranks, if
  /// they share no memory or lack it.  Collective: when it returns, no rank uses memory that was released before.
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
