// Superblock: the root of a store: the file `superblock` with two 4 KiB slots, each naming a manifest.
//
// Publishing writes slot A and syncs it: from then on the new state is the store's.  Then slot B gets
// the same, so that a slot that is damaged later costs nothing.  A crash between the two leaves slots
// of different generations; the higher one counts.
#pragma once

#include <rizoma/result.h>

#include "platform/medium.h"
#include "store/disk_format.h"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>

namespace rizoma {

inline constexpr const char* kSuperblockName = "superblock";
inline constexpr const char* kNewSuperblockName = "superblock.new";  ///< while it is being created

/// The content of the two slots; a slot that is damaged, or cannot be read, is empty.
struct SuperblockSlots {
  std::array<std::optional<format::Superblock>, 2> slots;
  [[nodiscard]] const format::Superblock* newest() const noexcept;  ///< null: none is whole
  [[nodiscard]] std::size_t newest_index() const noexcept;          ///< 0 if none is whole
  [[nodiscard]] bool agree() const noexcept;                        ///< both are whole and equal
};

/// Errors: corrupt (no slot is whole), unsupported (a future version), io (no slot is whole, and one cannot be read).
Result<SuperblockSlots> read_superblock(Medium& medium);

/// Creates the file with both slots equal; it has its name only once it is whole.
Status create_superblock(Medium& medium, const format::Superblock& content);

/// Publishes `content`; see above.  After an Error either state may be the durable one.
Status write_superblock(Medium& medium, const format::Superblock& content);

/// Makes the newest slot that was read, `content`, durable, then the other one the same: it may have
/// been written by a process that died before its sync, or whose sync failed.
Status rewrite_superblock(Medium& medium, const format::Superblock& content);

}  // namespace rizoma
