// StateFileFailure: vertex state was to lie in a file (EngineOptions::state_directory), and that could not be.
// Module: engine.
#pragma once

#include <rizoma/result.h>

#include <new>
#include <utility>

namespace rizoma {

/// Thrown where memory for vertex state is asked for, as std::bad_alloc is where there is none.
class StateFileFailure : public std::bad_alloc {
 public:
  explicit StateFileFailure(Error error) : error_(std::move(error)) {}
  /// What went wrong: out_of_space, not_found, io.
  [[nodiscard]] const Error& error() const noexcept { return error_; }
  [[nodiscard]] const char* what() const noexcept override { return error_.message.c_str(); }

 private:
  Error error_;
};

}  // namespace rizoma
