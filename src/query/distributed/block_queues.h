// The queues of blocks that ranks match, reassigned by the measured speed of each rank.  Module: query.
//
// How: all ranks hold the same queues.  A rank takes blocks from the front of its own without a message.  Now and then
// all say how many they have taken; from how many that were since the last time follows how fast each goes, what it
// fetches included, and blocks at the end of the queues of those that would be last go to those that would be first.
#pragma once

#include "query/run/roots.h"

#include <cstdint>
#include <span>
#include <vector>

namespace rizoma::query {

class BlockQueues {
 public:
  /// `takers`: the rank that matches each block to begin with.
  BlockQueues(std::vector<RootBlock> blocks, std::span<const unsigned> takers, unsigned ranks);
  /// Blocks that this rank alone knows, and matches.
  static BlockQueues own(std::vector<RootBlock> blocks, unsigned rank, unsigned ranks);

  /// Blocks of a rank that it has not taken yet, as this rank last knew.
  [[nodiscard]] std::uint64_t left(unsigned rank) const noexcept { return queues_[rank].left(); }
  [[nodiscard]] std::uint64_t taken(unsigned rank) const noexcept { return queues_[rank].taken; }
  /// The next block of a rank, which has some left.
  [[nodiscard]] const RootBlock& take(unsigned rank) {
    Queue& queue = queues_[rank];
    return blocks_[queue.blocks[queue.taken++]];
  }

  /// `taken`: blocks taken by each rank, all counted at one moment, when no rank works on one.
  void reassign(std::span<const std::uint64_t> taken);

 private:
  struct Queue {
    std::vector<std::uint32_t> blocks;  ///< by number
    std::uint64_t taken = 0;            ///< from the front
    std::uint64_t counted = 0;          ///< of them, when paces were noted last
    double pace = 0;                    ///< blocks of late, the last interval counting most
    [[nodiscard]] std::uint64_t left() const noexcept { return blocks.size() - taken; }
  };

  /// False while nothing is known about a rank that has work.
  bool note_paces(std::span<const std::uint64_t> taken);
  void even_out();

  std::vector<RootBlock> blocks_;
  std::vector<Queue> queues_;  ///< of each rank
  bool shared_ = true;
};

}  // namespace rizoma::query
