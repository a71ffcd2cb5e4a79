// When each vertex looks at the labels of its neighbours, and which vertices need not.
#pragma once

#include "base/random.h"

#include <rizoma/detail/ranks.h>
#include <rizoma/gather.h>
#include <rizoma/process_vertices.h>
#include <rizoma/vertex_set.h>

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace rizoma {

/// The groups of a round, one after the other.  Once few labels change, or if told so, only those are looked at next
/// to whom one has changed.
class LabelSchedule {
 public:
  /// `together`: all vertices of a round are one group; otherwise chance deals them to groups.
  LabelSchedule(Engine& engine, const GraphView& graph, bool together, std::uint64_t seed)
      : engine_(engine), graph_(graph), seed_(seed), groups_(together ? 1 : kGroups), woken_(engine.threads()) {}

  /// From now on looks at these, and at who is next to a vertex whose label changes; with ranks at all.
  template <class Vertices>
  void look_only_at(const Vertices& vertices) {
    if (engine_.ranks() != nullptr) return;
    due_.emplace(graph_.num_vertices());
    for (const VertexId v : vertices) due_->add(v);
  }

  [[nodiscard]] unsigned groups() const noexcept { return static_cast<unsigned>(groups_.size()); }
  /// Begins a round: deals the live vertices of this rank that are to be looked at.
  void deal(unsigned round) {
    round_ = round;
    for (auto& group : groups_) group.clear();
    const auto deal_out = [&](VertexId v) {
      if (graph_.is_live(v) && is_mine(v)) groups_[group_of(v)].push_back(v);
    };
    if (due_) {
      due_->for_each(deal_out);
    } else {
      for (VertexId v = 0; v < graph_.num_vertices(); ++v) deal_out(v);
    }
  }
  /// A group, which is about to be looked at: whatever changes next to it comes later.
  [[nodiscard]] std::vector<VertexId> take(unsigned group) {
    now_ = group;
    if (due_) {
      for (const VertexId v : groups_[group]) due_->words()[v / 64] &= ~(std::uint64_t{1} << (v % 64));
    }
    return std::exchange(groups_[group], {});
  }
  /// Neighbours of vertices that have new labels are to be looked at: in this round, if their group is still to come.
  Status wake_neighbors(std::span<const VertexId> relabelled) {
    if (!due_) return {};
    RIZOMA_TRY(note_neighbors(relabelled));
    for (auto& of_thread : woken_) {
      for (const VertexId v : of_thread.value) {
        if (const unsigned its = group_of(v); its > now_) groups_[its].push_back(v);
      }
      of_thread.value.clear();
    }
    return {};
  }
  void end_round(VertexId changed) {
    if (!due_ && changed < graph_.num_vertices() / kFew) look_at_all();
  }

 private:
  static constexpr unsigned kGroups = 16;
  static constexpr VertexId kFew =
      8;  ///< once at most one vertex in this many changes in a round, tracks the neighbours of changes
  static constexpr std::uint64_t kGrain = 256;

  void look_at_all() {
    if (engine_.ranks() != nullptr) return;
    due_.emplace(graph_.num_vertices());
    for (VertexId v = 0; v < graph_.num_vertices(); ++v) due_->add(v);
  }

  [[nodiscard]] unsigned group_of(VertexId v) const {
    return groups_.size() == 1 ? 0 : static_cast<unsigned>(mix64(mix64(seed_ + round_) ^ v) % kGroups);
  }
  [[nodiscard]] bool is_mine(VertexId v) const { return engine_.ranks() == nullptr || engine_.ranks()->owns(v); }

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

  Engine& engine_;
  const GraphView& graph_;
  std::uint64_t seed_;
  unsigned round_ = 0;
  unsigned now_ = 0;  ///< the group that is looked at
  std::vector<std::vector<VertexId>> groups_;
  std::vector<PerThread<std::vector<VertexId>>> woken_;
  std::optional<VertexSet> due_;  ///< whom to look at; not given: all
};

}  // namespace rizoma
