// Options and reports of the store.  Module: store.
#pragma once

#include <rizoma/medium_choice.h>
#include <rizoma/schema.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace rizoma {

enum class OpenMode : std::uint8_t {
  open_or_create,  ///< create if nothing is there
  open,            ///< must exist
  create,          ///< must not exist
  read_only,       ///< must exist; beside a writer of another process if need be
};

struct OpenOptions {
  OpenMode mode = OpenMode::open_or_create;
  /// Used on creation.  On opening an existing store, members that differ from the stored schema
  /// are an error only if `check_schema` is set.
  GraphSchema schema;
  bool check_schema = false;
  MediumChoice medium = MediumChoice::automatic;
};

/// Where the bytes of a store are and how many; what `rizoma info` prints.
struct GraphInfo {
  GraphSchema schema;
  VertexOrder order = VertexOrder::given;
  VertexId num_vertices = 0;
  EdgeCount num_edges = 0;      ///< as a user counts
  EdgeCount num_entries = 0;    ///< entries of the out-direction
  EdgeCount pending_entries = 0;  ///< changes that no section image holds yet
  SectionId num_sections = 0;
  unsigned section_bits = 0;
  std::uint32_t format_version = 0;
  std::uint64_t generation = 0;  ///< counts published states
  struct File {
    std::string name;     ///< relative to the store
    std::string purpose;  ///< "sections", "log", "manifest", "superblock", "dictionary"
    std::uint64_t bytes = 0;
  };
  std::vector<File> files;
  std::uint64_t bytes_on_disk = 0;
  std::string location;  ///< path, or ":memory:"
};

/// One finding of `check`.
struct CheckFinding {
  std::string where;  ///< file, offset, section
  std::string what;   ///< what is wrong
  std::string loss;   ///< what is lost by it, or "nothing"
};
struct CheckReport {
  std::vector<CheckFinding> findings;  ///< empty: the store is whole
  std::uint64_t bytes_checked = 0;
  SectionId sections_checked = 0;
};

struct BulkLoadOptions {
  VertexOrder order = VertexOrder::automatic;
  std::uint64_t memory_limit = 0;  ///< bytes for the load's own buffers; 0: most of the free memory
  std::filesystem::path spill_directory;  ///< empty: beside the store
};

}  // namespace rizoma
