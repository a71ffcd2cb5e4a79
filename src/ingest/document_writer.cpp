#include "ingest/document_writer.h"

#include "ingest/export_rows.h"

#include <algorithm>
#include <span>
#include <utility>

namespace rizoma {
namespace {

constexpr std::uint64_t kBlockVertices = std::uint64_t{1} << 12;

/// Edges of some vertices.
struct EdgeRows {
  std::vector<VertexId> sources, targets;
  std::vector<double> weights;  ///< or numbers of rows
};

void read_edges(const GraphView& view, const VertexRange& block, EdgeRows& edges) {
  EntryRow row;
  for (VertexId v = block.begin; v < block.end; ++v) {
    read_row(view, view.parts().out, v, row);
    for (const RowEntry& entry : row) {
      if (!view.directed() && entry.target < v) continue;
      edges.sources.push_back(v);
      edges.targets.push_back(entry.target);
      edges.weights.push_back(entry.weight);
    }
  }
}

/// The keys of columns, and their values row by row.
class ValueWriter {
 public:
  ValueWriter(const DocumentStyle& style, std::span<const ColumnSchema> columns, bool of_vertices) : style_(style) {
    for (const ColumnSchema& column : columns) keys_.push_back(style.key(column, of_vertices));
  }

  /// The values of a row; returns whether there was one.
  bool write(const ColumnTable& table, std::size_t row, std::string& text, std::string& scratch) const {
    bool any = false;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const ValueKind kind = value_text(table.columns[i], row, scratch);
      if (kind == ValueKind::null) continue;
      style_.value(text, keys_[i], kind, scratch, !any);
      any = true;
    }
    return any;
  }
  /// The weight of an edge of a graph whose only value it is.
  void write_weight(WeightType type, double weight, std::string& text, std::string& scratch) const {
    scratch.clear();
    if (type == WeightType::int32) append_number(scratch, static_cast<std::int32_t>(weight));
    if (type == WeightType::float32) append_real(scratch, static_cast<float>(weight));
    if (type == WeightType::float64) append_real(scratch, weight);
    style_.value(text, keys_[0], type == WeightType::int32 ? ValueKind::integer : ValueKind::number, scratch, true);
  }

 private:
  const DocumentStyle& style_;
  std::vector<std::string> keys_;
};

/// Formats blocks of vertices in parallel, and writes the results in order.
template <class Append>
Status write_blocks(const WriteRequest& request, const DocumentStyle& style, ReplacingFile& out, Executor& executor,
                    Append append) {
  const std::uint64_t vertices = request.view.num_vertices();
  std::uint64_t taken = 0;
  bool first = true;
  return run_ordered<VertexRange, std::string>(
      executor, "export", [&] { return static_cast<double>(taken); }, static_cast<double>(vertices),
      [&](VertexRange& block) -> Result<bool> {
        block = {taken, std::min(vertices, taken + kBlockVertices)};
        taken = block.end;
        return !block.empty();
      },
      append,
      [&](std::string&& text) -> Status {
        if (text.empty()) return {};
        return out.write(std::string_view(text).substr(std::exchange(first, false) ? style.separator() : 0));
      });
}

}  // namespace

std::optional<std::string_view> text_id(const IdColumn& ids, VertexId v) {
  const auto* const texts = std::get_if<StringColumn>(&ids);
  return texts == nullptr ? std::nullopt : std::optional((*texts)[v]);
}

std::int64_t integer_id(const IdColumn& ids, VertexId v) { return std::get<std::vector<std::int64_t>>(ids)[v]; }

std::vector<ColumnSchema> columns_to_write(const WriteRequest& request, bool of_vertices) {
  std::vector<ColumnSchema> columns;
  if (request.columns != nullptr) {
    const auto all = of_vertices ? request.columns->vertex_columns() : request.columns->edge_columns();
    columns.assign(all.begin(), all.end());
  }
  if (of_vertices || !columns.empty() || request.view.weight_type() == WeightType::none) return columns;
  constexpr ColumnType kTypes[] = {ColumnType::float64, ColumnType::int32, ColumnType::float32, ColumnType::float64};
  columns.push_back({.type = kTypes[static_cast<std::size_t>(request.view.weight_type())], .name = "weight"});
  return columns;
}

Status write_vertices(const WriteRequest& request, const DocumentStyle& style, ReplacingFile& out, Executor& executor) {
  const auto columns = columns_to_write(request, true);
  const ValueWriter values(style, columns, true);
  return write_blocks(request, style, out, executor, [&](const VertexRange& block, std::string& text) -> Status {
    std::vector<VertexId> live;
    for (VertexId v = block.begin; v < block.end; ++v) {
      if (request.view.is_live(v)) live.push_back(v);
    }
    ColumnTable table;
    if (!columns.empty()) {
      RIZOMA_ASSIGN(table, request.columns->vertex_values(live));
    }
    std::string scratch;
    for (std::size_t i = 0; i < live.size(); ++i) {
      style.begin_vertex(text, live[i]);
      style.end_vertex(text, values.write(table, i, text, scratch));
    }
    return {};
  });
}

Status write_document_edges(const WriteRequest& request, const DocumentStyle& style, ReplacingFile& out,
                            Executor& executor) {
  const auto columns = columns_to_write(request, false);
  const bool in_rows = request.columns != nullptr && !request.columns->edge_columns().empty();
  const ValueWriter values(style, columns, false);
  return write_blocks(request, style, out, executor, [&](const VertexRange& block, std::string& text) -> Status {
    EdgeRows edges;
    read_edges(request.view, block, edges);
    ColumnTable table;
    if (in_rows) {
      RIZOMA_ASSIGN(table, request.columns->edge_values(edges.weights));
    }
    std::string scratch;
    for (std::size_t i = 0; i < edges.sources.size(); ++i) {
      style.begin_edge(text, edges.sources[i], edges.targets[i]);
      bool any = !columns.empty() && !in_rows;
      if (any) values.write_weight(request.view.weight_type(), edges.weights[i], text, scratch);
      if (in_rows) any = values.write(table, i, text, scratch);
      style.end_edge(text, any);
    }
    return {};
  });
}

}  // namespace rizoma
