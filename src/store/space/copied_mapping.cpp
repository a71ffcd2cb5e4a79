#include "store/space/copied_mapping.h"

#include <cstddef>
#include <memory>
#include <new>

namespace rizoma {

Result<Mapping> copied_mapping(const MediumFile& file, std::uint64_t offset, std::uint64_t size) {
  constexpr std::align_val_t kAlignment{4096};
  auto* bytes = static_cast<std::byte*>(::operator new(size, kAlignment));
  const std::shared_ptr<const void> owner(
      bytes, [](const void* copied) { ::operator delete(const_cast<void*>(copied), kAlignment); });
  RIZOMA_TRY(file.read(offset, {bytes, size}));
  return Mapping{{bytes, size}, owner};
}

}  // namespace rizoma
