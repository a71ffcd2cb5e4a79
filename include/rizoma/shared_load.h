// SharedLoad: several processes (ranks) fill one empty graph together.  Module: api.
//
// What: each adds a share of the edges; all build the sections of the graph, and the first puts them into the store,
// which is that of a BulkLoad of all edges, those of the first rank first.
// How: step by step, in the order of the members below; the ranks wait for each other between the steps, and an error
// of one ends it for all.  They communicate by files in a directory that all of them see (`folder`), which the rank
// that made it removes.  See src/store/loading/share_loader.h.
// Cost: per rank about what its share of the edges costs; the first has the dictionary besides, and copies sections.
#pragma once

#include <rizoma/batch.h>
#include <rizoma/executor.h>
#include <rizoma/graph.h>
#include <rizoma/result.h>
#include <rizoma/schema.h>

#include <cstdint>
#include <filesystem>
#include <memory>

namespace rizoma {

struct SharedLoadOptions {
  std::filesystem::path folder;
  unsigned rank = 0;
  unsigned ranks = 1;
  std::uint64_t memory_limit = 0;  ///< bytes for buffers of each rank; 0: as for BulkLoadOptions, divided by
  unsigned sharing = 1;            ///< ranks that share this machine's memory
};

class SharedLoad {
 public:
  /// `schema`: of the graph, with the kind of ids that the load takes.  Errors: unsupported (edges with columns), io.
  static Result<SharedLoad> create(const GraphSchema& schema, const SharedLoadOptions& options);
  SharedLoad(SharedLoad&&) noexcept;
  SharedLoad& operator=(SharedLoad&&) noexcept;
  ~SharedLoad();

  /// Every rank, any number of times.  Errors: as BulkLoad::add, edges counted in this share.
  Status add(const EdgeBatch& edges);
  Status add_vertices(const IdColumn& ids);
  /// Every rank: its share is whole.
  Status end();
  /// The first rank, with an empty load of the graph.  Errors: unsupported (2^32 vertices or more).
  Status merge(BulkLoad& load);
  /// Every rank.
  Status count();
  /// The first rank.
  Status plan(BulkLoad& load, Executor& executor);
  /// Every rank.
  Status send();
  /// Every rank.
  Status build(Executor& executor);
  /// The first rank: durable when it returns.
  Status publish(BulkLoad& load);

 private:
  struct Impl;
  explicit SharedLoad(std::unique_ptr<Impl> impl) noexcept;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rizoma
