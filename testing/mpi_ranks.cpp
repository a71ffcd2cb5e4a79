#include "testing/mpi_ranks.h"

#include "transport/mpi_module.h"

#include <chrono>
#include <cstdlib>
#include <memory>
#include <stdexcept>

namespace rizoma {
namespace {

std::unique_ptr<Transport>& ranks() {
  static std::unique_ptr<Transport> joined;
  return joined;
}

}  // namespace

Transport* mpi_ranks() {
  const char* const module = std::getenv("RIZOMA_TEST_MPI_MODULE");
  if (module == nullptr) return nullptr;
  if (ranks() == nullptr) {
    const char* const library = std::getenv("RIZOMA_MPI_LIBRARY");
    // Ranks may be many more than processors, and those be busy with other tests.
    auto joined = join_mpi(
        {.module = module, .library = library != nullptr ? library : "", .patience = std::chrono::minutes(10)});
    if (!joined) throw std::runtime_error(joined.error().message);
    ranks() = *std::move(joined);
  }
  return ranks().get();
}

void leave_mpi_ranks() { ranks().reset(); }

}  // namespace rizoma
