#include <rizoma/lab/hardware_counters.h>

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace rizoma {
namespace {

struct Event {
  const char* name;
  std::uint32_t type;
  std::uint64_t config;
  double unit = 1;  ///< of one count
};

constexpr std::uint64_t of_cache(std::uint64_t cache, std::uint64_t result) {
  return cache | (std::uint64_t{PERF_COUNT_HW_CACHE_OP_READ} << 8) | (result << 16);
}

constexpr std::array kEvents{
    Event{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    Event{"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    Event{"cache_references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    Event{"cache_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    Event{"stalled_cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
    Event{"memory_reads", PERF_TYPE_HW_CACHE, of_cache(PERF_COUNT_HW_CACHE_NODE, PERF_COUNT_HW_CACHE_RESULT_ACCESS)},
    Event{"remote_memory_reads", PERF_TYPE_HW_CACHE,
          of_cache(PERF_COUNT_HW_CACHE_NODE, PERF_COUNT_HW_CACHE_RESULT_MISS)},
    Event{"processor_seconds", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, 1e-9},
    Event{"page_faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
};

/// The descriptor of an event of one thread, or -1 with errno.
int open_event(const Event& event, pid_t thread) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = event.type;
  attributes.config = event.config;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  attributes.inherit = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  const long opened = ::syscall(SYS_perf_event_open, &attributes, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);
  return static_cast<int>(opened);
}

std::vector<pid_t> threads_of_the_process() {
  std::vector<pid_t> threads;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", ignored)) {
    const std::string name = entry.path().filename();
    pid_t thread = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), thread).ec == std::errc()) threads.push_back(thread);
  }
  if (threads.empty()) threads.push_back(0);  // this one
  return threads;
}

/// The count of a descriptor, scaled to the whole time; nullopt if it was never scheduled.
std::optional<double> count_of(int descriptor) {
  struct {
    std::uint64_t value;
    std::uint64_t enabled;
    std::uint64_t running;
  } count{};
  if (::read(descriptor, &count, sizeof count) != static_cast<ssize_t>(sizeof count)) return std::nullopt;
  if (count.running == 0) return count.enabled == 0 ? std::optional(0.0) : std::nullopt;
  return static_cast<double>(count.value) * (static_cast<double>(count.enabled) / static_cast<double>(count.running));
}

/// The system's setting of who may count; "" if it has none.
std::string paranoia() {
  std::ifstream in("/proc/sys/kernel/perf_event_paranoid");
  std::string level;
  in >> level;
  return level;
}

}  // namespace

std::vector<std::string> counter_names() {
  std::vector<std::string> names;
  for (const Event& event : kEvents) names.emplace_back(event.name);
  return names;
}

std::string why_not_counted(int error_number) {
  switch (error_number) {
    case EACCES:
    case EPERM: {
      const std::string level = paranoia();
      return "the system forbids it" + (level.empty() ? "" : " (kernel.perf_event_paranoid is " + level + ")") +
             "; set kernel.perf_event_paranoid to 2 or less, or give the process CAP_PERFMON, also in a container";
    }
    case ENOSYS: return "this system has no perf_event_open, or a container hides it";
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
    case EINVAL: return "the processor or the virtual machine does not offer it";
    case EMFILE:
    case ENFILE: return "too many files are open for a counter of each thread; raise ulimit -n";
    case EBUSY: return "other processes use the processor's counters";
    default: return std::string("the system answers: ") + std::generic_category().message(error_number);
  }
}

struct HardwareCounters::Impl {
  struct Opened {
    std::vector<int> descriptors;
    int error = 0;  ///< why a thread could not be counted
  };
  std::array<Opened, kEvents.size()> events;

  Impl() {
    const std::vector<pid_t> threads = threads_of_the_process();
    for (std::size_t i = 0; i < kEvents.size(); ++i) open(kEvents[i], threads, events[i]);
  }
  ~Impl() {
    for (Opened& opened : events) close(opened);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  static void open(const Event& event, const std::vector<pid_t>& threads, Opened& opened) {
    for (const pid_t thread : threads) {
      const int descriptor = open_event(event, thread);
      if (descriptor >= 0) {
        opened.descriptors.push_back(descriptor);
      } else if (errno != ESRCH) {  // a thread that has ended
        opened.error = errno;
        close(opened);  // the count of some threads would be no count
        return;
      }
    }
  }
  static void close(Opened& opened) {
    for (const int descriptor : opened.descriptors) ::close(descriptor);
    opened.descriptors.clear();
  }
};

HardwareCounters::HardwareCounters() : impl_(std::make_unique<Impl>()) {}
HardwareCounters::~HardwareCounters() = default;

CounterReading HardwareCounters::read() const {
  CounterReading reading;
  std::vector<std::pair<std::string, std::string>> reasons;  // why, and the counters that are absent for it
  const auto absent = [&](const char* name, const std::string& reason) {
    if (!reasons.empty() && reasons.back().first == reason) {
      reasons.back().second += std::string(", ") + name;
    } else {
      reasons.emplace_back(reason, name);
    }
  };
  for (std::size_t i = 0; i < kEvents.size(); ++i) {
    const Impl::Opened& opened = impl_->events[i];
    if (opened.error != 0) {
      absent(kEvents[i].name, why_not_counted(opened.error));
      continue;
    }
    double sum = 0;
    bool all = true;
    for (const int descriptor : opened.descriptors) {
      const std::optional<double> count = count_of(descriptor);
      all = all && count.has_value();
      sum += count.value_or(0.0);
    }
    if (all) {
      reading.values.push_back({kEvents[i].name, sum * kEvents[i].unit});
    } else {
      absent(kEvents[i].name, "the processor never scheduled it");
    }
  }
  for (const auto& [reason, names] : reasons) {
    reading.absent += (reading.absent.empty() ? "" : "; ") + ("not counted: " + names + ": " + reason);
  }
  return reading;
}

}  // namespace rizoma
