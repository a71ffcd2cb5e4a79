// However many changes are merged at a time, the section is the same.
#include "store/sections/merge.h"

#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace rizoma {
namespace {

constexpr std::uint32_t kVertices = 300;
constexpr VertexId kTargets = 50'000;

struct Changes {
  std::vector<std::uint64_t> words;
  std::vector<double> weights;
};

/// Most edges are added, to few targets, so that many pairs come several times; some are removed or get a weight.
Changes random_changes(std::size_t count, WeightType weights, std::uint64_t seed) {
  Random random(seed);
  Changes changes;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t draw = random.below(20);
    const ChangeKind kind = draw < 16                                   ? ChangeKind::add
                            : draw < 18                                 ? ChangeKind::remove
                            : draw == 19 && weights != WeightType::none ? ChangeKind::set_weight
                                                                        : ChangeKind::remove_one;
    const std::uint64_t place = std::min(random.below(kVertices), random.below(kVertices));
    changes.words.push_back(
        change_word(kind, place, random.below(2) == 0 ? random.below(200) : random.below(kTargets)));
    if (weights != WeightType::none) changes.weights.push_back(static_cast<double>(random.below(5)));
  }
  return changes;
}

MergeInput input_of(WeightType weights, ParallelEdges parallel) {
  MergeInput input;
  input.section_bits = 10;
  input.parallel_edges = parallel;
  input.shape.num_vertices = kVertices;
  input.shape.target_bytes = 4;
  input.shape.weights = weights;
  input.shape.target_bound = kTargets;
  return input;
}

/// What a section holds: its bytes have gaps, too.
struct Lists {
  std::vector<std::uint32_t> offsets;
  std::vector<VertexId> targets;
  std::vector<double> weights;
  EdgeCount self_loops = 0;
  bool operator==(const Lists&) const = default;
};

template <class W>
void copy_weights(const void* of_image, std::size_t count, Lists& lists) {
  const auto* const weights = static_cast<const W*>(of_image);
  lists.weights.assign(weights, weights + count);
}

template <class Target>
Lists lists_in(const MergedImage& image) {
  const auto edges = view_image<Target>(image.spec, image.span());
  const auto count = static_cast<std::size_t>(image.spec.num_entries);
  Lists lists{{edges.offsets, edges.offsets + kVertices + 1}, {edges.targets, edges.targets + count}, {}, 0};
  lists.self_loops = image.spec.num_self_loops;
  if (image.spec.weights == WeightType::int32) copy_weights<std::int32_t>(edges.weights, count, lists);
  if (image.spec.weights == WeightType::float32) copy_weights<float>(edges.weights, count, lists);
  if (image.spec.weights == WeightType::float64) copy_weights<double>(edges.weights, count, lists);
  return lists;
}

Lists lists_of(const MergedImage& image) {
  return image.spec.target_bytes == 4 ? lists_in<std::uint32_t>(image) : lists_in<std::uint64_t>(image);
}

/// The section after all changes, `at_a_time` of them merged at a time; from change `narrow` on its targets are wide.
Lists merged(MergeInput input, const Changes& changes, std::size_t at_a_time, std::size_t narrow = SIZE_MAX) {
  MergeArena memory;
  MergedImage image;
  for (std::size_t begin = 0; begin < changes.words.size(); begin += at_a_time) {
    const std::size_t count = std::min(at_a_time, changes.words.size() - begin);
    const double* const weights = changes.weights.empty() ? nullptr : changes.weights.data() + begin;
    const ChangeRun run{std::span(changes.words).subspan(begin, count), weights};
    input.changes = {&run, 1};
    if (begin >= narrow) input.shape.target_bytes = 8;
    auto next = merge_section(input, memory);
    EXPECT_TRUE(next) << next.error().message;
    image = *std::move(next);
    input.image_spec = image.spec;
    input.image = image.span();
  }
  return lists_of(image);
}

TEST(Merge, OfManyChangesGivesWhatThoseOfFewGiveOneAfterTheOther) {
  for (const WeightType weights : {WeightType::none, WeightType::int32, WeightType::float32, WeightType::float64}) {
    for (const ParallelEdges parallel : {ParallelEdges::merge, ParallelEdges::keep}) {
      SCOPED_TRACE(testing::Message() << "weights " << static_cast<int>(weights) << ", parallel "
                                      << static_cast<int>(parallel));
      const Changes changes = random_changes(40'000, weights, 7);
      const MergeInput input = input_of(weights, parallel);
      const Lists by_few = merged(input, changes, 500);
      EXPECT_GT(by_few.targets.size(), 1000U);
      EXPECT_TRUE(merged(input, changes, changes.words.size()) == by_few);
      EXPECT_TRUE(merged(input, changes, 10'000) == by_few);
      EXPECT_TRUE(merged(input, changes, 10'000, 20'000) == by_few);
    }
  }
}

}  // namespace
}  // namespace rizoma
