#include "store/sections/entry_owners.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace rizoma {
namespace {

/// Values of the entries of lists with these offsets, given in pieces of this many entries; list k's is k + 1.
template <class Value>
std::vector<Value> told(const std::vector<std::uint32_t>& offsets, std::size_t piece) {
  std::vector<Value> values;
  std::size_t list = 0;
  const auto expect_next = [&](std::size_t begin) { EXPECT_EQ(begin, offsets.front() + values.size()); };
  for (std::size_t begin = offsets.front(); begin < offsets.back(); begin += piece) {
    const EntryRun run{offsets, begin, std::min<std::size_t>(begin + piece, offsets.back()), list};
    run_loop([&]() RIZOMA_INLINED {
      list = for_owned_entries<Value>(
          run, [](std::size_t k) RIZOMA_INLINED { return static_cast<Value>(k + 1); },
          [&](std::size_t at, Value value, std::size_t count) RIZOMA_INLINED {
            expect_next(at);
            values.insert(values.end(), count, value);
          },
          [&](std::size_t at, const Value* owners, std::size_t count) RIZOMA_INLINED {
            expect_next(at);
            values.insert(values.end(), owners, owners + count);
          });
    });
    EXPECT_LE(offsets[list], run.end - 1);
    EXPECT_GE(offsets[list + 1], run.end);
  }
  return values;
}

void expect_owners(const std::vector<std::uint32_t>& lengths) {
  std::vector<std::uint32_t> offsets{7};  // as in a part of a section
  std::vector<std::uint64_t> owners;
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    offsets.push_back(offsets.back() + lengths[k]);
    owners.insert(owners.end(), lengths[k], k + 1);
  }
  for (const std::size_t piece : {std::size_t{1} << 20, std::size_t{2048}, std::size_t{100}, std::size_t{1}}) {
    EXPECT_EQ(told<std::uint64_t>(offsets, piece), owners);
    const std::vector<std::uint32_t> narrow = told<std::uint32_t>(offsets, piece);
    EXPECT_EQ(std::vector<std::uint64_t>(narrow.begin(), narrow.end()), owners);
  }
}

TEST(EntryOwners, AreToldForListsOfAnyLength) {
  expect_owners({});
  expect_owners({0, 0, 0});
  expect_owners({1});
  expect_owners({2048});
  expect_owners({2047, 1, 0, 1});
  expect_owners({0, 2048, 0, 2049, 4096, 0});
  expect_owners({10000, 15, 16, 17, 0, 1, 6000});
  expect_owners({63, 64, 0, 65, 63, 1, 64});
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
