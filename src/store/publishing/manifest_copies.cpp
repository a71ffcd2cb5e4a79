#include "store/publishing/manifest_copies.h"

#include "store/publishing/file_names.h"
#include "store/messages.h"

#include <cstddef>
#include <cstring>
#include <span>
#include <tuple>
#include <vector>

namespace rizoma {
namespace {

std::array<std::string, 2> names_of(std::uint64_t number) {
  return {manifest_name(number), manifest_copy_name(number)};
}

Result<ManifestFile> read_copy(Medium& medium, const std::optional<format::StoreId>& store, std::uint64_t number,
                               const std::string& name) {
  RIZOMA_ASSIGN(const auto file, medium.open(name, FileMode::read));
  RIZOMA_ASSIGN(const std::uint64_t size, file->size());
  std::vector<std::byte> bytes(size);
  RIZOMA_TRY(file->read(0, bytes));
  format::ManifestHeader header;
  if (size >= sizeof header) std::memcpy(&header, bytes.data(), sizeof header);
  return decode_manifest(bytes, store.value_or(header.store), number, medium.describe() + "/" + name);
}

/// When the store was closed last, as far as this copy knows.
std::tuple<bool, std::uint64_t, std::uint64_t> last_close(const ManifestFile& file) {
  return {file.closed, file.log_number, file.log_end};
}

/// Why there is no manifest, if neither copy is whole.
Error both_damaged(const Error& first, const Error& second, std::uint64_t number) {
  if (second.code == ErrorCode::not_found) return first;  // so too for a store of a release that wrote one copy
  if (first.code == ErrorCode::not_found) return second;
  return {first.code, first.message + ", and " + manifest_copy_name(number) + " is not whole either"};
}

}  // namespace

std::string manifest_name(std::uint64_t number) { return std::string(kManifestPrefix) + std::to_string(number); }
std::string manifest_copy_name(std::uint64_t number) {
  return std::string(kManifestCopyPrefix) + std::to_string(number);
}

Result<ManifestEnds> write_manifest(Medium& medium, const format::StoreId& store, const ManifestState& state,
                                    std::uint64_t number) {
  const std::vector<std::byte> bytes = encode_manifest(state, store, number);
  for (const std::string& name : names_of(number)) {
    RIZOMA_ASSIGN(const auto file, medium.open(name, FileMode::create));
    RIZOMA_TRY(file->write(0, bytes));
    RIZOMA_TRY(file->sync());
  }
  RIZOMA_TRY(medium.sync_names());
  return ManifestEnds{bytes.size(), bytes.size()};
}

Status append_publish_record(Medium& medium, std::uint64_t number, const ManifestEnds& ends,
                             const format::PublishRecord& record) {
  const auto names = names_of(number);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (ends[i] == 0) continue;
    RIZOMA_ASSIGN(const auto file, medium.open(names[i], FileMode::write));
    RIZOMA_TRY(file->write(ends[i], std::as_bytes(std::span(&record, 1))));
    RIZOMA_TRY(file->sync());
  }
  return {};
}

Result<FoundManifest> read_manifest(Medium& medium, const std::optional<format::StoreId>& store, std::uint64_t number) {
  const auto names = names_of(number);
  const std::array<Result<ManifestFile>, 2> copies{read_copy(medium, store, number, names[0]),
                                                   read_copy(medium, store, number, names[1])};
  for (const auto& copy : copies) {
    if (!copy && copy.error().code == ErrorCode::unsupported) return copy.error();
  }
  if (!copies[0] && !copies[1]) return both_damaged(copies[0].error(), copies[1].error(), number);
  FoundManifest found;
  found.number = number;
  if (copies[0] && copies[1]) {
    if (copies[0]->checksum != copies[1]->checksum) {
      return corrupt(medium.describe() + "/" + names[0], "and " + names[1] + " are of two states of the store");
    }
    found.file = last_close(*copies[0]) < last_close(*copies[1]) ? *copies[1] : *copies[0];
    found.ends = {copies[0]->append_at, copies[1]->append_at};
    return found;
  }
  const std::size_t whole = copies[0] ? 0 : 1;
  const Error& damage = copies[1 - whole].error();
  found.file = *copies[whole];
  found.ends[whole] = found.file.append_at;
  if (found.file.copied || damage.code != ErrorCode::not_found) found.damage = damage;
  return found;
}

}  // namespace rizoma
