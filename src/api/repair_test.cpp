// Graph::repair: what is at the path of a damaged store, however the repair ends.
#include <rizoma/executor.h>
#include <rizoma/graph.h>

#include "testing/temporary_directory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace rizoma {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryDirectory;

/// Of an earlier repair, of which somebody removed what lay beside the store, and nothing else.
TEST(Repair, PutsEverythingBackIfTheDamagedPartsCannotBeKept) {
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
  const auto refused = Graph::repair(path, serial);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find(in_the_way.string()), std::string::npos) << refused.error().message;
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory.path())) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"g.rz", "one", "two"}));
  EXPECT_TRUE(fs::exists(directory / "one/g.rz/data"));
  EXPECT_TRUE(fs::exists(kept));

  fs::remove_all(in_the_way);
  const auto repaired = Graph::repair(path, serial);
  ASSERT_TRUE(repaired) << repaired.error().message;
  const auto graph = Graph::open(path);
  ASSERT_TRUE(graph) << graph.error().message;
  EXPECT_EQ(*graph->snapshot()->num_edges(), 2u);
}

}  // namespace
}  // namespace rizoma
