#include <rizoma/engine.h>

#include "base/check.h"
#include "engine/work_lists.h"
#include "platform/clock.h"
#include "placement/policies.h"
#include "platform/pages.h"
#include "platform/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <utility>

namespace rizoma {
namespace {

constexpr double kReportSeconds = 0.05;
constexpr VertexId kWord = 64;

// Work (vertices + entries) handed out at once: enough to make the counter and the search for the
// vertices free, little enough to keep threads level.
constexpr std::uint64_t kLeastWork = 1024;
constexpr std::uint64_t kMostWork = 32768;
constexpr std::uint64_t kSharesPerThread = 32;

constexpr VertexId kFillGrain = 1 << 17;  // items of a map filled at once: a huge page of 16-byte values

Error cancelled() { return {ErrorCode::cancelled, "stopped on request"}; }

/// How much of one list has been handed out.  Apart from its neighbours: threads of different homes
/// shall not disturb each other.
struct alignas(64) Counter {
  std::uint64_t take(std::uint64_t amount) noexcept { return next.fetch_add(amount, std::memory_order_relaxed); }
  std::atomic<std::uint64_t> next{0};
};

/// Threads and homes of an engine.
struct Team {
  unsigned threads = 0;                       ///< 0: as many as the pool chooses
  std::vector<unsigned> home_of_thread;       ///< filled up with home 0
  std::vector<unsigned> processors;           ///< empty: threads are not bound
  std::vector<std::vector<unsigned>> nearest = {{0}};  ///< for each home, all homes, itself first
};

/// One home and free threads, unless sections are to be shared out among several.
Team make_team(const EngineOptions& options, const Topology& topology) {
  Team team{.threads = options.threads};
  if (options.placement == PlacementPolicy::in_place || home_nodes(topology).size() < 2) return team;
  if (team.threads == 0) team.threads = topology.num_processors();
  team.home_of_thread = place_threads(topology, team.threads);
  team.processors = processors_of_threads(topology, team.home_of_thread);
  team.nearest = homes_by_distance(topology);
  return team;
}

}  // namespace

struct Engine::Impl {
  Impl(EngineOptions options, Team members)
      : team(std::move(members)), pool(team.threads, team.processors), placement(options.placement),
        progress(std::move(options.progress)), locality(pool.threads()) {
    team.home_of_thread.resize(pool.threads(), 0);
  }

  /// The engine and thread number that the present thread works for; what makes nested loops safe.
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

  /// True if the running loop is to hand out nothing more.
  [[nodiscard]] bool over() const noexcept {
    return stop.load(std::memory_order_relaxed) || failed.load(std::memory_order_relaxed);
  }
  [[nodiscard]] bool nested() const noexcept { return working.engine == this; }

  void poll();
  void wait_for_others();
  void leave();
  void run_all(FunctionRef<void(unsigned)> body);
  Status loop(bool small, FunctionRef<void(unsigned)> work);
  Status share(const GraphView& graph, const GraphView::AnyAdjacency& edges, Cut at,
               FunctionRef<void(VertexRange, unsigned)> body);

  Team team;
  ThreadPool pool;
  PlacementPolicy placement;
  std::mutex turn;  ///< held by the thread whose loop runs
  std::atomic<bool> stop{false};
  std::atomic<bool> failed{false};  ///< a body of the running loop threw: hand out no more

  // Progress; used by the thread that holds `turn`.
  ProgressCallback progress;
  std::string phase;
  double done = 0;
  double total = 0;
  Stopwatch since_report;

  std::mutex waiting;
  std::condition_variable others_done;
  std::atomic<unsigned> others = 0;  ///< threads other than the caller in the running loop

  struct alignas(64) OwnLocality : Locality {};
  std::vector<OwnLocality> locality;  ///< of each thread
};

thread_local Engine::Impl::Working Engine::Impl::working;

/// Calls the progress callback if it is time.
void Engine::Impl::poll() {
  if (!progress || since_report.seconds() < kReportSeconds) return;
  since_report.restart();
  if (!progress(Progress{phase, done, total})) stop.store(true, std::memory_order_relaxed);
}

/// Polls until the other threads have left the loop.  Spins first: the loops of a sweep over a road
/// network are shorter than it takes to fall asleep and to be woken.
void Engine::Impl::wait_for_others() {
  if (spin_until([this] { return others.load(std::memory_order_acquire) == 0; }, pool.spins())) return;
  std::unique_lock lock(waiting);
  while (!others_done.wait_for(lock, std::chrono::duration<double>(kReportSeconds), [this] { return others == 0; })) {
    lock.unlock();
    poll();
    lock.lock();
  }
}

/// Runs body on every thread of the pool.  When one throws, `failed` stops the loop on the others, and
/// the pool hands the exception to the caller.
void Engine::Impl::run_all(FunctionRef<void(unsigned)> body) {
  const bool polls = static_cast<bool>(progress);
  others = pool.threads() - 1;
  pool.run([&](unsigned thread) {
    const WorkingScope scope(this, thread);
    try {
      body(thread);
      if (polls && thread == 0) wait_for_others();
    } catch (...) {
      failed.store(true, std::memory_order_relaxed);
      if (polls && thread != 0) leave();
      throw;
    }
    if (polls && thread != 0) leave();
  });
}

void Engine::Impl::leave() {
  if (others.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  const std::lock_guard lock(waiting);
  others_done.notify_one();
}

/// Runs a loop whose threads all call `work` and return from it when nothing is left to do.
Status Engine::Impl::loop(bool small, FunctionRef<void(unsigned)> work) {
  if (nested()) {
    work(working.thread);
    return over() ? Status(cancelled()) : Status();
  }
  const std::lock_guard lock(turn);
  failed.store(false, std::memory_order_relaxed);
  if (small || pool.threads() == 1) {
    const WorkingScope scope(this, 0);
    work(0);
  } else {
    run_all(work);
  }
  return stop.exchange(false) ? Status(cancelled()) : Status();
}

/// Runs body on all vertices, shared out by their lists in `edges`: each thread empties the list of its
/// home first, then helps with the others, nearest first.
Status Engine::Impl::share(const GraphView& graph, const GraphView::AnyAdjacency& edges, Cut at,
                           FunctionRef<void(VertexRange, unsigned)> body) {
  const auto homes = static_cast<unsigned>(team.nearest.size());
  const WorkLists work(edges, {.homes = homes, .home_of_section = place_sections(placement, section_loads(graph), homes)}, at);
  const std::vector<WorkList>& lists = work.lists();
  const std::uint64_t total_work = work.work();
  const std::uint64_t grain =
      std::clamp(total_work / (kSharesPerThread * pool.threads()), kLeastWork, kMostWork);
  std::vector<Counter> counters(lists.size());
  return loop(total_work <= grain, [&](unsigned thread) {
    const unsigned own = team.home_of_thread[thread];
    for (const unsigned home : team.nearest[own]) {
      std::uint64_t& count = home == own ? locality[thread].own : locality[thread].others;
      const WorkList& list = lists[home];
      std::uint64_t begin = 0;
      while (!over() && (begin = counters[home].take(grain)) < list.work()) {
        list.cut(begin, begin + grain, at, [&](VertexRange range) { body(range, thread); });
        count += std::min(grain, list.work() - begin);
        if (thread == 0) poll();
      }
    }
  });
}

Engine::Engine(EngineOptions options)
    : Engine(options, options.placement == PlacementPolicy::in_place ? Topology{} : machine_topology()) {}

Engine::Engine(EngineOptions options, const Topology& topology)
    : impl_(std::make_unique<Impl>(options, make_team(options, topology))) {}

Engine::~Engine() = default;

unsigned Engine::threads() const noexcept { return impl_->pool.threads(); }

void Engine::set_progress(ProgressCallback callback) {
  const std::lock_guard lock(impl_->turn);
  impl_->progress = std::move(callback);
}

void Engine::request_stop() noexcept { impl_->stop.store(true, std::memory_order_relaxed); }

Locality Engine::locality() const {
  Locality sum;
  for (const Locality& one : impl_->locality) {
    sum.own += one.own;
    sum.others += one.others;
  }
  return sum;
}

bool Engine::stopping() const noexcept { return impl_->stop.load(std::memory_order_relaxed); }

Status Engine::report(std::string_view phase, double done, double total) {
  if (impl_->nested()) return stopping() ? Status(cancelled()) : Status();
  const std::lock_guard lock(impl_->turn);
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
  const std::lock_guard lock(impl_->turn);
  impl_->run_all(body);
}

Status Engine::for_blocks(std::uint64_t size, std::uint64_t grain,
                          FunctionRef<void(VertexRange block, unsigned thread)> body) {
  grain = std::max<std::uint64_t>(grain, 1);
  Counter counter;
  return impl_->loop(size <= grain, [&](unsigned thread) {
    std::uint64_t begin = 0;
    while (!impl_->over() && (begin = counter.take(grain)) < size) {
      body(VertexRange{begin, std::min(begin + grain, size)}, thread);
      if (thread == 0) impl_->poll();
    }
  });
}

Status Engine::for_vertices(const GraphView& graph, FunctionRef<void(VertexRange block, unsigned thread)> body) {
  return impl_->share(graph, graph.parts().out, Cut::words, [&](VertexRange range, unsigned thread) {
    for (VertexId begin = range.begin; begin < range.end; begin += kWord) {
      body(VertexRange{begin, std::min(begin + kWord, range.end)}, thread);
    }
  });
}

Status Engine::for_edges(const GraphView& graph, Direction direction,
                         FunctionRef<void(VertexRange block, unsigned thread)> body) {
  const bool in = direction == Direction::in && graph.directed();
  RIZOMA_CHECK(!in || graph.has_in_edges());
  return impl_->share(graph, in ? *graph.parts().in : graph.parts().out, Cut::anywhere, body);
}

VertexMemory Engine::allocate(std::size_t bytes) {
  return {allocate_pages(bytes), bytes, [](void* data, std::size_t size) noexcept { release_pages(data, size); }};
}

/// Not a loop that can be stopped: a map is filled or there is none.
void Engine::fill_blocks(VertexId n, FunctionRef<void(VertexRange)> fill) {
  if (n <= kFillGrain || impl_->nested()) {
    fill(VertexRange{0, n});
    return;
  }
  Counter counter;
  parallel([&](unsigned) {
    for (std::uint64_t begin = 0; (begin = counter.take(kFillGrain)) < n;) {
      fill(VertexRange{begin, std::min(begin + kFillGrain, n)});
    }
  });
}

}  // namespace rizoma
