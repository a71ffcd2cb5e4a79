// ShareLoader: several processes (ranks) make one load together.
//
// What.  The store is the one that a BulkLoader would make of all their edges, those of the first rank first: the same
//   internal ids, the same lists, and of rows that name the same edge the last one counts.
// How.  Ranks meet between the steps, and tell each other by files in a directory that all of them see.
//   1 add, end    each gives the ids of its share numbers in the order of first appearance, and writes its edges.
//   2 merge       the first makes one dictionary of the ids of all, rank by rank, so that the order of first appearance
//                 is that of one process, and tells each what its numbers are there.
//   3 count       each counts the degrees of its edges.
//   4 plan        the first adds them up, decides order and sections (as for one process) and which run of sections,
//                 with about as many entries as the others, each rank owns; begins with the store.
//   5 send        each sends the entries of its edges to the owners of their sources, in order.
//   6 build       each owner sorts and merges what it got, rank by rank, and writes images of its sections.
//   7 publish     the first puts the images into the store and publishes.
// Cost.  Of m edges on P ranks each rank reads, sends and sorts about m/P; the first reads all different ids of all
//   shares, and copies the images.  On disk: 8 bytes an edge (12 or 16 weighted) and as much for each entry.
// Memory.  As for a BulkLoader (bulk_load.h) with the share's ids, then with the sections; the first rank has the
//   whole dictionary, and each 8 to 24 bytes for each vertex of the graph.
#pragma once

#include <rizoma/batch.h>
#include <rizoma/executor.h>
#include <rizoma/result.h>
#include <rizoma/schema.h>

#include "platform/medium.h"
#include "store/loading/bulk_load.h"

#include <cstdint>
#include <memory>

namespace rizoma {

/// The number of this rank, and what the ranks share.
struct SharePlace {
  Medium* folder = nullptr;  ///< outlives the loader
  unsigned rank = 0;
  unsigned ranks = 1;
  std::uint64_t memory_limit = 0;  ///< of each rank; 0: none
};

class ShareLoader {
 public:
  /// Errors: unsupported (edges with columns).
  static Result<std::unique_ptr<ShareLoader>> create(const GraphSchema& schema, const SharePlace& place);
  ShareLoader(const ShareLoader&) = delete;
  ShareLoader& operator=(const ShareLoader&) = delete;
  ~ShareLoader();

  /// Errors as those of BulkLoader; edges are counted in this rank's share.
  Status add(const EdgeBatch& edges);
  Status add_vertices(const IdColumn& ids);
  Status end();
  /// `whole`: an empty load of the store, whose order is not `locality`.  Errors: unsupported (2^32 vertices or more).
  Status merge(BulkLoader& whole);
  Status count();
  Status plan(BulkLoader& whole, Executor& executor);
  Status send();
  Status build(Executor& executor);
  Status publish(LoadTarget& target);

 private:
  struct Impl;
  explicit ShareLoader(std::unique_ptr<Impl> impl) noexcept;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rizoma
