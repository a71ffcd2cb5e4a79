// The lists that a part of a plan reads: a rank that lacks them must fetch them before it can match.  Module: query.
#pragma once

#include "query/plan/plan.h"

#include <span>
#include <vector>

namespace rizoma::query {

/// A part of a plan that is matched from one vertex on.
struct Tree {
  unsigned item = 0;
  const Step* root = nullptr;  ///< the step of that vertex; null: it is matched already
  std::span<const Step> branches;
  std::span<const Step> beside;  ///< other roots, which rows match one within the other
};

/// Lists of one vertex.
struct AccessSet {
  bool out = false;
  bool in = false;
  [[nodiscard]] bool any() const noexcept { return out || in; }
  void add(Side side, bool directed) noexcept {
    out = out || side != Side::in || !directed;
    in = in || (side != Side::out && directed);
  }
};

/// Calls f(step) for the steps of a tree below its vertex, in preorder, but for the parts that are memoized.
template <class F>
void for_each_below(const Tree& tree, F&& f) {
  const auto walk = [&](const auto& self, const Step& step) -> void {
    f(step);
    for (const Step& branch : step.branches) {
      if (!branch.memoized) self(self, branch);
    }
  };
  for (const Step& branch : tree.branches) {
    if (tree.root == nullptr || !branch.memoized) walk(walk, branch);
  }
  for (const Step& other : tree.beside) walk(walk, other);
}

/// Of each vertex of the query, which of its lists are read once it is a candidate.
[[nodiscard]] std::vector<AccessSet> access_of(const GraphView& graph, const Query& query, const Tree& tree);

}  // namespace rizoma::query
