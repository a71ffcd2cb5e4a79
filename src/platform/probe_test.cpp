#include "platform/probe_page_cache.h"
#include "platform/thread_pool.h"
#include "testing/temporary_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rizoma/lab/probe.h>

#include <filesystem>
#include <string>

namespace rizoma {
namespace {

using ::testing::Each;
using ::testing::Gt;
using ::testing::HasSubstr;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

/// The first node with processors, as any machine has.
unsigned some_processor_node() {
  for (const ProbeNode& node : probe_nodes()) {
    if (!node.processors.empty()) return node.id;
  }
  ADD_FAILURE() << "no node with processors";
  return 0;
}

MemoryCase small_case(MemoryKernel kernel) {
  const unsigned node = some_processor_node();
  return {.kernel = kernel, .processor_node = node, .memory_node = node, .bytes = kMiB, .samples = 2};
}

class ProbeMemory : public ::testing::TestWithParam<MemoryKernel> {};

TEST_P(ProbeMemory, GivesTheSamplesAskedForAndTheirWork) {
  const Result<ProbeSamples> result = probe_memory(small_case(GetParam()));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->seconds.size(), 2u);
  EXPECT_THAT(result->seconds, Each(Gt(0.0)));
  EXPECT_GT(result->units, 0u);
  EXPECT_LE(result->units, kMiB);
  EXPECT_FALSE(result->resident);
}

INSTANTIATE_TEST_SUITE_P(AllKernels, ProbeMemory,
                         ::testing::Values(MemoryKernel::latency, MemoryKernel::sequential_read,
                                           MemoryKernel::sequential_write, MemoryKernel::random_read,
                                           MemoryKernel::random_write, MemoryKernel::copy, MemoryKernel::scale,
                                           MemoryKernel::add, MemoryKernel::triad));

TEST(ProbeMemoryBounds, TakesNoMoreThreadsThanProcessorsAndOneForLatency) {
  MemoryCase what = small_case(MemoryKernel::sequential_read);
  what.threads = 100000;
  Result<ProbeSamples> result = probe_memory(what);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_LE(result->threads, usable_processors().size());
  what.kernel = MemoryKernel::latency;
  result = probe_memory(what);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->threads, 1u);
}

TEST(ProbeMemoryBounds, LeavesTheCallersBindingAlone) {
  const std::vector<unsigned> before = usable_processors();
  ASSERT_TRUE(probe_memory(small_case(MemoryKernel::latency)));
  EXPECT_EQ(usable_processors(), before);
}

TEST(ProbeMemoryBounds, WorksOnAMappedFile) {
  MemoryCase what = small_case(MemoryKernel::sequential_read);
  what.directory = ::testing::TempDir();
  const Result<ProbeSamples> result = probe_memory(what);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->seconds.size(), 2u);
}

TEST(ProbeMemoryBounds, RefusesWhatCannotBe) {
  MemoryCase what = small_case(MemoryKernel::latency);
  what.memory_node = 4000;
  EXPECT_EQ(probe_memory(what).error().code, ErrorCode::invalid_argument);
  what = small_case(MemoryKernel::latency);
  what.processor_node = 4000;
  EXPECT_THAT(probe_memory(what).error().message, HasSubstr("no node 4000"));
  what = small_case(MemoryKernel::latency);
  what.bytes = 10;
  EXPECT_EQ(probe_memory(what).error().code, ErrorCode::invalid_argument);
}

FileCase small_file(FileKernel kernel, CacheState cache) {
  return {.kernel = kernel,
          .source = ::testing::TempDir(),
          .cache = cache,
          .file_bytes = kMiB,
          .block_bytes = 64 << 10,
          .samples = 2};
}

class ProbeFile : public ::testing::TestWithParam<std::tuple<FileKernel, CacheState>> {};

TEST_P(ProbeFile, GivesSamplesOrSaysWhyNot) {
  const auto [kernel, cache] = GetParam();
  const Result<ProbeSamples> result = probe_file(small_file(kernel, cache));
  if (!result) {
    EXPECT_EQ(cache, CacheState::bypassed) << result.error().message;
    GTEST_SKIP() << result.error().message;
  }
  EXPECT_EQ(result->seconds.size(), 2u);
  EXPECT_THAT(result->seconds, Each(Gt(0.0)));
  EXPECT_EQ(result->units, kMiB);
  ASSERT_TRUE(result->resident);
  if (cache == CacheState::warm && !probe_directory(::testing::TempDir())->dax) {
    EXPECT_GT(*result->resident, 0.9);
  }
}

INSTANTIATE_TEST_SUITE_P(
    KernelsAndStates, ProbeFile,
    ::testing::Combine(::testing::Values(FileKernel::read, FileKernel::copy_flush, FileKernel::copy_fsync),
                       ::testing::Values(CacheState::warm, CacheState::cold, CacheState::bypassed)));

TEST(ProbeFileBounds, CopiesByMappingsAndAppends) {
  Result<ProbeSamples> result = probe_file(small_file(FileKernel::copy_msync, CacheState::warm));
  ASSERT_TRUE(result) << result.error().message;
  FileCase append = small_file(FileKernel::append_sync, CacheState::warm);
  append.block_bytes = 256;
  append.samples = 5;
  result = probe_file(append);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->seconds.size(), 5u);
  EXPECT_EQ(result->units, 1u);
}

TEST(ProbeFileBounds, LeavesNothingBehind) {
  const testing::TemporaryDirectory directory;
  const std::filesystem::path& scratch = directory.path();
  FileCase what = small_file(FileKernel::copy_fsync, CacheState::cold);
  what.source = scratch;
  ASSERT_TRUE(probe_file(what));
  ASSERT_TRUE(probe_directory(scratch));
  EXPECT_TRUE(std::filesystem::is_empty(scratch));
}

TEST(ProbeFileBounds, RefusesWhatCannotBe) {
  EXPECT_THAT(probe_file(small_file(FileKernel::copy_msync, CacheState::bypassed)).error().message,
              HasSubstr("cannot bypass"));
  FileCase uneven = small_file(FileKernel::read, CacheState::warm);
  uneven.block_bytes = 3000;
  EXPECT_EQ(probe_file(uneven).error().code, ErrorCode::invalid_argument);
  FileCase nowhere = small_file(FileKernel::read, CacheState::warm);
  nowhere.source = "/no/such/directory";
  EXPECT_EQ(probe_file(nowhere).error().code, ErrorCode::not_found);
  EXPECT_EQ(probe_directory("/no/such/directory").error().code, ErrorCode::not_found);
}

TEST(ProbeDirectoryTraits, NamesTheFileSystem) {
  const Result<ProbeDirectory> result = probe_directory(::testing::TempDir());
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_FALSE(result->file_system.empty());
  EXPECT_GT(result->free_bytes, 0u);
}

}  // namespace
}  // namespace rizoma
