// Messages that all threads make and apply in pieces.
#include "engine/exchange/pieces.h"

#include "base/check.h"

#include <rizoma/engine.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <vector>

namespace rizoma {
namespace {

/// Piece i has i % 5000 times its number; some are empty.
std::vector<std::byte> packed(unsigned threads, std::size_t count, std::size_t room = 0) {
  Engine engine({.threads = threads});
  auto message = pack_pieces(engine, count, room, 1, [](std::size_t i, WireWriter& writer) {
    for (std::size_t k = 0; k < i % 50; ++k) writer.put_varint(i);
  });
  EXPECT_TRUE(message);
  return *message;
}

TEST(Pieces, AreTheSameMessageWhateverTheThreads) {
  for (const std::size_t count : {0U, 1U, 2U, 3U, 7U, 16U, 1000U}) {
    const std::vector<std::byte> one = packed(1, count);
    for (const unsigned threads : {2U, 3U, 5U}) EXPECT_EQ(packed(threads, count), one);
    EXPECT_EQ(packed(3, count, 100'000), one);
  }
  EXPECT_TRUE(packed(2, 1).empty()) << "all pieces are";
}

TEST(Pieces, EachIsUnpackedOnce) {
  for (const unsigned threads : {1U, 3U}) {
    Engine engine({.threads = threads});
    std::vector<std::atomic<int>> seen(1000);
    ASSERT_TRUE(unpack_pieces(engine, packed(2, 1000), [&](std::size_t i, std::span<const std::byte> piece, unsigned) {
      ++seen[i];
      WireReader reader(piece);
      std::size_t numbers = 0;
      for (; !reader.empty(); ++numbers) ASSERT_EQ(reader.get_varint(), i);
      ASSERT_EQ(numbers, i % 50);
    }));
    for (const auto& times : seen) EXPECT_EQ(times, 1);
  }
}

TEST(Pieces, OfADamagedMessageAreRefused) {
  const std::vector<std::byte> message = packed(1, 10);
  for (std::size_t size = 1; size < message.size(); ++size) {
    const auto cut = std::span(message).first(size);
    try {
      std::size_t bytes = 0;
      for (const auto piece : pieces_of(cut)) bytes += sizeof(PieceLength) + piece.size();
      EXPECT_EQ(bytes, size) << "it ends with a piece";
    } catch (const InternalError&) {
      continue;
    }
  }
}

}  // namespace
}  // namespace rizoma
