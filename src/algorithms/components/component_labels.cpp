#include "algorithms/components/component_labels.h"

#include "base/random.h"

#include <rizoma/process_vertices.h>
#include <rizoma/vertex_set.h>

#include <algorithm>
#include <cstdint>

namespace rizoma {
namespace {

constexpr std::uint64_t kGrain = 1 << 14;

/// The name of more than half of the vertices, if a sample finds one; otherwise kNoVertex.
std::uint64_t great_name(std::span<const std::uint64_t> names) {
  constexpr std::size_t kDraws = 64;
  std::vector<std::uint64_t> drawn;
  Random random(names.size());
  for (std::size_t i = 0; i < kDraws && !names.empty(); ++i) drawn.push_back(names[random.below(names.size())]);
  std::ranges::sort(drawn);
  for (std::size_t i = 0; i + kDraws / 2 < drawn.size(); ++i) {
    if (drawn[i] == drawn[i + kDraws / 2]) return drawn[i];
  }
  return kNoVertex;
}

class Relabelling {
 public:
  Relabelling(Engine& engine, const GraphView& graph, std::span<const std::uint64_t> names,
              const ComponentChanges& changes)
      : engine_(engine),
        graph_(graph),
        names_(names),
        changes_(changes),
        all_live_(graph.num_live() == graph.num_vertices()),
        joined_(names.size()),
        labels_(engine.make_unset_map<std::uint64_t>(names.size())) {
    for (const auto& [name, above] : changes.joined) joined_.add(name);
    const std::uint64_t name = great_name(names);
    if (name != kNoVertex) great_ = changes.name_of(name);
  }

  Result<ConnectedComponentsResult> run() {
    std::vector<PerThread<Count>> counts(engine_.threads());
    RIZOMA_TRY(engine_.for_blocks(names_.size(), kGrain, [&](VertexRange block, unsigned thread) {
      const Count count = rename(block);
      counts[thread].value.components += count.components;
      counts[thread].value.great += count.great;
    }));
    for (const auto& of_thread : counts) {
      count_.components += of_thread.value.components;
      count_.great += of_thread.value.great;
    }
    rename_those_that_lost_their_first();
    set_apart();
    ConnectedComponentsResult result{.labels = std::move(labels_), .count = count_.components};
    result.largest = 2 * count_.great >= graph_.num_live() ? count_.great : count_largest(result.labels);
    return result;
  }

 private:
  struct Count {
    VertexId components = 0;
    VertexId great = 0;  ///< vertices with the great name
  };

  /// Replaces names by their present ones; runs of one name are looked up once.
  Count rename(VertexRange block) {
    Count count;
    std::uint64_t last = kNoVertex;
    VertexId label = kNoVertex;
    VertexId begun = block.begin;
    const auto end_run = [&](VertexId end) {
      if (label == great_) count.great += end - begun;
      begun = end;
    };
    for (VertexId v = block.begin; v < block.end; ++v) {
      const bool is_live = all_live_ || graph_.is_live(v);
      const std::uint64_t name = !is_live || names_[v] == kNoVertex ? v : names_[v];
      if (name != last) {
        end_run(v);
        last = name;
        label = is_live && joined_.contains(name) ? changes_.name_of(name) : name;
      }
      labels_[v] = label;
      if (label == v && is_live) ++count.components;
    }
    end_run(block.end);
    return count;
  }

  /// Components whose first vertex was removed, or split off, get the name of their next one.
  void rename_those_that_lost_their_first() {
    VertexSet lost(names_.size());
    VertexSet apart(names_.size());
    const auto look = [&](VertexId v) {
      if (names_[v] == v && changes_.name_of(v) == v) lost.add(v);
      apart.add(v);
    };
    for (const auto& part : changes_.apart) std::ranges::for_each(part, look);
    for (VertexId v = 0; !all_live_ && v < names_.size(); ++v) {
      if (graph_.is_live(v)) continue;
      look(v);
      if (v == great_) --count_.great;
    }
    if (lost.empty()) return;
    std::unordered_map<VertexId, VertexId> first;
    for (VertexId v = 0; v < names_.size(); ++v) {
      const VertexId label = labels_[v];
      if (!lost.contains(label) || apart.contains(v)) continue;
      const auto [found, is_first] = first.try_emplace(label, v);
      labels_[v] = found->second;
      count_.components += is_first ? 1 : 0;
    }
    if (const auto found = first.find(great_); found != first.end()) {
      former_great_ = great_;
      great_ = found->second;
    }
  }

  void set_apart() {
    for (const auto& part : changes_.apart) {
      const VertexId least = *std::ranges::min_element(part);
      for (const VertexId v : part) {
        if (labels_[v] == v) --count_.components;
        if (labels_[v] == great_ || labels_[v] == former_great_) --count_.great;
        labels_[v] = least;
      }
      ++count_.components;
    }
  }

  /// Where no component has more than half of the vertices.
  [[nodiscard]] VertexId count_largest(const VertexMap<std::uint64_t>& labels) const {
    std::vector<VertexId> sizes(labels.size());
    VertexId largest = 0;
    for (VertexId v = 0; v < labels.size(); ++v) {
      if (all_live_ || graph_.is_live(v)) largest = std::max(largest, ++sizes[labels[v]]);
    }
    return largest;
  }

  Engine& engine_;
  const GraphView& graph_;
  std::span<const std::uint64_t> names_;
  const ComponentChanges& changes_;
  const bool all_live_;
  VertexSet joined_;
  VertexMap<std::uint64_t> labels_;
  Count count_;
  std::uint64_t great_ = kNoVertex;
  std::uint64_t former_great_ = kNoVertex;
};

}  // namespace

Result<ConnectedComponentsResult> relabel(Engine& engine, const GraphView& graph, std::span<const std::uint64_t> names,
                                          const ComponentChanges& changes) {
  return Relabelling(engine, graph, names, changes).run();
}

}  // namespace rizoma
