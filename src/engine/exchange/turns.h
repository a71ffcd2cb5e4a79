// Exchanges in turns: a rank has messages to and from a few others in memory at once, not those of all.
#pragma once

#include <rizoma/detail/ranks.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace rizoma {

/// The number of turns in which ranks exchange this many bytes in all; a turn costs a round.
inline unsigned turns_of(std::uint64_t bytes, unsigned ranks) {
  constexpr std::uint64_t kAtOnce = std::uint64_t{256} << 10;  // of a rank
  const std::uint64_t turns = 1 + bytes / (kAtOnce * ranks);
  return static_cast<unsigned>(std::min<std::uint64_t>(turns, std::max(ranks, 2U) - 1));
}

/// Sends make(rank) to each other rank and passes what each has sent to take(rank, bytes).  In each turn a rank makes
/// messages for some others, and frees each message received before it takes the next.  `turns`: the same on all.
/// Errors: also those of make and take.  Collective.
template <class Make, class Take>
Status exchange_in_turns(Ranks& ranks, CollectiveKind kind, unsigned turns, Make make, Take take) {
  const unsigned size = ranks.size();
  unsigned distance = 1;
  for (unsigned turn = 1; turn <= turns; ++turn) {
    const unsigned begin = distance;
    const unsigned end = 1 + (size - 1) * turn / turns;
    std::vector<std::vector<std::byte>> to(size);
    for (; distance < end; ++distance) {
      const unsigned rank = (ranks.rank() + distance) % size;
      RIZOMA_ASSIGN(to[rank], make(rank));
    }
    RIZOMA_ASSIGN(auto received, ranks.collective(kind, std::move(to)));
    for (unsigned from = begin; from < end; ++from) {
      const unsigned rank = (ranks.rank() + size - from) % size;
      const std::vector<std::byte> bytes = std::move(received[rank]);
      RIZOMA_TRY(take(rank, bytes));
    }
  }
  return {};
}

}  // namespace rizoma
