#include "testing/store_fields.h"

#include "base/check.h"
#include "store/dictionary/dictionary_segment.h"
#include "store/disk_format.h"
#include "store/manifest/manifest.h"
#include "store/manifest/manifest_copies.h"
#include "store/sections/image.h"
#include "testing/fuzz_store.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <optional>
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
  Finder(const FileContents& files, const std::string& prefix) : files_(files), prefix_(prefix) {}

  StoreFields find() {
    find_superblock();
    find_present_state();
    for (const auto& [name, bytes] : files_) {
      if (name_in_directory(name).starts_with("log.")) find_log(name, bytes);
      if (name_in_directory(name) == "location") find_mark(name, bytes);
    }
    return std::move(found_);
  }

 private:
  using Widths = std::initializer_list<unsigned>;

  /// Where a manifest is, and in which group its records are; no group: each in one of its own.
  struct Place {
    std::string file;
    std::uint64_t begin = 0;
    std::optional<std::size_t> group;
  };
  /// A place that an extent of a manifest has there, unpacked.
  struct Named {
    std::string file;
    std::uint64_t at = 0;
    std::uint64_t bytes = 0;
    Field id;
  };

  void begin_group() { begin_group_of(std::nullopt); }
  void begin_group_of(std::optional<std::size_t> group) {
    if (!group) found_.groups.emplace_back();
    group_ = group.value_or(found_.groups.size() - 1);
  }
  /// Numbers of these widths, one after another; returns where they end.
  std::uint64_t add(const std::string& file, std::uint64_t at, Widths widths) {
    for (const unsigned width : widths) {
      found_.groups[group_].push_back({file, at, width});
      at += width;
    }
    return at;
  }
  void add_array(const std::string& file, std::uint64_t at, std::uint64_t count, unsigned width) {
    for (std::uint64_t i = 0; i < count; ++i) add(file, at + i * width, {width});
  }
  /// The bytes of a name or a path, padded with zeros; returns where they end.
  std::uint64_t add_text(const std::string& file, std::uint64_t at, std::uint64_t size) {
    add_array(file, at, size, 1);
    return at + (size + 7) / 8 * 8;
  }

  void find_superblock() {
    const std::string name = prefix_ + "superblock";
    for (const std::uint64_t at : {std::uint64_t{0}, format::kPage}) {
      begin_group();
      add(name, at + 8, {4, 4, 8, 8, 8, 8, 8});
    }
    const auto block = record_at<format::Superblock>(files_.at(name), 0);
    found_.manifest = prefix_ + manifest_name(block.manifest_number);
    found_.manifest_copy = prefix_ + manifest_copy_name(block.manifest_number);
  }

  void find_present_state() {
    const std::vector<std::byte>& bytes = files_.at(found_.manifest);
    const auto header = record_at<format::ManifestHeader>(bytes, 0);
    const auto body = record_at<format::ManifestBody>(bytes, sizeof header);
    found_.num_vertices = body.num_vertices;
    found_.section_bits = body.section_bits;
    const auto file = decode_manifest(bytes, header.store, header.number, found_.manifest);
    RIZOMA_CHECK(file.ok());
    data_ = {prefix_ + "data"};
    for (const LocationEntry& entry : file->state.locations) {
      if (entry.number == 0) continue;
      data_.resize(std::max<std::size_t>(data_.size(), entry.number + 1));
      data_[entry.number] = entry.path + ":data";
    }
    std::uint64_t at = find_manifest({found_.manifest, 0, std::nullopt});
    for (; at + sizeof(format::PublishRecord) <= bytes.size(); at += sizeof(format::PublishRecord)) {
      begin_group();
      add(found_.manifest, at + 4, {4, 8, 8, 8});
    }
  }

  /// Returns where its publish records begin.
  std::uint64_t find_manifest(const Place& place) {
    const std::string& name = place.file;
    const std::vector<std::byte>& bytes = files_.at(name);
    const auto body = record_at<format::ManifestBody>(bytes, place.begin + sizeof(format::ManifestHeader));
    begin_group();
    add(name, place.begin + 4, {4, 8, 8, 8, 8, 8});
    begin_group();
    std::uint64_t at = add(name, place.begin + sizeof(format::ManifestHeader),
                           {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 8, 8, 8, 8, 8, 8, 8});
    for (std::uint64_t i = 0; i < body.out_sections + body.in_sections; ++i) {
      const auto record = record_at<format::SectionRecord>(bytes, at);
      const std::uint64_t begin = at;
      begin_group_of(place.group);
      at = add(name, at, {8, 8, 8, 8, 8, 8, 8, 8, 8, 8});
      if (record.image_bytes > 0) find_image(named(record.image_offset, record.image_bytes, {name, begin + 24}));
      if (record.delta_bytes > 0) find_delta(named(record.delta_offset, record.delta_bytes, {name, begin + 64}));
    }
    for (std::uint64_t i = 0; i < body.dictionary_segments + body.removed_extents; ++i) {
      const auto record = record_at<format::ExtentRecord>(bytes, at);
      begin_group_of(place.group);
      const Field id{name, at + offsetof(format::ExtentRecord, id)};
      at = add(name, at, {8, 8, 8});
      const Named extent = named(record.offset, record.bytes, id);
      i < body.dictionary_segments ? find_segment(extent) : find_removed(extent);
    }
    for (std::uint64_t i = 0; i < body.locations; ++i) {
      const auto record = record_at<format::LocationRecord>(bytes, at);
      begin_group_of(place.group);
      at = add_text(name, add(name, at, {4, 4, 8}), record.path_bytes);
    }
    return find_columns(place, bytes, at);
  }

  /// Columns, blocks of rows and tags; returns where they end.
  std::uint64_t find_columns(const Place& place, const std::vector<std::byte>& bytes, std::uint64_t at) {
    const std::string& name = place.file;
    const auto header = record_at<format::ManifestColumns>(bytes, at);
    begin_group_of(place.group);
    at = add(name, at, {4, 4, 4, 4, 8, 8, 8, 8});
    for (std::uint32_t i = 0; i < header.edge_columns + header.vertex_columns; ++i) {
      const auto column = record_at<format::ManifestColumn>(bytes, at);
      at = add(name, at, {4, 1, 1, 2}) + (std::uint64_t{column.name_bytes} + 7) / 8 * 8;
    }
    for (std::uint64_t i = 0; i < header.edge_blocks + header.vertex_blocks; ++i) {
      const auto record = record_at<format::RowsRecord>(bytes, at);
      find_rows(named(record.offset, record.bytes, {name, at + offsetof(format::RowsRecord, id)}));
      begin_group_of(place.group);
      at = add(name, at, {8, 8, 8, 8, 8});
    }
    for (std::uint64_t i = 0; i < header.tags; ++i) {
      const auto record = record_at<format::ManifestTag>(bytes, at);
      begin_group();
      const Field id{name, at + offsetof(format::ManifestTag, id)};
      at = add_text(name, add(name, at, {8, 8, 8, 8, 8}), record.name_bytes);
      find_tagged(named(record.offset, record.bytes, id));
    }
    return at;
  }

  [[nodiscard]] Named named(std::uint64_t packed, std::uint64_t bytes, Field id) const {
    const std::uint64_t location = packed >> format::kLocationShift;
    return {data_.at(location), packed & ((std::uint64_t{1} << format::kLocationShift) - 1), bytes, std::move(id)};
  }
  /// Notes an extent; false if another state, or another record, names it too and has met it before.
  bool is_new(const std::string& structure, const Named& extent) {
    for (SealedExtent& known : found_.extents) {
      if (known.file != extent.file || known.at != extent.at) continue;
      known.ids.push_back(extent.id);
      return false;
    }
    found_.extents.push_back({structure, extent.file, extent.at, extent.bytes, {extent.id}});
    return true;
  }

  /// The records of a tagged state are one group: there are only 256 groups that an edit can name.
  void find_tagged(const Named& extent) {
    begin_group();
    find_manifest({extent.file, extent.at, group_});
    is_new("manifest", extent);
  }

  void find_rows(const Named& extent) {
    if (!is_new("rows", extent)) return;
    const auto header = record_at<format::RowsHeader>(files_.at(extent.file), extent.at);
    begin_group();
    add(extent.file, extent.at + 4, {2, 1, 1, 8, 8, 4, 4, 8});
    std::uint64_t at = extent.at + sizeof header;
    begin_group();
    for (std::uint32_t i = 0; i < header.num_columns; ++i) at = add(extent.file, at, {4, 1, 1, 1, 1, 8, 8, 8, 8});
    begin_group();
    add_array(extent.file, at, (extent.at + extent.bytes - at) / 8, 8);
  }

  void find_image(const Named& extent) {
    if (!is_new("image", extent)) return;
    const auto header = record_at<format::ImageHeader>(files_.at(extent.file), extent.at);
    ImageSpec spec;
    spec.num_vertices = header.num_vertices;
    spec.num_entries = header.num_entries;
    spec.target_bytes = header.target_bytes;
    spec.weights = static_cast<WeightType>(header.weight_type);
    spec.row_bits = header.row_bits;
    const ImageLayout layout = image_layout(spec);
    begin_group();
    add(extent.file, extent.at + 4, {2, 1, 1, 8, 4, 1, 1, 1, 1, 8, 8, 8});
    begin_group();
    add_array(extent.file, extent.at + layout.offsets, spec.num_vertices + 1, 4);
    add_array(extent.file, extent.at + layout.targets, spec.num_entries, spec.target_bytes);
    const unsigned width = weight_bytes(spec.weights);
    if (spec.row_bits > 0) {
      add_array(extent.file, extent.at + layout.weights, packed_bytes(spec.num_entries, spec.row_bits) / 8, 8);
    } else if (width > 0) {
      add_array(extent.file, extent.at + layout.weights, spec.num_entries, width);
    }
  }

  void find_delta(const Named& extent) {
    if (!is_new("delta", extent)) return;
    begin_group();
    add(extent.file, extent.at + 4, {2, 1, 1, 8, 8, 8, 8, 8});
    begin_group();
    constexpr std::uint64_t kHeader = sizeof(format::DeltaHeader);
    add_array(extent.file, extent.at + kHeader, (extent.bytes - kHeader) / 8, 8);
  }

  void find_segment(const Named& extent) {
    if (!is_new("dictionary", extent)) return;
    const auto header = record_at<DictionarySegmentHeader>(files_.at(extent.file), extent.at);
    begin_group();
    add(extent.file, extent.at + 8, {2, 1, 1, 4, 8, 8, 8, 8, 8, 8, 8, 8});
    begin_group();
    add_array(extent.file, extent.at + sizeof header, (header.sums_at - sizeof header) / 4, 4);
  }

  void find_removed(const Named& extent) {
    if (!is_new("removed", extent)) return;
    begin_group();
    add(extent.file, extent.at + 4, {2, 2, 8, 8});
    constexpr std::uint64_t kHeader = sizeof(format::RemovedHeader);
    add_array(extent.file, extent.at + kHeader, (extent.bytes - kHeader) / 8, 8);
  }

  void find_mark(const std::string& name, const std::vector<std::byte>& bytes) {
    begin_group();
    const std::uint64_t at = add(name, 4, {4, 8, 8, 8, 4, 4, 8, 8}) + 8;
    add_array(name, at, bytes.size() - at, 1);
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
  const std::string prefix_;
  std::vector<std::string> data_;  ///< file by number of location
  std::size_t group_ = 0;
  StoreFields found_;
};

/// Where the header of an extent has its checksum, by which manifests know it.
std::size_t checksum_at(std::string_view structure) {
  if (structure == "dictionary") return offsetof(DictionarySegmentHeader, checksum);
  return structure == "manifest" ? offsetof(format::ManifestHeader, checksum) : offsetof(format::ImageHeader, checksum);
}

std::span<std::byte> part_of(std::vector<std::byte>& bytes, std::uint64_t at, std::uint64_t size) {
  if (at > bytes.size() || size > bytes.size() - at) return {};
  return std::span(bytes).subspan(at, size);
}

}  // namespace

std::string_view name_in_directory(std::string_view name) {
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

StoreFields find_fields(const FileContents& files, const std::string& prefix) { return Finder(files, prefix).find(); }

void seal_store(const StoreFields& fields, FileContents& files) {
  const auto part = [&files](const std::string& file, std::uint64_t at, std::uint64_t size) {
    const auto found = files.find(file);
    return found == files.end() ? std::span<std::byte>() : part_of(found->second, at, size);
  };
  for (const SealedExtent& extent : fields.extents) {
    const std::span<std::byte> bytes = part(extent.file, extent.at, extent.bytes);
    if (bytes.empty()) continue;
    seal_structure(extent.structure, bytes);
    const auto copy_id = [&](const std::string& file, std::uint64_t at) {
      const std::span<std::byte> id = part(file, at, 8);
      if (!id.empty()) std::memcpy(id.data(), bytes.data() + checksum_at(extent.structure), id.size());
    };
    for (const Field& id : extent.ids) {
      copy_id(id.file, id.at);
      if (id.file == fields.manifest) copy_id(fields.manifest_copy, id.at);
    }
  }
  for (auto& [file, bytes] : files) {
    const std::string_view name = name_in_directory(file);
    if (name.starts_with("manifest")) seal_structure("manifest", bytes);
    if (name.starts_with("log.")) seal_structure("log", bytes);
    if (name == "superblock" || name == "location") seal_structure(name, bytes);
  }
}

}  // namespace rizoma::testing
