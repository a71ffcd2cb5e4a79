// Store::Replayer: applies the operations of a log to a store that nobody else has yet: one that is being opened, or
// the successor of one that gets other inner numbers (renumbering.h).
#pragma once

#include "store/log/log.h"
#include "store/store.h"

#include <span>
#include <string>

namespace rizoma {

class Store::Replayer final : public LogVisitor {
 public:
  explicit Replayer(Store& store) : store_(store) {}

  Status vertices(VertexId num_vertices) override;
  Status ids(const IdColumn& ids) override;
  Status edges(ChangeKind kind, const EdgeColumns& edges) override;
  Status remove_vertices(std::span<const VertexId> vertices) override;
  Status restore_vertices(std::span<const VertexId> vertices) override;
  Status rows(std::span<const std::byte> bytes) override;

 private:
  [[nodiscard]] ReplayedGraph graph() const;
  [[nodiscard]] std::string where() const;
  void publish();
  Status grown();
  Status set_removed(RemovedVertices removed);

  Store& store_;
};

}  // namespace rizoma
