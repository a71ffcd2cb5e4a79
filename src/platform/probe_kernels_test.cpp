#include "platform/probe_kernels.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <vector>

namespace rizoma::probe {
namespace {

std::vector<std::uint64_t> lines(std::size_t n) { return std::vector<std::uint64_t>(n * kLineWords); }

TEST(ProbeKernels, ACycleVisitsEveryLineOnceAndReturns) {
  for (const std::size_t n : {1u, 2u, 3u, 7u, 64u, 1000u}) {
    std::vector<std::uint64_t> words = lines(n);
    link_cycle(words, 7);
    std::set<std::uint64_t> visited;
    std::uint64_t place = 0;
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_EQ(place % kLineWords, 0u);
      visited.insert(place);
      place = follow_cycle(words, place, 1);
    }
    EXPECT_EQ(visited.size(), n);
    EXPECT_EQ(place, 0u);
    EXPECT_EQ(follow_cycle(words, 0, 5 * n), 0u);
  }
}

TEST(ProbeKernels, ACycleDoesNotFollowTheAddresses) {
  std::vector<std::uint64_t> words = lines(4096);
  link_cycle(words, 3);
  std::size_t next_door = 0;
  std::uint64_t place = 0;
  for (int i = 0; i < 4096; ++i) {
    const std::uint64_t next = follow_cycle(words, place, 1);
    next_door += next == place + kLineWords ? 1 : 0;
    place = next;
  }
  EXPECT_LT(next_door, 16u);  // a random permutation has about one
}

TEST(ProbeKernels, SequentialReadSeesEveryWord) {
  std::vector<std::uint64_t> words(1001);
  std::iota(words.begin(), words.end(), 1);
  EXPECT_EQ(read_sequential(words), 1001u * 1002u / 2);
  write_sequential(words, 5);
  EXPECT_EQ(words.front(), 5u);
  EXPECT_EQ(words.back(), 1005u);
}

TEST(ProbeKernels, RandomAccessesSpreadOverAllLinesAndNoFurther) {
  constexpr std::size_t kLines = 256;
  std::vector<std::uint64_t> words(kLines * kLineWords + kLineWords, 0);
  const std::span<std::uint64_t> inner = std::span(words).first(kLines * kLineWords);
  write_random(inner, 20 * kLines, 11, 1);
  for (std::size_t line = 0; line < kLines; ++line) {
    const auto* first = words.data() + line * kLineWords;
    EXPECT_EQ(std::accumulate(first, first + kLineWords, std::uint64_t{0}), kLineWords) << line;
  }
  EXPECT_EQ(std::accumulate(words.end() - kLineWords, words.end(), std::uint64_t{0}), 0u);
  EXPECT_EQ(read_random(inner, 1000, 3), 1000u);
}

TEST(ProbeKernels, StreamKernelsCompute) {
  const std::vector<double> a{1, 2, 3};
  const std::vector<double> b{10, 20, 30};
  std::vector<double> out(3);
  stream_copy(a, out);
  EXPECT_EQ(out, a);
  stream_scale(a, out, 3);
  EXPECT_EQ(out, (std::vector<double>{3, 6, 9}));
  stream_add(a, b, out);
  EXPECT_EQ(out, (std::vector<double>{11, 22, 33}));
  stream_triad(a, b, out, 2);
  EXPECT_EQ(out, (std::vector<double>{21, 42, 63}));
}

}  // namespace
}  // namespace rizoma::probe
