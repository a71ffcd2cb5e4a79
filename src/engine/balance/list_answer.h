// The answer to a process that asks for work: blocks of lists, and those that they lead to and the asker lacks.
#pragma once

#include <rizoma/vertex_set.h>

#include "engine/balance/list_stealing.h"
#include "engine/balance/lru_cache.h"
#include "engine/exchange/wire.h"
#include "engine/intersection/oriented_lists.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace rizoma {

/// An answer that is composed.
class ListAnswer {
 public:
  using DegreeRank = OrientedLists::DegreeRank;

  /// `most`: bytes.
  ListAnswer(const OrientedLists& lists, std::uint64_t most) : lists_(lists), most_(most) {}

  [[nodiscard]] bool is_full() const noexcept { return bytes() >= most_; }
  /// Adds list r, and those that it leads to, to what the asker has; false if they exceed the rest of the bound.
  bool add(DegreeRank r, VertexSet& has);
  /// Writes it: `blocks` were taken for it, `left` remain.
  void put(std::uint64_t blocks, std::uint64_t left, WireWriter& writer) &&;

 private:
  [[nodiscard]] std::uint64_t bytes() const noexcept { return work_.size() + others_.size(); }

  const OrientedLists& lists_;
  const std::uint64_t most_;
  WireWriter work_;
  WireWriter others_;
  std::uint64_t num_work_ = 0;
  std::uint64_t num_others_ = 0;
  DegreeRank last_work_ = 0;
  DegreeRank last_other_ = 0;
};

/// An answer that was received.
class AnsweredLists final : public StolenLists {
 public:
  using StolenLists::StolenLists;

  /// Reads it, but for its kind.  What belongs to the core goes there, and the cache keeps what it can of the rest;
  /// returns the lists that it keeps no more for that.
  std::vector<DegreeRank> read(WireReader& answer, const OrientedLists& lists, CachedCore& core, LruCache& kept);

  /// Numbers of the lists that are to be done.
  [[nodiscard]] std::span<const DegreeRank> work() const noexcept { return work_; }
  /// The list of work()[i].
  [[nodiscard]] std::span<const DegreeRank> list(std::size_t i) const {
    return std::span(entries_).subspan(begins_[i], begins_[i + 1] - begins_[i]);
  }
  [[nodiscard]] std::uint64_t blocks() const noexcept { return blocks_; }
  /// Blocks that their process has left.
  [[nodiscard]] std::uint64_t left() const noexcept { return left_; }

  unsigned process = 0;  ///< whose lists these are

 private:
  [[nodiscard]] const LruCache::List* find(DegreeRank v) const override {
    const auto found = others_.find(v);
    return found == others_.end() ? nullptr : &found->second;
  }

  std::uint64_t blocks_ = 0;
  std::uint64_t left_ = 0;
  std::vector<DegreeRank> work_;
  std::vector<std::size_t> begins_{0};
  std::vector<DegreeRank> entries_;
  std::unordered_map<DegreeRank, LruCache::List> others_;  ///< that some of these lead to
};

}  // namespace rizoma
