// The DAX medium's own logic on a memory that loses what was not flushed (testing/cache_line_memory.h).
#include "platform/dax_file.h"
#include "platform/dax_medium.h"
#include "testing/cache_line_memory.h"
#include "testing/temporary_directory.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

namespace rizoma {
namespace {

namespace fs = std::filesystem;

/// A memory whose flushes, or whose fences, do nothing: what a wrong medium would rely on.
class Forgetful final : public CacheLineMemory {
 public:
  enum class What { flush, drain };
  explicit Forgetful(What what) : what_(what) {}
  void flush(const std::byte* at, std::size_t bytes) override {
    if (what_ != What::flush) CacheLineMemory::flush(at, bytes);
  }
  void drain() override {
    if (what_ != What::drain) CacheLineMemory::drain();
  }

 private:
  What what_;
};

class DaxFiles : public ::testing::Test {
 protected:
  std::unique_ptr<MediumFile> open(std::shared_ptr<PersistentMemory> memory, FileMode mode = FileMode::create) {
    medium_ = *open_dax_medium(scratch_.path(), false, std::move(memory));
    return *medium_->open("file", mode);
  }
  std::string content() const {
    const auto files = *open_file_medium_read_only(scratch_.path());
    const auto file = *files->open("file", FileMode::read);
    std::string text(*file->size(), '?');
    EXPECT_TRUE(file->read(0, std::as_writable_bytes(std::span(text))));
    return text;
  }

  testing::TemporaryDirectory scratch_;
  std::unique_ptr<Medium> medium_;
};

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

std::string letters(std::size_t size) {
  std::string text(size, ' ');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>('a' + i % 23);
  return text;
}

/// Writes pieces of many sizes and places into solid blocks, then crashes after a sync.
std::string after_crash(MediumFile& file, CacheLineMemory& memory, std::string& wanted) {
  wanted.assign(1 << 16, '\0');
  EXPECT_TRUE(file.resize(wanted.size()));
  EXPECT_TRUE(file.sync());
  std::size_t at = 3;
  for (const std::size_t size : {1, 7, 63, 64, 65, 255, 256, 257, 300, 1000, 4096, 20000}) {
    const std::string piece = letters(size);
    EXPECT_TRUE(file.write(at, bytes_of(piece)));
    wanted.replace(at, size, piece);
    at += size + 11;
  }
  EXPECT_TRUE(file.sync());
  memory.crash();
  std::string found(wanted.size(), '?');
  EXPECT_TRUE(file.read(0, std::as_writable_bytes(std::span(found))));
  return found;
}

TEST_F(DaxFiles, SyncedBytesSurviveACrash) {
  const auto memory = std::make_shared<CacheLineMemory>();
  const auto file = open(memory);
  std::string wanted;
  EXPECT_EQ(after_crash(*file, *memory, wanted), wanted);
  EXPECT_GE(memory->drains(), 12u);
  EXPECT_GT(memory->lines_around_cache(), 300u) << "large pieces go around the cache";
}

TEST_F(DaxFiles, ASkippedFlushOrFenceIsCaught) {
  for (const auto what : {Forgetful::What::flush, Forgetful::What::drain}) {
    const auto memory = std::make_shared<Forgetful>(what);
    const auto file = open(memory);
    std::string wanted;
    EXPECT_NE(after_crash(*file, *memory, wanted), wanted);
  }
}

TEST_F(DaxFiles, WritesIntoAGrownFileAreStoresAndOthersAreNot) {
  const auto memory = std::make_shared<CacheLineMemory>();
  const auto file = open(memory);
  ASSERT_TRUE(file->write(0, bytes_of("beyond the end")));  // needs blocks: through the file system
  EXPECT_EQ(memory->drains(), 0u);
  ASSERT_TRUE(file->write(0, bytes_of("within")));
  EXPECT_EQ(memory->drains(), 1u);
  ASSERT_TRUE(file->resize(8192));
  ASSERT_TRUE(file->write(8000, bytes_of("within too")));
  EXPECT_EQ(memory->drains(), 2u);
  ASSERT_TRUE(file->write(8190, bytes_of("half")));
  EXPECT_EQ(memory->drains(), 2u);
  EXPECT_EQ(content().substr(8000, 10), "within too");
  EXPECT_EQ(content().substr(8190), "half");
}

TEST_F(DaxFiles, BytesOfAnEarlierOpeningAreStoredTo) {
  ASSERT_TRUE(open(std::make_shared<CacheLineMemory>())->resize(4096));
  const auto memory = std::make_shared<CacheLineMemory>();
  const auto file = open(memory, FileMode::write);
  ASSERT_TRUE(file->write(100, bytes_of("again")));
  EXPECT_EQ(memory->drains(), 1u);
  EXPECT_EQ(content().substr(100, 5), "again");
}

TEST_F(DaxFiles, TheFirstSyncPaysWhatEarlierOpeningsOwe) {
  // A file that no system call can sync tells a sync from none.
  auto null = std::make_shared<FileDescriptor>(::open("/dev/null", O_RDWR | O_CLOEXEC));
  DaxFile file(std::move(null), "/dev/null", std::make_shared<CacheLineMemory>());
  EXPECT_FALSE(file.sync());
}

TEST_F(DaxFiles, DiscardedAndCutBlocksAreNeverStoredTo) {  // a store to a hole may kill the process
  const auto memory = std::make_shared<CacheLineMemory>();
  const auto file = open(memory);
  ASSERT_TRUE(file->resize(4 * 4096));
  ASSERT_TRUE(file->write(0, bytes_of("solid")));
  ASSERT_TRUE(file->discard(4096, 4096));
  ASSERT_TRUE(file->write(5000, bytes_of("hole")));
  EXPECT_EQ(memory->drains(), 1u);
  ASSERT_TRUE(file->resize(100));
  ASSERT_TRUE(file->write(90, bytes_of("across the end")));
  EXPECT_EQ(memory->drains(), 1u);
  EXPECT_EQ(content().size(), 104u);
}

TEST_F(DaxFiles, WritersGrowAndStoreSideBySide) {
  const auto memory = std::make_shared<CacheLineMemory>();
  const auto file = open(memory);
  constexpr std::size_t kPiece = 700;
  constexpr std::size_t kPieces = 400;
  std::vector<std::thread> writers;
  for (std::size_t w = 0; w < 4; ++w) {
    writers.emplace_back([&, w] {
      for (std::size_t i = w; i < kPieces; i += 4) {
        const std::string piece(kPiece, static_cast<char>('A' + i % 26));
        ASSERT_TRUE(file->write(i * kPiece, bytes_of(piece)));
        ASSERT_TRUE(file->write(i * kPiece, bytes_of(piece)));
        ASSERT_TRUE(file->sync());
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  memory->crash();
  const std::string text = content();
  ASSERT_EQ(text.size(), kPiece * kPieces);
  for (std::size_t i = 0; i < kPieces; ++i) {
    EXPECT_EQ(text.substr(i * kPiece, kPiece), std::string(kPiece, static_cast<char>('A' + i % 26))) << i;
  }
}

TEST_F(DaxFiles, TheMachinesOwnInstructionsStoreEveryByte) {
  const auto memory = machine_persistent_memory();
  if (memory == nullptr) GTEST_SKIP() << "no cache-flush instructions on this machine";
  alignas(64) static std::byte area[8192];
  for (std::size_t at = 0; at < 130; at += 13) {
    for (const std::size_t size : {0, 1, 63, 64, 255, 256, 321, 5000}) {
      std::memset(area, 0, sizeof area);
      const std::string text = letters(size);
      persist(*memory, area + at, bytes_of(text));
      EXPECT_EQ(std::memcmp(area + at, text.data(), size), 0);
      EXPECT_EQ(area[at + size], std::byte{0});
    }
  }
}

TEST_F(DaxFiles, AMediumIsChosenByWhatTheDirectoryOffers) {
  const bool dax = offers_map_sync(scratch_.path());
  const auto chosen = open_medium(scratch_ / "a", true, MediumChoice::automatic);
  ASSERT_TRUE(chosen) << chosen.error().message;
  EXPECT_EQ((*chosen)->persistence(), dax ? Granularity::cache_line : Granularity::page);
  const auto files = open_medium(scratch_ / "b", true, MediumChoice::files);
  ASSERT_TRUE(files);
  EXPECT_EQ((*files)->persistence(), Granularity::page);
  const auto forced = open_medium(scratch_ / "c", true, MediumChoice::dax);
  EXPECT_EQ(forced.ok(), dax);
  if (forced) return;
  EXPECT_EQ(forced.error().code, ErrorCode::unsupported);
}

}  // namespace
}  // namespace rizoma
