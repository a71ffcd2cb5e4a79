#include "store/writing/edges_to_set.h"

#include <cstdint>
#include <map>
#include <utility>

namespace rizoma {

std::vector<EdgeToSet> edges_by_pair(const FoundEdges& found, const RowGroups& groups) {
  std::vector<EdgeToSet> edges;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const std::uint64_t pair = groups.name(group);
    for (const double row : found.weights[pair]) edges.push_back({found.pairs[pair], row, group});
  }
  return edges;
}

std::vector<EdgeToSet> edges_by_key(const FoundEdges& found, const FoundEdges& keyed, const RowGroups& groups) {
  std::map<std::pair<std::size_t, double>, std::size_t> group_of;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const std::uint64_t name = groups.name(group);
    for (const double row : keyed.weights[name]) group_of[{keyed.undivided[name], row}] = group;
  }
  std::vector<EdgeToSet> edges;
  for (auto next = group_of.begin(); next != group_of.end();) {
    const std::size_t pair = next->first.first;
    bool after_first = false;
    for (const double row : found.weights[pair]) {
      const auto set = group_of.find({pair, row});
      after_first = after_first || set != group_of.end();
      if (after_first) edges.push_back({found.pairs[pair], row, set == group_of.end() ? kNoRow : set->second});
    }
    while (next != group_of.end() && next->first.first == pair) ++next;
  }
  return edges;
}

}  // namespace rizoma
