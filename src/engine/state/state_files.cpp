#include "engine/state/state_files.h"

#include "platform/unnamed_file.h"

#include <rizoma/detail/state_file_failure.h>

namespace rizoma {

VertexMemory StateFiles::take(std::size_t bytes) const {
  auto mapped = map_zeros(directory_, bytes);
  if (!mapped) {
    const Error& error = mapped.error();
    throw StateFileFailure({error.code, error.message + " (the option `state` puts the values of vertices there)"});
  }
  return {*mapped, bytes, [](void* data, std::size_t size) noexcept { unmap_zeros(data, size); }};
}

}  // namespace rizoma
