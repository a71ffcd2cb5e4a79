#include "engine/balance/lru_cache.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace rizoma {
namespace {

LruCache::List list_of(std::size_t size, std::uint32_t value) {
  return std::make_shared<const std::vector<std::uint32_t>>(size, value);
}

TEST(LruCache, HasWhatWasKept) {
  LruCache lists(1 << 20);
  EXPECT_EQ(lists.find(7), nullptr);
  lists.keep(7, list_of(3, 70));
  lists.keep(8, list_of(0, 0));
  ASSERT_NE(lists.find(7), nullptr);
  EXPECT_EQ(*lists.find(7), (std::vector<std::uint32_t>{70, 70, 70}));
  ASSERT_NE(lists.find(8), nullptr);
  EXPECT_TRUE(lists.find(8)->empty());
  EXPECT_GT(lists.bytes(), 12u);
}

TEST(LruCache, KeepsThoseThatAreUsedMostWithinItsBound) {
  constexpr std::uint64_t kMost = 100'000;
  LruCache lists(kMost);
  const auto often = list_of(100, 1);
  lists.keep(0, often);
  for (std::uint32_t degree_rank = 1; degree_rank < 5000; ++degree_rank) {
    for (int use = 0; use < 3; ++use) ASSERT_EQ(lists.find(0), often) << degree_rank;
    lists.keep(degree_rank, list_of(100, degree_rank));
    ASSERT_LE(lists.bytes(), kMost);
  }
  EXPECT_EQ(lists.find(1), nullptr);
  EXPECT_NE(lists.find(4999), nullptr);
}

TEST(LruCache, NothingIsKeptWithoutRoom) {
  LruCache lists(0);
  lists.keep(1, list_of(5, 9));
  EXPECT_EQ(lists.find(1), nullptr) << "the bound is 0";
  EXPECT_EQ(lists.bytes(), 0u);
}

TEST(LruCache, WhatGoesIsFreedOnceNobodyHoldsIt) {
  LruCache lists(10'000);
  lists.keep(0, list_of(5, 9));
  LruCache::List held = lists.find(0);
  ASSERT_NE(held, nullptr);
  const std::weak_ptr<const std::vector<std::uint32_t>> seen = held;
  for (std::uint32_t degree_rank = 1; degree_rank < 1000; ++degree_rank) {
    lists.keep(degree_rank, list_of(100, degree_rank));
    for (int use = 0; use < 3; ++use) static_cast<void>(lists.find(degree_rank));
  }
  ASSERT_EQ(lists.find(0), nullptr);
  EXPECT_EQ(*held, std::vector<std::uint32_t>(5, 9));
  held.reset();
  EXPECT_TRUE(seen.expired()) << "it takes memory that is not counted";
}

}  // namespace
}  // namespace rizoma
