#include "store/sections/entry_owners.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace rizoma {
namespace {

/// Values of the entries of lists of these lengths, as `for_owned_entries` tells them; list k's is k + 1.
template <class Value>
std::vector<Value> told(const std::vector<std::uint32_t>& offsets) {
  std::vector<Value> values;
  run_loop([&]() RIZOMA_INLINED {
    for_owned_entries<Value>(
        offsets, [](std::size_t k) RIZOMA_INLINED { return static_cast<Value>(k + 1); },
        [&](std::size_t begin, const Value* owners, std::size_t count) RIZOMA_INLINED {
          EXPECT_EQ(begin, offsets.front() + values.size());
          if (!values.empty()) {
            EXPECT_EQ(owners[-1], values.back());
          }
          for (std::size_t i = 0; i < count; ++i) values.push_back(owners[i]);
        });
  });
  return values;
}

void expect_owners(const std::vector<std::uint32_t>& lengths) {
  std::vector<std::uint32_t> offsets{7};  // as in a part of a section
  std::vector<std::uint64_t> owners;
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    offsets.push_back(offsets.back() + lengths[k]);
    owners.insert(owners.end(), lengths[k], k + 1);
  }
  EXPECT_EQ(told<std::uint64_t>(offsets), owners);
  const std::vector<std::uint32_t> narrow = told<std::uint32_t>(offsets);
  EXPECT_EQ(std::vector<std::uint64_t>(narrow.begin(), narrow.end()), owners);
}

TEST(EntryOwners, AreToldForListsOfAnyLength) {
  expect_owners({});
  expect_owners({0, 0, 0});
  expect_owners({1});
  expect_owners({2048});
  expect_owners({2047, 1, 0, 1});
  expect_owners({0, 2048, 0, 2049, 4096, 0});
  expect_owners({10000, 15, 16, 17, 0, 1, 6000});
}

TEST(EntryOwners, AreToldForManyShortLists) {
  std::mt19937 random(5);
  std::vector<std::uint32_t> lengths(3000);
  for (std::uint32_t& length : lengths)
    length = static_cast<std::uint32_t>(random() % 8 == 0 ? random() % 300 : random() % 20);
  expect_owners(lengths);
}

}  // namespace
}  // namespace rizoma
