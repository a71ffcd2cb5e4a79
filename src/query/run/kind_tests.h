// How often a run tests labels and types one candidate at a time, which says when sets of them pay (match_memory.h).
// Module: query.
#pragma once

#include <rizoma/match.h>

#include "query/parse/query.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rizoma::query {

/// Tells `memory` that a predicate on a label or type was tested so often without a set.
void note_kind_tests(MatchMemory& memory, const Filter& filter, bool of_edge, std::uint64_t tests);

/// For one thread; tells the graph's memory at the end.
class KindTests {
 public:
  KindTests(const Query& query, const MatchColumns& columns)
      : query_(query), memory_(columns.memory()), tests_(query.filters.size()) {}
  /// Of another thread, which counts for itself.
  KindTests(const KindTests& other) : query_(other.query_), memory_(other.memory_), tests_(other.tests_.size()) {}
  KindTests& operator=(const KindTests&) = delete;
  ~KindTests() {
    for (std::size_t i = 0; memory_ != nullptr && i < tests_.size(); ++i) {
      const Filter& filter = query_.filters[i];
      if (tests_[i] != 0 && filter.is_kind) {
        note_kind_tests(*memory_, filter, (filter.mask >> query_.vertices) != 0, tests_[i]);
      }
    }
  }

  /// A candidate was tested by these filters, of which the first that does not hold decides.
  void add(const std::vector<std::size_t>& filters) noexcept {
    for (const std::size_t filter : filters) ++tests_[filter];
  }

 private:
  const Query& query_;
  MatchMemory* memory_;
  std::vector<std::uint64_t> tests_;  ///< of each filter
};

}  // namespace rizoma::query
