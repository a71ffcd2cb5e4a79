// Repair: builds a whole store from what a damaged one still has.
//
// What is restored, from which redundancy:
//   superblock   from its other copy, or from the manifests that exist
//   manifest     from its other copy; with neither the graph cannot be repaired; publish records are derived
//   logs         up to the first damaged record; what comes after it is lost
//   sections     the entries of a damaged one from the other direction: edges from their transpose, and
//                undirected edges from their other ends
//   dictionary   an index from the ids (repair_dictionary.h), the ids of a reordered dense graph from its index; ids
//                that are lost permanently get substitutes, so that their edges stay
//   tags         those that are whole are copied as they are, and others named: nothing is restored of them
//   locations    their marks from the manifest; one that is not found stops the repair
// How: the damaged bytes are only read.  The small files are mended in memory (salvage_medium.h), the
// store so mended is read section by section, and a bulk load writes what was found into a fresh one.
// Cost: that of reading the graph and of a bulk load of it, in time and memory.  For tagged states, besides: reading
// each section that they have once to check it and once to copy it, checking what its parts say together for each of
// them, and fresh space for all of it, each extent once: they share nothing with the present state any more, only with
// one another.
#pragma once

#include <rizoma/executor.h>
#include <rizoma/result.h>
#include <rizoma/store_types.h>

#include "platform/medium.h"
#include "store/store.h"

#include <memory>

namespace rizoma {

/// Fills the empty `fresh`.  The report says what was restored and what is lost; `kept` is left empty.  The
/// caller holds the writer's lock of `damaged`, until `fresh` has taken its place.
/// `reach` (its `path`, `locations` and `open_location`) leads to the locations of the damaged store, if it has some;
/// the fresh one has all of its sections in its own directory.
/// Errors: corrupt (too little is left), not_found (a location), those of a load.
Result<RepairReport> repair_store(std::shared_ptr<Medium> damaged, std::shared_ptr<Medium> fresh, Executor& executor,
                                  const StoreOptions& reach = {});

/// The report of a repair that has nothing to do, because `check` found nothing.
[[nodiscard]] RepairReport untouched(const CheckReport& checked);

}  // namespace rizoma
