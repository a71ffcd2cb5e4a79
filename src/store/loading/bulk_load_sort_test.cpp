// Both ways of sorting the entries of a piece make the same lists.
#include "store/loading/bulk_load_sort.h"

#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace rizoma::bulk {
namespace {

using Record = Edge<std::uint32_t, std::uint32_t>;

struct Lists {
  std::vector<std::uint32_t> targets, weights;
  bool has_loops = false;
  friend bool operator==(const Lists&, const Lists&) = default;
};

/// Entries of `vertices` from `first` on, whose weights are their places.
std::vector<Record> random_entries(std::size_t count, std::uint32_t vertices, std::uint32_t first,
                                   std::uint32_t bound) {
  std::vector<Record> entries;
  std::uint64_t state = count;
  for (std::size_t i = 0; i < count; ++i) {
    state = mix64(state + i + 1);
    const auto source = first + static_cast<std::uint32_t>(state % vertices);
    entries.push_back({source, static_cast<std::uint32_t>(mix64(state) % bound), static_cast<std::uint32_t>(i)});
  }
  return entries;
}

Lists sorted(const std::vector<Record>& entries, std::span<const std::uint32_t> degrees, std::uint32_t first,
             VertexId bound, bool by_insertion) {
  PieceScratch<Record> scratch;
  scratch.reserve(entries.size() + 1);
  begin_lists(scratch, degrees);
  if (by_insertion) {
    scatter_by_source(scratch, std::span<const Record>(entries), first);
    sort_short_lists(scratch, degrees);
  } else {
    std::copy(entries.begin(), entries.end(), scratch.from.data());
    sort_by_target(scratch, entries.size(), bound);
    scatter_by_source(scratch, std::span<const Record>(scratch.from.data(), entries.size()), first);
  }
  const auto size = static_cast<std::ptrdiff_t>(entries.size());
  return {{scratch.targets.data(), scratch.targets.data() + size},
          {scratch.weights.data(), scratch.weights.data() + size},
          scratch.has_loops};
}

TEST(BulkLoadSort, InsertionAndDigitsMakeTheSameListsWithParallelEdgesInTheirOrder) {
  constexpr std::uint32_t kFirst = 100, kVertices = 50;
  for (const std::uint32_t bound : {1U, 5U, 160U, 100'000U}) {  // few targets: many parallel edges
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{60}, std::size_t{900}}) {
      const std::vector<Record> entries = random_entries(count, kVertices, kFirst, bound);
      std::vector<std::uint32_t> degrees(kVertices);
      bool loops = false;
      for (const Record& entry : entries) {
        ++degrees[entry.source - kFirst];
        loops = loops || entry.source == entry.target;
      }
      const Lists lists = sorted(entries, degrees, kFirst, bound, true);
      EXPECT_EQ(lists, sorted(entries, degrees, kFirst, bound, false)) << count << " entries, targets below " << bound;
      EXPECT_EQ(lists.has_loops, loops);
    }
  }
}

TEST(BulkLoadSort, ListsAreShortUnlessAFewHaveMostEntries) {
  EXPECT_TRUE(are_short({}));
  EXPECT_TRUE(are_short(std::vector<std::uint32_t>{0, 3, 12, 1}));
  std::vector<std::uint32_t> degrees(1000, 2);
  EXPECT_TRUE(are_short(degrees));
  degrees[10] = 1000;
  EXPECT_FALSE(are_short(degrees));
}

}  // namespace
}  // namespace rizoma::bulk
