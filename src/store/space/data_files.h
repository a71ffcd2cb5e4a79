// DataFiles: the file `data` of each location of a store: writes to extents, and read-only views of them.
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/result.h>

#include "platform/medium.h"
#include "platform/mutex.h"
#include "platform/process.h"
#include "store/space/extent_allocator.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <span>
#include <string>
#include <utility>

namespace rizoma {

/// Name of the file in each of them.
inline constexpr const char* kDataName = "data";

/// Locations that a store may have, its own directory included.
inline constexpr unsigned kMaxLocations = 64;

/// Any thread; writes must not overlap.  One mapping over the whole of each file serves all its extents
/// (a mapping for each would exhaust the system's number of them); it is renewed after writes.
class DataFiles {
 public:
  /// `where` names the file in messages.  A location's file is added once, before any extent names it.
  void add(unsigned location, std::shared_ptr<MediumFile> file, std::string where);
  [[nodiscard]] bool has(unsigned location) const noexcept {
    return location < kMaxLocations && files_[location] != nullptr;
  }
  [[nodiscard]] const std::string& where(unsigned location) const noexcept { return files_[location]->where; }

  Status write(Extent extent, std::span<const std::byte> bytes);
  /// True if no snapshot of an earlier opening still reads the file; see MediumFile.
  [[nodiscard]] Result<bool> mark_in_use(unsigned location) { return files_[location]->file->mark_in_use(); }
  [[nodiscard]] Result<bool> has_only_mark(unsigned location) { return files_[location]->file->has_only_mark(); }
  /// Makes durable what was written, in every location.  After an Error it is unknown what is durable, and a
  /// later sync says nothing of it (medium.h rule 4): each writer of before must write again.
  Status sync();
  /// How often `sync` gave an Error.
  [[nodiscard]] unsigned failed_syncs() const noexcept { return failed_syncs_; }
  [[nodiscard]] Result<std::uint64_t> size(unsigned location) const { return files_[location]->file->size(); }
  [[nodiscard]] Result<std::uint64_t> allocated(unsigned location) const { return files_[location]->file->allocated(); }
  /// Gives the blocks of a range that has no readers back to the device, if it can.
  Status discard(Extent extent) { return files_[extent.location]->file->discard(extent.offset, extent.bytes); }
  /// Cuts off the bytes after `end()`, while no thread writes.
  Status shrink(unsigned location, FunctionRef<std::uint64_t()> end);
  /// For a reader beside a writer of another process: the pin that keeps the extents of its state from being
  /// overwritten; null: none.  Set it before reading anything.
  void protect(std::shared_ptr<const void> pin) noexcept {
    overwritable_ = pin == nullptr;
    pin_ = std::move(pin);
  }
  /// Whether another process may overwrite extents: what was read once may read differently.
  [[nodiscard]] bool overwritable() const noexcept { return overwritable_; }
  /// The bytes of an extent where they are; a copy of them, to be verified, where another process may overwrite them
  /// unasked.  Errors: corrupt (the file is too short), io (the device cannot read them).
  [[nodiscard]] Result<Mapping> read(Extent extent) const;
  /// The same, but none of it is read yet: where the device cannot, touching it ends the process.
  [[nodiscard]] Result<Mapping> view(Extent extent) const { return overwritable_ ? copy(extent) : map(extent); }
  /// A copy in which bytes that fail every checksum replace those that the device cannot read.
  [[nodiscard]] Result<Mapping> salvage(Extent extent) const;

 private:
  [[nodiscard]] Result<Mapping> map(Extent extent) const;
  [[nodiscard]] Result<Mapping> copy(Extent extent) const;

  struct DataFile {
    std::shared_ptr<MediumFile> file;  ///< shared with every Mapping, so that its mark lasts as long
    std::string where;
    std::shared_mutex growing;  ///< shared: writing; alone: cutting off
    Mutex mutex{LockLevel::data_file};
    Mapping whole RIZOMA_GUARDED_BY(mutex);  ///< empty: to be made
  };
  /// By location; an array, because readers may look one up while another is added.
  std::array<std::unique_ptr<DataFile>, kMaxLocations> files_;
  const std::int64_t process_ = process_id();  ///< that opened the files
  std::shared_ptr<const void> pin_;
  bool overwritable_ = false;
  std::atomic<unsigned> failed_syncs_{0};
};

}  // namespace rizoma
