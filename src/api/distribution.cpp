#include <rizoma/distribution.h>
#include <rizoma/section_placement.h>

#include "api/store_options.h"
#include "store/columns/column_rules.h"
#include "store/log/log_chain.h"
#include "store/publishing/manifest_copies.h"
#include "store/publishing/part_file.h"
#include "store/publishing/superblock.h"
#include "store/store.h"

#include <algorithm>
#include <span>
#include <string>
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

class Plan final : public Distribution {
 public:
  Plan(std::shared_ptr<Medium> medium, std::unique_ptr<Store> store, std::shared_ptr<const StoreSnapshot> snapshot)
      : medium_(std::move(medium)), store_(std::move(store)), snapshot_(std::move(snapshot)) {}

  /// False if changes wait outside of the sections.
  Result<bool> make(const format::Superblock& block, PlacementPolicy partition, unsigned parts, Executor& executor);

  [[nodiscard]] const std::string& state() const override { return state_; }
  [[nodiscard]] unsigned parts() const override { return part_.parts; }
  [[nodiscard]] std::uint64_t data_bytes() const override { return data_bytes_; }
  [[nodiscard]] const std::vector<PartPiece>& pieces() const override { return pieces_; }
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> files(unsigned part) const override {
    Part own = part_;
    own.number = part;
    const std::vector<std::byte> bytes = encode_part(own);
    auto files = files_;
    files.emplace_back(kPartName, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    return files;
  }

 private:
  Result<bool> take_sections(const StoreSnapshot::Versions& versions, std::vector<std::uint64_t>& heads);
  void take_others(const ManifestState& state);
  Result<bool> take_files(const format::Superblock& block);

  std::shared_ptr<Medium> medium_;
  std::unique_ptr<Store> store_;  ///< keeps writers from what the snapshot names
  std::shared_ptr<const StoreSnapshot> snapshot_;
  std::string state_;
  Part part_;
  std::uint64_t data_bytes_ = 0;
  std::vector<PartPiece> pieces_;
  std::vector<std::pair<std::string, std::string>> files_;
};

Result<bool> Plan::make(const format::Superblock& block, PlacementPolicy partition, unsigned parts,
                        Executor& executor) {
  RIZOMA_ASSIGN(const FoundManifest manifest, read_manifest(*medium_, block.store, block.manifest_number));
  const ManifestState& state = manifest.file.state;
  if (state.schema.rows || !state.schema.edge_columns.empty()) {
    return Error{ErrorCode::unsupported, "a graph whose edges have columns cannot be distributed yet"};
  }
  if (!state.locations.empty()) {
    return Error{ErrorCode::unsupported, "a graph that is spread over several locations cannot be distributed yet"};
  }
  RIZOMA_ASSIGN(const bool settled, take_files(block));
  if (!settled || snapshot_->num_vertices() != state.num_vertices) return false;
  RIZOMA_ASSIGN(const GraphView view, snapshot_->view(executor));
  part_.owners = owners_of_sections(partition, section_loads(view), snapshot_->schema().section_bits, parts);
  part_.parts = parts;
  part_.rule = static_cast<std::uint32_t>(partition);
  part_.store = block.store;
  part_.generation = block.generation;
  state_ = state_of(part_);
  for (auto [versions, heads] :
       {std::pair(&snapshot_->parts().out, &part_.out_heads), std::pair(&snapshot_->parts().in, &part_.in_heads)}) {
    if (versions->empty()) continue;
    RIZOMA_ASSIGN(const bool whole, take_sections(*versions, *heads));
    if (!whole) return false;
  }
  take_others(state);
  RIZOMA_ASSIGN(const auto data, medium_->open(kDataName, FileMode::read));
  RIZOMA_ASSIGN(data_bytes_, data->size());
  return true;
}

/// False if a section is not an image as it will be read.
Result<bool> Plan::take_sections(const StoreSnapshot::Versions& versions, std::vector<std::uint64_t>& heads) {
  heads.assign(part_.owners.size(), 0);
  FoldMemory memory;
  for (SectionId s = 0; s < versions.size(); ++s) {
    if (versions[s] == nullptr) continue;
    const SectionVersion& version = *versions[s];
    if (version.parts().image == nullptr || version.num_changes() > 0) return false;
    const StoredImage& image = *version.parts().image;
    RIZOMA_ASSIGN(const SectionBytes section, version.load(memory));
    if (section.bytes.size() != image.extent().bytes || image_id(section.bytes) != image.id()) return false;
    heads[s] = image_head_checksum(section.spec, section.bytes);
    pieces_.push_back({image.extent().offset, image.extent().bytes, image_layout(section.spec).targets,
                       static_cast<int>(part_.owners[s])});
  }
  return true;
}

/// What every part has: ids, removed vertices, values of vertices.
void Plan::take_others(const ManifestState& state) {
  const auto by_offset = [](const PartPiece& a, const PartPiece& b) { return a.offset < b.offset; };
  std::sort(pieces_.begin(), pieces_.end(), by_offset);
  const std::size_t sections = pieces_.size();
  for (const Extent& extent : state.extents()) {
    const PartPiece piece{extent.offset, extent.bytes, 0, PartPiece::kEveryPart};
    const auto last = pieces_.begin() + static_cast<std::ptrdiff_t>(sections);
    const auto same = std::lower_bound(pieces_.begin(), last, piece, by_offset);
    if (!extent.empty() && (same == last || same->offset != piece.offset)) pieces_.push_back(piece);
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
  auto plan = std::make_unique<Plan>(medium, std::move(store), std::move(snapshot));
  RIZOMA_ASSIGN(const bool settled, plan->make(block, partition, parts, executor));
  // What was read while a writer published is of two states.
  RIZOMA_ASSIGN(const SuperblockSlots now, read_superblock(*medium));
  if (!settled || now.newest()->generation != block.generation) return std::unique_ptr<Distribution>();
  return std::unique_ptr<Distribution>(std::move(plan));
}

}  // namespace rizoma
