// single_process_only: how a kernel that several ranks cannot share refuses them.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/result.h>

#include <string>
#include <string_view>

namespace rizoma {

/// Ok if the engine has no ranks.  Such a kernel would go through this rank's vertices and answer as if they were
/// all.  Errors: unsupported, which names the kernel.
inline Status single_process_only(const Engine& engine, std::string_view kernel) {
  if (engine.ranks() == nullptr) return {};
  return Error{ErrorCode::unsupported,
               std::string(kernel) + " runs on one rank only; open the graph in one process for it"};
}

}  // namespace rizoma
