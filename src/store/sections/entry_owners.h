// Entry owners: loops over the entries of a section, however short its lists, in which each entry knows whose it is.
//
// How.  A list of some length is a loop of its own, beside one value.  For the short ones between, the value of each
// list is written down for each of its entries, in steps of kStep, of which the next list overwrites what is too much.
// So short lists are a loop over arrays, which the compiler vectorises, where a loop for each of them ends with a rest
// and a wrong guess of its length for nearly every one.
// Cost: beside the loops, one step for each list and for each kStep entries of short ones.  Memory: their values, on
// the stack.
#pragma once

#include "base/wide_loops.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace rizoma {

/// Entries [begin, end) of a section, whose list k has entries [offsets[k], offsets[k + 1]), which ascend.
struct EntryRun {
  std::span<const std::uint32_t> offsets;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t list = 0;  ///< that of entry `begin`, or an earlier one
};

namespace entry_owners {

inline constexpr std::size_t kLong = 64;        ///< entries from which on a list has a loop of its own
inline constexpr std::size_t kTogether = 2048;  ///< entries of short lists; their values fit into the first cache
inline constexpr std::size_t kStep = 16;        ///< most short lists of R-MAT or the web have no more

template <class Value>
RIZOMA_INLINED inline void write_step(Value* values, Value value) {
  for (std::size_t i = 0; i < kStep; ++i) values[i] = value;
}

}  // namespace entry_owners

/// Goes through the entries of `run` in order.  Calls of_list(begin, value, count) for a long list, or what the run has
/// of it, and of_entries(begin, values, count) for short ones together: entry begin + i is of a list whose value is
/// values[i].  The value of list k is value_of(k).  Returns the list of the last entry.  To be run by run_loop.
template <class Value, class ValueOf, class OfList, class OfEntries>
RIZOMA_INLINED inline std::size_t for_owned_entries(const EntryRun& run, const ValueOf& value_of, const OfList& of_list,
                                                    const OfEntries& of_entries) {
  using entry_owners::kLong;
  using entry_owners::kStep;
  using entry_owners::kTogether;
  using entry_owners::write_step;
  alignas(64) std::array<Value, kTogether + kStep> values;
  std::size_t begin = run.begin;  // of those that are written down
  std::size_t written = 0;
  const auto visit_written = [&]() RIZOMA_INLINED {
    if (written > 0) of_entries(begin, static_cast<const Value*>(values.data()), written);
  };
  std::size_t k = run.list;
  for (std::size_t at = run.begin; at < run.end;) {
    while (run.offsets[k + 1] <= at) ++k;
    const std::size_t end = std::min<std::size_t>(run.offsets[k + 1], run.end);
    const std::size_t count = end - at;
    const Value value = value_of(k);
    if (count >= kLong || written + count > kTogether) {
      visit_written();
      begin = at;
      written = 0;
    }
    if (count >= kLong) {
      of_list(at, value, count);
      begin = end;
    } else {
      write_step(values.data() + written, value);
      for (std::size_t step = kStep; step < count; step += kStep) write_step(values.data() + written + step, value);
      written += count;
    }
    at = end;
  }
  visit_written();
  return k;
}

}  // namespace rizoma
