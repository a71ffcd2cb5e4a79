// What every Medium promises (src/platform/medium.h), run over each implementation.
#include "platform/dax_medium.h"
#include "platform/file_medium.h"
#include "platform/medium.h"
#include "platform/memory_medium.h"
#include "testing/cache_line_memory.h"
#include "testing/fault_medium.h"
#include "testing/heap_medium.h"
#include "testing/temporary_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <functional>
#include <numeric>

namespace rizoma {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

struct MediumKind {
  const char* name;
  std::function<std::unique_ptr<Medium>(const fs::path& scratch)> make;
};

class MediumContract : public ::testing::TestWithParam<MediumKind> {
 protected:
  MediumContract() : medium_(GetParam().make(scratch_.path())) {}

  std::unique_ptr<MediumFile> create(std::string_view name) {
    auto file = medium_->open(name, FileMode::create);
    EXPECT_TRUE(file) << file.error().message;
    return *std::move(file);
  }

  testing::TemporaryDirectory scratch_;
  std::unique_ptr<Medium> medium_;
};

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

std::string read_text(const MediumFile& file, std::uint64_t offset, std::size_t size) {
  std::string text(size, '?');
  const Status status = file.read(offset, std::as_writable_bytes(std::span(text)));
  return status ? text : "error: " + status.error().message;
}

std::string text_of(const Mapping& mapping) {
  return std::string(reinterpret_cast<const char*>(mapping.bytes.data()), mapping.bytes.size());
}

TEST_P(MediumContract, WritesGrowAFileAndAreReadBack) {
  const auto file = create("log");
  ASSERT_TRUE(file->write(0, bytes_of("hello")));
  ASSERT_TRUE(file->write(10, bytes_of("world")));
  EXPECT_EQ(*file->size(), 15u);
  EXPECT_EQ(read_text(*file, 0, 15), std::string("hello\0\0\0\0\0world", 15));
  ASSERT_TRUE(file->write(3, bytes_of("LO W")));
  EXPECT_EQ(read_text(*file, 0, 8), std::string("helLO W\0", 8));
  EXPECT_TRUE(file->sync());
  EXPECT_TRUE(file->write(0, {}));
  EXPECT_TRUE(file->read(15, {}));
}

TEST_P(MediumContract, ReadingPastTheEndIsCorruptAndSaysWhere) {
  const auto file = create("log");
  ASSERT_TRUE(file->write(0, bytes_of("hello")));
  std::byte out[8];
  const Status status = file->read(2, out);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::corrupt);
  EXPECT_NE(status.error().message.find("log"), std::string::npos);
}

TEST_P(MediumContract, NamesFollowTheirFiles) {
  EXPECT_EQ(medium_->open("none", FileMode::read).error().code, ErrorCode::not_found);
  EXPECT_EQ(medium_->open("none", FileMode::write).error().code, ErrorCode::not_found);
  EXPECT_EQ(medium_->remove("none").error().code, ErrorCode::not_found);
  EXPECT_EQ(medium_->rename("none", "other").error().code, ErrorCode::not_found);
  ASSERT_TRUE(create("a")->write(0, bytes_of("A")));
  ASSERT_TRUE(create("b")->write(0, bytes_of("B")));
  EXPECT_THAT(*medium_->list(), UnorderedElementsAre("a", "b"));
  ASSERT_TRUE(medium_->rename("a", "b"));
  EXPECT_TRUE(medium_->sync_names());
  EXPECT_THAT(*medium_->list(), UnorderedElementsAre("b"));
  EXPECT_FALSE(*medium_->exists("a"));
  EXPECT_TRUE(*medium_->exists("b"));
  EXPECT_EQ(read_text(**medium_->open("b", FileMode::read), 0, 1), "A");
  ASSERT_TRUE(medium_->rename("b", "b"));
  ASSERT_TRUE(medium_->remove("b"));
  EXPECT_THAT(*medium_->list(), UnorderedElementsAre());
}

TEST_P(MediumContract, AnOpenFileOutlivesItsName) {
  const auto file = create("a");
  ASSERT_TRUE(file->write(0, bytes_of("A")));
  ASSERT_TRUE(medium_->remove("a"));
  EXPECT_EQ(read_text(*file, 0, 1), "A");
}

TEST_P(MediumContract, TwoOpeningsAreOneFile) {
  const auto writer = create("a");
  const auto reader = medium_->open("a", FileMode::read);
  ASSERT_TRUE(reader);
  ASSERT_TRUE(writer->write(0, bytes_of("A")));
  EXPECT_EQ(read_text(**reader, 0, 1), "A");
  EXPECT_EQ((*reader)->write(0, bytes_of("B")).error().code, ErrorCode::invalid_argument);
  ASSERT_TRUE((*medium_->open("a", FileMode::write))->write(0, bytes_of("B")));
  EXPECT_EQ(read_text(**reader, 0, 1), "B");
}

TEST_P(MediumContract, CreatingAFileThatIsThereEmptiesIt) {
  ASSERT_TRUE(create("a")->write(0, bytes_of("A")));
  EXPECT_EQ(*create("a")->size(), 0u);
}

TEST_P(MediumContract, ResizingCutsAndFillsWithZeros) {
  const auto file = create("a");
  ASSERT_TRUE(file->write(0, bytes_of("hello")));
  ASSERT_TRUE(file->resize(2));
  ASSERT_TRUE(file->resize(5));
  EXPECT_EQ(read_text(*file, 0, 5), std::string("he\0\0\0", 5));
}

TEST_P(MediumContract, DiscardingKeepsTheSizeAndTheRest) {
  const auto file = create("a");
  const std::string text(3 * 4096, 'x');
  ASSERT_TRUE(file->write(0, bytes_of(text)));
  ASSERT_TRUE(file->discard(4096, 4096));
  ASSERT_TRUE(file->discard(0, 0));
  EXPECT_EQ(*file->size(), text.size());
  EXPECT_EQ(read_text(*file, 0, 4096), text.substr(0, 4096));
  EXPECT_EQ(read_text(*file, 8192, 4096), text.substr(8192));
}

TEST_P(MediumContract, WhatIsAllocatedIsKnown) {
  const auto file = create("a");
  ASSERT_TRUE(file->write(0, bytes_of(std::string(64 * 4096, 'x'))));
  ASSERT_TRUE(file->sync());
  const std::uint64_t before = *file->allocated();
  EXPECT_GE(before, 64u * 4096);
  ASSERT_TRUE(file->discard(4096, 60 * 4096));
  EXPECT_LE(*file->allocated(), before);
  EXPECT_EQ(*file->size(), 64u * 4096);
}

TEST_P(MediumContract, PinsAreSeenByAllOpeningsUntilTheyDie) {
  const auto file = create("a");
  ASSERT_TRUE(file->write(0, bytes_of("A")));
  auto other = medium_->open("a", FileMode::read);
  ASSERT_TRUE(other);
  auto five = (*other)->pin(5);
  auto nine = (*other)->pin(9);
  auto also_nine = (*other)->pin(9);
  auto far = (*other)->pin(std::uint64_t{1} << 40);
  ASSERT_TRUE(five && *five && nine && *nine && also_nine && *also_nine && far && *far);
  EXPECT_THAT(*file->pins(100), ElementsAre(5, 9));
  EXPECT_THAT(*file->pins(9), ElementsAre(5));
  EXPECT_THAT(*file->pins(5), ElementsAre());
  EXPECT_THAT(*file->pins((std::uint64_t{1} << 40) + 1), ElementsAre(5, 9, std::uint64_t{1} << 40));
  (*other).reset();
  *nine = nullptr;
  EXPECT_THAT(*file->pins(100), ElementsAre(5, 9)) << "the other pin of 9 lives";
  *also_nine = nullptr;
  *five = nullptr;
  EXPECT_THAT(*file->pins(100), ElementsAre());
}

TEST_P(MediumContract, AMappingStaysValidWhileTheFileGrowsAndGoes) {
  auto file = create("a");
  std::string text(2 * 4096 + 100, 'x');
  std::iota(text.begin(), text.end(), 0);
  ASSERT_TRUE(file->write(0, bytes_of(text)));
  const auto mapping = file->map(4096, 4196);
  ASSERT_TRUE(mapping) << mapping.error().message;
  ASSERT_TRUE(file->write(text.size(), bytes_of(std::string(5 << 20, 'y'))));
  ASSERT_TRUE(file->write(0, bytes_of("changed")));
  EXPECT_EQ(text_of(*mapping), text.substr(4096));
  file.reset();
  ASSERT_TRUE(medium_->remove("a"));
  const Mapping copy = *mapping;
  medium_.reset();
  EXPECT_EQ(text_of(copy), text.substr(4096));
}

TEST_P(MediumContract, MappingPastTheEndIsAnError) {
  const auto file = create("a");
  ASSERT_TRUE(file->write(0, bytes_of("hello")));
  EXPECT_EQ(file->map(0, 6).error().code, ErrorCode::corrupt);
  EXPECT_EQ(file->map(4096, 1).error().code, ErrorCode::corrupt);
  EXPECT_EQ(file->map(0, 0)->bytes.size(), 0u);
}

TEST_P(MediumContract, OneWriterAtATime) {
  auto lock = medium_->lock_for_writing();
  ASSERT_TRUE(lock) << lock.error().message;
  EXPECT_EQ(medium_->lock_for_writing().error().code, ErrorCode::locked);
  (*lock).reset();
  EXPECT_TRUE(medium_->lock_for_writing());
}

TEST_P(MediumContract, SaysWhatItIs) {
  EXPECT_FALSE(medium_->describe().empty());
  EXPECT_GT(medium_->granularity(), 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Media, MediumContract,
    ::testing::Values(MediumKind{"memory", [](const fs::path&) { return make_memory_medium(); }},
                      MediumKind{"heap", [](const fs::path&) { return make_heap_medium(); }},
                      MediumKind{"fault", [](const fs::path&) { return std::make_unique<FaultMedium>(); }},
                      MediumKind{"file", [](const fs::path& path) { return *open_file_medium(path / "store", true); }},
                      MediumKind{"dax",
                                 [](const fs::path& path) {
                                   return *open_dax_medium(path / "store", true, std::make_shared<CacheLineMemory>());
                                 }}),
    [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace rizoma
