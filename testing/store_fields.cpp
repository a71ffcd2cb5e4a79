#include "testing/store_fields.h"

#include "base/check.h"
#include "store/dictionary/dictionary_segment.h"
#include "store/format.h"
#include "store/publishing/manifest.h"
#include "store/publishing/manifest_copies.h"
#include "store/sections/image.h"
#include "testing/fuzz_store.h"

#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <span>
#include <utility>

namespace rizoma::testing {
namespace {

template <class Record>
Record record_at(const std::vector<std::byte>& bytes, std::uint64_t at) {
  Record record;
  RIZOMA_CHECK(at + sizeof record <= bytes.size());
  std::memcpy(&record, bytes.data() + at, sizeof record);
  return record;
}

class Finder {
 public:
  explicit Finder(const FileContents& files) : files_(files) {}

  StoreFields find() {
    find_superblock();
    find_manifest();
    for (const auto& [name, bytes] : files_) {
      if (name.starts_with("log.")) find_log(name, bytes);
    }
    return std::move(found_);
  }

 private:
  using Widths = std::initializer_list<unsigned>;

  void begin_group() { found_.groups.emplace_back(); }
  /// Numbers of these widths, one behind the other; returns where they end.
  std::uint64_t add(const std::string& file, std::uint64_t at, Widths widths) {
    for (const unsigned width : widths) {
      found_.groups.back().push_back({file, at, width});
      at += width;
    }
    return at;
  }
  void add_array(const std::string& file, std::uint64_t at, std::uint64_t count, unsigned width) {
    for (std::uint64_t i = 0; i < count; ++i) add(file, at + i * width, {width});
  }

  void find_superblock() {
    for (const std::uint64_t at : {std::uint64_t{0}, format::kPage}) {
      begin_group();
      add("superblock", at + 8, {4, 4, 8, 8, 8, 8, 8});
    }
    const auto block = record_at<format::Superblock>(files_.at("superblock"), 0);
    found_.manifest = manifest_name(block.manifest_number);
    found_.manifest_copy = manifest_copy_name(block.manifest_number);
  }

  void find_manifest() {
    const std::string& name = found_.manifest;
    const std::vector<std::byte>& bytes = files_.at(name);
    const auto header = record_at<format::ManifestHeader>(bytes, 0);
    const auto body = record_at<format::ManifestBody>(bytes, sizeof header);
    found_.num_vertices = body.num_vertices;
    found_.section_bits = body.section_bits;
    begin_group();
    add(name, 4, {4, 8, 8, 8, 8, 8});
    begin_group();
    std::uint64_t at = add(name, sizeof header, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 8, 8, 8, 8, 8, 8, 8});
    for (std::uint64_t i = 0; i < body.out_sections + body.in_sections; ++i) {
      const auto record = record_at<format::SectionRecord>(bytes, at);
      const std::uint64_t begin = at;
      begin_group();
      at = add(name, at, {8, 8, 8, 8, 8, 8, 8, 8, 8, 8});
      if (record.image_bytes > 0) find_image(record.image_offset, record.image_bytes, begin + 24);
      if (record.delta_bytes > 0) find_delta(record.delta_offset, record.delta_bytes, begin + 64);
    }
    for (std::uint64_t i = 0; i < body.dictionary_segments + body.removed_extents; ++i) {
      const auto record = record_at<format::ExtentRecord>(bytes, at);
      begin_group();
      const std::uint64_t id_at = at + offsetof(format::ExtentRecord, id);
      at = add(name, at, {8, 8, 8});
      i < body.dictionary_segments ? find_segment(record, id_at) : find_removed(record, id_at);
    }
    at = find_columns(name, bytes, at);
    for (; at + sizeof(format::PublishRecord) <= bytes.size(); at += sizeof(format::PublishRecord)) {
      begin_group();
      add(name, at + 4, {4, 8, 8, 8});
    }
  }

  /// Columns and blocks of rows of a manifest without locations and tags; returns where they end.
  std::uint64_t find_columns(const std::string& name, const std::vector<std::byte>& bytes, std::uint64_t at) {
    const auto header = record_at<format::ManifestColumns>(bytes, at);
    begin_group();
    at = add(name, at, {4, 4, 4, 4, 8, 8, 8, 8});
    for (std::uint32_t i = 0; i < header.edge_columns + header.vertex_columns; ++i) {
      const auto column = record_at<format::ManifestColumn>(bytes, at);
      at = add(name, at, {4, 1, 1, 2}) + (std::uint64_t{column.name_bytes} + 7) / 8 * 8;
    }
    for (std::uint64_t i = 0; i < header.edge_blocks + header.vertex_blocks; ++i) {
      const auto record = record_at<format::RowsRecord>(bytes, at);
      find_rows(record, at + offsetof(format::RowsRecord, id));
      begin_group();
      at = add(name, at, {8, 8, 8, 8, 8});
    }
    return at;
  }

  void find_rows(const format::RowsRecord& record, std::uint64_t id_at) {
    const auto header = record_at<format::RowsHeader>(files_.at("data"), record.offset);
    begin_group();
    add("data", record.offset + 4, {2, 1, 1, 8, 8, 4, 4, 8});
    std::uint64_t at = record.offset + sizeof header;
    begin_group();
    for (std::uint32_t i = 0; i < header.num_columns; ++i) at = add("data", at, {4, 1, 1, 1, 1, 8, 8, 8, 8});
    begin_group();
    add_array("data", at, (record.offset + record.bytes - at) / 8, 8);
    found_.extents.push_back({"rows", record.offset, record.bytes, id_at});
  }

  void find_image(std::uint64_t at, std::uint64_t bytes, std::uint64_t id_at) {
    const auto header = record_at<format::ImageHeader>(files_.at("data"), at);
    ImageSpec spec;
    spec.num_vertices = header.num_vertices;
    spec.num_entries = header.num_entries;
    spec.target_bytes = header.target_bytes;
    spec.weights = static_cast<WeightType>(header.weight_type);
    const ImageLayout layout = image_layout(spec);
    begin_group();
    add("data", at + 4, {2, 1, 1, 8, 4, 1, 1, 1, 1, 8, 8, 8});
    begin_group();
    add_array("data", at + layout.offsets, spec.num_vertices + 1, 4);
    add_array("data", at + layout.targets, spec.num_entries, spec.target_bytes);
    const unsigned width = weight_bytes(spec.weights);
    if (width > 0) add_array("data", at + layout.weights, spec.num_entries, width);
    found_.extents.push_back({"image", at, bytes, id_at});
  }

  void find_delta(std::uint64_t at, std::uint64_t bytes, std::uint64_t id_at) {
    begin_group();
    add("data", at + 4, {2, 1, 1, 8, 8, 8, 8, 8});
    begin_group();
    add_array("data", at + sizeof(format::DeltaHeader), (bytes - sizeof(format::DeltaHeader)) / 8, 8);
    found_.extents.push_back({"delta", at, bytes, id_at});
  }

  void find_segment(const format::ExtentRecord& extent, std::uint64_t id_at) {
    const auto header = record_at<DictionarySegmentHeader>(files_.at("data"), extent.offset);
    begin_group();
    add("data", extent.offset + 8, {2, 1, 1, 4, 8, 8, 8, 8, 8, 8, 8, 8});
    begin_group();
    add_array("data", extent.offset + sizeof header, (header.sums_at - sizeof header) / 4, 4);
    found_.extents.push_back({"dictionary", extent.offset, extent.bytes, id_at});
  }

  void find_removed(const format::ExtentRecord& extent, std::uint64_t id_at) {
    begin_group();
    add("data", extent.offset + 4, {2, 2, 8, 8});
    add_array("data", extent.offset + sizeof(format::RemovedHeader), (extent.bytes - sizeof(format::RemovedHeader)) / 8,
              8);
    found_.extents.push_back({"removed", extent.offset, extent.bytes, id_at});
  }

  void find_log(const std::string& name, const std::vector<std::byte>& bytes) {
    begin_group();
    add(name, 4, {4, 8, 8, 8, 8, 8, 8});
    for (std::uint64_t at = sizeof(format::LogHeader); at + sizeof(format::LogRecord) <= bytes.size();) {
      const auto record = record_at<format::LogRecord>(bytes, at);
      if (record.magic != format::kRecordMagic) break;
      begin_group();
      const std::uint64_t begin = add(name, at + 4, {4, 8, 8, 8}) + 16;
      const std::uint64_t end = begin + (record.payload_bytes + 7) / 8 * 8;
      add_array(name, begin, (std::min<std::uint64_t>(end, bytes.size()) - begin) / 8, 8);
      at = end;
    }
  }

  const FileContents& files_;
  StoreFields found_;
};

std::span<std::byte> part_of(std::vector<std::byte>& bytes, std::uint64_t at, std::uint64_t size) {
  if (at > bytes.size() || size > bytes.size() - at) return {};
  return std::span(bytes).subspan(at, size);
}

}  // namespace

StoreFields find_fields(const FileContents& files) { return Finder(files).find(); }

void seal_store(const StoreFields& fields, FileContents& files) {
  for (const SealedExtent& extent : fields.extents) {
    const auto data = files.find("data");
    if (data == files.end()) break;
    const std::span<std::byte> bytes = part_of(data->second, extent.at, extent.bytes);
    if (bytes.empty()) continue;
    seal_structure(extent.structure, bytes);
    if (extent.id_in_manifest == 0) continue;
    const std::size_t id_at = extent.structure == "dictionary" ? offsetof(DictionarySegmentHeader, checksum)
                                                               : offsetof(format::ImageHeader, checksum);
    for (const std::string& name : {fields.manifest, fields.manifest_copy}) {
      const auto manifest = files.find(name);
      if (manifest == files.end()) continue;
      const std::span<std::byte> id = part_of(manifest->second, extent.id_in_manifest, 8);
      if (!id.empty()) std::memcpy(id.data(), bytes.data() + id_at, id.size());
    }
  }
  for (auto& [name, bytes] : files) {
    if (name.starts_with("manifest")) seal_structure("manifest", bytes);
    if (name.starts_with("log.")) seal_structure("log", bytes);
    if (name == "superblock") seal_structure("superblock", bytes);
  }
}

}  // namespace rizoma::testing
