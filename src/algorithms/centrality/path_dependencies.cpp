#include <rizoma/algorithms/path_dependencies.h>

#include "algorithms/paths/indexed_heap.h"
#include "engine/loop/kernel_arguments.h"
#include "graph/entry_numbers.h"

#include <rizoma/gather.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

namespace rizoma {
namespace {

constexpr double kUnreached = std::numeric_limits<double>::infinity();
constexpr std::uint64_t kAskEntries = 1 << 18;  // entries read between two looks at whether to go on

/// The searches of one thread, and the sums they gave.
template <class Lists>
class Searches {
  using Target = typename Lists::target_type;

 public:
  Searches(Engine& engine, const GraphView& graph, Lists& out, const EntryNumbers& numbers,
           const PathDependenciesOptions& options, unsigned thread)
      : engine_(engine),
        out_(out),
        numbers_(numbers),
        options_(options),
        thread_(thread),
        distance_(out.num_vertices(), kUnreached),
        paths_(out.num_vertices()),
        share_(out.num_vertices()) {
    sums_.vertices.resize(out.num_vertices());
    if (options.edges) sums_.edges.resize(graph.num_entries());
  }

  /// Adds the dependencies of paths from the source; nothing more after an Error, or once the call is to stop.
  void add(VertexId source) {
    if (error_ || stopped_) return;
    distance_[source] = 0;
    paths_[source] = 1;
    const bool good = options_.weighted ? search_by_weight(source) : search_by_level(source);
    if (stopped_) return;  // the search is not whole, and no other begins
    if (!good) {
      error_ = Error{ErrorCode::invalid_argument, "path_dependencies: weights must be above 0"};
    } else if (!std::all_of(order_.begin(), order_.end(), [&](Target v) { return std::isfinite(paths_[v]); })) {
      error_ = Error{
          ErrorCode::unsupported,
          "path_dependencies: there are too many shortest paths to count (above 1e308) to one vertex from vertex " +
              std::to_string(source) + " (internal id)"};
    } else {
      accumulate(source);
    }
    for (const Target v : order_) distance_[v] = kUnreached;
    order_.clear();
  }

  [[nodiscard]] const std::optional<Error>& error() const noexcept { return error_; }
  [[nodiscard]] const PathDependencies& sums() const noexcept { return sums_; }

 private:
  /// Whether the call is to go on, after `entries` more: a single search of a great graph takes seconds.
  bool goes_on(std::size_t entries) {
    entries_ += entries;
    if (entries_ < kAskEntries) return !stopped_;
    entries_ = 0;
    stopped_ = stopped_ || !engine_.report("path_dependencies", 0, 0);
    return !stopped_;
  }

  /// Searches return false if a weight is not above 0.
  bool search_by_level(VertexId source) {
    order_.push_back(static_cast<Target>(source));
    for (std::size_t next = 0; next < order_.size(); ++next) {
      const Target u = order_[next];
      const double distance = distance_[u] + 1;
      const auto list = out_.read(u, thread_);
      if (!goes_on(list.size())) break;
      for (const Target v : list.sources()) {
        if (distance_[v] == kUnreached) {
          order_.push_back(v);
          distance_[v] = distance;
          paths_[v] = 0;
        }
        if (distance_[v] == distance) paths_[v] += paths_[u];
      }
    }
    return true;
  }

  bool search_by_weight(VertexId source) {
    bool good = true;
    heap_.push(0, static_cast<Target>(source));
    while (!heap_.empty()) {
      const auto [distance, u] = heap_.pop();
      if (distance_[u] < distance) continue;  // a shorter way was found since
      order_.push_back(u);
      const auto list = out_.read(u, thread_);
      if (!goes_on(list.size())) break;
      const double paths = paths_[u];
      for (std::size_t i = 0; i < list.size(); ++i) {
        const Target v = list.source(i);
        const auto weight = static_cast<double>(list.weight(i));
        good = good && weight > 0;
        const double through = distance + weight;
        if (through < distance_[v]) {
          distance_[v] = through;
          paths_[v] = paths;
          heap_.push(through, v);
        } else if (through == distance_[v]) {
          paths_[v] += paths;
        }
      }
      if (!good) break;
    }
    forget_waiting();
    return good;
  }

  /// After a refused weight some vertices still wait.
  void forget_waiting() {
    while (!heap_.empty()) order_.push_back(heap_.pop().second);
    heap_.clear();
  }

  /// share_ of a vertex is (1 + its dependency) / its number of paths.
  void accumulate(VertexId source) {
    for (auto place = order_.rbegin(); place != order_.rend(); ++place) {
      const Target u = *place;
      const auto list = out_.read(u, thread_);
      if (!goes_on(list.size())) return;
      const EdgeCount first = options_.edges ? numbers_.first(u) : 0;
      double dependency = 0;
      for (std::size_t i = 0; i < list.size(); ++i) {
        const Target v = list.source(i);
        if (distance_[u] + static_cast<double>(list.weight(i)) != distance_[v]) continue;
        const double part = paths_[u] * share_[v];
        if (options_.edges) sums_.edges[first + i] += part;
        dependency += part;
      }
      share_[u] = (1 + dependency) / paths_[u];
      if (u != source) sums_.vertices[u] += dependency + (options_.endpoints ? 1 : 0);
    }
    if (options_.endpoints) sums_.vertices[source] += static_cast<double>(order_.size() - 1);
  }

  Engine& engine_;
  Lists& out_;
  const EntryNumbers& numbers_;
  const PathDependenciesOptions& options_;
  unsigned thread_;
  std::vector<double> distance_;
  std::vector<double> paths_;
  std::vector<double> share_;
  std::vector<Target> order_;
  IndexedHeap<Target> heap_;
  PathDependencies sums_;
  std::optional<Error> error_;
  std::uint64_t entries_ = 0;  ///< read since the engine was last asked
  bool stopped_ = false;
};

void add_to(std::vector<double>& all, const std::vector<double>& part) {
  for (std::size_t i = 0; i < part.size(); ++i) all[i] += part[i];
}

}  // namespace

Result<PathDependencies> path_dependencies(Engine& engine, const GraphView& graph, std::span<const VertexId> sources,
                                           const PathDependenciesOptions& options) {
  RIZOMA_TRY(single_process_only(engine, "path_dependencies"));
  RIZOMA_TRY(check_sources(graph, sources, "path_dependencies"));
  RIZOMA_TRY(engine.report("path_dependencies", 0, static_cast<double>(sources.size())));
  const EntryNumbers numbers(graph);
  const auto search = [&]<class Lists>(Lists& out) -> Result<PathDependencies> {
    std::vector<std::unique_ptr<Searches<Lists>>> workers(engine.threads());
    RIZOMA_TRY(engine.for_blocks(sources.size(), 1, [&](VertexRange block, unsigned thread) {
      if (workers[thread] == nullptr)
        workers[thread] = std::make_unique<Searches<Lists>>(engine, graph, out, numbers, options, thread);
      workers[thread]->add(sources[block.begin]);
    }));
    PathDependencies sums{std::vector<double>(graph.num_vertices()),
                          std::vector<double>(options.edges ? graph.num_entries() : 0)};
    for (const auto& worker : workers) {
      if (worker == nullptr) continue;
      if (worker->error()) return *worker->error();
      add_to(sums.vertices, worker->sums().vertices);
      add_to(sums.edges, worker->sums().edges);
    }
    return sums;
  };
  return options.weighted ? read_lists<true>(engine, graph, Direction::out, search)
                          : read_lists(engine, graph, Direction::out, search);
}

}  // namespace rizoma
