// Store::Replayer: applies the operations of a log to a store that nobody else has yet: one that is being opened, or
// the successor of one that gets other inner numbers (renumbering.h).
#pragma once

#include "store/log/log.h"
#include "store/store.h"

#include <span>
#include <string>
#include <string_view>

namespace rizoma {

class Store::Replayer final : public LogVisitor {
 public:
  explicit Replayer(Store& store) : store_(store) {}

  void begin(std::string_view where) override { where_ = where; }
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
  std::string where_;  ///< the log, for messages; empty: not told
};

}  // namespace rizoma
