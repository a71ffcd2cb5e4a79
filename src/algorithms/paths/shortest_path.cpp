#include "algorithms/paths/point_potential.h"
#include "algorithms/shared/serial_watch.h"
#include "engine/loop/kernel_arguments.h"

#include <rizoma/algorithms/dijkstra.h>
#include <rizoma/gather.h>

#include <algorithm>
#include <compare>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

/// What a search from one end knows of a vertex.  All bits 0: nothing.
template <class Target>
struct Label {
  double distance;
  Target before;  ///< the predecessor; an end is its own
  bool seen;
  bool settled;
};

/// Labels of all vertices.  The system gives their pages when they are touched: a search that sees little costs little.
template <class Target>
class Labels {
 public:
  explicit Labels(VertexId vertices)
      : labels_(static_cast<Label<Target>*>(std::calloc(vertices, sizeof(Label<Target>))), &std::free) {
    if (labels_ == nullptr) throw std::bad_alloc();
  }
  Label<Target>& operator[](VertexId v) noexcept { return labels_.get()[v]; }

 private:
  std::unique_ptr<Label<Target>, void (*)(void*)> labels_;
};

/// A vertex that waits, and when it came.
template <class Target>
struct Waiting {
  double key;  ///< its distance and the search's potential
  std::uint64_t turn;
  Target vertex;
  friend auto operator<=>(const Waiting&, const Waiting&) = default;
};

/// The search from one end.
template <class Target>
struct End {
  using Queue = std::priority_queue<Waiting<Target>, std::vector<Waiting<Target>>, std::greater<>>;

  End(VertexId vertices, VertexId v, double potential) : labels(vertices) {
    offer(static_cast<Target>(v), 0, static_cast<Target>(v), potential);
  }

  void offer(Target v, double distance, Target before, double potential) {
    labels[v] = {.distance = distance, .before = before, .seen = true, .settled = false};
    waiting.push({distance + potential, turns++, v});
  }
  /// The key of the next vertex; nullopt if there is none.
  std::optional<double> next() {
    while (!waiting.empty() && labels[waiting.top().vertex].settled) waiting.pop();
    if (waiting.empty()) return {};
    return waiting.top().key;
  }

  Labels<Target> labels;
  Queue waiting;
  std::uint64_t turns = 0;
};

/// Dijkstra's order: by distance alone.
struct NoPotential {
  double operator()(VertexId) const noexcept { return 0; }
};

/// Searches from both ends, or from the source alone if the edges into vertices are not stored.  It ends when no other
/// path can be shorter than the shortest one known: each is at least as long as the two next keys together.  The
/// potential is added to distances from the source and taken from those to the target, so it cancels out there; no edge
/// may be shorter than what it takes from the potential.
template <class Lists, class Potential>
class TwoEnds {
  using Target = typename Lists::target_type;

 public:
  TwoEnds(Engine& engine, VertexId vertices, Lists& out, Lists* in, VertexId source, VertexId target,
          const Potential& potential)
      : engine_(engine),
        out_(out),
        in_(in),
        potential_(potential),
        from_(vertices, source, potential(source)),
        to_(vertices, target, -potential(target)) {
    if (source == target) meet(static_cast<Target>(source), 0);
  }

  Result<ShortestPath> run() {
    SerialWatch watch(engine_, "shortest_path", out_.num_vertices());
    for (;;) {
      const auto near = from_.next();
      const auto far = to_.next();
      if (!near || !far || *near + *far >= length_) break;
      RIZOMA_TRY(watch.step());
      const bool forward = in_ == nullptr || from_.waiting.size() <= to_.waiting.size();
      RIZOMA_TRY(forward ? follow(from_, to_, out_) : follow(to_, from_, *in_));
      ++settled_;
    }
    return path();
  }

  /// Turn by turn, as NetworkX's bidirectional_dijkstra searches: a turn may meet a vertex that has been settled, and
  /// the search ends with the first one that both have settled.
  Result<ShortestPath> run_in_turns() {
    if (in_ == nullptr) return Error{ErrorCode::unsupported, "the graph has no in-edges; give in_turns=false"};
    SerialWatch watch(engine_, "shortest_path", out_.num_vertices());
    for (bool forward = true; !from_.waiting.empty() && !to_.waiting.empty(); forward = !forward) {
      End<Target>& end = forward ? from_ : to_;
      End<Target>& other = forward ? to_ : from_;
      const Target v = end.waiting.top().vertex;
      if (end.labels[v].settled) {
        end.waiting.pop();
        continue;
      }
      if (other.labels[v].settled) return path();
      RIZOMA_TRY(watch.step());
      RIZOMA_TRY(follow(end, other, forward ? out_ : *in_));
      ++settled_;
    }
    length_ = kFar;
    return path();
  }

 private:
  Status follow(End<Target>& end, End<Target>& other, Lists& lists) {
    const Target u = end.waiting.top().vertex;
    end.waiting.pop();
    end.labels[u].settled = true;
    const double distance = end.labels[u].distance;
    const bool forward = &end == &from_;
    const auto list = lists.read(u);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Target v = list.source(i);
      const auto weight = static_cast<double>(list.weight(i));
      if (!(weight >= 0)) return negative_weight(forward ? u : v, forward ? v : u, weight, "shortest_path");
      const double through = distance + weight;
      Label<Target>& label = end.labels[v];
      if (label.seen && label.distance <= through) continue;
      end.offer(v, through, u, forward ? potential_(v) : -potential_(v));
      if (other.labels[v].seen) meet(v, through + other.labels[v].distance);
    }
    return {};
  }

  void meet(Target v, double length) {
    if (length >= length_) return;
    length_ = length;
    met_at_ = v;
  }

  ShortestPath path() {
    ShortestPath path{.vertices = {}, .length = length_, .settled = settled_};
    if (length_ == kFar) return path;
    const auto walk = [&](End<Target>& end) {
      for (Target v = met_at_; end.labels[v].before != v;) path.vertices.push_back(v = end.labels[v].before);
    };
    walk(from_);
    std::reverse(path.vertices.begin(), path.vertices.end());
    path.vertices.push_back(met_at_);
    walk(to_);
    return path;
  }

  Engine& engine_;
  Lists& out_;
  Lists* in_;  ///< null: from the source alone
  Potential potential_;
  End<Target> from_;
  End<Target> to_;
  double length_ = kFar;  ///< of the shortest path known
  Target met_at_ = 0;
  VertexId settled_ = 0;
};

template <bool kWeighted>
Result<ShortestPath> search(Engine& engine, const GraphView& graph, VertexId source, VertexId target,
                            const ShortestPathOptions& options) {
  return read_both_lists<kWeighted>(engine, graph, [&]<class Lists>(Lists& out, Lists* in) {
    Lists* const back = graph.directed() ? in : &out;
    const auto by = [&]<class Potential>(const Potential& potential) {
      return TwoEnds<Lists, Potential>(engine, graph.num_vertices(), out, back, source, target, potential);
    };
    if (options.in_turns) return by(NoPotential()).run_in_turns();
    if (options.bound == nullptr || options.bound->scale == 0) return by(NoPotential()).run();
    return with_distance(*options.bound, [&](const auto& distance) {
      return by(PointPotential(*options.bound, distance, source, target, back != nullptr)).run();
    });
  });
}

Status check_bound(const GraphView& graph, const ShortestPathOptions& options) {
  if (options.bound == nullptr) return {};
  if (options.in_turns)
    return Error{ErrorCode::invalid_argument, "shortest_path: a bound has no turns; give one of bound and in_turns"};
  if (options.bound->weighted != options.weighted)
    return Error{ErrorCode::invalid_argument,
                 "shortest_path: the bound is of edges that are counted otherwise; make one with the same `weighted`"};
  return check_one_each(graph, options.bound->points.size() / options.bound->dimensions, "bound", "shortest_path");
}

}  // namespace

Result<ShortestPath> shortest_path(Engine& engine, const GraphView& graph, VertexId source, VertexId target,
                                   const ShortestPathOptions& options) {
  RIZOMA_TRY(single_process_only(engine, "shortest_path"));
  RIZOMA_TRY(check_sources(graph, std::vector<VertexId>{source, target}, "shortest_path"));
  RIZOMA_TRY(check_bound(graph, options));
  if (source == target) return ShortestPath{.vertices = {source}, .length = 0};
  return options.weighted ? search<true>(engine, graph, source, target, options)
                          : search<false>(engine, graph, source, target, options);
}

}  // namespace rizoma
