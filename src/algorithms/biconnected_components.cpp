#include <rizoma/algorithms/biconnected_components.h>

#include "algorithms/lists.h"
#include "engine/one_rank.h"

#include <rizoma/list_reader.h>

#include <algorithm>

namespace rizoma {
namespace {

template <class Lists>
class HopcroftTarjan {
 public:
  HopcroftTarjan(Engine& engine, Lists& out, BiconnectedComponents& result)
      : out_(out),
        result_(result),
        states_(out.num_vertices()),
        is_point_(out.num_vertices()),
        watch_(engine, "biconnected_components", out.num_vertices()) {}

  Status search(VertexId root) {
    if (states_[root].found != 0) return {};
    enter(root, root);
    VertexId children_of_root = 0;
    while (!path_.empty()) {
      RIZOMA_TRY(watch_.step());
      if (go_on()) continue;
      const Step done = path_.back();
      path_.pop_back();
      if (path_.size() > 1) {
        leave(done.vertex, done.parent);
      } else if (path_.size() == 1) {
        ++children_of_root;
        close_component(done.vertex);
      }
    }
    if (children_of_root > 1) add_point(root);
    return {};
  }

 private:
  struct State {
    VertexId found = 0;    ///< when, from 1; 0: not yet
    VertexId low = 0;      ///< the earliest found that a walk of tree edges and one other reaches
    std::size_t edge = 0;  ///< place in edges_ of the tree edge that led here
  };
  struct Step {
    VertexId parent;
    VertexId vertex;
    EdgeCount next;
  };
  struct Edge {
    VertexId source;
    VertexId target;
  };

  void enter(VertexId parent, VertexId v) {
    ++count_;
    states_[v] = {count_, count_, edges_.size()};
    path_.push_back({parent, v, 0});
  }

  /// Walks edges of the last vertex up to the first to a new vertex; false if there is none.
  bool go_on() {
    auto& [parent, v, next] = path_.back();
    const auto list = next == 0 ? out_.read(v) : out_.again(v);
    while (next < list.size()) {
      const VertexId w = list.source(next++);
      if (w == parent) continue;
      if (states_[w].found == 0) {
        const VertexId from = v;  // path_ grows
        enter(from, w);
        edges_.push_back({from, w});
        return true;
      }
      if (states_[w].found > states_[v].found) continue;  // seen from the other end
      states_[v].low = std::min(states_[v].low, states_[w].found);
      edges_.push_back({v, w});
    }
    return false;
  }

  void leave(VertexId v, VertexId parent) {
    if (states_[v].low >= states_[parent].found) {
      close_component(v);
      add_point(parent);
    }
    states_[parent].low = std::min(states_[parent].low, states_[v].low);
  }

  /// The edges from the one that led to v on.
  void close_component(VertexId v) {
    for (std::size_t i = states_[v].edge; i < edges_.size(); ++i) {
      result_.sources.push_back(edges_[i].source);
      result_.targets.push_back(edges_[i].target);
    }
    edges_.resize(states_[v].edge);
    result_.offsets.push_back(result_.sources.size());
  }

  void add_point(VertexId v) {
    if (is_point_.add(v)) result_.articulation_points.push_back(v);
  }

  Lists& out_;
  BiconnectedComponents& result_;
  std::vector<State> states_;
  VertexSet is_point_;
  std::vector<Step> path_;
  std::vector<Edge> edges_;
  VertexId count_ = 0;
  SerialWatch watch_;
};

}  // namespace

Result<BiconnectedComponents> biconnected_components(Engine& engine, const GraphView& graph) {
  RIZOMA_TRY(one_rank_only(engine, "biconnected_components"));
  if (graph.directed()) return Error{ErrorCode::unsupported, "biconnected_components: the graph is directed"};
  return read_lists(engine, graph, Direction::out, [&](auto& out) -> Result<BiconnectedComponents> {
    BiconnectedComponents result;
    HopcroftTarjan search(engine, out, result);
    for (VertexId v = 0; v < graph.num_vertices(); ++v) RIZOMA_TRY(search.search(v));
    return result;
  });
}

}  // namespace rizoma
