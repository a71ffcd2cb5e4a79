#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>

#include "base/check.h"
#include "engine/loop/readahead.h"
#include "engine/loop/sweep_readahead.h"
#include "engine/loop/work_lists.h"
#include "engine/loop/work_tally.h"
#include "engine/loop/worker_group.h"
#include "engine/state/machine_memory.h"
#include "engine/state/page_pool.h"
#include "engine/state/state_files.h"
#include "engine/state/state_memory.h"
#include "platform/clock.h"
#include "platform/mutex.h"
#include "platform/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

namespace rizoma {
namespace {

constexpr double kReportSeconds = 0.05;
constexpr VertexId kWord = 64;

// Work (vertices + entries) handed out at once: enough to make the counter and the search for the
// vertices free, little enough to keep threads level.
constexpr std::uint64_t kLeastWork = 1024;
constexpr std::uint64_t kMostWork = 32768;
constexpr std::uint64_t kSharesPerThread = 32;
constexpr std::uint64_t kHelpersShare = 4;  // a thread that helps another home takes this much less at once

constexpr VertexId kFillGrain = 1 << 17;  // items of a map filled at once: a huge page of 16-byte values

constexpr std::size_t kInParts = std::size_t{256} << 10;       // bytes of a map that a rank writes in parts
constexpr std::size_t kSmallFrontier = std::size_t{64} << 10;  // sets that many sweeps make: no system call for each

Error cancelled() { return {ErrorCode::cancelled, "stopped on request"}; }

/// How much of one list has been handed out.  Apart from its neighbours: threads of different homes
/// shall not disturb each other.
struct alignas(64) Counter {
  std::uint64_t take(std::uint64_t amount) noexcept { return next.fetch_add(amount, std::memory_order_relaxed); }
  std::atomic<std::uint64_t> next{0};
};

/// A stretch of a list, as threads take them from the lists of all homes.
struct VertexChunk {
  unsigned thread;
  unsigned home;
  std::uint64_t begin;
  std::uint64_t end;
};

/// Lists to be emptied together, one a home.
struct Lists {
  std::vector<std::uint64_t> sizes;
  std::uint64_t grain;

  [[nodiscard]] std::uint64_t total() const { return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}); }
};

/// A loop over all vertices.
struct SharedLoop {
  Direction direction;
  Cut at;
  bool reads_lists;  ///< the body walks the vertices' lists
  FunctionRef<void(VertexRange, unsigned)> whole;
  const FunctionRef<void(ListPiece, unsigned)>* piece = nullptr;
  const SectionFilter* filter = nullptr;
};

/// Entries that the lists at places [first, end) have more than the section's own, modulo 2^64.
EdgeCount growth(const DeltaLists& changed, const std::uint32_t* offsets, VertexId first, VertexId end) {
  EdgeCount more = 0;
  for (VertexId word = first / 64; word * 64 < end; ++word) {
    for (std::uint64_t bits = changed.places[word]; bits != 0; bits &= bits - 1) {
      const VertexId place = word * 64 + static_cast<VertexId>(std::countr_zero(bits));
      if (place >= first && place < end) more += changed.size(place) - (offsets[place + 1] - offsets[place]);
    }
  }
  return more;
}

/// The lengths of lists, for any type of targets.
class ListSizes {
 public:
  explicit ListSizes(const GraphView::AnyAdjacency& edges) {
    std::visit([this](const auto& lists) { take(lists); }, edges);
  }

  [[nodiscard]] unsigned section_bits() const noexcept { return section_bits_; }
  [[nodiscard]] SectionId section_of(VertexId v) const noexcept { return v >> section_bits_; }
  [[nodiscard]] SectionId sections() const noexcept { return sections_; }

  [[nodiscard]] EdgeCount entries(VertexRange range) const { return entries_(edges_, range); }
  /// The place of a vertex's list in the image of its section; none if another list replaces it.
  [[nodiscard]] std::span<const std::byte> bytes_of(VertexId v) const { return bytes_of_(edges_, v); }
  [[nodiscard]] WorkCount work_of(std::uint64_t vertices, EdgeCount edges) const noexcept {
    return {1, vertices, edges, vertices * sizeof(std::uint32_t) + edges * target_bytes_};
  }

 private:
  template <class Target>
  void take(const Adjacency<Target>& edges) {
    edges_ = &edges;
    section_bits_ = edges.section_bits();
    sections_ = edges.num_sections();
    target_bytes_ = sizeof(Target);
    bytes_of_ = [](const void* of, VertexId v) {
      const auto& lists = *static_cast<const Adjacency<Target>*>(of);
      const SectionEdges<Target>& section = lists.section(lists.section_of(v));
      const VertexId place = v - lists.range_of(lists.section_of(v)).begin;
      if (section.changed != nullptr && section.changed->has(place) && section.in_one_piece(place))
        return std::span<const std::byte>();
      const std::uint32_t* const ends = section.offsets + place;
      return std::as_bytes(std::span(section.targets + ends[0], ends[1] - ends[0]));
    };
    entries_ = [](const void* of, VertexRange range) {
      const auto& lists = *static_cast<const Adjacency<Target>*>(of);
      EdgeCount sum = 0;
      for (VertexId v = range.begin; v < range.end;) {
        const VertexRange range_of_section = lists.range_of(lists.section_of(v));
        const SectionEdges<Target>& section = lists.section(lists.section_of(v));
        const VertexId first = v - range_of_section.begin;
        v = std::min(range_of_section.end, range.end);
        const VertexId end = v - range_of_section.begin;
        sum += section.offsets[end] - section.offsets[first];
        if (section.changed != nullptr) {
          const bool all = first == 0 && v == range_of_section.end;
          sum += all ? static_cast<EdgeCount>(section.changed->growth)
                     : growth(*section.changed, section.offsets, first, end);
        }
      }
      return sum;
    };
  }

  const void* edges_ = nullptr;
  EdgeCount (*entries_)(const void*, VertexRange) = nullptr;
  std::span<const std::byte> (*bytes_of_)(const void*, VertexId) = nullptr;
  unsigned section_bits_ = 0;
  SectionId sections_ = 0;
  std::uint64_t target_bytes_ = 0;
};

/// For each section whether a loop visits it; empty: every section.
std::vector<char> needed_sections(const GraphView& graph, const ListSizes& sizes, const SectionFilter* filter) {
  std::vector<char> needed;
  if (filter == nullptr) return needed;
  const VertexId size = VertexId{1} << sizes.section_bits();
  for (VertexId v = 0; v < graph.num_vertices(); v += size)
    needed.push_back((*filter)({v, std::min(v + size, graph.num_vertices())}) ? 1 : 0);
  return needed;
}

/// Time spent on sections: each thread records its own, the caller adds them up.
class SectionClock {
 public:
  SectionClock(bool on, unsigned threads) : notes_(on ? threads : 0) {}

  /// Runs f, noting its time for a section.
  template <class F>
  void time(unsigned thread, SectionId section, F&& f) {
    if (notes_.empty()) {
      f();
      return;
    }
    const ThreadStopwatch watch;  // other load of the machine does not count for the section
    f();
    notes_[thread].value.push_back({section, watch.seconds()});
  }
  [[nodiscard]] bool on() const noexcept { return !notes_.empty(); }
  [[nodiscard]] std::vector<double> of_sections(SectionId sections) const {
    std::vector<double> seconds(sections);
    for (const auto& thread : notes_) {
      for (const Note& note : thread.value) seconds[note.section] += note.seconds;
    }
    return seconds;
  }

 private:
  struct Note {
    SectionId section;
    double seconds;
  };
  struct alignas(64) OfThread {
    std::vector<Note> value;
  };
  std::vector<OfThread> notes_;
};

}  // namespace

struct Engine::Impl {
  Impl(EngineOptions options, const MachineMemory& machine)
      : workers(options, machine.topology),
        memory(workers.base(), workers.asked_tiers(), machine),
        readahead(options.memory_limit),
        state_files(options.state_directory.empty() ? nullptr : std::make_shared<StateFiles>(options.state_directory)),
        pool(options.threads != 0 ? options.threads : static_cast<unsigned>(workers.base().home_of_thread.size()),
             workers.base().processor_of_thread),
        progress(std::move(options.progress)),
        ranks(options.ranks != nullptr && options.ranks->size() > 1 ? options.ranks : nullptr),
        tally(workers.homes(), workers.set_threads(pool.threads())) {}

  /// The engine and thread number that the present thread works for, which makes nested loops safe.
  struct Working {
    const Impl* engine = nullptr;
    unsigned thread = 0;
  };
  static thread_local Working working;

  /// Marks the present thread as working for an engine while it lives.
  class WorkingScope {
   public:
    WorkingScope(const Impl* engine, unsigned thread) noexcept : before_(std::exchange(working, {engine, thread})) {}
    ~WorkingScope() { working = before_; }
    WorkingScope(const WorkingScope&) = delete;
    WorkingScope& operator=(const WorkingScope&) = delete;

   private:
    Working before_;
  };

  /// Whether the running loop must hand out nothing more.
  [[nodiscard]] bool over() const noexcept {
    return stop.load(std::memory_order_relaxed) || failed.load(std::memory_order_relaxed);
  }
  [[nodiscard]] bool nested() const noexcept { return working.engine == this; }
  /// Of a map: whether this process writes the values of its own vertices and of mirrors alone.
  [[nodiscard]] bool in_parts(std::size_t bytes) const noexcept {
    return ranks != nullptr && bytes >= kInParts && !ranks->reads_all_lists();
  }

  void poll();
  void fill_at_home(const Placement& placement, unsigned section_bits, VertexId n, FunctionRef<void(VertexRange)> fill);
  void run_all(FunctionRef<void(unsigned)> body);
  void run(bool alone, FunctionRef<void(unsigned)> body);
  Status loop(bool small, bool counted, FunctionRef<void(unsigned)> work);
  Status empty(const Lists& lists, FunctionRef<void(const VertexChunk&)> body);
  Status empty_by_thread(std::uint64_t size, std::uint64_t grain, FunctionRef<void(const VertexChunk&)> body);
  Status share(const GraphView& graph, const SharedLoop& shared);
  template <class Vertex>
  Status share_list(const GraphView& graph, std::span<const Vertex> list, std::uint64_t grain,
                    FunctionRef<void(std::span<const Vertex>, unsigned)> body, std::optional<EdgeCount> entries);
  template <class Vertex>
  void count_vertices(const ListSizes& sizes, const Placement* placement, unsigned thread,
                      std::span<const Vertex> vertices, bool walks);

  WorkerGroup workers;
  StateMemory memory;
  Readahead readahead;
  const std::shared_ptr<StateFiles> state_files;                  ///< null: state is in memory
  std::shared_ptr<PagePool> kept = std::make_shared<PagePool>();  ///< with several homes pages have their places
  ThreadPool pool;
  Mutex turn;  ///< held by the thread whose loop runs
  std::atomic<bool> stop{false};
  std::atomic<bool> failed{false};  ///< a body of the running loop threw: hand out no more

  ProgressCallback progress RIZOMA_GUARDED_BY(turn);
  Ranks* const ranks;
  Checkpoints* checkpoints = nullptr;
  std::string phase RIZOMA_GUARDED_BY(turn);
  double done RIZOMA_GUARDED_BY(turn) = 0;
  double total RIZOMA_GUARDED_BY(turn) = 0;
  Stopwatch since_report RIZOMA_GUARDED_BY(turn);

  WorkTally tally;
};

thread_local Engine::Impl::Working Engine::Impl::working;

/// Calls the progress callback if it is time.  For the thread that began the loop: it holds `turn`.
void Engine::Impl::poll() {
  turn.assume_held();
  if (!progress || since_report.seconds() < kReportSeconds) return;
  since_report.restart();
  if (!progress(Progress{phase, done, total})) stop.store(true, std::memory_order_relaxed);
}

/// Runs body on every thread of the pool.  If one throws, `failed` stops the loop on the others, and the pool passes
/// the exception to the caller.
void Engine::Impl::run_all(FunctionRef<void(unsigned)> body) {
  turn.assume_held();
  const auto as_thread = [this](unsigned thread, auto&& f) {
    const WorkingScope scope(this, thread);
    try {
      f();
    } catch (...) {
      failed.store(true, std::memory_order_relaxed);
      throw;
    }
  };
  const auto work = [&](unsigned thread) { as_thread(thread, [&] { body(thread); }); };
  const auto poll_as_caller = [&] { as_thread(0, [this] { poll(); }); };
  if (progress) pool.run(work, {poll_as_caller, kReportSeconds});
  else pool.run(work);
}

/// Runs body on the caller alone or on every thread.  An exception ends the call: a request to stop that call does not
/// stop the next one.
void Engine::Impl::run(bool alone, FunctionRef<void(unsigned)> body) {
  try {
    if (alone) {
      const WorkingScope scope(this, 0);
      body(0);
    } else {
      run_all(body);
    }
  } catch (...) {
    stop.store(false, std::memory_order_relaxed);
    throw;
  }
}

/// Runs fill on the vertices of each section, by a thread of its home (any, if it has none).
void Engine::Impl::fill_at_home(const Placement& placement, unsigned section_bits, VertexId n,
                                FunctionRef<void(VertexRange)> fill) {
  std::vector<std::vector<SectionId>> of_home(placement.homes);
  for (SectionId s = 0; s < placement.home_of_section.size(); ++s) of_home[placement.home(s)].push_back(s);
  std::vector<Counter> counters(placement.homes);
  const auto fill_home = [&](unsigned home) {
    for (std::uint64_t i = 0; (i = counters[home].take(1)) < of_home[home].size();) {
      const VertexId begin = VertexId{of_home[home][i]} << section_bits;
      fill(VertexRange{begin, std::min(begin + (VertexId{1} << section_bits), n)});
    }
  };
  const MutexLock lock(turn);
  run_all([&](unsigned thread) { fill_home(workers.base().home_of_thread[thread]); });
  for (unsigned home = 0; home < placement.homes; ++home) fill_home(home);
}

/// Runs a loop whose threads all call `work` and return from it when nothing is left to do.  `counted`: it is a sweep
/// of the tally, which ends before another caller's loop can begin.
Status Engine::Impl::loop(bool small, bool counted, FunctionRef<void(unsigned)> work) {
  if (nested()) {
    work(working.thread);
    return over() ? Status(cancelled()) : Status();
  }
  const MutexLock lock(turn);
  failed.store(false, std::memory_order_relaxed);
  run(small || pool.threads() == 1, work);
  if (counted) tally.end_sweep(small ? 1 : pool.threads());
  return stop.exchange(false) ? Status(cancelled()) : Status();
}

/// Empties the lists: each thread that of its own home first; then it helps others, nearest first, in smaller pieces
/// and only where more is left than their own threads are about to finish.
Status Engine::Impl::empty(const Lists& lists, FunctionRef<void(const VertexChunk&)> body) {
  std::vector<Counter> counters(lists.sizes.size());
  const bool small = lists.total() <= lists.grain;
  const bool alone = small || nested() || pool.threads() == 1;
  return loop(small, true, [&](unsigned thread) {
    const unsigned own = workers.base().home_of_thread[thread];
    for (const unsigned home : workers.order(own)) {
      if (home >= lists.sizes.size()) continue;
      const bool helps = home != own && !alone && workers.covers_all_homes() && lists.sizes.size() > 1;
      const std::uint64_t grain = helps ? std::max<std::uint64_t>(lists.grain / kHelpersShare, 1) : lists.grain;
      const std::uint64_t size = lists.sizes[home];
      const std::uint64_t leave = helps ? lists.grain : 0;
      std::uint64_t begin = 0;
      while (!over() && counters[home].next.load(std::memory_order_relaxed) + leave < size &&
             (begin = counters[home].take(grain)) < size) {
        body({thread, home, begin, std::min(begin + grain, size)});
        if (thread == 0) poll();
      }
    }
  });
}

/// The same for one list made of the parts of several threads: each thread begins with a part of its own, which is
/// usually the one that it made and has in its caches, and then helps others with theirs.
Status Engine::Impl::empty_by_thread(std::uint64_t size, std::uint64_t grain,
                                     FunctionRef<void(const VertexChunk&)> body) {
  const bool small = size <= grain;
  const unsigned parts = small ? 1 : pool.threads();
  const std::uint64_t each = (size + parts - 1) / parts;
  std::vector<Counter> counters(parts);
  return loop(small, true, [&](unsigned thread) {
    for (unsigned i = 0; i < parts; ++i) {
      const unsigned part = (thread + i) % parts;
      const std::uint64_t first = std::min(part * each, size);
      const std::uint64_t room = std::min(first + each, size) - first;
      for (std::uint64_t begin = 0; !over() && (begin = counters[part].take(grain)) < room;) {
        body({thread, 0, first + begin, first + std::min(begin + grain, room)});
        if (thread == 0) poll();
      }
    }
  });
}

/// Runs `whole` on all vertices, divided by the lengths of their lists; with `piece`, long lists come in pieces.
Status Engine::Impl::share(const GraphView& graph, const SharedLoop& shared) {
  const bool in = shared.direction == Direction::in && graph.directed();
  RIZOMA_CHECK(!in || graph.has_in_edges());
  const GraphView::AnyAdjacency& edges = in ? *graph.parts().in : graph.parts().out;
  const auto known = readahead.lists_of(graph, shared.direction);  // before anything is read of a great graph
  RIZOMA_ASSIGN(const std::shared_ptr<const Placement> placement, workers.placement_of(graph));
  WorkLists::Mine mine;
  if (ranks != nullptr) {
    RIZOMA_TRY(ranks->divide(graph));
    mine = {ranks->owners(), ranks->rank()};
  }
  const ListSizes sizes(edges);
  if (shared.reads_lists) readahead.keep_within_limit(graph);
  // The readahead that a graph larger than memory needs, for these sections only.
  const auto great = shared.reads_lists ? known : nullptr;
  const std::vector<char> needed =
      great != nullptr ? needed_sections(graph, sizes, shared.filter) : std::vector<char>();
  mine.needed = needed;
  if (known != nullptr) mine.lengths = known->lengths;
  const WorkLists work(edges, *placement, shared.at, mine);
  std::optional<SweepReadahead> ahead;
  if (great != nullptr) ahead.emplace(readahead.calls(), *great, work.lists(), sizes.section_bits());
  Lists lists;
  for (const WorkList& list : work.lists()) lists.sizes.push_back(list.work());
  lists.grain = std::clamp(lists.total() / (kSharesPerThread * pool.threads()), kLeastWork, kMostWork);
  SectionClock clock(shared.reads_lists && workers.learns() && needed.empty(), pool.threads());
  const Status status = empty(lists, [&](const VertexChunk& chunk) {
    if (ahead) ahead->reached(chunk.home, chunk.begin);
    WorkCount given;
    const auto give = [&](VertexRange range) {
      clock.time(chunk.thread, sizes.section_of(range.begin), [&] { shared.whole(range, chunk.thread); });
      given += sizes.work_of(range.size(), shared.reads_lists ? sizes.entries(range) : 0);
    };
    const auto give_piece = [&](ListPiece piece) {
      clock.time(chunk.thread, sizes.section_of(piece.vertex), [&] { (*shared.piece)(piece, chunk.thread); });
      given += sizes.work_of(piece.begin == 0 ? 1 : 0, piece.end - piece.begin);
    };
    const WorkList& list = work.lists()[chunk.home];
    if (shared.piece == nullptr) list.cut(chunk.begin, chunk.end, shared.at, give);
    else list.cut_pieces(chunk.begin, chunk.end, {2 * lists.grain, give, give_piece});
    tally.count(chunk.thread, workers.spread() ? workers.homes() : chunk.home, given);
  });
  if (clock.on() && status) workers.learn(graph, clock.of_sections(sizes.sections()));
  return status;
}

/// The vertices of a list in the order of their homes, and where each home's begin.
template <class Vertex>
std::pair<std::vector<Vertex>, std::vector<std::uint64_t>> by_home(std::span<const Vertex> list,
                                                                   const Placement& placement, unsigned section_bits) {
  std::vector<std::uint64_t> ends(placement.homes + 1);
  for (const Vertex v : list) ++ends[placement.home(v >> section_bits) + 1];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<std::uint64_t> next(ends.begin(), ends.end() - 1);
  std::vector<Vertex> sorted(list.size());
  for (const Vertex v : list) sorted[next[placement.home(v >> section_bits)]++] = v;
  return {std::move(sorted), std::move(ends)};
}

/// Prefetches the lists of vertices, of each home those from the beginning of its part of `list` on.
template <class Vertex>
std::vector<SweepReadahead::Pieces> lists_of_vertices(const ListSizes& lists, std::span<const Vertex> list,
                                                      std::span<const std::uint64_t> begins,
                                                      std::span<const std::uint64_t> sizes) {
  std::vector<SweepReadahead::Pieces> of_homes;
  for (std::size_t home = 0; home < sizes.size(); ++home) {
    const std::span<const Vertex> part = list.subspan(begins[home], sizes[home]);
    of_homes.push_back({part.size(), [](std::size_t i) { return std::uint64_t{i} + 1; },
                        [&lists, part](std::size_t i) { return lists.bytes_of(part[i]); },
                        [&lists, part](std::size_t i) { return lists.section_of(part[i]); }});
  }
  return of_homes;
}

/// Runs body on the vertices of a list, those of a thread's own home first.
template <class Vertex>
Status Engine::Impl::share_list(const GraphView& graph, std::span<const Vertex> list, std::uint64_t grain,
                                FunctionRef<void(std::span<const Vertex>, unsigned)> body,
                                std::optional<EdgeCount> entries) {
  const ListSizes sizes(graph.parts().out);
  const bool walks = !entries || *entries > 0;  // the lists of the vertices
  readahead.keep_within_limit(graph);
  grain = std::max<std::uint64_t>(grain, 1);
  std::shared_ptr<const Placement> placement;  // none: one home, or memory that is at home nowhere
  if (workers.homes() > 1 && !workers.spread()) {
    RIZOMA_ASSIGN(placement, workers.placement_of(graph));
  }
  std::vector<Vertex> sorted;
  std::vector<std::uint64_t> begins{0};
  Lists lists{{list.size()}, grain};
  if (placement && list.size() > grain) {
    std::tie(sorted, begins) = by_home(list, *placement, sizes.section_bits());
    list = sorted;
    lists.sizes.clear();
    for (unsigned home = 0; home < workers.homes(); ++home) lists.sizes.push_back(begins[home + 1] - begins[home]);
  }
  std::optional<SweepReadahead> ahead;
  const auto great = readahead.lists_of(graph, Direction::out);
  if (great != nullptr && walks) {
    ahead.emplace(readahead.calls(), *great, lists_of_vertices(sizes, list, begins, lists.sizes));
  }
  const auto work = [&](const VertexChunk& chunk) {
    if (ahead) ahead->reached(chunk.home, chunk.begin);
    const std::span<const Vertex> part = list.subspan(begins[chunk.home] + chunk.begin, chunk.end - chunk.begin);
    if (!placement && entries) {
      // The first chunk counts the entries of all.
      const EdgeCount told = chunk.begin == 0 ? *entries : 0;
      tally.count(chunk.thread, workers.spread() ? workers.homes() : 0, sizes.work_of(part.size(), told));
    } else {
      count_vertices(sizes, placement.get(), chunk.thread, part, walks);
    }
    body(part, chunk.thread);
  };
  // What is asked for ahead is in the order of the list.
  return lists.sizes.size() == 1 && !ahead ? empty_by_thread(list.size(), grain, work) : empty(lists, work);
}

/// Counts a block of vertices, each where it is at home, and their lists if the block walks them.
template <class Vertex>
void Engine::Impl::count_vertices(const ListSizes& sizes, const Placement* placement, unsigned thread,
                                  std::span<const Vertex> vertices, bool walks) {
  const unsigned anywhere = workers.spread() ? workers.homes() : 0;
  std::uint64_t blocks = 1;
  for (const Vertex v : vertices) {
    WorkCount one = sizes.work_of(1, walks ? sizes.entries({v, VertexId{v} + 1}) : 0);
    one.blocks = std::exchange(blocks, 0);
    tally.count(thread, placement != nullptr ? placement->home(sizes.section_of(v)) : anywhere, one);
  }
}

namespace {

/// Reading the topology takes milliseconds: only on demand.
Topology topology_for(const EngineOptions& options) {
  const bool plain = options.placement == PlacementPolicy::in_place && !options.fixed && options.tiers == Tiers{};
  return plain ? Topology{} : machine_topology();
}

}  // namespace

Engine::Engine(EngineOptions options) : Engine(options, topology_for(options)) {}

Engine::Engine(EngineOptions options, const Topology& topology)
    : Engine(std::move(options), MachineMemory{topology, nullptr}) {}

Engine::Engine(EngineOptions options, const MachineMemory& machine)
    : impl_(std::make_unique<Impl>(std::move(options), machine)) {}

Engine::~Engine() = default;

unsigned Engine::threads() const noexcept { return impl_->pool.threads(); }

void Engine::set_progress(ProgressCallback callback) {
  const MutexLock lock(impl_->turn);
  impl_->progress = std::move(callback);
}

void Engine::set_checkpoints(Checkpoints* checkpoints) noexcept { impl_->checkpoints = checkpoints; }

Checkpoints* Engine::take_checkpoints() noexcept { return std::exchange(impl_->checkpoints, nullptr); }

void Engine::request_stop() noexcept { impl_->stop.store(true, std::memory_order_relaxed); }

Traffic Engine::traffic() const {
  const MutexLock lock(impl_->turn);
  return impl_->tally.traffic();
}

void Engine::reset_traffic() {
  const MutexLock lock(impl_->turn);
  impl_->tally.reset();
}

PlacementPolicy Engine::policy() const noexcept { return impl_->workers.base().policy; }

Result<Placement> Engine::placement(const GraphView& graph) {
  RIZOMA_ASSIGN(const std::shared_ptr<const Placement> placement, impl_->workers.placement_of(graph));
  return *placement;
}

std::vector<double> Engine::measured_work(const GraphView& graph) { return impl_->workers.measured_work(graph); }

const Tiers& Engine::tiers() const noexcept { return impl_->workers.base().tiers; }

const Status& Engine::tiers_status() const noexcept { return impl_->memory.status(); }

Result<GraphView> Engine::working_copy(const GraphView& graph) {
  RIZOMA_TRY(tiers_status());
  RIZOMA_ASSIGN(const std::shared_ptr<const Placement> placement, impl_->workers.placement_of(graph));
  if (tiers()[Structure::sections].tier == MemoryTier::in_place) return graph;
  return load_sections(*this, graph, *placement, impl_->memory.machine());
}

Ranks* Engine::ranks() const noexcept { return impl_->ranks; }

std::uint64_t Engine::room_for_lists(const GraphView& graph) {
  const auto lists = impl_->readahead.lists_of(graph, Direction::out);
  return lists == nullptr ? 0 : std::max<std::uint64_t>(lists->room, 1);
}

bool Engine::stopping() const noexcept { return impl_->stop.load(std::memory_order_relaxed); }

Status Engine::report(std::string_view phase, double done, double total) {
  if (impl_->nested()) {  // a long body asks whether to go on; the loop it is in has its own phase
    if (Impl::working.thread == 0) impl_->poll();
    return stopping() ? Status(cancelled()) : Status();
  }
  const MutexLock lock(impl_->turn);
  impl_->phase = phase;
  impl_->done = done;
  impl_->total = total;
  impl_->poll();
  return impl_->stop.exchange(false) ? Status(cancelled()) : Status();
}

void Engine::parallel(FunctionRef<void(unsigned thread)> body) {
  if (impl_->nested()) {
    for (unsigned thread = 0; thread < threads(); ++thread) body(thread);
    return;
  }
  const MutexLock lock(impl_->turn);
  impl_->run(false, body);
}

Status Engine::for_blocks(std::uint64_t size, std::uint64_t grain,
                          FunctionRef<void(VertexRange block, unsigned thread)> body) {
  grain = std::max<std::uint64_t>(grain, 1);
  Counter counter;
  return impl_->loop(size <= grain, false, [&](unsigned thread) {
    std::uint64_t begin = 0;
    while (!impl_->over() && (begin = counter.take(grain)) < size) {
      body(VertexRange{begin, std::min(begin + grain, size)}, thread);
      if (thread == 0) impl_->poll();
    }
  });
}

namespace {

/// Hands a range on in blocks of at most a word.
void each_word(VertexRange range, unsigned thread, FunctionRef<void(VertexRange, unsigned)> body) {
  for (VertexId begin = range.begin; begin < range.end; begin += kWord) {
    body(VertexRange{begin, std::min(begin + kWord, range.end)}, thread);
  }
}

}  // namespace

Status Engine::for_vertices(const GraphView& graph, FunctionRef<void(VertexRange block, unsigned thread)> body) {
  const auto words = [&](VertexRange range, unsigned thread) { each_word(range, thread, body); };
  return impl_->share(graph, {Direction::out, Cut::words, false, words});
}

Status Engine::for_words(const GraphView& graph, Direction direction,
                         FunctionRef<void(VertexRange block, unsigned thread)> body) {
  const auto words = [&](VertexRange range, unsigned thread) { each_word(range, thread, body); };
  return impl_->share(graph, {direction, Cut::words, true, words});
}

Status Engine::for_edges(const GraphView& graph, Direction direction,
                         FunctionRef<void(VertexRange block, unsigned thread)> body, const SectionFilter* filter) {
  return impl_->share(graph, {direction, Cut::anywhere, true, body, nullptr, filter});
}

Status Engine::for_pieces(const GraphView& graph, Direction direction,
                          FunctionRef<void(VertexRange block, unsigned thread)> whole,
                          FunctionRef<void(ListPiece piece, unsigned thread)> piece, const SectionFilter* filter) {
  return impl_->share(graph, {direction, Cut::anywhere, true, whole, &piece, filter});
}

Status Engine::for_list(const GraphView& graph, std::span<const std::uint32_t> list, std::uint64_t grain,
                        FunctionRef<void(std::span<const std::uint32_t> vertices, unsigned thread)> body,
                        std::optional<EdgeCount> entries) {
  return impl_->share_list(graph, list, grain, body, entries);
}

Status Engine::for_list(const GraphView& graph, std::span<const std::uint64_t> list, std::uint64_t grain,
                        FunctionRef<void(std::span<const std::uint64_t> vertices, unsigned thread)> body,
                        std::optional<EdgeCount> entries) {
  return impl_->share_list(graph, list, grain, body, entries);
}

VertexMemory Engine::allocate(std::size_t bytes, VertexId n, Structure structure, bool zeros) {
  const StateShape shape{bytes, n, structure};
  if (tiers()[structure].tier == MemoryTier::in_place) {
    if (structure == Structure::frontiers && bytes < kSmallFrontier) return ordinary_memory(bytes);
    if (impl_->state_files != nullptr && bytes >= StateFiles::kLeast && structure == Structure::vertex_state)
      return impl_->state_files->take(bytes);
    if (impl_->workers.homes() == 1)
      return impl_->in_parts(bytes) ? impl_->kept->take_in_parts(bytes) : impl_->kept->take(bytes, zeros);
    return impl_->memory.allocate(shape, impl_->workers.base(), 0);
  }
  const WorkerGroup::Placed last = impl_->workers.placed_last(n);
  return impl_->memory.allocate(shape, last.placement ? *last.placement : impl_->workers.base(), last.section_bits);
}

/// Pages in ordinary memory are on the node of the thread that touches them first.
bool Engine::touches_at_home(Structure structure) const noexcept {
  return impl_->workers.homes() > 1 && tiers()[structure].tier == MemoryTier::in_place && !impl_->nested();
}

/// A loop that cannot be stopped: a map is filled completely.
void Engine::fill_blocks(VertexId n, Structure structure, FunctionRef<void(VertexRange)> fill) {
  if (n <= kFillGrain || impl_->nested()) {
    fill(VertexRange{0, n});
    return;
  }
  if (touches_at_home(structure)) {
    const WorkerGroup::Placed last = impl_->workers.placed_last(n);
    if (last.placement && !last.placement->home_of_section.empty()) {
      impl_->fill_at_home(*last.placement, last.section_bits, n, fill);
      return;
    }
  }
  Counter counter;
  parallel([&](unsigned) {
    for (std::uint64_t begin = 0; (begin = counter.take(kFillGrain)) < n;) {
      fill(VertexRange{begin, std::min(begin + kFillGrain, n)});
    }
  });
}

ListCounter::ListCounter(Engine& engine, const GraphView& graph) : engine_(engine), of_threads_(engine.threads()) {
  WorkerGroup& workers = engine.impl_->workers;
  auto placement = workers.placement_of(graph);
  if (placement) placement_ = *std::move(placement);  // the engine's loops report Errors
  target_bytes_ = graph.with_out([]<class Target>(const Adjacency<Target>&) { return sizeof(Target); });
  const unsigned section_bits = graph.with_out([](const auto& out) { return out.section_bits(); });
  for (OfThread& one : of_threads_) {
    one.by_home_.resize(workers.homes() + 1);
    one.section_bits_ = section_bits;
    one.home_ = workers.spread() ? workers.homes() : 0;
    if (placement_ && !placement_->home_of_section.empty()) one.homes_ = placement_->home_of_section.data();
  }
}

void ListCounter::end_sweep() {
  WorkTally& tally = engine_.impl_->tally;
  bool any = false;
  for (unsigned thread = 0; thread < of_threads_.size(); ++thread) {
    std::vector<WorkCount>& by_home = of_threads_[thread].by_home_;
    for (unsigned home = 0; home < by_home.size(); ++home) {
      WorkCount work = std::exchange(by_home[home], {});
      if (work.vertices == 0) continue;
      work.blocks = 1;
      work.bytes = work.vertices * sizeof(std::uint32_t) + work.edges * target_bytes_;
      tally.count(thread, home, work);
      any = true;
    }
  }
  if (any && !engine_.impl_->nested()) tally.end_sweep(engine_.threads());
}

}  // namespace rizoma
