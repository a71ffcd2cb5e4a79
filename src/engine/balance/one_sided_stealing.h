// OneSidedStealing: work on ranked lists moves between processes that read each other's memory.
//
// How: each process lays its lists, and a counter of the blocks that were taken, where the others read them.  Blocks
// are taken by one addition to the counter of their process and a few reads: the lists of these blocks, and those that
// they lead to and that are not here, as many at once as a bound allows.  Of the latter, lists of the core stay as rows
// of bits, of the others as many as another bound allows, those that are used most (lru_cache.h).
// Cost: of what moves, 4 bytes an entry read; of each process, its lists once more while they are moved to where others
// see them, and 8 bytes a vertex.
#pragma once

#include <rizoma/engine.h>

#include "engine/balance/list_stealing.h"
#include "engine/balance/lru_cache.h"
#include "engine/exchange/rank_window.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace rizoma {

class OneSidedStealing final : public ListStealing {
 public:
  static constexpr std::uint64_t kFetchLimit = std::uint64_t{16} << 20;
  static constexpr std::uint64_t kBeside = 176;  // bytes that a remote list takes besides its members

  class Fetched final : public StolenLists {
   public:
    using StolenLists::StolenLists;
    /// For the cached lists, and the places of others.
    [[nodiscard]] std::uint64_t bytes() const {
      std::uint64_t bytes = entries_.size() * sizeof(DegreeRank);
      for (const auto& [v, place] : places_) bytes += place.bytes();
      return bytes;
    }

   private:
    friend class OneSidedStealing;
    struct Ends {
      std::uint64_t begin = 0;
      std::uint64_t end = 0;
    };
    struct Place {
      Ends ends;            ///< in its process's memory; zeros of a list that was kept
      LruCache::List list;  ///< null: it is not here now
      bool comes = false;   ///< for the lists that are next
      [[nodiscard]] std::uint64_t bytes() const { return kBeside + (list ? list->size() * sizeof(DegreeRank) : 0); }
    };
    [[nodiscard]] const LruCache::List* find(DegreeRank v) const override {
      const auto found = places_.find(v);
      return found == places_.end() ? nullptr : &found->second.list;
    }
    [[nodiscard]] std::span<const DegreeRank> list(std::size_t i) const {
      const std::uint64_t begin = begins_[work_[i] - work_.front()];
      const std::uint64_t end = begins_[work_[i] - work_.front() + 1];
      return std::span(entries_).subspan(begin - begins_[work_[first_] - work_.front()], end - begin);
    }
    std::vector<DegreeRank> work_;       ///< the numbers of the lists that moved
    std::vector<std::uint64_t> begins_;  ///< of one list after the other from the first of the work on, and the end
    std::size_t first_ = 0;              ///< of the work: its lists from there to end_ are in entries_
    std::size_t end_ = 0;
    std::vector<DegreeRank> entries_;
    std::unordered_map<DegreeRank, Place> places_;  ///< of lists that some of these lead to and this process lacks
    std::size_t placed_ = 0;                        ///< of the work: places_ has the places for the lists before it
    std::uint64_t placed_bytes_ = 0;
    std::vector<DegreeRank> coming_;  ///< whose places say so
  };

  /// Null: there is no memory that they can read.  Collective.  Lists and core must outlive this.
  /// `fetch_limit`: bytes of moved lists that a thread has at hand, or one list; and as many of those that they lead
  /// to and of what says where these lie, or what one leads to.
  /// Errors: out_of_memory, io (a process is lost).
  static Result<std::unique_ptr<OneSidedStealing>> make(Engine& engine, OrientedLists& lists, CoreRows& core,
                                                        std::uint64_t fetch_limit = kFetchLimit);

 private:
  /// What of a process's memory is where.
  struct Layout {
    std::uint64_t work = 0;  ///< lists with two members or more
    std::uint64_t entries = 0;
    std::uint64_t lists = 0;

    [[nodiscard]] std::uint64_t blocks() const noexcept { return blocks_of(work); }
    [[nodiscard]] static constexpr std::uint64_t counter_at() noexcept { return 0; }
    [[nodiscard]] static constexpr std::uint64_t begins_at() noexcept { return sizeof(std::uint64_t); }
    [[nodiscard]] std::uint64_t work_at() const noexcept { return begins_at() + (lists + 1) * sizeof(std::uint64_t); }
    [[nodiscard]] std::uint64_t entries_at() const noexcept { return work_at() + work * sizeof(DegreeRank); }
    [[nodiscard]] std::uint64_t bytes() const noexcept { return entries_at() + entries * sizeof(DegreeRank); }
  };
  /// Blocks of another process.
  struct Loot {
    unsigned process = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };

  OneSidedStealing(Engine& engine, OrientedLists& lists, CoreRows& core, const RankWindow& window,
                   std::uint64_t fetch_limit);
  [[nodiscard]] std::uint64_t own_blocks() const override { return layouts_[processes_.rank()].blocks(); }
  Result<std::span<const DegreeRank>> take_own() override;
  Result<bool> do_others(Other other, unsigned thread) override;
  void end_for_all() override;
  Result<std::optional<Loot>> take_of_fullest();
  Status do_loot(const Loot& loot, Fetched& fetched, Other other, unsigned thread);
  Status fetch_numbers(const Loot& loot, Fetched& fetched);
  Status fetch_lists(const Loot& loot, Fetched& fetched);
  Status find_others(Fetched& fetched, std::size_t first);
  Result<std::size_t> fetch_others(Fetched& fetched, std::size_t first);
  Status fetch_from(unsigned process, const std::vector<DegreeRank>& numbers, Fetched& fetched);

  RankWindow window_;
  const std::uint64_t fetch_limit_;
  std::vector<Layout> layouts_;  ///< of each process
  std::deque<Fetched> fetched_;  ///< of each thread
};

}  // namespace rizoma
