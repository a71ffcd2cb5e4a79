// LevelExchange: what the ranks of a level sweep tell each other of the sums of a level.  Module: engine.
//
// Each rank keeps the sums of its own vertices and mirrors of others.  Collective functions return the errors of any
// rank; all do nothing for one process.
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/detail/level_sets.h>
#include <rizoma/detail/outbox.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>
#include <rizoma/graph_view.h>
#include <rizoma/ids.h>
#include <rizoma/vertex_map.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace rizoma::engine_detail {

template <class Number, class Target>
class LevelExchange {
  using Sets = LevelSets<Target>;

 public:
  LevelExchange(Engine& engine, const GraphView& graph, Sets& sets)
      : engine_(engine), ranks_(engine.ranks()), sets_(sets) {
    if (ranks_ == nullptr) return;
    successors_.emplace(engine, *ranks_, graph, Direction::out, sizeof(Number));
    if (!graph.has_in_edges()) return;
    predecessors_.emplace(engine, *ranks_, graph, Direction::in, sizeof(Number));
    marked_of_others_.emplace(engine, *ranks_, graph, Direction::in, 0);
  }

  [[nodiscard]] bool is_alone() const noexcept { return ranks_ == nullptr; }
  [[nodiscard]] bool is_mine(VertexId v) const { return ranks_ == nullptr || ranks_->owns(v); }

  /// f(v) for the vertices of others whose sums may be here, some twice.
  Status for_mirrors(Engine& engine, const GraphView& graph, FunctionRef<void(VertexId)> f) {
    RIZOMA_TRY(ranks_->for_mirrors(engine, graph, Direction::out, f));
    if (!graph.directed() || !graph.has_in_edges()) return {};
    return ranks_->for_mirrors(engine, graph, Direction::in, f);
  }

  /// Sends the remote vertices that a push has found to their owners; from then on this rank treats them as seen.
  Status notify_owners(VertexMap<Number>& sums) {
    if (ranks_ == nullptr) return {};
    Outbox<Number> outbox(engine_);
    auto& queues = sets_.queues();
    std::size_t all = 0;
    for (const auto& queue : queues) all += queue.vertices.size();
    RIZOMA_TRY(
        engine_.for_blocks(queues.size(), all < kFew ? queues.size() : 1, [&](VertexRange some, unsigned thread) {
          for (VertexId i = some.begin; i < some.end; ++i) {
            std::erase_if(queues[i].vertices, [&](Target v) {
              if (ranks_->owns(v)) return false;
              outbox.add(v, std::exchange(sums[v], 0), thread);
              sets_.seen().add_atomic(v);
              std::atomic_ref(sets_.found().words()[v / 64]).fetch_and(~Sets::bit(v), std::memory_order_relaxed);
              return true;
            });
          }
        }));
    return outbox.exchange_by_all([&](unsigned thread) {
      return [&, thread](VertexId v, const Number& sum) {
        if (Sets::has(sets_.seen(), v)) return;
        sets_.find(static_cast<Target>(v), thread);
        sums[v] += sum;
      };
    });
  }

  /// Refreshes the mirrors of the last level: members, which are seen, and their sums.
  Status publish_level(VertexMap<Number>& sums) {
    if (ranks_ == nullptr) return {};
    VertexSet& marked = sets_.marked();
    RIZOMA_TRY(predecessors_->refresh_active(sums.data(), marked.words()));
    for (VertexId word = 0; word * 64 < sums.size(); ++word) sets_.seen().words()[word] |= marked.word(word);
    return {};
  }
  /// Refreshes the mirrors of the marked level: members and their sums, of the vertices that out-lists lead to.
  Status publish_successors(VertexMap<Number>& sums) {
    return ranks_ == nullptr ? Status() : successors_->refresh_active(sums.data(), sets_.marked().words());
  }

  /// Refreshes the mirrors of the marked level: members, with sums of 0.
  Status make_room(VertexMap<Number>& sums) {
    if (ranks_ == nullptr) return {};
    RIZOMA_TRY(marked_of_others_->refresh_active(nullptr, sets_.marked().words()));
    return for_marked_elsewhere([&](VertexId u, unsigned) { sums[u] = 0; });
  }
  /// Sends the sums gathered here for remote vertices to their owners.
  Status return_sums(VertexMap<Number>& sums) {
    if (ranks_ == nullptr) return {};
    Outbox<Number> outbox(engine_);
    RIZOMA_TRY(for_marked_elsewhere([&](VertexId u, unsigned thread) {
      if (sums[u] != 0) outbox.add(u, sums[u], thread);
    }));
    return outbox.exchange_by_all([&](unsigned) { return [&](VertexId u, const Number& sum) { sums[u] += sum; }; });
  }

 private:
  static constexpr std::size_t kFew = 2048;  // vertices, not worth waking a thread

  /// f(v, thread) for the vertices of other ranks that are marked.
  template <class F>
  Status for_marked_elsewhere(F f) {
    return for_vertices_of(engine_, Whose::others, [&](VertexRange range, unsigned thread) {
      sets_.marked().for_each(range, [&](VertexId v) { f(v, thread); });
    });
  }

  Engine& engine_;
  Ranks* ranks_;  ///< null: one process
  Sets& sets_;
  std::optional<Mirror> successors_;        ///< their sums
  std::optional<Mirror> predecessors_;      ///< their sums
  std::optional<Mirror> marked_of_others_;  ///< which predecessors are marked
};

extern template class LevelExchange<double, std::uint32_t>;
extern template class LevelExchange<double, std::uint64_t>;
extern template class LevelExchange<long double, std::uint32_t>;
extern template class LevelExchange<long double, std::uint64_t>;

}  // namespace rizoma::engine_detail
