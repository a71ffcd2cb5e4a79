#include "engine/balance/one_sided_stealing.h"

#include "base/check.h"

#include <algorithm>
#include <utility>

namespace rizoma {
namespace {

using DegreeRank = OrientedLists::DegreeRank;

/// The values at `offset`, which are in memory of this process.
template <class T>
std::span<T> values_at(std::span<std::byte> memory, std::uint64_t offset, std::uint64_t count) {
  RIZOMA_CHECK(offset + count * sizeof(T) <= memory.size());
  return {reinterpret_cast<T*>(memory.data() + offset), count};
}

template <class T>
Wanted wanted(std::uint64_t offset, std::vector<T>& values) {
  return {offset, std::as_writable_bytes(std::span(values))};
}

}  // namespace

OneSidedStealing::OneSidedStealing(Engine& engine, OrientedLists& lists, CoreRows& core, const RankWindow& window,
                                   std::uint64_t fetch_limit)
    : ListStealing(engine, lists, core), window_(window), fetch_limit_(fetch_limit) {
  for (unsigned thread = 0; thread < engine.threads(); ++thread) fetched_.emplace_back(lists_, core_);
}

Result<std::unique_ptr<OneSidedStealing>> OneSidedStealing::make(Engine& engine, OrientedLists& lists, CoreRows& core,
                                                                 std::uint64_t fetch_limit) {
  Ranks& processes = *lists.processes();
  const std::vector<DegreeRank> work = work_of(lists);
  const Layout mine{.work = work.size(), .entries = lists.own_entries(), .lists = lists.size()};
  RIZOMA_ASSIGN(const std::vector<Layout> layouts, processes.all(mine));
  RIZOMA_ASSIGN(const std::optional<RankWindow> window, RankWindow::make(processes, mine.bytes()));
  if (!window) return std::unique_ptr<OneSidedStealing>();
  std::unique_ptr<OneSidedStealing> moving(new OneSidedStealing(engine, lists, core, *window, fetch_limit));
  moving->layouts_ = layouts;
  const std::span<std::byte> memory = window->mine();
  RIZOMA_ASSIGN(const VertexMap<std::uint64_t> begins,
                lists.move_own(engine, values_at<DegreeRank>(memory, mine.entries_at(), mine.entries)));
  std::copy_n(begins.data(), begins.size(),
              values_at<std::uint64_t>(memory, Layout::begins_at(), mine.lists + 1).data());
  std::ranges::copy(work, values_at<DegreeRank>(memory, mine.work_at(), mine.work).begin());
  // Nobody looks before all have laid out theirs.
  RIZOMA_TRY(processes.collective(CollectiveKind::lists, std::vector<Bytes>(processes.size())));
  return moving;
}

/// Leaves no block to any thief: a process that ends early joins no other collective, and whatever the others did from
/// now on would be discarded.  That this one has ended they learn in their next round.
void OneSidedStealing::end_for_all() {
  for (unsigned process = 0; process < processes_.size(); ++process) {
    // An error: a process is lost, which the others see themselves.
    static_cast<void>(window_.fetch_add(process, Layout::counter_at(), layouts_[process].blocks()));
  }
}

Result<std::span<const ListStealing::DegreeRank>> OneSidedStealing::take_own() {
  const Layout& mine = layouts_[processes_.rank()];
  RIZOMA_ASSIGN(const std::uint64_t block, window_.fetch_add(processes_.rank(), Layout::counter_at(), 1));
  const std::span<const DegreeRank> work = values_at<DegreeRank>(window_.mine(), mine.work_at(), mine.work);
  const std::uint64_t begin = std::min(block * kBlock, mine.work);
  return work.subspan(begin, std::min(kBlock, mine.work - begin));
}

Result<bool> OneSidedStealing::do_others(Other other, unsigned thread) {
  RIZOMA_ASSIGN(const std::optional<Loot> loot, take_of_fullest());
  if (!loot) return false;
  RIZOMA_TRY(do_loot(*loot, fetched_[thread], other, thread));
  processes_.count_migrated(loot->process, loot->end - loot->begin);
  return true;
}

/// As many lists at once as the bound allows, and of the lists that these lead to as many as it allows.
Status OneSidedStealing::do_loot(const Loot& loot, Fetched& fetched, Other other, unsigned thread) {
  RIZOMA_TRY(fetch_numbers(loot, fetched));
  for (fetched.end_ = 0; fetched.end_ < fetched.work_.size() && !engine_.stopping();) {
    RIZOMA_TRY(fetch_lists(loot, fetched));
    for (std::size_t i = fetched.first_; i < fetched.end_;) {
      if (i == fetched.first_ || i == fetched.placed_) RIZOMA_TRY(find_others(fetched, i));
      RIZOMA_ASSIGN(const std::size_t end, fetch_others(fetched, i));
      for (; i < end; ++i) {
        if (engine_.stopping()) return {};
        other(fetched.work_[i], fetched.list(i), fetched, thread);
      }
    }
  }
  return {};
}

/// Of the process that has most blocks left; none if that is not above the threshold.
Result<std::optional<OneSidedStealing::Loot>> OneSidedStealing::take_of_fullest() {
  for (;;) {
    std::uint64_t most = kThreshold;
    std::optional<unsigned> fullest;
    for (unsigned process = 0; process < processes_.size(); ++process) {
      const std::uint64_t blocks = layouts_[process].blocks();
      if (process == processes_.rank() || blocks <= most) continue;
      RIZOMA_ASSIGN(const std::uint64_t taken, window_.fetch_add(process, Layout::counter_at(), 0));
      if (taken >= blocks || blocks - taken <= most) continue;
      most = blocks - taken;
      fullest = process;
    }
    if (!fullest) return std::optional<Loot>();
    const std::uint64_t blocks = layouts_[*fullest].blocks();
    RIZOMA_ASSIGN(const std::uint64_t begin, window_.fetch_add(*fullest, Layout::counter_at(), kAtOnce));
    if (begin < blocks) return std::optional<Loot>({*fullest, begin, std::min(begin + kAtOnce, blocks)});
  }
}

/// Which lists have moved, and where they are.
Status OneSidedStealing::fetch_numbers(const Loot& loot, Fetched& fetched) {
  const Layout& theirs = layouts_[loot.process];
  std::vector<DegreeRank>& work = fetched.work_;
  work.resize(std::min(loot.end * kBlock, theirs.work) - loot.begin * kBlock);
  const Wanted numbers = wanted(theirs.work_at() + loot.begin * kBlock * sizeof(DegreeRank), work);
  RIZOMA_TRY(window_.read(loot.process, {&numbers, 1}));
  RIZOMA_CHECK(std::is_sorted(work.begin(), work.end()) && work.back() < lists_.size());
  fetched.begins_.resize(work.back() - work.front() + 2);
  const Wanted begins = wanted(Layout::begins_at() + work.front() * sizeof(std::uint64_t), fetched.begins_);
  return window_.read(loot.process, {&begins, 1});
}

/// The lists from where the last ones ended, as many as the bound allows and at least one.  Those between them come
/// along: they have one member at most, or they would belong to the work.
Status OneSidedStealing::fetch_lists(const Loot& loot, Fetched& fetched) {
  const std::uint64_t most = fetch_limit_ / sizeof(DegreeRank);
  const auto end_of = [&](std::size_t i) { return fetched.begins_[fetched.work_[i] - fetched.work_.front() + 1]; };
  fetched.first_ = fetched.end_;
  const std::uint64_t begin = fetched.begins_[fetched.work_[fetched.first_] - fetched.work_.front()];
  do {
    ++fetched.end_;
  } while (fetched.end_ < fetched.work_.size() && end_of(fetched.end_) - begin <= most);
  fetched.entries_.resize(end_of(fetched.end_ - 1) - begin);
  const Wanted entries = wanted(layouts_[loot.process].entries_at() + begin * sizeof(DegreeRank), fetched.entries_);
  return window_.read(loot.process, {&entries, 1});
}

/// Finds the places of the lists that the fetched lists from `first` on lead to, or the lists if they are cached: of as
/// many as half of the bound allows, and of one at least.  The first member of a list closes no wedge.
Status OneSidedStealing::find_others(Fetched& fetched, std::size_t first) {
  fetched.places_.clear();
  fetched.coming_.clear();
  fetched.placed_bytes_ = 0;
  std::vector<std::vector<DegreeRank>> missing(processes_.size());
  std::size_t i = first;
  for (; i < fetched.end_ && (i == first || fetched.placed_bytes_ <= fetch_limit_ / 2); ++i) {
    for (const DegreeRank v : fetched.list(i).subspan(1)) {
      if (lists_.has(v) || core_.has(v)) continue;
      const auto [place, is_new] = fetched.places_.try_emplace(v);
      if (!is_new) continue;
      place->second.list = kept_.find(v);
      if (place->second.list == nullptr) missing[processes_.owner(lists_.vertex_of(v))].push_back(v);
      fetched.placed_bytes_ += place->second.bytes();
    }
  }
  fetched.placed_ = i;
  for (unsigned process = 0; process < processes_.size(); ++process) {
    std::vector<Wanted> reads;
    for (const DegreeRank v : missing[process]) {
      reads.push_back({Layout::begins_at() + v * sizeof(std::uint64_t),
                       std::as_writable_bytes(std::span(&fetched.places_.find(v)->second.ends, 1))});
    }
    if (!reads.empty()) RIZOMA_TRY(window_.read(process, reads));
  }
  return {};
}

/// What the lists of the work from `first` on lead to, as far as the bound allows, of one of them at least; returns the
/// first of which it is not here.
Result<std::size_t> OneSidedStealing::fetch_others(Fetched& fetched, std::size_t first) {
  for (const DegreeRank v : fetched.coming_) {
    Fetched::Place& place = fetched.places_.find(v)->second;
    place.list = nullptr;
    place.comes = false;
  }
  fetched.coming_.clear();
  std::vector<std::vector<DegreeRank>> missing(processes_.size());
  std::uint64_t bytes = fetched.placed_bytes_;
  std::size_t i = first;
  for (; i < fetched.placed_ && (i == first || bytes <= fetch_limit_); ++i) {
    for (const DegreeRank v : fetched.list(i).subspan(1)) {
      const auto found = fetched.places_.find(v);
      if (found == fetched.places_.end() || core_.has(v)) continue;
      Fetched::Place& place = found->second;
      if (place.list != nullptr || place.comes) continue;
      place.comes = true;
      fetched.coming_.push_back(v);
      place.list = kept_.find(v);  // a thread may have fetched it since its place was requested
      if (place.list == nullptr) missing[processes_.owner(lists_.vertex_of(v))].push_back(v);
      bytes += (place.ends.end - place.ends.begin) * sizeof(DegreeRank);
    }
  }
  for (unsigned process = 0; process < processes_.size(); ++process) {
    if (!missing[process].empty()) RIZOMA_TRY(fetch_from(process, missing[process], fetched));
  }
  return i;
}

Status OneSidedStealing::fetch_from(unsigned process, const std::vector<DegreeRank>& numbers, Fetched& fetched) {
  std::vector<Wanted> reads;
  std::vector<std::vector<DegreeRank>> lists;
  for (const DegreeRank v : numbers) {
    const Fetched::Ends& ends = fetched.places_.find(v)->second.ends;
    lists.emplace_back(ends.end - ends.begin);
    reads.push_back(wanted(layouts_[process].entries_at() + ends.begin * sizeof(DegreeRank), lists.back()));
  }
  RIZOMA_TRY(window_.read(process, reads));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const DegreeRank v = numbers[i];
    const auto list = std::make_shared<const std::vector<DegreeRank>>(std::move(lists[i]));
    fetched.places_.find(v)->second.list = list;
    if (v < core_.size()) core_.add(v, *list);
    else kept_.keep(v, list);
  }
  return {};
}

}  // namespace rizoma
