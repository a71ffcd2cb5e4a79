// Included before each source that is compiled with counters (branch_coverage.py): a check for bugs is no branch there,
// since no test can make it fail.  NDEBUG would leave checks out, but also change classes that other objects share.
#pragma once

#include "base/check.h"

namespace rizoma {

constexpr void expect_checked(bool holds, const char* condition, const char* file, int line) {
  if (!holds) check_failed(condition, file, line);
}

}  // namespace rizoma

#undef RIZOMA_CHECK
#undef RIZOMA_DCHECK
#define RIZOMA_CHECK(condition) ::rizoma::expect_checked(static_cast<bool>(condition), #condition, __FILE__, __LINE__)
#define RIZOMA_DCHECK(condition) RIZOMA_CHECK(condition)
