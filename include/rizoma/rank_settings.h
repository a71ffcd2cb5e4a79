// RankSettings: how the ranks of a run share the work.  Module: engine.
#pragma once

#include <rizoma/placement.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace rizoma {

/// The same on all ranks.
struct RankSettings {
  /// How sections are divided: chunk (runs with equally much work, a vertex counted as a few entries), halves (runs
  /// with equally many vertices) or round_robin.  None: chunk, but round_robin where vertices are in order of degree,
  /// unless the work needs runs.
  std::optional<PlacementPolicy> partition = std::nullopt;
  bool migration = true;                                ///< a rank that has nothing left takes work of others
  std::uint64_t cache_bytes = std::uint64_t{64} << 20;  ///< of lists that a rank reads for that, and keeps
  /// The rank of each section, of a graph whose parts lie where they belong; empty: `partition` says.
  std::vector<unsigned> owners;
  /// Of messages to another rank's vertices, which leave before a sweep has ended; 0: all at its end.  None: as the
  /// network is, at its end where ranks share memory.
  std::optional<std::uint64_t> batch_bytes = std::nullopt;
  friend bool operator==(const RankSettings&, const RankSettings&) = default;
};

}  // namespace rizoma
