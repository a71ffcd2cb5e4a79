// NamedNumbers: which of the numbers that a change of a dense graph adds are vertices.
//
// How.  Dense ids are numbers, so one that is named makes those below it numbers, too; they are no vertices before a
// step names them.  In a graph of other ids each new number is named.
// Cost: a bit for each new number.
#pragma once

#include <rizoma/ids.h>

#include <algorithm>
#include <span>
#include <vector>

namespace rizoma {

class NamedNumbers {
 public:
  /// `first`: the first new number.
  NamedNumbers(bool dense, VertexId first) noexcept : dense_(dense), first_(first) {}

  /// These are vertices from now on; `end`: after the largest number there is.
  void note(std::span<const VertexId> vertices, VertexId end) {
    if (!dense_ || end == first_) return;
    named_.resize(end - first_);
    for (const VertexId v : vertices) {
      if (v >= first_) named_[v - first_] = true;
    }
  }
  [[nodiscard]] bool has(VertexId v) const { return !dense_ || v < first_ || named_[v - first_]; }
  /// True if no number below `end` is left out.
  [[nodiscard]] bool all(VertexId end) const {
    return !dense_ || static_cast<VertexId>(std::count(named_.begin(), named_.end(), true)) == end - first_;
  }

 private:
  bool dense_;
  VertexId first_;
  std::vector<bool> named_;
};

}  // namespace rizoma
