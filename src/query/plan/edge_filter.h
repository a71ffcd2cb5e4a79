// Tests the edges of a list against conditions on one edge alone, all at once.  Module: query.
//
// How: a comparison of a column of numbers with a number, and of texts with texts, runs over the values as they lie;
// what is left after that is tested edge by edge.
#pragma once

#include <rizoma/match.h>

#include "query/parse/condition.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace rizoma::query {

/// For one thread.
class EdgeFilter {
 public:
  /// The conditions speak of edge item 0 only, and outlive this.
  EdgeFilter(std::span<const Condition> conditions, const MatchColumns& columns);

  /// Whether all conditions hold, for each of entries [begin, begin + keep.size()) of the list of a vertex.
  void run(VertexId source, EdgeCount begin, std::span<std::uint8_t> keep);

 private:
  /// Column `column` beside a number.
  struct NumberTest {
    Operation operation;
    std::size_t column;
    MatchValue constant;
    const Condition* whole;
  };
  /// Column `column` is one of these.
  struct TextTest {
    std::size_t column;
    std::vector<std::string_view> texts;
    const Condition* whole;
  };

  void add(const Condition& condition);
  bool add_number(const Condition& condition);
  bool add_text(const Condition& condition);
  template <class Test>
  void run_test(const Test& test, VertexId source, EdgeCount begin, std::span<std::uint8_t> keep);
  void run_each(const Condition& condition, VertexId source, EdgeCount begin, std::span<std::uint8_t> keep);
  static bool applies(const NumberTest& test, const ColumnRun& run, std::span<std::uint8_t> keep);
  static bool applies(const TextTest& test, const ColumnRun& run, std::span<std::uint8_t> keep);

  const MatchColumns& columns_;
  std::vector<NumberTest> numbers_;
  std::vector<TextTest> texts_;
  std::vector<const Condition*> others_;
};

}  // namespace rizoma::query
