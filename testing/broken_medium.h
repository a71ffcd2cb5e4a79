// BrokenMedium: a Medium before another one that forgets or delays some of its operations, as a store
// with a mistake would.  The crash tests must notice: they would be worth nothing otherwise.
#pragma once

#include "platform/medium.h"
#include "testing/crash_model.h"

#include <functional>
#include <memory>
#include <ostream>
#include <string>

namespace rizoma {

/// The mistake: operations of this kind on files whose name starts so are acknowledged, but not done;
/// or done only right after the next operation of kind `until` on a file whose name starts with `until_name`.
struct Mistake {
  std::string name;  ///< of the test
  OperationKind kind = OperationKind::sync;
  std::string file;
  bool delayed = false;
  OperationKind until = OperationKind::sync;
  std::string until_file;
  friend void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }
};

struct BrokenMedium {
  std::shared_ptr<Medium> medium;
  std::function<void()> mend;  ///< from then on it makes no mistakes
};

/// `medium` outlives what this returns.
[[nodiscard]] BrokenMedium make_broken_medium(Medium& medium, const Mistake& mistake);

}  // namespace rizoma
