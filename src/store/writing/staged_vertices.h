// StagedVertices: the vertices of a change: numbers for the ids that it names, new ones logged and given room, removed
// ones that are named there again.
//
// Dense ids are 0..n-1, and all of them are vertices.  A change that would leave numbers in between that nothing names
// is refused, and `has_gaps`: it is made again once the graph's ids are integers (Rewriter).
// Threads.  One at a time, under the writer's lock.
#pragma once

#include <rizoma/batch.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>

#include "store/log/log.h"
#include "store/state/contents.h"
#include "store/writing/named_numbers.h"

#include <initializer_list>
#include <span>
#include <vector>

namespace rizoma {

class StagedVertices {
 public:
  /// Both outlive this.  New vertices are logged in `payload`.
  StagedVertices(Contents& contents, LogPayload& payload);

  /// Vertices there were before the change.
  [[nodiscard]] VertexId first() const noexcept { return first_; }
  /// Whether the steps before have it.
  [[nodiscard]] bool contains(VertexId v) const;
  /// Before ids are numbered: refuses an id so far from the others that no search between them is needed.
  Status expect_near(std::initializer_list<const IdColumn*> columns);
  /// Internal ids of all ids, new ones where they are not known yet.  Errors: also invalid_argument (one is no text).
  Result<std::vector<VertexId>> number(const IdColumn& ids);
  /// Behind `number`: makes room for the new vertices and logs them; those of `named` that were removed are there
  /// again.
  Status grow_to(std::initializer_list<std::span<const VertexId>> named);
  /// Behind the last step: refuses a change that leaves gaps.
  Status expect_no_gaps();
  [[nodiscard]] bool has_gaps() const noexcept { return has_gaps_; }

 private:
  Status refuse_gaps();
  Status grow();
  void restore(std::span<const VertexId> vertices);

  Contents& contents_;
  LogPayload& payload_;
  const VertexId first_;
  VertexId logged_;
  NamedNumbers named_;
  bool has_gaps_ = false;
};

}  // namespace rizoma
