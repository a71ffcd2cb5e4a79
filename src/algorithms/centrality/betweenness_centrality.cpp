#include <rizoma/algorithms/betweenness_centrality.h>
#include <rizoma/detail/same_call.h>

#include "engine/loop/source_parallel.h"

#include <rizoma/gather.h>
#include <rizoma/iteration.h>
#include <rizoma/level_sweep.h>
#include <rizoma/vertex_state.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

Error too_many_paths(VertexId source);

/// Brandes from one source after another.  Let p(v) be the number of shortest paths from the source to v, which is that
/// of the paths to its predecessors, and c(v) = 1/p(v) + the sum of c over the successors of v.  Then the dependency of
/// the source on v is p(v) times that sum: one value read for each edge, and one division for each vertex.
template <class Lists, class Number>
class Brandes {
 public:
  Brandes(Engine& engine, const GraphView& graph, const Lists& out, const Lists* in)
      : levels_(engine, graph, out, in),
        paths_(engine.make_map<Number>(graph.num_vertices(), 0)),
        share_(engine.make_map<Number>(graph.num_vertices(), 0)) {}

  /// Adds the dependencies of `source` to scores.
  Status add(VertexId source, VertexMap<double>& scores) {
    RIZOMA_TRY(levels_.start(source, 1, paths_));
    for (bool deeper = true; deeper;) {
      RIZOMA_ASSIGN(deeper, levels_.advance(paths_));
      if (levels_.overflow()) return too_many_paths(source);
    }
    for (std::size_t depth = levels_.count(); depth-- > 1;) {
      RIZOMA_TRY(levels_.sum_back(depth, share_));
      RIZOMA_TRY(levels_.for_level(depth, [&](VertexId v) {
        scores[v] += static_cast<double>(paths_[v] * share_[v]);
        share_[v] += 1 / paths_[v];
      }));
    }
    return levels_.forget([&](VertexId v) { paths_[v] = share_[v] = 0; });
  }

 private:
  LevelSweep<Number, Lists> levels_;
  VertexMap<Number> paths_;
  VertexMap<Number> share_;  ///< c, where it is known; else the sum over the successors
};

// Chooses the numbers that hold the paths, the sources that count, and the divisor of the scores.

/// Brandes by double as long as that holds the numbers of paths, then by long double.
template <class Lists>
class WideningBrandes {
 public:
  WideningBrandes(Engine& engine, const GraphView& graph, const Lists& out, const Lists* in)
      : make_wide_([&engine, &graph, &out, in] { return std::make_unique<Wide>(engine, graph, out, in); }),
        narrow_(std::make_unique<Narrow>(engine, graph, out, in)) {}

  /// Adds the dependencies of `source` to scores.
  Status add(VertexId source, VertexMap<double>& scores) {
    if (narrow_ != nullptr) {
      Status status = narrow_->add(source, scores);
      if (status || status.error().code != ErrorCode::unsupported) return status;
      narrow_.reset();  // the search broke off before it added anything
      wide_ = make_wide_();
    }
    return wide_->add(source, scores);
  }

 private:
  using Narrow = Brandes<Lists, double>;
  using Wide = Brandes<Lists, long double>;
  std::function<std::unique_ptr<Wide>()> make_wide_;
  std::unique_ptr<Narrow> narrow_;
  std::unique_ptr<Wide> wide_;
};

Error too_many_paths(VertexId source) {
  return {ErrorCode::unsupported,
          "betweenness_centrality: too many shortest paths to count (above 1e4932) lead to one vertex from vertex " +
              std::to_string(source) + " (internal id)"};
}

/// Whether each of the sources is a live vertex, and given once.
Status check_distinct(const GraphView& graph, std::span<const VertexId> sources) {
  VertexSet distinct(graph.num_vertices());
  for (const VertexId s : sources) {
    const auto refuse = [s](const char* what) {
      return Error{ErrorCode::invalid_argument, "betweenness_centrality: source " + std::to_string(s) + what};
    };
    if (s >= graph.num_vertices() || !graph.is_live(s)) return refuse(" is not a vertex of the graph");
    if (!distinct.add(s)) return refuse(" is given twice");
  }
  return {};
}

/// A sample in a form that an iteration keeps: another call draws other sources.
class Sample {
 public:
  Sample(Iteration& loop, std::vector<VertexId>& sources) : sources_(sources), turns_(loop, 0) {
    for (VertexId i = 0; i < sources.size(); ++i) turns_[sources[i]] = i + 1;
  }
  /// Takes back the sources of the sample that was restored; false if it is no sample of this size.
  bool restore(const GraphView& graph) {
    std::vector<VertexId> found(sources_.size(), kNoVertex);
    VertexId count = 0;
    for (VertexId v = 0; v < turns_.size(); ++v) {
      if (turns_[v] == 0) continue;
      if (turns_[v] > found.size() || found[turns_[v] - 1] != kNoVertex || !graph.is_live(v)) return false;
      found[turns_[v] - 1] = v;
      ++count;
    }
    if (count == found.size()) sources_ = std::move(found);
    return count == sources_.size();
  }

 private:
  std::vector<VertexId>& sources_;
  VertexState<VertexId> turns_;  ///< which source a vertex is, from 1 on; 0: none
};

/// Divides by the number of pairs or scales the sample up.  A source is no end of the paths that count for
/// itself, so with k of n sources it was an intermediate of k - 1 searches, the others of k.
void scale(const GraphView& graph, std::span<const VertexId> sources, bool sampled, bool normalized,
           VertexMap<double>& scores) {
  const auto pairs = static_cast<double>(graph.num_live()) - 1;  // vertices other than the one scored
  if (pairs < 1) return;
  const auto factor = [&](double searches) {
    if (normalized) return pairs > 1 ? 1 / (searches * (pairs - 1)) : 0.0;
    return pairs / searches / (graph.directed() ? 1 : 2);
  };
  const auto k = static_cast<double>(sources.size());
  const double others = factor(sampled ? k : pairs);
  std::vector<double> of_sources;
  for (const VertexId s : sources) of_sources.push_back(scores[s]);
  for (VertexId v = 0; v < scores.size(); ++v) scores[v] *= others;
  if (!sampled) return;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    scores[sources[i]] = k > 1 ? of_sources[i] * factor(k - 1) : std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace

Result<BetweennessResult> betweenness_centrality(Engine& engine, const GraphView& graph,
                                                 const BetweennessOptions& options) {
  RIZOMA_TRY(expect_same_call(engine, "betweenness_centrality", {{"normalized", options.normalized}}));
  BetweennessResult result;
  std::vector<VertexId> sources(options.sources.begin(), options.sources.end());
  Iteration loop(engine, graph, "betweenness_centrality");
  RIZOMA_TRY(loop.agree_on(sources));
  RIZOMA_TRY(check_distinct(graph, sources));
  const bool sampled = !sources.empty() && sources.size() < graph.num_live();
  if (sources.empty()) {
    for (VertexId v = 0; v < graph.num_vertices(); ++v) {
      if (graph.is_live(v)) sources.push_back(v);
    }
  }
  VertexId done = 0;
  loop.keep(done);
  VertexState<double> scores(loop, 0);
  std::optional<Sample> sample;
  if (sampled) sample.emplace(loop, sources);
  loop.valid_if([&] {
    return done <= sources.size() && std::ranges::all_of(scores.span(), [](double score) { return score >= 0; }) &&
           (!sampled || sample->restore(graph));
  });
  RIZOMA_ASSIGN(const bool resumed, loop.begin());
  if (resumed) RIZOMA_TRY(loop.agree_on(sources));
  result.resumed_after = done;
  result.sources = sources.size();
  RIZOMA_TRY(read_both_lists(engine, graph, [&]<class Lists>(const Lists& out, const Lists* in) {
    using Search = WideningBrandes<Lists>;
    const auto make = [&](Engine& searching) { return std::make_unique<Search>(searching, graph, out, in); };
    return add_over_sources<Search>(loop, sources, done, scores, make);
  }));
  result.scores = std::move(scores).take();
  scale(graph, sources, sampled, options.normalized, result.scores);
  RIZOMA_TRY(loop.gather(result.scores));
  return result;
}

}  // namespace rizoma
