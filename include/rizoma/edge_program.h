// EdgeProgram: the sweep contract, and the two loops that user code is made of.  Module: engine.
//
// A sweep over a frontier of active vertices: every active u with an edge u->v where wants(v) sends
// message(u) to v; the messages to one v are folded by combine, which must be associative and
// commutative; then apply(v, folded) runs once, and v joins the returned frontier if it says so.
// All messages are sent before the first is applied, so a program reads the state before the sweep
// and writes the state after it, and push and pull give the same result.
//
//   struct Program {
//     Message message(VertexId u) const;            // or message(VertexId u, double weight)
//     Message combine(Message a, Message b) const;
//     bool apply(VertexId v, Message folded);
//     bool wants(VertexId v) const;                 // may be left out: every v wants
//     static constexpr bool first_suffices = true;  // may be left out; see below
//     static constexpr bool apply_at_once = true;   // may be left out; see below
//   };
//
// Message is any trivially copyable type.  The members are called from many threads, apply for
// different v at the same time.  An unweighted graph has weight 1 on every edge.
//   first_suffices: combine may keep either message, so a pull may stop at the first.
//   apply_at_once: message(u) and wants(u) do not read what apply(v) writes for another v (or a newer
//     value does as well), so a pull may apply v while others still send: one pass instead of two.
//
// Cost: push O(entries of the frontier), pull O(n + entries of the vertices that want).  Pull is
// chosen when the frontier has more than 1/20 of all entries and the graph has in-edges.
// Source: the switch is that of Shun, Blelloch, "Ligra: a lightweight graph processing framework for
// shared memory", PPoPP'13, after Beamer's for breadth-first search.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/frontier.h>

#include <algorithm>
#include <atomic>
#include <concepts>
#include <functional>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace rizoma {

enum class SweepDirection : std::uint8_t { automatic, push, pull };

template <class P>
concept WeightedProgram = requires(const P& p, VertexId v) { p.message(v, 1.0); };

template <class P>
concept EdgeProgram =
    (WeightedProgram<P> || requires(const P& p, VertexId v) { p.message(v); }) && requires(P& p, VertexId v) {
      typename P::Message;
      requires std::is_trivially_copyable_v<typename P::Message>;
      {
        p.combine(std::declval<typename P::Message>(), std::declval<typename P::Message>())
      } -> std::convertible_to<typename P::Message>;
      { p.apply(v, std::declval<typename P::Message>()) } -> std::convertible_to<bool>;
    };

/// Runs one sweep; returns the vertices whose apply said so.  `direction` is for tests and experiments;
/// pull needs has_in_edges().  Errors: cancelled (some vertices may have been applied by then).
template <EdgeProgram P>
Result<Frontier> process_edges(Engine& engine, const GraphView& graph, P& program, const Frontier& frontier,
                               SweepDirection direction = SweepDirection::automatic);

/// f(v) for every live vertex, folded by `combine` (associative, commutative) from `identity`.
template <class T, class F, class Combine = std::plus<>>
Result<T> process_vertices(Engine& engine, const GraphView& graph, T identity, F&& f, Combine combine = {});

/// The same for the vertices of a frontier.
template <class T, class F, class Combine = std::plus<>>
Result<T> process_vertices(Engine& engine, const Frontier& frontier, T identity, F&& f, Combine combine = {});

namespace engine_detail {

// Fewer messages than this are sorted on the calling thread, which then touches nothing of size n.
inline constexpr EdgeCount kFewMessages = 1 << 13;
inline constexpr EdgeCount kPullShare = 20;
inline constexpr std::uint64_t kListGrain = 128;
// A list of so many entries in a pushed frontier is sent in pieces, by all threads.
inline constexpr EdgeCount kGreatList = 1 << 14;
inline constexpr std::uint64_t kPieceGrain = 1 << 11;

/// Entries that lead out of the frontier.
Result<EdgeCount> count_entries(Engine& engine, const GraphView& graph, const Frontier& frontier);

/// The weight column of a graph, whatever its type; ones if there is none.
template <class Target>
struct Weights {
  const Adjacency<Target>& edges;
  WeightType type;

  [[nodiscard]] double at(VertexId v, std::size_t i) const noexcept {
    switch (type) {
      case WeightType::int32: return edges.template weights<std::int32_t>(v)[i];
      case WeightType::float32: return edges.template weights<float>(v)[i];
      case WeightType::float64: return edges.template weights<double>(v)[i];
      case WeightType::none: break;
    }
    return 1;
  }
};

/// Values of one thread's own cache line.
template <class T>
struct alignas(64) Padded {
  T value;
};

/// One sweep of a program.
template <class P>
class Sweep {
 public:
  using Message = typename P::Message;
  using Folded = std::pair<VertexId, Message>;

  Sweep(Engine& engine, const GraphView& graph, P& program, const Frontier& frontier)
      : engine_(engine), graph_(graph), program_(program), frontier_(frontier), n_(graph.num_vertices()) {}

  Result<Frontier> push(EdgeCount entries) {
    return graph_.with_out([&](const auto& out) { return entries <= kFewMessages ? push_few(out) : push_many(out); });
  }

  Result<Frontier> pull() {
    const VertexSet& active = frontier_.set();
    next_ = engine_.make_set(n_);
    if constexpr (!kAtOnce) make_mailbox();
    std::vector<Padded<std::vector<Folded>>> of_pieces(engine_.threads());
    RIZOMA_TRY(graph_.with_both([&](const auto&, const auto& in) {
      const auto whole = [&](VertexRange block, unsigned) {
        for (VertexId v = block.begin; v < block.end; ++v) {
          const std::optional<Message> folded = fold_sources(in, {v, 0, in.degree(v)}, active);
          if (folded) receive(v, *folded);
        }
      };
      const auto piece = [&](ListPiece part, unsigned thread) {
        const std::optional<Message> folded = fold_sources(in, part, active);
        if (folded) of_pieces[thread].value.emplace_back(part.vertex, *folded);
      };
      return engine_.for_pieces(graph_, Direction::in, whole, piece);
    }));
    receive_pieces(of_pieces);
    if constexpr (!kAtOnce) RIZOMA_TRY(apply_mail());
    next_.recount();
    return Frontier(std::move(next_));
  }

 private:
  static constexpr bool kFirstSuffices = [] {
    if constexpr (requires { P::first_suffices; }) return P::first_suffices;
    return false;
  }();
  static constexpr bool kAtOnce = [] {
    if constexpr (requires { P::apply_at_once; }) return P::apply_at_once;
    return false;
  }();

  [[nodiscard]] bool wants(VertexId v) const {
    if constexpr (requires { program_.wants(v); }) return program_.wants(v);
    return true;
  }

  template <class Target>
  [[nodiscard]] Message message(VertexId u, const Weights<Target>& weights, VertexId owner, std::size_t i) const {
    if constexpr (WeightedProgram<P>) return program_.message(u, weights.at(owner, i));
    else return program_.message(u);
  }

  /// Calls deliver_to(v, message) for each of these edges of a vertex whose target wants it.
  template <class Target, class Deliver>
  void send(ListPiece part, const Adjacency<Target>& out, Deliver&& deliver_to) const {
    const Weights<Target> weights{out, graph_.weight_type()};
    const auto targets = out.neighbors(part.vertex);
    for (std::size_t i = part.begin; i < part.end; ++i) {
      if (wants(targets[i])) deliver_to(targets[i], message(part.vertex, weights, part.vertex, i));
    }
  }

  /// What the active ones among these sources of a vertex send to it, if any do and it wants to know.
  template <class Target>
  [[nodiscard]] std::optional<Message> fold_sources(const Adjacency<Target>& in, ListPiece part,
                                                    const VertexSet& active) const {
    std::optional<Message> folded;
    if (!wants(part.vertex)) return folded;
    const Weights<Target> weights{in, graph_.weight_type()};
    const auto sources = in.neighbors(part.vertex);
    for (std::size_t i = part.begin; i < part.end; ++i) {
      if (!active.contains(sources[i])) continue;
      const Message sent = message(sources[i], weights, part.vertex, i);
      folded = folded ? program_.combine(*folded, sent) : sent;
      if (kFirstSuffices) break;
    }
    return folded;
  }

  void receive(VertexId v, const Message& folded) {
    if constexpr (kAtOnce) {
      if (program_.apply(v, folded)) next_.add_atomic(v);
    } else {
      mailbox_[v] = folded;
      has_mail_.add_atomic(v);
    }
  }

  /// Folds what the pieces of great lists gave, vertex by vertex.
  void receive_pieces(std::vector<Padded<std::vector<Folded>>>& of_threads) {
    std::vector<Folded> all;
    for (auto& thread : of_threads) all.insert(all.end(), thread.value.begin(), thread.value.end());
    fold_equal(all, [&](VertexId v, const Message& folded) { receive(v, folded); });
  }

  /// Calls f(v, folded) for each vertex that there is mail for.
  template <class F>
  void fold_equal(std::vector<Folded>& mail, F&& f) const {
    std::stable_sort(mail.begin(), mail.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto first = mail.begin(); first != mail.end();) {
      const VertexId v = first->first;
      Message folded = first->second;
      while (++first != mail.end() && first->first == v) folded = program_.combine(folded, first->second);
      f(v, folded);
    }
  }

  template <class Target>
  Result<Frontier> push_few(const Adjacency<Target>& out) {
    std::vector<Folded> mail;
    const std::span<const VertexId> all = frontier_.list();
    RIZOMA_TRY(engine_.for_list(graph_, all, n_ + 1, [&](std::span<const VertexId> active, unsigned) {
      for (const VertexId u : active) {
        send({u, 0, out.degree(u)}, out, [&](VertexId v, const Message& sent) { mail.emplace_back(v, sent); });
      }
    }));
    std::vector<VertexId> next;
    fold_equal(mail, [&](VertexId v, const Message& folded) {
      if (program_.apply(v, folded)) next.push_back(v);
    });
    return Frontier(n_, next);
  }

  template <class Target>
  Result<Frontier> push_many(const Adjacency<Target>& out) {
    make_mailbox();
    busy_ = engine_.make_set(n_);
    next_ = engine_.make_set(n_);
    const auto deliver_piece = [&](ListPiece part) {
      send(part, out, [&](VertexId v, const Message& sent) { deliver(v, sent); });
    };
    const std::span<const VertexId> all = frontier_.list();
    std::vector<Padded<std::vector<VertexId>>> great(engine_.threads());
    RIZOMA_TRY(engine_.for_list(graph_, all, kListGrain, [&](std::span<const VertexId> active, unsigned thread) {
      for (const VertexId u : active) {
        if (out.degree(u) >= kGreatList) great[thread].value.push_back(u);
        else deliver_piece({u, 0, out.degree(u)});
      }
    }));
    for (const auto& of_thread : great) {
      for (const VertexId u : of_thread.value) {
        RIZOMA_TRY(engine_.for_blocks(out.degree(u), kPieceGrain, [&](VertexRange entries, unsigned) {
          deliver_piece({u, entries.begin, entries.end});
        }));
      }
    }
    RIZOMA_TRY(apply_mail());
    next_.recount();
    return Frontier(std::move(next_));
  }

  /// Folds a message into the mailbox of v, which one bit guards.
  void deliver(VertexId v, const Message& sent) {
    const std::uint64_t bit = std::uint64_t{1} << (v & 63);
    std::atomic_ref<std::uint64_t> guard(busy_.words()[v >> 6]);
    while ((guard.fetch_or(bit, std::memory_order_acquire) & bit) != 0) {
      while ((guard.load(std::memory_order_relaxed) & bit) != 0) {
      }
    }
    mailbox_[v] = has_mail_.add_atomic(v) ? sent : program_.combine(mailbox_[v], sent);
    guard.fetch_and(~bit, std::memory_order_release);
  }

  void make_mailbox() {
    mailbox_ = engine_.make_map<Message>(n_, Message{});
    has_mail_ = engine_.make_set(n_);
  }

  Status apply_mail() {
    return engine_.for_vertices(graph_, [&](VertexRange block, unsigned) {
      std::uint64_t joined = 0;
      has_mail_.for_each(block, [&](VertexId v) {
        if (program_.apply(v, mailbox_[v])) joined |= std::uint64_t{1} << (v & 63);
      });
      next_.words()[block.begin >> 6] = joined;
    });
  }

  Engine& engine_;
  const GraphView& graph_;
  P& program_;
  const Frontier& frontier_;
  VertexId n_;
  VertexMap<Message> mailbox_;
  VertexSet has_mail_;
  VertexSet busy_;
  VertexSet next_;
};

template <class T, class Combine>
T fold(const std::vector<Padded<T>>& partial, T identity, Combine combine) {
  for (const Padded<T>& part : partial) identity = combine(identity, part.value);
  return identity;
}

}  // namespace engine_detail

template <EdgeProgram P>
Result<Frontier> process_edges(Engine& engine, const GraphView& graph, P& program, const Frontier& frontier,
                               SweepDirection direction) {
  RIZOMA_ASSIGN(const EdgeCount entries, engine_detail::count_entries(engine, graph, frontier));
  const bool pulls =
      direction == SweepDirection::pull ||
      (direction == SweepDirection::automatic && graph.has_in_edges() && entries > engine_detail::kFewMessages &&
       entries > graph.num_entries() / engine_detail::kPullShare);
  engine_detail::Sweep<P> sweep(engine, graph, program, frontier);
  return pulls ? sweep.pull() : sweep.push(entries);
}

template <class T, class F, class Combine>
Result<T> process_vertices(Engine& engine, const GraphView& graph, T identity, F&& f, Combine combine) {
  std::vector<engine_detail::Padded<T>> partial(engine.threads(), {identity});
  RIZOMA_TRY(engine.for_vertices(graph, [&](VertexRange block, unsigned thread) {
    T folded = identity;
    for (VertexId v = block.begin; v < block.end; ++v) {
      if (graph.is_live(v)) folded = combine(folded, f(v));
    }
    partial[thread].value = combine(partial[thread].value, folded);
  }));
  return engine_detail::fold(partial, identity, combine);
}

template <class T, class F, class Combine>
Result<T> process_vertices(Engine& engine, const Frontier& frontier, T identity, F&& f, Combine combine) {
  const std::vector<VertexId>& members = frontier.list();
  std::vector<engine_detail::Padded<T>> partial(engine.threads(), {identity});
  RIZOMA_TRY(engine.for_blocks(members.size(), engine_detail::kListGrain, [&](VertexRange block, unsigned thread) {
    T folded = identity;
    for (VertexId i = block.begin; i < block.end; ++i) folded = combine(folded, f(members[i]));
    partial[thread].value = combine(partial[thread].value, folded);
  }));
  return engine_detail::fold(partial, identity, combine);
}

}  // namespace rizoma
