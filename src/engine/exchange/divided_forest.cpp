#include "engine/exchange/divided_forest.h"

#include "base/check.h"
#include "engine/exchange/boundary_lists.h"
#include "engine/exchange/distinct_values.h"
#include "engine/exchange/wire.h"

#include <algorithm>
#include <atomic>
#include <iterator>

namespace rizoma {

DividedForest::DividedForest(Iteration& loop)
    : loop_(loop),
      ranks_(*loop.engine().ranks()),
      parents_(loop.engine().make_unset_map<std::uint64_t>(loop.graph().num_vertices())) {
  loop_.for_own([&](VertexId v) { parents_[v] = v; });
}

Status DividedForest::join(std::vector<Pair> pairs) {
  for (std::uint64_t left = 1; left > 0;) {
    for (Pair& pair : pairs) pair = {std::max(pair.first, pair.second), std::min(pair.first, pair.second)};
    sort_distinct(pairs);
    Outbox<std::uint64_t> abroad(loop_.engine());
    for (const Pair& pair : pairs) hook(pair, abroad);
    pairs.clear();
    RIZOMA_TRY(abroad.exchange([&](VertexId v, std::uint64_t below) { pairs.emplace_back(v, below); }));
    RIZOMA_ASSIGN(left, loop_.total(std::uint64_t{pairs.size()}));
  }
  return {};
}

/// Of a pair whose first vertex is the larger: as far as that leads over own vertices.
void DividedForest::hook(Pair pair, Outbox<std::uint64_t>& abroad) {
  auto [v, below] = pair;
  while (v != below) {
    if (!ranks_.owns(v)) return abroad.add(v, below);
    const VertexId parent = parents_[v];
    parents_[v] = std::min(parent, below);
    if (parent == v) return;
    v = std::max(parent, below);
    below = std::min(parent, below);
  }
}

/// Follows the parents of own vertices as far as these are own ones.
Status DividedForest::follow() {
  return loop_.engine().for_vertices(loop_.graph(), [&](VertexRange block, unsigned) {
    for (VertexId v = block.begin; v < block.end; ++v) {
      std::uint64_t at = parents_.atomic(v).load(std::memory_order_relaxed);
      while (ranks_.owns(at)) {
        const std::uint64_t next = parents_.atomic(at).load(std::memory_order_relaxed);
        if (next == at) break;
        at = next;
      }
      parents_.atomic(v).store(at, std::memory_order_relaxed);
    }
  });
}

/// The parents of own vertices that other ranks have, but for these roots, ascending.
std::vector<VertexId> DividedForest::unknown(const std::vector<VertexId>& roots) const {
  std::vector<VertexId> found;
  VertexId last = kNoVertex;
  loop_.for_own([&](VertexId v) {
    const VertexId parent = parents_[v];
    if (parent == std::exchange(last, parent) || ranks_.owns(parent)) return;
    push_distinct(found, parent);
  });
  sort_distinct(found);
  std::vector<VertexId> asked;
  std::ranges::set_difference(found, roots, std::back_inserter(asked));
  return asked;
}

Status DividedForest::flatten() {
  std::vector<VertexId> roots;  // of other ranks, that are known to be roots
  for (;;) {
    RIZOMA_TRY(follow());
    const std::vector<VertexId> asked = unknown(roots);
    RIZOMA_ASSIGN(const std::uint64_t all, loop_.total(std::uint64_t{asked.size()}));
    if (all == 0) return {};
    std::vector<VertexSequence> lists(ranks_.size());
    for (const VertexId v : asked) lists[ranks_.owner(v)].add(v);
    std::vector<std::vector<std::byte>> to;
    for (VertexSequence& list : lists) {
      list.end();
      to.push_back(list.message());
    }
    RIZOMA_ASSIGN(const auto questions, ranks_.collective(CollectiveKind::lists, std::move(to)));
    to.clear();
    for (const std::vector<std::byte>& question : questions) {
      WireWriter answer;
      VertexSequence(question).for_each([&](VertexId v) {
        RIZOMA_CHECK(v < parents_.size() && ranks_.owns(v));
        answer.put_varint(v - parents_[v]);  // parents are smaller
      });
      to.push_back(std::move(answer).take());
    }
    RIZOMA_ASSIGN(const auto answers, ranks_.collective(CollectiveKind::values, std::move(to)));
    std::vector<Pair> parents;  // of those asked for
    for (unsigned rank = 0; rank < ranks_.size(); ++rank) {
      WireReader reader(answers[rank]);
      lists[rank].for_each([&](VertexId v) { parents.emplace_back(v, v - reader.get_varint()); });
      RIZOMA_CHECK(reader.ok() && reader.empty());
    }
    take(parents, roots);
  }
}

/// Lifts own vertices over parents that other ranks have told; notes which of these are roots.
void DividedForest::take(std::vector<Pair>& parents, std::vector<VertexId>& roots) {
  std::ranges::sort(parents);
  for (const auto& [v, parent] : parents) {
    if (v == parent) roots.push_back(v);
  }
  std::ranges::sort(roots);
  Pair last{kNoVertex, kNoVertex};
  loop_.for_own([&](VertexId v) {
    if (parents_[v] != last.first) {
      const auto found = std::ranges::lower_bound(parents, parents_[v], {}, &Pair::first);
      if (found == parents.end() || found->first != parents_[v]) return;
      last = *found;
    }
    parents_[v] = last.second;
  });
}

}  // namespace rizoma
