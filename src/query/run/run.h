// Counts and lists the matches of one planned query on an engine.  Module: query.
#pragma once

#include <rizoma/engine.h>

#include "query/run/checked_count.h"
#include "query/run/matcher.h"
#include "query/run/lazy_blocks.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace rizoma::query {

/// Which lists of a graph name a vertex twice: found out when a run first asks, and known to all later ones.
class KnownRepeats {
 public:
  /// Looks at all lists unless `later`, and then leaves it to the first reader.  From any thread.  Errors: cancelled.
  [[nodiscard]] Result<std::shared_ptr<const RepeatingLists>> of(Engine& engine, const GraphView& graph, bool later);

 private:
  LazyBlocks<std::shared_ptr<const RepeatingLists>> known_ = LazyBlocks<std::shared_ptr<const RepeatingLists>>(1);
};

struct SharedGraph;

/// A query that is ready to be run.
struct Planned {
  const GraphView& graph;
  const Query& query;
  const Plan& plan;
  const MatchColumns& columns;
  KnownRepeats& repeats;
  SharedGraph* shared = nullptr;  ///< if data nodes hold the graph, of which `graph` is this rank's part
};

/// What a run found and did.
struct CountResult {
  std::uint64_t matches = 0;       ///< of the query itself, not multiplied by Query::times
  std::vector<StepTally> tallies;  ///< of each step, by number
};

/// On ranks each matches its share of the roots (collective): the sum is that of all, the tallies are its own.
/// Errors: cancelled, unsupported (2^64 matches or more).
[[nodiscard]] Result<CountResult> count_matches(Engine& engine, const Planned& planned);

/// Adds to `counts`, by internal id, the matches with each vertex at the root of the plan's first tree.
[[nodiscard]] Status count_by_root(Engine& engine, const Planned& planned, VertexMap<std::uint64_t>& counts);

[[nodiscard]] Error too_many_matches();

/// Calls body(thread, v, piece) for the vertices that a root may be, on all threads; `piece` is null, or limits the
/// entries that the step below reads of its first list.
[[nodiscard]] Status for_roots(Engine& engine, const GraphView& graph, const Query& query, const Step& root,
                               FunctionRef<void(unsigned thread, VertexId v, const ListPiece* piece)> body);

}  // namespace rizoma::query
