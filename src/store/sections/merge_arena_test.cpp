#include "store/sections/merge_arena.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace rizoma {
namespace {

using Take = std::shared_ptr<std::byte> (MergeArena::*)(std::size_t);

void expect_places_of_their_own(Take take) {
  constexpr std::size_t kSizes[] = {1,         64,        65,        5000, 40'000,    70'000, 1,
                                    3'000'000, 4'000'000, 5'000'000, 100,  9'000'000, 64};
  std::vector<std::shared_ptr<std::byte>> places;
  {
    MergeArena memory;
    for (const std::size_t size : kSizes) {
      places.push_back((memory.*take)(size));
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(places.back().get()) % 64, 0u);
      EXPECT_TRUE(
          std::all_of(places.back().get(), places.back().get() + size, [](std::byte b) { return b == std::byte{}; }))
          << "of place " << places.size();
      std::memset(places.back().get(), static_cast<int>(places.size()), size);
    }
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto mine = static_cast<std::byte>(i + 1);
    EXPECT_TRUE(std::all_of(places[i].get(), places[i].get() + kSizes[i], [&](std::byte b) { return b == mine; }))
        << "place " << i << " was written by another";
    places[i].reset();
  }
}

TEST(MergeArena, GivesPlacesOfTheirOwnThatOutliveIt) { expect_places_of_their_own(&MergeArena::take); }

TEST(MergeArena, ReservesPlacesOfTheirOwnThatOutliveIt) { expect_places_of_their_own(&MergeArena::reserve); }

}  // namespace
}  // namespace rizoma
