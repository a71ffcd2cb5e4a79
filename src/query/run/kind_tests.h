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
      : query_(query), memory_(columns.memory()), tests_(query.filters.size()), reads_(query.filters.size()) {}
  /// Of another thread, which counts for itself.
  KindTests(const KindTests& other)
      : query_(other.query_), memory_(other.memory_), tests_(other.tests_.size()), reads_(other.reads_.size()) {}
  KindTests& operator=(const KindTests&) = delete;
  ~KindTests() {
    for (std::size_t i = 0; memory_ != nullptr && i < tests_.size(); ++i) {
      const Filter& filter = query_.filters[i];
      const std::uint64_t tests = tests_[i] + reads_[i] / kReadsOfTest;
      if (tests != 0 && filter.is_kind) {
        note_kind_tests(*memory_, filter, (filter.mask >> query_.vertices) != 0, tests);
      }
    }
  }

  /// A candidate was tested by these filters, of which the first that does not hold decides.
  void add(const std::vector<std::size_t>& filters) noexcept {
    for (const std::size_t filter : filters) ++tests_[filter];
  }

  /// Entries of a list were read that a filter, which will be tested of their edges, would have left out.
  void add_read(const std::vector<std::size_t>& filters, std::uint64_t entries) noexcept {
    for (const std::size_t filter : filters) reads_[filter] += entries;
  }

 private:
  static constexpr std::uint64_t kReadsOfTest = 4;  // entries that are read while one is tested

  const Query& query_;
  MatchMemory* memory_;
  std::vector<std::uint64_t> tests_;  ///< of each filter
  std::vector<std::uint64_t> reads_;
};

}  // namespace rizoma::query
