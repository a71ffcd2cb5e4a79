#include "store/manifest/manifest.h"

#include "store/columns/column_rules.h"

#include "base/check.h"
#include "base/checksum.h"
#include "base/utf8.h"
#include "platform/calendar.h"
#include "store/manifest/embedded_manifest.h"
#include "store/space/data_files.h"
#include "store/messages.h"
#include "store/validation/validation.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <type_traits>

namespace rizoma {
namespace {

/// Checksum of a record that ends in its own checksum.
template <class Record>
std::uint64_t own_checksum(const Record& record, std::uint64_t seed) {
  return checksum(std::as_bytes(std::span(&record, 1)).first(offsetof(Record, checksum)), seed);
}

template <class Record>
void append(std::vector<std::byte>& bytes, const Record& record) {
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof record);
  std::memcpy(bytes.data() + at, &record, sizeof record);
}

/// Reads the next record, which the caller has checked to exist.
template <class Record>
Record take(std::span<const std::byte>& bytes) {
  RIZOMA_CHECK(bytes.size() >= sizeof(Record));
  Record record;
  std::memcpy(&record, bytes.data(), sizeof record);
  bytes = bytes.subspan(sizeof record);
  return record;
}

std::uint64_t count_sections(const std::vector<SectionEntry>& sections) {
  return static_cast<std::uint64_t>(
      std::count_if(sections.begin(), sections.end(), [](const SectionEntry& entry) { return !entry.empty(); }));
}

/// No file has more.
constexpr std::uint64_t kMostPages = UINT64_MAX / 4 / format::kPage;

/// An extent's offset with its location.
std::uint64_t packed(const Extent& extent) noexcept {
  return extent.offset | (std::uint64_t{extent.location} << format::kLocationShift);
}

Extent extent_at(std::uint64_t place, std::uint64_t bytes) noexcept {
  constexpr std::uint64_t kOffsets = (std::uint64_t{1} << format::kLocationShift) - 1;
  return {place & kOffsets, bytes, static_cast<unsigned>(place >> format::kLocationShift)};
}

format::ExtentRecord record_of(const TiedExtent& tied) noexcept {
  return {packed(tied.extent), tied.extent.bytes, tied.id};
}

/// An ExtentRecord of this many bytes, which exist.
TiedExtent take_extent(std::span<const std::byte>& bytes, std::uint64_t size) {
  RIZOMA_CHECK(size <= bytes.size() && size <= sizeof(format::ExtentRecord));
  format::ExtentRecord record;
  std::memcpy(&record, bytes.data(), size);
  bytes = bytes.subspan(size);
  return {extent_at(record.offset, record.bytes), record.id};
}

void append_locations(std::vector<std::byte>& bytes, const std::vector<LocationEntry>& locations) {
  for (const LocationEntry& entry : locations) {
    append(bytes, format::LocationRecord{entry.number, entry.is_home ? 1U : 0U, entry.path.size()});
    const auto path = std::as_bytes(std::span(entry.path));
    bytes.insert(bytes.end(), path.begin(), path.end());
    bytes.resize((bytes.size() + 7) / 8 * 8);
  }
}

/// No system opens a path that is longer, or all of one with a zero in it.
bool is_path(const std::string& path) { return path.size() <= 4096 && path.find('\0') == path.npos; }

/// False if the records do not fit the bytes, or a number is not below the limit or occurs twice.
bool take_locations(std::span<const std::byte>& bytes, std::uint64_t count, std::vector<LocationEntry>& locations) {
  for (std::uint64_t i = 0; i < count; ++i) {
    if (bytes.size() < sizeof(format::LocationRecord)) return false;
    const auto record = take<format::LocationRecord>(bytes);
    const std::uint64_t padded = (record.path_bytes + 7) / 8 * 8;
    if (record.path_bytes > bytes.size() || padded > bytes.size() || record.number >= kMaxLocations) return false;
    if (std::any_of(locations.begin(), locations.end(),
                    [&](const auto& entry) { return entry.number == record.number; })) {
      return false;
    }
    locations.push_back({record.number, record.is_home != 0,
                         std::string(reinterpret_cast<const char*>(bytes.data()), record.path_bytes)});
    if (!is_path(locations.back().path)) return false;
    bytes = bytes.subspan(padded);
  }
  return true;
}

std::uint8_t flags_of(const ColumnSchema& column) noexcept {
  return static_cast<std::uint8_t>((column.nullable ? 1U : 0U) | static_cast<unsigned>(column.parallel) << 1);
}

std::uint8_t parallel_byte(const GraphSchema& schema) noexcept {
  return static_cast<std::uint8_t>(static_cast<unsigned>(schema.parallel_edges) |
                                   static_cast<unsigned>(schema.weight_rule) << 1 |
                                   static_cast<unsigned>(schema.parallel_rule) << 4);
}

/// A graph that keeps all edges has no rules.
bool parallel_byte_ok(unsigned byte) noexcept {
  return byte == 1 || ((byte & 1) == 0 && is_parallel_rule(byte >> 1 & 7) && is_parallel_rule(byte >> 4));
}

/// A name, and zeros up to a multiple of 8.
void append_text(std::vector<std::byte>& bytes, const std::string& text) {
  const auto raw = std::as_bytes(std::span(text));
  bytes.insert(bytes.end(), raw.begin(), raw.end());
  bytes.resize((bytes.size() + 7) / 8 * 8);
}

format::ManifestColumns columns_header(const ManifestState& state) {
  const GraphSchema& schema = state.schema;
  return {static_cast<std::uint32_t>(schema.edge_columns.size()),
          static_cast<std::uint32_t>(schema.vertex_columns.size()),
          schema.next_column,
          schema.rows ? 1U : 0U,
          state.edge_rows.size(),
          state.vertex_rows.size(),
          state.tags.size(),
          state.embedded_at ? *state.embedded_at / format::kPage + 1 : 0};
}

void append_columns(std::vector<std::byte>& bytes, const ManifestState& state) {
  const GraphSchema& schema = state.schema;
  append(bytes, columns_header(state));
  for (const auto* columns : {&schema.edge_columns, &schema.vertex_columns}) {
    for (const ColumnSchema& column : *columns) {
      RIZOMA_CHECK(column.id != 0 && column.id < schema.next_column && column.name.size() <= UINT16_MAX);
      append(bytes, format::ManifestColumn{column.id, static_cast<std::uint8_t>(column.type), flags_of(column),
                                           static_cast<std::uint16_t>(column.name.size())});
      append_text(bytes, column.name);
    }
  }
  for (const auto* blocks : {&state.edge_rows, &state.vertex_rows}) {
    for (const RowsEntry& each : *blocks) {
      append(bytes, format::RowsRecord{packed(each.extent), each.extent.bytes, each.id, each.first, each.rows});
    }
  }
  for (const TagEntry& tag : state.tags) {
    append(bytes, format::ManifestTag{packed(tag.extent), tag.extent.bytes, tag.id, tag.nanoseconds, tag.name.size()});
    append_text(bytes, tag.name);
  }
}

bool take_tags(std::span<const std::byte>& bytes, std::uint64_t count, std::vector<TagEntry>& tags) {
  for (std::uint64_t i = 0; i < count; ++i) {
    if (bytes.size() < sizeof(format::ManifestTag)) return false;
    const auto record = take<format::ManifestTag>(bytes);
    if (record.name_bytes > bytes.size() || record.bytes == 0) return false;
    const std::size_t padded = (record.name_bytes + 7) / 8 * 8;
    if (padded > bytes.size()) return false;
    tags.push_back({std::string(reinterpret_cast<const char*>(bytes.data()), record.name_bytes), record.nanoseconds,
                    extent_at(record.offset, record.bytes), record.id});
    if (!is_utf8(tags.back().name)) return false;
    bytes = bytes.subspan(padded);
  }
  return true;
}

bool take_column_list(std::span<const std::byte>& bytes, std::uint64_t count, std::uint32_t next_id,
                      std::vector<ColumnSchema>& columns) {
  for (std::uint64_t i = 0; i < count; ++i) {
    if (bytes.size() < sizeof(format::ManifestColumn)) return false;
    const auto record = take<format::ManifestColumn>(bytes);
    const std::size_t padded = (std::size_t{record.name_bytes} + 7) / 8 * 8;
    if (padded > bytes.size() || !is_column_type(record.type) || !is_parallel_rule(record.flags >> 1)) return false;
    if (record.id == 0 || record.id >= next_id) return false;
    columns.push_back({record.id, static_cast<ColumnType>(record.type), (record.flags & 1) != 0,
                       std::string(reinterpret_cast<const char*>(bytes.data()), record.name_bytes),
                       static_cast<ParallelRule>(record.flags >> 1)});
    if (!check_parallel_rule(columns.back())) return false;
    bytes = bytes.subspan(padded);
  }
  return check_columns_of_schema(columns, {}, "").ok();
}

bool take_rows_list(std::span<const std::byte>& bytes, std::uint64_t count, std::vector<RowsEntry>& blocks) {
  std::uint64_t end = 1;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (bytes.size() < sizeof(format::RowsRecord)) return false;
    const auto record = take<format::RowsRecord>(bytes);
    if (record.first < end || record.rows == 0 || record.first + record.rows < record.first) return false;
    end = record.first + record.rows;
    blocks.push_back({extent_at(record.offset, record.bytes), record.id, record.first, record.rows});
  }
  return true;
}

/// A block of rows finds a column by its id.
bool ids_differ(const GraphSchema& schema) {
  std::vector<std::uint32_t> ids;
  for (const auto* columns : {&schema.edge_columns, &schema.vertex_columns}) {
    for (const ColumnSchema& column : *columns) ids.push_back(column.id);
  }
  std::sort(ids.begin(), ids.end());
  return std::adjacent_find(ids.begin(), ids.end()) == ids.end();
}

/// The ids of both lists also differ from each other; the type of "weight" is the graph's.
bool take_columns(std::span<const std::byte>& bytes, ManifestState& state) {
  if (bytes.size() < sizeof(format::ManifestColumns)) return false;
  const auto header = take<format::ManifestColumns>(bytes);
  GraphSchema& schema = state.schema;
  if (header.embedded_page > kMostPages) return false;
  if (header.embedded_page != 0) state.embedded_at = (header.embedded_page - 1) * format::kPage;
  if (header.rows > 1 || header.next_column == 0 || header.next_column > kEndOfColumnIds ||
      !take_column_list(bytes, header.edge_columns, header.next_column, schema.edge_columns) ||
      !take_column_list(bytes, header.vertex_columns, header.next_column, schema.vertex_columns) ||
      !take_rows_list(bytes, header.edge_blocks, state.edge_rows) ||
      !take_rows_list(bytes, header.vertex_blocks, state.vertex_rows) || !take_tags(bytes, header.tags, state.tags)) {
    return false;
  }
  schema.next_column = header.next_column;
  schema.rows = header.rows != 0;
  return (schema.rows || schema.edge_columns.empty()) && ids_differ(schema);
}

/// True if every extent is in a location that is listed.
bool locations_known(std::span<const Extent> extents, std::span<const LocationEntry> locations) {
  return std::all_of(extents.begin(), extents.end(), [&](const Extent& extent) {
    return extent.location == 0 || std::any_of(locations.begin(), locations.end(),
                                               [&](const auto& entry) { return entry.number == extent.location; });
  });
}

/// Whether every extent ends within the largest file, so that sums of offsets and bytes do not overflow.
bool ends_known(std::span<const Extent> extents) {
  return std::all_of(extents.begin(), extents.end(),
                     [](const Extent& extent) { return extent.bytes <= UINT64_MAX / 2 - extent.offset; });
}

void append_sections(std::vector<std::byte>& bytes, const std::vector<SectionEntry>& sections) {
  for (std::size_t s = 0; s < sections.size(); ++s) {
    const SectionEntry& entry = sections[s];
    if (entry.empty()) continue;
    append(bytes, format::SectionRecord{s, packed(entry.image), entry.image.bytes, entry.image_id, entry.image_entries,
                                        entry.image_self_loops, packed(entry.delta), entry.delta.bytes, entry.delta_id,
                                        entry.delta_entries});
  }
}

/// False if the sections are not ascending or are outside the graph.
bool take_sections(std::span<const std::byte>& bytes, std::uint64_t count, SectionId limit,
                   std::vector<SectionEntry>& sections) {
  sections.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto record = take<format::SectionRecord>(bytes);
    if (record.section >= limit || record.section < sections.size()) return false;
    sections.resize(record.section + 1);
    SectionEntry& entry = sections.back();
    entry.image = extent_at(record.image_offset, record.image_bytes);
    entry.image_id = record.image_id;
    entry.image_entries = record.image_entries;
    entry.image_self_loops = record.image_self_loops;
    entry.delta = extent_at(record.delta_offset, record.delta_bytes);
    entry.delta_id = record.delta_id;
    entry.delta_entries = record.delta_entries;
  }
  return true;
}

format::ManifestBody encode_body(const ManifestState& state) {
  format::ManifestBody body;
  body.directed = state.schema.directed ? 1 : 0;
  body.weight_type = static_cast<std::uint8_t>(state.schema.weights);
  body.id_kind = static_cast<std::uint8_t>(state.schema.ids);
  body.in_edges = state.schema.in_edges ? 1 : 0;
  body.parallel_edges = parallel_byte(state.schema);
  body.self_loops = static_cast<std::uint8_t>(state.schema.self_loops);
  body.section_bits = static_cast<std::uint8_t>(state.schema.section_bits);
  body.target_bytes = static_cast<std::uint8_t>(state.target_bytes);
  body.bits_fixed = state.bits_fixed ? 1 : 0;
  body.ids_open = state.schema.ids_fixed ? 0 : 1;
  body.order = static_cast<std::uint8_t>(state.order);
  body.order_hubs = state.order_reason.hubs;
  body.order_near = state.order_reason.near;
  body.num_vertices = state.num_vertices;
  body.ordered_entries = state.ordered_entries;
  body.log_number = state.log_number;
  body.log_sequence = state.log_sequence;
  body.out_sections = count_sections(state.out);
  body.in_sections = count_sections(state.in);
  body.dictionary_segments = state.dictionary.size();
  body.removed_extents = state.removed.extent.empty() ? 0 : 1;
  body.locations = static_cast<std::uint8_t>(state.locations.size());
  body.copied = 1;
  return body;
}

bool body_ok(const format::ManifestBody& body) {
  return body.directed <= 1 && body.weight_type <= 3 && body.id_kind <= 2 && body.in_edges <= 1 &&
         parallel_byte_ok(body.parallel_edges) && body.self_loops <= 1 &&
         body.section_bits >= format::kMinSectionBits && body.section_bits <= format::kMaxSectionBits &&
         (body.target_bytes == 4 || body.target_bytes == 8) && body.bits_fixed <= 1 && body.ids_open <= 1 &&
         body.copied <= 1 && body.removed_extents <= 1 && body.order <= 4 && body.num_vertices <= format::kMaxVertices;
}

void decode_body(const format::ManifestBody& body, ManifestState& state) {
  state.schema.directed = body.directed != 0;
  state.schema.weights = static_cast<WeightType>(body.weight_type);
  state.schema.ids = static_cast<IdKind>(body.id_kind);
  state.schema.in_edges = body.in_edges != 0;
  state.schema.parallel_edges = static_cast<ParallelEdges>(body.parallel_edges & 1);
  state.schema.weight_rule = static_cast<ParallelRule>(body.parallel_edges >> 1 & 7);
  state.schema.parallel_rule = static_cast<ParallelRule>(body.parallel_edges >> 4);
  state.schema.self_loops = static_cast<SelfLoops>(body.self_loops);
  state.schema.section_bits = body.section_bits;
  state.target_bytes = body.target_bytes;
  state.bits_fixed = body.bits_fixed != 0;
  state.schema.ids_fixed = body.ids_open == 0;
  state.order = static_cast<VertexOrder>(body.order);
  state.order_reason = {body.order_hubs, body.order_near};
  state.num_vertices = body.num_vertices;
  state.ordered_entries = body.ordered_entries;
  state.log_number = body.log_number;
  state.log_sequence = body.log_sequence;
}

/// Follows the publish records from `at` to the first that is not one.
void read_publish_records(std::span<const std::byte> bytes, ManifestFile& file) {
  while (bytes.size() - file.append_at >= sizeof(format::PublishRecord)) {
    format::PublishRecord record;
    std::memcpy(&record, bytes.data() + file.append_at, sizeof record);
    if (record.magic != format::kPublishMagic || record.checksum != own_checksum(record, format::kSeedPublish)) break;
    if (record.kind == format::PublishKind::closed && record.log_number >= file.state.log_number) {
      file.closed = true;
      file.changed = false;
      file.log_number = record.log_number;
      file.log_end = record.log_end;
      file.next_sequence = record.next_sequence;
      file.closed_time = record.time;
    }
    if (record.kind == format::PublishKind::changed) file.changed = true;
    file.records.push_back(record);
    file.append_at += sizeof record;
  }
  const auto behind = bytes.subspan(file.append_at);
  file.behind.assign(behind.begin(), behind.end());
}

/// Calls visit(extent) -> Status for all that a state names, or a state that may be changed.
template <class State, class Visit>
Status for_extents(State& state, Visit visit) {
  for (auto* sections : {&state.out, &state.in}) {
    for (auto& entry : *sections) {
      if (!entry.image.empty()) RIZOMA_TRY(visit(entry.image));
      if (!entry.delta.empty()) RIZOMA_TRY(visit(entry.delta));
    }
  }
  for (auto& segment : state.dictionary) RIZOMA_TRY(visit(segment.extent));
  if (!state.removed.extent.empty()) RIZOMA_TRY(visit(state.removed.extent));
  for (auto* blocks : {&state.edge_rows, &state.vertex_rows}) {
    for (auto& each : *blocks) RIZOMA_TRY(visit(each.extent));
  }
  for (auto& tag : state.tags) RIZOMA_TRY(visit(tag.extent));
  return {};
}

/// Returns where the header of the columns begins.
std::size_t append_body(std::vector<std::byte>& bytes, const ManifestState& state) {
  RIZOMA_CHECK(validate(state, "the manifest to be written").ok());
  const format::ManifestBody facts = encode_body(state);
  RIZOMA_CHECK(body_ok(facts) && facts.locations == state.locations.size());
  append(bytes, facts);
  append_sections(bytes, state.out);
  append_sections(bytes, state.in);
  for (const TiedExtent& segment : state.dictionary) append(bytes, record_of(segment));
  if (!state.removed.extent.empty()) append(bytes, record_of(state.removed));
  append_locations(bytes, state.locations);
  const std::size_t columns_at = bytes.size();
  append_columns(bytes, state);
  return columns_at;
}

/// Puts the header before a body.
void seal_manifest(std::vector<std::byte>& bytes, const format::StoreId& store, std::uint64_t number,
                   std::uint64_t generation) {
  const auto body = std::span<const std::byte>(bytes).subspan(sizeof(format::ManifestHeader));
  format::ManifestHeader header;
  header.store = store;
  header.number = number;
  header.generation = generation;
  header.body_bytes = body.size();
  header.body_checksum = checksum(body, format::kSeedManifestBody);
  header.checksum = own_checksum(header, format::kSeedManifestHeader);
  std::memcpy(bytes.data(), &header, sizeof header);
}

}  // namespace

std::vector<Extent> ManifestState::extents() const {
  std::vector<Extent> all;
  all.reserve(out.size() + in.size());
  static_cast<void>(for_extents(*this, [&](const Extent& extent) {
    all.push_back(extent);
    return Status();
  }));
  return all;
}

Status ManifestState::move_extents(FunctionRef<Result<Extent>(const Extent&)> moved) {
  return for_extents(*this, [&](Extent& extent) -> Status {
    RIZOMA_ASSIGN(extent, moved(extent));
    return {};
  });
}

unsigned choose_section_bits(VertexId num_vertices) noexcept {
  unsigned bits = 12;
  while (bits < 16 && (num_vertices >> bits) > 4096) ++bits;
  return bits;
}

std::vector<std::byte> encode_manifest(const ManifestState& state, const format::StoreId& store, std::uint64_t number) {
  std::vector<std::byte> bytes(sizeof(format::ManifestHeader));
  append_body(bytes, state);
  seal_manifest(bytes, store, number, state.generation);
  return bytes;
}

std::vector<std::byte> encode_manifest_at(ManifestState& state, const format::StoreId& store, std::uint64_t number,
                                          FunctionRef<std::uint64_t(std::size_t)> place) {
  std::vector<std::byte> bytes(sizeof(format::ManifestHeader));
  const std::size_t columns_at = append_body(bytes, state);
  state.embedded_at = place(bytes.size());
  const format::ManifestColumns columns = columns_header(state);
  std::memcpy(bytes.data() + columns_at, &columns, sizeof columns);
  seal_manifest(bytes, store, number, state.generation);
  return bytes;
}

std::optional<std::uint64_t> manifest_length(std::span<const std::byte> start) {
  if (start.size() < sizeof(format::ManifestHeader)) return std::nullopt;
  const auto header = take<format::ManifestHeader>(start);
  if (header.magic != format::kManifestMagic) return std::nullopt;
  if (header.checksum != own_checksum(header, format::kSeedManifestHeader)) return std::nullopt;
  if (header.body_bytes > UINT64_MAX - sizeof header) return std::nullopt;
  return sizeof header + header.body_bytes;
}

Result<ManifestFile> decode_manifest(std::span<const std::byte> bytes, const format::StoreId& store,
                                     std::uint64_t number, std::string_view where) {
  if (bytes.size() < sizeof(format::ManifestHeader) + sizeof(format::ManifestBody))
    return corrupt(where, "is cut short");
  std::span<const std::byte> rest = bytes;
  const auto header = take<format::ManifestHeader>(rest);
  if (header.magic != format::kManifestMagic) return corrupt(where, "is not a manifest");
  if (header.checksum != own_checksum(header, format::kSeedManifestHeader))
    return corrupt(where, "has a damaged header");
  if (header.version > format::kManifestVersion) return future_version(where, header.version);
  if (header.store != store || header.number != number) return corrupt(where, "belongs to another store");
  if (header.body_bytes > rest.size() || header.body_bytes < sizeof(format::ManifestBody)) {
    return corrupt(where, "is cut short");
  }
  rest = rest.first(header.body_bytes);
  if (header.body_checksum != checksum(rest, format::kSeedManifestBody)) return corrupt(where, "fails its checksum");

  const auto body = take<format::ManifestBody>(rest);
  if (!body_ok(body)) return corrupt(where, "holds impossible values");
  ManifestFile file;
  decode_body(body, file.state);
  file.state.generation = header.generation;
  file.format = header.version < format::kManifestVersion ? 1 : format::kFormat;
  const std::uint64_t extent_bytes = file.format == 1 ? format::kUntiedExtentBytes : sizeof(format::ExtentRecord);
  const SectionId limit = (body.num_vertices + (std::uint64_t{1} << body.section_bits) - 1) >> body.section_bits;
  const bool counts_ok = limit <= format::kMaxSections && body.out_sections <= limit && body.in_sections <= limit &&
                         body.out_sections <= rest.size() && body.in_sections <= rest.size() &&
                         body.dictionary_segments <= rest.size() &&
                         rest.size() >= (body.out_sections + body.in_sections) * sizeof(format::SectionRecord) +
                                            (body.dictionary_segments + body.removed_extents) * extent_bytes;
  if (!counts_ok || !take_sections(rest, body.out_sections, limit, file.state.out) ||
      !take_sections(rest, body.in_sections, limit, file.state.in)) {
    return corrupt(where, "holds an impossible section table");
  }
  for (std::uint64_t i = 0; i < body.dictionary_segments; ++i) {
    file.state.dictionary.push_back(take_extent(rest, extent_bytes));
  }
  if (body.removed_extents != 0) file.state.removed = take_extent(rest, extent_bytes);
  if (!take_locations(rest, body.locations, file.state.locations)) {
    return corrupt(where, "holds an impossible list of locations");
  }
  if (file.format > 1 && !take_columns(rest, file.state)) {
    return corrupt(where, "holds an impossible list of columns");
  }
  const std::vector<Extent> extents = file.state.extents();
  if (!rest.empty() || !locations_known(extents, file.state.locations)) {
    return corrupt(where, "holds an impossible list of locations");
  }
  if (!ends_known(extents)) return corrupt(where, "names an extent that no file can hold");
  RIZOMA_TRY(validate(file.state, where));
  const ManifestState& state = file.state;
  if (std::max({state.generation, state.log_number, state.log_sequence}) >= format::kMostNumberFound) {
    return corrupt(where, "holds a number that no store can reach");
  }
  file.store = header.store;
  file.checksum = header.checksum;
  file.copied = body.copied != 0;
  file.length = sizeof header + header.body_bytes;
  file.append_at = file.length;
  read_publish_records(bytes, file);
  RIZOMA_CHECK(file.append_at <= bytes.size());
  return file;
}

format::PublishRecord publish_record(format::PublishKind kind, std::uint64_t log_number, std::uint64_t log_end,
                                     std::uint64_t next_sequence) {
  format::PublishRecord record;
  record.kind = kind;
  record.time = seconds_since_1970();
  record.log_number = log_number;
  record.log_end = log_end;
  record.next_sequence = next_sequence;
  record.checksum = own_checksum(record, format::kSeedPublish);
  return record;
}

}  // namespace rizoma
