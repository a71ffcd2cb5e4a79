// KnownLists: which lists processes that ask each other for work know each other to have.
//
// How: what was fetched before and the lists of the core stay with an asker, of the others as many as a bound allows
// (lru_cache.h).  Its first question says what stays with it, each later one what it has let go since; what is sent to
// it in between it is known to have.
#pragma once

#include <rizoma/vertex_set.h>

#include "engine/balance/cached_core.h"
#include "engine/exchange/wire.h"
#include "engine/intersection/oriented_lists.h"

#include <cstdint>
#include <span>
#include <vector>

namespace rizoma {

class KnownLists {
 public:
  using DegreeRank = OrientedLists::DegreeRank;

  explicit KnownLists(const OrientedLists& lists);

  /// What another process must hear with a question.
  void put_question(unsigned process, const CachedCore& core, WireWriter& question);
  /// These are here no more.
  void let_go(std::span<const DegreeRank> lists);

  /// What a process that asks has; what is sent to it is added.
  VertexSet& read_question(unsigned process, WireReader& question);

 private:
  [[nodiscard]] std::vector<DegreeRank> at_hand(const CachedCore& core) const;

  const OrientedLists& lists_;
  std::vector<VertexSet> asker_has_;           ///< by process; empty: it has not asked
  std::vector<std::uint8_t> was_asked_;        ///< by process
  std::vector<std::vector<DegreeRank>> gone_;  ///< since it was asked last
};

}  // namespace rizoma
