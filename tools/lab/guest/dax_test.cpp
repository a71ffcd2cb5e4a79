// DAX file systems: mappings with MAP_SYNC, both media, and a graph over two mounts.
#include "configuration.h"
#include "platform/dax_medium.h"
#include "platform/probe_buffer.h"

#include <gtest/gtest.h>
#include <rizoma/executor.h>
#include <rizoma/graph.h>
#include <rizoma/lab/probe.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <numeric>

namespace rizoma {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBytes = std::size_t{2} << 20;

class Dax : public testing::Test {
 protected:
  void SetUp() override {
    if (mounts_.empty()) GTEST_SKIP() << "not in the laboratory, or it has no DAX file system";
  }
  const std::vector<fs::path> mounts_ = lab::read_configuration().dax_mounts;
};

TEST_F(Dax, MapSyncIsGrantedOnDaxAndNowhereElse) {
  for (const fs::path& mount : mounts_) {
    const auto buffer = probe::ProbeBuffer::in_directory(mount, kBytes);
    ASSERT_TRUE(buffer) << buffer.error().message;
    EXPECT_TRUE(buffer->map_sync()) << mount;
  }
  const auto elsewhere = probe::ProbeBuffer::in_directory("/dev/shm", kBytes);
  ASSERT_TRUE(elsewhere) << elsewhere.error().message;
  EXPECT_FALSE(elsewhere->map_sync());
}

TEST_F(Dax, TheProbeRecognisesDax) {
  for (const fs::path& mount : mounts_) {
    const Result<ProbeDirectory> traits = probe_directory(mount);
    ASSERT_TRUE(traits) << traits.error().message;
    EXPECT_TRUE(traits->dax);
    EXPECT_EQ(traits->file_system, "ext4");
    EXPECT_TRUE(traits->evictable) << "DAX files are never in the page cache";
  }
  const Result<ProbeDirectory> shm = probe_directory("/dev/shm");
  ASSERT_TRUE(shm) << shm.error().message;
  EXPECT_FALSE(shm->dax);
  EXPECT_EQ(shm->file_system, "tmpfs");
  EXPECT_FALSE(shm->evictable);
}

TEST_F(Dax, EachMountIsADeviceOfItsOwn) {
  if (mounts_.size() < 2) GTEST_SKIP() << "one DAX mount only";
  {
    ASSERT_TRUE(open_file_medium(mounts_[0] / "a", true));
  }
  EXPECT_TRUE(fs::exists(mounts_[0] / "a"));
  EXPECT_FALSE(fs::exists(mounts_[1] / "a"));
  fs::remove_all(mounts_[0] / "a");
}

std::vector<std::byte> pattern(std::size_t bytes, unsigned seed) {
  std::vector<std::byte> data(bytes);
  for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<std::byte>((i * 31 + seed * 97) & 0xff);
  return data;
}

TEST_F(Dax, FileMediumKeepsBytesOverAllMounts) {
  std::vector<std::unique_ptr<Medium>> media;
  for (unsigned i = 0; i < mounts_.size(); ++i) {
    Result<std::unique_ptr<Medium>> medium = open_file_medium(mounts_[i] / "graph", true);
    ASSERT_TRUE(medium) << medium.error().message;
    auto lock = (*medium)->lock_for_writing();
    ASSERT_TRUE(lock) << lock.error().message;
    auto file = (*medium)->open("data", FileMode::create);
    ASSERT_TRUE(file) << file.error().message;
    ASSERT_TRUE((*file)->write(0, pattern(kBytes, i)));
    ASSERT_TRUE((*file)->sync());
    ASSERT_TRUE((*medium)->sync_names());
    media.push_back(*std::move(medium));
  }
  for (unsigned i = 0; i < mounts_.size(); ++i) {
    auto file = media[i]->open("data", FileMode::read);
    ASSERT_TRUE(file);
    const Result<Mapping> mapping = (*file)->map(4096, kBytes - 4096);
    ASSERT_TRUE(mapping) << mapping.error().message;
    const std::vector<std::byte> wanted = pattern(kBytes, i);
    EXPECT_TRUE(std::equal(mapping->bytes.begin(), mapping->bytes.end(), wanted.begin() + 4096));
    fs::remove_all(mounts_[i] / "graph");
  }
}

TEST_F(Dax, AWriteIsSeenThroughAMappingMadeBefore) {  // one copy of the bytes: no page cache between
  const auto medium = open_file_medium(mounts_[0] / "mapped", true);
  ASSERT_TRUE(medium);
  auto file = (*medium)->open("data", FileMode::create);
  ASSERT_TRUE(file);
  ASSERT_TRUE((*file)->write(0, pattern(8192, 1)));
  const Result<Mapping> mapping = (*file)->map(0, 8192);
  ASSERT_TRUE(mapping);
  const std::vector<std::byte> changed = pattern(8192, 2);
  ASSERT_TRUE((*file)->write(0, changed));
  EXPECT_TRUE(std::equal(mapping->bytes.begin(), mapping->bytes.end(), changed.begin()));
  fs::remove_all(mounts_[0] / "mapped");
}

TEST_F(Dax, PersistentMemoryIsChosenByItself) {
  for (const fs::path& mount : mounts_) {
    const auto medium = open_medium(mount / "chosen", true, MediumChoice::automatic);
    ASSERT_TRUE(medium) << medium.error().message;
    EXPECT_EQ((*medium)->persistence(), Granularity::cache_line);
    const auto files = open_medium(mount / "chosen", true, MediumChoice::files);
    ASSERT_TRUE(files) << files.error().message;
    EXPECT_EQ((*files)->persistence(), Granularity::page);
    fs::remove_all(mount / "chosen");
  }
  const auto elsewhere = open_medium("/dev/shm/chosen", true, MediumChoice::automatic);
  ASSERT_TRUE(elsewhere) << elsewhere.error().message;
  EXPECT_EQ((*elsewhere)->persistence(), Granularity::page);
  EXPECT_EQ(open_medium("/dev/shm/chosen", true, MediumChoice::dax).error().code, ErrorCode::unsupported);
  fs::remove_all("/dev/shm/chosen");
}

TEST_F(Dax, StoresThroughAMappingAreSeenByReadersOfTheFile) {
  const auto medium = open_medium(mounts_[0] / "stored", true, MediumChoice::dax);
  ASSERT_TRUE(medium) << medium.error().message;
  auto file = (*medium)->open("data", FileMode::create);
  ASSERT_TRUE(file);
  ASSERT_TRUE((*file)->resize(kBytes));
  ASSERT_TRUE((*file)->sync());
  const std::vector<std::byte> wanted = pattern(kBytes - 4097, 3);
  ASSERT_TRUE((*file)->write(1, wanted));
  ASSERT_TRUE((*file)->sync());
  std::vector<std::byte> found(wanted.size());
  ASSERT_TRUE((*(*medium)->open("data", FileMode::read))->read(1, found));
  EXPECT_EQ(found, wanted);
  fs::remove_all(mounts_[0] / "stored");
}

/// Bytes in the data files of a graph, by directory.
std::uint64_t data_bytes(const fs::path& directory) { return fs::file_size(directory / "data"); }

TEST_F(Dax, AGraphSpansAllMounts) {
  if (mounts_.size() < 2) GTEST_SKIP() << "one DAX mount only";
  const fs::path store = mounts_[0] / "own" / "span.rz";
  fs::create_directories(store.parent_path());
  OpenOptions options;
  options.schema.section_bits = 4;
  options.locations = mounts_;
  std::vector<std::int64_t> sources(1000);
  std::iota(sources.begin(), sources.end(), 0);
  std::vector<std::int64_t> targets = sources;
  std::rotate(targets.begin(), targets.begin() + 1, targets.end());
  {
    auto graph = Graph::open(store, options);
    ASSERT_TRUE(graph) << graph.error().message;
    ASSERT_TRUE(graph->add_edges({.sources = sources, .targets = targets}));
    ASSERT_TRUE(graph->checkpoint());
    ASSERT_TRUE(graph->close());
  }
  EXPECT_EQ(data_bytes(store), 0u);
  for (const fs::path& mount : mounts_) EXPECT_GT(data_bytes(mount / "span.rz"), 20u * 4096) << mount;
  SerialExecutor serial;
  const auto report = Graph::check(store, serial);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->findings.empty());
  fs::rename(mounts_[1] / "span.rz", mounts_[1] / "away.rz");
  EXPECT_EQ(Graph::open(store).error().code, ErrorCode::not_found);
  fs::rename(mounts_[1] / "away.rz", mounts_[1] / "span.rz");
  auto graph = Graph::open(store);
  ASSERT_TRUE(graph) << graph.error().message;
  const auto snapshot = graph->snapshot();
  ASSERT_TRUE(snapshot);
  EXPECT_EQ(*snapshot->num_edges(), 1000u);
  EXPECT_EQ(*snapshot->neighbors(500), (std::vector<VertexId>{499, 501}));
  ASSERT_TRUE(graph->close());
  for (const fs::path& mount : mounts_) fs::remove_all(mount / "span.rz");
  fs::remove_all(store.parent_path());
}

}  // namespace
}  // namespace rizoma
