// Space: where the bytes of a store lie: the directories that hold its data files, which ranges of those are in use,
// and who still reads what is not in use any more.
//
// One of the parts of a store; it knows nothing of graphs.  What is taken here is durable once the data files are
// synced and a manifest names it; an extent without a lease is handed out again once no durable state, no
// snapshot and no reader in another process needs it.
//
// Threads.  Any, but for the opening, which is alone.  The list of locations is guarded by a lock of its own, held for
// O(locations) and never during I/O; the data files and the ranges have theirs (data_files.h, extent_allocator.h).
// Giving space back is I/O, and takes turns by a second lock.  Under neither is a lock of another part taken.
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>

#include "platform/mutex.h"
#include "platform/medium.h"
#include "store/disk_format.h"
#include "store/space/data_files.h"
#include "store/space/extent_allocator.h"
#include "store/space/locations.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rizoma {

struct SpaceSettings {
  /// Directories for the sections, by home; "" is the store's own.  Empty: unchanged.
  std::vector<std::string> locations;
  LocationOpener open_location;  ///< needed by a store with locations
  std::string path;              ///< of the store's own directory, absolute; see LocationOwner
};

class Space {
 public:
  /// `own` is the store's directory, in which its first data file lies.
  Space(std::shared_ptr<Medium> own, SpaceSettings settings, bool read_only)
      : own_(std::move(own)), settings_(std::move(settings)), read_only_(read_only) {}

  // ---- opening: the caller is alone ----

  /// Opens the data file of the store's own directory, then those of the locations in a manifest.  Returns the state of
  /// each, for `reset`.  Errors: those of find_location.
  Result<std::vector<FoundSpace>> open(const format::StoreId& store, const std::vector<LocationEntry>& listed);
  /// Makes the directories asked for the homes of sections, in their order; the next manifest records this.
  Status choose_homes();
  /// Of a writer: the file on which readers of other processes pin the states that they read.
  void use_pins(std::unique_ptr<MediumFile> superblock) noexcept { superblock_ = std::move(superblock); }
  /// Checks that the bytes of the extents are no holes, and notes a data file that ends before one of them: the store
  /// opens all the same, for what can be read of it.  Errors: corrupt.
  Status expect_borne_out(const std::vector<Extent>& extents);
  /// What was noted; empty: nothing.
  [[nodiscard]] const std::string& damage() const noexcept { return damage_; }

  // ---- extents ----

  [[nodiscard]] const std::shared_ptr<DataFiles>& data() const noexcept { return data_; }
  [[nodiscard]] const std::shared_ptr<ExtentAllocator>& extents() const noexcept { return extents_; }
  /// Writes the bytes to a place of their own; not synced.
  Result<std::shared_ptr<const ExtentLease>> write(std::span<const std::byte> bytes, unsigned location = 0);
  /// Call it when a state is published, which names the locations `listed`.  Removes the files of the others; those
  /// that cannot be removed do no harm.
  void published(std::uint64_t generation, const std::vector<LocationEntry>& listed);

  // ---- locations ----

  /// Directories among which sections are divided; 0: no choice.
  [[nodiscard]] unsigned num_homes() const;
  /// Where the next image or delta of a section goes: where `place` wants it, else where it is (`present`), else homes
  /// in turn.
  [[nodiscard]] unsigned location_for(SectionId section, std::optional<unsigned> present) const;
  /// Where the first images of this many sections go.
  [[nodiscard]] std::vector<unsigned> locations_for_new(SectionId sections) const;
  /// Each section is wanted at this home from now on.
  void place(std::vector<unsigned> home_of_section);
  /// What the manifest of a state with these extents lists: the homes, and what else holds one of them; with
  /// `others_too` all, for extents that are unknown.
  [[nodiscard]] std::vector<LocationEntry> listed(std::span<const Extent> extents, bool others_too) const;
  /// Whether the durable manifest has old paths of some.
  [[nodiscard]] bool moved() const;
  /// All of them, homes first.
  [[nodiscard]] std::vector<OpenLocation> locations() const;
  /// Asks `enough` of each directory that is to hold everything again, with the bytes that it holds now or will.
  Status for_all_anew(FunctionRef<Status(const std::string& directory, std::uint64_t bytes)> enough) const;

  // ---- free space ----

  /// Keeps the extents of a generation for as long as it is held.  A forked child has the snapshots of its parent, but
  /// no part in their leases: for it they are held as for any other process, by this, which the kernel keeps until
  /// parent and child have let it go.  Null where there are no such locks, or no descriptors for them, and for a
  /// reader, whose whole store is pinned.
  [[nodiscard]] std::shared_ptr<const void> pin(std::uint64_t generation) const;
  /// Frees the extents that no durable manifest, no snapshot and no reader in another process needs.  Extents whose
  /// readers cannot be asked now wait for the next call.
  void reclaim();
  /// Returns free blocks to the device, except for a share of the space in use, in per cent.
  void give_back(unsigned spare_percent);
  /// Empties all that is free, by overwriting it where the device takes nothing back, and syncs.  Returns the bytes
  /// that are not free.
  Result<std::uint64_t> empty_what_is_free();

 private:
  Status open_data(unsigned location, Medium& medium, std::vector<FoundSpace>& found);
  Result<std::shared_ptr<Medium>> open_directory(const std::string& path, bool create) const;
  [[nodiscard]] LocationOwner as_owner() const;
  Result<std::size_t> location_at(const std::string& path, std::vector<OpenLocation>& locations);
  Result<std::vector<OpenLocation>> with_homes(std::vector<OpenLocation>& locations);
  Result<unsigned> free_number() const;
  [[nodiscard]] unsigned homes() const noexcept RIZOMA_REQUIRES(mutex_);
  [[nodiscard]] unsigned choose(SectionId section, std::optional<unsigned> present) const RIZOMA_REQUIRES(mutex_);
  Status give_back_at(unsigned location, std::uint64_t spare) RIZOMA_REQUIRES(giving_);
  Status empty_at(unsigned location) RIZOMA_REQUIRES(giving_);

  const std::shared_ptr<Medium> own_;
  const SpaceSettings settings_;
  const bool read_only_;
  format::StoreId store_;                   ///< since the opening
  std::string damage_;                      ///< since the opening
  std::unique_ptr<MediumFile> superblock_;  ///< since the opening; null: a reader
  const std::shared_ptr<DataFiles> data_ = std::make_shared<DataFiles>();
  const std::shared_ptr<ExtentAllocator> extents_ = std::make_shared<ExtentAllocator>();

  Mutex giving_{LockLevel::giving_back};  ///< one gives space back at a time
  mutable Mutex mutex_{LockLevel::locations};
  std::vector<OpenLocation> locations_ RIZOMA_GUARDED_BY(mutex_);  ///< the homes in their order, then others
  bool moved_ RIZOMA_GUARDED_BY(mutex_) = false;
  std::vector<unsigned> wanted_homes_ RIZOMA_GUARDED_BY(mutex_);  ///< of each section, as `place` said last
};

}  // namespace rizoma
