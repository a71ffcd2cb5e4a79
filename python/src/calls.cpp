#include "calls.h"

#include "bindings.h"

#include <atomic>
#include <cstdint>
#include <thread>

namespace rizoma::python {
namespace {

/// Of the process, as the interpreter is.
struct Calls {
  std::atomic<std::int64_t> under_way{0};
  std::atomic<std::thread::id> ended_by{};  ///< the thread that finalizes; none: no thread yet
};

Calls& calls() {
  static Calls all;
  return all;
}

void finish_calls(bool daemons) {
  if (daemons) nb::set_leak_warnings(false);  // what their stacks hold is never released: no leak of ours
  Calls& all = calls();
  all.ended_by = std::this_thread::get_id();
  const nb::gil_scoped_release release;
  for (auto left = all.under_way.load(); left > 0; left = all.under_way.load()) all.under_way.wait(left);
}

}  // namespace

bool call_should_end() noexcept {
  const std::thread::id by = calls().ended_by;
  return by != std::thread::id() && by != std::this_thread::get_id();
}

CallUnderWay::CallUnderWay() {
  if (call_should_end()) raise({ErrorCode::closed, "the Python interpreter is shutting down, so no call can begin"});
  ++calls().under_way;
}

CallUnderWay::~CallUnderWay() {
  --calls().under_way;
  calls().under_way.notify_all();
}

void bind_calls(nb::module_& module) {
  module.def(
      "finish_calls", &finish_calls, nb::arg("daemons"),
      "At exit: stops the calls of other threads, waits for them, and refuses those that come later.  `daemons`: "
      "there are threads that the interpreter abandons.");
  module.def(
      "forget_calls", [] { calls().under_way = 0; },
      "In a forked child: the calls of the parent's other threads are not under way here.");
}

}  // namespace rizoma::python
