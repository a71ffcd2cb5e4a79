// What is asked of the bytes of a section before they are read.
#include "store/sections/image.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr unsigned kBits = 3;
constexpr SectionId kSection = 2;
constexpr VertexId kFirst = kSection << kBits;
constexpr VertexId kBound = 70;

using Lists = std::vector<std::vector<VertexId>>;

std::uint64_t self_loops_of(const Lists& lists) {
  std::uint64_t loops = 0;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    loops += static_cast<std::uint64_t>(std::count(lists[i].begin(), lists[i].end(), kFirst + i));
  }
  return loops;
}

/// List by list, as the format says it.
bool whole(const Lists& lists, std::uint64_t self_loops, ParallelEdges parallel) {
  for (const std::vector<VertexId>& list : lists) {
    if (!std::is_sorted(list.begin(), list.end())) return false;
    const bool twice = std::adjacent_find(list.begin(), list.end()) != list.end();
    if (twice && parallel == ParallelEdges::merge) return false;
    if (!list.empty() && list.back() >= kBound) return false;
  }
  return self_loops == self_loops_of(lists);
}

struct SealedImage {
  ImageSpec spec;
  std::vector<std::byte> bytes;
};

template <class Target>
SealedImage sealed(const Lists& lists, std::uint64_t self_loops, VertexId bound = kBound) {
  ImageSpec spec;
  spec.section = kSection;
  spec.target_bytes = sizeof(Target);
  spec.num_vertices = static_cast<std::uint32_t>(lists.size());
  spec.num_self_loops = self_loops;
  spec.target_bound = bound;
  std::vector<std::uint32_t> offsets{0};
  std::vector<Target> targets;
  for (const std::vector<VertexId>& list : lists) {
    for (const VertexId target : list) targets.push_back(static_cast<Target>(target));
    offsets.push_back(static_cast<std::uint32_t>(targets.size()));
  }
  spec.num_entries = targets.size();
  const ImageLayout layout = image_layout(spec);
  std::vector<std::byte> image(layout.bytes);
  std::memcpy(image.data() + layout.offsets, offsets.data(), offsets.size() * sizeof(std::uint32_t));
  if (!targets.empty()) std::memcpy(image.data() + layout.targets, targets.data(), targets.size() * sizeof(Target));
  seal_image(spec, image);
  return {spec, std::move(image)};
}

template <class Target>
bool verified(const Lists& lists, std::uint64_t self_loops, ParallelEdges parallel) {
  return verify_image(sealed<Target>(lists, self_loops).bytes, kBits, "image", parallel).ok();
}

/// Sorted lists, short, long and very long ones, to which up to two wrong targets come.
Lists some_lists(std::mt19937_64& random) {
  Lists lists(1 + random() % 8);
  for (std::vector<VertexId>& list : lists) {
    const VertexId share = std::vector<VertexId>{0, 2, 10, 90}[random() % 4];
    const std::size_t times = random() % 32 == 0 ? 12 : 1;  // parallel edges, which make a list very long
    for (VertexId v = 0; v < kBound; ++v) {
      if (random() % 100 < share) list.insert(list.end(), times, v);
    }
  }
  for (std::uint64_t wrong = random() % 3; wrong > 0; --wrong) {
    std::vector<VertexId>& list = lists[random() % lists.size()];
    if (!list.empty()) list[random() % list.size()] = random() % (kBound + 2);
  }
  return lists;
}

TEST(Image, OnlySortedListsOfVerticesThatThereAreAreTaken) {
  std::mt19937_64 random(7);
  int taken = 0;
  constexpr int kTrials = 4000;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Lists lists = some_lists(random);
    std::uint64_t entries = 0;
    for (const std::vector<VertexId>& list : lists) entries += list.size();
    const std::uint64_t loops = std::min(entries, self_loops_of(lists) + (random() % 8 == 0 ? 1 : 0));
    for (const ParallelEdges parallel : {ParallelEdges::merge, ParallelEdges::keep}) {
      const bool expected = whole(lists, loops, parallel);
      EXPECT_EQ(verified<std::uint32_t>(lists, loops, parallel), expected) << "trial " << trial;
      EXPECT_EQ(verified<std::uint64_t>(lists, loops, parallel), expected) << "trial " << trial;
      taken += expected ? 1 : 0;
    }
  }
  EXPECT_GT(taken, kTrials / 4);
  EXPECT_LT(taken, 2 * kTrials - kTrials / 4);
}

/// Lists of a few thousand entries, which are looked at in several pieces.
Lists long_lists() {
  Lists lists(8);
  std::mt19937_64 random(3);
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const std::uint64_t step = i % 3 == 0 ? 2 : 40;
    for (VertexId v = random() % step; v < 20000; v += 1 + random() % step) lists[i].push_back(v);
  }
  return lists;
}

template <class Target>
bool long_verified(const Lists& lists) {
  return verify_image(sealed<Target>(lists, self_loops_of(lists), 20001).bytes, kBits, "image", ParallelEdges::merge)
      .ok();
}

TEST(Image, EachEntryOfALongOneIsLookedAt) {
  const Lists whole_lists = long_lists();
  ASSERT_TRUE(long_verified<std::uint32_t>(whole_lists));
  ASSERT_TRUE(long_verified<std::uint64_t>(whole_lists));
  std::size_t entry = 0;
  for (std::size_t i = 0; i < whole_lists.size(); ++i) {
    for (std::size_t k = 0; k < whole_lists[i].size(); ++k, ++entry) {
      const bool at_piece = entry % 1024 <= 1 || entry % 1024 == 1023;
      if (!at_piece && entry % 997 != 0 && k > 1) continue;
      Lists lists = whole_lists;
      lists[i][k] = 20001;
      EXPECT_FALSE(long_verified<std::uint32_t>(lists)) << "entry " << entry;
      if (k == 0) continue;
      lists[i][k] = lists[i][k - 1];
      EXPECT_FALSE(long_verified<std::uint32_t>(lists)) << "entry " << entry;
      EXPECT_FALSE(long_verified<std::uint64_t>(lists)) << "entry " << entry;
    }
  }
}

TEST(Image, SelfLoopsOfALongOneAreCounted) {
  const Lists lists = long_lists();
  const std::uint64_t loops = self_loops_of(lists);
  for (const std::uint64_t said : {loops, loops + 1, loops - 1}) {
    const auto spec = verify_image(sealed<std::uint32_t>(lists, said, 20001).bytes, kBits, "image");
    EXPECT_EQ(spec.ok(), said == loops) << said;
  }
}

/// Notes which entries it is given.
class NotingReader final : public EntryReader {
 public:
  void read(const ImageSpec& spec, std::span<const std::byte> image, std::size_t begin, std::size_t end) override {
    EXPECT_EQ(begin, end_);
    EXPECT_LT(begin, end);
    const auto edges = view_image<std::uint32_t>(spec, image);
    EXPECT_EQ(edges.offsets[spec.num_vertices], spec.num_entries);
    end_ = end;
  }
  [[nodiscard]] std::size_t end() const noexcept { return end_; }

 private:
  std::size_t end_ = 0;
};

TEST(Image, AReaderIsGivenAllEntriesInOrder) {
  const Lists lists = long_lists();
  SealedImage image = sealed<std::uint32_t>(lists, self_loops_of(lists), 20001);
  NotingReader reader;
  ASSERT_TRUE(verify_image(image.bytes, kBits, "image", ParallelEdges::merge, &reader));
  EXPECT_EQ(reader.end(), image.spec.num_entries);
}

TEST(Image, AReaderIsGivenNothingWhereListsLieOutside) {
  const Lists lists = long_lists();
  SealedImage image = sealed<std::uint32_t>(lists, self_loops_of(lists), 20001);
  const std::uint32_t outside = 1U << 30;
  std::memcpy(image.bytes.data() + image_layout(image.spec).offsets + 4, &outside, sizeof outside);
  NotingReader reader;
  EXPECT_FALSE(verify_image(image.bytes, kBits, "image", ParallelEdges::merge, &reader));
  EXPECT_EQ(reader.end(), 0U);
}

}  // namespace
}  // namespace rizoma
