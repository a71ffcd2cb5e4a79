#include "bind_predicate.h"

#include "bind_columns.h"
#include "bind_engine.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <rizoma/detail/text_items.h>
#include <rizoma/graph.h>
#include <rizoma/predicate.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace rizoma::python {

namespace {

using Values = std::tuple<ValueBytes, ValueEnds, ValueFlags>;

/// A predicate and the columns that it was read over.
struct NamedPredicate {
  Predicate predicate;
  std::vector<ColumnSchema> columns;
};

NamedPredicate parse(const std::string& text, const std::vector<std::pair<std::string, std::string>>& columns) {
  std::vector<ColumnSchema> schema;
  for (const auto& [name, type] : columns) {
    schema.push_back({.type = unwrap(parse_column_type(type)), .name = name});
  }
  return {unwrap(Predicate::parse(text, schema)), std::move(schema)};
}

/// The values where they are.
ColumnRun run_of(const Values& values, ColumnType type, std::size_t rows) {
  const auto& [bytes, ends, valid] = values;
  ColumnRun run{.type = type, .values = reinterpret_cast<const std::byte*>(bytes.data())};
  const unsigned width = column_width(type);
  if (width == 0 && ends) run.ends = ends->data();
  const std::size_t found = width != 0 ? bytes.shape(0) / width : ends ? ends->shape(0) : 0;
  const bool is_whole = !ends || ends->shape(0) == 0 || ends->data()[ends->shape(0) - 1] <= bytes.shape(0);
  if (valid) run.valid = valid->data();
  run.size = is_whole && (!valid || valid->shape(0) >= rows) ? found : 0;
  return run;
}

Array<std::uint8_t> test(const NamedPredicate& self, const std::vector<Values>& values, std::size_t rows) {
  std::vector<ColumnRun> runs;
  const std::vector<std::size_t>& columns = self.predicate.columns();
  for (std::size_t i = 0; i < values.size() && i < columns.size(); ++i) {
    runs.push_back(run_of(values[i], self.columns[columns[i]].type, rows));
  }
  std::vector<std::uint8_t> keep(rows, 1);
  without_gil([&] { return self.predicate.test(runs, keep); });
  return to_numpy(std::move(keep));
}

std::string_view name_of(ColumnBound::Test test) {
  switch (test) {
    case ColumnBound::Test::equal: return "=";
    case ColumnBound::Test::less: return "<";
    case ColumnBound::Test::at_most: return "<=";
    case ColumnBound::Test::greater: return ">";
    case ColumnBound::Test::at_least: return ">=";
    case ColumnBound::Test::one_of: return "in";
    case ColumnBound::Test::not_null: break;
  }
  return "is not null";
}

/// (column, test, values) each.
nb::list bounds_of(const NamedPredicate& self) {
  nb::list all;
  for (const ColumnBound& bound : self.predicate.bounds()) {
    nb::list values;
    for (const BoundValue& value : bound.values) {
      std::visit([&](const auto& held) { values.append(nb::cast(held)); }, value);
    }
    all.append(nb::make_tuple(self.columns[bound.column].name, name_of(bound.test), values));
  }
  return all;
}

}  // namespace

void bind_predicate(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<NamedPredicate>(module, "Predicate", "A predicate over columns.")
      .def_static("parse", &parse, "text"_a, "columns"_a, "`columns`: names and types.")
      .def_prop_ro(
          "columns",
          [](const NamedPredicate& self) {
            std::vector<std::string> names;
            for (const std::size_t column : self.predicate.columns()) names.push_back(self.columns[column].name);
            return names;
          },
          "Names of the columns that it reads.")
      .def("bounds", &bounds_of, nb::sig("def bounds(self) -> list[tuple[str, str, list[typing.Any]]]"),
           "What must hold of single columns: name, test (=, <, <=, >, >=, in, is not null) and constants.")
      .def("test", &test, "values"_a, "rows"_a,
           nb::sig("def test(self, values: Sequence[tuple[NDArray[numpy.uint8], NDArray[numpy.uint64] | None, "
                   "NDArray[numpy.uint8] | None]], rows: int) -> NDArray[numpy.uint8]"),
           "1 for each row of which it is true; (bytes, ends or None, valid or None) of each of `columns`.");
  module.attr("ITEM_SEPARATOR") = std::string(1, kItemSeparator);
  module.def(
      "rows_where",
      [](const Snapshot& snapshot, PyEngine& engine, const std::string& predicate) {
        return to_numpy(engine.run([&](Executor& e) { return rows_where(snapshot, predicate, e); }));
      },
      "snapshot"_a, "engine"_a, "predicate"_a,
      nb::sig("def rows_where(snapshot: Snapshot, engine: Engine, predicate: str) -> NDArray[numpy.uint8]"),
      "A bit for each row of edges of which a predicate over their columns is true, lowest first.");
}

}  // namespace rizoma::python
