// Enums, the schema, reports.
#include "bindings.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <rizoma/batch.h>
#include <rizoma/columns.h>
#include <rizoma/ingest.h>
#include <rizoma/store_types.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace rizoma::python {

static void bind_enums(nb::module_& module) {
  nb::enum_<IdKind>(module, "IdKind")
      .value("dense", IdKind::dense)
      .value("integer", IdKind::integer)
      .value("string", IdKind::string);
  nb::enum_<WeightType>(module, "WeightType")
      .value("none", WeightType::none)
      .value("int32", WeightType::int32)
      .value("float32", WeightType::float32)
      .value("float64", WeightType::float64);
  nb::enum_<ParallelEdges>(module, "ParallelEdges")
      .value("merge", ParallelEdges::merge)
      .value("keep", ParallelEdges::keep);
  nb::enum_<ParallelRule>(module, "ParallelRule")
      .value("last", ParallelRule::last)
      .value("first", ParallelRule::first)
      .value("sum", ParallelRule::sum)
      .value("min", ParallelRule::min)
      .value("max", ParallelRule::max);
  nb::enum_<SelfLoops>(module, "SelfLoops").value("keep", SelfLoops::keep).value("drop", SelfLoops::drop);
  nb::enum_<VertexOrder>(module, "VertexOrder")
      .value("auto", VertexOrder::automatic)
      .value("given", VertexOrder::given)
      .value("degree", VertexOrder::degree)
      .value("striped", VertexOrder::striped)
      .value("locality", VertexOrder::locality);
  nb::enum_<Missing>(module, "Missing").value("ignore", Missing::ignore).value("error", Missing::error);
  nb::enum_<Parallel>(module, "Parallel").value("all", Parallel::all).value("one", Parallel::one);
  nb::enum_<OpenMode>(module, "OpenMode")
      .value("open_or_create", OpenMode::open_or_create)
      .value("open", OpenMode::open)
      .value("create", OpenMode::create)
      .value("read_only", OpenMode::read_only);
  nb::enum_<Durability>(module, "Durability")
      .value("always", Durability::always)
      .value("group", Durability::group)
      .value("none", Durability::none);
  nb::enum_<MediumChoice>(module, "MediumChoice")
      .value("auto", MediumChoice::automatic)
      .value("files", MediumChoice::files)
      .value("dax", MediumChoice::dax);
  nb::enum_<GeneratorKind>(module, "GeneratorKind")
      .value("rmat", GeneratorKind::rmat)
      .value("uniform", GeneratorKind::uniform)
      .value("grid", GeneratorKind::grid);
}

static void bind_reports(nb::module_& module) {
  nb::class_<GraphInfo::File>(module, "StoreFile")
      .def_ro("name", &GraphInfo::File::name)
      .def_ro("purpose", &GraphInfo::File::purpose)
      .def_ro("bytes", &GraphInfo::File::bytes)
      .def_ro("allocated", &GraphInfo::File::allocated);
  nb::class_<ReorderInfo>(module, "ReorderInfo")
      .def_ro("on", &ReorderInfo::on)
      .def_ro("arrived", &ReorderInfo::arrived)
      .def_ro("running", &ReorderInfo::running)
      .def_ro("phase", &ReorderInfo::phase)
      .def_ro("progress", &ReorderInfo::progress)
      .def_ro("done", &ReorderInfo::done)
      .def_ro("error", &ReorderInfo::error)
      .def_ro("next", &ReorderInfo::next);
  nb::class_<GraphInfo>(module, "GraphInfo")
      .def_ro("schema", &GraphInfo::schema)
      .def_ro("order", &GraphInfo::order)
      .def_prop_ro(
          "order_reason",
          [](const GraphInfo& info) { return std::tuple(info.order_reason.hubs, info.order_reason.near); },
          "(hubs, near): what was measured before the order was chosen, in percent, plus 1; (0, 0): it was asked for.")
      .def_ro("reordering", &GraphInfo::reordering)
      .def_ro("reordering", &GraphInfo::reordering)
      .def_ro("num_vertices", &GraphInfo::num_vertices)
      .def_ro("removed_vertices", &GraphInfo::removed_vertices)
      .def_ro("num_edges", &GraphInfo::num_edges)
      .def_ro("num_entries", &GraphInfo::num_entries)
      .def_ro("pending_entries", &GraphInfo::pending_entries)
      .def_ro("num_sections", &GraphInfo::num_sections)
      .def_ro("section_bits", &GraphInfo::section_bits)
      .def_ro("format_version", &GraphInfo::format_version)
      .def_ro("generation", &GraphInfo::generation)
      .def_ro("files", &GraphInfo::files)
      .def_ro("bytes_on_disk", &GraphInfo::bytes_on_disk)
      .def_ro("location", &GraphInfo::location)
      .def_ro("durability", &GraphInfo::durability)
      .def_ro("log_bytes", &GraphInfo::log_bytes)
      .def_ro("background_error", &GraphInfo::background_error)
      .def_ro("locations", &GraphInfo::locations);
  nb::class_<ChangeCounts>(module, "ChangeCounts", "What a batch did; an undirected edge counts once.")
      .def_ro("edges_removed", &ChangeCounts::edges_removed)
      .def_ro("edges_merged", &ChangeCounts::edges_merged)
      .def_ro("edges_missing", &ChangeCounts::edges_missing)
      .def_ro("weights_set", &ChangeCounts::weights_set)
      .def_ro("vertices_set", &ChangeCounts::vertices_set)
      .def_ro("vertices_removed", &ChangeCounts::vertices_removed)
      .def_ro("vertices_missing", &ChangeCounts::vertices_missing);
  nb::class_<CheckFinding>(module, "CheckFinding")
      .def_ro("where", &CheckFinding::where)
      .def_ro("what", &CheckFinding::what)
      .def_ro("loss", &CheckFinding::loss)
      .def("__repr__", [](const CheckFinding& self) { return self.where + ": " + self.what + "; lost: " + self.loss; });
  nb::class_<CheckReport>(module, "CheckReport")
      .def_ro("findings", &CheckReport::findings)
      .def_ro("unproven", &CheckReport::unproven)
      .def_ro("bytes_checked", &CheckReport::bytes_checked)
      .def_ro("sections_checked", &CheckReport::sections_checked)
      .def("__repr__", [](const CheckReport& self) {
        std::string text = self.findings.empty() ? "whole" : std::to_string(self.findings.size()) + " findings";
        text += ", " + std::to_string(self.bytes_checked) + " bytes in " + std::to_string(self.sections_checked) +
                " sections";
        for (const CheckFinding& finding : self.findings)
          text += "\n" + finding.where + ": " + finding.what + "; lost: " + finding.loss;
        if (!self.unproven.empty()) text += "\nmay be missing: " + self.unproven;
        return text;
      });
}

static void bind_repair(nb::module_& module) {
  nb::class_<RepairReport>(module, "RepairReport")
      .def_ro("found", &RepairReport::found)
      .def_ro("restored", &RepairReport::restored)
      .def_ro("lost", &RepairReport::lost)
      .def_ro("unproven", &RepairReport::unproven)
      .def_prop_ro("kept", [](const RepairReport& self) { return self.kept.string(); })
      .def_prop_ro("kept_locations",
                   [](const RepairReport& self) {
                     std::vector<std::string> paths;
                     for (const auto& path : self.kept_locations) paths.push_back(path.string());
                     return paths;
                   })
      .def("__repr__", [](const RepairReport& self) {
        std::string text =
            self.kept.empty() ? "nothing was damaged" : "repaired; the damaged store lies in " + self.kept.string();
        for (const std::string& what : self.restored) text += "\nrestored: " + what;
        for (const std::string& what : self.lost) text += "\nlost: " + what;
        if (!self.unproven.empty()) text += "\nmay be missing: " + self.unproven;
        return text;
      });
}

namespace {

using ColumnList = std::vector<std::tuple<std::string, std::string, bool>>;  ///< name, type, may be null

ColumnList column_list(const std::vector<ColumnSchema>& columns) {
  ColumnList list;
  for (const ColumnSchema& column : columns) {
    list.emplace_back(column.name, column_type_name(column.type), column.nullable);
  }
  return list;
}

std::vector<std::pair<std::string, ParallelRule>> parallel_rules(const GraphSchema& schema) {
  std::vector<std::pair<std::string, ParallelRule>> rules;
  const bool has_column = find_column(schema.edge_columns, "weight") != nullptr;
  if (schema.weights != WeightType::none && !has_column) rules.emplace_back("weight", schema.weight_rule);
  for (const ColumnSchema& column : schema.edge_columns) rules.emplace_back(column.name, column.parallel);
  return rules;
}

/// Of a graph that is to be made.
void set_rule_of(GraphSchema& schema, const std::string& name, ParallelRule rule) {
  if (name == "weight" && schema.weights != WeightType::none) {
    schema.weight_rule = rule;
    return;
  }
  const auto found = std::find_if(schema.edge_columns.begin(), schema.edge_columns.end(),
                                  [&](const ColumnSchema& column) { return column.name == name; });
  if (found != schema.edge_columns.end()) {
    found->parallel = rule;
    return;
  }
  std::string known;
  for (const auto& [column, present] : parallel_rules(schema)) known += (known.empty() ? "" : ", ") + column;
  unwrap(Status(Error{ErrorCode::invalid_argument, "parallel_edges names the column \"" + name +
                                                       "\", which edges do not have; " +
                                                       (known.empty() ? "they have none" : "they have " + known)}));
}

void set_columns(std::vector<ColumnSchema>& columns, const ColumnList& list) {
  columns.clear();
  for (const auto& [name, type, nullable] : list)
    columns.push_back({0, unwrap(parse_column_type(type)), nullable, name});
}

}  // namespace

void bind_types(nb::module_& module) {
  bind_enums(module);
  nb::class_<GraphSchema>(module, "GraphSchema")
      .def(nb::init<>())
      .def_rw("directed", &GraphSchema::directed)
      .def_rw("weights", &GraphSchema::weights)
      .def_rw("ids", &GraphSchema::ids)
      .def_rw("in_edges", &GraphSchema::in_edges)
      .def_rw("parallel_edges", &GraphSchema::parallel_edges)
      .def_ro("parallel_rule", &GraphSchema::parallel_rule, "Of edge columns that are added later.")
      .def_prop_ro("parallel_rules", &parallel_rules, "(column, rule) of the weight and of each edge column.",
                   nb::sig("def parallel_rules(self) -> list[tuple[str, ParallelRule]]"))
      .def("set_parallel_rules", &set_parallel_rule, nb::arg("rule"), "Of the weight and all edge columns.")
      .def("set_parallel_rule", &set_rule_of, nb::arg("column"), nb::arg("rule"))
      .def_rw("self_loops", &GraphSchema::self_loops)
      .def_rw("ids_fixed", &GraphSchema::ids_fixed)
      .def_ro("rows", &GraphSchema::rows)
      .def_prop_rw(
          "edge_columns", [](const GraphSchema& self) { return column_list(self.edge_columns); },
          [](GraphSchema& self, const ColumnList& columns) { set_columns(self.edge_columns, columns); },
          nb::for_getter(nb::sig("def edge_columns(self) -> list[tuple[str, str, bool]]")),
          nb::for_setter(nb::sig("def edge_columns(self, arg: list[tuple[str, str, bool]], /) -> None")))
      .def_prop_rw(
          "vertex_columns", [](const GraphSchema& self) { return column_list(self.vertex_columns); },
          [](GraphSchema& self, const ColumnList& columns) { set_columns(self.vertex_columns, columns); },
          nb::for_getter(nb::sig("def vertex_columns(self) -> list[tuple[str, str, bool]]")),
          nb::for_setter(nb::sig("def vertex_columns(self, arg: list[tuple[str, str, bool]], /) -> None")));
  bind_reports(module);
  bind_repair(module);
}

}  // namespace rizoma::python
