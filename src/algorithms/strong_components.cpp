#include <rizoma/algorithms/strong_components.h>

#include "algorithms/lists.h"

#include <rizoma/algorithms/connected_components.h>
#include <rizoma/list_reader.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// `Number`: of a vertex, wide enough for their count.
template <class Number, class Lists>
class Tarjan {
 public:
  Tarjan(Engine& engine, Lists& out, StrongComponentsResult& result)
      : out_(out),
        result_(result),
        found_(out.num_vertices()),
        low_(out.num_vertices()),
        watch_(engine, "strong_components", out.num_vertices()) {}

  Status search(VertexId root) {
    if (found_[root] != 0) return {};
    enter(static_cast<Number>(root));
    while (!path_.empty()) {
      RIZOMA_TRY(watch_.step());
      const Number v = path_.back().vertex;
      EdgeCount& next = path_.back().next;
      const auto list = next == 0 ? out_.read(v) : out_.again(v);
      Number low = low_[v];
      while (next < list.size() && found_[list.source(next)] != 0) low = std::min(low, found_[list.source(next++)]);
      low_[v] = low;
      if (next < list.size()) {
        enter(static_cast<Number>(list.source(next++)));
      } else {
        leave(v);
      }
    }
    return {};
  }

 private:
  static constexpr Number kClosed = std::numeric_limits<Number>::max();

  struct Step {
    EdgeCount next;  ///< entry of its list to look at next
    Number vertex;
  };

  void enter(Number v) {
    found_[v] = low_[v] = ++count_;
    path_.push_back({0, v});
    open_.push_back(v);
  }

  void leave(Number v) {
    path_.pop_back();
    if (!path_.empty()) low_[path_.back().vertex] = std::min(low_[path_.back().vertex], low_[v]);
    if (low_[v] != found_[v]) return;
    for (bool more = true; more;) {
      const Number w = open_.back();
      open_.pop_back();
      found_[w] = kClosed;
      result_.labels[w] = result_.count;
      more = w != v;
    }
    ++result_.count;
  }

  Lists& out_;
  StrongComponentsResult& result_;
  std::vector<Number> found_;  ///< when a vertex was found, from 1; 0: not yet; kClosed: its component is known
  std::vector<Number> low_;    ///< the earliest found that is known to be reachable and still open
  std::vector<Step> path_;
  std::vector<Number> open_;  ///< found, but in no component yet
  Number count_ = 0;
  SerialWatch watch_;
};

template <class Number>
Result<StrongComponentsResult> search_all(Engine& engine, const GraphView& graph) {
  StrongComponentsResult result;
  result.labels = engine.make_map<std::uint64_t>(graph.num_vertices(), kNoVertex);
  return read_lists(engine, graph, Direction::out, [&]<class Lists>(Lists& out) -> Result<StrongComponentsResult> {
    Tarjan<Number, Lists> tarjan(engine, out, result);
    for (VertexId v = 0; v < graph.num_vertices(); ++v) {
      if (graph.is_live(v)) RIZOMA_TRY(tarjan.search(v));
    }
    return std::move(result);
  });
}

/// Of an undirected graph these are its components, which a search finishes by their least vertices: their labels.
Result<StrongComponentsResult> of_undirected(Engine& engine, const GraphView& graph) {
  RIZOMA_ASSIGN(ConnectedComponentsResult components, connected_components(engine, graph));
  StrongComponentsResult result{.labels = std::move(components.labels)};
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    const std::uint64_t root = result.labels[v];
    result.labels[v] = !graph.is_live(v) ? kNoVertex : root == v ? result.count++ : result.labels[root];
  }
  return result;
}

}  // namespace

Result<StrongComponentsResult> strong_components(Engine& engine, const GraphView& graph) {
  // Of several ranks each would know the labels of its own vertices only.
  if (!graph.directed() && engine.ranks() == nullptr) return of_undirected(engine, graph);
  constexpr VertexId kFew = std::numeric_limits<std::uint32_t>::max() - 1;  // one is kClosed
  if (graph.num_vertices() <= kFew) return search_all<std::uint32_t>(engine, graph);
  return search_all<std::uint64_t>(engine, graph);
}

}  // namespace rizoma
