#include "testing/changed_lists.h"

#include "base/random.h"

#include <bit>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace rizoma::testing {
namespace {

/// Lists one behind the other.
template <class Target>
struct Lists {
  std::vector<std::uint32_t> offsets{0};
  std::vector<Target> targets;
  std::vector<std::byte> weights;

  void append(const typename SectionEdges<Target>::List& list, std::uint32_t length, std::size_t weight_bytes) {
    const auto* const from = static_cast<const std::byte*>(list.weights);
    for (std::uint32_t i = 0; i < length; ++i) {
      const std::uint32_t entry = list.begin + i % (list.end - list.begin);
      targets.push_back(list.targets[entry]);
      if (weight_bytes == 0) continue;
      const std::byte* const weight = from + entry * weight_bytes;
      weights.insert(weights.end(), weight, weight + weight_bytes);
    }
    offsets.push_back(static_cast<std::uint32_t>(targets.size()));
  }
};

template <class Target>
struct ChangedSection {
  Lists<Target> own;
  Lists<Target> changed;
  std::vector<std::uint64_t> places;
  std::vector<std::uint32_t> before;
  ChangedLists lists;
};

template <class Target>
using ChangedSections = std::vector<std::unique_ptr<ChangedSection<Target>>>;

/// How long the list is that a section has instead of the true one.
std::uint32_t wrong_length(std::uint32_t length, Random& random) {
  const std::uint32_t lengths[] = {0, length / 2, length, length + 1, 3 * length};
  return length == 0 ? 0 : lengths[random.below(5)];
}

template <class Target>
SectionEdges<Target> change(const Adjacency<Target>& lists, SectionId s, std::size_t weight_bytes, Random& random,
                            ChangedSection<Target>& to) {
  const VertexId size = lists.range_of(s).size();
  to.places.resize(size / 64 + 1);
  for (VertexId place = 0; place < size; ++place) {
    const auto list = lists.section(s).list(place);
    const std::uint32_t length = list.end - list.begin;
    const bool changes = random.below(3) == 0;
    to.own.append(list, changes ? wrong_length(length, random) : length, weight_bytes);
    if (!changes) continue;
    to.places[place / 64] |= std::uint64_t{1} << (place % 64);
    to.changed.append(list, length, weight_bytes);
  }
  std::uint32_t count = 0;
  for (const std::uint64_t word : to.places) {
    to.before.push_back(count);
    count += static_cast<std::uint32_t>(std::popcount(word));
  }
  const bool weighted = weight_bytes > 0;
  const std::int64_t growth =
      static_cast<std::int64_t>(lists.section_size(s)) - static_cast<std::int64_t>(to.own.targets.size());
  to.lists = {to.places.data(),
              to.before.data(),
              to.changed.offsets.data(),
              to.changed.targets.data(),
              weighted ? to.changed.weights.data() : nullptr,
              growth};
  return {to.own.offsets.data(), to.own.targets.data(), weighted ? to.own.weights.data() : nullptr, &to.lists};
}

template <class Target>
Adjacency<Target> change(const Adjacency<Target>& lists, std::size_t weight_bytes, Random& random,
                         ChangedSections<Target>& to) {
  std::vector<SectionEdges<Target>> sections;
  for (SectionId s = 0; s < lists.num_sections(); ++s) {
    to.push_back(std::make_unique<ChangedSection<Target>>());
    sections.push_back(change(lists, s, weight_bytes, random, *to.back()));
  }
  return {lists.section_bits(), lists.num_vertices(), std::move(sections)};
}

}  // namespace

GraphView with_changed_lists(const GraphView& graph, std::uint64_t seed) {
  Random random(seed);
  const std::size_t bytes = weight_bytes(graph.weight_type());
  GraphView::Parts parts = graph.parts();
  graph.with_out([&]<class Target>(const Adjacency<Target>& out) {
    auto storage = std::make_shared<ChangedSections<Target>>();
    parts.out = change(out, bytes, random, *storage);
    if (parts.in) parts.in = change(std::get<Adjacency<Target>>(*graph.parts().in), bytes, random, *storage);
    parts.owner = std::move(storage);
  });
  return GraphView(std::move(parts));
}

}  // namespace rizoma::testing
