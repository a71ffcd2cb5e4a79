// HardwareCounters: what the processor and the system count of this process's threads (perf_event_open).
// Module: platform.
//
// Cycles, instructions, misses of the last cache, stalls, reads of memory (of any and of another node), and the time
// and the page faults of the threads.  A machine need not offer them, nor a container allow them: what is missing is
// said in a sentence, and is no Error.  What threads do in the system's kernel is not counted.  Where there are more
// than the processor can count at a time it takes turns, and values are scaled up.  Cost: a system call a counter.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace rizoma {

struct CounterValue {
  std::string name;
  double value = 0;  ///< of all threads
};

struct CounterReading {
  std::vector<CounterValue> values;  ///< of those that exist, in the order of counter_names()
  std::string absent;                ///< which are missing and why, with the remedy; "" if all are
};

/// cycles, instructions, cache_references, cache_misses (of the last cache), stalled_cycles, memory_reads,
/// remote_memory_reads (of another node's memory), processor_seconds, page_faults.
[[nodiscard]] std::vector<std::string> counter_names();

/// Why the system does not let a counter be opened, with the remedy: a sentence for an error number of perf_event_open.
[[nodiscard]] std::string why_not_counted(int error_number);

/// Counts from its construction on: all threads that the process then has, and those that they start.
class HardwareCounters {
 public:
  HardwareCounters();
  ~HardwareCounters();
  HardwareCounters(const HardwareCounters&) = delete;
  HardwareCounters& operator=(const HardwareCounters&) = delete;

  /// What was counted since the construction.
  [[nodiscard]] CounterReading read() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rizoma
