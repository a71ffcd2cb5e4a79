// libFuzzer entry for whole stores: inputs are lists of edits (testing/fuzz_whole_store.h).
#include "testing/fuzz_whole_store.h"

#include <algorithm>
#include <cstring>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rizoma::testing::fuzz_whole_store(data, size);
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned int seed) {
  return rizoma::testing::mutate_whole_store(data, size, most, seed);
}

/// The edits of one input after those of another.
extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size,
                                                 const std::uint8_t* second, std::size_t second_size, std::uint8_t* out,
                                                 std::size_t most, unsigned int) {
  using rizoma::testing::kFuzzHeadBytes;
  std::vector<std::uint8_t> both(first, first + first_size);
  if (second_size > kFuzzHeadBytes) both.insert(both.end(), second + kFuzzHeadBytes, second + second_size);
  const std::size_t size = std::min(both.size(), most);
  if (size > 0) std::memcpy(out, both.data(), size);
  return size;
}
