// Manifest: the published state of a store in memory, and its bytes in manifest.N.
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>
#include <rizoma/schema.h>

#include "store/columns/row_table.h"
#include "store/space/extent_allocator.h"
#include "store/space/locations.h"
#include "store/disk_format.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {

/// The manifest's entry of one section in one direction.  An absent part has an empty extent.
struct SectionEntry {
  Extent image;
  std::uint64_t image_id = 0;  ///< see image_id(): ties the extent's content to this entry
  EdgeCount image_entries = 0;
  EdgeCount image_self_loops = 0;
  Extent delta;  ///< changes since the image (delta.h)
  std::uint64_t delta_id = 0;
  EdgeCount delta_entries = 0;

  [[nodiscard]] bool empty() const noexcept { return image.empty() && delta.empty(); }
};

/// An extent, and the header checksum that ties it to the manifest.
struct TiedExtent {
  Extent extent;
  std::uint64_t id = 0;  ///< 0: not known, in a store of format 1
};

/// A state that is kept under a name.
struct TagEntry {
  std::string name;
  std::int64_t nanoseconds = 0;  ///< since 1970-01-01 00:00 UTC
  Extent extent;                 ///< of its manifest
  std::uint64_t id = 0;          ///< header checksum of that manifest
};

/// Everything that a manifest publishes.
struct ManifestState {
  GraphSchema schema;                      ///< section_bits is the value in use, never 0
  bool bits_fixed = false;                 ///< the user chose section_bits
  unsigned target_bytes = 4;               ///< of every image: 4 or 8
  VertexOrder order = VertexOrder::given;  ///< how internal ids were given
  OrderReason order_reason;                ///< and why
  EdgeCount ordered_entries = 0;           ///< entries of the out-direction when that was done
  VertexId num_vertices = 0;
  std::vector<SectionEntry> out;         ///< by section; may be shorter than the number of sections
  std::vector<SectionEntry> in;          ///< empty unless directed with in_edges
  std::vector<TiedExtent> dictionary;    ///< segments in order
  TiedExtent removed;                    ///< removed vertices (removed_vertices.h); empty if there are none
  std::vector<LocationEntry> locations;  ///< empty: the store's own directory holds everything
  std::vector<RowsEntry> edge_rows;      ///< blocks of rows, ascending
  std::vector<RowsEntry> vertex_rows;
  std::vector<TagEntry> tags;  ///< in the order of tagging
  /// Where `data` of the store's own directory has the same manifest once more (embedded_manifest.h); nothing: nowhere.
  std::optional<std::uint64_t> embedded_at;
  // Where replay starts; filled in by publish.
  std::uint64_t generation = 0;
  std::uint64_t log_number = 0;
  std::uint64_t log_sequence = 0;

  [[nodiscard]] std::vector<Extent> extents() const;
  /// Replaces each of them by the result of `moved`, until that returns an Error.
  Status move_extents(FunctionRef<Result<Extent>(const Extent&)> moved);
};

/// Section bits for a graph that will have about this many vertices: at most a few thousand sections.
[[nodiscard]] unsigned choose_section_bits(VertexId num_vertices) noexcept;

/// Bytes of manifest.`number` for a store.
[[nodiscard]] std::vector<std::byte> encode_manifest(const ManifestState& state, const format::StoreId& store,
                                                     std::uint64_t number);

/// The content of a manifest file.
struct ManifestFile {
  ManifestState state;
  format::StoreId store;
  std::uint32_t format = format::kFormat;  ///< of the store that it is of
  std::uint64_t checksum = 0;              ///< of all but the publish records,
  std::uint64_t length = 0;                ///< and their number of bytes
  bool copied = false;                     ///< it was written twice (manifest_copies.h)
  /// Set by a publish record of kind `closed`, the last one if there are several: log.`log_number` was whole
  /// up to `log_end`, and the next record there has sequence number `next_sequence`.
  bool closed = false;
  bool changed = false;  ///< a record of kind `changed` follows it
  std::uint64_t log_number = 0;
  std::uint64_t log_end = 0;
  std::uint64_t next_sequence = 0;
  std::uint64_t closed_time = 0;               ///< seconds since 1970; 0: not known
  std::uint64_t append_at = 0;                 ///< offset for the next publish record
  std::vector<format::PublishRecord> records;  ///< all that are whole
  std::vector<std::byte> behind;  ///< the bytes after them: none, or the rest of others after a crash or damage
};

/// Length of a manifest without publish records, as its first bytes (kManifestStart of them) say; nothing if they are
/// damaged.
inline constexpr std::uint64_t kManifestStart = sizeof(format::ManifestHeader) + sizeof(format::ManifestBody);
[[nodiscard]] std::optional<std::uint64_t> manifest_length(std::span<const std::byte> start);

/// Reads manifest.`number`.  Errors: corrupt, unsupported.
Result<ManifestFile> decode_manifest(std::span<const std::byte> bytes, const format::StoreId& store,
                                     std::uint64_t number, std::string_view where);

/// A publish record of now, for a log that is whole up to `log_end`.
[[nodiscard]] format::PublishRecord publish_record(format::PublishKind kind, std::uint64_t log_number,
                                                   std::uint64_t log_end, std::uint64_t next_sequence);

}  // namespace rizoma
