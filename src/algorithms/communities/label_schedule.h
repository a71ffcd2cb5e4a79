// When each vertex reads the labels of its neighbours, and which vertices need not.
#pragma once

#include "base/random.h"

#include <rizoma/gather.h>
#include <rizoma/iteration.h>
#include <rizoma/process_vertices.h>
#include <rizoma/vertex_set.h>

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace rizoma {

/// The groups of a round, one after the other.  Once few labels change, or if told so, only those are looked at next
/// to whom one has changed.
class LabelSchedule {
 public:
  /// `together`: all vertices of a round are one group; otherwise a random number assigns them to groups.
  LabelSchedule(Iteration& loop, bool together, const std::uint64_t& seed)
      : loop_(loop),
        engine_(loop.engine()),
        graph_(loop.graph()),
        seed_(seed),
        groups_(together ? 1 : kGroups),
        woken_(engine_.threads()) {}

  /// Visits from now on the vertices with looks_at(v), and the neighbors of a vertex whose label changes.
  template <class F>
  void look_only_at(F&& looks_at) {
    due_.emplace(graph_.num_vertices());
    loop_.for_own([&](VertexId v) {
      if (looks_at(v)) due_->add(v);
    });
  }
  /// Whether v is visited in the next round.
  [[nodiscard]] bool looks_at(VertexId v) const { return !due_ || due_->contains(v); }

  [[nodiscard]] unsigned groups() const noexcept { return static_cast<unsigned>(groups_.size()); }
  /// Begins a round: distributes the live vertices to visit.
  void assign(unsigned round) {
    round_ = round;
    for (auto& group : groups_) group.clear();
    const auto assign = [&](VertexId v) {
      if (graph_.is_live(v)) groups_[group_of(v)].push_back(v);
    };
    if (due_) due_->for_each(assign);
    else loop_.for_own(assign);
  }
  /// A group that is about to be visited: later changes next to it count for the next round.
  [[nodiscard]] std::vector<VertexId> take(unsigned group) {
    now_ = group;
    if (due_) clear(groups_[group]);
    return std::exchange(groups_[group], {});
  }
  /// Marks the neighbours of vertices with new labels: for this round if their group is still to come.
  Status wake_neighbors(std::span<const VertexId> relabelled) {
    if (!due_) return {};
    RIZOMA_TRY(note_neighbors(relabelled));
    std::vector<VertexId> woken;
    for (auto& of_thread : woken_) {
      woken.insert(woken.end(), of_thread.value.begin(), of_thread.value.end());
      of_thread.value.clear();
    }
    clear(woken);
    RIZOMA_ASSIGN(woken, loop_.bring_home(std::move(woken)));
    for (const VertexId v : woken) {
      if (const unsigned its = group_of(v); due_->add(v) && its > now_) groups_[its].push_back(v);
    }
    return {};
  }
  void end_round(VertexId changed) {
    if (!due_ && changed < graph_.num_vertices() / kFew) look_only_at([](VertexId) { return true; });
  }

 private:
  static constexpr unsigned kGroups = 16;
  static constexpr VertexId kFew =
      8;  ///< once at most one vertex in this many changes in a round, tracks the neighbours of changes
  static constexpr std::uint64_t kGrain = 256;

  void clear(std::span<const VertexId> vertices) {
    for (const VertexId v : vertices) due_->words()[v / 64] &= ~(std::uint64_t{1} << (v % 64));
  }
  [[nodiscard]] unsigned group_of(VertexId v) const {
    return groups_.size() == 1 ? 0 : static_cast<unsigned>(mix64(mix64(seed_ + round_) ^ v) % kGroups);
  }

  /// Makes neighbours due; `woken_` are those that were not.
  Status note_neighbors(std::span<const VertexId> relabelled) {
    return read_both_lists(engine_, graph_, [&](auto& out, auto* in) {
      return engine_.for_list(graph_, relabelled, kGrain, [&](std::span<const VertexId> some, unsigned thread) {
        const auto wake = [&](const auto& entries) {
          for (const VertexId w : entries.sources()) {
            if (due_->add_atomic(w)) woken_[thread].value.push_back(w);
          }
        };
        for (const VertexId v : some) {
          wake(out.again(v));  // for_list has counted it
          if (in != nullptr) wake(in->read(v, thread));
        }
      });
    });
  }

  Iteration& loop_;
  Engine& engine_;
  const GraphView& graph_;
  const std::uint64_t& seed_;
  unsigned round_ = 0;
  unsigned now_ = 0;  ///< the group that is looked at
  std::vector<std::vector<VertexId>> groups_;
  std::vector<PerThread<std::vector<VertexId>>> woken_;
  std::optional<VertexSet> due_;  ///< the vertices to visit; empty: all
};

}  // namespace rizoma
