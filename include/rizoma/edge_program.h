// EdgeProgram: the sweep contract.  Module: engine.
//
// A sweep over active vertices: every active u with an edge u->v where wants(v) shows v its value, and the
// edge its weight; what comes to one v is folded; then apply(v, folded) runs once, and v is active in the next
// sweep if it says so.  All is shown before anything is applied: push and pull agree but for the rounding of sums.
//
//   struct Program {
//     using Shown = float;                             // what neighbours read, or void: nothing but who shows it
//     using Folded = double;
//     Shown show(VertexId u) const;                    // unless Shown is void
//     Folded identity() const;                         // may be left out: Folded{}
//     Folded fold(Folded so_far, const auto& entries) const;  // of some entries of one vertex: entries.h
//     Folded combine(Folded a, Folded b) const;        // associative and commutative, as fold is
//     bool apply(VertexId v, Folded folded);           // or void: all vertices stay active
//     bool wants(VertexId v) const;                    // may be left out: every v wants
//   };
//
// and, each of them if it is wanted:
//   struct Tally { ...; void add(const Tally&); };  apply, or renew, then takes a Tally& of its thread at the end
//   static constexpr bool weighted = true;        the entries have the graph's weights
//   static constexpr bool first_suffices = true;  the fold of one entry will do, so a pull may stop at the first
//   static constexpr bool once = true;            who was active or applied wants no more; the engine keeps a bit
//   void unreachable(VertexId v);                 with `once`: a pull has found that v has no list
//   void renew(VertexRange run, const Shown* now, Shown* shows, const Folded* folded, Tally& tally);
//                                                 in place of apply, with `always`: all that a vertex keeps is what it
//                                                 shows.  Makes shows[v] what v shows next, for a run of vertices; it
//                                                 holds what v showed in the step before (in a push, what `now` does),
//                                                 and folded[v - run.begin] what came to it.  All vertices stay active
//   static constexpr bool always = true;          every v that wants is applied, with identity() if nothing came
//   double most_sum() const;                      with `renew`: the fold is sum_shown, from 0 on, and no sum of what
//                                                 some neighbours of a vertex show exceeds this in size: the engine may
//                                                 add up its way, and be off by 2^-60 of this, or of 1, an entry
//
// The state that neighbours read, Shown, belongs to the engine, which asks for it by show(u) when u becomes active.
// It may lie elsewhere than where it was made: mirrored on another machine, in another tier.  All other state is
// the program's and is read and written for v only, by wants(v), apply(v) and show(v).  Shown and Folded are
// trivially copyable.
//
// A program is a handle: the engine copies it for each block of vertices, so that what it refers to can stay in
// registers.  Keep in it references, spans and numbers; change the numbers between sweeps.  Its members are called from
// many threads, for different v at the same time.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/entries.h>
#include <rizoma/frontier.h>

#include <concepts>
#include <optional>
#include <type_traits>

namespace rizoma {

template <class P>
concept EdgeProgram = std::copy_constructible<P> && requires(const P& p, VertexId v) {
  typename P::Shown;
  typename P::Folded;
  requires std::is_trivially_copyable_v<typename P::Folded>;
  requires std::is_void_v<typename P::Shown> || requires {
    requires std::is_trivially_copyable_v<typename P::Shown>;
    { p.show(v) } -> std::convertible_to<typename P::Shown>;
  };
  {
    p.combine(std::declval<typename P::Folded>(), std::declval<typename P::Folded>())
  } -> std::convertible_to<typename P::Folded>;
};

/// How messages travel.
enum class SweepDirection : std::uint8_t { automatic, push, pull };

struct SweepOptions {
  /// `out`: v hears from its in-neighbours, along the edges; `in`: from its out-neighbours.
  Direction along = Direction::out;
  /// For tests and experiments.  Pull along `out`, and push along `in`, need has_in_edges().
  SweepDirection direction = SweepDirection::automatic;
  /// For the same: how many of the first vertices are taken for hubs (hub_sums.h), 0 for none, by programs that say
  /// most_sum, in undirected graphs without ranks.
  std::optional<VertexId> hubs = {};
};

}  // namespace rizoma
