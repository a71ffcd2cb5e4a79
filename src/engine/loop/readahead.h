// Readahead: the lists of a graph that memory cannot hold are read from their file just before a sweep needs them.
//
// Why.  Left alone, the system reads mapped files in great windows around each page that is asked for, half after it
// where a sweep is, and lets go of what the sweep comes to next: of a store of twice the memory it read more than twice
// as much as there is in each iteration (docs/measurements/scale.md).  So the system is advised to read the lists of
// such a graph page by page, and sweeps, who know what comes next, ask for it (sweep_readahead.h).  Searches that read
// few lists read only those.  Graphs that memory holds are left alone.
// Memory is what is free, or what is left of the process's limit if it has one; the lists of a graph may then take half
// of that, and what a sweep has passed beyond it is let go.
// Cost: one question about free memory for each great graph that an engine meets, and one page of each section.
#pragma once

#include <rizoma/graph_view.h>

#include "platform/mutex.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace rizoma {

class Readahead {
 public:
  using Bytes = std::span<const std::byte>;
  /// What is asked of the system.
  struct Calls {
    std::function<std::uint64_t()> free_memory;  ///< bytes; 0: not known
    std::function<void(Bytes)> no_more_than_asked;
    std::function<void(Bytes)> as_usual;
    std::function<void(Bytes)> begin_reading;
    std::function<void(Bytes)> let_go;             ///< none: the system knows best
    std::function<std::uint64_t()> mapped_memory;  ///< bytes of mapped files in memory; with let_go
  };
  /// The state that loops share about the lists of one direction of a large graph.
  struct Lists {
    std::vector<std::uint32_t> lengths;  ///< entries of the image of each section
    SectionId kept = 0;                  ///< the first section to release once a sweep has passed it
    std::uint64_t entry_bytes = 0;       ///< of target and weight, which is after all targets of a section
    std::uint64_t room = 0;              ///< bytes of these lists that memory may hold
    std::size_t window = 0;              ///< bytes that are asked for ahead of a sweep
  };
  static constexpr std::size_t kWindow = 8u << 20;         ///< asked for ahead where memory is not shorter still
  static constexpr std::size_t kLeastWindow = 256u << 10;  ///< less than that and each wait is one for the device
  static constexpr std::uint64_t kGreat = 16u << 20;       ///< bytes of lists that are worth a question

  /// `memory_limit`: bytes that the process may take; 0: the free memory.
  explicit Readahead(std::uint64_t memory_limit = 0);
  /// With synthetic memory, for tests.
  explicit Readahead(Calls calls);
  ~Readahead();
  Readahead(const Readahead&) = delete;
  Readahead& operator=(const Readahead&) = delete;

  [[nodiscard]] const Calls& calls() const noexcept { return calls_; }
  /// The readahead of a sweep over these lists; null if memory holds the graph.  From any thread.
  [[nodiscard]] std::shared_ptr<const Lists> lists_of(const GraphView& graph, Direction direction);

  /// Before a loop that reads lists of the graph: releases those that do not stay, if all exceed their memory.  From
  /// any thread.
  void keep_within_limit(const GraphView& graph);

 private:
  void learn(const GraphView& graph) RIZOMA_REQUIRES(mutex_);
  void forget() RIZOMA_REQUIRES(mutex_);

  const Calls calls_;
  Mutex mutex_;
  const void* graph_ RIZOMA_GUARDED_BY(mutex_) = nullptr;
  std::weak_ptr<const void> owner_ RIZOMA_GUARDED_BY(mutex_);
  std::vector<Bytes> stretches_ RIZOMA_GUARDED_BY(mutex_);  ///< of the file, ascending; none: memory is enough
  std::array<std::shared_ptr<const Lists>, 2> lists_ RIZOMA_GUARDED_BY(mutex_);  ///< out, in
};

}  // namespace rizoma
