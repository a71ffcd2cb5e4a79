#include <rizoma/export.h>

#include "base/check.h"
#include "ingest/import_format.h"
#include "ingest/text_writer.h"

#include <vector>

namespace rizoma {
namespace {

/// The columns of a state.
class ExportedColumns final : public ColumnReader {
 public:
  explicit ExportedColumns(const Snapshot& snapshot) : snapshot_(snapshot) {}

  [[nodiscard]] std::span<const ColumnSchema> vertex_columns() const override {
    return snapshot_.schema().vertex_columns;
  }
  [[nodiscard]] std::span<const ColumnSchema> edge_columns() const override { return snapshot_.schema().edge_columns; }
  [[nodiscard]] Result<ColumnTable> vertex_values(std::span<const VertexId> vertices) const override {
    return table(vertex_columns(), [&](std::string_view name) { return snapshot_.vertex_values(name, vertices); });
  }
  [[nodiscard]] Result<ColumnTable> edge_values(std::span<const double> rows) const override {
    return table(edge_columns(), [&](std::string_view name) { return snapshot_.edge_values(name, rows); });
  }

 private:
  template <class Read>
  static Result<ColumnTable> table(std::span<const ColumnSchema> columns, Read read) {
    ColumnTable values;
    for (const ColumnSchema& column : columns) {
      RIZOMA_ASSIGN(ColumnValues each, read(column.name));
      values.columns.push_back(std::move(each));
    }
    return values;
  }

  const Snapshot& snapshot_;
};

}  // namespace

Status export_edges(const GraphView& view, const IdColumn& ids, const std::filesystem::path& file,
                    std::string_view format, Executor& executor) {
  RIZOMA_CHECK(size(ids) == view.num_vertices());
  RIZOMA_ASSIGN(const Format* chosen, format_to_write(file, format));
  return write_edges({view, ids, file}, *chosen, executor);
}

Status export_edges(const Snapshot& snapshot, const std::filesystem::path& file, std::string_view format,
                    Executor& executor) {
  RIZOMA_ASSIGN(const Format* chosen, format_to_write(file, format));
  const bool rows = chosen->is_document && snapshot.schema().rows && !snapshot.schema().edge_columns.empty();
  RIZOMA_ASSIGN(const GraphView view, rows ? snapshot.rows_view(executor) : snapshot.view(executor));
  RIZOMA_ASSIGN(const IdColumn ids, snapshot.ids(VertexRange{0, view.num_vertices()}));
  const ExportedColumns columns(snapshot);
  const bool parallel = snapshot.schema().parallel_edges == ParallelEdges::keep;
  return write_edges({view, ids, file, chosen->is_document ? &columns : nullptr, parallel}, *chosen, executor);
}

Status check_text_ids(const Snapshot& snapshot, const std::filesystem::path& file) {
  if (snapshot.schema().ids != IdKind::string) return {};
  RIZOMA_ASSIGN(const IdColumn ids, snapshot.ids(VertexRange{0, snapshot.num_vertices()}));
  return check_text_ids(ids, file, true);
}

}  // namespace rizoma
