// libFuzzer entry; the format is fixed by the file name that the build gives.
#include "testing/fuzz_ingest.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rizoma::testing::fuzz_read(RIZOMA_FUZZ_NAME, data, size);
  return 0;
}
