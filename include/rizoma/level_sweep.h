// LevelSweep: sums along the edges between the levels of a breadth-first search, forwards and backwards.
// Module: engine.
//
// What: keeps the levels of a search and sweeps them forwards and backwards (Brandes), which Sweep does
// not.
//
//   LevelSweep<double, Lists> levels(engine, graph, out, in);
//   RIZOMA_TRY(levels.start(source, 1, paths));
//   for (bool more = true; more;) {
//     RIZOMA_ASSIGN(more, levels.advance(paths));     // paths[v]: of paths[u] over the edges u->v from the last level
//   }
//   for (std::size_t depth = levels.count(); depth-- > 0;) {
//     RIZOMA_TRY(levels.sum_back(depth, sums));       // sums[u]: of sums[v] over the edges u->v to the next level
//     RIZOMA_TRY(levels.for_level(depth, [&](VertexId u) { ... }));
//   }
//   RIZOMA_TRY(levels.forget([&](VertexId v) { paths[v] = sums[v] = 0; }));
//
// How: each level pushes (its vertices walk their lists) or pulls (other vertices search theirs for members of the
// level), whichever reads fewer entries.  Pushed sums are atomic additions, or one thread's where the type has none.
// Parallel edges count once.  On ranks, each rank keeps the sums of its own vertices and mirrors of others; it lists
// the vertices of a level that it owns, while sizes are global.
// Sums must be above 0: 0 means that a vertex has none.
// Cost: O(entries) for all levels together, each way, and O(n / 64) for each pulled level, on ranks for each level.
// Source: Beamer, Asanovic, Patterson, "Direction-optimizing breadth-first search", SC'12 (the choice); Madduri and
// others, "A faster parallel algorithm and efficient multithreaded implementations for evaluating betweenness
// centrality on massive datasets", IPDPS'09 (levels backwards).
#pragma once

#include <rizoma/detail/level_exchange.h>
#include <rizoma/detail/level_sets.h>
#include <rizoma/engine.h>
#include <rizoma/gather.h>
#include <rizoma/process_vertices.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace rizoma {

/// `Number`: a floating-point type, whose sums are atomic if it is double.  Errors: cancelled, and those of any rank.
template <class Number, class Lists>
class LevelSweep {
  using Target = typename Lists::target_type;

 public:
  /// `in`: null for an undirected graph, and for one that stores no in-edges.
  LevelSweep(Engine& engine, const GraphView& graph, const Lists& out, const Lists* in)
      : engine_(engine),
        graph_(graph),
        out_(out),
        in_(in),
        repeats_(graph.may_have_parallel_edges()),
        sets_(engine, graph.num_vertices()),
        exchange_(engine, graph, sets_) {}

  /// Makes one vertex the first level, with the sum `value`.  Functions that return a Status are collective.
  Status start(VertexId v, Number value, VertexMap<Number>& sums) {
    levels_.clear();
    overflow_ = false;
    const bool begins_here = exchange_.is_mine(v);
    if (begins_here) {
      sets_.begin_with(v);
      sums[v] = value;
    }
    unexplored_ = graph_.num_entries();
    return close_level(0, begins_here ? 1 : 0, sums);
  }
  /// Computes the next level: the unseen out-neighbours v of the last one, with sums[v], 0 before, the sum of sums[u]
  /// over the edges u->v from the last level.  False if it is empty.
  Result<bool> advance(VertexMap<Number>& sums) {
    const Level level = levels_.back();
    sets_.advance();
    const bool pulls = can_pull() && unexplored_ < kPullGain * level.out_entries;
    RIZOMA_TRY(pulls ? exchange_.publish_level(sums) : Status());
    RIZOMA_TRY(pulls ? pull(sums) : push(level, sums));
    if (!pulls) RIZOMA_TRY(exchange_.notify_owners(sums));
    const VertexId end = pulls ? sets_.append_found(level.end) : sets_.append_queued(level.end);
    sets_.unmark(level);
    RIZOMA_TRY(close_level(level.end, end, sums));
    if (levels_.back().of_all > 0) return true;
    levels_.pop_back();
    return false;
  }
  /// Whether a sum of the last level is not finite, on any rank.
  [[nodiscard]] bool overflow() const noexcept { return overflow_; }
  [[nodiscard]] std::size_t count() const noexcept { return levels_.size(); }

  /// sums[u] of a level's vertices, which was 0, becomes the sum of the next level's sums[v] over the edges u->v.
  Status sum_back(std::size_t depth, VertexMap<Number>& sums) {
    if (depth + 1 == levels_.size()) return {};
    const Level& level = levels_[depth];
    const Level& deeper = levels_[depth + 1];
    const bool scatters = can_pull() && deeper.in_entries * kPullGain < level.out_entries;
    const Level& marked = scatters ? level : deeper;
    RIZOMA_TRY(sets_.mark(marked));
    RIZOMA_TRY(scatters ? scatter_back(deeper, sums) : gather_back(level, sums));
    sets_.unmark(marked);
    return {};
  }
  /// f(v) for the vertices of a level.
  template <class F>
  Status for_level(std::size_t depth, F&& f) {
    return for_each_of(levels_[depth], nullptr, 0, [&](VertexId v, unsigned) { f(v); });
  }
  /// f(v) for each vertex of any level, and on ranks for all others that this rank may have written sums of; then
  /// another search may start.
  template <class F>
  Status forget(F&& f) {
    sets_.forget(levels_.back());
    if (!exchange_.is_alone()) {
      RIZOMA_TRY(engine_.for_vertices(graph_, [&](VertexRange block, unsigned) {
        for (VertexId v = block.begin; v < block.end; ++v) f(v);
      }));
      return exchange_.for_mirrors(engine_, graph_, f);
    }
    const std::span<const Target> reached = sets_.vertices(0, levels_.back().end);
    return engine_.for_blocks(reached.size(), 4096, [&](VertexRange block, unsigned) {
      for (VertexId i = block.begin; i < block.end; ++i) f(VertexId{reached[i]});
    });
  }

 private:
  using Sets = engine_detail::LevelSets<Target>;
  using Level = engine_detail::SearchLevel;
  static constexpr bool kAtomic = std::is_same_v<Number, double>;
  static constexpr std::uint64_t kGrain = 64;     // vertices of a level handed out at once
  static constexpr EdgeCount kSmallLevel = 8192;  // entries not worth waking other threads for
  static constexpr EdgeCount kPullGain = 2;       // an entry pulled costs about half of one pushed: no atomic add

  /// The global figures of a level.
  struct Sizes {
    VertexId vertices;
    EdgeCount out_entries;
    EdgeCount in_entries;
    bool overflow;
    static Sizes add(const Sizes& a, const Sizes& b) {
      return {a.vertices + b.vertices, a.out_entries + b.out_entries, a.in_entries + b.in_entries,
              a.overflow || b.overflow};
    }
  };
  [[nodiscard]] const Lists& in() const noexcept { return in_ != nullptr ? *in_ : out_; }
  [[nodiscard]] bool can_pull() const noexcept { return graph_.has_in_edges(); }
  [[nodiscard]] bool is_marked(VertexId v) noexcept { return Sets::has(sets_.marked(), v); }

  /// f(v, thread) for the vertices of a level; `entries` are those that f walks, of `lists`; `adds`: f uses add_to.
  template <class F>
  Status for_each_of(const Level& level, const Lists* lists, EdgeCount entries, F f, bool adds = false) {
    const bool small = level.out_entries + level.in_entries < kSmallLevel || (adds && !kAtomic);
    const auto each = [&](std::span<const Target> block, unsigned thread) {
      for (std::size_t i = 0; i < block.size(); ++i) {
        if (lists != nullptr) lists->ask_ahead(block, i);
        f(static_cast<VertexId>(block[i]), thread);
      }
    };
    // On ranks, the entries of a level are those of all ranks.
    const bool told = exchange_.is_alone() || entries == 0;
    return engine_.for_list(graph_, sets_.vertices(level), small ? level.size() : kGrain, each,
                            told ? std::optional(entries) : std::nullopt);
  }
  /// f(u) for the members of a sorted list, for each once.
  template <class F>
  void for_each_in(std::span<const Target> list, F f) const {
    if (!repeats_) {
      for (const Target u : list) f(u);
      return;
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i == 0 || list[i] != list[i - 1]) f(list[i]);
    }
  }
  static void add_to(VertexMap<Number>& map, VertexId v, Number amount) {
    if constexpr (kAtomic) {
      map.atomic(v).fetch_add(amount, std::memory_order_relaxed);
    } else {
      map[v] += amount;
    }
  }

  // --- Forward -------------------------------------------------------------------------------------

  /// Each vertex of the level adds its sum to its unseen out-neighbours.
  Status push(const Level& level, VertexMap<Number>& sums) {
    return for_each_of(
        level, &out_, level.out_entries,
        [&](VertexId u, unsigned thread) {
          const Number sum = sums[u];
          for_each_in(out_.again(u).sources(), [&](Target v) {
            if (Sets::has(sets_.seen(), v)) return;
            sets_.find(v, thread);
            add_to(sums, v, sum);
          });
        },
        true);
  }

  /// Each unseen vertex adds up the sums of its in-neighbours in the level.
  Status pull(VertexMap<Number>& sums) {
    return engine_.for_words(graph_, Direction::in, [&](VertexRange block, unsigned) {
      std::uint64_t found = 0;
      for (std::uint64_t unseen = ~sets_.seen().word(block.begin / 64); unseen != 0; unseen &= unseen - 1) {
        const VertexId v = block.begin + static_cast<VertexId>(std::countr_zero(unseen));
        if (v >= block.end) break;
        Number sum = 0;
        for_each_in(in().again(v).sources(), [&](Target u) {
          if (is_marked(u)) sum += sums[u];
        });
        if (sum == 0) continue;
        sums[v] = sum;
        found |= Sets::bit(v);
      }
      if (found != 0) sets_.found().words()[block.begin / 64] = found;
    });
  }

  Status close_level(VertexId begin, VertexId end, const VertexMap<Number>& sums) {
    Level level{begin, end, 0, 0, 0};
    std::atomic<EdgeCount> out_entries = 0;
    std::atomic<EdgeCount> in_entries = 0;
    std::atomic<bool> overflow = false;
    RIZOMA_TRY(engine_.for_blocks(level.size(), 4096, [&](VertexRange block, unsigned) {
      EdgeCount outs = 0;
      EdgeCount ins = 0;
      for (const Target v : sets_.vertices(begin + block.begin, begin + block.end)) {
        outs += out_.degree(v);
        if (in_ != nullptr) ins += in_->degree(v);
        if (!std::isfinite(sums[v])) overflow = true;
      }
      out_entries.fetch_add(outs, std::memory_order_relaxed);
      in_entries.fetch_add(in_ != nullptr ? ins : outs, std::memory_order_relaxed);
    }));
    const Sizes mine{level.size(), out_entries, in_entries, overflow};
    RIZOMA_ASSIGN(const Sizes of_all, over_ranks(engine_, mine, Sizes::add));
    overflow_ = of_all.overflow;
    level.of_all = of_all.vertices;
    level.out_entries = of_all.out_entries;
    level.in_entries = of_all.in_entries;
    unexplored_ -= std::min(unexplored_, level.in_entries);
    levels_.push_back(level);
    return {};
  }

  // --- Backward ------------------------------------------------------------------------------------

  /// Each vertex of the deeper level adds its sum to its in-neighbours in the level that is marked.
  Status scatter_back(const Level& deeper, VertexMap<Number>& sums) {
    RIZOMA_TRY(exchange_.make_room(sums));
    RIZOMA_TRY(for_each_of(
        deeper, &in(), deeper.in_entries,
        [&](VertexId v, unsigned) {
          const Number sum = sums[v];
          for_each_in(in().again(v).sources(), [&](Target u) {
            if (is_marked(u)) add_to(sums, u, sum);
          });
        },
        true));
    return exchange_.return_sums(sums);
  }

  /// Each vertex of the level adds up the sums of its out-neighbours in the deeper one, which is marked.
  Status gather_back(const Level& level, VertexMap<Number>& sums) {
    RIZOMA_TRY(exchange_.publish_successors(sums));
    return for_each_of(level, &out_, level.out_entries, [&](VertexId u, unsigned) {
      Number sum = 0;
      for_each_in(out_.again(u).sources(), [&](Target v) {
        if (is_marked(v)) sum += sums[v];
      });
      sums[u] = sum;
    });
  }

  Engine& engine_;
  const GraphView& graph_;
  const Lists& out_;  ///< counted by the engine's loops
  const Lists* in_;
  const bool repeats_;
  Sets sets_;
  engine_detail::LevelExchange<Number, Target> exchange_;
  std::vector<Level> levels_;
  EdgeCount unexplored_ = 0;  ///< in-entries of vertices not yet reached
  bool overflow_ = false;
};

}  // namespace rizoma
