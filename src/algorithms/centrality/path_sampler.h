// Random shortest paths between two vertices.
#pragma once

#include "base/random.h"

#include <rizoma/gather.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace rizoma {

/// Draws one of the shortest paths between two vertices, each as likely; for one thread.
/// How: breadth-first searches from both ends that count paths, a level at a time, of the side whose next has fewer
/// entries.  The first vertices that both reach are equally far along all shortest paths: one of them is drawn by its
/// number of paths, then predecessors back to both ends.  A vertex has the label of one side: the level in which the
/// sides meet is the last, so it labels no more vertices once it has met one.
/// Space: 16 bytes a vertex; time that of the entries which the searches read.
template <class Lists>
class PathSampler {
  using Target = typename Lists::target_type;

 public:
  /// `in`: the lists of the other direction; of an undirected graph `out`.
  PathSampler(Lists& out, Lists& in, unsigned thread)
      : thread_(thread), labels_(out.num_vertices()), sides_{Side{out, in, 1}, Side{in, out, -1}} {}

  /// f(v) for each vertex within a path from source to target, which differ; nothing if there is none.
  template <class F>
  void sample(VertexId source, VertexId target, Random& random, F&& f) {
    start(sides_[0], source);
    start(sides_[1], target);
    while (sides_[0].entries > 0 && sides_[1].entries > 0) {
      Side& side = sides_[0].entries <= sides_[1].entries ? sides_[0] : sides_[1];
      advance(side, random);
      if (!meeting_.empty()) {
        draw(side, source, target, random, f);
        break;
      }
    }
    forget();
  }

 private:
  static constexpr std::int32_t kUnseen = 0;
  static constexpr std::int32_t kMeeting = 1 << 30;  // and its place among the meeting vertices
  static constexpr double kGreat = 1e140;            // beyond it the path counts of a level are scaled down, all alike

  struct Label {
    double paths = 0;              ///< from the end of its side; of one level by one scale
    std::int32_t level = kUnseen;  ///< from 1 on; of the target's side below 0
  };

  struct Side {
    Lists& lists;
    Lists& reverse;
    std::int32_t sign;
    std::vector<Target> reached{};      ///< by level
    std::vector<std::size_t> begins{};  ///< of the levels, in `reached`
    EdgeCount entries = 0;              ///< of the last level's lists

    [[nodiscard]] std::int32_t depth() const { return static_cast<std::int32_t>(begins.size()); }
  };

  /// A vertex that the side which advances has met.
  struct Meeting {
    Target vertex;
    Target before;  ///< drawn of its predecessors on that side
    double paths;   ///< from that side's end
    double others;  ///< from the other one's
  };

  void start(Side& side, VertexId v) {
    labels_[v] = {1, side.sign};
    side.reached.push_back(static_cast<Target>(v));
    side.begins.push_back(0);
    side.entries = side.lists.degree(v);
  }

  void forget() {
    for (Side& side : sides_) {
      for (const Target v : side.reached) labels_[v] = {};
      side.reached.clear();
      side.begins.clear();
    }
    meeting_.clear();
  }

  /// Goes one level farther, or to the vertices where the sides meet.
  void advance(Side& side, Random& random) {
    const std::size_t begin = side.begins.back();
    const std::size_t end = side.reached.size();
    for (std::size_t i = begin; i < end; ++i) {
      side.lists.ask_ahead(side.reached, i);
      expand(side, side.reached[i], random);
    }
    if (!meeting_.empty()) return;
    side.begins.push_back(end);
    side.entries = 0;
    double most = 0;
    for (std::size_t i = end; i < side.reached.size(); ++i) {
      side.entries += side.lists.degree(side.reached[i]);
      most = std::max(most, labels_[side.reached[i]].paths);
    }
    if (most <= kGreat) return;
    for (std::size_t i = end; i < side.reached.size(); ++i) labels_[side.reached[i]].paths /= most;
  }

  void expand(Side& side, Target u, Random& random) {
    constexpr std::size_t kAhead = 8;
    const double paths = labels_[u].paths;
    const std::int32_t level = side.sign * (side.depth() + 1);
    Target before = u;  // parallel edges lie side by side
    const auto list = side.lists.read(u, thread_).sources();
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i + kAhead < list.size()) __builtin_prefetch(&labels_[list[i + kAhead]]);
      const Target v = list[i];
      if (v == before) continue;
      before = v;
      Label& label = labels_[v];
      if (label.level == kUnseen) {
        if (!meeting_.empty()) continue;
        label = {paths, level};
        side.reached.push_back(v);
      } else if (label.level == level) {
        label.paths += paths;
      } else if (label.level >= kMeeting) {
        Meeting& meeting = meeting_[static_cast<std::size_t>(label.level - kMeeting)];
        meeting.paths += paths;
        if (random.unit() * meeting.paths < paths) meeting.before = u;
      } else if ((label.level ^ side.sign) < 0) {
        meeting_.push_back({v, u, paths, label.paths});
        label.level = kMeeting + static_cast<std::int32_t>(meeting_.size() - 1);
      }
    }
  }

  /// `side` is the one that came to the meeting vertices.
  template <class F>
  void draw(const Side& side, VertexId source, VertexId target, Random& random, F& f) {
    double sum = 0;
    const Meeting* found = nullptr;
    for (const Meeting& meeting : meeting_) {
      const double paths = meeting.paths * meeting.others;
      sum += paths;
      if (found == nullptr || random.unit() * sum < paths) found = &meeting;
    }
    if (found->vertex != source && found->vertex != target) f(VertexId{found->vertex});
    if (side.depth() > 1) f(VertexId{found->before});
    walk_back(side, found->before, side.depth(), random, f);
    const Side& other = side.sign > 0 ? sides_[1] : sides_[0];
    walk_back(other, found->vertex, other.depth(), random, f);
  }

  /// From a vertex of a level to its side's end.
  template <class F>
  void walk_back(const Side& side, Target v, std::int32_t level, Random& random, F& f) {
    while (--level > 1) f(VertexId{v = predecessor(side, v, level, random)});
  }

  /// One of the vertices of a level of which edges lead to v, each as likely as its number of paths says.
  Target predecessor(const Side& side, Target v, std::int32_t level, Random& random) {
    double sum = 0;
    Target found = v;
    const auto offer = [&](Target u) {
      sum += labels_[u].paths;
      if (found == v || random.unit() * sum < labels_[u].paths) found = u;
    };
    const std::span<const Target> before(
        side.reached.data() + side.begins[static_cast<std::size_t>(level - 1)],
        side.begins[static_cast<std::size_t>(level)] - side.begins[static_cast<std::size_t>(level - 1)]);
    const auto list = side.reverse.read(v, thread_).sources();
    if (before.size() * kSearch < list.size()) {  // a hub behind a few vertices
      for (const Target u : before) {
        const auto onward = side.lists.again(u).sources();
        if (std::ranges::binary_search(onward, v)) offer(u);
      }
      return found;
    }
    Target last = v;
    for (const Target u : list) {
      if (u == last) continue;
      last = u;
      if (labels_[u].level == side.sign * level) offer(u);
    }
    return found;
  }

  static constexpr std::size_t kSearch = 16;  // entries that can be read in the time of a search in a list

  unsigned thread_;
  std::vector<Label> labels_;
  std::array<Side, 2> sides_;
  std::vector<Meeting> meeting_;
};

}  // namespace rizoma
