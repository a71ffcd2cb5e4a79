// Memory that is kept between calls: what is taken is zero, and what is kept is bounded.
#include "engine/state/page_pool.h"

#include "testing/resident_pages.h"

#include <gtest/gtest.h>
#include <rizoma/vertex_map.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using Bytes = VertexMap<unsigned char>;

Bytes take(PagePool& pool, std::size_t bytes) { return {pool.take(bytes), bytes}; }

bool all_zero(const Bytes& bytes) {
  return std::all_of(bytes.span().begin(), bytes.span().end(), [](unsigned char byte) { return byte == 0; });
}

TEST(PagePool, WhatWasUsedComesBackAsZeros) {
  const auto pool = std::make_shared<PagePool>();
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{4096 - 16}, std::size_t{4096}, std::size_t{3} << 20}) {
    const void* first = nullptr;
    {
      Bytes used = take(*pool, bytes);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(used.data()) % 64, 0U);
      EXPECT_TRUE(all_zero(used));
      std::memset(used.data(), 0xab, bytes);
      first = used.data();
    }
    EXPECT_GE(pool->kept_bytes(), bytes);
    const Bytes again = take(*pool, bytes);
    EXPECT_EQ(again.data(), first);
    EXPECT_TRUE(all_zero(again));
    const Bytes another = take(*pool, bytes);  // none is left
    EXPECT_NE(another.data(), first);
  }
}

TEST(PagePool, MapsOfOneCallBeginAtDifferentPlacesOfAPage) {
  const auto pool = std::make_shared<PagePool>();
  for (const std::size_t bytes : {std::size_t{100}, std::size_t{1} << 20, PagePool::kGreatestBlock + 1}) {
    for (int call = 0; call < 3; ++call) {
      std::vector<Bytes> maps;
      std::set<std::uintptr_t> places;
      for (int i = 0; i < 8; ++i) {
        maps.push_back(take(*pool, bytes));
        EXPECT_TRUE(all_zero(maps.back()));
        std::memset(maps.back().data(), 0xcd, bytes);
        places.insert(reinterpret_cast<std::uintptr_t>(maps.back().data()) % 4096);
      }
      EXPECT_EQ(places.size(), maps.size()) << bytes;
    }
  }
}

TEST(PagePool, MapsInPartsAreZerosWhereverTheyWereWritten) {
  const auto pool = std::make_shared<PagePool>();
  for (const std::size_t bytes : {std::size_t{100}, std::size_t{3} << 20, PagePool::kGreatestBlock + 4096}) {
    for (int call = 0; call < 3; ++call) {
      const Bytes taken{pool->take_in_parts(bytes), bytes};
      EXPECT_LE(testing::resident_pages(taken.data(), bytes), 2U) << bytes;  // the first and the last may have others
      EXPECT_TRUE(all_zero(taken)) << bytes;
      Bytes used{pool->take_in_parts(bytes), bytes};
      std::memset(used.data(), 0xab, bytes);
      Bytes whole = take(*pool, bytes);  // of another kind
      EXPECT_TRUE(all_zero(whole));
      std::memset(whole.data(), 0xcd, bytes);
    }
  }
}

TEST(PagePool, MapsInPartsTakeNoMemoryOnceTheyAreReleased) {
  const auto pool = std::make_shared<PagePool>();
  constexpr std::size_t kBytes = std::size_t{3} << 20;
  const void* first = nullptr;
  {
    Bytes used{pool->take_in_parts(kBytes), kBytes};
    std::memset(used.data(), 0xab, kBytes);
    EXPECT_GE(testing::resident_pages(used.data(), kBytes), kBytes / 4096);
    first = used.data();
  }
  EXPECT_LE(testing::resident_pages(first, kBytes), 2U);
}

TEST(PagePool, NothingOfNoSize) {
  const auto pool = std::make_shared<PagePool>();
  EXPECT_EQ(pool->take(0).data, nullptr);
  EXPECT_EQ(pool->kept_bytes(), 0U);
}

TEST(PagePool, KeepsNoMoreThanItMay) {
  const auto pool = std::make_shared<PagePool>();
  {
    const Bytes great = take(*pool, PagePool::kGreatestBlock + 1);
  }
  EXPECT_EQ(pool->kept_bytes(), 0U);
  {
    std::vector<Bytes> many;
    for (int i = 0; i < 12; ++i) many.push_back(take(*pool, std::size_t{8} << 20));
  }
  EXPECT_GT(pool->kept_bytes(), 0U);
  EXPECT_LE(pool->kept_bytes(), PagePool::kMostBytes);
}

TEST(PagePool, WhatItGaveOutlivesIt) {
  auto pool = std::make_shared<PagePool>();
  Bytes kept = take(*pool, 1 << 16);
  pool.reset();
  std::memset(kept.data(), 1, kept.size());
  EXPECT_EQ(kept[kept.size() - 1], 1);
}

}  // namespace
}  // namespace rizoma
