// What the formats of documents (GML, GraphML, JSON) share in writing: vertices, then edges, each with its values.
// Pieces of a graph are formatted by all threads and written in order.
#pragma once

#include "ingest/byte_sink.h"
#include "ingest/column_text.h"
#include "ingest/import_format.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace rizoma {

/// The functions that write a format.
class DocumentStyle {
 public:
  virtual ~DocumentStyle() = default;

  /// A column's name as written before its values.
  [[nodiscard]] virtual std::string key(const ColumnSchema& column, bool of_vertices) const = 0;
  virtual void begin_vertex(std::string& text, VertexId v) const = 0;
  virtual void begin_edge(std::string& text, VertexId source, VertexId target) const = 0;
  /// Writes a value of the present vertex or edge; `first`: it is the first one.
  virtual void value(std::string& text, std::string_view key, ValueKind kind, std::string_view written,
                     bool first) const = 0;
  /// `any`: it has values.
  virtual void end_vertex(std::string& text, bool any) const = 0;
  virtual void end_edge(std::string& text, bool any) const = 0;
  /// How many bytes of what begin_vertex and begin_edge write are between two vertices or edges, and not before the
  /// first.
  [[nodiscard]] virtual std::size_t separator() const { return 0; }
};

/// The columns that are written, with the weight of a graph whose weights are no column.
[[nodiscard]] std::vector<ColumnSchema> columns_to_write(const WriteRequest& request, bool of_vertices);

/// Writes all vertices, or all edges.
Status write_vertices(const WriteRequest& request, const DocumentStyle& style, ReplacingFile& out, Executor& executor);
Status write_document_edges(const WriteRequest& request, const DocumentStyle& style, ReplacingFile& out,
                            Executor& executor);

/// The vertex's external id if it is a text.
[[nodiscard]] std::optional<std::string_view> text_id(const IdColumn& ids, VertexId v);
/// The vertex's external id if it is an integer.
[[nodiscard]] std::int64_t integer_id(const IdColumn& ids, VertexId v);

}  // namespace rizoma
