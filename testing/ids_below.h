// The ids 0..end-1, as a test names them.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace rizoma {

[[nodiscard]] inline std::vector<std::int64_t> ids_below(std::int64_t end) {
  std::vector<std::int64_t> ids(static_cast<std::size_t>(end));
  std::iota(ids.begin(), ids.end(), std::int64_t{0});
  return ids;
}

}  // namespace rizoma
