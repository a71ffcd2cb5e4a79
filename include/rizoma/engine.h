// Engine: runs blocks of work on threads, places vertex state, reports progress, stops on request.
// Algorithms ask the engine for all three and start no threads of their own.  Module: engine.
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
  /// How sections are divided: chunk (runs with equally much work, a vertex counted as a few entries), halves (runs
  /// with equally many vertices) or round_robin.  None: chunk, but round_robin where vertices are in order of degree,
  /// unless the work needs runs.
  std::optional<PlacementPolicy> partition = std::nullopt;
  bool migration = true;                                ///< a rank that has nothing left takes work of others
  std::uint64_t cache_bytes = std::uint64_t{64} << 20;  ///< of lists that a rank reads for that, and keeps
  /// The rank of each section, of a graph whose parts lie where they belong; empty: `partition` says.
  std::vector<unsigned> owners;
  /// Of messages to another rank's vertices, which leave before a sweep has ended; 0: all at its end.  None: as the
  /// network is, at its end where ranks share memory.
  std::optional<std::uint64_t> batch_bytes = std::nullopt;
  friend bool operator==(const RankSettings&, const RankSettings&) = default;
};

class Ranks;

struct EngineOptions {
  unsigned threads = 0;                                   ///< 0: one for each processor this process may use
  ProgressCallback progress;                              ///< may be empty
  PlacementPolicy placement = PlacementPolicy::in_place;  ///< other policies bind threads to nodes
  Tiers tiers;                     ///< where vertex state, frontiers and working copies of sections go
  std::optional<Placement> fixed;  ///< instead of `placement`: homes of threads, and of sections if it has any
  Ranks* ranks = nullptr;  ///< the processes that share the work, which outlive the engine; null: this one alone
  std::uint64_t memory_limit = 0;  ///< bytes that the process is to take, lists of graphs in files too; 0: what is free
  std::string state_directory;     ///< vertex state lies in a file there that nobody else sees; empty: in memory
};

/// Entries [begin, end) of the list of one vertex.
struct ListPiece {
  VertexId vertex = 0;
  EdgeCount begin = 0;
  EdgeCount end = 0;
};

/// Whether a loop is to come to a range of vertices: false only if the body would do nothing there.  It may be asked
/// before the loop begins.
using SectionFilter = FunctionRef<bool(VertexRange)>;

struct Topology;
struct MachineMemory;

/// One engine owns its threads; several engines may live side by side.
///
/// Loops of two threads that share an engine run one after the other.  A loop started inside the
/// body of another loop of the same engine runs on the thread that started it, under that thread's
/// number.  A loop too small to share runs on the calling thread and wakes nobody.
class Engine final : public Executor {
 public:
  explicit Engine(EngineOptions options = {});
  /// For a machine other than this one, as tests need it: its nodes with processors are the homes.
  Engine(EngineOptions options, const Topology& topology);
  /// The same with made-up memory, too.
  Engine(EngineOptions options, const MachineMemory& machine);
  ~Engine() override;

  [[nodiscard]] unsigned threads() const noexcept override;
  /// The processes that share the work; null if there is none but this.  Loops over a graph then go over the vertices
  /// of this rank only; Sweep, gather and process_vertices bring together what the ranks find.
  [[nodiscard]] Ranks* ranks() const noexcept;
  /// Work of all loops since the last reset; see traffic.h.  Both wait for a loop that runs; not from within one.
  [[nodiscard]] Traffic traffic() const;
  void reset_traffic();
  /// Where the sections of this graph and the threads belong.  Errors: invalid_argument if the fixed
  /// placement is not one of this graph.
  [[nodiscard]] Result<Placement> placement(const GraphView& graph);
  /// Seconds of processor time that a sweep spends on each section of the graph, as `adaptive` has measured them
  /// so far (src/placement/adaptive.h: WorkAverage).  Empty before a sweep over this graph, and under other policies.
  [[nodiscard]] std::vector<double> measured_work(const GraphView& graph);
  [[nodiscard]] PlacementPolicy policy() const noexcept;
  /// Where each structure goes.
  [[nodiscard]] const Tiers& tiers() const noexcept;
  /// Whether the machine has the tiers that were asked for.  If it has not, vertex state lies in ordinary
  /// memory.  Errors: unsupported (no memory of a tier, or binding is refused), with the remedy.
  [[nodiscard]] const Status& tiers_status() const noexcept;
  /// The same graph with its sections where the tiers say, loaded with progress; see working_copy.h.
  /// Errors: those of tiers_status, placement and load_sections.
  [[nodiscard]] Result<GraphView> working_copy(const GraphView& graph);
  void set_progress(ProgressCallback callback);

  /// Asks the running call to stop soon; it then returns ErrorCode::cancelled.  From any thread.
  /// With no call running, the next one is stopped.
  void request_stop() noexcept;

  /// Bytes of its lists that memory may hold; 0: memory holds the whole graph.
  [[nodiscard]] std::uint64_t room_for_lists(const GraphView& graph);

  [[nodiscard]] bool stopping() const noexcept override;
  Status report(std::string_view phase, double done, double total) override;
  void parallel(FunctionRef<void(unsigned thread)> body) override;
  Status for_blocks(std::uint64_t size, std::uint64_t grain,
                    FunctionRef<void(VertexRange block, unsigned thread)> body) override;

  /// As for_blocks over the vertices of the graph, in blocks of at most 64 vertices (multiples of 64
  /// apart from the ends, so that a block owns its words of a VertexSet) which threads take from
  /// their home sections first.
  Status for_vertices(const GraphView& graph, FunctionRef<void(VertexRange block, unsigned thread)> body);

  /// As for_vertices, for bodies that walk the lists of one direction: the vertices come in ranges of
  /// about equally many entries, cut anywhere, so that a few great vertices do not hold up the loop.
  /// `in` needs has_in_edges().  `needs` (null: always): where memory cannot hold the graph, sections that are not
  /// needed are left out, and not read.
  Status for_edges(const GraphView& graph, Direction direction,
                   FunctionRef<void(VertexRange block, unsigned thread)> body, const SectionFilter* filter = nullptr);

  /// As for_edges, but a great list (a hub's) is handed out in pieces, each entry once, so that one
  /// vertex does not hold up the loop; other vertices come whole.
  Status for_pieces(const GraphView& graph, Direction direction,
                    FunctionRef<void(VertexRange block, unsigned thread)> whole,
                    FunctionRef<void(ListPiece piece, unsigned thread)> piece, const SectionFilter* filter = nullptr);

  /// As for_vertices, for bodies that walk the lists of one direction: those of blocks of at most 64.
  Status for_words(const GraphView& graph, Direction direction,
                   FunctionRef<void(VertexRange block, unsigned thread)> body);

  /// The vertices of a list (a frontier), `grain` at once, in any order, whose out-edges the body walks.
  /// `entries`: how many these are if the caller knows, which saves counting them; 0: the body walks no lists.
  Status for_list(const GraphView& graph, std::span<const std::uint32_t> list, std::uint64_t grain,
                  FunctionRef<void(std::span<const std::uint32_t> vertices, unsigned thread)> body,
                  std::optional<EdgeCount> entries = {});
  Status for_list(const GraphView& graph, std::span<const std::uint64_t> list, std::uint64_t grain,
                  FunctionRef<void(std::span<const std::uint64_t> vertices, unsigned thread)> body,
                  std::optional<EdgeCount> entries = {});

  /// n values, aligned to cache lines, on huge pages where they help, all equal to `init`, where the tier of their
  /// structure is; in place, and with several homes, each page is first touched by a thread of the home
  /// whose vertices it belongs to (of the graph that was placed last).  Throws std::bad_alloc if the memory
  /// is not there.
  template <class T>
  [[nodiscard]] VertexMap<T> make_map(VertexId n, T init, Structure structure = Structure::vertex_state) {
    bool zeros = false;
    if constexpr (std::is_arithmetic_v<T>) zeros = init == T{} && !touches_at_home(structure);
    VertexMap<T> map(allocate(n * sizeof(T), n, structure, zeros), n);
    if (zeros) return map;  // fresh memory is zero, and lies where it should
    T* data = map.data();
    fill_blocks(n, structure, [&](VertexRange block) {
      for (VertexId v = block.begin; v < block.end; ++v) data[v] = init;
    });
    return map;
  }
  /// The same with whatever the memory holds, for those who write a value before they read it.
  template <class T>
  [[nodiscard]] VertexMap<T> make_unset_map(VertexId n, Structure structure = Structure::vertex_state) {
    if (touches_at_home(structure)) return make_map(n, T{}, structure);
    return {allocate(n * sizeof(T), n, structure, false), n};
  }
  /// The empty subset of 0..n-1, where frontiers go.
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

/// Counts the lists that a kernel reads outside the engine's loops over vertices and lists, for the traffic:
/// buckets of a shortest-path search, searches of one thread each.  Hands over what is left at its end.
class ListCounter {
 public:
  /// What one thread reads; for that thread only.
  class alignas(64) OfThread {
   public:
    void add(VertexId v, EdgeCount entries) noexcept {
      WorkCount& work = by_home_[homes_ == nullptr ? home_ : homes_[v >> section_bits_]];
      ++work.vertices;
      work.edges += entries;
    }

   private:
    friend class ListCounter;
    const unsigned* homes_ = nullptr;  ///< by section; null: all at home_
    unsigned section_bits_ = 0;
    unsigned home_ = 0;
    std::vector<WorkCount> by_home_;
  };

  ListCounter(Engine& engine, const GraphView& graph);
  ~ListCounter() { end_sweep(); }
  ListCounter(const ListCounter&) = delete;
  ListCounter& operator=(const ListCounter&) = delete;

  [[nodiscard]] OfThread& operator[](unsigned thread) noexcept { return of_threads_[thread]; }
  /// What was read since the last call is one sweep of the traffic.  Not while threads count.
  void end_sweep();

 private:
  Engine& engine_;
  std::uint64_t target_bytes_ = 0;
  std::shared_ptr<const Placement> placement_;
  std::vector<OfThread> of_threads_;
};

}  // namespace rizoma
