// The two slots of a superblock: the newest whole one counts, whatever became of the other one.
#include "store/manifest/superblock.h"

#include "testing/filtered_medium.h"
#include "testing/heap_medium.h"
#include "testing/store_seal.h"
#include "testing/unreadable_medium.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {
namespace {

format::Superblock block_of(std::uint64_t generation) {
  format::Superblock block;
  block.store = {5, 6};
  block.generation = generation;
  block.manifest_number = 10 * generation;
  return block;
}

/// Writes one slot under a right checksum, whatever it says.
void put(Medium& medium, std::size_t index, const format::Superblock& block) {
  std::vector<std::byte> bytes(sizeof block);
  std::memcpy(bytes.data(), &block, sizeof block);
  seal<format::Superblock>(bytes, 0, format::kSeedSuperblock, [](format::Superblock&) {});
  const auto file = *medium.open(kSuperblockName, FileMode::write);
  ASSERT_TRUE(file->write(index * format::kPage, bytes));
}

std::shared_ptr<Medium> medium_of(std::uint64_t first, std::uint64_t second) {
  const std::shared_ptr<Medium> medium = make_heap_medium();
  EXPECT_TRUE(create_superblock(*medium, block_of(1)));
  put(*medium, 0, block_of(first));
  put(*medium, 1, block_of(second));
  return medium;
}

/// The generation that counts; 0 if the read failed in this way.
std::uint64_t newest(Medium& medium, ErrorCode code = ErrorCode::corrupt, std::string_view says = "") {
  const auto found = read_superblock(medium);
  if (found) return found->newest()->generation;
  EXPECT_EQ(found.error().code, code) << found.error().message;
  EXPECT_NE(found.error().message.find(says), std::string::npos) << found.error().message;
  return 0;
}

void damage(Medium& medium, std::size_t index, std::uint64_t at) {
  const auto file = *medium.open(kSuperblockName, FileMode::write);
  std::byte byte{};
  ASSERT_TRUE(file->read(index * format::kPage + at, std::span(&byte, 1)));
  byte ^= std::byte{1};
  ASSERT_TRUE(file->write(index * format::kPage + at, std::span(&byte, 1)));
}

TEST(Superblock, TheNewestWholeSlotCounts) {
  const auto created = make_heap_medium();
  ASSERT_TRUE(create_superblock(*created, block_of(3)));
  EXPECT_EQ(newest(*created), 3U);
  EXPECT_TRUE(read_superblock(*created)->agree());
  EXPECT_FALSE(*created->exists(kNewSuperblockName));
  EXPECT_EQ(newest(*medium_of(4, 5)), 5U);
  EXPECT_EQ(newest(*medium_of(5, 4)), 5U);
  EXPECT_FALSE(read_superblock(*medium_of(5, 4))->agree());
  EXPECT_EQ(read_superblock(*medium_of(5, 5))->newest_index(), 0U);
  for (const std::size_t index : {0U, 1U}) {
    const auto medium = medium_of(4, 5);
    damage(*medium, index, 30);
    EXPECT_EQ(newest(*medium), index == 0 ? 5U : 4U);
    EXPECT_FALSE(read_superblock(*medium)->agree());
    damage(*medium, 1 - index, 30);
    EXPECT_EQ(newest(*medium, ErrorCode::corrupt, "is damaged in both of its copies"), 0U);
  }
}

TEST(Superblock, OfNoStoreIsToldFromADamagedOne) {
  const auto medium = medium_of(4, 5);
  damage(*medium, 0, 0);  // of the magic number
  EXPECT_EQ(newest(*medium), 5U);
  damage(*medium, 1, 0);
  EXPECT_EQ(newest(*medium, ErrorCode::corrupt, "is not the superblock of a Rizoma store"), 0U);
  const auto cut = medium_of(4, 5);
  const auto file = *cut->open(kSuperblockName, FileMode::write);
  ASSERT_TRUE(file->resize(format::kPage + sizeof(format::Superblock) - 1));
  EXPECT_EQ(newest(*cut), 4U) << "the second slot is cut off";
  ASSERT_TRUE(file->resize(sizeof(format::Superblock)));
  EXPECT_EQ(newest(*cut), 4U);
  ASSERT_TRUE(file->resize(sizeof(format::Superblock) - 1));
  EXPECT_EQ(newest(*cut, ErrorCode::corrupt, "is not the superblock"), 0U);
}

TEST(Superblock, NumbersThatNoStoreReachesDoNotCount) {
  const auto medium = medium_of(4, 5);
  format::Superblock block = block_of(format::kMostNumberFound - 1);
  block.manifest_number = format::kMostNumberFound - 1;
  put(*medium, 1, block);
  EXPECT_EQ(newest(*medium), format::kMostNumberFound - 1);
  block.generation = format::kMostNumberFound;
  put(*medium, 1, block);
  EXPECT_EQ(newest(*medium), 4U);
  block = block_of(5);
  block.manifest_number = format::kMostNumberFound;
  put(*medium, 1, block);
  EXPECT_EQ(newest(*medium), 4U);
  block = block_of(6);
  block.version = format::kFormat + 1;
  put(*medium, 1, block);
  EXPECT_EQ(newest(*medium, ErrorCode::unsupported), 0U) << "of a later release";
}

TEST(Superblock, ASlotThatCannotBeReadIsMissing) {
  const auto reading = [](std::vector<UnreadableRange> ranges) {
    return make_unreadable_medium(medium_of(4, 5), std::move(ranges));
  };
  const UnreadableRange first{kSuperblockName, 0, format::kPage};
  const UnreadableRange second{kSuperblockName, format::kPage, 2 * format::kPage};
  EXPECT_EQ(newest(*reading({first})), 5U);
  EXPECT_EQ(newest(*reading({second})), 4U);
  EXPECT_EQ(newest(*reading({first, second}), ErrorCode::io), 0U);
  const auto damaged = medium_of(4, 5);
  damage(*damaged, 1, 30);
  EXPECT_EQ(newest(*make_unreadable_medium(damaged, {first}), ErrorCode::io), 0U) << "the first may be whole";
}

/// Both slots are durable before the name is there.
TEST(Superblock, IsDurableBeforeItHasItsName) {
  const auto medium = make_heap_medium();
  std::string steps;
  const auto noting = make_filtered_medium(*medium, [&](OperationKind kind, std::string_view, const auto& operation) {
    steps += std::string(name_of(kind)) + (*medium->exists(kSuperblockName) ? " behind the name, " : ", ");
    return operation();
  });
  ASSERT_TRUE(create_superblock(*noting, block_of(3)));
  EXPECT_EQ(steps, "write, write, sync, sync_names, sync_names behind the name, ");
}

/// Whatever a write leaves, one whole slot of the former or the new content is durable.
TEST(Superblock, AWriteLeavesTheOtherSlotUntilItsOwnIsDurable) {
  for (const bool again : {false, true}) {
    const auto medium = medium_of(5, 4);
    std::vector<std::uint64_t> written;
    const auto noting = make_filtered_medium(*medium, [&](OperationKind kind, std::string_view, const auto& operation) {
      const Status done = operation();
      if (kind == OperationKind::sync) {
        const auto slots = read_superblock(*medium)->slots;
        written.push_back(100 * slots[0]->generation + slots[1]->generation);
      }
      return done;
    });
    ASSERT_TRUE(again ? rewrite_superblock(*noting, block_of(5)) : write_superblock(*noting, block_of(6)));
    EXPECT_EQ(written, again ? (std::vector<std::uint64_t>{504, 505}) : (std::vector<std::uint64_t>{506, 606}));
  }
}

}  // namespace
}  // namespace rizoma
