#include "algorithms/motifs/ego_networks.h"

#include <algorithm>

namespace rizoma {
namespace {

constexpr std::uint64_t kGrain = 16;
/// A list this many times as long as another is searched rather than read.
constexpr std::size_t kSearched = 32;

/// f(entry, place) for each common neighbour of a vertex and that of the entry; the same twice in the same order.
template <class F>
Status for_each_common_place(Engine& engine, const DegreeOrderedLists& lists, F&& f) {
  using Number = DegreeOrderedLists::Number;
  std::vector<std::vector<std::uint32_t>> places(engine.threads());  // 1 + where a vertex is in the list; 0: nowhere
  return engine.for_blocks(lists.size(), kGrain, [&](VertexRange block, unsigned thread) {
    std::vector<std::uint32_t>& place = places[thread];
    place.resize(lists.size());
    for (auto r = static_cast<Number>(block.begin); r < block.end; ++r) {
      const auto list = lists.without_leaves(r);
      for (std::size_t k = 0; k < list.size(); ++k) place[list[k]] = static_cast<std::uint32_t>(k) + 1;
      for (std::size_t k = 0; k < list.size(); ++k) {
        const auto other = lists.without_leaves(list[k]);
        if (other.size() / kSearched < list.size()) {
          for (const Number v : other) {
            if (place[v] != 0) f(lists.first(r) + k, place[v] - 1);
          }
        } else {
          for (std::uint32_t at = 0; at < list.size(); ++at) {
            if (std::ranges::binary_search(other, list[at])) f(lists.first(r) + k, at);
          }
        }
      }
      for (const Number v : list) place[v] = 0;
    }
  });
}

}  // namespace

Result<EgoNetworks> EgoNetworks::make(Engine& engine, const DegreeOrderedLists& lists) {
  EgoNetworks networks;
  networks.lists_ = &lists;
  networks.begins_.assign(lists.entries() + 1, 0);
  RIZOMA_TRY(
      for_each_common_place(engine, lists, [&](EdgeCount entry, std::uint32_t) { ++networks.begins_[entry + 1]; }));
  for (EdgeCount entry = 0; entry < lists.entries(); ++entry) networks.begins_[entry + 1] += networks.begins_[entry];
  networks.places_.resize(networks.begins_.back());
  std::vector<std::uint64_t> next(networks.begins_.begin(), networks.begins_.end() - 1);
  RIZOMA_TRY(for_each_common_place(
      engine, lists, [&](EdgeCount entry, std::uint32_t place) { networks.places_[next[entry]++] = place; }));
  return networks;
}

}  // namespace rizoma
