// export_edges: one writer a format.  Rows (a vertex and its edges) are formatted by all threads in
// blocks and written in order.
#include <rizoma/export.h>

#include "api/byte_sink.h"
#include "ingest/edge_lines.h"
#include "ingest/format.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace rizoma {
namespace {

constexpr std::uint64_t kBlockVertices = std::uint64_t{1} << 12;

struct Entry {
  std::uint64_t target;
  double weight;
};
using Row = std::vector<Entry>;

/// The entries of inner vertex v, of one direction.
void read_row(const GraphView& view, const GraphView::AnyAdjacency& any, VertexId v, Row& row) {
  row.clear();
  std::visit(
      [&](const auto& adjacency) {
        const auto targets = adjacency.neighbors(v);
        const auto with = [&](auto weights) {
          for (std::size_t i = 0; i < targets.size(); ++i) row.push_back({targets[i], static_cast<double>(weights[i])});
        };
        switch (view.weight_type()) {
          case WeightType::none:
            for (const auto target : targets) row.push_back({target, 0});
            break;
          case WeightType::int32: with(adjacency.template weights<std::int32_t>(v)); break;
          case WeightType::float32: with(adjacency.template weights<float>(v)); break;
          case WeightType::float64: with(adjacency.template weights<double>(v)); break;
        }
      },
      any);
}

template <class Number>
void append_number(std::string& text, Number number) {
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

void append_weight(std::string& text, WeightType type, double weight) {
  if (type == WeightType::int32) {
    append_number(text, static_cast<std::int32_t>(weight));
  } else if (type == WeightType::float32) {
    append_number(text, static_cast<float>(weight));
  } else {
    append_number(text, weight);
  }
}

template <class Number>
void append_bytes(std::string& bytes, Number number) {
  char raw[sizeof number];
  std::memcpy(raw, &number, sizeof number);
  bytes.append(raw, sizeof number);
}

/// A CSV field, quoted if it must be: read_file trims and detects nothing in quotes.
void append_field(std::string& text, std::string_view field) {
  if (field.find_first_of(",;\t\"# ") == field.npos) {
    text += field;
    return;
  }
  text += '"';
  for (const char c : field) {
    if (c == '"') text += '"';
    text += c;
  }
  text += '"';
}

Error cannot_carry(const std::filesystem::path& file, const std::string& why) {
  return {ErrorCode::unsupported, file.string() + ": " + why};
}

/// Vertices renumbered by their ids 0..n-1, for the formats in which a row's number is its id.
class NumberedRows {
 public:
  static Result<NumberedRows> create(const GraphView& view, const IdColumn& ids, const std::filesystem::path& file) {
    const auto* numbers = std::get_if<std::vector<std::int64_t>>(&ids);
    const std::string need = "this format needs the ids 0..n-1, each once; ";
    const std::string remedy = "write an edge list (.el) or .csv instead";
    if (numbers == nullptr) return cannot_carry(file, need + "this graph's ids are strings: " + remedy);
    NumberedRows rows(view, *numbers);
    rows.vertices_.assign(numbers->size(), kNoVertex);
    for (VertexId v = 0; v < numbers->size(); ++v) {
      const std::int64_t id = (*numbers)[v];
      const bool fits = view.is_live(v) && id >= 0 && static_cast<std::uint64_t>(id) < numbers->size();
      if (!fits || rows.vertices_[static_cast<std::size_t>(id)] != kNoVertex) {
        return cannot_carry(file, need + "this graph has others or holes (id " + std::to_string(id) + "): " + remedy);
      }
      rows.vertices_[static_cast<std::size_t>(id)] = v;
    }
    return rows;
  }

  [[nodiscard]] std::uint64_t size() const noexcept { return vertices_.size(); }
  /// Entries of the row, by ascending target id.
  void read(const GraphView::AnyAdjacency& adjacency, std::uint64_t id, Row& row) const {
    read_row(*view_, adjacency, vertices_[id], row);
    for (Entry& entry : row) entry.target = static_cast<std::uint64_t>((*ids_)[entry.target]);
    std::stable_sort(row.begin(), row.end(), [](const Entry& a, const Entry& b) { return a.target < b.target; });
  }

 private:
  NumberedRows(const GraphView& view, const std::vector<std::int64_t>& ids) : view_(&view), ids_(&ids) {}
  const GraphView* view_;
  const std::vector<std::int64_t>* ids_;
  std::vector<VertexId> vertices_;
};

/// Formats rows [0, rows) in blocks, in parallel: format(row number, text) appends one row.
template <class Format>
Status write_rows(std::uint64_t rows, ReplacingFile& out, Executor& executor, Format format) {
  std::uint64_t taken = 0;
  return run_ordered<VertexRange, std::string>(
      executor, "export", [&] { return static_cast<double>(taken); }, static_cast<double>(rows),
      [&](VertexRange& block) -> Result<bool> {
        block = {taken, std::min(rows, taken + kBlockVertices)};
        taken = block.end;
        return !block.empty();
      },
      [&](const VertexRange& block, std::string& text) -> Status {
        Row row;
        for (std::uint64_t r = block.begin; r < block.end; ++r) RIZOMA_TRY(format(r, row, text));
        return {};
      },
      [&](std::string&& text) { return out.write(text); });
}

void append_id(std::string& text, const IdColumn& ids, VertexId v, bool csv) {
  if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&ids)) {
    append_number(text, (*numbers)[v]);
  } else if (csv) {
    append_field(text, std::get<StringColumn>(ids)[v]);
  } else {
    text += std::get<StringColumn>(ids)[v];
  }
}

/// Fails if some name cannot stand in the format.
Status check_names(const IdColumn& ids, const std::filesystem::path& file, bool csv) {
  const auto* names = std::get_if<StringColumn>(&ids);
  if (names == nullptr) return {};
  constexpr std::string_view kLineEnds("\r\n\0", 3);
  for (std::size_t v = 0; v < names->size(); ++v) {
    const std::string_view name = (*names)[v];
    if (name.find_first_of(kLineEnds) != name.npos)
      return cannot_carry(file, "a vertex id contains a line end or NUL: write Parquet instead");
    if (name.empty())
      return cannot_carry(file, "a vertex id is empty, which no text gives back: write Parquet instead");
    const bool comment = name.starts_with('#') || name.starts_with('%');
    if (!csv && (comment || name.find_first_of(" \t") != name.npos)) {
      return cannot_carry(
          file, "the vertex id \"" + std::string(name) +
                    "\" has a blank or begins a comment, which an edge list cannot carry: write .csv instead");
    }
  }
  return {};
}

/// True for strings of which one could pass for an integer: a reader decides by the first lines, which it may fill.
bool some_look_like_integers(const IdColumn& ids) {
  const auto* names = std::get_if<StringColumn>(&ids);
  if (names == nullptr) return false;
  for (std::size_t v = 0; v < names->size(); ++v) {
    std::string_view name = (*names)[v];
    if (name.starts_with('-') || name.starts_with('+')) name.remove_prefix(1);
    if (!name.empty() && name.find_first_not_of("0123456789") == name.npos) return true;
  }
  return false;
}

Status write_text(const GraphView& view, const IdColumn& ids, const std::filesystem::path& file, ReplacingFile& out,
                  Executor& executor, bool csv) {
  RIZOMA_TRY(check_names(ids, file, csv));
  const WeightType type = view.weight_type();
  if (type == WeightType::none && ending_of(file) == ".wel") {
    return cannot_carry(file, "edge lists with weights end in .wel, and this graph has none: write .el instead");
  }
  const bool comma = csv && ending_of(file) != ".tsv";
  const char separator = comma ? ',' : '\t';
  std::string direction = view.directed() ? "# " + std::string(kSaysDirected) + '\n' : std::string();
  if (some_look_like_integers(ids)) direction += "# " + std::string(kSaysStrings) + '\n';
  if (csv) {
    RIZOMA_TRY(out.write(direction));
    std::string header = type == WeightType::none ? "source,target\n" : "source,target,weight\n";
    std::replace(header.begin(), header.end(), ',', separator);
    RIZOMA_TRY(out.write(header));
  } else if (type != WeightType::none) {
    RIZOMA_TRY(out.write("# source\ttarget\tweight\n" + direction));
  } else {
    RIZOMA_TRY(out.write(direction));
  }
  return write_rows(view.num_vertices(), out, executor, [&](VertexId v, Row& row, std::string& text) -> Status {
    read_row(view, view.parts().out, v, row);
    for (const Entry& entry : row) {
      if (!view.directed() && entry.target < v) continue;
      append_id(text, ids, v, csv);
      text += separator;
      append_id(text, ids, entry.target, csv);
      if (type != WeightType::none) {
        text += separator;
        append_weight(text, type, entry.weight);
      }
      text += '\n';
    }
    return {};
  });
}

Status write_matrix_market(const GraphView& view, const IdColumn& ids, const std::filesystem::path& file,
                           ReplacingFile& out, Executor& executor) {
  RIZOMA_ASSIGN(const NumberedRows rows, NumberedRows::create(view, ids, file));
  const WeightType type = view.weight_type();
  std::string header = "%%MatrixMarket matrix coordinate ";
  header += type == WeightType::none ? "pattern" : type == WeightType::int32 ? "integer" : "real";
  header += view.directed() ? " general\n" : " symmetric\n";
  const std::string size = std::to_string(rows.size());
  header += size + " " + size + " " + std::to_string(view.num_edges()) + "\n";
  RIZOMA_TRY(out.write(header));
  return write_rows(rows.size(), out, executor, [&](std::uint64_t r, Row& row, std::string& text) -> Status {
    rows.read(view.parts().out, r, row);
    for (const Entry& entry : row) {
      // Of a symmetric matrix the lower triangle is stored.
      if (!view.directed() && entry.target > r) continue;
      append_number(text, r + 1);
      text += ' ';
      append_number(text, entry.target + 1);
      if (type != WeightType::none) {
        text += ' ';
        append_weight(text, type, entry.weight);
      }
      text += '\n';
    }
    return {};
  });
}

Status write_metis(const GraphView& view, const IdColumn& ids, const std::filesystem::path& file, ReplacingFile& out,
                   Executor& executor) {
  if (view.directed())
    return cannot_carry(file, "METIS files hold undirected graphs and this one is directed: write .mtx instead");
  const bool weighted = view.weight_type() != WeightType::none;
  if (weighted && view.weight_type() != WeightType::int32) {
    return cannot_carry(file, "METIS files hold integer weights and this graph has others: write .mtx instead");
  }
  RIZOMA_ASSIGN(const NumberedRows rows, NumberedRows::create(view, ids, file));
  RIZOMA_TRY(
      out.write(std::to_string(rows.size()) + " " + std::to_string(view.num_edges()) + (weighted ? " 1\n" : "\n")));
  return write_rows(rows.size(), out, executor, [&](std::uint64_t r, Row& row, std::string& text) -> Status {
    rows.read(view.parts().out, r, row);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) text += ' ';
      append_number(text, row[i].target + 1);
      if (!weighted) continue;
      if (row[i].weight < 0) return cannot_carry(file, "METIS files hold no negative weights: write .mtx instead");
      text += ' ';
      append_weight(text, WeightType::int32, row[i].weight);
    }
    text += '\n';
    return {};
  });
}

Status write_gapbs_half(const GraphView& view, const GraphView::AnyAdjacency& adjacency, const NumberedRows& rows,
                        ReplacingFile& out, Executor& executor) {
  std::string offsets;
  std::int64_t offset = 0;
  Row row;
  for (std::uint64_t r = 0; r < rows.size(); ++r) {
    append_bytes(offsets, offset);
    rows.read(adjacency, r, row);
    offset += static_cast<std::int64_t>(row.size());
    if (offsets.size() < std::size_t{1} << 20) continue;
    RIZOMA_TRY(out.write(offsets));
    offsets.clear();
  }
  append_bytes(offsets, offset);
  RIZOMA_TRY(out.write(offsets));
  return write_rows(rows.size(), out, executor, [&](std::uint64_t r, Row& entries, std::string& bytes) -> Status {
    rows.read(adjacency, r, entries);
    for (const Entry& entry : entries) {
      append_bytes(bytes, static_cast<std::int32_t>(entry.target));
      if (view.weight_type() != WeightType::none) append_bytes(bytes, static_cast<std::int32_t>(entry.weight));
    }
    return {};
  });
}

Status write_gapbs(const GraphView& view, const IdColumn& ids, const std::filesystem::path& file, ReplacingFile& out,
                   Executor& executor) {
  const bool weighted = ending_of(file) == ".wsg";
  if (without_compression(file) != file)
    return cannot_carry(file, "serialized GAP graphs are not compressed: leave the ending away");
  if (view.weight_type() == WeightType::none ? weighted : !weighted) {
    return cannot_carry(file, "serialized GAP graphs with weights end in .wsg, those without in .sg");
  }
  if (weighted && view.weight_type() != WeightType::int32)
    return cannot_carry(file, ".wsg holds 32-bit integer weights and this graph has others: write .mtx instead");
  if (!view.has_in_edges())
    return cannot_carry(
        file,
        "a directed serialized GAP graph holds the in-edges too, which this graph does not store: write .mtx instead");
  RIZOMA_ASSIGN(const NumberedRows rows, NumberedRows::create(view, ids, file));
  if (rows.size() > std::uint64_t{1} << 31)
    return cannot_carry(file, ".sg holds up to 2^31 vertices: write .el instead");
  std::string header(1, view.directed() ? '\1' : '\0');
  append_bytes(header, static_cast<std::int64_t>(view.num_entries()));
  append_bytes(header, static_cast<std::int64_t>(rows.size()));
  RIZOMA_TRY(out.write(header));
  RIZOMA_TRY(write_gapbs_half(view, view.parts().out, rows, out, executor));
  if (view.directed()) RIZOMA_TRY(write_gapbs_half(view, *view.parts().in, rows, out, executor));
  return {};
}

/// The format that a name asks for; unlike a reader, a writer does not guess.
Result<FileFormat> format_to_write(const std::filesystem::path& file) {
  RIZOMA_ASSIGN(const FileFormat format, format_by_name(file));
  if (format != FileFormat::automatic) return format;
  if (ending_of(file) == ".txt") return FileFormat::edge_list;
  return Error{ErrorCode::invalid_argument,
               "cannot tell the format of " + file.string() +
                   "; use .csv, .tsv, .txt, .el, .wel, .mtx, .graph, .sg or .wsg (the Python package and the rizoma "
                   "command also write .parquet, .ndjson, .jsonl, .graphml, .gexf, .gml, .json and .net)"};
}

Status write_format(const GraphView& view, const IdColumn& ids, const std::filesystem::path& file, FileFormat format,
                    ReplacingFile& out, Executor& executor) {
  switch (format) {
    case FileFormat::automatic:
    case FileFormat::edge_list: return write_text(view, ids, file, out, executor, false);
    case FileFormat::csv: return write_text(view, ids, file, out, executor, true);
    case FileFormat::matrix_market: return write_matrix_market(view, ids, file, out, executor);
    case FileFormat::metis: return write_metis(view, ids, file, out, executor);
    case FileFormat::gapbs: return write_gapbs(view, ids, file, out, executor);
    case FileFormat::graphalytics:
    case FileFormat::dimacs: break;
  }
  return cannot_carry(file, "this format is read but not written: write .el, .csv, .mtx, .graph, .sg or .wsg");
}

}  // namespace

Status export_edges(const GraphView& view, const IdColumn& ids, const std::filesystem::path& file, FileFormat format,
                    Executor& executor) {
  RIZOMA_CHECK(size(ids) == view.num_vertices());
  if (format == FileFormat::automatic) {
    RIZOMA_ASSIGN(format, format_to_write(file));
  }
  RIZOMA_ASSIGN(ReplacingFile out, ReplacingFile::create(file));
  RIZOMA_TRY(write_format(view, ids, file, format, out, executor));
  return out.commit();
}

Status export_edges(const Snapshot& snapshot, const std::filesystem::path& file, FileFormat format,
                    Executor& executor) {
  RIZOMA_ASSIGN(const GraphView view, snapshot.view(executor));
  RIZOMA_ASSIGN(const IdColumn ids, snapshot.ids(VertexRange{0, view.num_vertices()}));
  return export_edges(view, ids, file, format, executor);
}

}  // namespace rizoma
