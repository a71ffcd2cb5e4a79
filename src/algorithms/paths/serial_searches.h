// Runs serial searches from many sources, a source to a thread, and strings their trees together.
#pragma once

#include "engine/loop/kernel_arguments.h"

#include <rizoma/algorithms/breadth_first_trees.h>
#include <rizoma/gather.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace rizoma {

/// Appends one search's tree.
template <class Length>
void append(SearchTrees<Length>& trees, VertexId v, Length distance, VertexId parent) {
  trees.order.push_back(v);
  trees.distances.push_back(distance);
  trees.parents.push_back(parent);
}

/// The trees that threads made, put in the order of the sources.  `made_by` says by which thread, and as
/// its how-manieth, the tree of a source was made.
template <class Length>
class TreeCollector {
 public:
  explicit TreeCollector(unsigned threads, std::size_t sources) : of_thread_(threads), made_by_(sources) {}

  SearchTrees<Length>& begin(std::size_t source, unsigned thread) {
    made_by_[source] = {thread, of_thread_[thread].offsets.size() - 1};
    return of_thread_[thread];
  }

  Result<SearchTrees<Length>> collect(Engine& engine) {
    if (of_thread_.size() == 1) return std::move(of_thread_[0]);  // made in order
    SearchTrees<Length> all;
    for (const auto& [thread, index] : made_by_) {
      const auto& offsets = of_thread_[thread].offsets;
      all.offsets.push_back(all.offsets.back() + offsets[index + 1] - offsets[index]);
    }
    all.order.resize(all.offsets.back());
    all.distances.resize(all.offsets.back());
    all.parents.resize(all.offsets.back());
    RIZOMA_TRY(engine.for_blocks(made_by_.size(), 16, [&](VertexRange block, unsigned) {
      for (VertexId i = block.begin; i < block.end; ++i) {
        const SearchTrees<Length>& from = of_thread_[made_by_[i].thread];
        const auto copy = [&](const auto& values, auto& to) {
          std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(from.offsets[made_by_[i].index]),
                      all.offsets[i + 1] - all.offsets[i], to.begin() + static_cast<std::ptrdiff_t>(all.offsets[i]));
        };
        copy(from.order, all.order);
        copy(from.distances, all.distances);
        copy(from.parents, all.parents);
      }
    }));
    return all;
  }

 private:
  struct Place {
    unsigned thread = 0;
    std::size_t index = 0;
  };
  std::vector<SearchTrees<Length>> of_thread_;
  std::vector<Place> made_by_;
};

/// Search{engine, graph, lists, options, thread} is the state of a thread; its run(sources, trees) appends the result
/// of one search, and resets the state.
template <template <class> class Search, class Length, bool kWeighted, class Options>
Result<SearchTrees<Length>> grow_trees(Engine& engine, const GraphView& graph, std::span<const VertexId> sources,
                                       const Options& options, std::string_view who) {
  RIZOMA_TRY(check_direction(graph, options.direction, who));
  RIZOMA_TRY(check_sources(graph, sources, who));
  const auto grow = [&]<class Lists>(Lists& lists) -> Result<SearchTrees<Length>> {
    if (options.together || sources.size() == 1) {
      SearchTrees<Length> trees;
      RIZOMA_TRY((Search<Lists>(engine, graph, lists, options, 0).run(sources, trees)));
      trees.offsets.push_back(trees.order.size());
      return trees;
    }
    RIZOMA_TRY(engine.report(who, 0, static_cast<double>(sources.size())));
    struct Worker {
      std::unique_ptr<Search<Lists>> search;
      Status status;
    };
    std::vector<Worker> workers(engine.threads());
    TreeCollector<Length> collector(engine.threads(), sources.size());
    RIZOMA_TRY(engine.for_blocks(sources.size(), 1, [&](VertexRange block, unsigned thread) {
      Worker& worker = workers[thread];
      if (worker.search == nullptr) {
        worker.search = std::make_unique<Search<Lists>>(engine, graph, lists, options, thread);
      }
      SearchTrees<Length>& trees = collector.begin(block.begin, thread);
      if (worker.status) worker.status = worker.search->run(sources.subspan(block.begin, 1), trees);
      trees.offsets.push_back(trees.order.size());
    }));
    for (const Worker& worker : workers) RIZOMA_TRY(worker.status);
    return collector.collect(engine);
  };
  return read_lists<kWeighted>(engine, graph, options.direction, grow);
}

}  // namespace rizoma
