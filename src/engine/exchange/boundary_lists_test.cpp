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
  for (std::size_t piece = 0; piece < sequence.pieces(); ++piece) {
    const std::size_t before = all.size();
    sequence.for_each_in(piece, [&](std::size_t place, VertexId v) {
      EXPECT_EQ(before + place, all.size());
      all.push_back(v);
    });
    EXPECT_EQ(all.size() - before, sequence.size_of(piece));
    EXPECT_LE(sequence.size_of(piece), VertexSequence::kMost);
  }
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
    const VertexSequence received(sequence.message());
    EXPECT_EQ(received.size(), vertices.size());
    EXPECT_EQ(received.pieces(), sequence.pieces());
    EXPECT_EQ(members_of(received), vertices);
  }
}

TEST(VertexSequence, OfPartsIsAsOfAllWithTheirPieces) {
  const std::vector<VertexId> first = some_vertices(0, 64 * 1000, 5);
  const std::vector<VertexId> second = some_vertices(64 * 1000, 64 * 1001, 3);
  VertexSequence both;
  for (const auto& part : {first, second}) both.append(sequence_of(part));
  both.end();
  std::vector<VertexId> all = first;
  all.insert(all.end(), second.begin(), second.end());
  EXPECT_EQ(both.size(), all.size());
  EXPECT_GT(both.pieces(), 3U);
  EXPECT_EQ(members_of(both), all);
  EXPECT_EQ(members_of(VertexSequence(both.message())), all);
}

TEST(VertexSequence, OfManyVerticesTakesBits) {
  constexpr VertexId kVertices = 64 * 1000;
  EXPECT_LE(sequence_of(some_vertices(0, kVertices, 2)).message().size(), 9U * 1000 + 50);
  EXPECT_LE(sequence_of(some_vertices(0, kVertices, 30)).message().size(), kVertices / 30 * 6 / 5 * 2);
}

TEST(VertexSequence, ThatAnotherRankHasDamagedIsRefused) {
  const VertexSequence dense = sequence_of(some_vertices(0, 300, 2));
  const std::vector<std::byte> whole = dense.message();
  EXPECT_THROW(VertexSequence{std::span(whole).first(whole.size() - 1)}, InternalError);
  const auto piece = [](std::size_t size, std::byte first) {
    std::vector<std::byte> message(4 + size);
    message[0] = static_cast<std::byte>(size);
    message[4] = first;
    return message;
  };
  EXPECT_THROW(VertexSequence{piece(2, std::byte{0})}, InternalError) << "the same vertex twice";
  EXPECT_THROW(VertexSequence{piece(9, std::byte{1})}, InternalError) << "bits of no vertex";
  EXPECT_THROW(VertexSequence{std::vector<std::byte>(4)}, InternalError) << "a piece without members";
  EXPECT_THROW(VertexSequence{std::vector<std::byte>(3)}, InternalError) << "half a length";
}

}  // namespace
}  // namespace rizoma
