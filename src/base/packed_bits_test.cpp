// PackedBits: numbers of every width come back, packed apart or where they lay.
#include "base/packed_bits.h"

#include "base/random.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

namespace rizoma {
namespace {

TEST(PackedBits, NumbersOfEveryWidthComeBack) {
  Random random(5);
  for (unsigned width = 1; width <= kMostPackedBits; ++width) {
    for (const std::size_t count :
         {std::size_t{0}, std::size_t{1}, std::size_t{8}, std::size_t{64}, random.below(300)}) {
      std::vector<std::uint64_t> numbers(count);
      for (std::uint64_t& number : numbers) number = random.below(UINT64_MAX) >> (64 - width);
      const std::uint64_t bytes = packed_bytes(count, width);
      const auto packed = std::make_unique<std::byte[]>(bytes);  // so that a sanitizer sees what lies beyond
      pack(count, width, packed.get(), [&](std::uint64_t i) { return numbers[i]; });
      const PackedBits bits(packed.get(), width);
      for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(bits[i], numbers[i]) << width << " bits, number " << i;
    }
  }
}

TEST(PackedBits, NumbersArePackedWhereTheyLie) {
  Random random(6);
  for (unsigned width = 1; width <= kMostPackedBits; ++width) {
    std::vector<std::uint64_t> numbers(100 + 1);
    for (std::uint64_t& number : numbers) number = random.below(UINT64_MAX) >> (64 - width);
    const std::vector<std::uint64_t> before = numbers;
    auto* const bytes = reinterpret_cast<std::byte*>(numbers.data());
    pack(100, width, bytes, [&](std::uint64_t i) {
      std::uint64_t number;
      std::memcpy(&number, bytes + i * sizeof number, sizeof number);
      return number;
    });
    for (std::size_t i = 0; i < 100; ++i) ASSERT_EQ(PackedBits(bytes, width)[i], before[i]) << width;
  }
}

TEST(PackedBits, TooWideNumbersAreNotPacked) {
  std::vector<std::byte> room(64);
  const auto put = [&](unsigned width, std::uint64_t number) {
    pack(1, width, room.data(), [=](std::uint64_t) { return number; });
  };
  EXPECT_NO_THROW(put(3, 7));
  EXPECT_THROW(put(3, 8), InternalError);
  EXPECT_THROW(put(0, 0), InternalError);
  EXPECT_THROW(put(kMostPackedBits + 1, 0), InternalError);
}

TEST(PackedBits, BitsForANumber) {
  EXPECT_EQ(bits_for(0), 1u);
  EXPECT_EQ(bits_for(1), 1u);
  EXPECT_EQ(bits_for(2), 2u);
  EXPECT_EQ(bits_for(255), 8u);
  EXPECT_EQ(bits_for(256), 9u);
  EXPECT_EQ(bits_for(UINT64_MAX), 64u);
}

}  // namespace
}  // namespace rizoma
