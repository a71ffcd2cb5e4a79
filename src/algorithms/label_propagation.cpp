#include <rizoma/algorithms/label_propagation.h>

#include "algorithms/lists.h"
#include "base/random.h"

#include <rizoma/list_reader.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>

namespace rizoma {
namespace {

constexpr unsigned kGroups = 16;
constexpr std::uint64_t kGrain = 256;

/// The votes of the neighbours of one vertex; one for each thread.
class alignas(64) Votes {
 public:
  explicit Votes(VertexId n) : sums_(n) {}

  void add(VertexId label, double weight) {
    double& sum = sums_[label];
    if (sum == 0) touched_.push_back(label);  // a label of weight 0 comes in twice, which does no harm
    sum += weight;
    fair_ &= weight >= 0;
  }

  /// The label with the most votes, among equals the one that before(a, b) puts first; none without votes.
  template <class Before>
  std::optional<VertexId> take(Before before) {
    std::optional<VertexId> best;
    for (const VertexId label : touched_) {
      const bool more = !best || sums_[label] > sums_[*best] || (sums_[label] == sums_[*best] && before(label, *best));
      if (more) best = label;
    }
    for (const VertexId label : touched_) sums_[label] = 0;
    touched_.clear();
    return best;
  }

  [[nodiscard]] bool fair() const noexcept { return fair_; }

 private:
  std::vector<double> sums_;
  std::vector<VertexId> touched_;
  bool fair_ = true;  ///< no weight was negative or not a number
};

struct Change {
  VertexId vertex;
  VertexId label;
};

class Propagation {
 public:
  Propagation(Engine& engine, const GraphView& graph, const LabelPropagationOptions& options,
              VertexMap<VertexId>& labels)
      : engine_(engine), graph_(graph), options_(options), labels_(labels), changes_(engine.threads()) {
    for (unsigned t = 0; t < engine.threads(); ++t) votes_.emplace_back(graph.num_vertices());
  }

  /// One round; how many vertices changed their labels.
  Result<VertexId> round(unsigned number) {
    VertexId changed = 0;
    for (const auto& group : groups(number)) {
      RIZOMA_TRY(options_.use_weights ? count_votes<true>(group, number) : count_votes<false>(group, number));
      changed += apply();
    }
    return changed;
  }

  [[nodiscard]] bool fair() const {
    return std::all_of(votes_.begin(), votes_.end(), [](const Votes& votes) { return votes.fair(); });
  }

 private:
  /// The live vertices: all together, or dealt to groups by chance.
  [[nodiscard]] std::vector<std::vector<VertexId>> groups(unsigned number) const {
    std::vector<std::vector<VertexId>> found(options_.synchronous ? 1 : kGroups);
    const std::uint64_t turn = mix64(options_.seed + number);
    for (VertexId v = 0; v < graph_.num_vertices(); ++v) {
      if (graph_.is_live(v)) found[options_.synchronous ? 0 : mix64(turn ^ v) % kGroups].push_back(v);
    }
    return found;
  }

  template <bool kWeighted>
  Status count_votes(std::span<const VertexId> group, unsigned number) {
    return read_lists<kWeighted>(engine_, graph_, Direction::out, [&](auto& out) {
      return read_lists<kWeighted>(engine_, graph_, Direction::in, [&](auto& in) {
        return engine_.for_list(graph_, group, kGrain, [&](std::span<const VertexId> some, unsigned thread) {
          for (const VertexId v : some) {
            vote(out.again(v), thread);  // for_list has counted it
            if (graph_.directed()) vote(in.read(v, thread), thread);
            choose(v, number, thread);
          }
        });
      });
    });
  }

  template <class List>
  void vote(const List& entries, unsigned thread) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      votes_[thread].add(labels_[entries.source(i)], static_cast<double>(entries.weight(i)));
    }
  }

  void choose(VertexId v, unsigned number, unsigned thread) {
    const VertexId own = labels_[v];
    const std::uint64_t chance = mix64(options_.seed ^ mix64(v + number * graph_.num_vertices()));
    const auto first = votes_[thread].take([&](VertexId a, VertexId b) {
      if (options_.synchronous) return a < b;
      if (a == own || b == own) return a == own;
      return mix64(chance ^ a) < mix64(chance ^ b);
    });
    if (first && *first != own) changes_[thread].list.push_back({v, *first});
  }

  /// Gives the vertices of a group their new labels.
  VertexId apply() {
    VertexId changed = 0;
    for (auto& [list] : changes_) {
      for (const Change& change : list) labels_[change.vertex] = change.label;
      changed += list.size();
      list.clear();
    }
    return changed;
  }

  struct alignas(64) Changes {
    std::vector<Change> list;
  };

  Engine& engine_;
  const GraphView& graph_;
  const LabelPropagationOptions& options_;
  VertexMap<VertexId>& labels_;
  std::vector<Votes> votes_;
  std::vector<Changes> changes_;
};

Result<VertexMap<VertexId>> first_labels(Engine& engine, const GraphView& graph, std::span<const VertexId> start) {
  const VertexId n = graph.num_vertices();
  auto labels = engine.make_map<VertexId>(n, 0);
  for (VertexId v = 0; v < n; ++v) labels[v] = v;
  if (start.empty()) return labels;
  if (start.size() != n || std::any_of(start.begin(), start.end(), [n](VertexId label) { return label >= n; })) {
    return Error{ErrorCode::invalid_argument,
                 "label_propagation: the first labels are not one number below the number of vertices for each vertex"};
  }
  std::copy(start.begin(), start.end(), labels.data());
  return labels;
}

VertexId count_labels(const GraphView& graph, const VertexMap<VertexId>& labels) {
  VertexSet found(graph.num_vertices());
  VertexId count = 0;
  for (VertexId v = 0; v < graph.num_vertices(); ++v) count += graph.is_live(v) && found.add(labels[v]) ? 1 : 0;
  return count;
}

}  // namespace

Result<LabelPropagationResult> label_propagation(Engine& engine, const GraphView& graph,
                                                 const LabelPropagationOptions& options) {
  RIZOMA_TRY(check_direction(graph, Direction::in, "label_propagation"));
  LabelPropagationResult result;
  RIZOMA_ASSIGN(result.labels, first_labels(engine, graph, options.start));
  Propagation propagation(engine, graph, options, result.labels);
  while (result.iterations < options.max_iter && !result.converged) {
    RIZOMA_TRY(engine.report("label_propagation", result.iterations, options.max_iter));
    RIZOMA_ASSIGN(const VertexId changed, propagation.round(result.iterations));
    if (!propagation.fair()) {
      return Error{ErrorCode::invalid_argument,
                   "label_propagation: an edge has a weight that is negative or not a number; leave weights out"};
    }
    result.converged = changed == 0;
    ++result.iterations;
  }
  result.count = count_labels(graph, result.labels);
  return result;
}

}  // namespace rizoma
