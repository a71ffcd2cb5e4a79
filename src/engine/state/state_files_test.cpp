#include "engine/state/state_files.h"

#include "testing/graph_builder.h"

#include <rizoma/detail/state_file_failure.h>
#include <rizoma/engine.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <string>

namespace rizoma {
namespace {

/// Bytes of files without a name that this process has mapped.
std::size_t mapped_of_unnamed_files() {
  std::ifstream maps("/proc/self/maps");
  std::size_t bytes = 0;
  for (std::string line; std::getline(maps, line);) {
    if (line.find("rizoma-") == std::string::npos || line.find("(deleted)") == std::string::npos) continue;
    const std::size_t dash = line.find('-');
    bytes += std::stoull(line.substr(dash + 1), nullptr, 16) - std::stoull(line, nullptr, 16);
  }
  return bytes;
}

TEST(StateFiles, HoldGreatMapsAndAreGoneWithThem) {
  Engine engine(EngineOptions{.threads = 2, .state_directory = ::testing::TempDir()});
  constexpr VertexId kMany = StateFiles::kLeast / sizeof(std::uint64_t);
  {
    auto map = engine.make_map<std::uint64_t>(kMany, 5);
    EXPECT_EQ(mapped_of_unnamed_files(), StateFiles::kLeast);
    for (VertexId v = 0; v < kMany; ++v) {
      ASSERT_EQ(map[v], 5) << v;
      map[v] = v;
    }
    const auto zeros = engine.make_map<std::uint64_t>(kMany, 0);
    EXPECT_EQ(mapped_of_unnamed_files(), 2 * StateFiles::kLeast);
    for (VertexId v = 0; v < kMany; ++v) ASSERT_EQ(zeros[v], 0) << v;
    EXPECT_EQ(map[kMany - 1], kMany - 1);
  }
  EXPECT_EQ(mapped_of_unnamed_files(), 0);
  const auto small = engine.make_map<std::uint64_t>(kMany - 1, 1);
  EXPECT_EQ(mapped_of_unnamed_files(), 0) << "small maps lie in memory";
}

TEST(StateFiles, AResultOutlivesItsEngine) {
  VertexMap<std::uint64_t> map;
  {
    Engine engine(EngineOptions{.threads = 1, .state_directory = ::testing::TempDir()});
    map = engine.make_map<std::uint64_t>(StateFiles::kLeast, 3);
  }
  EXPECT_EQ(map[StateFiles::kLeast - 1], 3);
}

TEST(StateFiles, ADirectoryThatIsNotThereAndAFullDiskAreToldWithTheirNames) {
  const auto failure_of = [](const std::string& directory, std::size_t bytes) {
    try {
      (void)StateFiles(directory).take(bytes);
    } catch (const StateFileFailure& failure) {
      EXPECT_NE(std::string(failure.what()).find(directory), std::string::npos) << failure.what();
      EXPECT_NE(std::string(failure.what()).find("`state`"), std::string::npos) << failure.what();
      return failure.error().code;
    }
    ADD_FAILURE() << "no failure";
    return ErrorCode::io;
  };
  EXPECT_EQ(failure_of("/there/is/no/such/directory", 1), ErrorCode::not_found);
  EXPECT_EQ(failure_of(::testing::TempDir(), std::size_t{1} << 60), ErrorCode::out_of_space);
}

}  // namespace
}  // namespace rizoma
