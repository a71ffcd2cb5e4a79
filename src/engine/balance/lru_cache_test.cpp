#include "engine/balance/lru_cache.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace rizoma {
namespace {

ListsByUse::List list_of(std::size_t size, std::uint32_t value) {
  return std::make_shared<const std::vector<std::uint32_t>>(size, value);
}

TEST(ListsByUse, HasWhatWasKept) {
  ListsByUse lists(1 << 20);
  EXPECT_EQ(lists.find(7), nullptr);
  lists.keep(7, list_of(3, 70));
  lists.keep(8, list_of(0, 0));
  ASSERT_NE(lists.find(7), nullptr);
  EXPECT_EQ(*lists.find(7), (std::vector<std::uint32_t>{70, 70, 70}));
  ASSERT_NE(lists.find(8), nullptr);
  EXPECT_TRUE(lists.find(8)->empty());
  EXPECT_GT(lists.bytes(), 12u);
}

TEST(ListsByUse, KeepsThoseThatAreUsedMostWithinItsBound) {
  constexpr std::uint64_t kMost = 100'000;
  ListsByUse lists(kMost);
  const auto often = list_of(100, 1);
  lists.keep(0, often);
  for (std::uint32_t rank = 1; rank < 5000; ++rank) {
    for (int use = 0; use < 3; ++use) ASSERT_EQ(lists.find(0), often) << rank;
    lists.keep(rank, list_of(100, rank));
    ASSERT_LE(lists.bytes(), kMost);
  }
  EXPECT_EQ(lists.find(1), nullptr);
  EXPECT_NE(lists.find(4999), nullptr);
}

TEST(ListsByUse, NothingIsKeptWithoutRoom) {
  ListsByUse lists(0);
  lists.keep(1, list_of(5, 9));
  EXPECT_EQ(lists.find(1), nullptr) << "the bound is 0";
  EXPECT_EQ(lists.bytes(), 0u);
}

TEST(ListsByUse, WhatGoesIsFreedOnceNobodyHoldsIt) {
  ListsByUse lists(10'000);
  lists.keep(0, list_of(5, 9));
  ListsByUse::List held = lists.find(0);
  ASSERT_NE(held, nullptr);
  const std::weak_ptr<const std::vector<std::uint32_t>> seen = held;
  for (std::uint32_t rank = 1; rank < 1000; ++rank) {
    lists.keep(rank, list_of(100, rank));
    for (int use = 0; use < 3; ++use) static_cast<void>(lists.find(rank));
  }
  ASSERT_EQ(lists.find(0), nullptr);
  EXPECT_EQ(*held, std::vector<std::uint32_t>(5, 9));
  held.reset();
  EXPECT_TRUE(seen.expired()) << "it takes memory that is not counted";
}

}  // namespace
}  // namespace rizoma
