// Engine: runs blocks of work on threads, places vertex state, reports progress, stops on request.  Module: engine.
//
// Algorithms use the engine for all four and start no threads of their own.  Cost of a loop: one atomic add a block.
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/executor.h>
#include <rizoma/graph_view.h>
#include <rizoma/ids.h>
#include <rizoma/placement.h>
#include <rizoma/result.h>
#include <rizoma/traffic.h>
#include <rizoma/vertex_map.h>
#include <rizoma/vertex_set.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace rizoma {

// RankSettings: how the ranks of a run share the work.

/// The same on all ranks.
struct RankSettings {
  /// How ranks divide the sections: chunk (runs of equal work, where a vertex counts as a few entries), halves (runs of
  /// equal vertex counts) or round_robin.  None: round_robin if vertices are ordered by degree and the algorithm does
  /// not need runs; otherwise chunk.
  std::optional<PlacementPolicy> partition = std::nullopt;
  bool migration = true;                                ///< idle ranks steal work from others
  std::uint64_t cache_bytes = std::uint64_t{64} << 20;  ///< cache of the lists that a rank steals
  /// The rank of each section of a distributed graph; empty: `partition` decides.
  std::vector<unsigned> owners;
  /// Bytes of messages to another rank that are sent during a step; 0: all at its end.  None: chosen by the network; at
  /// the end where ranks share memory.
  std::optional<std::uint64_t> batch_bytes = std::nullopt;
  friend bool operator==(const RankSettings&, const RankSettings&) = default;
};

class Checkpoints;
class Ranks;

struct EngineOptions {
  unsigned threads = 0;                                   ///< 0: one for each processor that this process may use
  ProgressCallback progress;                              ///< may be empty
  PlacementPolicy placement = PlacementPolicy::in_place;  ///< other policies bind threads to nodes
  Tiers tiers;                     ///< where vertex state, frontiers and working copies of sections go
  std::optional<Placement> fixed;  ///< instead of `placement`: homes of threads, and of sections if it has any
  Ranks* ranks = nullptr;          ///< the processes that share the work; must outlive the engine; null: none
  std::uint64_t memory_limit = 0;  ///< bytes of this process, mapped lists included; 0: all free memory
  std::string state_directory;     ///< vertex state is in an unnamed file there; empty: in memory
};

/// Entries [begin, end) of the list of one vertex.
struct ListPiece {
  VertexId vertex = 0;
  EdgeCount begin = 0;
  EdgeCount end = 0;
};

/// Whether a loop must visit a range of vertices: false only if the body would do nothing there.  Called before the
/// loop begins, too.
using SectionFilter = FunctionRef<bool(VertexRange)>;

struct Topology;
struct MachineMemory;

/// Each engine owns its threads; several engines may exist side by side.
///
/// Loops of two threads that share an engine run one after the other.  A nested loop runs on the thread that started
/// it, under that thread's number.  A loop too small to share runs on the calling thread alone.  Errors: cancelled.
class Engine final : public Executor {
 public:
  explicit Engine(EngineOptions options = {});
  /// For another machine, in tests: its nodes with processors are the homes.
  Engine(EngineOptions options, const Topology& topology);
  /// The same with synthetic memory.
  Engine(EngineOptions options, const MachineMemory& machine);
  ~Engine() override;

  [[nodiscard]] unsigned threads() const noexcept override;
  /// The processes that share the work; null for one process.  Loops over a graph visit the vertices of this rank only;
  /// Sweep, gather and process_vertices combine the results of all ranks.
  [[nodiscard]] Ranks* ranks() const noexcept;
  /// Work of all loops since the last reset (traffic.h).  Both wait for a running loop; not from within one.
  [[nodiscard]] Traffic traffic() const;
  void reset_traffic();
  /// The homes of this graph's sections and of the threads.  Errors: invalid_argument (the fixed placement belongs to
  /// another graph).
  [[nodiscard]] Result<Placement> placement(const GraphView& graph);
  /// Seconds of processor time of a sweep in each section, as measured by `adaptive` so far (src/placement/adaptive.h:
  /// WorkAverage).  Empty before the first sweep over this graph, and under other policies.
  [[nodiscard]] std::vector<double> measured_work(const GraphView& graph);
  [[nodiscard]] PlacementPolicy policy() const noexcept;
  /// The memory tier of each structure.
  [[nodiscard]] const Tiers& tiers() const noexcept;
  /// Ok if the machine has the requested tiers.  Otherwise vertex state is in ordinary memory.
  /// Errors: unsupported (no memory of a tier, or the system refuses to bind it), with the remedy.
  [[nodiscard]] const Status& tiers_status() const noexcept;
  /// The same graph with its sections in their tiers, loaded with progress (working_copy.h).
  /// Errors: those of tiers_status, placement and load_sections.
  [[nodiscard]] Result<GraphView> working_copy(const GraphView& graph);
  void set_progress(ProgressCallback callback);
  /// Where the next call saves the state of its iteration (iteration.h); null: nowhere.  Must outlive the call.
  void set_checkpoints(Checkpoints* checkpoints) noexcept;
  /// The same, for the iteration that they are for: the next one finds none.
  [[nodiscard]] Checkpoints* take_checkpoints() noexcept;

  /// Stops the running call soon, or the next one if none runs; it then returns ErrorCode::cancelled.  From any thread.
  void request_stop() noexcept;

  /// Bytes of this graph's lists that memory may hold; 0: memory holds all of them.
  [[nodiscard]] std::uint64_t room_for_lists(const GraphView& graph);

  [[nodiscard]] bool stopping() const noexcept override;
  Status report(std::string_view phase, double done, double total) override;
  void parallel(FunctionRef<void(unsigned thread)> body) override;
  Status for_blocks(std::uint64_t size, std::uint64_t grain,
                    FunctionRef<void(VertexRange block, unsigned thread)> body) override;

  /// for_blocks over the vertices of the graph, in blocks of at most 64 vertices, aligned to 64, so that a block owns
  /// its words of a VertexSet.  Threads take blocks of their home sections first.
  Status for_vertices(const GraphView& graph, FunctionRef<void(VertexRange block, unsigned thread)> body);

  /// for_vertices, for bodies that walk the lists of one direction, in ranges of about equal entries, cut anywhere, so
  /// that hubs do not hold up the loop.  `in` needs has_in_edges().  `filter` (null: all sections): where memory cannot
  /// hold the graph, the loop neither visits nor reads the other sections.
  Status for_edges(const GraphView& graph, Direction direction,
                   FunctionRef<void(VertexRange block, unsigned thread)> body, const SectionFilter* filter = nullptr);

  /// for_edges, with the lists of hubs cut into pieces, each entry once; other vertices come whole.
  Status for_pieces(const GraphView& graph, Direction direction,
                    FunctionRef<void(VertexRange block, unsigned thread)> whole,
                    FunctionRef<void(ListPiece piece, unsigned thread)> piece, const SectionFilter* filter = nullptr);

  /// for_vertices, for bodies that walk the lists of one direction, in blocks of at most 64.
  Status for_words(const GraphView& graph, Direction direction,
                   FunctionRef<void(VertexRange block, unsigned thread)> body);

  /// The vertices of a list (a frontier), `grain` at once, in any order, whose out-edges the body walks.  `entries`:
  /// the sum of their degrees if the caller knows it, which saves counting; 0: the body walks no lists.
  Status for_list(const GraphView& graph, std::span<const std::uint32_t> list, std::uint64_t grain,
                  FunctionRef<void(std::span<const std::uint32_t> vertices, unsigned thread)> body,
                  std::optional<EdgeCount> entries = {});
  Status for_list(const GraphView& graph, std::span<const std::uint64_t> list, std::uint64_t grain,
                  FunctionRef<void(std::span<const std::uint64_t> vertices, unsigned thread)> body,
                  std::optional<EdgeCount> entries = {});

  /// n values equal to `init`, aligned to cache lines, on huge pages where these help, in the tier of their structure.
  /// In place, and with several homes, a thread of a page's home touches it first (homes of the graph placed last).
  /// Throws std::bad_alloc.
  template <class T>
  [[nodiscard]] VertexMap<T> make_map(VertexId n, T init, Structure structure = Structure::vertex_state) {
    bool zeros = false;
    if constexpr (std::is_arithmetic_v<T>) zeros = init == T{} && !touches_at_home(structure);
    VertexMap<T> map(allocate(n * sizeof(T), n, structure, zeros), n);
    if (zeros) return map;  // fresh memory is zero, and in place
    T* data = map.data();
    fill_blocks(n, structure, [&](VertexRange block) {
      for (VertexId v = block.begin; v < block.end; ++v) data[v] = init;
    });
    return map;
  }
  /// The same, uninitialised: write a value before you read it.
  template <class T>
  [[nodiscard]] VertexMap<T> make_unset_map(VertexId n, Structure structure = Structure::vertex_state) {
    if (touches_at_home(structure)) return make_map(n, T{}, structure);
    return {allocate(n * sizeof(T), n, structure, false), n};
  }
  /// The empty subset of 0..n-1, in the tier of frontiers.
  [[nodiscard]] VertexSet make_set(VertexId n) {
    return {n, allocate(VertexSet::words_of(n) * sizeof(std::uint64_t), n, Structure::frontiers, true)};
  }

 private:
  friend class ListCounter;
  VertexMemory allocate(std::size_t bytes, VertexId n, Structure structure, bool zeros);
  [[nodiscard]] bool touches_at_home(Structure structure) const noexcept;
  void fill_blocks(VertexId n, Structure structure, FunctionRef<void(VertexRange)> fill);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Counts the lists that a kernel reads outside the engine's loops, for the traffic report: buckets of a shortest-path
/// search, searches of one thread each.  Its destructor reports the remainder.
class ListCounter {
 public:
  /// The counter of one thread; for that thread only.
  class alignas(64) OfThread {
   public:
    void add(VertexId v, EdgeCount entries) noexcept {  ///< a list was read
      WorkCount& work = by_home_[homes_ == nullptr ? home_ : homes_[v >> section_bits_]];
      ++work.vertices;
      work.edges += entries;
    }

   private:
    friend class ListCounter;
    const unsigned* homes_ = nullptr;  ///< by section; null: all in home_
    unsigned section_bits_ = 0;
    unsigned home_ = 0;
    std::vector<WorkCount> by_home_;
  };

  ListCounter(Engine& engine, const GraphView& graph);
  ~ListCounter() { end_sweep(); }
  ListCounter(const ListCounter&) = delete;
  ListCounter& operator=(const ListCounter&) = delete;

  [[nodiscard]] OfThread& operator[](unsigned thread) noexcept { return of_threads_[thread]; }
  /// Reports the reads since the last call as one sweep.  Not while threads count.
  void end_sweep();

 private:
  Engine& engine_;
  std::uint64_t target_bytes_ = 0;
  std::shared_ptr<const Placement> placement_;
  std::vector<OfThread> of_threads_;
};

}  // namespace rizoma
