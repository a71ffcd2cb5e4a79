// Random shortest paths between two vertices.
#pragma once

#include "base/random.h"

#include <rizoma/gather.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace rizoma {

/// Draws one of the shortest paths between two vertices, each as likely; for one thread.
/// How: breadth-first searches from both ends that count paths, a level at a time, of the side whose next has fewer
/// entries.  The first vertices that both have reached are equally far along all shortest paths: one of them is drawn
/// by its number of paths, then predecessors back to both ends.
/// Space: 32 bytes a vertex; time that of the entries which the searches read.
template <class Lists>
class PathSampler {
  using Target = typename Lists::target_type;

 public:
  /// `in`: the lists of the other direction; of an undirected graph `out`.
  PathSampler(Lists& out, Lists& in, unsigned thread)
      : thread_(thread), sides_{Side(out, in, out.num_vertices()), Side(in, out, out.num_vertices())} {}

  /// f(v) for each vertex within a path from source to target, which differ; nothing if there is none.
  template <class F>
  void sample(VertexId source, VertexId target, Random& random, F&& f) {
    sides_[0].start(source);
    sides_[1].start(target);
    while (sides_[0].entries > 0 && sides_[1].entries > 0) {
      const unsigned side = sides_[0].entries <= sides_[1].entries ? 0 : 1;
      if (advance(sides_[side], sides_[1 - side])) {
        draw(random, source, target, f);
        break;
      }
    }
    for (Side& side : sides_) side.forget();
  }

 private:
  static constexpr std::int32_t kUnseen = -1;
  static constexpr double kGreat = 1e140;  // beyond it the path counts of a level are scaled down, all alike

  struct Label {
    double paths = 0;  ///< from the end; of one level by one scale
    std::int32_t level = kUnseen;
  };

  struct Side {
    Side(Lists& forth, Lists& back, VertexId n) : lists(forth), reverse(back), labels(n) {}

    void start(VertexId v) {
      labels[v] = {1, 0};
      reached.push_back(static_cast<Target>(v));
      entries = lists.degree(v);
    }
    void forget() {
      for (const Target v : reached) labels[v] = {};
      reached.clear();
      begin = 0;
      depth = 0;
    }

    Lists& lists;
    Lists& reverse;
    std::vector<Label> labels;
    std::vector<Target> reached;  ///< by level
    std::size_t begin = 0;        ///< of the last level
    std::int32_t depth = 0;
    EdgeCount entries = 0;  ///< of the last level's lists
  };

  /// Goes one level farther; true if that meets the other side.
  bool advance(Side& side, const Side& other) {
    const std::size_t end = side.reached.size();
    ++side.depth;
    for (std::size_t i = side.begin; i < end; ++i) expand(side, side.reached[i]);
    side.begin = end;
    side.entries = 0;
    meeting_.clear();
    double most = 0;
    for (std::size_t i = end; i < side.reached.size(); ++i) {
      const Target v = side.reached[i];
      side.entries += side.lists.degree(v);
      most = std::max(most, side.labels[v].paths);
      if (other.labels[v].level != kUnseen) meeting_.push_back(v);
    }
    if (most > kGreat) {
      for (std::size_t i = end; i < side.reached.size(); ++i) side.labels[side.reached[i]].paths /= most;
    }
    return !meeting_.empty();
  }

  void expand(Side& side, Target u) {
    const double paths = side.labels[u].paths;
    Target before = u;  // parallel edges lie side by side
    for (const Target v : side.lists.read(u, thread_).sources()) {
      if (v == before) continue;
      before = v;
      Label& label = side.labels[v];
      if (label.level == kUnseen) {
        label = {paths, side.depth};
        side.reached.push_back(v);
      } else if (label.level == side.depth) {
        label.paths += paths;
      }
    }
  }

  template <class F>
  void draw(Random& random, VertexId source, VertexId target, F& f) {
    double sum = 0;
    Target found = meeting_.front();
    for (const Target v : meeting_) {
      const double paths = sides_[0].labels[v].paths * sides_[1].labels[v].paths;
      sum += paths;
      if (random.unit() * sum < paths) found = v;
    }
    if (found != source && found != target) f(VertexId{found});
    for (Side& side : sides_) {
      for (Target v = found; side.labels[v].level > 1;) f(VertexId{v = predecessor(side, v, random)});
    }
  }

  Target predecessor(Side& side, Target v, Random& random) {
    const std::int32_t level = side.labels[v].level - 1;
    double sum = 0;
    Target found = v;
    Target before = v;
    for (const Target u : side.reverse.read(v, thread_).sources()) {
      if (u == before) continue;
      before = u;
      if (side.labels[u].level != level) continue;
      sum += side.labels[u].paths;
      if (found == v || random.unit() * sum < side.labels[u].paths) found = u;
    }
    return found;
  }

  unsigned thread_;
  std::array<Side, 2> sides_;
  std::vector<Target> meeting_;
};

}  // namespace rizoma
