// The probe: one call measures one case.
#include "bindings.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <rizoma/lab/hardware_counters.h>
#include <rizoma/lab/probe.h>

namespace rizoma::python {

static void bind_probe_enums(nb::module_& module) {
  nb::enum_<MemoryKernel>(module, "MemoryKernel")
      .value("latency", MemoryKernel::latency)
      .value("sequential_read", MemoryKernel::sequential_read)
      .value("sequential_write", MemoryKernel::sequential_write)
      .value("random_read", MemoryKernel::random_read)
      .value("random_write", MemoryKernel::random_write)
      .value("copy", MemoryKernel::copy)
      .value("scale", MemoryKernel::scale)
      .value("add", MemoryKernel::add)
      .value("triad", MemoryKernel::triad);
  nb::enum_<FileKernel>(module, "FileKernel")
      .value("read", FileKernel::read)
      .value("copy_flush", FileKernel::copy_flush)
      .value("copy_fsync", FileKernel::copy_fsync)
      .value("copy_msync", FileKernel::copy_msync)
      .value("append_sync", FileKernel::append_sync);
  nb::enum_<CacheState>(module, "CacheState")
      .value("warm", CacheState::warm)
      .value("cold", CacheState::cold)
      .value("bypassed", CacheState::bypassed);
}

static void bind_probe_results(nb::module_& module) {
  nb::class_<ProbeNode>(module, "ProbeNode")
      .def_ro("id", &ProbeNode::id)
      .def_ro("processors", &ProbeNode::processors)
      .def_ro("memory_bytes", &ProbeNode::memory_bytes)
      .def_ro("memory_kind", &ProbeNode::memory_kind);
  nb::class_<ProbeSamples>(module, "ProbeSamples")
      .def_ro("seconds", &ProbeSamples::seconds)
      .def_ro("units", &ProbeSamples::units)
      .def_ro("threads", &ProbeSamples::threads)
      .def_ro("resident", &ProbeSamples::resident);
  nb::class_<ProbeDirectory>(module, "ProbeDirectory")
      .def_ro("file_system", &ProbeDirectory::file_system)
      .def_ro("dax", &ProbeDirectory::dax)
      .def_ro("direct_io", &ProbeDirectory::direct_io)
      .def_ro("evictable", &ProbeDirectory::evictable)
      .def_ro("free_bytes", &ProbeDirectory::free_bytes);
}

static void bind_counters(nb::module_& module) {
  module.def("counter_names", &counter_names, "What HardwareCounters can count.");
  nb::class_<HardwareCounters>(module, "HardwareCounters", "Counts what all threads of the process do from now on.")
      .def(nb::init<>())
      .def(
          "read",
          [](const HardwareCounters& self) {
            const CounterReading reading = self.read();
            nb::dict values;
            for (const CounterValue& one : reading.values) values[one.name.c_str()] = one.value;
            return nb::make_tuple(values, reading.absent);
          },
          nb::sig("def read(self) -> tuple[dict[str, float], str]"),
          "Values by name, and a sentence of those that are absent.");
}

void bind_probe(nb::module_& module) {
  using namespace nb::literals;
  bind_probe_enums(module);
  bind_probe_results(module);
  bind_counters(module);
  module.def("probe_nodes", &probe_nodes);
  module.def(
      "probe_directory",
      [](const std::filesystem::path& directory) { return without_gil([&] { return probe_directory(directory); }); },
      "directory"_a);
  module.def(
      "probe_memory",
      [](MemoryKernel kernel, unsigned processor_node, unsigned memory_node, const std::filesystem::path& directory,
         std::uint64_t bytes, unsigned threads, unsigned samples, double seconds) {
        const MemoryCase what{kernel, processor_node, memory_node, directory, bytes, threads, samples, seconds};
        return without_gil([&] { return probe_memory(what); });
      },
      "kernel"_a, "processor_node"_a, "memory_node"_a, "directory"_a, "bytes"_a, "threads"_a, "samples"_a, "seconds"_a);
  module.def(
      "probe_file",
      [](FileKernel kernel, const std::filesystem::path& source, const std::filesystem::path& target, CacheState cache,
         std::uint64_t file_bytes, std::uint64_t block_bytes, bool drop_caches, unsigned samples, double seconds) {
        const FileCase what{kernel, source, target, cache, file_bytes, block_bytes, drop_caches, samples, seconds};
        return without_gil([&] { return probe_file(what); });
      },
      "kernel"_a, "source"_a, "target"_a, "cache"_a, "file_bytes"_a, "block_bytes"_a, "drop_caches"_a, "samples"_a,
      "seconds"_a);
}

}  // namespace rizoma::python
