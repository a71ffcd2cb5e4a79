// A push of few messages: a list sorted by target, in place of a mailbox of n vertices.  Module: engine.
#pragma once

#include <rizoma/detail/outbox.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace rizoma::engine_detail {

template <class Accum>
using Messages = std::vector<std::pair<VertexId, Accum>>;

/// Sorts by target, stably.
template <class Accum>
void sort_by_target(Messages<Accum>& messages) {
  std::stable_sort(messages.begin(), messages.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
}

/// Combines the messages to one vertex, from `first` on, and moves `first` after them.
template <class P, class Iterator>
auto reduce_run(const P& program, Iterator& first, Iterator end) {
  const VertexId v = first->first;
  auto accum = first->second;
  while (++first != end && first->first == v) accum = program.combine(accum, first->second);
  return accum;
}

/// Sends combined messages to other ranks, and adds those that arrive for vertices with may_take.
template <class P, class Accum, class MayTake>
Status exchange_few(Engine& engine, const P& program, Messages<Accum>& messages, MayTake&& may_take) {
  Outbox<Accum> outbox(engine);
  sort_by_target(messages);
  const auto end = std::stable_partition(messages.begin(), messages.end(),
                                         [&](const auto& message) { return engine.ranks()->owns(message.first); });
  for (auto first = end; first != messages.end();) {
    const VertexId v = first->first;
    outbox.add(v, reduce_run(program, first, messages.end()));
  }
  messages.erase(end, messages.end());
  return outbox.exchange([&](VertexId v, const Accum& accum) {
    if (may_take(v)) messages.emplace_back(v, accum);
  });
}

}  // namespace rizoma::engine_detail
