#include "platform/free_memory.h"

#include "testing/temporary_directory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace rizoma {
namespace {

class FreeMemory : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    std::filesystem::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }
  [[nodiscard]] std::uint64_t free() const { return free_memory(root_ / "proc", root_ / "cgroup"); }

  testing::TemporaryDirectory root_;
};

TEST_F(FreeMemory, OfAMachineWithoutGroupsIsWhatTheSystemSays) {
  write("proc/meminfo", "MemTotal:  2000 kB\nMemFree: 5 kB\nMemAvailable:   1000 kB\n");
  EXPECT_EQ(free(), 1000u * 1024);
}

TEST_F(FreeMemory, OfANestedGroupIsTheLeastThatAnyLevelLeaves) {
  write("proc/meminfo", "MemAvailable:   1000 kB\n");
  write("proc/self/cgroup", "1:cpu:/elsewhere\n0::/outer/inner\n");
  write("cgroup/outer/memory.max", "500000\n");
  write("cgroup/outer/memory.current", "200000\n");
  write("cgroup/outer/memory.stat", "anon 1\ninactive_file 50000\n");
  write("cgroup/outer/inner/memory.max", "max\n");
  write("cgroup/outer/inner/memory.current", "100000\n");
  EXPECT_EQ(free(), 350000u);
  write("cgroup/outer/inner/memory.max", "90000\n");
  EXPECT_EQ(free(), 0u);
}

TEST_F(FreeMemory, OfAGroupOfTheFirstVersionIsWhatItsLimitLeaves) {
  write("proc/meminfo", "MemAvailable:   1000 kB\n");
  write("proc/self/cgroup", "4:memory:/outer\n1:cpu:/\n0::/\n");
  write("cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("cgroup/memory/memory.usage_in_bytes", "5000000\n");
  write("cgroup/memory/outer/memory.limit_in_bytes", "500000\n");
  write("cgroup/memory/outer/memory.usage_in_bytes", "200000\n");
  write("cgroup/memory/outer/memory.stat", "inactive_file 1\ntotal_inactive_file 50000\n");
  EXPECT_EQ(free(), 350000u);
}

TEST_F(FreeMemory, IsUnknownWhereNothingTells) { EXPECT_EQ(free(), 0u); }

TEST(MemoryOfThisProcess, IsItsOwnOrOfFiles) {
  const std::uint64_t before = own_memory();
  EXPECT_GT(before, 0);
  EXPECT_GT(mapped_memory(), 0) << "its program is a file";
  const std::vector<char> more(std::size_t{32} << 20, 'x');
  EXPECT_GE(own_memory(), before + more.size() / 2) << more[5];
}

TEST(FreeMemoryHere, IsLessThanAnAddressSpace) { EXPECT_LT(free_memory(), std::uint64_t{1} << 56); }

}  // namespace
}  // namespace rizoma
