// DAX file systems: mappings with MAP_SYNC, the file medium, and a graph's files over two mounts.
#include "configuration.h"
#include "platform/file_medium.h"
#include "platform/probe_buffer.h"

#include <gtest/gtest.h>
#include <rizoma/probe.h>

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
  { ASSERT_TRUE(open_file_medium(mounts_[0] / "a", true)); }
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

}  // namespace
}  // namespace rizoma
