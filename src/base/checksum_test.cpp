#include "base/checksum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <random>
#include <span>
#include <vector>

namespace rizoma {
namespace {

TEST(Checksum, IsTheSameOfBytesThatComePieceByPiece) {
  std::mt19937_64 random(11);
  for (const std::size_t size : {0UL, 1UL, 16UL, 240UL, 241UL, 1024UL, 20000UL}) {
    std::vector<std::byte> bytes(size);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    for (const std::size_t most : {1UL, 64UL, 3000UL, 30000UL}) {
      RunningChecksum running(7);
      for (std::span<const std::byte> left = bytes; !left.empty();) {
        const std::size_t count = std::min<std::size_t>(left.size(), random() % (most + 1));
        running.add(left.first(count));
        left = left.subspan(count);
      }
      EXPECT_EQ(running.value(), checksum(bytes, 7)) << size << " bytes, pieces of up to " << most;
    }
  }
}

TEST(Checksum, DoesNotDependOnWhatWasInItsPlace) {
  const std::vector<std::byte> bytes(5000, std::byte{3});
  alignas(RunningChecksum) std::array<std::byte, sizeof(RunningChecksum)> place;
  auto* running = new (place.data()) RunningChecksum(7);
  const std::array<std::byte, sizeof(RunningChecksum)> before = place;
  for (std::size_t line = 0; line < place.size(); line += 64) {
    place = before;
    std::fill_n(place.begin() + static_cast<std::ptrdiff_t>(line), 64, std::byte{0xa5});
    running = new (place.data()) RunningChecksum(7);
    running->add(bytes);
    EXPECT_EQ(running->value(), checksum(bytes, 7)) << "byte " << line;
  }
}

}  // namespace
}  // namespace rizoma
