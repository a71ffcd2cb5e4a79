#include "transport/mpi_module.h"

#include <rizoma/detail/version.h>

#include <dlfcn.h>

namespace rizoma {
namespace {

Error not_loaded(const std::string& what, const char* remedy) {
  const char* const reason = ::dlerror();
  return {ErrorCode::not_found, what + ": " + (reason != nullptr ? reason : "it cannot be loaded") + "; " + remedy};
}

}  // namespace

Result<std::unique_ptr<Transport>> join_mpi(const MpiOptions& options) {
  const std::string library = options.library.empty() ? "libmpi_abi.so.1" : options.library;
  // MPI stays in the process permanently: it cannot be started twice, and its own threads may linger.
  if (::dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE) == nullptr) {
    return not_loaded("no MPI library with the standard ABI", "pip install rizoma[cluster]");
  }
  void* const module = ::dlopen(options.module.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (module == nullptr) {
    return not_loaded("this build of Rizoma has no MPI transport",
                      "build it where mpi_abi.h is found (pip install mpich)");
  }
  void* const entry = ::dlsym(module, kMpiEntry);
  if (entry == nullptr)
    return not_loaded(options.module + " is not an MPI transport of Rizoma", "install Rizoma again");
  return reinterpret_cast<MpiEntry>(entry)(options, kVersion);
}

}  // namespace rizoma
