// A store from an attacker, on a file system: what is in its directory can be anything, and nothing
// outside of it is written, and no call waits for ever.
#include "platform/file_medium.h"
#include "store/repair/store_check.h"
#include "store/repair/store_repair.h"
#include "store/store.h"
#include "testing/temporary_directory.h"

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace rizoma {
namespace {

namespace fs = std::filesystem;

class ForeignStore : public ::testing::Test {
 protected:
  ForeignStore() {
    const auto store = Store::create(medium(), {});
    EXPECT_TRUE(store);
    add_edge(**store, 0);
    EXPECT_TRUE((*store)->checkpoint());
    EXPECT_TRUE((*store)->close());
  }
  [[nodiscard]] fs::path path() const { return root_ / "store"; }
  [[nodiscard]] std::shared_ptr<Medium> medium() const { return *open_file_medium(path(), true); }
  [[nodiscard]] std::shared_ptr<Medium> reader() const { return *open_file_medium_read_only(path()); }
  static void add_edge(Store& store, std::int64_t id) {
    const Status added = store.add_edges({std::vector<std::int64_t>{id}, std::vector<std::int64_t>{id + 1}, {}});
    EXPECT_TRUE(added) << added.error().message;
  }
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path())) {
      if (entry.path().filename() != "LOCK") names.push_back(entry.path().filename());
    }
    return names;
  }
  /// Greatest N of the files log.N.
  [[nodiscard]] int last_log() const {
    int last = 0;
    for (const std::string& name : files()) {
      if (name.starts_with("log.")) last = std::max(last, std::stoi(name.substr(4)));
    }
    return last;
  }
  [[nodiscard]] std::string victim() const {
    std::ifstream in(root_ / "victim", std::ios::binary);
    return std::string((std::istreambuf_iterator<char>(in)), {});
  }

  testing::TemporaryDirectory root_;
  SerialExecutor serial_;
};

TEST_F(ForeignStore, PlantedLinksOverwriteNothing) {
  static_cast<void>(root_.write("victim", "precious"));
  const int last = last_log();
  for (const char* prefix : {"log.", "manifest.", "manifest-copy."}) {
    for (int number = last + 1; number < last + 4; ++number) {
      fs::create_symlink(root_ / "victim", path() / (prefix + std::to_string(number)));
    }
  }
  fs::create_symlink(root_ / "victim", path() / "superblock.new");
  // A log that continues the last one cannot be a link: without it nothing is missing, but that cannot be known.
  EXPECT_EQ(Store::open(medium()).error().code, ErrorCode::corrupt);
  for (int number = last + 1; number < last + 4; ++number) fs::remove(path() / ("log." + std::to_string(number)));
  const auto store = Store::open(medium());
  ASSERT_TRUE(store) << store.error().message;
  for (int i = 1; i < 5; ++i) {
    add_edge(**store, i);
    const Status moved = (*store)->checkpoint();
    EXPECT_TRUE(moved) << moved.error().message;
  }
  EXPECT_EQ((*store)->info()->num_edges, 5u);
  EXPECT_TRUE((*store)->close());
  EXPECT_EQ(victim(), "precious");
}

TEST_F(ForeignStore, EveryFileThatIsALinkIsRefused) {
  for (const std::string& name : files()) {
    if (name.starts_with("manifest")) continue;  // has a copy
    const fs::path moved = root_ / "elsewhere";
    fs::rename(path() / name, moved);
    fs::create_symlink(moved, path() / name);
    const auto size = fs::file_size(moved);
    EXPECT_EQ(Store::open(medium()).error().code, ErrorCode::corrupt) << name;
    EXPECT_EQ(Store::open_read_only(reader()).error().code, ErrorCode::corrupt) << name;
    const auto report = check_store(reader(), serial_);
    ASSERT_TRUE(report) << report.error().message;
    ASSERT_FALSE(report->findings.empty()) << name;
    EXPECT_NE(report->findings[0].what.find("is a symbolic link"), std::string::npos) << report->findings[0].what;
    EXPECT_EQ(fs::file_size(moved), size);
    fs::rename(moved, path() / name);
  }
  EXPECT_TRUE(Store::open(medium()));
}

TEST_F(ForeignStore, NobodyWaitsForAPipe) {
  for (const std::string& name : files()) {
    const fs::path moved = root_ / "elsewhere";
    fs::rename(path() / name, moved);
    ASSERT_EQ(::mkfifo((path() / name).c_str(), 0666), 0);
    const bool copied = name.starts_with("manifest");
    EXPECT_EQ(Store::open_read_only(reader()).ok(), copied) << name;
    const auto report = check_store(reader(), serial_);
    ASSERT_TRUE(report) << report.error().message;
    ASSERT_FALSE(report->findings.empty()) << name;
    EXPECT_NE(report->findings[0].what.find("is a pipe"), std::string::npos) << report->findings[0].what;
    fs::rename(moved, path() / name);
  }
}

TEST_F(ForeignStore, ALengthOfHolesSizesNoMemory) {
  constexpr std::uintmax_t kTerabytes = std::uintmax_t{8} << 40;
  for (const std::string& name : files()) {
    if (name == "data" || name == "superblock") continue;  // mapped, and read at two places
    const auto size = fs::file_size(path() / name);
    std::error_code failed;
    fs::resize_file(path() / name, kTerabytes, failed);
    if (failed) GTEST_SKIP() << "no file of 8 TiB of holes can be made here: " << failed.message();
    const auto opened = Store::open_read_only(reader());
    // What is found after the second copy is of a record that the first one ought to have: how the store was closed
    // is not known any more.
    EXPECT_EQ(opened.ok(), name.starts_with("manifest.")) << name;
    if (!opened) {
      EXPECT_EQ(opened.error().code, ErrorCode::corrupt) << opened.error().message;
    }
    const auto report = check_store(reader(), serial_);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_TRUE(opened.ok() || !report->findings.empty()) << name;
    fs::resize_file(path() / name, size);
  }
  EXPECT_TRUE(Store::open(medium()));
}

TEST_F(ForeignStore, AFileWithAnotherNameIsNotWritten) {
  fs::create_hard_link(path() / "superblock", root_ / "backup");
  EXPECT_EQ(Store::open(medium()).error().code, ErrorCode::corrupt);
  EXPECT_TRUE(Store::open_read_only(reader())) << "reading does no harm";
  fs::remove(root_ / "backup");
  EXPECT_TRUE(Store::open(medium()));
}

}  // namespace
}  // namespace rizoma
