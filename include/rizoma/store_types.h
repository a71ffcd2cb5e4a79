// Options and reports of the store.  Module: store.
#pragma once

#include <rizoma/detail/medium_choice.h>
#include <rizoma/schema.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rizoma {

enum class OpenMode : std::uint8_t {
  open_or_create,  ///< create if nothing is there
  open,            ///< must exist
  create,          ///< must not exist
  read_only,       ///< must exist; beside a writer of another process if need be
};

/// When a change is durable: safe from a crash of the machine.  A crash of the process alone loses no acknowledged
/// change at any level.
enum class Durability : std::uint8_t {
  always,  ///< when the call returns; others see it only then
  group,   ///< at most OpenOptions::group_delay after the call returned, or when Graph::flush does
  none,    ///< when the log has been moved into sections, or Graph::flush or Graph::close returns
};

struct OpenOptions {
  OpenMode mode = OpenMode::open_or_create;
  /// Used on creation.  On opening an existing store, members that differ from the stored schema
  /// are an error only if `check_schema` is set.
  GraphSchema schema;
  bool check_schema = false;
  MediumChoice medium = MediumChoice::automatic;
  Durability durability = Durability::always;
  std::chrono::milliseconds group_delay{10};
  /// For how long a call that changes the graph waits for one call of a progress function, or of a signal handler, that
  /// another thread's change or compaction makes; then it is refused (ErrorCode::locked).
  std::chrono::milliseconds lock_timeout{10'000};
  /// Bytes of log that the next open may have to replay: at half of it the log is moved into sections in
  /// the background; writers that are faster than that wait at the limit.
  std::uint64_t log_limit = std::uint64_t{256} << 20;
  /// Directories over which the sections are spread, by home: in each the store has one of its own name.
  /// Naming the directory that the store itself is in makes the store's own one a home.  Empty: as the
  /// store was last opened with.  Sections that lie elsewhere are moved by `compact` and `place`.
  std::vector<std::filesystem::path> locations;
  /// A graph that grew by small changes gets its inner order again by itself, in a thread (docs/guide/performance.md).
  bool auto_reorder = true;
  /// Bytes of memory that work in the background may take; 0: a quarter of what is free.
  std::uint64_t memory_limit = 0;
  /// OpenMode::read_only: the name of a tag whose state is wanted, or "@" and nanoseconds since 1970, for the last tag
  /// not after that time.  Empty: the present state.
  std::string at;
  /// OpenMode::read_only: one part of a distributed graph (cluster.h) may be opened, too; it is for ranks.
  bool part = false;
  std::optional<std::chrono::milliseconds> patience;  ///< deprecated: lock_timeout
  std::optional<bool> heal;                           ///< deprecated: auto_reorder
};

/// Automatic reordering of a graph that grew by small changes: whether it is on, and its progress.
struct ReorderInfo {
  bool on = false;        ///< OpenOptions::auto_reorder; false of a graph that is opened for reading
  EdgeCount arrived = 0;  ///< entries that came since the order was made, at most
  bool running = false;
  std::string phase;       ///< while it runs,
  double progress = 0;     ///< and the share of the phase that is done
  std::uint64_t done = 0;  ///< times since the graph was opened
  std::string error;       ///< why the last one did not finish; empty: it did
  std::string next;        ///< what comes next and why
};
using HealingInfo [[deprecated("use ReorderInfo")]] = ReorderInfo;

/// Where the bytes of a store are and how many; what `rizoma info` prints.
struct GraphInfo {
  GraphSchema schema;
  VertexOrder order = VertexOrder::given;
  OrderReason order_reason;  ///< why that one
  ReorderInfo reordering;
  ReorderInfo healing;            ///< deprecated: reordering
  VertexId num_vertices = 0;      ///< that exist
  VertexId removed_vertices = 0;  ///< holes that they left in the internal ids
  EdgeCount num_edges = 0;        ///< as a user counts
  EdgeCount num_entries = 0;      ///< entries of the out-direction
  EdgeCount pending_entries = 0;  ///< changes that no section image holds yet
  SectionId num_sections = 0;
  unsigned section_bits = 0;
  std::uint32_t format_version = 0;
  std::uint64_t generation = 0;  ///< counts published states
  struct File {
    std::string name;             ///< relative to the store; of another location, its path
    std::string purpose;          ///< "sections", "log", "manifest", "superblock", "dictionary"
    std::uint64_t bytes = 0;      ///< its size
    std::uint64_t allocated = 0;  ///< what it takes of the device: less if free space has been given back
  };
  std::vector<File> files;
  std::uint64_t bytes_on_disk = 0;  ///< allocated, of all files
  std::string location;             ///< path, or ":memory:"
  Durability durability = Durability::always;
  std::uint64_t log_bytes = 0;         ///< that the next open would replay
  std::string background_error;        ///< why the log cannot be moved into sections at present; empty: it can
  std::vector<std::string> locations;  ///< homes of sections; empty: `location` alone
};

/// A state that is kept under a name.
struct TagInfo {
  std::string name;
  std::int64_t nanoseconds = 0;  ///< since 1970-01-01 00:00 UTC, when it was tagged
};

/// What is stored of one section's out-edges.
struct SectionInfo {
  EdgeCount image_entries = 0;  ///< in its image, 0 if it has none
  std::uint64_t image_bytes = 0;
  std::uint64_t pending = 0;  ///< changes that the image lacks
};

/// One finding of `check`.
struct CheckFinding {
  std::string where;  ///< file, offset, section
  std::string what;   ///< what is wrong
  std::string loss;   ///< what is lost by it, or "nothing"
};
struct CheckReport {
  std::vector<CheckFinding> findings;  ///< empty: the store is whole
  /// Which changes may be lost undetected, because the graph was not closed cleanly; empty: none can be.
  std::string unproven;
  std::uint64_t bytes_checked = 0;
  SectionId sections_checked = 0;
};

/// What a repair did.
struct RepairReport {
  CheckReport found;                  ///< what was wrong before
  std::vector<std::string> restored;  ///< what was damaged and is whole again, and from what
  /// What is gone permanently, or may be.  Empty: nothing is, and that is proven, or nothing was damaged.
  std::vector<std::string> lost;
  std::string unproven;        ///< of a store that was not damaged: see CheckReport
  std::filesystem::path kept;  ///< where the damaged store lies now; empty if nothing was damaged
  std::vector<std::filesystem::path> kept_locations;  ///< and its directories in other locations
};

struct BulkLoadOptions {
  VertexOrder order = VertexOrder::automatic;
  /// Bytes that the load, with the reader that feeds it, may add to the process: at least 12 MiB.  Edges
  /// beyond it are spilled.  0: three quarters of the memory that is free (of the machine, or of the
  /// process's control group) when the load begins.
  std::uint64_t memory_limit = 0;
  std::filesystem::path spill_directory;  ///< empty: beside the store
  /// The kind of ids that the load brings, if the caller chose none (GraphSchema::ids_fixed); a graph
  /// whose kind was asked for keeps it.  Empty: as the graph has it.
  std::optional<IdKind> ids;
};

}  // namespace rizoma
