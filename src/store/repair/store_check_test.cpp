// What a check costs: nothing for what is not there.
#include "store/repair/store_check.h"

#include "testing/failing_allocation.h"
#include "testing/heap_medium.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace rizoma {
namespace {

/// A manifest may name as many; neither time nor memory is sized by them.
TEST(Check, OfBillionsOfVerticesWithoutEdgesEnds) {
  constexpr std::int64_t kVertices = std::int64_t{1} << 34;
  const std::shared_ptr<Medium> medium = make_heap_medium();
  StoreOptions options;
  options.schema.section_bits = format::kMaxSectionBits;
  {
    const auto store = *Store::create(medium, options);
    ASSERT_TRUE(store->add_edges({std::vector<std::int64_t>{0, 5}, std::vector<std::int64_t>{3, 9}, {}}));
    ASSERT_TRUE(store->add_vertices(std::vector<std::int64_t>{kVertices - 1}));
    ASSERT_TRUE(store->checkpoint());
    ASSERT_TRUE(store->close());
  }
  SerialExecutor serial;
  const auto failing = FailingAllocation::of_at_least(std::uint64_t{1} << 28);
  const auto report = check_store(medium, serial);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->findings.empty());
}

}  // namespace
}  // namespace rizoma
