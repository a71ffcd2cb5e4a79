#include <rizoma/rank_memory.h>

#include "engine/transport.h"

#include <algorithm>
#include <optional>

namespace rizoma {

Result<RankMemory> RankMemory::take(Ranks& ranks, std::size_t bytes) {
  if (!ranks.transport_.one_sided()) return RankMemory();
  // All run the same program: what one has let go of, all have once they are here.
  RIZOMA_TRY(ranks.meet());
  const auto fits = [&](const Ranks::SharedBlock& block) { return !block.taken && block.bytes >= bytes; };
  const auto found = std::ranges::find_if(ranks.shared_, fits);
  if (found != ranks.shared_.end()) return RankMemory(*found);
  Result<std::optional<SharedBytes>> made = ranks.transport_.share(bytes);
  if (!made) {
    ranks.transport_.give_up(made.error());  // others may have got theirs
    return made.error();
  }
  if (!*made) return RankMemory();
  ranks.shared_.push_back({(*made)->bytes.data(), (*made)->bytes.size()});
  return RankMemory(ranks.shared_.back());
}

}  // namespace rizoma
