#include "store/space/joined_writes.h"

#include <algorithm>
#include <span>

namespace rizoma {

Result<std::shared_ptr<const ExtentLease>> JoinedWrites::write(std::span<const std::byte> bytes, unsigned location) {
  const MutexLock lock(mutex_);
  RIZOMA_TRY(failed_);
  auto lease = std::make_shared<const ExtentLease>(extents_, bytes.size(), location);
  failed_ = put(lease->extent(), bytes);
  RIZOMA_TRY(failed_);
  return std::shared_ptr<const ExtentLease>(std::move(lease));
}

Status JoinedWrites::finish() {
  const MutexLock lock(mutex_);
  if (failed_) failed_ = flush();
  return failed_;
}

Status JoinedWrites::put(Extent extent, std::span<const std::byte> bytes) {
  // An extent's bytes from its end to the end of the page are unused.
  const std::uint64_t gap = extent.offset - end();
  const bool follows = extent.location == begin_.location && extent.offset >= end() && gap < format::kPage;
  if (follows && !buffer_.empty()) {
    buffer_.resize(buffer_.size() + gap);
    if (end() % kPiece == 0) RIZOMA_TRY(flush());
  } else {
    RIZOMA_TRY(flush());
    begin_ = {extent.offset, 0, extent.location};
  }
  return append(bytes);
}

Status JoinedWrites::append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const std::size_t room = kPiece - end() % kPiece;
    if (buffer_.empty() && room == kPiece && bytes.size() >= kPiece) {
      const std::span<const std::byte> pieces = bytes.first(bytes.size() / kPiece * kPiece);
      RIZOMA_TRY(data_->write({begin_.offset, pieces.size(), begin_.location}, pieces));
      begin_.offset += pieces.size();
      bytes = bytes.subspan(pieces.size());
      continue;
    }
    const std::span<const std::byte> part = bytes.first(std::min(bytes.size(), room));
    buffer_.insert(buffer_.end(), part.begin(), part.end());
    bytes = bytes.subspan(part.size());
    if (part.size() == room) RIZOMA_TRY(flush());
  }
  return {};
}

Status JoinedWrites::flush() {
  if (buffer_.empty()) return {};
  const Extent extent{begin_.offset, buffer_.size(), begin_.location};
  RIZOMA_TRY(data_->write(extent, buffer_));
  begin_.offset += buffer_.size();
  buffer_.clear();
  return {};
}

}  // namespace rizoma
