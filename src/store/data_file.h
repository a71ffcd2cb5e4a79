// DataFile: the file `data`: writes to extents, and read-only views of them.
#pragma once

#include <rizoma/result.h>

#include "platform/medium.h"
#include "store/extent_allocator.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>

namespace rizoma {

/// Any thread; writes must not overlap.  One mapping over the whole file serves all extents (a
/// mapping for each would exhaust the system's number of them); it is renewed after writes.
class DataFile {
 public:
  explicit DataFile(std::shared_ptr<MediumFile> file) noexcept : file_(std::move(file)) {}

  Status write(std::uint64_t offset, std::span<const std::byte> bytes);
  /// True if no snapshot of an earlier opening still reads the file; see MediumFile.
  [[nodiscard]] Result<bool> mark_in_use() { return file_->mark_in_use(); }
  Status sync() { return file_->sync(); }
  [[nodiscard]] Result<std::uint64_t> size() const { return file_->size(); }
  /// Gives the bytes of free extents back to the device, if it can.
  Status discard(Extent extent) { return file_->discard(extent.offset, extent.bytes); }
  /// The bytes of an extent where they lie.  Error of code corrupt if the file is too short.
  [[nodiscard]] Result<Mapping> map(Extent extent) const;
  /// A copy of the bytes of an extent, which later writes cannot change.
  [[nodiscard]] Result<Mapping> copy(Extent extent) const;

 private:
  std::shared_ptr<MediumFile> file_;  ///< shared with every Mapping, so that its mark lasts as long
  mutable std::mutex mutex_;  ///< guards whole_
  mutable Mapping whole_;     ///< empty: to be made
};

}  // namespace rizoma
