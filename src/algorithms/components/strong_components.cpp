#include <rizoma/algorithms/strong_components.h>

#include "algorithms/shared/serial_watch.h"
#include "engine/loop/kernel_arguments.h"
#include "engine/sweep/reachability.h"

#include <rizoma/algorithms/connected_components.h>
#include <rizoma/gather.h>
#include <rizoma/graph_view.h>
#include <rizoma/iteration.h>
#include <rizoma/process_vertices.h>
#include <rizoma/vertex_set.h>
#include <rizoma/vertex_state.h>

#include <algorithm>
#include <array>
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
  Tarjan(Engine& engine, Lists& out, VertexMap<Number>& found, std::uint64_t* labels, VertexId& count)
      : out_(out),
        found_(found),
        labels_(labels),
        components_(count),
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
    EdgeCount next;  ///< the next entry of its list
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
      labels_[w] = components_;
      more = w != v;
    }
    ++components_;
  }

  Lists& out_;
  VertexMap<Number>& found_;
  std::uint64_t* labels_;
  VertexId& components_;
  VertexMap<Number> low_;  ///< the earliest found that is known to be reachable and still open
  std::vector<Step> path_;
  std::vector<Number> open_;  ///< found, but in no component yet
  Number count_ = 0;
  SerialWatch watch_;
};

/// Finds the component of one vertex by all threads, and those of single vertices without in- or out-edges; the rest by
/// a search, or all by a search.  The numbers rise from what the great component leads to, to what leads to it.
/// Its state is the labels: those not numbered yet say in which set a vertex is.
template <class Number>
class GreatFirst {
 public:
  explicit GreatFirst(Iteration& loop)
      : loop_(loop),
        engine_(loop.engine()),
        graph_(loop.graph()),
        n_(graph_.num_vertices()),
        sinks_(engine_.make_set(n_)),
        sources_(engine_.make_set(n_)),
        below_(engine_.make_set(n_)),
        above_(engine_.make_set(n_)),
        great_(engine_.make_set(n_)),
        labels_(loop, kNoVertex, Unwritten::any) {
    loop.keep(count_);
    loop.valid_if([this] {
      for (VertexId v = 0; v < n_; ++v) {
        const bool numbered = labels_[v] < count_ || labels_[v] - kOpen < kSets;
        if (graph_.is_live(v) ? !numbered : labels_[v] != kNoVertex) return false;
      }
      return count_ <= n_;
    });
  }

  /// `searches_all`: in the order of a depth-first search.
  Result<StrongComponentsResult> run(bool searches_all) {
    RIZOMA_ASSIGN(const bool resumed, loop_.begin());
    return read_both_lists(engine_, graph_, [&](auto& out, auto* in) -> Result<StrongComponentsResult> {
      const VertexId before = resumed ? count_ : 0;
      if (resumed) restore();
      else RIZOMA_TRY(divide(out, searches_all ? nullptr : in));
      RIZOMA_TRY(search_rest(out));
      RIZOMA_TRY(number_alone(sources_));
      return StrongComponentsResult{std::move(labels_).take(), count_, before};
    });
  }

 private:
  static constexpr VertexId kBlock = 1 << 12;  // vertices; a multiple of 64, so that each owns its words of a set
  static constexpr std::uint64_t kSets = 4;
  static constexpr std::uint64_t kOpen = kNoVertex - kSets;  // the label of members of the first of the sets, and so on

  [[nodiscard]] std::array<VertexSet*, kSets> open_sets() { return {&below_, &great_, &above_, &sources_}; }
  void restore() {
    for (VertexId v = 0; v < n_; ++v) {
      if (labels_[v] - kOpen < kSets) open_sets()[labels_[v] - kOpen]->add(v);
    }
  }

  /// Finds the components of single vertices, the great component, and the vertices below and above it.
  template <class Lists>
  Status divide(Lists& out, Lists* in) {
    RIZOMA_TRY(engine_.report("strong_components", 0, static_cast<double>(n_)));
    if (in == nullptr) {
      for (VertexId v = 0; v < n_; ++v) {
        if (graph_.is_live(v)) above_.add(v);
      }
      return {};
    }
    RIZOMA_ASSIGN(const Kinds kinds, tell_apart());
    if (kinds.pivot != kNoVertex) RIZOMA_TRY(part(kinds, out, *in));
    return number_alone(sinks_);
  }

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
    for (std::uint64_t& next : first) count_ += std::exchange(next, count_);
    return for_all([&](VertexRange block, unsigned) {
      std::uint64_t next = first[block.begin / kBlock];
      alone.for_each(block, [&](VertexId v) { labels_[v] = next++; });
    });
  }

  /// Numbers the vertices below the great component, this, and the rest: a step searches from a block of vertices.
  template <class Lists>
  Status search_rest(Lists& out) {
    auto found = engine_.make_unset_map<Number>(n_);
    RIZOMA_TRY(for_all([&](VertexRange block, unsigned) {
      for (VertexId v = block.begin; v < block.end; ++v) {
        const std::uint64_t left = below_.word(v / 64) | above_.word(v / 64);
        found[v] = ((left >> (v % 64)) & 1) != 0 ? 0 : kClosed<Number>;
        if (!graph_.is_live(v)) labels_[v] = kNoVertex;
      }
      for (std::uint64_t i = 0; loop_.survives() && i < kSets; ++i)
        open_sets()[i]->for_each(block, [&](VertexId v) { labels_[v] = kOpen + i; });
    }));
    Tarjan<Number, Lists> tarjan(engine_, out, found, labels_.data(), count_);
    below_.recount();
    VertexId next = below_.empty() ? blocks() : 0;
    const auto step = [&]() -> Result<bool> {
      if (next == blocks()) RIZOMA_TRY(number_great());
      RIZOMA_TRY(next < blocks() ? search_among(below_, next, tarjan) : search_among(above_, next - blocks(), tarjan));
      return ++next < 2 * blocks();
    };
    return loop_.run(step);
  }

  Status number_great() {
    great_.recount();
    if (great_.empty()) return {};
    const std::uint64_t great = count_++;
    return for_all(
        [&](VertexRange block, unsigned) { great_.for_each(block, [&](VertexId v) { labels_[v] = great; }); });
  }

  Status search_among(const VertexSet& roots, VertexId block, auto& tarjan) {
    const VertexId end = VertexSet::words_of(std::min(n_, (block + 1) * kBlock));
    for (VertexId w = block * (kBlock / 64); w < end; ++w) {
      for (std::uint64_t left = roots.word(w); left != 0; left &= left - 1)
        RIZOMA_TRY(tarjan.search(w * 64 + static_cast<VertexId>(std::countr_zero(left))));
    }
    return {};
  }

  Iteration& loop_;
  Engine& engine_;
  const GraphView& graph_;
  VertexId n_;
  VertexSet sinks_;    ///< without out-edges
  VertexSet sources_;  ///< of the others, those without in-edges
  VertexSet below_;    ///< the vertices that the great component reaches
  VertexSet above_;
  VertexSet great_;
  VertexState<std::uint64_t> labels_;
  VertexId count_ = 0;
};

/// Of an undirected graph these are its components, which a search finishes by their least vertices: their labels.
Result<StrongComponentsResult> of_undirected(Engine& engine, const GraphView& graph) {
  RIZOMA_ASSIGN(ConnectedComponentsResult components, connected_components(engine, graph));
  StrongComponentsResult result{std::move(components.labels), 0, components.resumed_after};
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    const std::uint64_t root = result.labels[v];
    result.labels[v] = !graph.is_live(v) ? kNoVertex : root == v ? result.count++ : result.labels[root];
  }
  return result;
}

}  // namespace

Result<StrongComponentsResult> strong_components(Engine& engine, const GraphView& graph,
                                                 const StrongComponentsOptions& options) {
  RIZOMA_TRY(single_process_only(engine, "strong_components"));
  if (!graph.directed()) return of_undirected(engine, graph);
  constexpr VertexId kFew = std::numeric_limits<std::uint32_t>::max() - 1;  // one is kClosed
  Iteration loop(engine, graph, "strong_components");
  if (graph.num_vertices() <= kFew) return GreatFirst<std::uint32_t>(loop).run(options.depth_first_order);
  return GreatFirst<std::uint64_t>(loop).run(options.depth_first_order);
}

}  // namespace rizoma
