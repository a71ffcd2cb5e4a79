#include "algorithms/paths/point_potential.h"
#include "algorithms/shared/serial_watch.h"
#include "engine/loop/kernel_arguments.h"

#include <rizoma/algorithms/dijkstra.h>
#include <rizoma/gather.h>

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

constexpr unsigned kSource = 0;  // the end that a search goes out from
constexpr unsigned kTarget = 1;

/// What the searches from the two ends know of a vertex, in one line of a cache.
template <class Target>
struct alignas(32) Label {
  double distance[2];
  Target before[2];  ///< the predecessor; an end is its own
  bool seen[2];
  bool settled[2];
};

/// Labels of all vertices, in chunks that are cleared when they are first touched, so that a search that sees little
/// costs little.  The engine keeps the memory: fresh pages would cost as much as the search.
template <class Target>
class Labels {
 public:
  Labels(Engine& engine, VertexId vertices)
      : engine_(engine),
        block_(std::min(kGreatestBlock, (vertices / kChunk + 1) * kChunk)),
        used_(block_),
        chunks_(engine.make_map<Label<Target>*>(vertices / kChunk + 1, nullptr)) {}

  Label<Target>& operator[](VertexId v) {
    Label<Target>*& chunk = chunks_[v / kChunk];
    if (chunk == nullptr) [[unlikely]]
      chunk = next_chunk();
    return chunk[v % kChunk];
  }
  /// Prefetches the label of v.
  void ask_ahead(VertexId v) const noexcept {
    if (const Label<Target>* const chunk = chunks_[v / kChunk]) __builtin_prefetch(chunk + v % kChunk);
  }

 private:
  static constexpr VertexId kChunk = 128;
  static constexpr VertexId kGreatestBlock = 1 << 16;  // large enough for a huge page

  [[gnu::noinline]] Label<Target>* next_chunk() {
    if (used_ == block_) {
      blocks_.push_back(engine_.make_unset_map<Label<Target>>(block_));
      used_ = 0;
    }
    Label<Target>* const chunk = blocks_.back().data() + used_;
    used_ += kChunk;
    std::fill_n(chunk, kChunk, Label<Target>{});
    return chunk;
  }

  Engine& engine_;
  VertexId block_;  ///< labels in each of the blocks
  VertexId used_;   ///< of the last one
  VertexMap<Label<Target>*> chunks_;
  std::vector<VertexMap<Label<Target>>> blocks_;
};

/// The vertices that came to wait last.  Most will be settled after some others: with each one that comes, what the
/// search will read of one that came before is asked for, first where its list is, then the list, then the labels of
/// its neighbours.
template <class Target>
class Arrivals {
 public:
  template <class Lists>
  void add(Target v, const Lists& lists, const Labels<Target>& labels) noexcept {
    last_[count_++ % kKept] = v;
    if (count_ <= kAhead) return;
    const std::size_t first = count_ - 1 - kAhead;
    lists.ask_ahead(*this, first);
    const auto list = lists.again((*this)[first]);
    if (list.size() > kShort) return;  // a search settles few hubs, and the hardware follows their lists
    for (const Target w : list.sources()) labels.ask_ahead(w);
  }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] Target operator[](std::size_t i) const noexcept { return last_[i % kKept]; }

 private:
  static constexpr std::size_t kAhead = 12;  // as far as ask_ahead looks
  static constexpr std::size_t kKept = 16;
  static constexpr std::size_t kShort = 8;
  static_assert(kAhead < kKept);
  std::array<Target, kKept> last_{};
  std::size_t count_ = 0;
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
  std::priority_queue<Waiting<Target>, std::vector<Waiting<Target>>, std::greater<>> waiting;
  std::uint64_t turns = 0;
  Arrivals<Target> arrivals;
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
      : engine_(engine), out_(out), in_(in), potential_(potential), labels_(engine, vertices) {
    const auto begin = [&](unsigned end, VertexId v) {
      offer(end, labels_[v], static_cast<Target>(v), 0, static_cast<Target>(v));
    };
    begin(kSource, source);
    begin(kTarget, target);
  }

  Result<ShortestPath> run() {
    SerialWatch watch(engine_, "shortest_path", out_.num_vertices());
    for (;;) {
      const auto near = next(kSource);
      const auto far = next(kTarget);
      if (!near || !far || *near + *far >= length_) break;
      RIZOMA_TRY(watch.step());
      const bool forward = in_ == nullptr || ends_[kSource].waiting.size() <= ends_[kTarget].waiting.size();
      RIZOMA_TRY(follow(forward ? kSource : kTarget));
    }
    return path();
  }

  /// Turn by turn, as NetworkX's bidirectional_dijkstra searches: a turn may meet a vertex that has been settled, and
  /// the search ends with the first one that both have settled.
  Result<ShortestPath> run_in_turns() {
    if (in_ == nullptr) return Error{ErrorCode::unsupported, "the graph has no in-edges; give in_turns=false"};
    SerialWatch watch(engine_, "shortest_path", out_.num_vertices());
    for (unsigned end = kSource; !ends_[kSource].waiting.empty() && !ends_[kTarget].waiting.empty(); end = 1 - end) {
      const Label<Target>& label = labels_[ends_[end].waiting.top().vertex];
      if (label.settled[end]) {
        ends_[end].waiting.pop();
        continue;
      }
      if (label.settled[1 - end]) return path();
      RIZOMA_TRY(watch.step());
      RIZOMA_TRY(follow(end));
    }
    length_ = kFar;
    return path();
  }

 private:
  /// The key of the next vertex; nullopt if there is none.
  std::optional<double> next(unsigned end) {
    auto& waiting = ends_[end].waiting;
    while (!waiting.empty() && labels_[waiting.top().vertex].settled[end]) waiting.pop();
    if (waiting.empty()) return {};
    return waiting.top().key;
  }

  void offer(unsigned end, Label<Target>& label, Target v, double distance, Target before) {
    label.distance[end] = distance;
    label.before[end] = before;
    label.seen[end] = true;
    label.settled[end] = false;
    const double potential = end == kSource ? potential_(v) : -potential_(v);
    ends_[end].waiting.push({distance + potential, ends_[end].turns++, v});
  }

  Status follow(unsigned end) {
    const Target u = ends_[end].waiting.top().vertex;
    ends_[end].waiting.pop();
    ++settled_;
    labels_[u].settled[end] = true;
    const double distance = labels_[u].distance[end];
    Lists& lists = end == kSource ? out_ : *in_;
    const auto list = lists.read(u);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Target v = list.source(i);
      const auto weight = static_cast<double>(list.weight(i));
      if (!(weight >= 0))
        return negative_weight(end == kSource ? u : v, end == kSource ? v : u, weight, "shortest_path");
      const double through = distance + weight;
      Label<Target>& label = labels_[v];
      if (label.seen[end] && label.distance[end] <= through) continue;
      offer(end, label, v, through, u);
      ends_[end].arrivals.add(v, lists, labels_);
      if (label.seen[1 - end]) meet(v, through + label.distance[1 - end]);
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
    const auto walk = [&](unsigned end) {
      for (Target v = met_at_; labels_[v].before[end] != v;) path.vertices.push_back(v = labels_[v].before[end]);
    };
    walk(kSource);
    std::reverse(path.vertices.begin(), path.vertices.end());
    path.vertices.push_back(met_at_);
    walk(kTarget);
    return path;
  }

  Engine& engine_;
  Lists& out_;
  Lists* in_;  ///< null: from the source alone
  Potential potential_;
  Labels<Target> labels_;
  std::array<End<Target>, 2> ends_;
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
