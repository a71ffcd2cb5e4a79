#include <rizoma/detail/rank_memory.h>

#include "engine/transport.h"

#include <algorithm>
#include <optional>

namespace rizoma {

Result<RankMemory> RankMemory::take(Ranks& ranks, std::size_t bytes) {
  if (!ranks.transport_.one_sided()) return RankMemory();
  // All ranks run the same program: what one has released, all have released once they are here.
  RIZOMA_TRY(ranks.barrier());
  Ranks::SharedBlock* best = nullptr;
  for (Ranks::SharedBlock& block : ranks.shared_) {
    if (!block.taken && block.bytes >= bytes && (best == nullptr || block.bytes < best->bytes)) best = &block;
  }
  if (best != nullptr) return RankMemory(*best);
  RIZOMA_TRY(release_smaller(ranks, bytes));
  const auto free = std::ranges::find_if(ranks.shared_, [](const auto& block) { return block.data == nullptr; });
  Ranks::SharedBlock& place = free != ranks.shared_.end() ? *free : ranks.shared_.emplace_back();
  Result<std::optional<SharedBytes>> made = ranks.transport_.share(bytes + bytes / 8);  // graphs grow
  if (!made) {
    ranks.transport_.abort(made.error());  // others may have got theirs
    return made.error();
  }
  if (!*made) return RankMemory();
  place = {(*made)->window, (*made)->bytes.data(), (*made)->bytes.size()};
  return RankMemory(place);
}

/// Blocks that have become too small would never be used again: releases them.
Status RankMemory::release_smaller(Ranks& ranks, std::size_t bytes) {
  for (Ranks::SharedBlock& block : ranks.shared_) {
    if (block.taken || block.data == nullptr || block.bytes >= bytes) continue;
    RIZOMA_TRY(ranks.transport_.release(block.window));
    block = {};
  }
  return {};
}

}  // namespace rizoma
