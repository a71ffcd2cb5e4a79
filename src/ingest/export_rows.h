// What the formats that are written share: rows of a graph (a vertex and its entries), formatted by all threads in
// blocks and written in order.
#pragma once

#include "ingest/byte_sink.h"
#include "ingest/import_format.h"

#include <charconv>
#include <cstring>

namespace rizoma {

/// One entry of a row.
struct RowEntry {
  std::uint64_t target;
  double weight;
};
using EntryRow = std::vector<RowEntry>;

/// The entries of inner vertex v, of one direction.
void read_row(const GraphView& view, const GraphView::AnyAdjacency& any, VertexId v, EntryRow& row);

template <class Number>
void append_number(std::string& text, Number number) {
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

void append_weight(std::string& text, WeightType type, double weight);

/// The bytes of a number in memory.
template <class Number>
void append_bytes(std::string& bytes, Number number) {
  char raw[sizeof number];
  std::memcpy(raw, &number, sizeof number);
  bytes.append(raw, sizeof number);
}

/// The error for a graph that a format cannot carry.  Code: unsupported.
[[nodiscard]] Error cannot_carry(const std::filesystem::path& file, const std::string& why);

/// Vertices renumbered by their ids 0..n-1, for the formats in which a row's number is its id.
class NumberedRows {
 public:
  /// Errors: unsupported (the ids are others).
  static Result<NumberedRows> create(const WriteRequest& request);

  [[nodiscard]] std::uint64_t size() const noexcept { return vertices_.size(); }
  /// Entries of the row, by ascending target id.
  void read(const GraphView::AnyAdjacency& adjacency, std::uint64_t id, EntryRow& row) const;

 private:
  NumberedRows(const GraphView& view, const std::vector<std::int64_t>& ids) : view_(&view), ids_(&ids) {}
  const GraphView* view_;
  const std::vector<std::int64_t>* ids_;
  std::vector<VertexId> vertices_;
};

/// Formats rows [0, rows) in blocks, in parallel: append(row number, row, text) appends one.
template <class AppendRow>
Status write_rows(std::uint64_t rows, ReplacingFile& out, Executor& executor, AppendRow append) {
  constexpr std::uint64_t kBlockVertices = std::uint64_t{1} << 12;
  std::uint64_t taken = 0;
  return run_ordered<VertexRange, std::string>(
      executor, "export", [&] { return static_cast<double>(taken); }, static_cast<double>(rows),
      [&](VertexRange& block) -> Result<bool> {
        block = {taken, std::min(rows, taken + kBlockVertices)};
        taken = block.end;
        return !block.empty();
      },
      [&](const VertexRange& block, std::string& text) -> Status {
        EntryRow row;
        for (std::uint64_t r = block.begin; r < block.end; ++r) RIZOMA_TRY(append(r, row, text));
        return {};
      },
      [&](std::string&& text) { return out.write(text); });
}

}  // namespace rizoma
