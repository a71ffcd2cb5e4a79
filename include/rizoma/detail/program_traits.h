// Traits of an EdgeProgram, and the choice between push and pull.  Module: engine.
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

/// The declared members of a program.
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
  /// The only vertex state is the message.
  static constexpr bool fused = requires(P& p, const Message* now, Message* next, Tally& t) {
    p.apply_scatter(VertexRange{}, now, next, std::declval<const Accum*>(), t);
  };
  static auto apply(P& program, VertexId v, const Accum& accum, Tally& tally) {
    if constexpr (fused) return;
    else if constexpr (has_tally) return program.apply(v, accum, tally);
    else return program.apply(v, accum);
  }
  /// apply returns void: all vertices stay active.
  static constexpr bool all_stay = std::is_void_v<decltype(apply(
      std::declval<P&>(), VertexId{}, std::declval<const Accum&>(), std::declval<Tally&>()))>;
  /// Eligible for hub_accumulators.h.
  static constexpr bool adds_up =
      requires(const P& p) { p.sum_bound(); } && std::is_floating_point_v<Message> && fused && !weighted;
};

/// The result of a step on one rank.
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

/// Decides whether a step pulls; compiled once for all programs.
struct PullRule {
  bool can_push = true;
  bool can_pull = true;
  bool visit_once = false;
  bool early_exit = false;
  bool symmetric = false;  ///< an undirected graph: unexplored entries are those of unreached vertices

  enum class Choice : std::uint8_t {
    push,
    pull,
    look  ///< pull, unless a sample of lists predicts reads in vain
  };
  [[nodiscard]] Choice choose(const ActiveVertices& active, EdgeCount unexplored, EdgeCount total) const noexcept;
  /// Whether a search should pull that reads `in_vain` entries in vain.
  [[nodiscard]] static bool pays(const ActiveVertices& active, EdgeCount in_vain) noexcept;
};

// Block size for a frontier of `size` vertices and `entries` entries; `size`: one thread does all.
[[nodiscard]] std::uint64_t list_grain(std::uint64_t size, EdgeCount entries, unsigned threads) noexcept;

// A push cuts lists of at least this many entries into pieces, for all threads.
inline constexpr EdgeCount kGreatList = 1 << 14;
inline constexpr std::uint64_t kPieceGrain = 1 << 11;

/// Estimates the entries that a pull would read in vain, from a sample of lists; may_apply(v): whether v is unreached.
/// Cost: some microseconds.
template <class Target, class MayApply>
[[nodiscard]] EdgeCount about_in_vain(const Adjacency<Target>& lists, const std::uint64_t* front,
                                      MayApply&& may_apply) {
  constexpr VertexId kDraws = 512;  // vertices sampled,
  constexpr unsigned kLists = 128;  // lists read,
  constexpr EdgeCount kEach = 128;  // entries of each
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
