#include <rizoma/algorithms/strong_components.h>

#include "algorithms/lists.h"

#include <rizoma/list_reader.h>

#include <algorithm>
#include <vector>

namespace rizoma {
namespace {

template <class Lists>
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
    enter(root);
    while (!path_.empty()) {
      RIZOMA_TRY(watch_.step());
      const VertexId v = path_.back().vertex;
      EdgeCount& next = path_.back().next;
      const auto list = next == 0 ? out_.read(v) : out_.again(v);
      while (next < list.size() && !leads_on(v, list.source(next))) ++next;
      if (next < list.size()) {
        enter(list.source(next++));
      } else {
        leave(v);
      }
    }
    return {};
  }

 private:
  struct Step {
    VertexId vertex;
    EdgeCount next;  ///< entry of its list to look at next
  };

  void enter(VertexId v) {
    found_[v] = low_[v] = ++count_;
    path_.push_back({v, 0});
    open_.push_back(v);
  }

  /// True if w is new; else v learns what it may learn from w.
  bool leads_on(VertexId v, VertexId w) {
    if (found_[w] == 0) return true;
    if (result_.labels[w] == kNoVertex) low_[v] = std::min(low_[v], found_[w]);
    return false;
  }

  void leave(VertexId v) {
    path_.pop_back();
    if (!path_.empty()) low_[path_.back().vertex] = std::min(low_[path_.back().vertex], low_[v]);
    if (low_[v] != found_[v]) return;
    for (VertexId w = kNoVertex; w != v;) {
      w = open_.back();
      open_.pop_back();
      result_.labels[w] = result_.count;
    }
    ++result_.count;
  }

  Lists& out_;
  StrongComponentsResult& result_;
  std::vector<VertexId> found_;  ///< when a vertex was found, from 1; 0: not yet
  std::vector<VertexId> low_;    ///< the earliest found that is known to be reachable and still open
  std::vector<Step> path_;
  std::vector<VertexId> open_;  ///< found, but in no component yet
  VertexId count_ = 0;
  SerialWatch watch_;
};

}  // namespace

Result<StrongComponentsResult> strong_components(Engine& engine, const GraphView& graph) {
  StrongComponentsResult result;
  result.labels = engine.make_map<std::uint64_t>(graph.num_vertices(), kNoVertex);
  return read_lists(engine, graph, Direction::out, [&](auto& out) -> Result<StrongComponentsResult> {
    Tarjan tarjan(engine, out, result);
    for (VertexId v = 0; v < graph.num_vertices(); ++v) {
      if (graph.is_live(v)) RIZOMA_TRY(tarjan.search(v));
    }
    return std::move(result);
  });
}

}  // namespace rizoma
