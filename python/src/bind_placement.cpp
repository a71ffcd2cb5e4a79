// Placement as a value, what an engine counted, the topology, and the model of described machines.
#include "bindings.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>
#include <rizoma/lab/predict.h>
#include <rizoma/placement.h>
#include <rizoma/lab/boundary.h>
#include <rizoma/topology.h>
#include <rizoma/traffic.h>

#include <cstdint>
#include <string>
#include <type_traits>

namespace rizoma::python {

namespace {

using Homes = std::vector<unsigned>;
/// (blocks, vertices, edges, bytes)
using Count = nb::typed<nb::tuple, int, int, int, int>;

Count to_tuple(const WorkCount& count) {
  return nb::make_tuple(count.blocks, count.vertices, count.edges, count.bytes);
}

nb::typed<nb::list, Count> between(const Traffic& traffic) {
  nb::list counts;
  for (const WorkCount& count : traffic.between) counts.append(to_tuple(count));
  return counts;
}

nb::bytes sweep_counts(const Traffic& traffic) {
  static_assert(std::has_unique_object_representations_v<SweepCount> &&
                sizeof(SweepCount) == 8 * sizeof(std::uint64_t));
  return nb::bytes(traffic.sweeps.data(), traffic.sweeps.size() * sizeof(SweepCount));
}

const MachineDescription& machine_of(std::string_view name) {
  const MachineDescription* machine = find_machine(name);
  if (machine != nullptr) return *machine;
  std::string message = "there is no machine '" + std::string(name) + "'; there are";
  for (const std::string_view known : machine_names()) message += " " + std::string(known);
  raise({ErrorCode::not_found, message});
}

void bind_values(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<Placement>(module, "Placement", "Where sections, threads and structures belong; see to_json.")
      .def_static(
          "from_json", [](std::string_view json) { return unwrap(placement_from_json(json)); }, "json"_a)
      .def("to_json", [](const Placement& self) { return to_json(self); })
      .def_prop_ro("policy", [](const Placement& self) { return name_of(self.policy); })
      .def_ro("homes", &Placement::homes)
      .def_ro("node_of_home", &Placement::node_of_home)
      .def_ro("home_of_section", &Placement::home_of_section)
      .def_ro("home_of_thread", &Placement::home_of_thread)
      .def_ro("processor_of_thread", &Placement::processor_of_thread)
      .def_prop_ro("tiers", [](const Placement& self) { return to_text(self.tiers); })
      .def(
          "__eq__",
          [](const Placement& self, nb::handle other) {
            return nb::isinstance<Placement>(other) && self == nb::cast<const Placement&>(other);
          },
          "other"_a.none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const Placement& self) { return std::hash<std::string>()(to_json(self)); })
      .def("__repr__", [](const Placement& self) { return to_text(self); });
  nb::class_<Traffic>(module, "Traffic", "Work that an engine's threads took, by homes.")
      .def_ro("homes", &Traffic::homes)
      .def_ro("num_sweeps", &Traffic::num_sweeps)
      .def_prop_ro("local_share", &Traffic::local_share)
      .def_prop_ro("between", &between,
                   "(blocks, vertices, edges, bytes) at [home of the thread * homes + of the section].")
      .def_prop_ro("sweep_counts", &sweep_counts,
                   "Of each of the first sweeps blocks, vertices, edges and bytes, local, then remote: 8 bytes each.");
}

void bind_planning(nb::module_& module) {
  using namespace nb::literals;
  module.def("placement_policies", &placement_policy_names, "Names of the policies.");
  module.def(
      "check_tiers", [](std::string_view text) { return to_text(unwrap(parse_tiers(text))); }, "text"_a,
      "The same choice of tiers in its shortest form.");
  module.def("topology_text", [] { return to_text(machine_topology()); }, "A picture of this machine.");
  module.def(
      "place_sections",
      [](std::string_view policy, const GraphView& view, unsigned homes) {
        return place_sections(unwrap(parse_policy(policy)), section_loads(view), homes);
      },
      "policy"_a, "view"_a, "homes"_a, "The home of each section; empty: home 0.");
  module.def(
      "place_on_ranks",
      [](std::string_view policy, const GraphView& view, unsigned ranks) {
        return place_on_ranks(unwrap(parse_policy(policy)), section_loads(view), ranks);
      },
      "policy"_a, "view"_a, "ranks"_a, "The rank of each section; empty: rank 0.");
  module.def(
      "policy_of_ranks",
      [](const GraphView& view) { return std::string(name_of(policy_of_ranks(in_degree_order(section_loads(view))))); },
      "view"_a, "The default policy of ranks.");
  module.def(
      "section_loads",
      [](const GraphView& view) {
        nb::list loads;
        for (const Load& load : section_loads(view)) loads.append(nb::make_tuple(load.vertices, load.edges));
        return nb::typed<nb::list, nb::typed<nb::tuple, double, double>>(loads);
      },
      "view"_a, "(vertices, entries) of each section.");
  module.def(
      "boundary_vertices",
      [](const GraphView& view, const std::vector<unsigned>& rank_of_section, unsigned ranks) {
        // The traffic of a pull, where the graph can be pulled.
        const Direction direction = view.has_in_edges() ? Direction::in : Direction::out;
        return boundary_vertices(view, direction, rank_of_section, ranks);
      },
      "view"_a, "rank_of_section"_a, "ranks"_a,
      "How many vertices of each rank the lists of each rank lead to, by rows of the rank that reads.");
  module.def(
      "entries_between",
      [](const GraphView& view, const Homes& home_of_section, unsigned homes) {
        const WithoutGil release;
        return entries_between(view, home_of_section, homes);
      },
      "view"_a, "home_of_section"_a, "homes"_a, "Entries at [home of the source * homes + home of the target].");
}

void bind_model(nb::module_& module) {
  using namespace nb::literals;
  nb::enum_<Tier>(module, "Tier")
      .value("dram", Tier::dram)
      .value("persistent", Tier::persistent)
      .value("cxl", Tier::cxl);
  nb::class_<TrafficFlow>(module, "TrafficFlow", "Accesses of threads of one home to memory of another.")
      .def(
          "__init__",
          [](TrafficFlow* self, unsigned from, unsigned to, Tier tier, double sequential_read, double sequential_write,
             double random_reads, double random_writes) {
            new (self) TrafficFlow{from, to, tier, sequential_read, sequential_write, random_reads, random_writes};
          },
          "source"_a, "target"_a, "tier"_a, "sequential_read_bytes"_a = 0.0, "sequential_write_bytes"_a = 0.0,
          "random_reads"_a = 0.0, "random_writes"_a = 0.0);
  nb::class_<Prediction>(module, "Prediction")
      .def_ro("seconds", &Prediction::seconds)
      .def_ro("bottleneck", &Prediction::bottleneck)
      .def_ro("home_seconds", &Prediction::home_seconds);
  nb::class_<MachineDescription>(module, "MachineDescription")
      .def_ro("name", &MachineDescription::name)
      .def_ro("sockets", &MachineDescription::sockets)
      .def_ro("cores_per_socket", &MachineDescription::cores_per_socket)
      .def_ro("threads_per_core", &MachineDescription::threads_per_core)
      .def(
          "has", [](const MachineDescription& self, Tier tier) { return self.tier(tier).present; }, "tier"_a)
      .def_static(
          "from_figures",
          [](std::string name, unsigned sockets, unsigned cores, const std::vector<double>& local,
             const std::vector<double>& remote) {
            if (local.size() != 5 || remote.size() != 5) raise({ErrorCode::invalid_argument, "give five figures"});
            MachineDescription machine{.name = std::move(name), .sockets = sockets, .cores_per_socket = cores};
            machine.tiers[0] = {true,
                                {local[0], local[1], local[2], local[3], local[4]},
                                {remote[0], remote[1], remote[2], remote[3], remote[4]}};
            return machine;
          },
          "name"_a, "sockets"_a, "cores"_a, "local"_a, "remote"_a,
          "Of DRAM: latency (s), sequential read, write, random read, write (bytes/s).");
  module.def("machine_names", [] { return std::vector<std::string>(machine_names().begin(), machine_names().end()); });
  module.def("find_machine", &machine_of, "name"_a);
  module.def(
      "predict",
      [](const MachineDescription& machine, std::vector<TrafficFlow> flows, std::vector<double> edges,
         unsigned threads_per_home) {
        const SweepTraffic traffic{.flows = std::move(flows), .edges = std::move(edges)};
        if (!valid_for(machine, traffic)) {
          raise({ErrorCode::invalid_argument, machine.name + " lacks sockets or tiers of this traffic"});
        }
        return predict(machine, traffic, {.threads_per_home = threads_per_home});
      },
      "machine"_a, "flows"_a, "edges"_a, "threads_per_home"_a = 0);
}

}  // namespace

void bind_placement(nb::module_& module) {
  bind_values(module);
  bind_planning(module);
  bind_model(module);
}

}  // namespace rizoma::python
