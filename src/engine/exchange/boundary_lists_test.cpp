// The lists of vertices that ranks read of each other.
#include "engine/exchange/boundary_lists.h"

#include "base/check.h"
#include "base/random.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// About one vertex in `apart`, from a vertex on.
std::vector<VertexId> some_vertices(VertexId from, VertexId to, std::uint64_t apart) {
  Random random(from + to + apart);
  std::vector<VertexId> some;
  for (VertexId v = from; v < to; ++v) {
    if (random.below(apart) == 0) some.push_back(v);
  }
  return some;
}

VertexSequence sequence_of(const std::vector<VertexId>& vertices) {
  VertexSequence sequence;
  for (const VertexId v : vertices) sequence.add(v);
  sequence.end();
  return sequence;
}

std::vector<VertexId> members_of(const VertexSequence& sequence) {
  std::vector<VertexId> all;
  sequence.for_each([&](std::size_t place, VertexId v) {
    EXPECT_EQ(place, all.size());
    all.push_back(v);
  });
  return all;
}

TEST(VertexSequence, HasWhatWasAddedHoweverDenseItIs) {
  std::vector<std::vector<VertexId>> cases{{}, {0}, {63}, {64}, {0, 63, 64, 127}, {5, VertexId{1} << 40}};
  for (const std::uint64_t apart : {1U, 2U, 4U, 7U, 9U, 64U, 5000U}) {
    cases.push_back(some_vertices(0, 3000, apart));
    cases.push_back(some_vertices(VertexId{1} << 33, (VertexId{1} << 33) + 3001, apart));
    std::vector<VertexId> mixed = some_vertices(1, 2000, apart);
    for (const VertexId v : some_vertices(2000, 4000, 3)) mixed.push_back(v);
    for (const VertexId v : some_vertices(4000, 90000, 200)) mixed.push_back(v);
    cases.push_back(std::move(mixed));
  }
  for (const std::vector<VertexId>& vertices : cases) {
    const VertexSequence sequence = sequence_of(vertices);
    EXPECT_EQ(sequence.size(), vertices.size());
    EXPECT_EQ(members_of(sequence), vertices);
    const VertexSequence received({sequence.bytes().begin(), sequence.bytes().end()});
    EXPECT_EQ(received.size(), vertices.size());
    EXPECT_EQ(members_of(received), vertices);
    VertexSequence::Cursor cursor(received);
    for (std::size_t place = 0; place < vertices.size(); place += 1 + place % 3)
      ASSERT_EQ(cursor.at(place), vertices[place]);
  }
}

TEST(VertexSequence, OfManyVerticesTakesBits) {
  constexpr VertexId kVertices = 64 * 1000;
  EXPECT_LE(sequence_of(some_vertices(0, kVertices, 2)).bytes().size(), 9U * 1000);
  EXPECT_LE(sequence_of(some_vertices(0, kVertices, 30)).bytes().size(), kVertices / 30 * 6 / 5 * 2);
}

TEST(VertexSequence, ThatAnotherRankHasDamagedIsRefused) {
  const VertexSequence dense = sequence_of(some_vertices(0, 300, 2));
  std::vector<std::byte> cut(dense.bytes().begin(), dense.bytes().end() - 1);
  EXPECT_THROW(VertexSequence{std::move(cut)}, InternalError);
  EXPECT_THROW(VertexSequence{std::vector<std::byte>(2)}, InternalError) << "the same vertex twice";
  std::vector<std::byte> none(9);
  none[0] = std::byte{1};
  EXPECT_THROW(VertexSequence{std::move(none)}, InternalError) << "bits of no vertex";
}

}  // namespace
}  // namespace rizoma
