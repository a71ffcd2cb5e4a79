#include "store/publishing/paced_target.h"

namespace rizoma {

Status PacedTarget::put(const ImageSpec& spec, std::span<const std::byte> image) {
  RIZOMA_TRY(target_.put(spec, image));
  return written(image.size());
}

Status PacedTarget::put_dictionary(std::span<const std::byte> segment) {
  RIZOMA_TRY(target_.put_dictionary(segment));
  return written(segment.size());
}

Status PacedTarget::written(std::uint64_t bytes) {
  if ((unsynced_ += bytes) < kPiece) return {};
  unsynced_ = 0;
  return data_.sync();
}

}  // namespace rizoma
