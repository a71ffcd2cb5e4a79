// Probe: measures what this machine's memory and storage really do.  Module: platform.
//
// One call measures one case and returns its raw samples; which cases to run, for how long, and the
// statistics are the caller's business (the command `rizoma probe` is one such caller).
//
// The cases follow two papers.  Memory: local and remote, sequential and random, read and write
// (Ghosh et al., SC'21, section 4.2) and the four kernels of STREAM (McCalpin, 1995).  Files: a block
// copy in several ways of reaching the device, with the page cache in a known state (Spagnol et al.,
// ERAD-SP 2024, sections 3 and 4).
//
// Bounds: a case holds at most `bytes` (or 2 * `file_bytes` of disk and one block of memory), begins
// no sample after `seconds`, and leaves no file behind, even if the process is killed.  That is its cost.
#pragma once

#include <rizoma/result.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rizoma {

/// A NUMA node of this machine; one without processors is memory only.
struct ProbeNode {
  unsigned id = 0;                   ///< the operating system's number
  std::vector<unsigned> processors;  ///< those this process may use
  std::uint64_t memory_bytes = 0;
  std::string memory_kind;  ///< "dram", "hbm", "nvm", "cxl", or "" if unknown
};

[[nodiscard]] std::vector<ProbeNode> probe_nodes();  ///< as hwloc lists them

/// What can be measured of memory.  Units of a sample: loads for `latency`, else bytes.
enum class MemoryKernel : std::uint8_t {
  latency,  ///< each load's address comes from the load before; one thread
  sequential_read,
  sequential_write,
  random_read,   ///< independent; 64 bytes counted for each cache line touched
  random_write,  ///< whole cache lines, independent
  copy,          ///< STREAM: c = a
  scale,         ///< STREAM: b = q c
  add,           ///< STREAM: c = a + b
  triad,         ///< STREAM: a = b + q c
};

struct MemoryCase {
  MemoryKernel kernel = MemoryKernel::latency;
  unsigned processor_node = 0;                    ///< threads are bound to processors of this node
  unsigned memory_node = 0;                       ///< pages are bound to this node ..
  std::filesystem::path directory;                ///< .. or, if not empty, are those of a file mapped here
  std::uint64_t bytes = std::uint64_t{64} << 20;  ///< working set of all threads together; 1 MiB at least
  unsigned threads = 0;                           ///< 0: one for each processor of the node
  unsigned samples = 10;
  double seconds = 1.0;
};

/// State of the page cache for the file that is read.
enum class CacheState : std::uint8_t {
  warm,      ///< read once before
  cold,      ///< thrown out before each sample as far as the system permits; see ProbeSamples::resident
  bypassed,  ///< O_DIRECT on both sides
};

/// What can be measured of files.  Units of a sample: appends for `append_sync`, else bytes.
enum class FileKernel : std::uint8_t {
  read,         ///< read in blocks
  copy_flush,   ///< copy in blocks, then fflush: durable nowhere; direct: plain writes
  copy_fsync,   ///< copy in blocks, then fsync
  copy_msync,   ///< copy between mappings, then msync; cannot bypass the page cache
  append_sync,  ///< append one block and fdatasync it
};

struct FileCase {
  FileKernel kernel = FileKernel::read;
  std::filesystem::path source;  ///< directory
  std::filesystem::path target;  ///< directory; empty: as source
  CacheState cache = CacheState::warm;
  std::uint64_t file_bytes = std::uint64_t{64} << 20;
  std::uint64_t block_bytes = std::uint64_t{1} << 20;  ///< divides file_bytes; a multiple of 4096 if bypassed
  bool drop_caches = false;  ///< cold: empty the whole machine's page cache (needs to be root)
  unsigned samples = 10;
  double seconds = 5.0;
};

struct ProbeSamples {
  std::vector<double> seconds;  ///< one entry a sample, in order of time
  std::uint64_t units = 0;      ///< work of one sample: bytes, loads or appends, see the kernel
  unsigned threads = 1;
  /// Share of the file that was in the page cache before the samples, 0..1, at worst; empty: not a file.
  std::optional<double> resident;
};

/// Errors: invalid_argument (no such node, no processors there, too few bytes), out_of_memory (the
/// node is full), unsupported (the system refuses to bind), io, out_of_space.
[[nodiscard]] Result<ProbeSamples> probe_memory(const MemoryCase& what);

/// Errors: invalid_argument, unsupported (no direct I/O on this file system), io, out_of_space, not_found.
[[nodiscard]] Result<ProbeSamples> probe_file(const FileCase& what);

/// What a directory's file system can do.
struct ProbeDirectory {
  std::string file_system;  ///< e.g. "ext4"; a hexadecimal number if the name is not known
  bool dax = false;         ///< mapped files are the device itself (MAP_SYNC is granted)
  bool direct_io = false;
  bool evictable = false;  ///< the page cache gives a file up when asked to
  std::uint64_t free_bytes = 0;
};

/// Errors: not_found, io.
[[nodiscard]] Result<ProbeDirectory> probe_directory(const std::filesystem::path& directory);

}  // namespace rizoma
