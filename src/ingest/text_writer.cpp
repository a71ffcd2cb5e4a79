#include "ingest/text_writer.h"

#include "ingest/edge_lines.h"
#include "ingest/export_rows.h"

#include <algorithm>

namespace rizoma {
namespace {

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

void append_id(std::string& text, const IdColumn& ids, VertexId v, bool csv) {
  if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&ids)) {
    append_number(text, (*numbers)[v]);
  } else if (csv) {
    append_field(text, std::get<StringColumn>(ids)[v]);
  } else {
    text += std::get<StringColumn>(ids)[v];
  }
}

}  // namespace

Status check_text_ids(const IdColumn& ids, const std::filesystem::path& file, bool csv) {
  const auto* names = std::get_if<StringColumn>(&ids);
  if (names == nullptr) return {};
  constexpr std::string_view kLineEnds("\r\n\0", 3);
  for (std::size_t v = 0; v < names->size(); ++v) {
    const std::string_view name = (*names)[v];
    if (name.find_first_of(kLineEnds) != name.npos)
      return cannot_carry(file, "a vertex id contains a line end or NUL; write .parquet instead");
    if (name.empty())
      return cannot_carry(file, "a vertex id is empty, which a text file cannot hold; write .parquet instead");
    const bool comment = name.starts_with('#') || name.starts_with('%');
    if (!csv && (comment || name.find_first_of(" \t") != name.npos)) {
      return cannot_carry(file,
                          "the vertex id '" + std::string(name) +
                              "' has a blank or begins a comment, which an edge list cannot hold; write .csv instead");
    }
  }
  return {};
}

namespace {

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

}  // namespace

Status write_text(const WriteRequest& request, ReplacingFile& out, Executor& executor, bool csv) {
  const GraphView& view = request.view;
  const IdColumn& ids = request.ids;
  const std::filesystem::path& file = request.file;
  RIZOMA_TRY(check_text_ids(ids, file, csv));
  const WeightType type = view.weight_type();
  if (type == WeightType::none && ending_of(file) == ".wel") {
    return cannot_carry(file, "a .wel file holds weights, but this graph has none; write .el instead");
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
  return write_rows(view.num_vertices(), out, executor, [&](VertexId v, EntryRow& row, std::string& text) -> Status {
    read_row(view, view.parts().out, v, row);
    for (const RowEntry& entry : row) {
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

}  // namespace rizoma
