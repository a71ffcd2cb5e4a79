#include "testing/delta_graph.h"

#include "base/random.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace rizoma::testing {
namespace {

/// Lists one after another.
template <class Target>
struct Lists {
  std::vector<std::uint32_t> offsets{0};
  std::vector<Target> targets;
  std::vector<std::byte> weights;

  /// Entry i of a list.
  void append_entry(const typename SectionEdges<Target>::List& list, std::uint32_t i, std::size_t weight_bytes) {
    targets.push_back(list.targets[list.begin + i]);
    if (weight_bytes == 0) return;
    const auto* const weight = static_cast<const std::byte*>(list.weights) + (list.begin + i) * weight_bytes;
    weights.insert(weights.end(), weight, weight + weight_bytes);
  }
  void append(const typename SectionEdges<Target>::List& list, std::uint32_t length, std::size_t weight_bytes) {
    for (std::uint32_t i = 0; i < length; ++i) append_entry(list, i % (list.end - list.begin), weight_bytes);
    offsets.push_back(static_cast<std::uint32_t>(targets.size()));
  }
};

constexpr std::uint32_t kRoomBegin = 1U << 30;  // after all that is not in the room

template <class Target>
struct ChangedSection {
  Lists<Target> own;
  Lists<Target> changed;
  Lists<Target> room;  ///< of patched lists
  std::vector<ListBounds> bounds;
  std::vector<std::uint64_t> places;
  std::vector<std::uint32_t> before;
  Lists<Target> came;  ///< entries of patches
  std::vector<Patch> patches;
  std::vector<std::uint32_t> first_patches;
  std::vector<std::atomic<std::uint32_t>> states;
  PatchedLists patched;
  DeltaLists lists;
};

template <class Target>
using ChangedSections = std::vector<std::unique_ptr<ChangedSection<Target>>>;

/// How long the list is that a section has instead of the true one.
std::uint32_t wrong_length(std::uint32_t length, Random& random) {
  const std::uint32_t lengths[] = {0, length / 2, length, length + 1, 3 * length};
  return length == 0 ? 0 : lengths[random.below(5)];
}

/// Puts a list into `to.own` that lacks some entries and has others, and into `to.patches` what differs.
template <class Target>
void patch(const typename SectionEdges<Target>::List& list, std::size_t weight_bytes, Random& random,
           ChangedSection<Target>& to) {
  for (std::uint32_t i = 0; i < list.end - list.begin; ++i) {
    const auto own = static_cast<std::uint32_t>(to.own.targets.size());
    const auto came = static_cast<std::uint32_t>(to.came.targets.size());
    const auto kind = random.below(9);  // 0: it came; 1: one before it is gone; 2: it came for another
    if (kind == 0 || kind == 2) to.came.append_entry(list, i, weight_bytes);
    if (kind != 0) to.own.append_entry(list, i, weight_bytes);
    if (kind < 3) to.patches.push_back({own, kind == 0 ? 0U : 1U, came, kind == 1 ? came : came + 1, i});
    if (kind == 1) to.own.append_entry(list, i, weight_bytes);
  }
  to.own.offsets.push_back(static_cast<std::uint32_t>(to.own.targets.size()));
}

template <class Target>
void tell_patches(ChangedSection<Target>& to, std::size_t weight_bytes) {
  to.first_patches.push_back(static_cast<std::uint32_t>(to.patches.size()));
  to.states = std::vector<std::atomic<std::uint32_t>>(to.first_patches.size());
  to.patched = {.begins = to.first_patches.data(),
                .patches = to.patches.data(),
                .targets = to.came.targets.data(),
                .weights = weight_bytes > 0 ? to.came.weights.data() : nullptr,
                .room = to.room.targets.data(),
                .weight_room = weight_bytes > 0 ? to.room.weights.data() : nullptr,
                .weight_bytes = static_cast<std::uint32_t>(weight_bytes),
                .states = to.states.data(),
                .process = [] { return 1U; }};
  to.lists.patched = &to.patched;
  to.lists.room_begin = kRoomBegin;
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
    const auto patches = static_cast<std::uint32_t>(to.patches.size());
    if (changes && random.below(2) == 0) patch(list, weight_bytes, random, to);
    else to.own.append(list, changes ? wrong_length(length, random) : length, weight_bytes);
    if (!changes) continue;
    to.first_patches.push_back(patches);
    to.places[place / 64] |= std::uint64_t{1} << (place % 64);
    const bool whole = patches == to.patches.size();
    const auto begin =
        static_cast<std::uint32_t>(whole ? to.changed.targets.size() : kRoomBegin + to.room.targets.size());
    to.bounds.push_back({begin, begin + length});
    if (whole) to.changed.append(list, length, weight_bytes);
    to.room.targets.resize(to.room.targets.size() + (whole ? 0 : length));
    to.room.weights.resize(to.room.targets.size() * weight_bytes);
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
              to.bounds.data(),
              to.changed.targets.data(),
              weighted ? to.changed.weights.data() : nullptr,
              growth};
  if (!to.patches.empty()) tell_patches(to, weight_bytes);
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
