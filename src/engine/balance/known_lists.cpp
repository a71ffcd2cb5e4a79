#include "engine/balance/known_lists.h"

#include "base/check.h"
#include "engine/exchange/list_wire.h"

#include <algorithm>
#include <utility>

namespace rizoma {

KnownLists::KnownLists(const OrientedLists& lists)
    : lists_(lists),
      asker_has_(lists.processes()->size()),
      was_asked_(lists.processes()->size()),
      gone_(lists.processes()->size()) {}

void KnownLists::put_question(unsigned process, const CachedCore& core, WireWriter& question) {
  std::vector<DegreeRank>& gone = gone_[process];
  std::sort(gone.begin(), gone.end());
  gone.erase(std::unique(gone.begin(), gone.end()), gone.end());
  put_list(question, std::exchange(was_asked_[process], std::uint8_t{1}) != 0 ? gone : at_hand(core));
  gone.clear();
}

/// What this process has of the others permanently.
std::vector<KnownLists::DegreeRank> KnownLists::at_hand(const CachedCore& core) const {
  std::vector<DegreeRank> lists;
  for (VertexId v = 0; v < lists_.size(); ++v) {
    const auto r = static_cast<DegreeRank>(v);
    if (!lists_.is_mine(r) && (lists_.has(r) || core.has(r))) lists.push_back(r);
  }
  return lists;
}

/// A process that was never asked has not sent them, and takes none of them to be here.
void KnownLists::let_go(std::span<const DegreeRank> lists) {
  for (unsigned process = 0; process < gone_.size(); ++process) {
    if (was_asked_[process] != 0) gone_[process].insert(gone_[process].end(), lists.begin(), lists.end());
  }
}

VertexSet& KnownLists::read_question(unsigned process, WireReader& question) {
  VertexSet& has = asker_has_[process];
  std::vector<DegreeRank> said;
  get_list(question, said);
  RIZOMA_CHECK(said.empty() || said.back() < lists_.size());
  if (has.universe() == lists_.size()) {
    for (const DegreeRank v : said) has.words()[v / 64] &= ~(std::uint64_t{1} << (v % 64));
    return has;
  }
  has = VertexSet(lists_.size());
  for (VertexId r = 0; r < lists_.size(); ++r) {
    if (lists_.processes()->owner(lists_.vertex_of(r)) == process) has.add(r);
  }
  for (const DegreeRank v : said) has.add(v);
  return has;
}

}  // namespace rizoma
