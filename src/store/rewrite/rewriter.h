// Rewriter: publications that replace the whole state: compaction, a new order, a purge, bulk loads, and changes of the
// schema.
//
// Locks.  Each call takes the publisher's lock itself, but for `renumber`.  Changes go on during a compaction; a purge
// and a change of the schema hold the writer's lock until they are done.
// Failure.  A rewrite that fails leaves the state as it was, and gives its space back.
#pragma once

#include <rizoma/executor.h>
#include <rizoma/detail/function_ref.h>
#include <rizoma/result.h>
#include <rizoma/store_types.h>

#include "store/checkpoint/checkpointer.h"
#include "store/columns/row_block_writer.h"
#include "store/loading/bulk_load.h"
#include "store/publishing/publisher.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {

/// A state, and the target of a load that begins with it.
struct LoadOfPresent {
  std::shared_ptr<const StoreSnapshot> present;
  std::unique_ptr<LoadTarget> target;
};

class Rewriter {
 public:
  /// Both outlive this.  `renewed` is called when the graph has a new order.
  Rewriter(Publisher& publisher, Checkpointer& checkpointer, std::function<void()> renewed);

  // ---- any thread; the comments are at Store's functions of these names ----

  Status compact(Executor& executor, std::optional<VertexOrder> order, const LoadSettings& settings);
  Status purge(Executor& executor, std::optional<VertexOrder> order, const LoadSettings& settings);
  Status add_column(RowKind kind, ColumnSchema column);
  Status drop_column(RowKind kind, std::string_view name);
  Status take_values(const StoreSnapshot& from, RenameVertices renamed, std::vector<std::string>& lost);
  Result<IdKind> settle_ids(IdKind kind, bool for_good);
  /// Dense ids become integers: the same ids, with a dictionary, which may have gaps from now on.  Durable as a whole
  /// or not at all; internal ids stay.  Without effect on other graphs.
  Status use_integer_ids();
  Result<std::unique_ptr<LoadTarget>> load_target(IdKind ids);
  Result<LoadOfPresent> append_target();

  // ---- under the publisher's lock ----

  /// Gives all vertices new internal ids while changes go on (renumbering.h).  Writes at most `bytes_per_second`; 0: as
  /// fast as it can.
  Status renumber(Executor& executor, VertexOrder order, LoadSettings settings, std::uint64_t bytes_per_second = 0);

 private:
  Status rewrite_for_purge(Executor& executor, std::optional<VertexOrder> order, LoadSettings settings)
      RIZOMA_REQUIRES(publisher_.mutex);
  void keep_order(ManifestState& state) const RIZOMA_REQUIRES(publisher_.writer.mutex);
  Status expect_no_tags() const;
  Status empty_free_space();
  [[nodiscard]] std::uint64_t present_bytes() const;
  Status change_schema(FunctionRef<Status(GraphSchema&)> change);

  Publisher& publisher_;
  Checkpointer& checkpointer_;
  RowWriter rows_;
  std::function<void()> renewed_;
};

}  // namespace rizoma
