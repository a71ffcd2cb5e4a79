#include <rizoma/algorithms/label_propagation.h>

#include "algorithms/lists.h"
#include "base/random.h"

#include <rizoma/list_reader.h>
#include <rizoma/process_vertices.h>
#include <rizoma/ranks.h>
#include <rizoma/vertex_set.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr unsigned kGroups = 16;
constexpr std::uint64_t kGrain = 256;
constexpr VertexId kFew = 8;  // once one vertex of so many changes in a round, those next to it are remembered

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
      : engine_(engine),
        graph_(graph),
        options_(options),
        labels_(labels),
        changes_(engine.threads()),
        woken_(engine.threads()) {
    for (unsigned t = 0; t < engine.threads(); ++t) votes_.emplace_back(graph.num_vertices());
    if (engine.ranks() == nullptr) return;
    mirrors_.emplace_back(engine, *engine.ranks(), graph, Direction::out, sizeof(VertexId));
    if (graph.directed()) mirrors_.emplace_back(engine, *engine.ranks(), graph, Direction::in, sizeof(VertexId));
  }

  /// From now on looks at these, and at who is next to a vertex whose label changes; with ranks at all.
  template <class Vertices>
  void look_only_at(const Vertices& vertices) {
    if (engine_.ranks() != nullptr) return;
    due_.emplace(graph_.num_vertices());
    for (const VertexId v : vertices) due_->add(v);
  }

  void look_at_all() {
    if (engine_.ranks() != nullptr) return;
    due_.emplace(graph_.num_vertices());
    for (VertexId v = 0; v < labels_.size(); ++v) due_->add(v);
  }

  /// One round; how many vertices changed their labels.
  Result<VertexId> round(unsigned number) {
    VertexId changed = 0;
    Groups groups = deal(number);
    for (unsigned group = 0; group < groups.size(); ++group) {
      for (Mirror& mirror : mirrors_) RIZOMA_TRY(mirror.refresh(labels_.data()));
      forget(groups[group]);
      RIZOMA_TRY(options_.use_weights ? count_votes<true>(groups[group], number)
                                      : count_votes<false>(groups[group], number));
      const std::vector<VertexId> relabelled = apply();
      changed += relabelled.size();
      if (!due_) continue;
      RIZOMA_TRY(wake_neighbors(relabelled));
      for (auto& [list] : woken_) {
        for (const VertexId v : list) {
          if (const unsigned its = group_of(v, number); its > group) groups[its].push_back(v);
        }
        list.clear();
      }
    }
    if (!due_ && changed < graph_.num_vertices() / kFew) look_at_all();
    return over_ranks(engine_, changed, std::plus<>());
  }

  [[nodiscard]] bool fair() const {
    return std::all_of(votes_.begin(), votes_.end(), [](const Votes& votes) { return votes.fair(); });
  }

 private:
  using Groups = std::vector<std::vector<VertexId>>;

  /// All vertices look at the same labels, or are dealt to groups by chance.
  [[nodiscard]] unsigned group_of(VertexId v, unsigned round) const {
    return options_.synchronous ? 0 : static_cast<unsigned>(mix64(mix64(options_.seed + round) ^ v) % kGroups);
  }

  /// The live vertices of this rank that are to be looked at.
  [[nodiscard]] Groups deal(unsigned round) const {
    Groups found(options_.synchronous ? 1 : kGroups);
    const auto deal_out = [&](VertexId v) {
      if (graph_.is_live(v) && is_mine(v)) found[group_of(v, round)].push_back(v);
    };
    if (due_) {
      due_->for_each(deal_out);
    } else {
      for (VertexId v = 0; v < graph_.num_vertices(); ++v) deal_out(v);
    }
    return found;
  }

  /// These are about to be looked at: whatever changes next to them comes later.
  void forget(std::span<const VertexId> vertices) {
    if (!due_) return;
    for (const VertexId v : vertices) due_->words()[v / 64] &= ~(std::uint64_t{1} << (v % 64));
  }

  /// Neighbours of vertices that have new labels are due, and `woken_` if they were not.
  Status wake_neighbors(std::span<const VertexId> relabelled) {
    return read_both_lists(engine_, graph_, [&](auto& out, auto* in) {
      return engine_.for_list(graph_, relabelled, kGrain, [&](std::span<const VertexId> some, unsigned thread) {
        const auto wake = [&](const auto& entries) {
          for (const VertexId w : entries.sources()) {
            if (due_->add_atomic(w)) woken_[thread].list.push_back(w);
          }
        };
        for (const VertexId v : some) {
          wake(out.again(v));  // for_list has counted it
          if (in != nullptr) wake(in->read(v, thread));
        }
      });
    });
  }

  [[nodiscard]] bool is_mine(VertexId v) const { return engine_.ranks() == nullptr || engine_.ranks()->owns(v); }

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

  /// Gives the vertices of a group their new labels; returns who has one.
  std::vector<VertexId> apply() {
    std::vector<VertexId> relabelled;
    for (auto& [list] : changes_) {
      for (const Change& change : list) {
        labels_[change.vertex] = change.label;
        relabelled.push_back(change.vertex);
      }
      list.clear();
    }
    return relabelled;
  }

  template <class T>
  struct alignas(64) ListOf {
    std::vector<T> list;
  };

  Engine& engine_;
  const GraphView& graph_;
  const LabelPropagationOptions& options_;
  VertexMap<VertexId>& labels_;
  std::vector<Votes> votes_;
  std::vector<ListOf<Change>> changes_;
  std::vector<ListOf<VertexId>> woken_;
  std::optional<VertexSet> due_;  ///< whom to look at; not given: all
  std::vector<Mirror> mirrors_;   ///< with ranks: of the labels that lists lead to, one for each direction
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

Status check_changed(const GraphView& graph, const LabelPropagationOptions& options) {
  if (!options.changed) return {};
  const VertexId n = graph.num_vertices();
  const bool known = std::ranges::all_of(*options.changed, [n](VertexId v) { return v < n; });
  if (known && (!options.start.empty() || n == 0)) return {};
  return Error{ErrorCode::invalid_argument,
               known ? "label_propagation: changed vertices are of use only with labels to start from"
                     : "label_propagation: a vertex that has changed is not in the graph"};
}

/// How many labels there are.  With ranks, each counts those that are numbers of its own vertices.
Result<VertexId> count_labels(Engine& engine, const GraphView& graph, const VertexMap<VertexId>& labels) {
  Ranks* const ranks = engine.ranks();
  const auto is_mine = [&](VertexId v) { return ranks == nullptr || ranks->owns(v); };
  VertexSet found(graph.num_vertices());
  VertexId count = 0;
  const auto note = [&](VertexId label) { return found.add(label) && is_mine(label); };
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    if (graph.is_live(v) && is_mine(v)) count += note(labels[v]) ? 1 : 0;
  }
  if (ranks == nullptr) return count;
  Outbox<bool> outbox(*ranks);
  found.for_each({0, graph.num_vertices()}, [&](VertexId label) {
    if (!is_mine(label)) outbox.add(label, true);
  });
  RIZOMA_TRY(outbox.exchange([&](VertexId label, bool) { count += note(label) ? 1 : 0; }));
  return over_ranks(engine, count, std::plus<>());
}

/// What goes into a checkpoint beside the labels: rounds, and the seed in halves, which are exact as numbers.
struct Figures {
  std::array<double, 3> of = {};
  Figures(unsigned rounds, std::uint64_t seed)
      : of{static_cast<double>(rounds), halves_of(seed)[0], halves_of(seed)[1]} {}
  [[nodiscard]] bool sound() const noexcept { return whole_below(of[0], 0x1p31) && are_halves(of[1], of[2]); }
  [[nodiscard]] unsigned rounds() const noexcept { return static_cast<unsigned>(of[0]); }
  [[nodiscard]] std::uint64_t seed() const noexcept { return number_of(of[1], of[2]); }
};

/// The rounds before the checkpoint that the job goes on from, if it does; its labels and its seed.
Result<unsigned> resume(Checkpoints* checkpoints, VertexMap<VertexId>& labels, std::uint64_t& seed) {
  if (checkpoints == nullptr) return 0U;
  Figures figures(0, seed);
  const auto sound = [&] {
    return figures.sound() && std::ranges::all_of(labels.span(), [&](VertexId label) { return label < labels.size(); });
  };
  RIZOMA_ASSIGN(const bool resumed, checkpoints->resume({figures.of, {column_of(labels)}, sound}));
  if (resumed) seed = figures.seed();
  return resumed ? figures.rounds() : 0U;
}

Status offer(Checkpoints* checkpoints, VertexMap<VertexId>& labels, unsigned rounds, std::uint64_t seed) {
  if (checkpoints == nullptr) return {};
  Figures figures(rounds, seed);
  return checkpoints->offer({figures.of, {column_of(labels)}});
}

}  // namespace

Result<LabelPropagationResult> label_propagation(Engine& engine, const GraphView& graph,
                                                 const LabelPropagationOptions& options) {
  RIZOMA_TRY(check_direction(graph, Direction::in, "label_propagation"));
  RIZOMA_TRY(check_changed(graph, options));
  LabelPropagationResult result;
  RIZOMA_ASSIGN(result.labels, first_labels(engine, graph, options.start));
  LabelPropagationOptions of_all = options;
  if (engine.ranks() != nullptr) {
    RIZOMA_TRY(engine.ranks()->divide(graph));
    RIZOMA_ASSIGN(of_all.seed, over_ranks(engine, options.seed, [](auto first, auto) { return first; }));
  }
  RIZOMA_ASSIGN(result.resumed_after, resume(options.checkpoints, result.labels, of_all.seed));
  result.iterations = result.resumed_after;
  Propagation propagation(engine, graph, of_all, result.labels);
  if (options.changed && result.resumed_after == 0) propagation.look_only_at(*options.changed);
  while (result.iterations < options.max_iter && !result.converged) {
    RIZOMA_TRY(engine.report("label_propagation", result.iterations, options.max_iter));
    RIZOMA_ASSIGN(const VertexId changed, propagation.round(result.iterations));
    if (!propagation.fair()) {
      return Error{ErrorCode::invalid_argument,
                   "label_propagation: an edge has a weight that is negative or not a number; leave weights out"};
    }
    result.converged = changed == 0;
    ++result.iterations;
    if (!result.converged) RIZOMA_TRY(offer(options.checkpoints, result.labels, result.iterations, of_all.seed));
  }
  RIZOMA_ASSIGN(result.count, count_labels(engine, graph, result.labels));
  return result;
}

}  // namespace rizoma
