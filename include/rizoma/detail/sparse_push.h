// Messages of a push that are few: in a list, sorted by whom they are for.  Module: engine.  For the engine's own
// headers.
#pragma once

#include <rizoma/detail/ranks.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace rizoma::engine_detail {

template <class Folded>
using Messages = std::vector<std::pair<VertexId, Folded>>;

/// Messages to the same vertex one after the other, in the order in which they were.
template <class Folded>
void sort_by_target(Messages<Folded>& messages) {
  std::stable_sort(messages.begin(), messages.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
}

/// Folds the messages to one vertex, the first of which is at `first`, which then is beyond them.
template <class P, class Iterator>
auto folded_run(const P& program, Iterator& first, Iterator end) {
  const VertexId v = first->first;
  auto folded = first->second;
  while (++first != end && first->first == v) folded = program.combine(folded, first->second);
  return folded;
}

/// Sends off those for vertices of other ranks, folded, and adds what those have sent to vertices that want it.
template <class P, class Folded, class MayTake>
Status exchange_few(Ranks& ranks, const P& program, Messages<Folded>& messages, MayTake&& may_take) {
  Outbox<Folded> outbox(ranks);
  sort_by_target(messages);
  const auto end = std::stable_partition(messages.begin(), messages.end(),
                                         [&](const auto& message) { return ranks.owns(message.first); });
  for (auto first = end; first != messages.end();) {
    const VertexId v = first->first;
    outbox.add(v, folded_run(program, first, messages.end()));
  }
  messages.erase(end, messages.end());
  return outbox.exchange([&](VertexId v, const Folded& folded) {
    if (may_take(v)) messages.emplace_back(v, folded);
  });
}

}  // namespace rizoma::engine_detail
