#include "store/state/first_reading.h"

#include <numeric>

namespace rizoma {

FirstReading::FirstReading(std::vector<std::uint64_t> unread, const std::function<std::uint64_t()>& free_memory) {
  constexpr std::uint64_t kMemoryPerByte = 2;  // as for a sweep (engine/loop/readahead.cpp)
  const std::uint64_t all = std::accumulate(unread.begin(), unread.end(), std::uint64_t{0});
  if (all < kGreat) return;
  const std::uint64_t free = free_memory();
  if (free > 0 && all > free / kMemoryPerByte) unread_ = std::move(unread);
}

std::pair<SectionId, SectionId> FirstReading::Run::reach(SectionId section) noexcept {
  const SectionId first = asked_;
  if (of_.unread_.empty()) return {first, first};
  while (asked_ < end_ && ahead_ < kWindow) ahead_ += of_.unread_[asked_++];
  ahead_ -= of_.unread_[section];
  return {first, asked_};
}

}  // namespace rizoma
