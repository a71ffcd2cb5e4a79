// Files and generators into a bulk load or a batch.
#include "bind_columns.h"
#include "bind_engine.h"
#include "bind_text_options.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>
#include <rizoma/ingest.h>
#include <rizoma/detail/column_types.h>
#include <rizoma/detail/interpret.h>
#include <rizoma/graph.h>
#include <rizoma/cluster.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace rizoma::python {

namespace {

/// What a graph takes of weights.
enum class TakenWeights : std::uint8_t {
  none,
  given,  ///< where the file has none, 1 for edges that are new
  ones,   ///< 1 for each edge, whatever there is
};

TakenWeights taken_weights(bool weighted, const ReadOptions& options) {
  if (!weighted) return TakenWeights::none;
  return options.drops_weights ? TakenWeights::ones : TakenWeights::given;
}

void fit_weights(EdgeBatch& batch, TakenWeights taken) {
  if (taken != TakenWeights::given && !batch.weights.empty()) {
    batch.weights.clear();
    std::erase_if(batch.columns.columns, [](const ColumnValues& column) { return column.name == "weight"; });
  }
  if (taken == TakenWeights::none || !batch.weights.empty() || batch.size() == 0) return;
  batch.weights.assign(batch.size(), 1.0);
  if (taken == TakenWeights::given) mark_weights(batch, {});
}

/// What of a file was not read as it stands.
struct NotRead : LeftOut {
  std::uint64_t great_weights = 0;   ///< from 2^53 on, where float64 does not hold each whole number
  std::uint64_t single_weights = 0;  ///< whole numbers that float32 does not hold

  void count(const EdgeBatch& batch) {
    for (const double weight : batch.weights) {
      great_weights += std::abs(weight) >= kFirstRounded<double> ? 1 : 0;
      single_weights += rounds_to_single(weight) ? 1 : 0;
    }
  }
};

/// Passes everything on to a load and counts it.
template <class Load>
class LoadSink final : public BatchSink {
 public:
  LoadSink(Load& load, TakenWeights taken) : load_(load), taken_(taken) {}
  Status edges(EdgeBatch&& batch) override {
    rows += batch.size();
    fit_weights(batch, taken_);
    not_read.count(batch);
    return load_.add(batch);
  }
  Status vertices(IdColumn&& ids) override { return load_.add_vertices(ids); }
  void left_out(const LeftOut& lines) override { not_read += lines; }
  std::uint64_t rows = 0;
  NotRead not_read;

 private:
  Load& load_;
  TakenWeights taken_;
};

template <class Column>
Status append_column(IdColumn& out, const Column& rows) {
  RIZOMA_ASSIGN(auto* column, column_of<Column>(out));
  if constexpr (std::is_same_v<Column, StringColumn>) {
    for (std::size_t i = 0; i < rows.size(); ++i) column->push_back(rows[i]);
  } else {
    column->insert(column->end(), rows.begin(), rows.end());
  }
  return {};
}

Status append_ids(IdColumn& out, const IdColumn& rows) {
  return std::visit([&](const auto& column) { return append_column(out, column); }, rows);
}

/// Gathers the edges and the vertices of a file for one batch.
class GatherSink final : public BatchSink {
 public:
  GatherSink(EdgeBatch& out, TakenWeights taken) : out_(out), taken_(taken) {}
  Status edges(EdgeBatch&& batch) override {
    fit_weights(batch, taken_);
    not_read.count(batch);
    const std::size_t before = out_.size();
    RIZOMA_TRY(append_ids(out_.sources, batch.sources));
    RIZOMA_TRY(append_ids(out_.targets, batch.targets));
    out_.weights.insert(out_.weights.end(), batch.weights.begin(), batch.weights.end());
    RIZOMA_TRY(append_columns(out_.columns, before, std::move(batch.columns)));
    pad_columns(out_.columns, out_.size());
    return {};
  }
  Status vertices(IdColumn&& ids) override { return append_ids(vertices_, ids); }
  void left_out(const LeftOut& lines) override { not_read += lines; }
  NotRead not_read;
  IdColumn take_vertices() { return std::move(vertices_); }

 private:
  EdgeBatch& out_;
  TakenWeights taken_;
  IdColumn vertices_;
};

/// Passes everything on, and counts what was not read as it stands.
class CountingSink final : public BatchSink {
 public:
  CountingSink(BatchSink& to, bool weighted) : to_(to), weighted_(weighted) {}
  Status edges(EdgeBatch&& batch) override {
    if (weighted_) not_read.count(batch);
    return to_.edges(std::move(batch));
  }
  Status vertices(IdColumn&& ids) override { return to_.vertices(std::move(ids)); }
  Status vertex_values(IdColumn&& ids, ColumnTable&& values) override {
    return to_.vertex_values(std::move(ids), std::move(values));
  }
  void left_out(const LeftOut& lines) override {
    not_read += lines;
    to_.left_out(lines);
  }
  NotRead not_read;

 private:
  BatchSink& to_;
  bool weighted_;
};

template <class Load>
std::pair<std::uint64_t, NotRead> load_file(Load& load, const std::filesystem::path& file, const ReadOptions& options,
                                            bool weighted, PyEngine& engine) {
  LoadSink sink(load, taken_weights(weighted, options));
  engine.run([&](Engine& e) { return read_file(file, options, e, sink); });
  return {sink.rows, sink.not_read};
}

/// Values of vertices that a document has, beside their ids.
struct VertexRows {
  IdColumn ids;
  ColumnTable values;

  Status add(const IdColumn& more, ColumnTable&& table) {
    const std::size_t before = size(ids);
    RIZOMA_TRY(append_ids(ids, more));
    return append_columns(values, before, std::move(table));
  }
};

/// Loads a document; keeps the values of vertices, which are set afterwards.
class DocumentLoadSink final : public BatchSink {
 public:
  DocumentLoadSink(BulkLoad& load, TakenWeights taken) : sink_(load, taken) {}
  Status edges(EdgeBatch&& batch) override { return sink_.edges(std::move(batch)); }
  Status vertices(IdColumn&& ids) override { return sink_.vertices(std::move(ids)); }
  Status vertex_values(IdColumn&& ids, ColumnTable&& values) override {
    RIZOMA_TRY(rows.add(ids, std::move(values)));
    return sink_.vertices(std::move(ids));
  }
  [[nodiscard]] std::uint64_t edges_read() const { return sink_.rows; }
  VertexRows rows;

 private:
  LoadSink<BulkLoad> sink_;
};

/// A document into a batch.
class DocumentGatherSink final : public BatchSink {
 public:
  DocumentGatherSink(EdgeBatch& out, VertexBatch& vertices, TakenWeights taken)
      : vertices_(vertices), sink_(out, taken) {}
  Status edges(EdgeBatch&& batch) override { return sink_.edges(std::move(batch)); }
  Status vertices(IdColumn&& ids) override {
    RIZOMA_TRY(append_ids(vertices_.ids, ids));
    pad_columns(vertices_.values, size(vertices_.ids));
    return {};
  }
  Status vertex_values(IdColumn&& ids, ColumnTable&& values) override {
    RIZOMA_TRY(rows.add(ids, std::move(values)));
    return vertices(std::move(ids));
  }
  VertexRows rows;

 private:
  VertexBatch& vertices_;
  GatherSink sink_;
};

/// Reads the vertices of a table.
class VertexTableSink final : public BatchSink {
 public:
  Status edges(EdgeBatch&& /*batch*/) override { return {}; }
  Status vertices(IdColumn&& ids) override { return rows.add(ids, {}); }
  Status vertex_values(IdColumn&& ids, ColumnTable&& values) override { return rows.add(ids, std::move(values)); }
  void left_out(const LeftOut& lines) override { not_read += lines; }
  VertexRows rows;
  NotRead not_read;
};

/// (ids, {column: (values, which rows give it, or None if all do)}).
nb::tuple all_to_python(VertexRows&& rows) {
  nb::dict values;
  for (ColumnValues& column : rows.values.columns) {
    const nb::str name(column.name.c_str(), column.name.size());
    const nb::object given = column.given.empty() ? nb::none() : nb::cast(to_numpy(std::move(column.given)));
    values[name] = nb::make_tuple(to_python(std::move(column)), given);
  }
  return nb::make_tuple(to_python(std::move(rows.ids)), values);
}

/// The same, or None without columns.
nb::object rows_to_python(VertexRows&& rows) {
  return rows.values.empty() ? nb::object(nb::none()) : nb::object(all_to_python(std::move(rows)));
}

using NamedType = std::pair<std::string, std::string>;

std::vector<KeptColumn> kept_columns(const std::vector<NamedType>& columns) {
  std::vector<KeptColumn> kept;
  for (const auto& [name, type] : columns) kept.push_back({name, unwrap(parse_column_type(type))});
  return kept;
}

/// (name, type or None, whether all are null) of each.
nb::list found_to_python(const std::vector<FoundValues>& values) {
  nb::list found;
  for (const FoundValues& each : values) {
    const nb::object type = each.type ? nb::cast(column_type_name(*each.type)) : nb::none();
    found.append(nb::make_tuple(each.name, type, each.all_null));
  }
  return found;
}

void bind_documents(nb::module_& module) {
  using namespace nb::literals;
  using Path = std::filesystem::path;
  module.def(
      "is_document", [](const Path& file, std::string_view format) { return is_document(file, format); }, "file"_a,
      "format"_a = kAnyFormat, "True of files that are read as a whole: gml, graphml, json.");
  module.def(
      "load_document",
      [](BulkLoad& load, const Path& file, const FileSummary& summary, const ReadOptions& options, bool weighted,
         PyEngine& engine) {
        DocumentLoadSink sink(load, taken_weights(weighted, options));
        engine.run([&](Engine& e) { return read_file(file, summary, options, e, sink); });
        return nb::make_tuple(sink.edges_read(), rows_to_python(std::move(sink.rows)));
      },
      "load"_a, "file"_a, "summary"_a, "options"_a, "weighted"_a, "engine"_a,
      nb::sig(
          "def load_document(load: BulkLoad, file: str | os.PathLike[str], summary: FileSummary, options: ReadOptions, "
          "weighted: bool, engine: Engine) -> tuple[int, tuple[typing.Any, dict[str, tuple[typing.Any, typing.Any]]] | "
          "None]"),
      "Puts a document that was inspected into a bulk load; returns the number of edges, and values of vertices.");
  module.def(
      "gather_document",
      [](EdgeBatch& batch, VertexBatch& vertices, const Path& file, const FileSummary& summary,
         const ReadOptions& options, bool weighted, PyEngine& engine) {
        DocumentGatherSink sink(batch, vertices, taken_weights(weighted, options));
        engine.run([&](Engine& e) { return read_file(file, summary, options, e, sink); });
        return rows_to_python(std::move(sink.rows));
      },
      "batch"_a, "vertices"_a, "file"_a, "summary"_a, "options"_a, "weighted"_a, "engine"_a,
      nb::sig("def gather_document(batch: EdgeBatch, vertices: VertexBatch, file: str | os.PathLike[str], "
              "summary: FileSummary, options: ReadOptions, weighted: bool, engine: Engine) -> "
              "tuple[typing.Any, dict[str, tuple[typing.Any, typing.Any]]] | None"),
      "Appends a document that was inspected to a batch; returns values of vertices.");
}

/// A character for Python, or none.
std::string text_of(char c) { return c == 0 ? std::string() : std::string(1, c); }

void bind_options(nb::module_& module) {
  module.attr("ANY_FORMAT") = kAnyFormat;
  module.attr("READ_WITHOUT_DIRECTION") = kReadWithoutDirection;
  module.attr("FIRST_ROUNDED") = static_cast<std::int64_t>(kFirstRounded<double>);
  module.attr("FIRST_ROUNDED_SINGLE") = static_cast<std::int64_t>(kFirstRounded<float>);
  module.def("file_formats", &file_formats, "Names of the formats that the core reads, in order.");
  nb::class_<ReadOptions> bound(module, "ReadOptions");
  bound.def(nb::init<>())
      .def_rw("format", &ReadOptions::format)
      .def_rw("directed", &ReadOptions::directed, nb::arg().none())
      .def_rw("ids", &ReadOptions::ids, nb::arg().none())
      .def_rw("source_column", &ReadOptions::source_column)
      .def_rw("target_column", &ReadOptions::target_column)
      .def_rw("weight_column", &ReadOptions::weight_column)
      .def_rw("weighted", &ReadOptions::weighted)
      .def_rw("takes_weights", &ReadOptions::takes_weights)
      .def_rw("drops_weights", &ReadOptions::drops_weights)
      .def_rw("vertex_table", &ReadOptions::vertex_table)
      .def_rw("vertex_column", &ReadOptions::vertex_column)
      .def_rw("leading_zeros", &ReadOptions::leading_zeros)
      .def(
          "of_bytes",
          [](const ReadOptions& options, std::uint64_t begin, std::uint64_t end) {
            ReadOptions some = options;
            some.bytes = {begin, end};
            return some;
          },
          nb::arg("begin"), nb::arg("end"), "The same for the lines that begin in these bytes of the file.")
      .def(
          "keep",
          [](ReadOptions& options, const std::vector<NamedType>& edges, const std::vector<NamedType>& vertices) {
            options.edge_columns = kept_columns(edges);
            options.vertex_columns = kept_columns(vertices);
          },
          nb::arg("edges"), nb::arg("vertices"), "Names and types of values to be kept.")
      .def(
          "keep_names",
          [](ReadOptions& options, const std::vector<std::string>& names) {
            options.edge_columns.clear();
            for (const std::string& name : names) options.edge_columns.push_back({.name = name});
          },
          nb::arg("names"), "Columns of edges to be kept, of whatever types.");
  bind_text_options(module, bound);
}

void bind_summary(nb::module_& module) {
  nb::class_<FileSummary>(module, "FileSummary")
      .def_ro("format", &FileSummary::format)
      .def_ro("directed", &FileSummary::directed)
      .def_ro("both_ways", &FileSummary::both_ways)
      .def_ro("weights", &FileSummary::weights)
      .def_ro("ids", &FileSummary::ids)
      .def_ro("bytes", &FileSummary::bytes)
      .def_ro("num_vertices", &FileSummary::num_vertices)
      .def_ro("num_edges", &FileSummary::num_edges)
      .def_ro("in_ranges", &FileSummary::in_ranges)
      .def_ro("columns", &FileSummary::columns)
      .def_ro("source", &FileSummary::source)
      .def_ro("target", &FileSummary::target)
      .def_ro("weight", &FileSummary::weight)
      .def_ro("direction", &FileSummary::direction)
      .def_prop_ro("delimiter", [](const FileSummary& s) { return text_of(s.delimiter); })
      .def_ro("header", &FileSummary::header)
      .def_ro("first_line", &FileSummary::first_line)
      .def_ro("notes", &FileSummary::notes)
      .def_ro("guesses", &FileSummary::guesses)
      .def_prop_ro(
          "edge_values", [](const FileSummary& s) { return found_to_python(s.edge_values); },
          nb::sig("def edge_values(self) -> list[tuple[str, str | None, bool]]"))
      .def_prop_ro(
          "vertex_values", [](const FileSummary& s) { return found_to_python(s.vertex_values); },
          nb::sig("def vertex_values(self) -> list[tuple[str, str | None, bool]]"))
      .def_prop_ro("looks_like", [](const FileSummary& s) {
        std::vector<std::pair<std::string, std::string>> found;
        for (const FoundValues& each : s.edge_values) {
          if (!each.looks_like.empty()) found.emplace_back(each.name, each.looks_like);
        }
        return found;
      });
  nb::class_<NotRead>(module, "LeftOut", "What of a file was not read, or not as it stands.")
      .def_ro("skipped_errors", &NotRead::skipped_errors)
      .def_ro("null_lines", &NotRead::null_lines)
      .def_ro("comment_lines", &NotRead::comment_lines)
      .def_ro("first_bad", &NotRead::first_bad)
      .def_ro("guesses", &NotRead::guesses)
      .def_ro("great_weights", &NotRead::great_weights)
      .def_ro("single_weights", &NotRead::single_weights);
}

void bind_interpret(nb::module_& module) {
  using namespace nb::literals;
  nb::enum_<ColumnContent>(module, "ColumnContent")
      .value("nothing", ColumnContent::nothing)
      .value("integers", ColumnContent::integers)
      .value("numbers", ColumnContent::numbers)
      .value("text", ColumnContent::text)
      .value("moments", ColumnContent::moments)
      .value("other", ColumnContent::other);
  nb::class_<Source>(module, "Source", "What a source of edges says of its columns and of itself.")
      .def(nb::init<>())
      .def_rw("named", &Source::named)
      .def_rw("square", &Source::square)
      .def_rw("direction", &Source::direction)
      .def(
          "add_column",
          [](Source& source, std::string name, ColumnContent content, bool gaps, bool counts_rows) {
            source.columns.push_back({std::move(name), content, gaps, counts_rows});
          },
          "name"_a, "content"_a, "gaps"_a = false, "counts_rows"_a = false)
      .def(
          "add_claim",
          [](Source& source, bool directed, std::string evidence) {
            source.claims.push_back({directed, std::move(evidence)});
          },
          "directed"_a, "evidence"_a);
  nb::class_<ReadPlan>(module, "ReadPlan", "What a source of edges is read as.")
      .def_ro("source", &ReadPlan::source)
      .def_ro("target", &ReadPlan::target)
      .def_ro("weight", &ReadPlan::weight)
      .def_ro("directed", &ReadPlan::directed)
      .def_ro("both_ways", &ReadPlan::both_ways)
      .def_ro("notes", &ReadPlan::notes)
      .def_ro("guesses", &ReadPlan::guesses);
  module.def(
      "interpret", [](const Source& source, const ReadOptions& options) { return unwrap(interpret(source, options)); },
      "source"_a, "options"_a, "Which columns of a source are the ends and the weight, and whether it is directed.");
  module.def(
      "check_options",
      [](std::string_view source, std::string_view format, const ReadOptions& options) {
        unwrap(check_options(source, format, options));
      },
      "source"_a, "format"_a, "options"_a, "Raises if something was asked for that a file of this format has not.");
  module.def("ids_guess", &ids_guess, "column"_a, "ids"_a,
             "What ids that are text may stand for, if not for vertices; empty: nothing says so.");
  module.def("direction_guess", &direction_guess, "column"_a, "values"_a,
             "What to say of a column that says a direction in some rows alone; empty: nothing.");
  module.def(
      "rounding_guess",
      [](const std::string& column, const std::string& type) {
        return rounding_guess(column, unwrap(parse_column_type(type)));
      },
      "column"_a, "type"_a, "What to say of a column of this type that rounds whole numbers.");
  module.def(
      "no_value_texts", [] { return std::vector<std::string>(no_value_texts().begin(), no_value_texts().end()); },
      "Texts that programs write for no value.");
  module.def(
      "outer_blanks", [] { return std::vector<std::string>(outer_blanks().begin(), outer_blanks().end()); },
      "Characters around an id that one does not see.");
  module.def("looks_like_matrix", &looks_like_matrix, "rows"_a, "Whether rows are those of an adjacency matrix.");
  module.def(
      "format_of_content",
      [](const std::filesystem::path& file) { return without_gil([&] { return format_of_content(file); }); }, "file"_a,
      "The format that a file's content tells where its name tells none; empty: nothing does.");
  module.def(
      "expect_known_content",
      [](const std::filesystem::path& file) { without_gil([&] { return expect_known_content(file); }); }, "file"_a,
      "Fails if nothing here reads such content, whatever the name.");
}

void bind_texts(nb::module_& module) {
  using namespace nb::literals;
  using Path = std::filesystem::path;
  module.def(
      "values_of_texts",
      [](const std::string& name, const std::string& type, const VertexBatch& texts, std::uint64_t first_row,
         const ReadOptions& options) {
        const KeptColumn column{name, unwrap(parse_column_type(type))};
        LeftOut left_out;
        auto values = to_python(without_gil([&]() -> Result<ColumnValues> {
          if (size(texts.ids) == 0) return ColumnValues{column.name, column.type, {}, {}, {}};
          return column_from_texts(column, std::get<StringColumn>(texts.ids), first_row, options, &left_out);
        }));
        return nb::make_tuple(std::move(values), std::move(left_out.guesses));
      },
      "name"_a, "type"_a, "texts"_a, "first_row"_a, "options"_a,
      nb::sig("def values_of_texts(name: str, type: str, texts: VertexBatch, first_row: int, options: ReadOptions) -> "
              "tuple[tuple[typing.Any, typing.Any, typing.Any], list[str]]"),
      "Texts, which a batch of vertices carries, as values of a column; and what is to be said of them.");
  module.def(
      "read_vertex_table",
      [](const Path& file, const ReadOptions& options, PyEngine& engine) {
        VertexTableSink sink;
        engine.run([&](Engine& e) { return read_file(file, options, e, sink); });
        return nb::make_tuple(all_to_python(std::move(sink.rows)), sink.not_read);
      },
      "file"_a, "options"_a, "engine"_a,
      nb::sig("def read_vertex_table(file: str | os.PathLike[str], options: ReadOptions, engine: Engine) -> "
              "tuple[tuple[typing.Any, dict[str, tuple[typing.Any, typing.Any]]], LeftOut]"),
      "The ids and the values of a table of vertices, and what was not read.");
}

}  // namespace

void bind_ingest(nb::module_& module) {
  using namespace nb::literals;
  using Path = std::filesystem::path;
  bind_options(module);
  bind_summary(module);
  bind_interpret(module);
  module.def(
      "inspect",
      [](const Path& file, const ReadOptions& options) { return without_gil([&] { return inspect(file, options); }); },
      "file"_a, "options"_a);
  module.def(
      "inspect",
      [](const Path& file, const ReadOptions& options, PyEngine& engine) {
        return engine.run([&](Engine& e) { return inspect(file, options, e); });
      },
      "file"_a, "options"_a, "engine"_a);
  bind_documents(module);
  bind_texts(module);
  module.def("ends_by_name", &ends_by_name, "names"_a,
             "Which columns of a table their names call source and target, as pairs of numbers.");
  module.def("load_file", &load_file<BulkLoad>, "load"_a, "file"_a, "options"_a, "weighted"_a, "engine"_a,
             "Reads a file into a bulk load; returns the number of edges read, and what was not.");
  module.def("load_file", &load_file<SharedLoad>, "load"_a, "file"_a, "options"_a, "weighted"_a, "engine"_a);
  module.def(
      "spool_file",
      [](const Path& spool, const Path& file, const ReadOptions& options, bool weighted, PyEngine& engine) {
        auto [rows, not_read] = engine.run([&](Engine& e) -> Result<std::pair<std::uint64_t, NotRead>> {
          RIZOMA_ASSIGN(EdgeSpool spooled, EdgeSpool::create(spool, weighted));
          CountingSink sink(spooled, weighted);
          RIZOMA_TRY(read_file(file, options, e, sink));
          return std::pair(spooled.rows(), sink.not_read);
        });
        return std::pair(rows, not_read);
      },
      "spool"_a, "file"_a, "options"_a, "weighted"_a, "engine"_a,
      "Reads a file into another one, from which `load_spool` takes it; returns what `load_file` does.");
  module.def(
      "load_spool",
      [](BulkLoad& load, const Path& spool, bool weighted, PyEngine& engine) {
        LoadSink sink(load, taken_weights(weighted, {}));
        engine.run([&](Engine& e) { return read_spool(spool, e, sink); });
      },
      "load"_a, "spool"_a, "weighted"_a, "engine"_a);
  module.def(
      "gather_file",
      [](EdgeBatch& batch, const Path& file, const ReadOptions& options, bool weighted, PyEngine& engine) {
        GatherSink sink(batch, taken_weights(weighted, options));
        engine.run([&](Engine& e) { return read_file(file, options, e, sink); });
        return nb::make_tuple(to_python(sink.take_vertices()), sink.not_read);
      },
      "batch"_a, "file"_a, "options"_a, "weighted"_a, "engine"_a,
      nb::sig("def gather_file(batch: EdgeBatch, file: str | os.PathLike[str], options: ReadOptions, weighted: bool, "
              "engine: Engine) -> tuple[NDArray[numpy.int64] | tuple[NDArray[numpy.uint64], NDArray[numpy.uint8]], "
              "LeftOut]"),
      "Appends a file to a batch; returns the vertices it names apart, and what was not read.");
  module.def(
      "generate",
      [](BulkLoad& load, GeneratorKind kind, unsigned scale, unsigned edge_factor, std::uint64_t seed, bool weighted,
         PyEngine& engine) {
        LoadSink sink(load, taken_weights(weighted, {}));
        const GeneratorOptions options{kind, scale, edge_factor, seed, weighted};
        engine.run([&](Engine& e) { return generate(options, e, sink); });
        return sink.rows;
      },
      "load"_a, "kind"_a, "scale"_a, "edge_factor"_a, "seed"_a, "weighted"_a, "engine"_a);
}

}  // namespace rizoma::python
