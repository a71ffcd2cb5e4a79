// Format: every durable structure of a store, byte for byte.  docs/internals/format.md is its prose.
//
// All numbers are little-endian and of fixed width; all structures have no padding that the compiler
// chooses.  Each structure ends in (or names) a checksum of its own bytes, seeded by its kind, so
// that no record passes for one of another kind or of another store.
//
//   superblock   two slots of 4 KiB, written one after the other; the valid one of the highest generation counts
//   manifest.N   ManifestHeader, then its body, then appended publish records
//   log.N        LogHeader, then log records
//   location     in a directory that holds extents beside the store's own: LocationHeader
//   part         in a directory that holds a part of a distributed graph: PartHeader, then what it says of each section
//   data         extents: section images, deltas, dictionary segments, removed vertices; free space follows
//                from the manifest
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace rizoma::format {

static_assert(std::endian::native == std::endian::little, "the store maps its files: little-endian machines only");

/// Of a store, in its superblock.  One of format 1 is read, and written to by nothing but its upgrade.
inline constexpr std::uint32_t kFormat = 2;
/// Of manifests: 3 is of format 2; 1, and 2 with locations, are of format 1.
inline constexpr std::uint32_t kManifestVersion = 3;
inline constexpr std::uint32_t kVersion = 1;  ///< of all other structures
/// Of a part that lists the blocks of rows of edges it has.
inline constexpr std::uint32_t kPartVersion = 2;
/// Of images and blocks of rows in which numbers of any width in bits are packed (packed_bits.h).
inline constexpr std::uint16_t kPackedVersion = 2;
inline constexpr std::uint64_t kPage = 4096;  ///< extents and superblock slots start at multiples of this
inline constexpr std::uint64_t kLine = 64;    ///< parts of an image start at multiples of this
inline constexpr unsigned kMinSectionBits = 2;
inline constexpr unsigned kMaxSectionBits = 20;
inline constexpr std::uint64_t kMaxVertices = std::uint64_t{1} << 40;  ///< a pending word has 40 bits for a target
inline constexpr std::uint64_t kMaxSections = std::uint64_t{1} << 22;  ///< one table entry in memory each
/// Numbers of files, generations and batches are below this, so that a counter never overflows.
inline constexpr std::uint64_t kMostNumber = std::uint64_t{1} << 62;
/// Numbers read are below this, so that the next ones written stay below kMostNumber.
inline constexpr std::uint64_t kMostNumberFound = kMostNumber / 2;
/// Up to here targets are 32 bits wide (the two highest values stay free for kernels).
inline constexpr std::uint64_t kMaxNarrowVertices = (std::uint64_t{1} << 32) - 2;

/// Seeds of the checksums, one for each kind of record.
enum Seed : std::uint64_t {
  kSeedSuperblock = 0x52'5a'01,
  kSeedManifestHeader = 0x52'5a'02,
  kSeedManifestBody = 0x52'5a'03,
  kSeedPublish = 0x52'5a'04,
  kSeedLogHeader = 0x52'5a'05,
  kSeedLogRecord = 0x52'5a'06,
  kSeedLogPayload = 0x52'5a'07,
  kSeedImageHeader = 0x52'5a'08,
  kSeedImagePayload = 0x52'5a'09,
  kSeedDeltaHeader = 0x52'5a'0a,
  kSeedDeltaPayload = 0x52'5a'0b,
  kSeedRemovedHeader = 0x52'5a'0c,
  kSeedRemovedPayload = 0x52'5a'0d,
  kSeedLocation = 0x52'5a'0e,
  kSeedRowsHeader = 0x52'5a'0f,
  kSeedRowsPayload = 0x52'5a'10,
  kSeedPartHeader = 0x52'5a'11,
  kSeedPartPayload = 0x52'5a'12,
  kSeedImageHead = 0x52'5a'13,
};

inline constexpr std::uint64_t kSuperblockMagic = 0x4253414d4f5a4952;  // "RIZOMASB"
inline constexpr std::uint32_t kManifestMagic = 0x464d5a52;            // "RZMF"
inline constexpr std::uint32_t kPublishMagic = 0x42505a52;             // "RZPB"
inline constexpr std::uint32_t kLogMagic = 0x474c5a52;                 // "RZLG"
inline constexpr std::uint32_t kRecordMagic = 0x43525a52;              // "RZRC"
inline constexpr std::uint32_t kImageMagic = 0x4d495a52;               // "RZIM"
inline constexpr std::uint32_t kLocationMagic = 0x434c5a52;            // "RZLC"
inline constexpr std::uint32_t kDeltaMagic = 0x4c445a52;               // "RZDL"
inline constexpr std::uint32_t kRemovedMagic = 0x56525a52;             // "RZRV"
inline constexpr std::uint32_t kRowsMagic = 0x57525a52;                // "RZRW"
inline constexpr std::uint32_t kPartMagic = 0x54505a52;                // "RZPT"

/// Random name of a store; every file carries it, so that files of two stores cannot be mixed.
struct StoreId {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend bool operator==(const StoreId&, const StoreId&) = default;
};

struct Superblock {
  std::uint64_t magic = kSuperblockMagic;
  std::uint32_t version = kFormat;
  std::uint32_t page_bytes = kPage;
  StoreId store;
  std::uint64_t generation = 0;       ///< grows by one with every published manifest
  std::uint64_t manifest_number = 0;  ///< N of manifest.N
  std::uint64_t reserved = 0;
  std::uint64_t checksum = 0;  ///< of the bytes before
};
static_assert(sizeof(Superblock) == 64);

/// Start of manifest.N; `body_bytes` bytes of body follow (see manifest.cpp for its fields in order).
struct ManifestHeader {
  std::uint32_t magic = kManifestMagic;
  std::uint32_t version = kManifestVersion;
  StoreId store;
  std::uint64_t number = 0;
  std::uint64_t generation = 0;
  std::uint64_t body_bytes = 0;
  std::uint64_t body_checksum = 0;
  std::uint64_t checksum = 0;  ///< of the bytes before
};
static_assert(sizeof(ManifestHeader) == 64);

struct ManifestBody {
  std::uint8_t directed = 0;
  std::uint8_t weight_type = 0;
  std::uint8_t id_kind = 0;
  std::uint8_t in_edges = 0;
  std::uint8_t parallel_edges =
      0;  ///< bit 0: all are kept; bits 1-3: ParallelRule of the weight, 4-6: of later columns
  std::uint8_t self_loops = 0;
  std::uint8_t section_bits = 0;
  std::uint8_t target_bytes = 0;     ///< of all images: 4 or 8
  std::uint8_t order = 0;            ///< VertexOrder of the last bulk load or compaction
  std::uint8_t bits_fixed = 0;       ///< 1: the user chose section_bits; 0: a bulk load may choose again
  std::uint8_t removed_extents = 0;  ///< 0 or 1: ExtentRecords after those of the dictionary
  std::uint8_t locations = 0;        ///< number of LocationRecords at the end of the body
  std::uint8_t ids_open = 0;         ///< 1: `id_kind` was not asked for; while there are no vertices it may change
  std::uint8_t copied = 0;           ///< 1: manifest-copy.N was written with it
  std::uint8_t order_hubs = 0;       ///< OrderReason: the measures from which `order` was chosen,
  std::uint8_t order_near = 0;       ///< 0: nothing was
  std::uint64_t num_vertices = 0;
  std::uint64_t ordered_entries = 0;      ///< entries when `order` was made
  std::uint64_t log_number = 0;           ///< replay starts with log.N ..
  std::uint64_t log_sequence = 0;         ///< .. whose first record has this sequence number
  std::uint64_t out_sections = 0;         ///< number of SectionRecords of the out-direction that follow,
  std::uint64_t in_sections = 0;          ///< then of the in-direction,
  std::uint64_t dictionary_segments = 0;  ///< then of ExtentRecords
};
static_assert(sizeof(ManifestBody) == 72);

/// Offsets of extents have the number of a location in their highest 8 bits: 0 is the store's own
/// directory, all others are listed by LocationRecords.
inline constexpr unsigned kLocationShift = 56;

/// One section that has an image, a delta or both; absent parts have 0 bytes.  Ascending by section.
struct SectionRecord {
  std::uint64_t section = 0;
  std::uint64_t image_offset = 0;
  std::uint64_t image_bytes = 0;
  std::uint64_t image_id = 0;  ///< header checksum of the image: ties the extent to this manifest
  std::uint64_t image_entries = 0;
  std::uint64_t image_self_loops = 0;
  std::uint64_t delta_offset = 0;
  std::uint64_t delta_bytes = 0;
  std::uint64_t delta_id = 0;
  std::uint64_t delta_entries = 0;
};
static_assert(sizeof(SectionRecord) == 80);

/// A dictionary segment, or the list of removed vertices.  Manifests of versions 1 and 2 have no `id`.
struct ExtentRecord {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t id = 0;  ///< header checksum of the extent
};
static_assert(sizeof(ExtentRecord) == 24);
inline constexpr std::uint64_t kUntiedExtentBytes = 16;  ///< of an ExtentRecord without `id`

/// A directory that holds extents; `path_bytes` bytes of its path follow, then zeros to a multiple of 8.
/// The homes of sections are, in order, the listed locations with `is_home`.
struct LocationRecord {
  std::uint32_t number = 0;   ///< 0: the store's own directory; its path is empty
  std::uint32_t is_home = 0;  ///< 1: it receives sections; 0: it only holds some
  std::uint64_t path_bytes = 0;
};
static_assert(sizeof(LocationRecord) == 16);

/// Behind the locations of a manifest, from version 3 on.  Then (ManifestColumn, its name, zeros to a multiple of 8)
/// for each column, those of edges first, RowsRecords, edges first, and (ManifestTag, its name, zeros) for each tag.
struct ManifestColumns {
  std::uint32_t edge_columns = 0;
  std::uint32_t vertex_columns = 0;
  std::uint32_t next_column = 1;  ///< id of the next column
  std::uint32_t rows = 0;         ///< 1: entries have row numbers beside their targets
  std::uint64_t edge_blocks = 0;
  std::uint64_t vertex_blocks = 0;
  std::uint64_t tags = 0;
  std::uint64_t embedded_page = 0;  ///< 1 + the page of `data` where the manifest begins once more; 0: nowhere
};
static_assert(sizeof(ManifestColumns) == 48);

struct ManifestColumn {
  std::uint32_t id = 0;
  std::uint8_t type = 0;
  std::uint8_t flags = 0;  ///< bit 0: it may be null; bits 1-3: ParallelRule
  std::uint16_t name_bytes = 0;
};
static_assert(sizeof(ManifestColumn) == 8);

/// A block of rows in an extent; ascending by first row.
struct RowsRecord {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t id = 0;  ///< header checksum of the block
  std::uint64_t first = 0;
  std::uint64_t rows = 0;
};
static_assert(sizeof(RowsRecord) == 40);

/// A state that is kept under a name.  Its extent has the manifest of that state, of number 0 and with no tags.
struct ManifestTag {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t id = 0;          ///< header checksum of that manifest
  std::int64_t nanoseconds = 0;  ///< since 1970-01-01 00:00 UTC, when it was tagged
  std::uint64_t name_bytes = 0;
};
static_assert(sizeof(ManifestTag) == 40);

/// The file `location` of each location but the store's own directory; `owner_bytes` and then `own_bytes` bytes of
/// paths follow: of the store's directory and of this one, as they were when the store was last written.
struct LocationHeader {
  std::uint32_t magic = kLocationMagic;
  std::uint32_t version = 1;
  StoreId store;
  std::uint64_t number = 0;
  std::uint32_t owner_bytes = 0;
  std::uint32_t own_bytes = 0;
  std::uint64_t paths_checksum = 0;
  std::uint64_t reserved = 0;
  std::uint64_t checksum = 0;
};
static_assert(sizeof(LocationHeader) == 64);

/// The file `part` of a directory whose `data` lacks the targets and weights of other parts' sections.  u32
/// owner[sections] follow, zeros to a multiple of 8, then u64 head[sections] and, if there are in-sections, as many
/// again: checksums of what is before the targets of each image, 0 where there is none.  Then a bit for each block of
/// rows of edges that the manifest names, in its order and in whole words of 8 bytes: whether it is here.
struct PartHeader {
  std::uint32_t magic = kPartMagic;
  std::uint32_t version = kVersion;  ///< kPartVersion if there are edge_blocks
  StoreId store;
  std::uint64_t generation = 0;
  std::uint32_t number = 0;
  std::uint32_t parts = 0;
  std::uint32_t rule = 0;  ///< by which sections were divided
  std::uint32_t in_edges = 0;
  std::uint64_t sections = 0;
  std::uint64_t payload_checksum = 0;
  std::uint64_t edge_blocks = 0;
  std::uint64_t checksum = 0;
};
static_assert(sizeof(PartHeader) == 80);

/// Appended to a manifest; a bad one ends the chain.  Kinds 3.. are free for incremental publication.
enum class PublishKind : std::uint32_t {
  closed = 1,   ///< the store was closed cleanly
  changed = 2,  ///< and changed since: bytes after the log's end of then are no accident
};
struct PublishRecord {
  std::uint32_t magic = kPublishMagic;
  PublishKind kind = PublishKind::closed;
  std::uint64_t log_number = 0;
  std::uint64_t log_end = 0;        ///< `closed`: the log was whole up to here
  std::uint64_t next_sequence = 0;  ///< `closed`: of the record that would come next
  std::uint64_t time = 0;           ///< seconds since 1970 (UTC) when it was written; 0: not known
  std::uint64_t reserved[2] = {};
  std::uint64_t checksum = 0;
};
static_assert(sizeof(PublishRecord) == 64);

struct LogHeader {
  std::uint32_t magic = kLogMagic;
  std::uint32_t version = kVersion;
  StoreId store;
  std::uint64_t number = 0;
  std::uint64_t first_sequence = 0;
  std::uint64_t anew = 0;  ///< 0: continues the log before it; 1, 2: replaces the state before it (LogStart, log.h)
  std::uint64_t reserved = 0;
  std::uint64_t checksum = 0;
};
static_assert(sizeof(LogHeader) == 64);

/// A committed batch: this header, then `payload_bytes` of operations, padded with zeros to 8 bytes.
struct LogRecord {
  std::uint32_t magic = kRecordMagic;
  std::uint32_t time = 0;  ///< seconds since 1970 (UTC) when it was written; 0: not known
  std::uint64_t sequence = 0;
  std::uint64_t synced = 0;  ///< the log was durable up to this offset when the record was written
  std::uint64_t payload_bytes = 0;
  std::uint64_t payload_checksum = 0;
  std::uint64_t checksum = 0;  ///< of the bytes before, seeded by log number and kind
};
static_assert(sizeof(LogRecord) == 48);

/// Operations of a record, in order.  A reader that does not know a kind refuses the store.
/// What 6..9 do to parallel edges, ChangeKind (pending.h) says.
enum class LogKind : std::uint32_t {
  vertices = 1,             ///< body: u64 number of vertices from now on (dense ids)
  integer_ids = 2,          ///< body: i64[count], ids of the next internal ids
  string_ids = 3,           ///< body: u64 offsets[count + 1], then the bytes
  edges = 4,                ///< body: u64 sources[count], u64 targets[count]
  weighted_edges = 5,       ///< as edges, then f64 weights[count]
  remove_edges = 6,         ///< body as edges: ChangeKind::remove
  remove_one = 7,           ///< body as edges: ChangeKind::remove_one, graphs without weights
  remove_one_weighted = 8,  ///< body as weighted_edges: the same, graphs with weights
  set_weights = 9,          ///< body as weighted_edges: ChangeKind::set_weight
  remove_vertices = 10,     ///< body: u64 vertices[count]; their edges have been removed before
  restore_vertices = 11,    ///< body: u64 vertices[count], removed ones that exist again
  rows = 12,                ///< body: a block of rows (RowsHeader); `count` is its number of rows
};
struct LogOperation {
  LogKind kind = LogKind::vertices;
  std::uint32_t reserved = 0;
  std::uint64_t count = 0;
  std::uint64_t body_bytes = 0;  ///< follows; the next operation starts at the next multiple of 8
};
static_assert(sizeof(LogOperation) == 24);

/// Start of a section image: the compact CSR of one section in one direction.
/// Parts, each at a multiple of 64: header, u32 offsets[num_vertices + 1], targets[num_entries], weights.
struct ImageHeader {
  std::uint32_t magic = kImageMagic;
  std::uint16_t version = kVersion;  ///< kPackedVersion if `row_bits` is not 0
  std::uint8_t direction = 0;        ///< 0 out, 1 in
  std::uint8_t target_bytes = 4;     ///< 4 or 8
  std::uint64_t section = 0;
  std::uint32_t num_vertices = 0;  ///< of this section when it was written
  std::uint8_t weight_type = 0;
  std::uint8_t row_bits = 0;  ///< not 0: numbers of rows, packed into this many bits each, replace weights
  std::uint8_t reserved[2] = {};
  std::uint64_t num_entries = 0;
  std::uint64_t num_self_loops = 0;
  std::uint64_t target_bound = 0;      ///< every target is below this
  std::uint64_t payload_checksum = 0;  ///< of all bytes after the header
  std::uint64_t checksum = 0;          ///< of the header's bytes before
};
static_assert(sizeof(ImageHeader) == 64);

/// Start of a delta: changes to a section in order of arrival, too few to rewrite its image.
/// Then u64 words[num_entries] (see pending.h), then f64 weights[num_entries] if the graph has weights.
struct DeltaHeader {
  std::uint32_t magic = kDeltaMagic;
  std::uint16_t version = kVersion;
  std::uint8_t direction = 0;
  std::uint8_t weighted = 0;
  std::uint64_t section = 0;
  std::uint64_t num_entries = 0;
  std::uint64_t target_bound = 0;
  std::uint64_t reserved[2] = {};
  std::uint64_t payload_checksum = 0;
  std::uint64_t checksum = 0;
};
static_assert(sizeof(DeltaHeader) == 64);

/// Start of the extent that lists the removed vertices.  Then u64 sections[num_sections], ascending, then
/// for each of them a bitmap of its vertices, bit i of byte 0 first, in whole words of 8 bytes.
struct RemovedHeader {
  std::uint32_t magic = kRemovedMagic;
  std::uint16_t version = kVersion;
  std::uint16_t reserved16 = 0;
  std::uint64_t num_sections = 0;
  std::uint64_t num_vertices = 0;  ///< that are removed
  std::uint64_t reserved[3] = {};
  std::uint64_t payload_checksum = 0;
  std::uint64_t checksum = 0;
};
static_assert(sizeof(RemovedHeader) == 64);

/// Start of a block of rows: the values of columns, in the log or in an extent of its own.  Then
/// RowsColumn[num_columns], ascending by id, then their parts, each at a multiple of 8 from the start.
struct RowsHeader {
  std::uint32_t magic = kRowsMagic;
  std::uint16_t version = 1;  ///< kPackedVersion if a column has such a coding
  std::uint8_t table = 0;     ///< 0: of edges, 1: of vertices
  std::uint8_t reserved8 = 0;
  std::uint64_t first_row = 0;
  std::uint64_t num_rows = 0;
  std::uint32_t num_columns = 0;
  std::uint32_t reserved32 = 0;
  std::uint64_t bytes = 0;  ///< of the whole block
  std::uint64_t payload_checksum = 0;
  std::uint64_t reserved = 0;
  std::uint64_t checksum = 0;
};
static_assert(sizeof(RowsHeader) == 64);

/// How the values of a column in a block are written down.
enum class RowsCoding : std::uint8_t {
  plain = 0,       ///< fixed width: values; variable: ends of `width` bytes each, and the bytes in the extra part
  dictionary = 1,  ///< codes of `width` bytes; extra: u64 count, u64 end[count], the bytes of the different values
  narrow = 2,      ///< integers as i64 base (extra) + unsigned of `width` bytes
  packed = 3,      ///< integers as base and start of their frame (extra: RowsFrames, starts) + packed of `width` bits
  packed_dictionary = 4,  ///< as `dictionary`, with codes packed into `width` bits each
};
/// Start of the extra part of a packed column.  Then the starts of frames of 2^frame_bits rows, of `start_bytes` (4 or
/// 8) each: a value is base + start of its frame + what is packed.
struct RowsFrames {
  std::int64_t base = 0;
  std::uint32_t frame_bits = 0;
  std::uint32_t start_bytes = 0;
};
static_assert(sizeof(RowsFrames) == 16);
/// With `nulls` a bitmap of the rows that have a value is in the whole words of 8 bytes before `at`.
struct RowsColumn {
  std::uint32_t id = 0;
  std::uint8_t type = 0;
  RowsCoding coding = RowsCoding::plain;
  std::uint8_t nulls = 0;
  std::uint8_t width = 0;
  std::uint64_t at = 0;
  std::uint64_t bytes = 0;
  std::uint64_t extra_at = 0;
  std::uint64_t extra_bytes = 0;
};
static_assert(sizeof(RowsColumn) == 40);

/// Id of the column of a block of vertices that says which vertex a row is of (u64, internal ids).
inline constexpr std::uint32_t kVertexColumn = 0xffffffff;

}  // namespace rizoma::format
