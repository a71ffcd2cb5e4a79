#include <rizoma/cluster.h>
#include <rizoma/placement.h>

#include "api/open_options.h"
#include "store/columns/column_rules.h"
#include "store/log/log_chain.h"
#include "store/manifest/manifest_copies.h"
#include "store/manifest/part_file.h"
#include "store/manifest/superblock.h"
#include "store/store.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <system_error>
#include <utility>

namespace rizoma {
namespace {

constexpr unsigned kMostParts = 65'536;

Result<std::string> bytes_of(Medium& medium, std::string_view name, std::uint64_t most = UINT64_MAX) {
  RIZOMA_ASSIGN(const auto file, medium.open(name, FileMode::read));
  RIZOMA_ASSIGN(const std::uint64_t size, file->size());
  std::string bytes(std::min(size, most), '\0');
  RIZOMA_TRY(file->read(0, std::as_writable_bytes(std::span(bytes))));
  return bytes;
}

/// Whether a log has records.
Result<bool> says_something(Medium& medium, std::uint64_t number) {
  RIZOMA_ASSIGN(const std::string bytes, bytes_of(medium, log_name(number), sizeof(format::LogHeader) + 4));
  return bytes.size() > sizeof(format::LogHeader) &&
         bytes.compare(sizeof(format::LogHeader), std::string::npos, std::string(4, '\0')) != 0;
}

/// Which of the blocks, which ascend, have rows that entries of the section name.
std::vector<std::size_t> blocks_named(const SectionBytes& section, std::span<const RowsEntry> blocks) {
  std::vector<std::size_t> found;
  if (blocks.empty()) return found;
  std::vector<bool> named(blocks.size(), false);
  std::size_t last = 0;
  RowNumbers(section.spec, section.bytes).for_each(0, section.spec.num_entries, [&](std::size_t, double number) {
    const auto row = static_cast<std::uint64_t>(number);
    if (row < blocks[last].first || row - blocks[last].first >= blocks[last].rows) {
      const auto after = std::upper_bound(blocks.begin(), blocks.end(), row,
                                          [](std::uint64_t r, const RowsEntry& block) { return r < block.first; });
      if (after == blocks.begin()) return;  // row 0 has no values
      last = static_cast<std::size_t>(after - blocks.begin()) - 1;
    }
    named[last] = true;
  });
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (named[b]) found.push_back(b);
  }
  return found;
}

class Plan final : public Distribution {
 public:
  Plan(std::filesystem::path path, std::shared_ptr<Medium> medium, std::unique_ptr<Store> store,
       std::shared_ptr<const StoreSnapshot> snapshot)
      : path_(std::move(path)), medium_(std::move(medium)), store_(std::move(store)), snapshot_(std::move(snapshot)) {}

  /// False if changes wait outside of the sections.
  Result<bool> make(const format::Superblock& block, PlacementPolicy partition, unsigned parts, Executor& executor);

  [[nodiscard]] const std::string& state() const override { return state_; }
  [[nodiscard]] unsigned parts() const override { return part_.parts; }
  [[nodiscard]] const std::vector<std::filesystem::path>& sources() const override { return sources_; }
  [[nodiscard]] std::uint64_t data_bytes() const override { return data_bytes_; }
  [[nodiscard]] const std::vector<PartPiece>& pieces() const override { return pieces_; }
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> files(unsigned part) const override {
    Part own = part_;
    own.number = part;
    for (const auto& [block, reader] : readers_) {
      if (reader == part) own.edge_blocks[block] = true;
    }
    const std::vector<std::byte> bytes = encode_part(own);
    auto files = files_;
    files.emplace_back(kPartName, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    return files;
  }

 private:
  Status take_locations(const FoundManifest& manifest);
  [[nodiscard]] PartPiece piece_of(const Extent& extent, std::uint64_t head, unsigned part) const;
  Result<bool> take_sections(const StoreSnapshot::Versions& versions, std::span<const RowsEntry> rows,
                             std::vector<std::uint64_t>& heads);
  void take_rows(std::span<const RowsEntry> rows);
  void take_others(ManifestState state);
  Result<bool> take_files(const format::Superblock& block);
  Status put_together(const FoundManifest& manifest);

  std::filesystem::path path_;
  std::shared_ptr<Medium> medium_;
  std::unique_ptr<Store> store_;  ///< protects from writers the extents that the snapshot names
  std::shared_ptr<const StoreSnapshot> snapshot_;
  std::string state_;
  Part part_;
  std::vector<std::filesystem::path> sources_;
  std::map<unsigned, unsigned> source_of_;  ///< of each location
  std::vector<std::uint64_t> begins_;       ///< where the bytes of each source are in a part
  std::uint64_t data_bytes_ = 0;
  std::vector<PartPiece> pieces_;
  std::set<std::pair<std::size_t, unsigned>> readers_;  ///< blocks of rows of edges, and parts whose sections name them
  std::vector<std::pair<std::string, std::string>> files_;
};

Result<bool> Plan::make(const format::Superblock& block, PlacementPolicy partition, unsigned parts,
                        Executor& executor) {
  RIZOMA_ASSIGN(const FoundManifest manifest, read_manifest(*medium_, block.store, block.manifest_number));
  const ManifestState& state = manifest.file.state;
  RIZOMA_TRY(take_locations(manifest));
  RIZOMA_ASSIGN(const bool settled, take_files(block));
  if (!settled || snapshot_->num_vertices() != state.num_vertices) return false;
  RIZOMA_ASSIGN(const GraphView view, snapshot_->view(executor));
  part_.owners = owners_of_sections(partition, section_loads(view), snapshot_->schema().section_bits, parts);
  part_.owners.resize(snapshot_->parts().out.size());  // a graph without vertices has no section, but an owner
  part_.parts = parts;
  part_.rule = static_cast<std::uint32_t>(partition);
  part_.store = block.store;
  part_.generation = block.generation;
  part_.edge_blocks.assign(state.edge_rows.size(), false);
  state_ = state_of(part_);
  for (auto [versions, heads] :
       {std::pair(&snapshot_->parts().out, &part_.out_heads), std::pair(&snapshot_->parts().in, &part_.in_heads)}) {
    if (versions->empty()) continue;
    RIZOMA_ASSIGN(const bool whole, take_sections(*versions, state.edge_rows, *heads));
    if (!whole) return false;
  }
  take_rows(state.edge_rows);
  take_others(state);
  if (!state.locations.empty()) RIZOMA_TRY(put_together(manifest));
  return true;
}

/// The bytes of all locations, one after another.
Status Plan::take_locations(const FoundManifest& manifest) {
  const ManifestState& state = manifest.file.state;
  if (!state.locations.empty() && manifest.file.format < format::kFormat) {
    return Error{ErrorCode::unsupported,
                 "a graph of format " + std::to_string(manifest.file.format) +
                     " that is spread over several locations cannot be distributed; run `rizoma upgrade` on it first"};
  }
  std::vector<std::pair<unsigned, std::filesystem::path>> places{{0, path_}};
  for (const LocationEntry& entry : state.locations) {
    if (entry.number != 0) places.emplace_back(entry.number, entry.path);
  }
  for (const auto& [number, place] : places) {
    source_of_[number] = static_cast<unsigned>(sources_.size());
    sources_.push_back(place / kDataName);
    begins_.push_back((data_bytes_ + format::kPage - 1) / format::kPage * format::kPage);
    std::error_code failed;
    data_bytes_ = begins_.back() + std::filesystem::file_size(sources_.back(), failed);
    if (failed) return Error{ErrorCode::io, "cannot read " + sources_.back().string() + ": " + failed.message()};
  }
  return {};
}

PartPiece Plan::piece_of(const Extent& extent, std::uint64_t head, unsigned part) const {
  const unsigned source = source_of_.at(extent.location);
  return {begins_[source] + extent.offset, extent.bytes, head, static_cast<int>(part), source, extent.offset};
}

/// False if a section is not an image as it will be read.
Result<bool> Plan::take_sections(const StoreSnapshot::Versions& versions, std::span<const RowsEntry> rows,
                                 std::vector<std::uint64_t>& heads) {
  heads.assign(part_.owners.size(), 0);
  MergeArena memory;
  for (SectionId s = 0; s < versions.size(); ++s) {
    if (versions[s] == nullptr) continue;
    const SectionVersion& version = *versions[s];
    if (version.parts().image == nullptr || version.num_changes() > 0) return false;
    const StoredImage& image = *version.parts().image;
    RIZOMA_ASSIGN(const SectionBytes section, version.load(memory));
    if (section.bytes.size() != image.extent().bytes || image_id(section.bytes) != image.id()) return false;
    heads[s] = image_head_checksum(section.spec, section.bytes);
    pieces_.push_back(piece_of(image.extent(), image_layout(section.spec).targets, part_.owners[s]));
    for (const std::size_t block : blocks_named(section, rows)) readers_.emplace(block, part_.owners[s]);
  }
  return true;
}

/// Values of edges, for each part that has such edges.
void Plan::take_rows(std::span<const RowsEntry> rows) {
  for (const auto& [block, reader] : readers_) pieces_.push_back(piece_of(rows[block].extent, 0, reader));
}

/// What every part has: ids, removed vertices, values of vertices.
void Plan::take_others(ManifestState state) {
  state.edge_rows.clear();
  const auto by_offset = [](const PartPiece& a, const PartPiece& b) { return a.offset < b.offset; };
  std::sort(pieces_.begin(), pieces_.end(), by_offset);
  const std::size_t sections = pieces_.size();
  for (const Extent& extent : state.extents()) {
    if (extent.empty()) continue;
    PartPiece piece = piece_of(extent, 0, 0);
    piece.part = PartPiece::kEveryPart;
    const auto last = pieces_.begin() + static_cast<std::ptrdiff_t>(sections);
    const auto same = std::lower_bound(pieces_.begin(), last, piece, by_offset);
    if (same == last || same->offset != piece.offset) pieces_.push_back(piece);
  }
  std::sort(pieces_.begin(), pieces_.end(), by_offset);
}

/// The small files of the state; false if its logs have records.
Result<bool> Plan::take_files(const format::Superblock& block) {
  RIZOMA_ASSIGN(const std::vector<std::uint64_t> logs, logs_from(*medium_, block.manifest_number));
  for (const std::uint64_t number : logs) {
    RIZOMA_ASSIGN(const bool says, says_something(*medium_, number));
    if (says) return false;
    RIZOMA_ASSIGN(files_.emplace_back(log_name(number), "").second,
                  bytes_of(*medium_, log_name(number), sizeof(format::LogHeader)));
  }
  std::vector<std::string> names = {kSuperblockName, manifest_name(block.manifest_number)};
  const std::string copy = manifest_copy_name(block.manifest_number);
  RIZOMA_ASSIGN(const bool copied, medium_->exists(copy));
  if (copied) names.push_back(copy);
  for (const std::string& name : names) {
    RIZOMA_ASSIGN(files_.emplace_back(name, "").second, bytes_of(*medium_, name));
  }
  return true;
}

/// The manifest of a store that was spread over locations, as that of a part, which is one directory: everything is
/// where its piece is, and tagged states, whose extents are not moved, are left out.
Status Plan::put_together(const FoundManifest& manifest) {
  ManifestState state = manifest.file.state;
  state.tags.clear();
  RIZOMA_TRY(state.move_extents([&](const Extent& extent) -> Result<Extent> {
    return Extent{begins_[source_of_.at(extent.location)] + extent.offset, extent.bytes, 0};
  }));
  state.locations.clear();
  state.embedded_at.reset();
  const std::vector<std::byte> bytes = encode_manifest(state, part_.store, manifest.number);
  for (auto& [name, content] : files_) {
    const bool one = name == manifest_name(manifest.number) || name == manifest_copy_name(manifest.number);
    if (one) content.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<Distribution>> distribute(const std::filesystem::path& path, PlacementPolicy partition,
                                                 unsigned parts, Executor& executor) {
  if (parts < 1 || parts > kMostParts) {
    return Error{ErrorCode::invalid_argument, "a graph is distributed over 1 to " + std::to_string(kMostParts) +
                                                  " parts, not " + std::to_string(parts)};
  }
  const OpenOptions options{.mode = OpenMode::read_only};
  RIZOMA_ASSIGN(std::shared_ptr<Medium> medium, open_directory(path, options.mode, options.medium));
  RIZOMA_ASSIGN(auto store, Store::open_read_only(medium, store_options(path, options)));
  RIZOMA_ASSIGN(auto snapshot, store->snapshot());
  RIZOMA_ASSIGN(const SuperblockSlots slots, read_superblock(*medium));
  const format::Superblock block = *slots.newest();
  auto plan = std::make_unique<Plan>(path, medium, std::move(store), std::move(snapshot));
  RIZOMA_ASSIGN(const bool settled, plan->make(block, partition, parts, executor));
  // What was read while a writer published is of two states.
  RIZOMA_ASSIGN(const SuperblockSlots now, read_superblock(*medium));
  if (!settled || now.newest()->generation != block.generation) return std::unique_ptr<Distribution>();
  return std::unique_ptr<Distribution>(std::move(plan));
}

}  // namespace rizoma
