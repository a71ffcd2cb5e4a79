#include "query/distributed/block_queues.h"

#include "base/check.h"

#include <algorithm>
#include <utility>

namespace rizoma::query {
namespace {

constexpr double kUneven = 1.125;  // blocks move if a rank would take this factor longer than all together

}  // namespace

BlockQueues::BlockQueues(std::vector<RootBlock> blocks, std::span<const unsigned> takers, unsigned ranks)
    : blocks_(std::move(blocks)), queues_(ranks) {
  RIZOMA_CHECK(takers.size() == blocks_.size());
  for (std::size_t i = 0; i < blocks_.size(); ++i) queues_[takers[i]].blocks.push_back(static_cast<std::uint32_t>(i));
}

BlockQueues BlockQueues::own(std::vector<RootBlock> blocks, unsigned rank, unsigned ranks) {
  const std::vector<unsigned> takers(blocks.size(), rank);
  BlockQueues queues(std::move(blocks), takers, ranks);
  queues.shared_ = false;
  return queues;
}

void BlockQueues::reassign(std::span<const std::uint64_t> taken) {
  if (shared_ && note_paces(taken)) even_out();
}

bool BlockQueues::note_paces(std::span<const std::uint64_t> taken) {
  bool known = true;
  for (unsigned rank = 0; rank < queues_.size(); ++rank) {
    Queue& queue = queues_[rank];
    RIZOMA_CHECK(taken[rank] >= queue.counted && taken[rank] <= queue.blocks.size());
    // A rank without work does not count as slower.
    if (queue.counted < queue.blocks.size()) {
      queue.pace = queue.pace / 2 + static_cast<double>(taken[rank] - queue.counted);
    }
    queue.taken = taken[rank];
    queue.counted = taken[rank];
    known = known && (queue.pace > 0 || queue.left() == 0);
  }
  return known;
}

void BlockQueues::even_out() {
  double work = 0;
  double pace = 0;
  for (const Queue& queue : queues_) {
    work += static_cast<double>(queue.left());
    pace += queue.pace;
  }
  const auto is_late = [&](const Queue& queue) {
    return static_cast<double>(queue.left()) * pace > kUneven * work * queue.pace;
  };
  if (pace == 0 || std::none_of(queues_.begin(), queues_.end(), is_late)) return;
  std::vector<std::uint32_t> spare;
  std::vector<std::uint64_t> wanted;
  for (Queue& queue : queues_) {
    wanted.push_back(static_cast<std::uint64_t>(work * queue.pace / pace));
    for (std::uint64_t left = queue.left(); left > wanted.back() + 1; --left) {
      spare.push_back(queue.blocks.back());
      queue.blocks.pop_back();
    }
  }
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    for (std::uint64_t left = queues_[i].left(); left < wanted[i] && !spare.empty(); ++left) {
      queues_[i].blocks.push_back(spare.back());
      spare.pop_back();
    }
  }
  // What roundings left over.
  for (; !spare.empty(); spare.pop_back()) {
    const auto ends_first = [](const Queue& a, const Queue& b) {
      return static_cast<double>(a.left() + 1) * b.pace < static_cast<double>(b.left() + 1) * a.pace;
    };
    std::min_element(queues_.begin(), queues_.end(), ends_first)->blocks.push_back(spare.back());
  }
}

}  // namespace rizoma::query
