// Other sides of a state of a store, and parts of it, as states of their own: they share with it ids, values, and what
// else they can, and hold its files as it does.
//
// How.  `with_rows` copies of each list the entries whose rows are kept, section by section on all threads, into
// sections in memory.  Cost: one pass over the entries, a bit looked up for each; memory for those that are kept.
// Of a part of a graph the lists of its own sections are filtered, and those who have the other parts tell how long the
// lists of theirs are by now: every part knows the length of every list.
// `reversed` only takes the one direction for the other: O(1).
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

/// How long the lists of a section are; empty: it has no edges.
struct ListLengths {
  std::vector<std::uint32_t> lengths;
  EdgeCount num_self_loops = 0;
};

/// Told of its own sections, says it of all others of the same direction.
using TellLengths = FunctionRef<Status(std::vector<ListLengths>& sections)>;

/// The same of a part of a graph; `tell` is called for the out-sections, and then for in-sections if there are some.
/// Errors: also those of `tell`, and corrupt (lengths that cannot be).
Result<std::shared_ptr<const StoreSnapshot>> part_with_rows(const StoreSnapshot& state,
                                                            std::span<const std::uint8_t> kept, TellLengths tell,
                                                            Executor& executor);

/// Every edge turned round.  Errors: invalid_argument (the graph stores no in-edges).
Result<std::shared_ptr<const StoreSnapshot>> reversed(const StoreSnapshot& state);

}  // namespace rizoma
