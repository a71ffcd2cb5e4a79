#include "engine/balance/one_sided_stealing.h"

#include "base/check.h"
#include "engine/balance/stealing_threads.h"

#include <algorithm>
#include <utility>

namespace rizoma {
namespace {

using Rank = RankedLists::Rank;

/// The values at `offset`, which lie in memory of this process.
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

MovingLists::MovingLists(Engine& engine, RankedLists& lists, CoreRows& core, const RankWindow& window,
                         std::uint64_t most_brought)
    : engine_(engine),
      lists_(&lists),
      processes_(*lists.processes()),
      window_(window),
      most_brought_(most_brought),
      kept_(processes_.settings().cache_bytes),
      core_(lists, core) {}

Result<std::unique_ptr<MovingLists>> MovingLists::make(Engine& engine, RankedLists& lists, CoreRows& core,
                                                       std::uint64_t most_brought) {
  Ranks& processes = *lists.processes();
  Layout mine{.entries = lists.own_entries(), .lists = lists.size()};
  for (VertexId r = 0; r < lists.size(); ++r) mine.work += lists.is_mine(r) && lists[r].size() > 1 ? 1 : 0;
  RIZOMA_ASSIGN(const std::vector<Layout> layouts, processes.all(mine));
  RIZOMA_ASSIGN(const std::optional<RankWindow> window, RankWindow::make(processes, mine.bytes()));
  if (!window) return std::unique_ptr<MovingLists>();
  std::unique_ptr<MovingLists> moving(new MovingLists(engine, lists, core, *window, most_brought));
  moving->layouts_ = layouts;
  const std::span<std::byte> memory = window->mine();
  RIZOMA_ASSIGN(const VertexMap<std::uint64_t> begins,
                lists.move_own(engine, values_at<Rank>(memory, mine.entries_at(), mine.entries)));
  std::copy_n(begins.data(), begins.size(),
              values_at<std::uint64_t>(memory, Layout::begins_at(), mine.lists + 1).data());
  const std::span<Rank> work = values_at<Rank>(memory, mine.work_at(), mine.work);
  std::size_t place = 0;
  for (VertexId r = 0; r < lists.size(); ++r) {
    if (lists.is_mine(r) && lists[r].size() > 1) work[place++] = static_cast<Rank>(r);
  }
  // Nobody looks before all have laid out theirs.
  RIZOMA_TRY(processes.round(RoundKind::lists, std::vector<Bytes>(processes.size())));
  return moving;
}

Status MovingLists::for_each(FunctionRef<void(Rank, unsigned)> own, Other other) {
  try {
    Status status = do_own(own);
    if (status) status = do_all_others(other);
    if (!status) end_for_all();
    return status;
  } catch (...) {
    end_for_all();
    throw;
  }
}

/// Leaves no block to anybody: a process that ends early comes to no other round, and whatever the others did from now
/// on would be thrown away.  That this one has ended they learn in their next round.
void MovingLists::end_for_all() {
  for (unsigned process = 0; process < processes_.size(); ++process) {
    // An error: a process is lost, which the others see themselves.
    static_cast<void>(window_.fetch_add(process, Layout::counter_at(), layouts_[process].blocks()));
  }
}

/// Each turn of the loop takes the next block, whichever that is: others take some away.
Status MovingLists::do_own(FunctionRef<void(Rank, unsigned)> own) {
  const unsigned me = processes_.rank();
  const Layout& mine = layouts_[me];
  const std::span<const Rank> work = values_at<Rank>(window_.mine(), mine.work_at(), mine.work);
  Status failed;
  Mutex guard;
  RIZOMA_TRY(engine_.for_blocks(mine.blocks(), 1, [&](VertexRange turns, unsigned thread) {
    for (VertexId turn = turns.begin; turn < turns.end; ++turn) {
      Result<std::uint64_t> block = window_.fetch_add(me, Layout::counter_at(), 1);
      if (!block) {
        const MutexLock lock(guard);
        failed = block.error();
        return;
      }
      if (*block >= mine.blocks()) return;
      const std::uint64_t begin = *block * kBlock;
      for (const Rank r : work.subspan(begin, std::min(kBlock, mine.work - begin))) own(r, thread);
    }
  }));
  return failed;
}

Status MovingLists::do_all_others(Other other) {
  return do_on_all_threads(engine_, [&](unsigned thread) { return do_others(other, thread); }, [&] { end_for_all(); });
}

Status MovingLists::do_others(Other other, unsigned thread) {
  Brought brought;
  brought.moving_ = this;
  for (;;) {
    RIZOMA_TRY(engine_.report("triangle_count", 0, 0));  // within `parallel`: asks whether to go on
    RIZOMA_ASSIGN(const std::optional<Loot> loot, take_of_fullest());
    if (!loot) break;
    RIZOMA_TRY(do_loot(*loot, brought, other, thread));
    processes_.count_migrated(loot->process, loot->end - loot->begin);
  }
  return {};
}

/// As many lists at once as the bound allows, and of these as many as it allows of what they lead to.
Status MovingLists::do_loot(const Loot& loot, Brought& brought, Other other, unsigned thread) {
  RIZOMA_TRY(bring_numbers(loot, brought));
  for (brought.end_ = 0; brought.end_ < brought.work_.size() && !engine_.stopping();) {
    RIZOMA_TRY(bring_lists(loot, brought));
    for (std::size_t i = brought.first_; i < brought.end_;) {
      if (i == brought.first_ || i == brought.placed_) RIZOMA_TRY(find_others(brought, i));
      RIZOMA_ASSIGN(const std::size_t end, bring_others(brought, i));
      for (; i < end; ++i) {
        if (engine_.stopping()) return {};
        other(brought.work_[i], brought.list(i), brought, thread);
      }
    }
  }
  return {};
}

/// Of the process that has most blocks left; none if that is not above the threshold.
Result<std::optional<MovingLists::Loot>> MovingLists::take_of_fullest() {
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

/// Which lists have moved, and where they lie.
Status MovingLists::bring_numbers(const Loot& loot, Brought& brought) {
  const Layout& theirs = layouts_[loot.process];
  std::vector<Rank>& work = brought.work_;
  work.resize(std::min(loot.end * kBlock, theirs.work) - loot.begin * kBlock);
  const Wanted numbers = wanted(theirs.work_at() + loot.begin * kBlock * sizeof(Rank), work);
  RIZOMA_TRY(window_.read(loot.process, {&numbers, 1}));
  RIZOMA_CHECK(std::is_sorted(work.begin(), work.end()) && work.back() < lists_->size());
  brought.begins_.resize(work.back() - work.front() + 2);
  const Wanted begins = wanted(Layout::begins_at() + work.front() * sizeof(std::uint64_t), brought.begins_);
  return window_.read(loot.process, {&begins, 1});
}

/// The lists from where the last ones ended, as many as the bound allows and at least one.  Those between them come
/// along: they have one member at most, or they would belong to the work.
Status MovingLists::bring_lists(const Loot& loot, Brought& brought) {
  const std::uint64_t most = most_brought_ / sizeof(Rank);
  const auto end_of = [&](std::size_t i) { return brought.begins_[brought.work_[i] - brought.work_.front() + 1]; };
  brought.first_ = brought.end_;
  const std::uint64_t begin = brought.begins_[brought.work_[brought.first_] - brought.work_.front()];
  do {
    ++brought.end_;
  } while (brought.end_ < brought.work_.size() && end_of(brought.end_) - begin <= most);
  brought.entries_.resize(end_of(brought.end_ - 1) - begin);
  const Wanted entries = wanted(layouts_[loot.process].entries_at() + begin * sizeof(Rank), brought.entries_);
  return window_.read(loot.process, {&entries, 1});
}

/// Where what the brought lists from `first` on lead to lies, unless it is here, or that itself if it was kept: of as
/// many as half of the bound allows, and of one at least.  The first member of a list closes no wedge.
Status MovingLists::find_others(Brought& brought, std::size_t first) {
  brought.places_.clear();
  brought.coming_.clear();
  brought.placed_bytes_ = 0;
  std::vector<std::vector<Rank>> missing(processes_.size());
  std::size_t i = first;
  for (; i < brought.end_ && (i == first || brought.placed_bytes_ <= most_brought_ / 2); ++i) {
    for (const Rank v : brought.list(i).subspan(1)) {
      if (lists_->has(v) || core_.has(v)) continue;
      const auto [place, is_new] = brought.places_.try_emplace(v);
      if (!is_new) continue;
      place->second.list = kept_.find(v);
      if (place->second.list == nullptr) missing[processes_.owner(lists_->vertex_of(v))].push_back(v);
      brought.placed_bytes_ += place->second.bytes();
    }
  }
  brought.placed_ = i;
  for (unsigned process = 0; process < processes_.size(); ++process) {
    std::vector<Wanted> reads;
    for (const Rank v : missing[process]) {
      reads.push_back({Layout::begins_at() + v * sizeof(std::uint64_t),
                       std::as_writable_bytes(std::span(&brought.places_.find(v)->second.ends, 1))});
    }
    if (!reads.empty()) RIZOMA_TRY(window_.read(process, reads));
  }
  return {};
}

/// What the lists of the work from `first` on lead to, as far as the bound allows, of one of them at least; returns the
/// first of which it is not here.
Result<std::size_t> MovingLists::bring_others(Brought& brought, std::size_t first) {
  for (const Rank v : brought.coming_) {
    Brought::Place& place = brought.places_.find(v)->second;
    place.list = nullptr;
    place.comes = false;
  }
  brought.coming_.clear();
  std::vector<std::vector<Rank>> missing(processes_.size());
  std::uint64_t bytes = brought.placed_bytes_;
  std::size_t i = first;
  for (; i < brought.placed_ && (i == first || bytes <= most_brought_); ++i) {
    for (const Rank v : brought.list(i).subspan(1)) {
      const auto found = brought.places_.find(v);
      if (found == brought.places_.end() || core_.has(v)) continue;
      Brought::Place& place = found->second;
      if (place.list != nullptr || place.comes) continue;
      place.comes = true;
      brought.coming_.push_back(v);
      place.list = kept_.find(v);  // a thread may have brought it since its place was asked for
      if (place.list == nullptr) missing[processes_.owner(lists_->vertex_of(v))].push_back(v);
      bytes += (place.ends.end - place.ends.begin) * sizeof(Rank);
    }
  }
  for (unsigned process = 0; process < processes_.size(); ++process) {
    if (!missing[process].empty()) RIZOMA_TRY(bring_from(process, missing[process], brought));
  }
  return i;
}

Status MovingLists::bring_from(unsigned process, const std::vector<Rank>& numbers, Brought& brought) {
  std::vector<Wanted> reads;
  std::vector<std::vector<Rank>> lists;
  for (const Rank v : numbers) {
    const Brought::Ends& ends = brought.places_.find(v)->second.ends;
    lists.emplace_back(ends.end - ends.begin);
    reads.push_back(wanted(layouts_[process].entries_at() + ends.begin * sizeof(Rank), lists.back()));
  }
  RIZOMA_TRY(window_.read(process, reads));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Rank v = numbers[i];
    const auto list = std::make_shared<const std::vector<Rank>>(std::move(lists[i]));
    brought.places_.find(v)->second.list = list;
    if (v < core_.size()) core_.add(v, *list);
    else kept_.keep(v, list);
  }
  return {};
}

}  // namespace rizoma
