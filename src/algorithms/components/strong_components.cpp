#include <rizoma/algorithms/strong_components.h>

#include "algorithms/components/reachability.h"
#include "algorithms/shared/search_arguments.h"
#include "engine/exchange/single_process.h"

#include <rizoma/algorithms/connected_components.h>
#include <rizoma/gather.h>
#include <rizoma/graph_view.h>
#include <rizoma/process_vertices.h>
#include <rizoma/vertex_set.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// Of `found`, when a vertex was found, from 1; 0: not yet; or this: its component is known.
template <class Number>
constexpr Number kClosed = std::numeric_limits<Number>::max();

/// `Number`: of a vertex, wide enough for their count and kClosed.
template <class Number, class Lists>
class Tarjan {
 public:
  Tarjan(Engine& engine, Lists& out, VertexMap<Number>& found, StrongComponentsResult& result)
      : out_(out),
        result_(result),
        found_(found),
        low_(engine.make_unset_map<Number>(out.num_vertices())),
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
      found_[w] = kClosed<Number>;
      result_.labels[w] = result_.count;
      more = w != v;
    }
    ++result_.count;
  }

  Lists& out_;
  StrongComponentsResult& result_;
  VertexMap<Number>& found_;
  VertexMap<Number> low_;  ///< the earliest found that is known to be reachable and still open
  std::vector<Step> path_;
  std::vector<Number> open_;  ///< found, but in no component yet
  Number count_ = 0;
  SerialWatch watch_;
};

/// One search through the whole graph.
template <class Number>
Result<StrongComponentsResult> search_all(Engine& engine, const GraphView& graph) {
  StrongComponentsResult result;
  result.labels = engine.make_map<std::uint64_t>(graph.num_vertices(), kNoVertex);
  auto found = engine.make_map<Number>(graph.num_vertices(), 0);
  return read_lists(engine, graph, Direction::out, [&]<class Lists>(Lists& out) -> Result<StrongComponentsResult> {
    Tarjan<Number, Lists> tarjan(engine, out, found, result);
    for (VertexId v = 0; v < graph.num_vertices(); ++v) {
      if (graph.is_live(v)) RIZOMA_TRY(tarjan.search(v));
    }
    return std::move(result);
  });
}

/// Finds the component of one vertex by all threads, and those of single vertices without in- or out-edges; the rest by
/// a search.  The numbers rise from what the great component leads to, to what leads to it.
template <class Number>
class GreatFirst {
 public:
  GreatFirst(Engine& engine, const GraphView& graph)
      : engine_(engine),
        graph_(graph),
        n_(graph.num_vertices()),
        sinks_(engine.make_set(n_)),
        sources_(engine.make_set(n_)),
        below_(engine.make_set(n_)),
        above_(engine.make_set(n_)),
        great_(engine.make_set(n_)) {
    result_.labels = engine.make_unset_map<std::uint64_t>(n_);
  }

  Result<StrongComponentsResult> run() {
    return read_both_lists(engine_, graph_, [&](auto& out, auto* in) -> Result<StrongComponentsResult> {
      RIZOMA_TRY(engine_.report("strong_components", 0, static_cast<double>(n_)));
      RIZOMA_ASSIGN(const Kinds kinds, tell_apart());
      if (kinds.pivot != kNoVertex) RIZOMA_TRY(part(kinds, out, *in));
      RIZOMA_TRY(number_alone(sinks_));
      RIZOMA_TRY(search_rest(out));
      RIZOMA_TRY(number_alone(sources_));
      return std::move(result_);
    });
  }

 private:
  static constexpr VertexId kBlock = 1 << 12;  // vertices; a multiple of 64, so that each owns its words of a set

  struct Kinds {
    VertexId sinks = 0;
    VertexId sources = 0;
    std::uint64_t ways = 0;      ///< through the pivot
    VertexId pivot = kNoVertex;  ///< where the searches begin: most ways lead through it

    void offer(std::uint64_t ways_through, VertexId v) noexcept {
      if (ways_through < ways || (ways_through == ways && v >= pivot)) return;
      ways = ways_through;
      pivot = v;
    }
  };

  /// f(block, thread) for all blocks of vertices.
  template <class F>
  Status for_all(F&& f) {
    return engine_.for_blocks(blocks(), 1, [&](VertexRange some, unsigned thread) {
      for (VertexId b = some.begin; b < some.end; ++b) f({b * kBlock, std::min(n_, (b + 1) * kBlock)}, thread);
    });
  }
  [[nodiscard]] VertexId blocks() const noexcept { return (n_ + kBlock - 1) / kBlock; }

  /// Finds who has no out-edges, who no in-edges, and (in above_) who has both; and a pivot among these.
  Result<Kinds> tell_apart() {
    const Degrees out(graph_);
    const Degrees in(graph_, Direction::in);
    std::vector<PerThread<Kinds>> of_threads(engine_.threads());
    RIZOMA_TRY(for_all([&](VertexRange block, unsigned thread) {
      Kinds kinds = of_threads[thread].value;
      for (VertexId first = block.begin; first < block.end; first += 64)
        tell_word_apart({first, std::min(first + 64, block.end)}, out, in, kinds);
      of_threads[thread].value = kinds;
    }));
    Kinds all;
    for (const auto& [kinds] : of_threads) {
      all.sinks += kinds.sinks;
      all.sources += kinds.sources;
      if (kinds.pivot != kNoVertex) all.offer(kinds.ways, kinds.pivot);
    }
    return all;
  }

  void tell_word_apart(VertexRange word, const Degrees& out, const Degrees& in, Kinds& kinds) {
    constexpr EdgeCount kMost = std::numeric_limits<std::uint32_t>::max();  // the product of two stays in its type
    std::uint64_t leads = 0;
    std::uint64_t is_led_to = 0;
    std::uint64_t lives = 0;
    for (VertexId v = word.begin; v < word.end; ++v) {
      const EdgeCount to = out[v];
      const EdgeCount from = in[v];
      leads |= std::uint64_t{to != 0} << (v % 64);
      is_led_to |= std::uint64_t{from != 0} << (v % 64);
      lives |= std::uint64_t{graph_.is_live(v)} << (v % 64);
      const std::uint64_t ways = std::min(to, kMost) * std::min(from, kMost);
      if (ways > kinds.ways || (ways == kinds.ways && ways > 0)) kinds.offer(ways, v);
    }
    const std::uint64_t sinks = lives & ~leads;
    const std::uint64_t sources = leads & ~is_led_to;
    sinks_.words()[word.begin / 64] = sinks;
    sources_.words()[word.begin / 64] = sources;
    above_.words()[word.begin / 64] = leads & is_led_to;
    kinds.sinks += static_cast<VertexId>(std::popcount(sinks));
    kinds.sources += static_cast<VertexId>(std::popcount(sources));
  }

  /// Leaves in below_ what the component of the pivot leads to, and in above_ what else is not in it; or all in one of
  /// them where searching all vertices is the quicker way.  First goes the search that more vertices stop.
  template <class Lists>
  Status part(const Kinds& kinds, Lists& out, Lists& in) {
    const bool back_first = kinds.sinks > kinds.sources;
    if (back_first) std::swap(above_, below_);
    VertexSet& all = back_first ? below_ : above_;
    VertexSet& some = back_first ? above_ : below_;
    const Direction along = back_first ? Direction::in : Direction::out;
    const Direction back = back_first ? Direction::out : Direction::in;
    Lists& lists = back_first ? in : out;
    Lists& back_lists = back_first ? out : in;
    Reach<Lists> first(engine_, graph_, along, lists, back_lists);
    first.begin(kinds.pivot, all, some);
    if (!first.spreads()) {
      return for_all([&](VertexRange block, unsigned) {
        for (VertexId w = block.begin / 64; w < VertexSet::words_of(block.end); ++w)
          all.words()[w] |= std::exchange(some.words()[w], 0);
      });
    }
    RIZOMA_TRY(first.finish());
    Reach<Lists> second(engine_, graph_, back, back_lists, lists);
    second.begin(kinds.pivot, some, great_);
    return second.finish();
  }

  /// Numbers vertices that are components of their own, in their order.
  Status number_alone(const VertexSet& alone) {
    std::vector<std::uint64_t> first(blocks());
    RIZOMA_TRY(for_all([&](VertexRange block, unsigned) {
      int count = 0;
      for (VertexId w = block.begin / 64; w < VertexSet::words_of(block.end); ++w)
        count += std::popcount(alone.word(w));
      first[block.begin / kBlock] = static_cast<std::uint64_t>(count);
    }));
    for (std::uint64_t& next : first) result_.count += std::exchange(next, result_.count);
    return for_all([&](VertexRange block, unsigned) {
      std::uint64_t next = first[block.begin / kBlock];
      alone.for_each(block, [&](VertexId v) { result_.labels[v] = next++; });
    });
  }

  /// Numbers what is below the great component, this, and what else is left.
  template <class Lists>
  Status search_rest(Lists& out) {
    auto found = engine_.make_unset_map<Number>(n_);
    RIZOMA_TRY(for_all([&](VertexRange block, unsigned) {
      for (VertexId v = block.begin; v < block.end; ++v) {
        const std::uint64_t left = below_.word(v / 64) | above_.word(v / 64);
        found[v] = ((left >> (v % 64)) & 1) != 0 ? 0 : kClosed<Number>;
        if (!graph_.is_live(v)) result_.labels[v] = kNoVertex;
      }
    }));
    Tarjan<Number, Lists> tarjan(engine_, out, found, result_);
    RIZOMA_TRY(search_among(below_, tarjan));
    great_.recount();
    if (!great_.empty()) {
      const std::uint64_t great = result_.count++;
      RIZOMA_TRY(for_all([&](VertexRange block, unsigned) {
        great_.for_each(block, [&](VertexId v) { result_.labels[v] = great; });
      }));
    }
    return search_among(above_, tarjan);
  }

  static Status search_among(const VertexSet& roots, auto& tarjan) {
    for (std::size_t w = 0; w < VertexSet::words_of(roots.universe()); ++w) {
      for (std::uint64_t left = roots.word(w); left != 0; left &= left - 1)
        RIZOMA_TRY(tarjan.search(w * 64 + static_cast<VertexId>(std::countr_zero(left))));
    }
    return {};
  }

  Engine& engine_;
  const GraphView& graph_;
  VertexId n_;
  VertexSet sinks_;    ///< without out-edges
  VertexSet sources_;  ///< of the others, those without in-edges
  VertexSet below_;    ///< what the great component leads to
  VertexSet above_;
  VertexSet great_;
  StrongComponentsResult result_;
};

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

template <class Number>
Result<StrongComponentsResult> of_directed(Engine& engine, const GraphView& graph,
                                           const StrongComponentsOptions& options) {
  if (options.depth_first_order || !graph.has_in_edges()) return search_all<Number>(engine, graph);
  return GreatFirst<Number>(engine, graph).run();
}

}  // namespace

Result<StrongComponentsResult> strong_components(Engine& engine, const GraphView& graph,
                                                 const StrongComponentsOptions& options) {
  RIZOMA_TRY(single_process_only(engine, "strong_components"));
  if (!graph.directed()) return of_undirected(engine, graph);
  constexpr VertexId kFew = std::numeric_limits<std::uint32_t>::max() - 1;  // one is kClosed
  if (graph.num_vertices() <= kFew) return of_directed<std::uint32_t>(engine, graph, options);
  return of_directed<std::uint64_t>(engine, graph, options);
}

}  // namespace rizoma
