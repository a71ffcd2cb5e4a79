#include "algorithms/communities/multilevel_search.h"

#include "algorithms/communities/community_level.h"
#include "algorithms/communities/level_history.h"
#include "algorithms/communities/local_moving.h"
#include "algorithms/communities/objective.h"
#include "engine/loop/kernel_arguments.h"

#include <rizoma/detail/same_call.h>
#include <rizoma/process_vertices.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

namespace rizoma::communities {
namespace {

constexpr double kFirstTolerance = 1e-3;  // of a round of the first level; less on each that follows
constexpr double kToleranceDrop = 10;
constexpr std::uint64_t kEntryBytes = sizeof(Vertex) + sizeof(double);  // of a list with weights

/// The search on one graph, level by level.
class Search {
 public:
  /// `level`: the first, with what `objective` has put into it.
  Search(Engine& engine, const GraphView& graph, const CommunityOptions& options, const Objective& objective,
         Method method, Level level, LevelHistory& history)
      : engine_(engine),
        graph_(graph),
        options_(options),
        objective_(objective),
        method_(method),
        first_(std::move(level)),
        history_(history),
        reads_(engine, graph),
        entries_read_(engine.threads()) {
    if (first_.weighted) {
      phases_.push_back({.kind = Phase::Kind::copy,
                         .read_bytes = sizeof(Vertex) * first_.entries,
                         .written_bytes = kEntryBytes * first_.entries});
    }
    for (unsigned t = 0; t < engine.threads(); ++t) scratch_.emplace_back(first_.size());
    vertex_.resize(first_.size());
    std::iota(vertex_.begin(), vertex_.end(), Vertex{0});
    community_ = vertex_;
    if (!options.start.empty()) start_anywhere();
  }

  Result<Communities> run() {
    Communities found;
    found.resumed_after = history_.resumed_levels();
    if (!(first_.total > 0)) return finish(std::move(found));
    const bool as_given = options_.changed && options_.changed->empty();  // no vertex has a reason to move
    for (int iteration = 0; iteration < options_.iterations && !as_given; ++iteration) {
      if (iteration > 0) begin_again();
      RIZOMA_ASSIGN(const double gain, iterate(iteration, found));
      if (gain <= options_.threshold) break;
    }
    return finish(std::move(found));
  }

 private:
  using Phase = CommunityPhase;

  [[nodiscard]] const Level& level() const noexcept { return coarse_ ? *coarse_ : first_; }
  [[nodiscard]] bool on_copies() const noexcept { return coarse_ || first_.weighted; }
  /// Where reads of lists are counted; of copies none are, for the reads of what they copy were counted.
  [[nodiscard]] ListReads reads() noexcept { return {on_copies() ? nullptr : &reads_, &entries_read_}; }

  /// Where the search is, for the phases that follow.
  void come_to(int iteration, int number) noexcept { here_ = {.iteration = iteration, .level = number}; }
  /// What was read since the last call was read in this phase.
  void note(Phase::Kind kind, bool copies, EdgeCount written = 0) {
    EdgeCount read = 0;
    for (auto& of_thread : entries_read_) read += std::exchange(of_thread.value, 0);
    Phase done = here_;
    done.kind = kind;
    done.copies = copies;
    done.read_bytes = read * (copies ? kEntryBytes : sizeof(Vertex));
    done.written_bytes = written * kEntryBytes;
    phases_.push_back(done);
  }

  /// All levels, once; returns the gain.
  Result<double> iterate(int iteration, Communities& found) {
    std::vector<Vertex> active;
    const bool follows = iteration == 0 && options_.changed;
    const int resumed = iteration == 0 ? static_cast<int>(history_.resumed_levels()) : 0;
    if (follows && resumed == 0) active.assign(options_.changed->begin(), options_.changed->end());
    double tolerance = kFirstTolerance;
    double sum = resumed > 0 ? history_.resumed_gain() : 0;
    for (int number = 0; number < resumed; ++number) {
      come_to(iteration, number);
      RIZOMA_TRY(follow_history(found));
      tolerance /= kToleranceDrop;
    }
    for (int number = resumed; number != options_.max_levels; ++number) {
      come_to(iteration, number);
      const auto turn = static_cast<std::uint64_t>(iteration) << 32 | static_cast<std::uint64_t>(number);
      const MoveOptions moves{tolerance, options_.seed + turn, reads()};
      RIZOMA_ASSIGN(const double gain, move_vertices(engine_, level(), scratch_, moves, community_, active));
      note(Phase::Kind::move, on_copies());
      active.clear();
      sum += gain;
      Vertex count = make_dense(community_);
      if (follows && method_ == Method::leiden) {  // the members of a new vertex must be connected
        RIZOMA_ASSIGN(count, cut_apart(engine_, level(), community_));
      }
      const bool settled = number > 0 && gain <= options_.threshold;
      if (settled || count == level().size() || number + 1 == options_.max_levels) break;
      if (iteration == 0) {
        RIZOMA_ASSIGN(VertexMap<std::uint64_t> reached, labels());
        found.levels.push_back(std::move(reached));
      }
      const bool into_groups = method_ == Method::leiden && !follows;
      Coarsening next{community_, {}};
      if (into_groups) {
        RIZOMA_ASSIGN(next.groups, groups(moves));
        count = make_dense(next.groups);
      }
      name_communities(next, count);
      if (next.communities.size() == level().size()) break;
      if (iteration == 0) history_.note(next);
      RIZOMA_TRY(coarsen(std::move(next)));
      tolerance /= kToleranceDrop;
      if (iteration == 0) RIZOMA_TRY(history_.offer(sum));
    }
    return sum;
  }

  /// Goes on by a level that was restored.
  Status follow_history(Communities& found) {
    Coarsening next = history_.next(level().size());
    community_.resize(level().size());
    for (Vertex v = 0; v < level().size(); ++v) community_[v] = next.communities[next.groups[v]];
    RIZOMA_ASSIGN(VertexMap<std::uint64_t> reached, labels());
    found.levels.push_back(std::move(reached));
    return coarsen(std::move(next));
  }

  /// The next iteration starts from the user's vertices, each in the community that it was found to be in.
  void begin_again() {
    for (Vertex v = 0; v < vertex_.size(); ++v) vertex_[v] = community_[vertex_[v]];
    community_ = std::move(vertex_);
    vertex_.resize(community_.size());
    std::iota(vertex_.begin(), vertex_.end(), Vertex{0});
    coarse_.reset();
  }

  /// Communities that are given; vertices without one are alone, under unused numbers.
  void start_anywhere() {
    const Vertex n = first_.size();
    std::vector<bool> used(n);
    for (Vertex v = 0; v < n; ++v) {
      if (options_.start[v] < n) used[options_.start[v]] = true;
    }
    Vertex next = 0;
    for (Vertex v = 0; v < n; ++v) {
      if (options_.start[v] < n) {
        community_[v] = static_cast<Vertex>(options_.start[v]);
      } else {
        while (used[next]) ++next;
        community_[v] = next++;
      }
    }
  }

  Result<std::vector<Vertex>> groups(const MoveOptions& moves) {
    RIZOMA_ASSIGN(std::vector<Vertex> refined, refine(engine_, level(), scratch_, moves, community_));
    note(Phase::Kind::refine, on_copies());
    return refined;
  }
  /// Notes the communities of the groups, which are `size`.
  void name_communities(Coarsening& next, Vertex size) const {
    next.communities.resize(size);
    for (Vertex v = 0; v < level().size(); ++v) next.communities[next.groups[v]] = community_[v];
  }

  /// Goes on to the graph of the groups.
  Status coarsen(Coarsening next) {
    const bool copies = on_copies();
    const auto size = static_cast<Vertex>(next.communities.size());
    RIZOMA_ASSIGN(coarse_, level().next(engine_, next.groups, size, scratch_, reads()));
    note(Phase::Kind::aggregate, copies, coarse_->entries);
    RIZOMA_TRY(engine_.for_blocks(vertex_.size(), kGrain, [&](VertexRange block, unsigned) {
      for (VertexId v = block.begin; v < block.end; ++v) vertex_[v] = next.groups[vertex_[v]];
    }));
    community_ = std::move(next.communities);
    return {};
  }

  /// Communities of the user's vertices, numbered by their first.  They are numbered so at each level, and its vertices
  /// in the order of their first members; only removed vertices, who are not one of the user's, leave gaps.
  Result<VertexMap<std::uint64_t>> labels() const {
    const VertexId n = graph_.num_vertices();
    VertexMap<std::uint64_t> labels = engine_.make_unset_map<std::uint64_t>(n);
    RIZOMA_TRY(engine_.for_blocks(n, kGrain, [&](VertexRange block, unsigned) {
      for (VertexId v = block.begin; v < block.end; ++v) labels[v] = community_[vertex_[v]];
    }));
    if (graph_.num_live() == n) return labels;
    std::vector<VertexId> number(community_.size(), kNoVertex);
    VertexId next = 0;
    for (VertexId v = 0; v < n; ++v) {
      VertexId& given = number[labels[v]];
      if (graph_.is_live(v) && given == kNoVertex) given = next++;
      labels[v] = graph_.is_live(v) ? given : kNoVertex;
    }
    return labels;
  }

  Result<Communities> finish(Communities found) {
    Vertex count = make_dense(community_);
    if (method_ == Method::leiden) {
      RIZOMA_ASSIGN(count, cut_apart(engine_, level(), community_));
    }
    RIZOMA_TRY(objective_.measure(engine_, level(), community_, count, found));
    RIZOMA_ASSIGN(found.labels, labels());
    const bool same = !found.levels.empty() && std::ranges::equal(found.levels.back().span(), found.labels.span());
    if (!same) {
      RIZOMA_ASSIGN(VertexMap<std::uint64_t> last, labels());
      found.levels.push_back(std::move(last));
    }
    found.phases = std::move(phases_);
    for (const std::uint64_t label : found.labels.span()) {
      if (label != kNoVertex) found.count = std::max(found.count, label + 1);
    }
    return found;
  }

  static constexpr std::uint64_t kGrain = 4096;
  Engine& engine_;
  const GraphView& graph_;
  const CommunityOptions& options_;
  const Objective& objective_;
  Method method_;
  const Level first_;
  LevelHistory& history_;
  ListCounter reads_;
  std::vector<PerThread<EdgeCount>> entries_read_;  ///< since the last phase ended
  Phase here_;
  std::vector<Phase> phases_;
  std::optional<Level> coarse_;  ///< the level at which the search resumes, if it is not the first
  Scratch scratch_;
  std::vector<Vertex> community_;  ///< of each vertex of the level
  std::vector<Vertex> vertex_;     ///< of the level, for each of the user's
};

Status check(const GraphView& graph, const CommunityOptions& options, std::string_view who) {
  if (!(options.resolution >= 0) || std::isinf(options.resolution))
    return bad_option(who, "resolution", options.resolution, "0 or more, and finite");
  if (!(options.threshold >= 0)) return bad_option(who, "threshold", options.threshold, "0 or more");
  if (options.iterations < 1) return bad_option(who, "iterations", options.iterations, "1 or more");
  const auto refuse = [who](std::string what) {
    return Error{ErrorCode::invalid_argument, std::string(who) + ": " + std::move(what)};
  };
  if (!options.start.empty())
    RIZOMA_TRY(check_one_each(graph, options.start.size(), "the partition to start from", who));
  if (options.changed && options.start.empty()) return refuse("changed vertices need a partition to start from");
  if (options.changed) RIZOMA_TRY(check_changed(graph, *options.changed, who));
  for (const VertexId v : options.fixed) {
    if (v >= graph.num_vertices()) return refuse("the fixed vertex " + std::to_string(v) + " is not in the graph");
  }
  return check_sizes(graph, options, who);
}

}  // namespace

Result<Communities> find(Engine& engine, const GraphView& graph, const CommunityOptions& options, Method method,
                         std::string_view who) {
  if (method == Method::leiden) RIZOMA_TRY(single_process_only(engine, who));
  RIZOMA_TRY(expect_same_call(engine, who,
                              {{"resolution", options.resolution},
                               {"threshold", options.threshold},
                               {"max_levels", options.max_levels},
                               {"use_weights", options.use_weights},
                               {"start", options.start.size()},
                               {"objective", static_cast<unsigned>(options.objective)},
                               {"sizes", options.sizes},
                               {"fixed", options.fixed}}));
  RIZOMA_TRY(check(graph, options, who));
  RIZOMA_TRY(QuotientGraph::check(graph, who));
  Iteration loop(engine, graph, who, Work::runs);
  LevelHistory history(loop, method == Method::leiden);
  CommunityOptions same = options;
  RIZOMA_TRY(history.begin(same.seed));
  RIZOMA_ASSIGN(QuotientGraph first,
                QuotientGraph::read(engine, graph, options.use_weights, who, loop.is_alone() ? nullptr : &loop));
  Level level{std::move(first)};
  const Objective objective(graph, options, level);
  return Search(engine, graph, same, objective, method, std::move(level), history).run();
}

}  // namespace rizoma::communities
