// MergeLists: the merged lists of the vertices of a section that have pending changes, and no others, by the rules of
// merge_section.h.
//
// How.  Of a great list with few changes only what differs is found, by a search for each change; any other list is
// copied with its changes, after those that were copied before.
// What a former state of the section had merged is carried over: its lists stay where they are, and only those that
// have changed since are merged again, from what they were then.  So a view after each of many batches costs what is
// new, and where each changed list lies; now and then all copied lists move to a larger room.
// Cost: O(changes log changes + entries of their lists + lists that have changed in all / 8), whatever the size of the
// section; of a great list O(changes log entries + its patches).
// Memory: the copied lists, and at most as much again for those that later copies replaced; 8 bytes a changed list.
// The room takes memory only where it was written to; the state before keeps its own until there is a next one.
#pragma once

#include <rizoma/detail/delta_lists.h>
#include <rizoma/ids.h>

#include "store/sections/merge.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace rizoma {

/// Where copied lists lie one after another.  States of a section that follow each other share it: one of those that
/// follow a state may put its lists after it, and no list is ever written again.
struct ListRoom {
  std::shared_ptr<std::byte> bytes;
  std::byte* targets = nullptr;
  std::byte* weights = nullptr;  ///< null if unweighted
  std::uint64_t capacity = 0;    ///< entries
  std::atomic<std::uint64_t> used = 0;
};

/// The differences of the long lists that are patched (changed_lists.h).
struct MergedPatches {
  std::vector<std::uint32_t> begins;  ///< by list, and one more
  std::vector<Patch> patches;
  std::vector<std::byte> targets;  ///< of the added entries
  std::vector<std::byte> weights;
};

/// The lists that have changes, and no others.
struct MergedLists {
  std::shared_ptr<std::byte> index;  ///< the bits that mark the merged lists, and their bounds
  std::shared_ptr<ListRoom> copied;
  std::uint64_t copied_end = 0;     ///< entries of that room that were in use when this was made
  EdgeCount copied_entries = 0;     ///< of the copied lists
  EdgeCount patched_entries = 0;    ///< of those that are patched
  std::shared_ptr<std::byte> room;  ///< for those that are patched
  DeltaLists lists;                 ///< but for `patched`
  std::byte* target_room = nullptr;
  std::byte* weight_room = nullptr;  ///< null if unweighted
  std::uint32_t weight_bytes = 0;
  std::uint32_t count = 0;    ///< of lists
  MergedPatches patched;      ///< empty if no list is
  EdgeCount num_entries = 0;  ///< of the whole section
  EdgeCount num_self_loops = 0;
};

struct MergeLimits {
  /// Lists of this many entries in the image are patched if few of them change.
  std::uint32_t great = kGreatList;
  EdgeCount most = 0;  ///< entries that copied lists may have

  static constexpr std::uint32_t kGreatList = 256;
  /// Where the weights are numbers of rows, which views have with and without.
  static constexpr std::uint32_t kNeverGreat = UINT32_MAX;
};

/// Nothing if copied lists would have more entries than they may: merging the section is better then.  The input has an
/// image of the width and the vertices that are wanted.  `former`: what an earlier state had merged on the same image,
/// the changes being those since; null: there is none.  The result is in `memory`.  Throws std::bad_alloc.
std::optional<MergedLists> merge_lists(const MergeInput& input, const MergeLimits& limits, const MergedLists* former,
                                       MergeArena& memory);

}  // namespace rizoma
