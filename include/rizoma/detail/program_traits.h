// Traits of an EdgeProgram, and the choice between push and pull.  Module: engine.
#pragma once

#include <rizoma/detail/active_vertices.h>
#include <rizoma/detail/function_ref.h>
#include <rizoma/edge_program.h>
#include <rizoma/graph_view.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace rizoma::engine_detail {

/// What a step needs to know of a program, whose type it does not know.
struct ProgramKind {
  bool visit_once = false;
  bool early_exit = false;
  bool update_all = false;
  bool has_cond = false;
  bool all_stay = false;          ///< apply returns void: all vertices stay active
  bool adds_up = false;           ///< its gather may be a sum of messages (hub_accumulators.h)
  std::size_t message_bytes = 0;  ///< 0: none

  /// The first message decides, and a vertex takes only one: who reaches it first applies it.
  [[nodiscard]] constexpr bool claims() const noexcept { return visit_once && early_exit && !update_all; }
  /// Whether every vertex is applied or sends again, with or without messages to it.
  [[nodiscard]] constexpr bool hears_all() const noexcept { return update_all || all_stay; }
  /// Whether a pull leaves out vertices.
  [[nodiscard]] constexpr bool skips() const noexcept {
    return visit_once || (all_stay && update_all) || (has_cond && !all_stay);
  }
};

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
  /// apply takes runs of vertices: their only state is the message.
  static constexpr bool takes_runs = requires(P& p, const Message* now, Message* next, Tally& t) {
    p.apply(VertexRange{}, now, next, std::declval<const Accum*>(), t);
  };
  static auto apply(P& program, VertexId v, const Accum& accum, Tally& tally) {
    if constexpr (takes_runs) return;
    else if constexpr (has_tally) return program.apply(v, accum, tally);
    else return program.apply(v, accum);
  }
  /// apply returns void: all vertices stay active.
  static constexpr bool all_stay = std::is_void_v<decltype(apply(
      std::declval<P&>(), VertexId{}, std::declval<const Accum&>(), std::declval<Tally&>()))>;
  /// The gather may be a sum (SweepOptions::sum_bound).
  static constexpr bool adds_up =
      takes_runs && !weighted && std::is_floating_point_v<Message> && std::is_same_v<Accum, double>;

  [[nodiscard]] static constexpr ProgramKind kind() noexcept {
    return {.visit_once = visit_once,
            .early_exit = early_exit,
            .update_all = update_all,
            .has_cond = has_cond,
            .all_stay = all_stay,
            .adds_up = adds_up,
            .message_bytes = has_message ? sizeof(std::conditional_t<has_message, Message, char>) : 0};
  }
};

/// The result of a step on one rank.
struct StepCounts {
  VertexId vertices = 0;
  EdgeCount entries = 0;
  EdgeCount in_vain = 0;

  friend StepCounts operator+(const StepCounts& a, const StepCounts& b) noexcept {
    return {a.vertices + b.vertices, a.entries + b.entries, a.in_vain + b.in_vain};
  }
};

// A push of fewer messages sorts them on the calling thread and touches nothing of size n (sparse_push.h).
inline constexpr EdgeCount kSparsePush = 1 << 13;

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

/// Whether a step of claims is worth a copy of the set for each thread (thread_local_frontier.h).
[[nodiscard]] bool claims_apart_pay(EdgeCount entries, VertexId universe, unsigned threads) noexcept;

/// Estimates the entries that a pull would read in vain, from a sample of lists; may_apply(v): whether v is unreached.
/// Cost: some microseconds.
[[nodiscard]] EdgeCount about_in_vain(const GraphView& graph, Direction direction, const std::uint64_t* front,
                                      FunctionRef<bool(VertexId)> may_apply);

}  // namespace rizoma::engine_detail
