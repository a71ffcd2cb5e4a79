// ExtentAllocator: which page-aligned ranges of the data files are free, one file for each location of
// the store.  Nothing of it is durable: it is derived from the manifest at every open.
#pragma once

#include <rizoma/result.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
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

/// The space of one data file.  First fit; neighbours of free space merge.
class ExtentSpace {
 public:
  /// Free: everything but `used`, which is ascending, from `floor` on.  False if two of them overlap or
  /// are not aligned.
  bool reset(std::span<const Extent> used, std::uint64_t floor);
  [[nodiscard]] std::uint64_t allocate(std::uint64_t bytes);
  /// For want of memory to note it, space may stay taken until the next `reset`.
  void free(std::uint64_t offset, std::uint64_t bytes) noexcept;
  [[nodiscard]] std::uint64_t end() const noexcept { return end_; }
  [[nodiscard]] std::uint64_t free_bytes() const;

 private:
  std::map<std::uint64_t, std::uint64_t> free_;  ///< offset -> bytes, below end_
  std::uint64_t end_ = 0;
  std::uint64_t floor_ = 0;
};

/// Hands out page-aligned ranges of the data files; any thread.
class ExtentAllocator {
 public:
  /// Free: everything but `used`, in each location from its floor on (0 if `floors` has none); below it
  /// nothing is ever handed out, as snapshots of an earlier opening may still read there.  Error of code
  /// corrupt if two extents overlap or are not aligned.
  Status reset(std::vector<Extent> used, const std::vector<std::uint64_t>& floors = {});
  [[nodiscard]] Extent allocate(std::uint64_t bytes, unsigned location = 0);
  void free(Extent extent) noexcept;
  /// End of the last extent in use: the data file need not be longer.
  [[nodiscard]] std::uint64_t end(unsigned location = 0) const;
  [[nodiscard]] std::uint64_t free_bytes() const;

 private:
  mutable std::mutex mutex_;
  std::vector<ExtentSpace> spaces_{1};  ///< by location
};

/// Holds an extent; gives it back when the last holder lets go.  What the manifest names is held by
/// the store, what a snapshot reads by the snapshot, so neither is ever overwritten.
class ExtentLease {
 public:
  /// Of an extent that the allocator knows to be in use.
  ExtentLease(std::shared_ptr<ExtentAllocator> allocator, Extent extent) noexcept
      : allocator_(std::move(allocator)), extent_(extent) {}
  /// Of a new one.
  ExtentLease(std::shared_ptr<ExtentAllocator> allocator, std::uint64_t bytes, unsigned location)
      : allocator_(std::move(allocator)), extent_(allocator_->allocate(bytes, location)) {}
  ExtentLease(const ExtentLease&) = delete;
  ExtentLease& operator=(const ExtentLease&) = delete;
  ~ExtentLease() { allocator_->free(extent_); }

  [[nodiscard]] Extent extent() const noexcept { return extent_; }

 private:
  std::shared_ptr<ExtentAllocator> allocator_;
  Extent extent_;
};

}  // namespace rizoma
