#include <rizoma/algorithms/biconnected_components.h>

#include "algorithms/components/edge_blocks.h"
#include "algorithms/shared/serial_watch.h"
#include "engine/loop/kernel_arguments.h"

#include <rizoma/gather.h>
#include <rizoma/process_vertices.h>
#include <rizoma/vertex_set.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

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

  /// Follows edges of the last vertex until one leads to a new vertex; false if none does.
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

/// Lists the components that EdgeBlocks has found.
template <class Label>
class Listing {
 public:
  Listing(Engine& engine, const GraphView& graph, EdgeBlocks<Label>& blocks)
      : engine_(engine),
        graph_(graph),
        n_(graph.num_vertices()),
        blocks_(blocks),
        names_(engine.make_set(n_)),
        several_(engine.make_set(n_)) {}

  /// Before all others.
  Status prepare() {
    return engine_.for_vertices(graph_, [&](VertexRange block, unsigned) {
      std::uint64_t names = 0;
      for (VertexId v = block.begin; v < block.end; ++v) {
        if (blocks_.is_root(v)) continue;
        const Label set = blocks_.set_of(v);
        if (set == v) names |= std::uint64_t{1} << (v % 64);
        else several_.add_atomic(set);
      }
      names_.words()[block.begin / 64] |= names;
    });
  }

  /// Who a component hangs below and that has an edge upwards too, or is the root that several hang below.
  Result<std::vector<VertexId>> articulation_points() {
    VertexSet points = engine_.make_set(n_);
    VertexSet heads = engine_.make_set(n_);
    RIZOMA_TRY(engine_.for_vertices(graph_, [&](VertexRange block, unsigned) {
      names_.for_each(block, [&](VertexId v) {
        const VertexId head = blocks_.above(v);
        if (!blocks_.is_root(head) || !heads.add_atomic(head)) points.add_atomic(head);
      });
    }));
    return members(points);
  }

  /// Sets of one edge of the forest, which no other runs parallel to.
  Status bridges(CutElements& cuts) {
    names_.recount();
    cuts.biconnected_components = names_.count();
    const auto is_below = [&](VertexId v) { return VertexId{!blocks_.is_root(v)}; };
    RIZOMA_ASSIGN(const VertexId below, process_vertices(engine_, graph_, VertexId{0}, is_below));
    cuts.connected_components = graph_.num_live() - below;
    VertexSet alone = engine_.make_set(n_);
    for (std::size_t w = 0; w < VertexSet::words_of(n_); ++w) alone.words()[w] = names_.word(w) & ~several_.word(w);
    RIZOMA_ASSIGN(cuts.bridge_targets, members(alone));
    if (graph_.may_have_parallel_edges()) {
      read_lists(engine_, graph_, Direction::out, [&](auto& lists) {
        std::erase_if(cuts.bridge_targets,
                      [&](VertexId v) { return std::ranges::count(lists.read(v).sources(), blocks_.above(v)) > 1; });
      });
    }
    cuts.bridge_sources.reserve(cuts.bridge_targets.size());
    for (const VertexId v : cuts.bridge_targets) cuts.bridge_sources.push_back(blocks_.above(v));
    return {};
  }

  Status edges(BiconnectedComponents& result) {
    auto places = engine_.make_unset_map<EdgeCount>(n_);
    RIZOMA_TRY(for_each_list([&](VertexId v, const auto& entries) {
      EdgeCount count = 0;
      for_each_edge(v, entries, [&](VertexId) { ++count; });
      places[v] = count;
    }));
    RIZOMA_TRY(number_places(places, result.offsets));
    result.sources.resize(result.offsets.back());
    result.targets.resize(result.offsets.back());
    return for_each_list([&](VertexId v, const auto& entries) {
      EdgeCount place = places[v];
      for_each_edge(v, entries, [&](VertexId w) {
        result.sources[place] = w;
        result.targets[place++] = v;
      });
    });
  }

 private:
  /// The members of a set, ascending.
  Result<std::vector<VertexId>> members(const VertexSet& set) {
    constexpr VertexId kBlock = 1 << 12;  // vertices
    std::vector<VertexId> first(n_ / kBlock + 2);
    const auto for_all = [&](auto&& f) {
      return engine_.for_blocks(n_ / kBlock + 1, 1, [&](VertexRange some, unsigned) {
        for (VertexId b = some.begin; b < some.end; ++b) f(b, VertexRange{b * kBlock, std::min(n_, (b + 1) * kBlock)});
      });
    };
    RIZOMA_TRY(for_all([&](VertexId b, VertexRange block) {
      for (VertexId w = block.begin / 64; w < VertexSet::words_of(block.end); ++w)
        first[b + 1] += static_cast<VertexId>(std::popcount(set.word(w)));
    }));
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<VertexId> list(first.back());
    RIZOMA_TRY(for_all([&](VertexId b, VertexRange block) {
      VertexId place = first[b];
      set.for_each(block, [&](VertexId v) { list[place++] = v; });
    }));
    return list;
  }

  template <class F>
  Status for_each_list(F&& f) {
    return gather(engine_, graph_, {}, [&](VertexId v, const auto& entries, unsigned) {
      if (!blocks_.is_root(v)) f(v, entries);
    });
  }

  /// f(w) for the edges v-w that are listed from v: those within its set from the greater end, others from the lower.
  template <class F>
  void for_each_edge(VertexId v, const auto& entries, F&& f) {
    const VertexId set = blocks_.set_of(v);
    const VertexId above = blocks_.above(v);
    const bool is_alone = blocks_.is_root(above) || blocks_.set_of(above) != set;
    for (const VertexId w : entries.sources()) {
      if (w < v ? blocks_.set_of(w) == set || (is_alone && w == above) : is_alone && w == above) f(w);
    }
  }

  /// Of the number of edges listed from each vertex makes the place of the first of them.
  Status number_places(VertexMap<EdgeCount>& places, std::vector<std::size_t>& offsets) {
    RIZOMA_ASSIGN(const std::vector<VertexId> sets, members(names_));
    VertexMap<Label> numbers = engine_.make_unset_map<Label>(n_);  // of sets, to name one
    for (std::size_t i = 0; i < sets.size(); ++i) numbers[sets[i]] = static_cast<Label>(i);
    std::vector<std::size_t> next(sets.size() + 1);
    for (VertexId v = 0; v < n_; ++v) {
      if (!blocks_.is_root(v)) next[numbers[blocks_.set_of(v)] + 1] += places[v];
    }
    std::partial_sum(next.begin(), next.end(), next.begin());
    offsets = next;
    for (VertexId v = 0; v < n_; ++v) {
      if (blocks_.is_root(v)) continue;
      std::size_t& place = next[numbers[blocks_.set_of(v)]];
      place += std::exchange(places[v], place);
    }
    return {};
  }

  Engine& engine_;
  const GraphView& graph_;
  VertexId n_;
  EdgeBlocks<Label>& blocks_;
  VertexSet names_;    ///< who names a set
  VertexSet several_;  ///< the vertex that names one of several edges of the forest
};

/// Lists each edge of a component once, where it is first.
void drop_parallel(BiconnectedComponents& result) {
  std::size_t kept = 0;
  std::size_t begin = 0;
  std::set<std::pair<VertexId, VertexId>> seen;
  for (std::size_t c = 1; c < result.offsets.size(); ++c) {
    seen.clear();
    const std::size_t end = result.offsets[c];
    for (std::size_t i = begin; i < end; ++i) {
      if (!seen.emplace(result.sources[i], result.targets[i]).second) continue;
      result.sources[kept] = result.sources[i];
      result.targets[kept++] = result.targets[i];
    }
    begin = end;
    result.offsets[c] = kept;
  }
  result.sources.resize(kept);
  result.targets.resize(kept);
}

Result<BiconnectedComponents> in_depth_first_order(Engine& engine, const GraphView& graph) {
  return read_lists(engine, graph, Direction::out, [&](auto& out) -> Result<BiconnectedComponents> {
    BiconnectedComponents result;
    HopcroftTarjan search(engine, out, result);
    for (VertexId v = 0; v < graph.num_vertices(); ++v) RIZOMA_TRY(search.search(v));
    if (graph.may_have_parallel_edges()) drop_parallel(result);
    return result;
  });
}

Status check(Engine& engine, const GraphView& graph, std::string_view who) {
  RIZOMA_TRY(single_process_only(engine, who));
  RIZOMA_TRY(check_undirected(graph, who));
  return {};
}

/// f(listing) with a Listing of the components.
template <class F>
Status with_blocks(Engine& engine, const GraphView& graph, F&& f) {
  const auto find = [&]<class Label>(std::type_identity<Label>) -> Status {
    RIZOMA_ASSIGN(EdgeBlocks<Label> blocks, EdgeBlocks<Label>::find(engine, graph));
    Listing<Label> listing(engine, graph, blocks);
    RIZOMA_TRY(listing.prepare());
    return f(listing);
  };
  if (graph.num_vertices() < EdgeBlocks<std::uint32_t>::kNone) return find(std::type_identity<std::uint32_t>());
  return find(std::type_identity<std::uint64_t>());
}

}  // namespace

Result<BiconnectedComponents> biconnected_components(Engine& engine, const GraphView& graph,
                                                     const BiconnectedComponentsOptions& options) {
  RIZOMA_TRY(check(engine, graph, "biconnected_components"));
  if (options.depth_first_order) return in_depth_first_order(engine, graph);
  BiconnectedComponents result;
  RIZOMA_TRY(with_blocks(engine, graph, [&](auto& listing) -> Status {
    RIZOMA_ASSIGN(result.articulation_points, listing.articulation_points());
    return listing.edges(result);
  }));
  return result;
}

Result<CutElements> cut_elements(Engine& engine, const GraphView& graph) {
  RIZOMA_TRY(check(engine, graph, "cut_elements"));
  CutElements cuts;
  RIZOMA_TRY(with_blocks(engine, graph, [&](auto& listing) -> Status {
    RIZOMA_ASSIGN(cuts.articulation_points, listing.articulation_points());
    return listing.bridges(cuts);
  }));
  return cuts;
}

}  // namespace rizoma
