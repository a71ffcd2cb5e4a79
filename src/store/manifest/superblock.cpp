#include "store/manifest/superblock.h"

#include "base/check.h"
#include "base/checksum.h"
#include "store/messages.h"

#include <cstring>
#include <vector>

namespace rizoma {
namespace {

std::uint64_t superblock_checksum(const format::Superblock& block) {
  return checksum(std::as_bytes(std::span(&block, 1)).first(offsetof(format::Superblock, checksum)),
                  format::kSeedSuperblock);
}

std::vector<std::byte> encode_slot(format::Superblock content) {
  RIZOMA_CHECK(content.generation > 0 && content.generation < format::kMostNumber &&
               content.manifest_number < format::kMostNumber);
  content.checksum = superblock_checksum(content);
  std::vector<std::byte> slot(format::kPage);
  std::memcpy(slot.data(), &content, sizeof content);
  return slot;
}

/// Writes both slots, the one numbered `first` durably before the other.
Status write_slots(Medium& medium, const format::Superblock& content, std::size_t first) {
  RIZOMA_ASSIGN(const auto file, medium.open(kSuperblockName, FileMode::write));
  const std::vector<std::byte> slot = encode_slot(content);
  for (const std::size_t index : {first, 1 - first}) {
    RIZOMA_TRY(file->write(index * format::kPage, slot));
    RIZOMA_TRY(file->sync());
  }
  return {};
}

std::string where_of(const Medium& medium) { return medium.describe() + "/" + kSuperblockName; }

}  // namespace

const format::Superblock* SuperblockSlots::newest() const noexcept {
  const auto& best = slots[newest_index()];
  return best ? &*best : nullptr;
}

std::size_t SuperblockSlots::newest_index() const noexcept {
  return slots[1] && (!slots[0] || slots[1]->generation > slots[0]->generation) ? 1 : 0;
}

bool SuperblockSlots::agree() const noexcept {
  return slots[0] && slots[1] && std::memcmp(&*slots[0], &*slots[1], sizeof(format::Superblock)) == 0;
}

Result<SuperblockSlots> read_superblock(Medium& medium) {
  RIZOMA_ASSIGN(const auto file, medium.open(kSuperblockName, FileMode::read));
  RIZOMA_ASSIGN(const std::uint64_t size, file->size());
  SuperblockSlots found;
  bool is_superblock = false;
  Status readable;
  for (std::size_t i = 0; i < found.slots.size(); ++i) {
    format::Superblock block;
    if (size < i * format::kPage + sizeof block) continue;
    const Status read = file->read(i * format::kPage, std::as_writable_bytes(std::span(&block, 1)));
    if (!read && read.error().code != ErrorCode::io) return read.error();
    if (!read) {  // the other slot may be on a sector that is whole
      readable = read;
      continue;
    }
    is_superblock |= block.magic == format::kSuperblockMagic;
    if (block.magic != format::kSuperblockMagic || block.checksum != superblock_checksum(block)) continue;
    if (block.version > format::kFormat) return future_version(where_of(medium), block.version);
    // A generation or a number that no store reaches is not ours.
    const bool common = block.generation < format::kMostNumberFound && block.manifest_number < format::kMostNumberFound;
    if (common) found.slots[i] = block;
  }
  RIZOMA_CHECK(found.newest() == nullptr || is_superblock);
  if (found.newest() != nullptr) return found;
  if (!readable) return readable.error();
  if (!is_superblock) return corrupt(where_of(medium), "is not the superblock of a Rizoma store");
  return corrupt(where_of(medium), "is damaged in both of its copies; restore the store from a backup");
}

Status create_superblock(Medium& medium, const format::Superblock& content) {
  RIZOMA_ASSIGN(const auto file, medium.open(kNewSuperblockName, FileMode::create));
  const std::vector<std::byte> slot = encode_slot(content);
  RIZOMA_TRY(file->write(0, slot));
  RIZOMA_TRY(file->write(format::kPage, slot));
  RIZOMA_TRY(file->sync());
  RIZOMA_TRY(medium.sync_names());
  RIZOMA_TRY(medium.rename(kNewSuperblockName, kSuperblockName));
  return medium.sync_names();
}

Status write_superblock(Medium& medium, const format::Superblock& content) {
  RIZOMA_ASSIGN(const SuperblockSlots present, read_superblock(medium));
  // The newest whole slot stays until the other one is durable.
  return write_slots(medium, content, 1 - present.newest_index());
}

Status rewrite_superblock(Medium& medium, const format::Superblock& content) {
  RIZOMA_ASSIGN(const SuperblockSlots present, read_superblock(medium));
  // The other slot, perhaps the only durable one, stays until this one is.
  return write_slots(medium, content, present.newest_index());
}

}  // namespace rizoma
