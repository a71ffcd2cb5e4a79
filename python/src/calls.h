// Calls that let go of the GIL, and how the end of the interpreter waits for them.
//
// Once the interpreter is being finalized, Python ends every other thread that asks for the GIL, by unwinding
// its stack, which C++ code under way does not survive: the process would abort.  Such threads are daemon
// threads; all others were joined before.  So at exit `finish_calls` waits until no call is under way, and
// from then on other threads' calls are refused.
#pragma once

#include <nanobind/nanobind.h>

namespace rizoma::python {

namespace nb = nanobind;

/// A call that is under way.  Made and destroyed with the GIL; raises ClosedError if the interpreter ends.
class CallUnderWay {
 public:
  CallUnderWay();
  ~CallUnderWay();
  CallUnderWay(const CallUnderWay&) = delete;
  CallUnderWay& operator=(const CallUnderWay&) = delete;
};

/// While one lives, its thread is without the GIL.
class WithoutGil {
  CallUnderWay call_;  ///< before, so that it ends once the GIL is back
  nb::gil_scoped_release release_;
};

/// True if the interpreter ends and waits for this thread's call: stop it.
[[nodiscard]] bool call_should_end() noexcept;

void bind_calls(nb::module_& module);

}  // namespace rizoma::python
