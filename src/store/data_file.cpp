#include "store/data_file.h"

#include <cstring>
#include <new>
#include <string>
#include <utility>

namespace rizoma {

Status DataFile::write(std::uint64_t offset, std::span<const std::byte> bytes) {
  {
    const std::lock_guard guard(mutex_);
    whole_ = {};
  }
  return file_->write(offset, bytes);
}

Result<Mapping> DataFile::map(Extent extent) const {
  const std::lock_guard guard(mutex_);
  if (whole_.bytes.size() < extent.offset + extent.bytes) {
    RIZOMA_ASSIGN(const std::uint64_t size, file_->size());
    if (size < extent.offset + extent.bytes) {
      return Error{ErrorCode::corrupt, "data ends at byte " + std::to_string(size) + ", inside or before the extent of " +
                                           std::to_string(extent.bytes) + " bytes at " + std::to_string(extent.offset)};
    }
    RIZOMA_ASSIGN(whole_, file_->map(0, size));
    whole_.owner = std::make_shared<std::pair<std::shared_ptr<MediumFile>, std::shared_ptr<const void>>>(
        file_, std::move(whole_.owner));
  }
  return Mapping{whole_.bytes.subspan(extent.offset, extent.bytes), whole_.owner};
}

Result<Mapping> DataFile::copy(Extent extent) const {
  RIZOMA_ASSIGN(const std::uint64_t size, file_->size());
  if (size < extent.offset + extent.bytes) return map(extent);  // the error that says so
  constexpr std::align_val_t kAlignment{4096};
  auto* bytes = static_cast<std::byte*>(::operator new(extent.bytes, kAlignment));
  const std::shared_ptr<const void> owner(
      bytes, [](const void* data) { ::operator delete(const_cast<void*>(data), kAlignment); });
  RIZOMA_TRY(file_->read(extent.offset, {bytes, extent.bytes}));
  return Mapping{{bytes, extent.bytes}, owner};
}

}  // namespace rizoma
