// Graph::repair: what is at the path of a damaged store, however the repair ends.
#include <rizoma/executor.h>
#include <rizoma/graph.h>

#include "testing/temporary_directory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryDirectory;

/// An earlier repair, of which only the files beside the store were removed.
TEST(Repair, ANameThatIsTakenBesideALocationIsPassedOver) {
  const TemporaryDirectory directory;
  const fs::path path = directory / "g.rz";
  fs::create_directory(directory / "one");
  fs::create_directory(directory / "two");
  {
    OpenOptions options{.mode = OpenMode::create, .locations = {directory / "one", directory / "two"}};
    auto graph = Graph::open(path, options);
    ASSERT_TRUE(graph) << graph.error().message;
    ASSERT_TRUE(graph->add_edges({std::vector<std::int64_t>{0, 1}, std::vector<std::int64_t>{1, 2}, {}}));
    ASSERT_TRUE(graph->checkpoint());
  }
  fs::remove(path / "superblock");
  const fs::path in_the_way = directory / "two" / "g.rz.damaged";
  fs::create_directory(in_the_way);
  const fs::path kept = directory.write("two/g.rz.damaged/data", "of long ago");
  SerialExecutor serial;
  const auto repaired = Graph::repair(path, serial);
  ASSERT_TRUE(repaired) << repaired.error().message;
  EXPECT_EQ(repaired->kept, directory / "g.rz.damaged-2");
  EXPECT_TRUE(fs::exists(directory / "one/g.rz.damaged-2"));
  EXPECT_TRUE(fs::exists(directory / "two/g.rz.damaged-2"));
  EXPECT_TRUE(fs::exists(kept));
  const auto graph = Graph::open(path);
  ASSERT_TRUE(graph) << graph.error().message;
  EXPECT_EQ(*graph->snapshot()->num_edges(), 2u);
}

/// A damaged store that repair makes whole, and a copy of what it makes.
class CutOff : public ::testing::Test {
 protected:
  CutOff() {
    {
      auto graph = Graph::open(path_, {.mode = OpenMode::create});
      EXPECT_TRUE(graph->add_edges({std::vector<std::int64_t>{0, 1, 2}, std::vector<std::int64_t>{1, 2, 3}, {}}));
    }
    fs::remove(path_ / "superblock");
    fs::copy(path_, damaged_);
    SerialExecutor serial;
    const auto report = Graph::repair(path_, serial);
    EXPECT_TRUE(report) << report.error().message;
    fs::rename(path_, whole_);
    fs::remove_all(report->kept);
  }
  /// Puts stores under names, as a repair that was killed leaves them.
  void leave(const std::vector<std::pair<fs::path, fs::path>>& stores) const {
    for (const auto& [store, name] : stores) fs::copy(store, name, fs::copy_options::recursive);
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(directory_ / "place")) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }
  /// A repair leaves the whole store at its path and the damaged one beside it, and nothing else.
  [[nodiscard]] RepairReport repair() const {
    SerialExecutor serial;
    const auto report = Graph::repair(path_, serial);
    EXPECT_TRUE(report) << report.error().message;
    EXPECT_EQ(names(), (std::vector<std::string>{"g.rz", "g.rz.damaged"}));
    EXPECT_FALSE(fs::exists(path_.parent_path() / "g.rz.damaged" / "superblock"));
    const auto graph = Graph::open(path_, {.mode = OpenMode::read_only});
    EXPECT_TRUE(graph) << graph.error().message;
    EXPECT_EQ(*graph->snapshot()->num_edges(), 3u);
    return report ? *report : RepairReport();
  }

  const TemporaryDirectory directory_;
  const fs::path made_ = (fs::create_directory(directory_ / "place"), directory_ / "place");
  const fs::path path_ = directory_ / "place/g.rz";
  const fs::path nascent_ = directory_ / "place/g.rz.repaired";
  const fs::path waiting_ = directory_ / "place/g.rz.replaced";
  const fs::path kept_ = directory_ / "place/g.rz.damaged";
  const fs::path damaged_ = directory_ / "damaged";
  const fs::path whole_ = directory_ / "whole";
};

TEST_F(CutOff, WhileItWroteIsBegunAnew) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(whole_)) files.push_back(entry.path());
  for (std::size_t count = 0; count <= files.size(); ++count) {  // any part of the repaired store
    SCOPED_TRACE(count);
    leave({{damaged_, path_}});
    fs::create_directory(nascent_);
    for (std::size_t i = 0; i < count; ++i) fs::copy(files[i], nascent_ / files[i].filename());
    EXPECT_TRUE(repair().lost.empty());
    fs::remove_all(path_);
    fs::remove_all(kept_);
  }
}

TEST_F(CutOff, BeforeTheStoresChangedPlacesIsBegunAnew) {
  leave({{damaged_, path_}, {whole_, waiting_}});
  EXPECT_TRUE(repair().lost.empty());
}

TEST_F(CutOff, AfterTheStoresChangedPlacesIsFinishedAndSaid) {
  leave({{whole_, path_}, {damaged_, waiting_}});
  const RepairReport report = repair();
  ASSERT_EQ(report.lost.size(), 1u);
  EXPECT_NE(report.lost[0].find("an earlier repair"), std::string::npos) << report.lost[0];
  EXPECT_EQ(report.kept, kept_);
}

TEST_F(CutOff, BetweenTwoRenamingsIsFinishedAndSaid) {
  leave({{whole_, waiting_}, {damaged_, kept_}});
  EXPECT_EQ(repair().lost.size(), 1u);
}

TEST_F(CutOff, LeavesWhatOthersHavePutInTheWay) {
  leave({{damaged_, path_}});
  fs::create_directory(nascent_);
  std::ofstream(nascent_ / "note.txt") << "dear";
  SerialExecutor serial;
  const auto refused = Graph::repair(path_, serial);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::already_exists);
  EXPECT_TRUE(fs::exists(nascent_ / "note.txt"));
  EXPECT_FALSE(fs::exists(path_ / "superblock"));
}

TEST_F(CutOff, LeavesALinkInTheWay) {
  leave({{damaged_, path_}, {whole_, directory_ / "elsewhere"}});
  fs::create_directory_symlink(directory_ / "elsewhere", nascent_);
  SerialExecutor serial;
  EXPECT_FALSE(Graph::repair(path_, serial));
  EXPECT_TRUE(fs::exists(directory_ / "elsewhere" / "superblock"));
}

}  // namespace
}  // namespace rizoma
