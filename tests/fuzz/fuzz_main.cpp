// libFuzzer entry; the reader is fixed by the build: RIZOMA_FUZZ_NAME is one of the store's, "pattern", "predicate", or
// the name of a file whose ending tells the format.
#include "testing/fuzz_ingest.h"
#include "testing/fuzz_match.h"
#include "testing/fuzz_predicate.h"
#include "testing/fuzz_store.h"

#include <algorithm>
#include <iterator>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rizoma::testing;
  constexpr std::string_view kName = RIZOMA_FUZZ_NAME;
  const bool of_store = std::find(std::begin(kStoreReaders), std::end(kStoreReaders), kName) != std::end(kStoreReaders);
  if (of_store) {
    fuzz_store(kName, data, size);
  } else if (kName == "pattern") {
    fuzz_match(data, size);
  } else if (kName == "predicate") {
    fuzz_predicate(data, size);
  } else {
    fuzz_read(std::string(kName), data, size);
  }
  return 0;
}
