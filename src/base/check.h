// Checks for bugs.  A failed check throws InternalError: it means that Rizoma is wrong, never that
// its input is.  `RIZOMA_DCHECK` is compiled out of release builds and may be in hot loops.
#pragma once

#include <stdexcept>
#include <string>

namespace rizoma {

/// Rizoma broke a promise it made to itself; please report it.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] inline void check_failed(const char* condition, const char* file, int line) {
  throw InternalError(std::string("internal check failed: ") + condition + " (" + file + ":" + std::to_string(line) +
                      ")");
}

}  // namespace rizoma

#define RIZOMA_CHECK(condition) ((condition) ? void(0) : ::rizoma::check_failed(#condition, __FILE__, __LINE__))

#ifdef NDEBUG
#define RIZOMA_DCHECK(condition) void(0)
#else
#define RIZOMA_DCHECK(condition) RIZOMA_CHECK(condition)
#endif
