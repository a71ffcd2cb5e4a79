#include <rizoma/lab/hardware_counters.h>

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <thread>

namespace rizoma {
namespace {

/// The value of a counter; `otherwise` if it is absent.
double value_of(const CounterReading& reading, const std::string& name, double otherwise) {
  const auto found =
      std::find_if(reading.values.begin(), reading.values.end(), [&](const auto& one) { return one.name == name; });
  return found == reading.values.end() ? otherwise : found->value;
}

/// Touches fresh pages, which faults once for each.
void touch(std::size_t pages) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  void* const memory = ::mmap(nullptr, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  ::madvise(memory, pages * page, MADV_NOHUGEPAGE);
  for (std::size_t i = 0; i < pages; ++i) static_cast<volatile char*>(memory)[i * page] = 1;
  ::munmap(memory, pages * page);
}

TEST(HardwareCounters, EachIsCountedOrAbsentForAReason) {
  const HardwareCounters counters;
  touch(100);
  const CounterReading reading = counters.read();
  for (const std::string& name : counter_names()) {
    EXPECT_TRUE(value_of(reading, name, -1) >= 0 || reading.absent.find(name) != std::string::npos) << name;
  }
  EXPECT_EQ(reading.values.size() == counter_names().size(), reading.absent.empty());
  EXPECT_GE(value_of(reading, "page_faults", 100), 100);
}

TEST(HardwareCounters, ThreadsThatAreThereAndThoseOfLaterAreCounted) {
  std::atomic<int> step{0};
  std::thread there([&] {
    while (step == 0) std::this_thread::yield();
    touch(500);
    step = 2;
    while (step != 3) std::this_thread::yield();
  });
  const HardwareCounters counters;
  step = 1;
  while (step != 2) std::this_thread::yield();
  std::thread([] { touch(500); }).join();
  const CounterReading reading = counters.read();
  step = 3;
  there.join();
  EXPECT_GE(value_of(reading, "page_faults", 1000), 1000);
  EXPECT_GT(value_of(reading, "processor_seconds", 1), 0);
}

TEST(HardwareCounters, ReasonsNameTheRemedy) {
  EXPECT_NE(why_not_counted(EACCES).find("perf_event_paranoid"), std::string::npos);
  EXPECT_NE(why_not_counted(EPERM).find("CAP_PERFMON"), std::string::npos);
  EXPECT_NE(why_not_counted(EMFILE).find("ulimit"), std::string::npos);
  EXPECT_NE(why_not_counted(ENOENT).find("virtual machine"), std::string::npos);
  EXPECT_NE(why_not_counted(ENOSYS).find("perf_event_open"), std::string::npos);
  EXPECT_NE(why_not_counted(EIO), why_not_counted(ENOSYS));
}

}  // namespace
}  // namespace rizoma
