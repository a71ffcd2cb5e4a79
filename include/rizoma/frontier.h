// Frontier: the active vertices of a sweep, as a list or as a set.  Module: engine.
#pragma once

#include <rizoma/ids.h>
#include <rizoma/vertex_set.h>

#include <span>
#include <utility>
#include <vector>

namespace rizoma {

/// A subset of 0..universe-1, as an ascending list (sparse) or a bit set (dense).  Converts on first use, which is not
/// safe from several threads.
class Frontier {
 public:
  Frontier() = default;
  /// `members`: in any order, repetitions allowed; all below `universe`.
  explicit Frontier(VertexId universe, std::span<const VertexId> members = {});
  explicit Frontier(VertexSet set);
  /// Every vertex.
  [[nodiscard]] static Frontier all(VertexId universe);

  [[nodiscard]] VertexId universe() const noexcept { return universe_; }
  [[nodiscard]] VertexId size() const noexcept { return has_list_ ? list_.size() : set_.count(); }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }

  [[nodiscard]] const std::vector<VertexId>& list() const;
  [[nodiscard]] const VertexSet& set() const;

 private:
  VertexId universe_ = 0;
  mutable bool has_list_ = true;
  mutable bool has_set_ = false;
  mutable std::vector<VertexId> list_;
  mutable VertexSet set_;
};

}  // namespace rizoma
