// StateFileFailure: vertex state did not fit the file that EngineOptions::state_directory asks for.  Module: engine.
#pragma once

#include <rizoma/result.h>

#include <new>
#include <utility>

namespace rizoma {

/// Thrown by allocations of vertex state.
class StateFileFailure : public std::bad_alloc {
 public:
  explicit StateFileFailure(Error error) : error_(std::move(error)) {}
  /// The cause: out_of_space, not_found, io.
  [[nodiscard]] const Error& error() const noexcept { return error_; }
  [[nodiscard]] const char* what() const noexcept override { return error_.message.c_str(); }

 private:
  Error error_;
};

}  // namespace rizoma
