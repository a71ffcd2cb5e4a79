// Replayer: applies the operations of a log to a store that no other thread has yet: one that is being opened, or
// the successor of one that gets other internal ids (renumbering.h).
#pragma once

#include "store/log/log.h"
#include "store/state/contents.h"
#include "store/validation/validation.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace rizoma {

class Replayer final : public LogVisitor {
 public:
  /// `where` names the log in messages, unless `begin` does.
  Replayer(Contents& contents, std::string where) : contents_(contents), where_(std::move(where)) {}

  void begin(std::string_view where) override { where_ = where; }
  Status vertices(VertexId num_vertices) override;
  Status ids(const IdColumn& ids) override;
  Status edges(ChangeKind kind, const EdgeColumns& edges) override;
  Status remove_vertices(std::span<const VertexId> vertices) override;
  Status restore_vertices(std::span<const VertexId> vertices) override;
  Status rows(std::span<const std::byte> bytes) override;

 private:
  [[nodiscard]] ReplayedGraph graph() const;
  [[nodiscard]] const std::string& where() const noexcept { return where_; }
  void publish();
  Status grown();
  Status set_removed(RemovedVertices removed);

  Contents& contents_;
  std::string where_;
};

}  // namespace rizoma
