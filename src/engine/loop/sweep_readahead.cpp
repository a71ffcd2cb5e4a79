#include "engine/loop/sweep_readahead.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

namespace rizoma {
namespace {

constexpr std::size_t kGap = 32u << 10;    // bytes between two lists that are read along with them
constexpr std::size_t kStepsInMemory = 4;  // one that is worked on, one that is read, those of threads that lag behind
constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

/// Adds bytes to others; joins them with the last ones if they follow closely.
void append(std::vector<Readahead::Bytes>& stretches, Readahead::Bytes more) {
  if (more.empty()) return;
  if (!stretches.empty()) {
    Readahead::Bytes& last = stretches.back();
    const std::byte* const end = last.data() + last.size();
    if (std::less_equal<>()(end, more.data()) && static_cast<std::size_t>(more.data() - end) <= kGap) {
      last = {last.data(), more.data() + more.size()};
      return;
    }
  }
  stretches.push_back(more);
}

/// From the offsets of a section's lists to the end of the last one.
Readahead::Bytes bytes_of(const WorkList::ListPart& section, std::uint64_t of_lists) {
  if (section.offsets == nullptr) return {};
  const auto* const offsets = reinterpret_cast<const std::byte*>(section.offsets);
  const auto* const targets = static_cast<const std::byte*>(section.targets);
  const std::size_t of_offsets = (section.range.size() + 1) * sizeof(*section.offsets);
  const bool in_a_row =
      std::less<>()(offsets, targets) && static_cast<std::size_t>(targets - offsets) <= of_offsets + kGap;
  return {in_a_row ? offsets : targets, targets + of_lists};
}

std::vector<SweepReadahead::Pieces> sections_of(const Readahead::Lists& lists, const std::vector<WorkList>& work,
                                                unsigned section_bits) {
  std::vector<SweepReadahead::Pieces> of_homes;
  for (const WorkList& list : work) {
    const auto section_of = [&list, section_bits](std::size_t i) {
      return list.pieces()[i].range.begin >> section_bits;
    };
    of_homes.push_back({list.pieces().size(), [&list](std::size_t i) { return list.end_of(i); },
                        [&list, &lists, section_of](std::size_t i) {
                          return bytes_of(list.pieces()[i], lists.lengths[section_of(i)] * lists.entry_bytes);
                        },
                        section_of});
  }
  return of_homes;
}

}  // namespace

SweepReadahead::SweepReadahead(const Readahead::Calls& calls, const Readahead::Lists& lists, std::vector<Pieces> pieces)
    : calls_(calls), lists_(lists), pieces_(std::move(pieces)), fronts_(pieces_.size()) {}

SweepReadahead::SweepReadahead(const Readahead::Calls& calls, const Readahead::Lists& lists,
                               const std::vector<WorkList>& work, unsigned section_bits)
    : SweepReadahead(calls, lists, sections_of(lists, work, section_bits)) {}

SweepReadahead::~SweepReadahead() {
  for (Front& front : fronts_) {
    const MutexLock lock(front.mutex);
    for (const auto& step : front.passing) {
      for (const Bytes bytes : step) calls_.let_go(bytes);
    }
  }
}

void SweepReadahead::reached(unsigned home, std::uint64_t work) {
  Front& front = fronts_[home];
  if (work < front.begin_of_last.load(std::memory_order_relaxed)) return;
  const MutexLock lock(front.mutex);
  while (work >= front.begin_of_last.load(std::memory_order_relaxed)) step(pieces_[home], front);
}

void SweepReadahead::step(const Pieces& pieces, Front& front) {
  const std::size_t most = lists_.window / 2;
  std::vector<Bytes> wanted;
  std::vector<Bytes> passing;
  std::size_t size = 0;
  front.begin_of_last = front.end;
  for (; front.piece < pieces.size && size < most; front.end = pieces.end_of(front.piece), ++front.piece) {
    const Bytes all = pieces.bytes_of(front.piece);
    const Bytes rest = all.subspan(front.bytes);
    const Bytes now = rest.first(std::min(rest.size(), most - size));
    append(wanted, now);
    if (pieces.section_of(front.piece) >= lists_.kept) append(passing, now);
    size += now.size();
    front.bytes += now.size();
    if (now.size() < rest.size()) {
      const std::uint64_t begin = front.piece == 0 ? 0 : pieces.end_of(front.piece - 1);
      front.end = begin + (pieces.end_of(front.piece) - begin) * front.bytes / all.size();
      break;
    }
    front.bytes = 0;
  }
  if (front.piece == pieces.size) front.begin_of_last = kNever;
  for (const Bytes bytes : wanted) calls_.begin_reading(bytes);
  if (!calls_.let_go) return;
  front.passing.push_back(std::move(passing));
  if (front.passing.size() <= kStepsInMemory) return;
  for (const Bytes bytes : front.passing.front()) calls_.let_go(bytes);
  front.passing.pop_front();
}

}  // namespace rizoma
