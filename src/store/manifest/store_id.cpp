#include "store/manifest/store_id.h"

#include <cstdint>
#include <random>

namespace rizoma {

format::StoreId make_store_id() {
  std::random_device device;
  const auto word = [&] { return std::uint64_t{device()} << 32 | device(); };
  const std::uint64_t high = word();
  return {high, word()};
}

}  // namespace rizoma
