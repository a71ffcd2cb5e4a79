#include "store/manifest/manifest_copies.h"

#include "store/file_names.h"
#include "store/messages.h"
#include "store/manifest/close_records.h"
#include "store/space/salvaged_bytes.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// More than the largest number of sections and dictionary segments takes.
constexpr std::uint64_t kLongest = std::uint64_t{1} << 30;

std::array<std::string, 2> names_of(std::uint64_t number) {
  return {manifest_name(number), manifest_copy_name(number)};
}

/// Publish records from `from` on, and the bytes after them; unreadable bytes are not one of them.
Status read_records(const MediumFile& file, std::uint64_t from, std::uint64_t size, std::vector<std::byte>& bytes) {
  constexpr std::uint64_t kPiece = 64 * sizeof(format::PublishRecord);
  while (from < size) {
    std::vector<std::byte> piece(std::min(size - from, kPiece));
    const auto unreadable = read_what_can_be(file, from, piece);
    if (!unreadable) return unreadable.error();
    bytes.insert(bytes.end(), piece.begin(), piece.end());
    from += piece.size();
    std::uint32_t magic = 0;
    if (piece.size() < kPiece) return {};
    std::memcpy(&magic, piece.data() + piece.size() - sizeof(format::PublishRecord), sizeof magic);
    if (magic != format::kPublishMagic) return {};
  }
  return {};
}

/// What of a file can be a manifest: no more than its header says, whatever its length.
Result<std::vector<std::byte>> read_manifest_bytes(const MediumFile& file, std::string_view where) {
  RIZOMA_ASSIGN(const std::uint64_t size, file.size());
  std::vector<std::byte> bytes(std::min(size, kManifestStart));
  RIZOMA_TRY(file.read(0, bytes));
  const auto length = manifest_length(bytes);
  if (!length || *length > size) return bytes;  // decoding reports what is wrong
  if (*length > kLongest) return corrupt(where, "holds an impossible section table");
  const std::uint64_t begun = bytes.size();
  bytes.resize(std::max(begun, *length));
  RIZOMA_TRY(file.read(begun, std::span(bytes).subspan(begun)));
  RIZOMA_TRY(read_records(file, bytes.size(), size, bytes));
  return bytes;
}

Result<std::vector<std::byte>> read_copy(Medium& medium, const std::string& name) {
  RIZOMA_ASSIGN(const auto file, medium.open(name, FileMode::read));
  return read_manifest_bytes(*file, medium.describe() + "/" + name);
}

Result<ManifestFile> decode_copy(const Result<std::vector<std::byte>>& bytes,
                                 const std::optional<format::StoreId>& store, std::uint64_t number,
                                 const std::string& where) {
  if (!bytes) return bytes.error();
  format::ManifestHeader header;
  if (bytes->size() >= sizeof header) std::memcpy(&header, bytes->data(), sizeof header);
  RIZOMA_ASSIGN(ManifestFile manifest, decode_manifest(*bytes, store.value_or(header.store), number, where));
  if (manifest.state.generation == 0) return corrupt(where, "is of a tagged state, not of a store");
  return manifest;
}

/// The records that a manifest has.  They are written again with the next one: a sync that failed, of a process before,
/// may have left them where only reads show them (medium.h rule 6).
Result<std::vector<std::byte>> records_before(const MediumFile& file, std::uint64_t end) {
  std::vector<std::byte> start(std::min(end, kManifestStart));
  RIZOMA_TRY(file.read(0, start));
  const std::uint64_t begin = std::min(manifest_length(start).value_or(end), end);
  std::vector<std::byte> records(end - begin);
  RIZOMA_TRY(file.read(begin, records));
  return records;
}

/// Says which copy's records of how the store was closed are damaged.
void note_close_damage(FoundManifest& found, CloseDamage damage, const std::string& directory) {
  if (damage == CloseDamage::none) return;
  const auto names = names_of(found.number);
  if (damage == CloseDamage::both) {
    found.close_lost = corrupt(directory + names[0],
                               "and " + names[1] +
                                   " hold damaged records of how the store was closed, so where its log must end "
                                   "is not known");
    return;
  }
  found.damage = corrupt(directory + names[damage == CloseDamage::second ? 1 : 0],
                         "holds a damaged record of how the store was closed");
}

/// The content of two copies of the same bytes.
FoundManifest of_equal_copies(ManifestFile file, std::uint64_t number, const std::string& directory) {
  FoundManifest found;
  found.number = number;
  found.ends = {file.append_at, file.append_at};
  const CloseDamage damage = close_damage(file, file);
  found.file = std::move(file);
  note_close_damage(found, damage, directory);
  return found;
}

/// The reason why there is no manifest, if neither copy is whole.
Error both_damaged(const Error& first, const Error& second, std::uint64_t number) {
  if (second.code == ErrorCode::not_found) return first;  // so too for a store of a release that wrote one copy
  if (first.code == ErrorCode::not_found) return second;
  return {first.code, first.message + ", and " + manifest_copy_name(number) + " is damaged too"};
}

}  // namespace

std::string manifest_name(std::uint64_t number) { return std::string(kManifestPrefix) + std::to_string(number); }
std::string manifest_copy_name(std::uint64_t number) {
  return std::string(kManifestCopyPrefix) + std::to_string(number);
}

Result<ManifestOffsets> write_manifest(Medium& medium, std::span<const std::byte> manifest, std::uint64_t number) {
  for (const std::string& name : names_of(number)) {
    RIZOMA_ASSIGN(const auto file, medium.open(name, FileMode::create));
    RIZOMA_TRY(file->write(0, manifest));
    RIZOMA_TRY(file->sync());
  }
  RIZOMA_TRY(medium.sync_names());
  return ManifestOffsets{manifest.size(), manifest.size()};
}

Status append_publish_record(Medium& medium, std::uint64_t number, ManifestOffsets& ends,
                             const format::PublishRecord& record) {
  const auto names = names_of(number);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (ends[i] == 0) continue;
    RIZOMA_ASSIGN(const auto file, medium.open(names[i], FileMode::write));
    RIZOMA_ASSIGN(const std::uint64_t size, file->size());
    if (size > ends[i]) {  // of a record torn by a crash: its bytes must be of one record only
      RIZOMA_TRY(file->resize(ends[i]));
      RIZOMA_TRY(file->sync());
    }
    RIZOMA_ASSIGN(std::vector<std::byte> records, records_before(*file, ends[i]));
    const std::uint64_t begin = ends[i] - records.size();
    const auto bytes = std::as_bytes(std::span(&record, 1));
    records.insert(records.end(), bytes.begin(), bytes.end());
    RIZOMA_TRY(file->write(begin, records));
    RIZOMA_TRY(file->sync());
    ends[i] += sizeof record;
  }
  return {};
}

Result<FoundManifest> read_manifest(Medium& medium, const std::optional<format::StoreId>& store, std::uint64_t number) {
  const auto names = names_of(number);
  const std::string directory = medium.describe() + "/";
  const std::array<Result<std::vector<std::byte>>, 2> bytes{read_copy(medium, names[0]), read_copy(medium, names[1])};
  Result<ManifestFile> first = decode_copy(bytes[0], store, number, directory + names[0]);
  // As a rule: then the second need not be decoded, which would be a fifth of an opening.
  if (first && bytes[1] && *bytes[0] == *bytes[1]) return of_equal_copies(std::move(*first), number, directory);
  const std::array<Result<ManifestFile>, 2> copies{std::move(first),
                                                   decode_copy(bytes[1], store, number, directory + names[1])};
  for (const auto& copy : copies) {
    if (!copy && copy.error().code == ErrorCode::unsupported) return copy.error();
  }
  if (!copies[0] && !copies[1]) return both_damaged(copies[0].error(), copies[1].error(), number);
  FoundManifest found;
  found.number = number;
  if (copies[0] && copies[1]) {
    if (copies[0]->checksum != copies[1]->checksum) {
      return corrupt(directory + names[0], "and " + names[1] + " are of two states of the store");
    }
    found.file = of_two_copies(*copies[0], *copies[1]);
    found.ends = {copies[0]->append_at, copies[1]->append_at};
    note_close_damage(found, close_damage(*copies[0], *copies[1]), directory);
    return found;
  }
  const std::size_t whole = copies[0] ? 0 : 1;
  const Error& damage = copies[1 - whole].error();
  found.file = *copies[whole];
  found.ends[whole] = found.file.append_at;
  if (found.file.copied || damage.code != ErrorCode::not_found) found.damage = damage;
  if (found.damage && !found.file.behind.empty()) {
    found.close_lost =
        corrupt(directory + names[whole], "holds a damaged record of how the store was closed, and " +
                                              names[1 - whole] + " is damaged, so where its log must end is not known");
  }
  return found;
}

}  // namespace rizoma
