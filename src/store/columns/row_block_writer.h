// RowWriter: rows of values, gathered from the blocks that have them, as new blocks in extents; not synced.
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>
#include <rizoma/schema.h>

#include "store/columns/left_out_values.h"
#include "store/columns/parallel_rules.h"
#include "store/columns/row_block.h"
#include "store/columns/row_table.h"
#include "store/space/space.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace rizoma {

/// The present internal ids of vertices, which ascend; kNoVertex: removed.
using RenameVertices = FunctionRef<Result<std::vector<VertexId>>(std::span<const VertexId>)>;

class RowWriter {
 public:
  /// `space` outlives this.
  explicit RowWriter(Space& space) noexcept : space_(space) {}

  /// One block.
  Result<std::shared_ptr<const StoredRows>> write_block(RowKind kind, std::uint64_t first, std::uint64_t rows,
                                                        std::span<const RowColumn> columns);
  /// The same in the memory of `block`, for many blocks one after another.
  Result<std::shared_ptr<const StoredRows>> write_block(RowKind kind, std::uint64_t first, std::uint64_t rows,
                                                        std::span<const RowColumn> columns,
                                                        std::vector<std::byte>& block);
  /// The blocks of a state in extents: `stored` are those that exist already; the rows in memory become one more block,
  /// together with the small blocks before it.
  Result<RowParts> write_rows(RowParts stored, const RowState& state, const std::vector<ColumnSchema>& columns);
  /// All rows of edges in new blocks; `live`, by their places among those with values, says of which the values stay.
  Result<RowParts> write_live_rows(const RowState& state, const std::vector<ColumnSchema>& columns,
                                   const std::vector<bool>& live);
  /// The same rows of edges, the last of each group having what the columns' rules make of all of it.  The rows of the
  /// blocks are the edges of a load, counted from 1.  Errors: also invalid_argument (a sum that does not fit).
  Result<RowParts> combined_rows(RowParts stored, const std::shared_ptr<const DataFiles>& data,
                                 const std::vector<ColumnSchema>& columns, MergedRows groups,
                                 const LeftOutValues& left_out);
  /// The rows of vertices, each under the number that the vertex has now.
  Result<RowParts> renamed_rows(const RowState& state, const std::vector<ColumnSchema>& columns,
                                RenameVertices renamed);

 private:
  Space& space_;
};

/// A block of rows of vertices whose first row is to be `first`, each under the number that its vertex has now.
Result<std::vector<std::byte>> renamed_block(const std::shared_ptr<const DataFiles>& data, RowBlock block,
                                             std::uint64_t first, const std::vector<ColumnSchema>& columns,
                                             RenameVertices renamed);

}  // namespace rizoma
