// ReadAhead: the lists of a graph that memory cannot hold are read from their file just before a sweep needs them.
//
// Why.  Left alone, the system reads mapped files in great windows around each page that is asked for, half behind
// where a sweep is, and lets go of what the sweep comes to next: of a store of twice the memory it read more than twice
// as much as there is in each iteration (docs/measurements/scale.md).  So the lists of such a graph are told to be read
// page by page, and sweeps, who know what comes next, ask for it.  Searches that read few lists read only those.
// Graphs that memory holds are left alone.  Cost: one question about free memory for each great graph that an engine
// meets; in a sweep one comparison a stretch of work, and a system call every 128 KiB (reading.cpp says why so often).
#pragma once

#include <rizoma/graph_view.h>

#include "platform/mutex.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace rizoma {

class ReadAhead {
 public:
  using Bytes = std::span<const std::byte>;
  /// What is asked of the system.
  struct Calls {
    std::function<std::uint64_t()> free_memory;  ///< bytes; 0: not known
    std::function<void(Bytes)> no_more_than_asked;
    std::function<void(Bytes)> as_usual;
    std::function<void(Bytes)> begin_reading;
  };
  static constexpr std::size_t kWindow = 8u << 20;    ///< bytes that are asked for ahead of a sweep
  static constexpr std::uint64_t kGreat = 16u << 20;  ///< bytes of lists that are worth a question

  explicit ReadAhead(unsigned homes);
  /// With made-up memory, for tests.
  ReadAhead(unsigned homes, Calls calls);
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  /// Whether sweeps over this graph are to say where they are.  From any thread.
  [[nodiscard]] bool wanted(const GraphView& graph);

  /// A sweep has come to this place of the lists of the graph that was last asked about.  From any thread; those that
  /// work for one home are near each other.
  void reached(const void* place, unsigned home);

 private:
  /// Where what was asked for ends.
  struct alignas(64) Mark {
    std::atomic<const std::byte*> end = nullptr;
  };

  void learn(const GraphView& graph) RIZOMA_REQUIRES(mutex_);
  void forget() RIZOMA_REQUIRES(mutex_);
  [[nodiscard]] Bytes rest_of_stretch(const std::byte* place);

  const Calls calls_;
  std::vector<Mark> marks_;  ///< by home
  Mutex mutex_;
  const void* graph_ RIZOMA_GUARDED_BY(mutex_) = nullptr;
  std::weak_ptr<const void> owner_ RIZOMA_GUARDED_BY(mutex_);
  std::vector<Bytes> stretches_ RIZOMA_GUARDED_BY(mutex_);  ///< of the file, ascending; none: memory is enough
};

}  // namespace rizoma
