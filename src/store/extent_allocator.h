// ExtentAllocator: which page-aligned ranges of `data` are free.  Nothing of it is durable: it is
// derived from the manifest at every open.
#pragma once

#include <rizoma/result.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace rizoma {

/// Bytes [offset, offset + bytes) of `data`.  `offset` is a multiple of a page.
struct Extent {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  [[nodiscard]] bool empty() const noexcept { return bytes == 0; }
};

/// Hands out page-aligned ranges of `data`; any thread.  First fit; neighbours of free space merge.
class ExtentAllocator {
 public:
  /// Free: everything but `used`, from `floor` on; below it nothing is ever handed out, as snapshots of
  /// an earlier opening may still read there.  Error of code corrupt if two of them overlap or are not aligned.
  Status reset(std::vector<Extent> used, std::uint64_t floor = 0);
  [[nodiscard]] Extent allocate(std::uint64_t bytes);
  void free(Extent extent);
  /// End of the last extent in use: `data` need not be longer.
  [[nodiscard]] std::uint64_t end() const;
  [[nodiscard]] std::uint64_t free_bytes() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::uint64_t, std::uint64_t> free_;  ///< offset -> bytes, below end_
  std::uint64_t end_ = 0;
  std::uint64_t floor_ = 0;
};

/// Holds an extent; gives it back when the last holder lets go.  What the manifest names is held by
/// the store, what a snapshot reads by the snapshot, so neither is ever overwritten.
class ExtentLease {
 public:
  ExtentLease(std::shared_ptr<ExtentAllocator> allocator, Extent extent) noexcept
      : allocator_(std::move(allocator)), extent_(extent) {}
  ExtentLease(const ExtentLease&) = delete;
  ExtentLease& operator=(const ExtentLease&) = delete;
  ~ExtentLease() { allocator_->free(extent_); }

  [[nodiscard]] Extent extent() const noexcept { return extent_; }

 private:
  std::shared_ptr<ExtentAllocator> allocator_;
  Extent extent_;
};

}  // namespace rizoma
