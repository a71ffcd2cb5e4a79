#include "engine/sweep_ahead.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace rizoma {
namespace {

constexpr std::size_t kGap = 32u << 10;    // bytes between two lists that are read along with them
constexpr std::size_t kStepsInMemory = 4;  // one that is worked on, one that is read, those of threads that lag behind
constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

/// Adds bytes to others, as one with the last of them if they lie near behind it.
void append(std::vector<ReadAhead::Bytes>& stretches, ReadAhead::Bytes more) {
  if (more.empty()) return;
  if (!stretches.empty()) {
    ReadAhead::Bytes& last = stretches.back();
    const std::byte* const end = last.data() + last.size();
    if (std::less_equal<>()(end, more.data()) && static_cast<std::size_t>(more.data() - end) <= kGap) {
      last = {last.data(), more.data() + more.size()};
      return;
    }
  }
  stretches.push_back(more);
}

}  // namespace

SweepAhead::SweepAhead(const ReadAhead::Calls& calls, const ReadAhead::Lists& lists, const std::vector<WorkList>& work,
                       unsigned section_bits)
    : calls_(calls), lists_(lists), work_(work), section_bits_(section_bits), fronts_(work.size()) {}

SweepAhead::~SweepAhead() {
  for (Front& front : fronts_) {
    const MutexLock lock(front.mutex);
    for (const auto& step : front.passing) {
      for (const Bytes bytes : step) calls_.let_go(bytes);
    }
  }
}

void SweepAhead::reached(unsigned home, std::uint64_t work) {
  Front& front = fronts_[home];
  if (work < front.begin_of_last.load(std::memory_order_relaxed)) return;
  const MutexLock lock(front.mutex);
  while (work >= front.begin_of_last.load(std::memory_order_relaxed)) step(work_[home], front);
}

/// From the offsets of a section's lists to the end of the last one.
SweepAhead::Bytes SweepAhead::bytes_of(const WorkList::ListPart& piece) const {
  if (piece.offsets == nullptr) return {};
  const std::uint64_t of_lists = lists_.lengths[piece.range.begin >> section_bits_] * lists_.entry_bytes;
  const auto* const offsets = reinterpret_cast<const std::byte*>(piece.offsets);
  const auto* const targets = static_cast<const std::byte*>(piece.targets);
  const bool in_a_row = std::less<>()(offsets, targets) && static_cast<std::size_t>(targets - offsets) <=
                                                               (piece.range.size() + 1) * sizeof(*piece.offsets) + kGap;
  return {in_a_row ? offsets : targets, targets + of_lists};
}

void SweepAhead::step(const WorkList& list, Front& front) {
  const std::size_t most = lists_.window / 2;
  std::vector<Bytes> wanted;
  std::vector<Bytes> passing;
  std::size_t size = 0;
  front.begin_of_last = front.end;
  for (; front.piece < list.pieces().size() && size < most; front.end = list.end_of(front.piece), ++front.piece) {
    const WorkList::ListPart& piece = list.pieces()[front.piece];
    const Bytes all = bytes_of(piece);
    const Bytes rest = all.subspan(front.bytes);
    const Bytes now = rest.first(std::min(rest.size(), most - size));
    append(wanted, now);
    if (piece.range.begin >> section_bits_ >= lists_.kept) append(passing, now);
    size += now.size();
    front.bytes += now.size();
    if (now.size() < rest.size()) {
      const std::uint64_t work = list.end_of(front.piece) - piece.start;
      front.end = piece.start + work * front.bytes / all.size();
      break;
    }
    front.bytes = 0;
  }
  if (front.piece == list.pieces().size()) front.begin_of_last = kNever;
  for (const Bytes bytes : wanted) calls_.begin_reading(bytes);
  if (!calls_.let_go) return;
  front.passing.push_back(std::move(passing));
  if (front.passing.size() <= kStepsInMemory) return;
  for (const Bytes bytes : front.passing.front()) calls_.let_go(bytes);
  front.passing.pop_front();
}

}  // namespace rizoma
