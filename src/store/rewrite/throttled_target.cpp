#include "store/rewrite/throttled_target.h"

#include <chrono>
#include <thread>

namespace rizoma {

Status ThrottledTarget::put(const ImageSpec& spec, std::span<const std::byte> image) {
  RIZOMA_TRY(target_.put(spec, image));
  return written(image.size());
}

Status ThrottledTarget::put_dictionary(std::span<const std::byte> segment) {
  RIZOMA_TRY(target_.put_dictionary(segment));
  return written(segment.size());
}

Status ThrottledTarget::written(std::uint64_t bytes) {
  {
    const MutexLock guard(mutex_);
    pace_.wrote(bytes, clock_.seconds());
  }
  if ((unsynced_ += bytes) >= kPiece) {
    unsynced_ = 0;
    RIZOMA_TRY(data_.sync());
  }
  while (is_ahead()) {
    if (executor_.stopping()) return Error{ErrorCode::cancelled, "stopped while it waited to continue writing"};
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return {};
}

bool ThrottledTarget::is_ahead() const {
  const MutexLock guard(mutex_);
  return pace_.is_ahead(clock_.seconds());
}

}  // namespace rizoma
