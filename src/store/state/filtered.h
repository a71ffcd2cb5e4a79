// States that are made of another one: its edges that pass a filter, or its edges reversed.  They share ids, values and
// all else that they can with it, and hold its files as it does.
//
// How.  `with_rows` copies of each list the entries whose rows are kept, section by section on all threads, into
// sections in memory.  Cost: one pass over the entries, a bit looked up for each; memory for those that are kept.
// A partition of a graph filters the lists of its own sections and gets the lengths of all others from the ranks that
// have them: every partition knows the length of every list.
// `reversed` exchanges the two directions: O(1).
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/executor.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>

#include "store/state/snapshot.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace rizoma {

/// The edges whose rows have a bit set in `kept`, of which byte i holds rows 8i..8i+7, lowest bit first; all vertices
/// stay.  Of a graph with columns of edges.  Errors: invalid_argument (not a bit for each row; no rows), those of
/// StoreSnapshot::view.  Throws std::bad_alloc.
Result<std::shared_ptr<const StoreSnapshot>> with_rows(const StoreSnapshot& state, std::span<const std::uint8_t> kept,
                                                       Executor& executor);

/// The lengths of the lists of a section; empty: it has no edges.
struct ListLengths {
  std::vector<std::uint32_t> lengths;
  EdgeCount num_self_loops = 0;
};

/// Gives the lengths of its own sections, and returns those of all others in the same direction.
using TellLengths = FunctionRef<Status(std::vector<ListLengths>& sections)>;

/// The same of a part of a graph; `tell` is called for the out-sections, and then for in-sections if there are some.
/// Errors: also those of `tell`, and corrupt (lengths that cannot be).
Result<std::shared_ptr<const StoreSnapshot>> part_with_rows(const StoreSnapshot& state,
                                                            std::span<const std::uint8_t> kept, TellLengths tell,
                                                            Executor& executor);

/// Every edge reversed.  Errors: invalid_argument (the graph stores no in-edges).
Result<std::shared_ptr<const StoreSnapshot>> reversed(const StoreSnapshot& state);

}  // namespace rizoma
