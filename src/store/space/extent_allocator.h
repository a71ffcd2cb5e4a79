// ExtentAllocator: which page-aligned ranges of the data files are free, one file for each location of
// the store.  Nothing of it is durable: it is derived from the manifest at every open.
//
// Generations.  Each published state has a generation.  An extent whose last lease in this process ends may
// still have a reader in another process, which opened one of the states that name it: those from the
// extent's first generation on, up to the one before the generation in which its last lease
// ended.  So it waits, neither free nor in use, until `reclaim` learns that no reader has one of them.
//
// Blocks.  Free ranges are known to be empty once their blocks have been given back to the device
// (`take_filled`); before, they may have some.
#pragma once

#include <rizoma/result.h>

#include "platform/mutex.h"
#include "platform/process.h"
#include "store/space/range_set.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace rizoma {

/// Bytes [offset, offset + bytes) of the data file of a location.  `offset` is a multiple of a page.
struct Extent {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  unsigned location = 0;  ///< 0: the store's own directory
  [[nodiscard]] bool empty() const noexcept { return bytes == 0; }
};

/// What an opening finds of a data file.
struct FoundSpace {
  std::uint64_t size = 0;  ///< of the file
  /// Below it nothing is handed out until `lift_floor`: snapshots of an earlier opening may read there.
  std::uint64_t floor = 0;
};

/// The space of one data file, in whole pages.  First fit.
class ExtentSpace {
 public:
  /// The whole file is in use at first.  Returns what `used`, which is ascending, leaves of it from the
  /// floor on, or nothing if two of `used` overlap or are not aligned.
  std::optional<std::vector<Extent>> reset(std::span<const Extent> used, const FoundSpace& found);
  [[nodiscard]] std::uint64_t allocate(std::uint64_t bytes);
  /// Without memory to note it, the space stays in use until the next `reset`.
  void free(std::uint64_t offset, std::uint64_t bytes, bool empty = false) noexcept;
  [[nodiscard]] bool has_floor() const noexcept { return floor_ > 0; }
  /// What would be free but for the floor.
  [[nodiscard]] const RangeSet& below_floor() const noexcept { return below_; }
  void lift_floor() noexcept;
  /// See ExtentAllocator.
  void end_filled(std::uint64_t size);
  std::optional<Extent> take_filled(std::uint64_t keep);
  [[nodiscard]] std::uint64_t end() const noexcept { return end_; }
  [[nodiscard]] std::uint64_t in_use() const noexcept { return end_ - free_.size(); }

 private:
  RangeSet free_;    ///< below end_
  RangeSet filled_;  ///< the part that may have blocks
  RangeSet below_;   ///< free but for the floor
  std::uint64_t end_ = 0;
  std::uint64_t floor_ = 0;
};

/// Hands out page-aligned ranges of the data files; any thread.
class ExtentAllocator {
 public:
  /// `used` is what generation `generation` names; all else waits as if its last lease had just ended.  `found`
  /// is by location.  Error of code corrupt if two extents overlap or are not aligned.
  Status reset(std::vector<Extent> used, const std::vector<FoundSpace>& found, std::uint64_t generation);
  [[nodiscard]] Extent allocate(std::uint64_t bytes, unsigned location = 0);

  /// A state has been published.
  void set_generation(std::uint64_t generation);
  /// The first generation that can name extents allocated now.
  [[nodiscard]] std::uint64_t next_generation() const;
  /// Frees the waiting extents, but for those that one of the generations `read` (ascending) may name.
  void reclaim(std::span<const std::uint64_t> read) noexcept;

  /// Whether an opening before this one may still read in the file.
  [[nodiscard]] bool has_floor(unsigned location) const;
  /// No generation below the floor needs its extents any more; they wait as if they had just been released.
  void lift_floor(unsigned location);

  /// The file has `size` bytes: free ranges after them have no blocks.  Between them and an extent that a manifest
  /// names there may be any number of bytes.
  void end_filled(unsigned location, std::uint64_t size);
  /// A free range that may have blocks, to be emptied and put back, reserved meanwhile.  The highest ones
  /// first. Nothing if the rest has no more than `keep` bytes.
  std::optional<Extent> take_filled(unsigned location, std::uint64_t keep);
  void put_back(const Extent& range, bool empty) noexcept;

  /// End of the last extent that is not free: the data file need not be longer.
  [[nodiscard]] std::uint64_t end(unsigned location = 0) const;
  /// Bytes that are not free.
  [[nodiscard]] std::uint64_t in_use(unsigned location = 0) const;

 private:
  friend class ExtentLease;
  struct Waiting {
    Extent extent;
    std::uint64_t first = 0;  ///< generations that may name it: [first, end)
    std::uint64_t end = 0;
  };
  void expect_return();
  void let_go(Extent extent, std::uint64_t first_generation) noexcept;

  const std::int64_t process_ = process_id();
  mutable Mutex mutex_{LockLevel::extents};
  std::vector<ExtentSpace> spaces_ RIZOMA_GUARDED_BY(mutex_) = std::vector<ExtentSpace>(1);  ///< by location
  std::uint64_t generation_ RIZOMA_GUARDED_BY(mutex_) = 0;
  std::size_t leases_ RIZOMA_GUARDED_BY(mutex_) = 0;
  std::vector<Waiting> waiting_ RIZOMA_GUARDED_BY(mutex_);  ///< has room for all leases, so that releasing cannot fail
};

/// Holds an extent; its last holder frees it.  The store holds the extents that the manifest names, and a snapshot
/// those that it reads, so that neither is ever overwritten.
class ExtentLease {
 public:
  /// Of an extent that the allocator knows to be in use.
  ExtentLease(std::shared_ptr<ExtentAllocator> allocator, Extent extent)
      : allocator_(std::move(allocator)), extent_(extent) {
    allocator_->expect_return();
  }
  /// Of a new one.
  ExtentLease(std::shared_ptr<ExtentAllocator> allocator, std::uint64_t bytes, unsigned location)
      : allocator_(std::move(allocator)), first_generation_(allocator_->next_generation()) {
    allocator_->expect_return();
    extent_ = allocator_->allocate(bytes, location);
  }
  ExtentLease(const ExtentLease&) = delete;
  ExtentLease& operator=(const ExtentLease&) = delete;
  ~ExtentLease() { allocator_->let_go(extent_, first_generation_); }

  [[nodiscard]] Extent extent() const noexcept { return extent_; }

 private:
  std::shared_ptr<ExtentAllocator> allocator_;
  Extent extent_;
  std::uint64_t first_generation_ = 0;  ///< no state before it names the extent
};

/// The leases of an opening: one for each extent, however many states name it.  A table of twice as many places
/// as there are extents, looked through from an extent's own place on: an opening asks once for each section.
class LeaseBook {
 public:
  /// `num_extents`: the largest number of different extents.
  LeaseBook(std::shared_ptr<ExtentAllocator> extents, std::size_t num_extents)
      : extents_(std::move(extents)), leases_(std::bit_ceil(2 * num_extents + 1)) {}
  [[nodiscard]] std::shared_ptr<const ExtentLease> of(const Extent& extent);
  /// The lease of its extent from now on; `of` was not called for it yet.
  void add(std::shared_ptr<const ExtentLease> lease);

 private:
  std::shared_ptr<const ExtentLease>& place_of(const Extent& extent);

  std::shared_ptr<ExtentAllocator> extents_;
  std::vector<std::shared_ptr<const ExtentLease>> leases_;  ///< null: free
  std::size_t used_ = 0;
};

}  // namespace rizoma
