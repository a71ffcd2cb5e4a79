// Distribution: which bytes of a store belong to which part; rizoma/distributed/distribute.py copies them.
#include "bindings.h"
#include "bind_engine.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>
#include <rizoma/cluster.h>

#include <tuple>
#include <vector>

namespace rizoma::python {

namespace {

using Piece = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, int, unsigned, std::uint64_t>;

std::vector<Piece> pieces_of(const Distribution& self) {
  std::vector<Piece> pieces;
  for (const PartPiece& each : self.pieces()) {
    pieces.emplace_back(each.offset, each.bytes, each.head, each.part, each.source, each.from);
  }
  return pieces;
}

}  // namespace

void bind_distribution(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<GraphPart>(module, "GraphPart", "What a directory has of a distributed graph.")
      .def_ro("number", &GraphPart::number)
      .def_ro("parts", &GraphPart::parts)
      .def_prop_ro("partition", [](const GraphPart& self) { return std::string(name_of(self.partition)); })
      .def_ro("owners", &GraphPart::owners)
      .def_ro("state", &GraphPart::state);
  nb::class_<Distribution>(module, "Distribution", "A graph divided into parts.")
      .def_prop_ro("state", &Distribution::state)
      .def_prop_ro("parts", &Distribution::parts)
      .def_prop_ro("data_bytes", &Distribution::data_bytes)
      .def_prop_ro("sources", &Distribution::sources, "The files that pieces are read from.")
      .def_prop_ro("pieces", &pieces_of,
                   "(offset, bytes, bytes of its head, part that has it whole or -1: all, source, offset there)")
      .def(
          "files",
          [](const Distribution& self, unsigned part) {
            nb::dict files;
            for (const auto& [name, bytes] : self.files(part))
              files[name.c_str()] = nb::bytes(bytes.data(), bytes.size());
            return files;
          },
          "part"_a, nb::sig("def files(self, part: int) -> dict[str, bytes]"));
  module.def(
      "distribute",
      [](const std::filesystem::path& path, std::string_view partition, unsigned parts, PyEngine& engine) {
        const PlacementPolicy policy = unwrap(parse_policy(partition));
        return engine.run([&](Executor& e) { return distribute(path, policy, parts, e); });
      },
      "path"_a, "partition"_a, "parts"_a, "engine"_a,
      nb::sig("def distribute(path: str | os.PathLike[str], partition: str, parts: int, engine: Engine) -> "
              "Distribution | None"),
      "None: changes wait outside of the sections.");
}

}  // namespace rizoma::python
