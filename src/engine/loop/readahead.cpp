#include "engine/loop/readahead.h"

#include "base/recent_value.h"
#include "platform/free_memory.h"
#include "platform/reading.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

namespace rizoma {
namespace {

constexpr std::uint64_t kMemoryPerList = 2;  // free bytes for each of lists: vertex state wants memory, too
constexpr std::uint64_t kWindowsInRoom = 8;  // share of the memory for lists that the windows of a sweep take
constexpr std::uint64_t kLeastOfLimit = 8;   // share of a limit that is for lists, whatever else has taken it

std::uint64_t bytes_of(const GraphView& graph) {
  const std::uint64_t target =
      graph.with_out([]<class Target>(const Adjacency<Target>&) -> std::uint64_t { return sizeof(Target); });
  const std::uint64_t directions = graph.parts().in ? 2 : 1;
  return graph.num_entries() * directions * (target + weight_bytes(graph.weight_type()));
}

/// The sections' lists, as places with the number of their section.
template <class Target>
void add_places(const Adjacency<Target>& lists, std::vector<std::pair<const std::byte*, SectionId>>& places) {
  for (SectionId s = 0; s < lists.num_sections(); ++s) {
    const auto* const place = reinterpret_cast<const std::byte*>(lists.section(s).targets);
    if (place != nullptr) places.emplace_back(place, s);
  }
}

/// Where the lists lie: from each section's to those of the next in the file, which is found without reading any of
/// them.  Only where the next is farther off than a window is a section asked how long it is.
template <class Target>
void add_stretches(const Adjacency<Target>& lists, unsigned bytes_of_weight, std::vector<Readahead::Bytes>& stretches) {
  std::vector<std::pair<const std::byte*, SectionId>> places;
  add_places(lists, places);
  std::ranges::sort(places);
  const std::byte* first = nullptr;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto [place, section] = places[i];
    if (first == nullptr) first = place;
    if (i + 1 < places.size() && static_cast<std::uint64_t>(places[i + 1].first - place) <= Readahead::kWindow)
      continue;
    const EdgeCount entries = lists.section(section).offsets[lists.range_of(section).size()];
    stretches.emplace_back(first, place + entries * (sizeof(Target) + bytes_of_weight));  // weights are after targets
    first = nullptr;
  }
}

/// In their order; those that overlap become one.
std::vector<Readahead::Bytes> merged(std::vector<Readahead::Bytes> stretches) {
  std::ranges::sort(stretches, {}, [](Readahead::Bytes stretch) { return stretch.data(); });
  std::vector<Readahead::Bytes> apart;
  for (const Readahead::Bytes stretch : stretches) {
    const std::byte* const before = apart.empty() ? nullptr : apart.back().data() + apart.back().size();
    if (stretch.data() > before) {
      apart.push_back(stretch);
    } else {
      apart.back() = {apart.back().data(), std::max(before, stretch.data() + stretch.size())};
    }
  }
  return apart;
}

/// Asks for the offsets of a section.
template <class Target>
void ask_for_offsets(const Adjacency<Target>& lists, SectionId s, const Readahead::Calls& calls) {
  if (s >= lists.num_sections() || lists.section(s).targets == nullptr) return;
  calls.begin_reading(std::as_bytes(std::span(lists.section(s).offsets, lists.range_of(s).size() + 1)));
}

/// The readahead of a sweep over lists that may take `room` bytes of memory.  Each section's offsets tell its length,
/// and most kernels go through all of them first.
template <class Target>
std::shared_ptr<const Readahead::Lists> known(const Adjacency<Target>& lists, unsigned bytes_of_weight,
                                              std::uint64_t room, const Readahead::Calls& calls) {
  constexpr SectionId kAhead = 16;
  auto made = std::make_shared<Readahead::Lists>();
  made->entry_bytes = sizeof(Target) + bytes_of_weight;
  made->room = room;
  made->window = std::clamp<std::uint64_t>(room / kWindowsInRoom, Readahead::kLeastWindow, Readahead::kWindow);
  const std::uint64_t kept = room - std::min<std::uint64_t>(room, 2 * made->window);
  std::uint64_t bytes = 0;
  made->lengths.reserve(lists.num_sections());
  for (SectionId s = 0; s < kAhead; ++s) ask_for_offsets(lists, s, calls);
  for (SectionId s = 0; s < lists.num_sections(); ++s) {
    ask_for_offsets(lists, s + kAhead, calls);
    const VertexId size = lists.range_of(s).size();
    made->lengths.push_back(lists.section(s).offsets[size]);
    bytes += made->lengths.back() * made->entry_bytes + size * sizeof(std::uint32_t);
    if (bytes <= kept) made->kept = s + 1;
  }
  return made;
}

/// Releases the lists of sections that do not stay; their offsets do, which tell loops what there is.
template <class Target>
void let_go_after(const Adjacency<Target>& lists, const Readahead::Lists& of, const Readahead::Calls& calls) {
  for (SectionId s = of.kept; s < lists.num_sections(); ++s) {
    const auto* const begin = reinterpret_cast<const std::byte*>(lists.section(s).targets);
    if (begin != nullptr) calls.let_go({begin, of.lengths[s] * of.entry_bytes});
  }
}

/// What is left of a limit for lists; of a limit that is passed already, little.
std::uint64_t left_of(std::uint64_t limit) {
  const std::uint64_t own = own_memory();
  return std::max(limit / kLeastOfLimit, limit - std::min(limit, own));
}

/// Asks for free memory as it was a moment ago: each call from Python has a view of its own and asks again, and asking
/// the system takes as long as a short search.
std::function<std::uint64_t()> recently_free() {
  return [recent = std::make_shared<RecentValue>()] { return recent->get([] { return free_memory(); }); };
}

Readahead::Calls calls_of_system(std::uint64_t limit) {
  Readahead::Calls calls{recently_free(),
                         [](Readahead::Bytes bytes) { read_no_more_than_asked(bytes); },
                         [](Readahead::Bytes bytes) { read_as_usual(bytes); },
                         [](Readahead::Bytes bytes) { begin_reading(bytes); },
                         {}};
  if (limit == 0) return calls;
  calls.free_memory = [limit, recently = recently_free()] {
    const std::uint64_t free = recently();
    return free == 0 ? left_of(limit) : std::min(free, left_of(limit));
  };
  calls.let_go = [](Readahead::Bytes bytes) { let_go(bytes); };
  calls.mapped_memory = [] { return mapped_memory(); };
  return calls;
}

}  // namespace

Readahead::Readahead(std::uint64_t memory_limit) : Readahead(calls_of_system(memory_limit)) {}

Readahead::Readahead(Calls calls) : calls_(std::move(calls)) {}

std::shared_ptr<const Readahead::Lists> Readahead::lists_of(const GraphView& graph, Direction direction) {
  if (graph.parts().owner == nullptr || bytes_of(graph) < kGreat) return nullptr;
  const MutexLock lock(mutex_);
  if (graph_ != &graph.parts() || owner_.lock() != graph.parts().owner) learn(graph);
  return lists_[direction == Direction::in && graph.parts().in ? 1 : 0];
}

void Readahead::learn(const GraphView& graph) {
  const GraphView::Parts& parts = graph.parts();
  forget();
  graph_ = &parts;
  owner_ = parts.owner;
  const std::uint64_t bytes = bytes_of(graph);
  const std::uint64_t free = calls_.free_memory();
  if (free == 0 || bytes <= free / kMemoryPerList) return;
  const unsigned of_weight = weight_bytes(parts.weight_type);
  const auto add = [&](const auto& lists) { add_stretches(lists, of_weight, stretches_); };
  std::visit(add, parts.out);
  if (parts.in) std::visit(add, *parts.in);
  stretches_ = merged(std::move(stretches_));
  for (const Bytes stretch : stretches_) calls_.no_more_than_asked(stretch);
  const std::uint64_t room = free / kMemoryPerList / (parts.in ? 2 : 1);
  const auto know = [&](const auto& lists) { return known(lists, of_weight, room, calls_); };
  lists_[0] = std::visit(know, parts.out);
  if (parts.in) lists_[1] = std::visit(know, *parts.in);
}

void Readahead::keep_within_limit(const GraphView& graph) {
  if (!calls_.let_go || lists_of(graph, Direction::out) == nullptr) return;
  const MutexLock lock(mutex_);
  if (graph_ != &graph.parts() || lists_[0] == nullptr) return;  // another graph's turn
  const std::uint64_t room = lists_[0]->room + (lists_[1] != nullptr ? lists_[1]->room : 0);
  if (calls_.mapped_memory() <= room) return;
  const auto let_go = [&](const GraphView::AnyAdjacency& any, const Lists& of) {
    std::visit([&](const auto& lists) { let_go_after(lists, of, calls_); }, any);
  };
  let_go(graph.parts().out, *lists_[0]);
  if (lists_[1] != nullptr) let_go(*graph.parts().in, *lists_[1]);
}

/// What others read there from now on is not one of this one's business.
void Readahead::forget() {
  if (const auto owner = owner_.lock()) {  // or another owner may have these bytes
    for (const Bytes stretch : stretches_) calls_.as_usual(stretch);
  }
  stretches_.clear();
  lists_ = {};
}

Readahead::~Readahead() {
  const MutexLock lock(mutex_);
  forget();
}

}  // namespace rizoma
