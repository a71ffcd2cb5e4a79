#include "engine/read_ahead.h"

#include "platform/free_memory.h"
#include "platform/reading.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace rizoma {
namespace {

constexpr std::uint64_t kMemoryPerList = 2;  // free bytes for each of lists: vertex state wants memory, too

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
void add_stretches(const Adjacency<Target>& lists, unsigned bytes_of_weight, std::vector<ReadAhead::Bytes>& stretches) {
  std::vector<std::pair<const std::byte*, SectionId>> places;
  add_places(lists, places);
  std::ranges::sort(places);
  const std::byte* first = nullptr;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto [place, section] = places[i];
    if (first == nullptr) first = place;
    if (i + 1 < places.size() && static_cast<std::uint64_t>(places[i + 1].first - place) <= ReadAhead::kWindow)
      continue;
    const EdgeCount entries = lists.section(section).offsets[lists.range_of(section).size()];
    stretches.emplace_back(first, place + entries * (sizeof(Target) + bytes_of_weight));  // weights lie behind targets
    first = nullptr;
  }
}

/// In their order; those that overlap become one.
std::vector<ReadAhead::Bytes> merged(std::vector<ReadAhead::Bytes> stretches) {
  std::ranges::sort(stretches, {}, [](ReadAhead::Bytes stretch) { return stretch.data(); });
  std::vector<ReadAhead::Bytes> apart;
  for (const ReadAhead::Bytes stretch : stretches) {
    const std::byte* const before = apart.empty() ? nullptr : apart.back().data() + apart.back().size();
    if (stretch.data() > before) {
      apart.push_back(stretch);
    } else {
      apart.back() = {apart.back().data(), std::max(before, stretch.data() + stretch.size())};
    }
  }
  return apart;
}

ReadAhead::Calls calls_of_system() {
  return {[] { return free_memory(); }, [](ReadAhead::Bytes bytes) { read_no_more_than_asked(bytes); },
          [](ReadAhead::Bytes bytes) { read_as_usual(bytes); }, [](ReadAhead::Bytes bytes) { begin_reading(bytes); }};
}

}  // namespace

ReadAhead::ReadAhead(unsigned homes) : ReadAhead(homes, calls_of_system()) {}

ReadAhead::ReadAhead(unsigned homes, Calls calls) : calls_(std::move(calls)), marks_(homes) {}

bool ReadAhead::wanted(const GraphView& graph) {
  if (graph.parts().owner == nullptr || bytes_of(graph) < kGreat) return false;
  const MutexLock lock(mutex_);
  if (graph_ != &graph.parts() || owner_.lock() != graph.parts().owner) learn(graph);
  return !stretches_.empty();
}

void ReadAhead::learn(const GraphView& graph) {
  const GraphView::Parts& parts = graph.parts();
  forget();
  graph_ = &parts;
  owner_ = parts.owner;
  const std::uint64_t bytes = bytes_of(graph);
  const std::uint64_t free = calls_.free_memory();
  if (free == 0 || bytes <= free / kMemoryPerList) return;
  const auto add = [&](const auto& lists) { add_stretches(lists, weight_bytes(parts.weight_type), stretches_); };
  std::visit(add, parts.out);
  if (parts.in) std::visit(add, *parts.in);
  stretches_ = merged(std::move(stretches_));
  for (const Bytes stretch : stretches_) calls_.no_more_than_asked(stretch);
}

/// What others read there from now on is none of this one's business.
void ReadAhead::forget() {
  if (const auto owner = owner_.lock()) {  // or the bytes may belong to somebody else
    for (const Bytes stretch : stretches_) calls_.as_usual(stretch);
  }
  stretches_.clear();
}

ReadAhead::~ReadAhead() {
  const MutexLock lock(mutex_);
  forget();
}

void ReadAhead::reached(const void* place, unsigned home) {
  const auto* const at = static_cast<const std::byte*>(place);
  std::atomic<const std::byte*>& mark = marks_[std::min<std::size_t>(home, marks_.size() - 1)].end;
  const std::byte* const end = mark.load(std::memory_order_relaxed);
  const bool follows = end != nullptr && at < end && at + kWindow + kWindow / 2 > end;
  if (follows && at + kWindow / 2 <= end) return;  // more than half of what was asked for is ahead
  const Bytes rest = rest_of_stretch(follows ? end : at);
  const Bytes wanted = rest.first(std::min(rest.size(), follows ? kWindow / 2 : kWindow));
  const std::byte* expected = end;
  if (!mark.compare_exchange_strong(expected, wanted.data() + wanted.size())) return;  // another thread has asked
  if (!wanted.empty()) calls_.begin_reading(wanted);
}

/// What is left of the stretch that holds this place, which may be its end.
ReadAhead::Bytes ReadAhead::rest_of_stretch(const std::byte* place) {
  const MutexLock lock(mutex_);
  const auto after = std::ranges::upper_bound(stretches_, place, {}, [](Bytes stretch) { return stretch.data(); });
  if (after == stretches_.begin()) return {place, std::size_t{0}};
  const Bytes stretch = *std::prev(after);
  const std::byte* const end = stretch.data() + stretch.size();
  return place < end ? Bytes(place, end) : Bytes(place, std::size_t{0});
}

}  // namespace rizoma
