#include <rizoma/algorithms/diameter.h>

#include "engine/loop/kernel_arguments.h"
#include "engine/sweep/multi_source_search.h"

#include <rizoma/algorithms/connected_components.h>
#include <rizoma/gather.h>
#include <rizoma/process_vertices.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr std::size_t kFewVertices = 4096;  // of a component, whose searches need no words of all vertices

/// Breadth-first searches, one after the other, each through one component.
template <class Lists>
class LevelSearch {
 public:
  explicit LevelSearch(Lists& lists) : lists_(lists), level_(lists.num_vertices(), -1) {}

  /// The deepest level from `root`.
  std::uint64_t run(VertexId root) {
    for (const VertexId v : order_) level_[v] = -1;
    order_.assign(1, root);
    level_[root] = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const VertexId u = order_[i];
      for (const auto v : lists_.read(u).sources()) {
        if (level_[v] >= 0) continue;
        level_[v] = level_[u] + 1;
        order_.push_back(v);
      }
    }
    return static_cast<std::uint64_t>(level_[order_.back()]);
  }

  /// A vertex of the deepest level.
  [[nodiscard]] VertexId last() const { return order_.back(); }
  /// Raises each vertex that was reached to its level, if that is larger.
  void raise(std::vector<std::int32_t>& farthest) const {
    for (const VertexId v : order_) farthest[v] = std::max(farthest[v], level_[v]);
  }
  /// The vertex of the least value.
  [[nodiscard]] VertexId least(const std::vector<std::int32_t>& values) const {
    return *std::ranges::min_element(order_, {}, [&](VertexId v) { return values[v]; });
  }
  /// The vertices of a level.
  [[nodiscard]] std::vector<VertexId> at(std::uint64_t level) const {
    const auto wanted = static_cast<std::int32_t>(level);
    const auto below = [&](VertexId v) { return level_[v] < wanted; };
    const auto not_above = [&](VertexId v) { return level_[v] <= wanted; };
    const auto first = std::ranges::partition_point(order_, below);
    return {first, std::partition_point(first, order_.end(), not_above)};
  }
  [[nodiscard]] std::size_t size() const { return order_.size(); }

 private:
  Lists& lists_;
  std::vector<std::int32_t> level_;
  std::vector<VertexId> order_;
};

/// One component after the other, each from a vertex of largest degree.
template <class Lists>
class Fringes {
 public:
  Fringes(Engine& engine, Lists& lists)
      : engine_(engine),
        lists_(lists),
        search_(lists),
        probe_(lists),
        farthest_(lists.num_vertices()),
        together_(engine.threads()) {}

  Status visit(VertexId root) {
    VertexId middle = root;
    for (int sweeps = 0; sweeps < 2; ++sweeps) {
      RIZOMA_TRY(engine_.report("diameter", 0, 0));
      search_.run(middle);
      for (int end = 0; end < 2; ++end) {  // there and back
        result_.diameter = std::max(result_.diameter, search_.run(search_.last()));
        search_.raise(farthest_);
      }
      middle = search_.least(farthest_);
      result_.searches += 3;
    }
    std::uint64_t level = search_.run(middle);
    ++result_.searches;
    for (; level > 0 && 2 * level > result_.diameter; --level) {
      RIZOMA_TRY(search_from(search_.at(level), 2 * level));
      if (result_.diameter > 2 * (level - 1)) break;
    }
    return {};
  }

  [[nodiscard]] const DiameterResult& result() const { return result_; }

 private:
  /// Searches from all, until the diameter is the most that it can be.
  Status search_from(const std::vector<VertexId>& fringe, std::uint64_t most) {
    const std::size_t together = search_.size() <= kFewVertices ? 1 : std::size_t{64} * engine_.threads();
    for (std::size_t begin = 0; begin < fringe.size() && result_.diameter < most; begin += together) {
      RIZOMA_TRY(engine_.report("diameter", static_cast<double>(begin), static_cast<double>(fringe.size())));
      const auto some = std::span(fringe).subspan(begin, std::min(together, fringe.size() - begin));
      result_.searches += some.size();
      if (together == 1) result_.diameter = std::max(result_.diameter, probe_.run(some[0]));
      else RIZOMA_TRY(search_together(some));
    }
    return {};
  }

  Status search_together(std::span<const VertexId> sources) {
    std::vector<PerThread<std::uint64_t>> deepest(engine_.threads(), {0});
    const VertexId grain = std::clamp<VertexId>((sources.size() + engine_.threads() - 1) / engine_.threads(), 1, 64);
    RIZOMA_TRY(engine_.for_blocks(sources.size(), grain, [&](VertexRange block, unsigned thread) {
      auto& searches = together_[thread];
      if (searches == nullptr) searches = std::make_unique<MultiSourceSearch<Lists>>(lists_, thread, "diameter");
      searches->run(
          engine_, sources.subspan(block.begin, block.size()), [](VertexId, std::uint64_t) {},
          [&](std::uint64_t level) { deepest[thread].value = std::max(deepest[thread].value, level); });
    }));
    for (const auto& each : deepest) result_.diameter = std::max(result_.diameter, each.value);
    return {};
  }

  Engine& engine_;
  Lists& lists_;
  LevelSearch<Lists> search_;  ///< the levels of the component
  LevelSearch<Lists> probe_;
  std::vector<std::int32_t> farthest_;  ///< of each vertex the distance to the farthest end of a sweep
  std::vector<std::unique_ptr<MultiSourceSearch<Lists>>> together_;
  DiameterResult result_;
};

/// Of each component its size and its vertex of largest degree, the largest component first.
struct Component {
  VertexId size = 0;
  VertexId root = 0;
};

std::vector<Component> components_of(const GraphView& graph, const ConnectedComponentsResult& found) {
  const Degrees degrees(graph);
  std::vector<Component> components(graph.num_vertices());
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    if (!graph.is_live(v)) continue;
    Component& its = components[found.labels[v]];
    if (its.size++ == 0 || degrees[v] > degrees[its.root]) its.root = v;
  }
  std::erase_if(components, [](const Component& each) { return each.size < 2; });
  std::ranges::sort(components, std::greater<>(), &Component::size);
  return components;
}

}  // namespace

Result<DiameterResult> diameter(Engine& engine, const GraphView& graph) {
  RIZOMA_TRY(single_process_only(engine, "diameter"));
  RIZOMA_TRY(check_undirected(graph, "diameter"));
  RIZOMA_ASSIGN(const ConnectedComponentsResult found, connected_components(engine, graph));
  const std::vector<Component> components = components_of(graph, found);
  return read_lists(engine, graph, Direction::out, [&]<class Lists>(Lists& lists) -> Result<DiameterResult> {
    Fringes<Lists> fringes(engine, lists);
    for (const Component& each : components) {
      if (each.size - 1 <= fringes.result().diameter) break;  // a path of all its vertices is no longer
      RIZOMA_TRY(fringes.visit(each.root));
    }
    return DiameterResult{fringes.result().diameter, fringes.result().searches, found.count};
  });
}

}  // namespace rizoma
