// JoinedWrites: bytes for many extents, written in pieces of the size and place of a huge page.
//
// Why.  A file system that keeps files in memory in pieces of any size (ext4 and xfs on a recent Linux) makes them as
// large as the write that brings them in.  A whole huge page is mapped at once, so that who reads a store first, and
// finds it in memory, need not wait for each of its pages (docs/measurements/store.md).
// How.  What follows what came before is put after it in a buffer, which is written whenever it reaches a multiple of
// a huge page in the file; long bytes are written from where they are.
// Any thread; one at a time takes an extent and copies.  Cost: a copy of all bytes.  Memory: a huge page.
#pragma once

#include <rizoma/result.h>

#include "platform/mutex.h"
#include "store/disk_format.h"
#include "store/space/data_files.h"
#include "store/space/extent_allocator.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace rizoma {

class JoinedWrites {
 public:
  static constexpr std::size_t kPiece = std::size_t{1} << 21;  ///< a huge page, where pages have 4 KiB

  JoinedWrites(std::shared_ptr<DataFiles> data, std::shared_ptr<ExtentAllocator> extents)
      : data_(std::move(data)), extents_(std::move(extents)) {}

  /// Room for the bytes, which are in the file once `finish` has succeeded.  After an Error it writes nothing more,
  /// because released extents may have other owners, and every call returns that Error.
  Result<std::shared_ptr<const ExtentLease>> write(std::span<const std::byte> bytes, unsigned location);
  /// Writes what is left.
  Status finish();

 private:
  Status put(Extent extent, std::span<const std::byte> bytes) RIZOMA_REQUIRES(mutex_);
  Status append(std::span<const std::byte> bytes) RIZOMA_REQUIRES(mutex_);
  Status flush() RIZOMA_REQUIRES(mutex_);
  [[nodiscard]] std::uint64_t end() const noexcept RIZOMA_REQUIRES(mutex_) { return begin_.offset + buffer_.size(); }

  const std::shared_ptr<DataFiles> data_;
  const std::shared_ptr<ExtentAllocator> extents_;
  Mutex mutex_{LockLevel::output};
  Extent begin_ RIZOMA_GUARDED_BY(mutex_);  ///< the place of the buffer; its length is the buffer's
  std::vector<std::byte> buffer_ RIZOMA_GUARDED_BY(mutex_);
  Status failed_ RIZOMA_GUARDED_BY(mutex_);
};

}  // namespace rizoma
