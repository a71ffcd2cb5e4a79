#include "store/manifest/embedded_manifest.h"

#include "store/messages.h"
#include "store/space/data_files.h"
#include "store/space/salvaged_bytes.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace rizoma {
namespace {

constexpr std::uint64_t kPiece = std::uint64_t{2} << 20;  // of `data`, read at a time
/// Copies that are read whole in one search, the likeliest first: a crafted file may claim any number.
constexpr std::size_t kMostTried = 64;

/// A header of a copy, and where it is.
struct Candidate {
  format::ManifestHeader header;
  std::uint64_t at = 0;
  std::uint64_t length = 0;
};

std::string place_in(const std::string& data, std::uint64_t at) { return data + " at byte " + std::to_string(at); }

/// The manifest there, if it says that it belongs there.
std::optional<ManifestFile> read_candidate(const MediumFile& data, const Candidate& candidate) {
  std::vector<std::byte> bytes(candidate.length);
  if (!data.read(candidate.at, bytes)) return std::nullopt;
  auto file = decode_manifest(bytes, candidate.header.store, candidate.header.number, "data");
  if (!file || file->state.embedded_at != candidate.at || file->state.log_number != candidate.header.number) {
    return std::nullopt;
  }
  return *std::move(file);
}

/// Whole headers of manifests at the pages of a piece of `data`.
void add_candidates(std::span<const std::byte> piece, std::uint64_t begin, std::uint64_t size,
                    const WantedManifest& wanted, std::vector<Candidate>& candidates) {
  for (std::uint64_t at = 0; at + sizeof(format::ManifestHeader) <= piece.size(); at += format::kPage) {
    const auto length = manifest_length(piece.subspan(at));
    if (!length || *length > size - begin - at) continue;
    Candidate candidate{{}, begin + at, *length};
    std::memcpy(&candidate.header, piece.data() + at, sizeof candidate.header);
    const format::ManifestHeader& header = candidate.header;
    const bool tagged = header.number == 0;
    const bool other =
        (wanted.store && header.store != *wanted.store) || (wanted.number && header.number != *wanted.number);
    if (!tagged && !other) candidates.push_back(candidate);
  }
}

Result<std::vector<Candidate>> candidates_in(const MediumFile& data, std::uint64_t size, const WantedManifest& wanted) {
  std::vector<Candidate> candidates;
  std::vector<std::byte> piece;
  for (std::uint64_t begin = 0; begin < size; begin += kPiece) {
    piece.resize(std::min(kPiece, size - begin));
    const auto unreadable = read_what_can_be(data, begin, piece);
    if (!unreadable) return unreadable.error();
    add_candidates(piece, begin, size, wanted, candidates);
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.header.generation > b.header.generation; });
  return candidates;
}

}  // namespace

Result<EmbeddedManifest> embed_manifest(Space& space, const format::StoreId& store, ManifestState& state,
                                        std::uint64_t number) {
  EmbeddedManifest embedded;
  embedded.bytes = encode_manifest_at(state, store, number, [&](std::size_t length) {
    embedded.lease = std::make_shared<const ExtentLease>(space.extents(), length, 0);
    return embedded.lease->extent().offset;
  });
  RIZOMA_TRY(space.data()->write(embedded.lease->extent(), embedded.bytes));
  return embedded;
}

std::optional<Extent> embedded_extent(const ManifestFile& manifest) noexcept {
  if (!manifest.state.embedded_at) return std::nullopt;
  return Extent{*manifest.state.embedded_at, manifest.length, 0};
}

std::optional<Extent> embedded_in(const DataFiles& data, const ManifestFile& manifest, std::span<const Extent> others) {
  const std::optional<Extent> extent = embedded_extent(manifest);
  if (!extent) return std::nullopt;
  const auto size = data.size(0);
  if (!size || extent->offset > *size || extent->bytes > *size - extent->offset) return std::nullopt;
  const std::uint64_t end = extent->offset + extent->bytes;
  const bool taken = std::any_of(others.begin(), others.end(), [&](const Extent& other) {
    return other.location == 0 && other.offset < end && extent->offset < other.offset + other.bytes;
  });
  if (taken) return std::nullopt;
  const auto start = data.read({extent->offset, sizeof(format::ManifestHeader), 0});
  if (!start || !manifest_length(start->bytes)) return std::nullopt;
  format::ManifestHeader header;
  std::memcpy(&header, start->bytes.data(), sizeof header);
  return header.checksum == manifest.checksum ? extent : std::nullopt;
}

Status check_embedded(const DataFiles& data, const ManifestFile& manifest) {
  const std::optional<Extent> extent = embedded_extent(manifest);
  if (!extent) return {};
  const std::string where = place_in(data.where(0), extent->offset);
  RIZOMA_ASSIGN(const Mapping mapping, data.read(*extent));
  const auto copy = decode_manifest(mapping.bytes, manifest.store, manifest.state.log_number, where);
  if (copy && copy->checksum == manifest.checksum) return {};
  return corrupt(where + ":", "the copy of the manifest is damaged");
}

Result<std::optional<FoundManifest>> find_embedded(Medium& medium, const WantedManifest& wanted) {
  RIZOMA_ASSIGN(const auto data, medium.open(kDataName, FileMode::read));
  RIZOMA_ASSIGN(const std::uint64_t size, data->size());
  RIZOMA_ASSIGN(const std::vector<Candidate> candidates, candidates_in(*data, size, wanted));
  for (std::size_t i = 0; i < std::min(candidates.size(), kMostTried); ++i) {
    auto file = read_candidate(*data, candidates[i]);
    if (!file) continue;
    FoundManifest found;
    found.number = candidates[i].header.number;
    found.file = *std::move(file);
    found.close_lost = corrupt(medium.describe() + "/" + manifest_name(found.number),
                               "and its copy are lost, and with them where the log must end");
    return std::optional(std::move(found));
  }
  return std::optional<FoundManifest>();
}

}  // namespace rizoma
