// Result<T>: a value or an Error, for everything that the world (files, input, users) can cause.
// Bugs are not Errors: see check.h.  Module: base.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace rizoma {

/// What kind of thing went wrong; each has one Python exception.
enum class ErrorCode {
  invalid_argument,  ///< the caller asked for something that has no meaning
  not_found,         ///< a file, vertex or column that is missing
  already_exists,    ///< something is in the way
  parse,             ///< malformed input; the message names file, line and column
  io,                ///< the operating system refused or failed
  out_of_space,      ///< the device is full
  out_of_memory,     ///< the memory limit or the machine's memory is exhausted
  corrupt,           ///< stored bytes fail their checksum or break an invariant
  unsupported,       ///< a format version or feature this build does not know
  locked,            ///< another process writes to this store, or another thread changes it and its progress hangs
  closed,            ///< the object was closed
  cancelled,         ///< the caller asked to stop
};

/// An error: a code for programs and one sentence for people (what, where, and the remedy if known).
struct Error {
  ErrorCode code = ErrorCode::invalid_argument;
  std::string message;
};

/// Either a T or an Error.  Test with `if (!result)`; then read `*result` or `result.error()`.
template <class T>
class [[nodiscard]] Result {
 public:
  using value_type = T;
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit by design
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT

  [[nodiscard]] bool ok() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }
  [[nodiscard]] T& operator*() & { return std::get<0>(state_); }
  [[nodiscard]] const T& operator*() const& { return std::get<0>(state_); }
  [[nodiscard]] T&& operator*() && { return std::get<0>(std::move(state_)); }
  [[nodiscard]] T* operator->() { return &std::get<0>(state_); }
  [[nodiscard]] const T* operator->() const { return &std::get<0>(state_); }
  [[nodiscard]] const Error& error() const& { return std::get<1>(state_); }
  [[nodiscard]] Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Error> state_;
};

/// Success, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;
  Result() = default;
  Result(Error error) : error_(std::in_place_index<1>, std::move(error)) {}  // NOLINT

  [[nodiscard]] bool ok() const noexcept { return error_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }
  [[nodiscard]] const Error& error() const& { return std::get<1>(error_); }
  [[nodiscard]] Error&& error() && { return std::get<1>(std::move(error_)); }

 private:
  std::variant<std::monostate, Error> error_;
};

using Status = Result<void>;

}  // namespace rizoma

#define RIZOMA_CONCAT_(a, b) a##b
#define RIZOMA_CONCAT(a, b) RIZOMA_CONCAT_(a, b)

/// Returns the Error of `expr` from the enclosing function, if it is one.
#define RIZOMA_TRY(expr)                                                                                          \
  do {                                                                                                            \
    if (auto rizoma_status_ = (expr); !rizoma_status_) return ::rizoma::Error(std::move(rizoma_status_).error()); \
  } while (false)

/// `RIZOMA_ASSIGN(auto x, expr)`: x = the value of `expr`, or returns its Error.
#define RIZOMA_ASSIGN(declaration, expr) RIZOMA_ASSIGN_(RIZOMA_CONCAT(rizoma_result_, __LINE__), declaration, expr)
#define RIZOMA_ASSIGN_(tmp, declaration, expr)              \
  auto tmp = (expr);                                        \
  if (!tmp) return ::rizoma::Error(std::move(tmp).error()); \
  declaration = *std::move(tmp)
