// What a program says of itself, and when a sweep pulls.  Module: engine.  For the engine's own headers.
#pragma once

#include <rizoma/detail/active_vertices.h>
#include <rizoma/detail/adjacency.h>
#include <rizoma/edge_program.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace rizoma::engine_detail {

/// What a program says of itself.
template <class P>
struct Traits {
  template <class Q>
  struct TallyOf {
    struct type {
      void add(const type&) noexcept {}
    };
    static constexpr bool given = false;
  };
  template <class Q>
    requires requires { typename Q::Tally; }
  struct TallyOf<Q> {
    using type = typename Q::Tally;
    static constexpr bool given = true;
  };
  using Message = typename P::Message;
  using Accum = typename P::Accum;
  using Tally = typename TallyOf<P>::type;
  static constexpr bool has_tally = TallyOf<P>::given;
  static constexpr bool has_message = !std::is_void_v<Message>;
  static constexpr bool has_cond = requires(const P& p, VertexId v) { p.cond(v); };
  static constexpr bool weighted = requires { requires P::weighted; };
  static constexpr bool early_exit = requires { requires P::early_exit; };
  static constexpr bool visit_once = requires { requires P::visit_once; };
  static constexpr bool update_all = requires { requires P::update_all; };

  static Accum identity(const P& program) {
    if constexpr (requires { program.identity(); }) return program.identity();
    else return Accum{};
  }
  /// All that a vertex keeps is what it shows.
  static constexpr bool fused = requires(P& p, const Message* now, Message* next, Tally& t) {
    p.apply_scatter(VertexRange{}, now, next, std::declval<const Accum*>(), t);
  };
  static auto apply(P& program, VertexId v, const Accum& accum, Tally& tally) {
    if constexpr (fused) return;
    else if constexpr (has_tally) return program.apply(v, accum, tally);
    else return program.apply(v, accum);
  }
  /// apply says nothing, and so all vertices stay active.
  static constexpr bool all_stay = std::is_void_v<decltype(apply(
      std::declval<P&>(), VertexId{}, std::declval<const Accum&>(), std::declval<Tally&>()))>;
  /// It may be added up by hub_accumulators.h.
  static constexpr bool adds_up =
      requires(const P& p) { p.sum_bound(); } && std::is_floating_point_v<Message> && fused && !weighted;
};

/// What ranks tell each other of a step.
template <class Tally>
struct StepCounts {
  VertexId vertices = 0;
  EdgeCount entries = 0;
  EdgeCount in_vain = 0;
  Tally tally{};

  static StepCounts add(StepCounts a, const StepCounts& b) {
    a.vertices += b.vertices;
    a.entries += b.entries;
    a.in_vain += b.in_vain;
    a.tally.add(b.tally);
    return a;
  }
};

/// When a sweep pulls; compiled once.
struct PullRule {
  bool can_push = true;
  bool can_pull = true;
  bool visit_once = false;
  bool early_exit = false;
  bool symmetric = false;  ///< the graph: entries not explored are those of the vertices not reached

  enum class Choice : std::uint8_t {
    push,
    pull,
    look  ///< pull, unless a look at some lists says that it is in vain
  };
  [[nodiscard]] Choice choose(const ActiveVertices& active, EdgeCount unexplored, EdgeCount total) const noexcept;
  /// Whether a search pulls that looks at so many entries in vain.
  [[nodiscard]] static bool pays(const ActiveVertices& active, EdgeCount in_vain) noexcept;
};

// Vertices handed out at once of a list of so many, which lead to so many entries; all of them: one thread's.
[[nodiscard]] std::uint64_t list_grain(std::uint64_t size, EdgeCount entries, unsigned threads) noexcept;

// A list of so many entries in a pushed frontier is sent in pieces, by all threads.
inline constexpr EdgeCount kGreatList = 1 << 14;
inline constexpr std::uint64_t kPieceGrain = 1 << 11;

/// How many entries a pull of a search would look at in vain, by the lists of a few vertices; may_apply(v): whether v
/// is to be reached yet.  Cost: some microseconds.
template <class Target, class MayApply>
[[nodiscard]] EdgeCount about_in_vain(const Adjacency<Target>& lists, const std::uint64_t* front,
                                      MayApply&& may_apply) {
  constexpr VertexId kDraws = 512;  // vertices asked whether they are reached,
  constexpr unsigned kLists = 128;  // those whose lists are looked at,
  constexpr EdgeCount kEach = 128;  // and entries of each
  const VertexId n = lists.num_vertices();
  EdgeCount in_vain = 0;
  VertexId drawn = 0;
  for (unsigned looked = 0; drawn < kDraws && looked < kLists; ++drawn) {
    const VertexId v = n * drawn / kDraws;
    const EdgeCount size = lists.degree(v);
    if (size == 0 || !may_apply(v)) continue;
    ++looked;
    bool any = false;
    lists.for_runs(v, 0, std::min(size, kEach), [&](const auto& run) {
      for (std::uint32_t i = run.begin; i < run.end && !any; ++i) {
        const VertexId u = run.targets[i];
        any = ((front[u / 64] >> (u % 64)) & 1) != 0;
      }
      return !any;
    });
    if (!any) in_vain += size;
  }
  return in_vain * (n / std::max<VertexId>(drawn, 1));
}

}  // namespace rizoma::engine_detail
