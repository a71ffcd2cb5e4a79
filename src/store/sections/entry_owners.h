// Entry owners: one loop over all entries of a section, however short its lists are, in which each entry knows whose it
// is.
//
// How.  A value of each list is written down for each of its entries, piece by piece, in steps of kStep, of which the
// next list overwrites what is too much.  So a loop over a piece is one over arrays, which the compiler vectorises,
// where a loop for each list ends with a rest and a wrong guess of its length for nearly every list.
// Cost: beside the loop, one step for each list and for each kStep entries.  Memory: a piece, on the stack.
#pragma once

#include "base/wide_loops.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace rizoma {

namespace entry_owners {

inline constexpr std::size_t kPiece = 2048;  ///< entries; their values fit into the first cache
inline constexpr std::size_t kStep = 16;     ///< most lists of R-MAT or the web have no more

template <class Value>
RIZOMA_INLINED inline void write_step(Value* values, Value value) {
  for (std::size_t i = 0; i < kStep; ++i) values[i] = value;
}

}  // namespace entry_owners

/// Calls visit(begin, values, count) for one piece of entries after the other: entry begin + i is of a list whose value
/// is values[i].  List k, of value value_of(k), has entries [offsets[k], offsets[k + 1]), which ascend; values[-1] is
/// that of the entry before, but for the first piece.  To be run by run_loop.
template <class Value, class ValueOf, class Visit>
RIZOMA_INLINED inline void for_owned_entries(std::span<const std::uint32_t> offsets, const ValueOf& value_of,
                                             const Visit& visit) {
  using entry_owners::kPiece;
  using entry_owners::kStep;
  using entry_owners::write_step;
  std::array<Value, kStep + kPiece + kStep> room;
  Value* const values = room.data() + kStep;
  values[-1] = Value{};
  std::size_t begin = offsets.front();
  std::size_t filled = 0;
  for (std::size_t k = 0; k + 1 < offsets.size(); ++k) {
    const Value value = value_of(k);
    std::size_t left = offsets[k + 1] - offsets[k];
    do {
      const std::size_t here = std::min(left, kPiece - filled);
      write_step(values + filled, value);
      for (std::size_t step = kStep; step < here; step += kStep) write_step(values + filled + step, value);
      filled += here;
      left -= here;
      if (filled < kPiece) break;
      visit(begin, static_cast<const Value*>(values), filled);
      values[-1] = value;
      begin += filled;
      filled = 0;
    } while (left > 0);
  }
  if (filled > 0) visit(begin, static_cast<const Value*>(values), filled);
}

}  // namespace rizoma
