// What a check costs: nothing for what is missing.
#include "store/repair/store_check.h"

#include "testing/failing_allocation.h"
#include "testing/heap_medium.h"
#include "testing/ids_below.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace rizoma {
namespace {

/// A manifest may name any number of them; memory is not sized by it.
TEST(Check, OfManyVerticesWithoutEdgesTakesNoByteForEach) {
  constexpr std::int64_t kVertices = std::int64_t{1} << 24;
  const std::shared_ptr<Medium> medium = make_heap_medium();
  StoreOptions options;
  options.schema.section_bits = format::kMaxSectionBits;
  {
    const auto store = *Store::create(medium, options);
    ASSERT_TRUE(store->add_vertices(ids_below(kVertices)));
    ASSERT_TRUE(store->add_edges({std::vector<std::int64_t>{0, 5}, std::vector<std::int64_t>{3, 9}, {}}));
    ASSERT_TRUE(store->checkpoint());
    ASSERT_TRUE(store->close());
  }
  SerialExecutor serial;
  const auto failing = FailingAllocation::of_at_least(kVertices);
  const auto report = check_store(medium, serial);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->findings.empty());
}

}  // namespace
}  // namespace rizoma
