#include "bind_ranks.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>
#include <vector>

namespace rizoma::python {

namespace {

/// (bytes, batches) from each rank to each, by rows.
std::vector<std::tuple<std::uint64_t, std::uint64_t>> between(const RankTraffic& traffic) {
  std::vector<std::tuple<std::uint64_t, std::uint64_t>> counts;
  for (const RankCount& count : traffic.between) counts.emplace_back(count.bytes, count.batches);
  return counts;
}

/// (alone, by all).
std::tuple<std::uint64_t, std::uint64_t> pair_of(const PackCount& count) { return {count.alone, count.by_all}; }

}  // namespace

void bind_ranks(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<RankTraffic>(module, "RankTraffic", "What ranks have sent to each other.")
      .def_ro("ranks", &RankTraffic::ranks)
      .def_ro("rounds", &RankTraffic::rounds)
      .def_prop_ro("between", &between)
      .def_ro("migrated", &RankTraffic::migrated)
      .def_prop_ro("packed", [](const RankTraffic& traffic) { return pair_of(traffic.packed); })
      .def_prop_ro("unpacked", [](const RankTraffic& traffic) { return pair_of(traffic.unpacked); });
  nb::class_<PyRanks>(module, "Ranks", "The processes of a run, of which this is one.")
      .def(
          "__init__",
          [](PyRanks* self, std::string module_path, std::string library, std::optional<std::int64_t> communicator,
             double patience) {
            new (self) PyRanks({std::move(module_path), std::move(library), communicator, patience});
          },
          "module"_a, "library"_a, "communicator"_a = nb::none(), "patience"_a = 5.0)
      .def_prop_ro("rank", [](PyRanks& self) { return self.ranks().rank(); })
      .def_prop_ro("size", [](PyRanks& self) { return self.ranks().size(); })
      .def(
          "name_of", [](PyRanks& self, unsigned rank) { return self.ranks().name_of(rank); }, "rank"_a)
      .def_prop_rw("answers_to", &PyRanks::answers_to, &PyRanks::set_answers_to)
      .def_prop_ro("traffic", [](PyRanks& self) { return self.ranks().traffic(); })
      .def(
          "share_by",
          [](PyRanks& self, std::string_view partition, bool migration, std::uint64_t cache_bytes,
             std::vector<unsigned> owners, std::optional<std::uint64_t> batch_bytes) {
            std::optional<PlacementPolicy> policy;
            if (partition != "auto") policy = unwrap(parse_policy(partition));
            self.ranks().set({policy, migration, cache_bytes, std::move(owners), batch_bytes});
          },
          "partition"_a, "migration"_a, "cache_bytes"_a, "owners"_a = std::vector<unsigned>(),
          "batch_bytes"_a = nb::none(),
          "How the ranks share the work from now on.  `owners`: the rank of each section, where their parts are.")
      .def(
          "all", [](PyRanks& self, std::uint64_t mine) { return without_gil([&] { return self.ranks().all(mine); }); },
          "mine"_a, "The numbers of all ranks.")
      .def(
          "agree",
          [](PyRanks& self, std::string_view what, std::string_view value) {
            without_gil([&] { return self.ranks().agree(what, value); });
          },
          "what"_a, "value"_a, "Raises unless all ranks give the same value.")
      .def(
          "finalize",
          [](PyRanks& self, const std::optional<std::string>& error) {
            const Status mine = error ? Status(Error{ErrorCode::io, *error}) : Status();
            Status all;
            {
              const WithoutGil release;
              all = self.ranks().finalize(mine);
            }
            if (mine) unwrap(std::move(all));
          },
          "error"_a = nb::none(),
          "Ends a piece of work that all ranks do: raises if it went wrong on another rank.  `error`: what here.")
      .def(
          "forget", [](PyRanks& self) { self.ranks().forget(); }, "Lets go of the graph that was used last.")
      .def(
          "time_network",
          [](PyRanks& self, std::string_view operation, std::size_t bytes, double seconds, bool other_computes) {
            const NetworkTask task{unwrap(parse_network_operation(operation)), bytes, seconds, other_computes};
            NetworkTimes times = without_gil([&] { return self.joined().time_network(task); });
            return std::make_tuple(std::move(times.seconds), times.processor_seconds);
          },
          "operation"_a, "bytes"_a = 8, "seconds"_a = 0.1, "other_computes"_a = false,
          "Seconds of each operation on rank 1, on rank 0, and of this rank's processor meanwhile.")
      .def_prop_ro(
          "well", [](PyRanks& self) { return self.joined().health().ok(); }, "False once a rank is lost.")
      .def(
          "abort",
          [](PyRanks& self, std::string_view why) {
            const WithoutGil release;
            self.joined().abort({ErrorCode::io, std::string(why)});
          },
          "why"_a, "Ends the run of all ranks.")
      .def("close", &PyRanks::close, "Leaves the run, together with the others.");
}

}  // namespace rizoma::python
