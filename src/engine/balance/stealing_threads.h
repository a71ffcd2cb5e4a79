// do_on_all_threads: what each thread of a process does once its own work is done, where ranked lists move.
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/engine.h>

#include "platform/mutex.h"

namespace rizoma {

/// Runs work(thread) on all threads and returns the first error, else whether the call was stopped.  `end_for_all`
/// is called where `work` throws: the other threads would go on.
inline Status do_on_all_threads(Engine& engine, FunctionRef<Status(unsigned)> work, FunctionRef<void()> end_for_all) {
  Status failed;
  Mutex guard;
  engine.parallel([&](unsigned thread) {
    Status mine;
    try {
      mine = work(thread);
    } catch (...) {
      end_for_all();
      throw;
    }
    const MutexLock lock(guard);
    if (failed) failed = mine;
  });
  // `parallel` does not report a stop, which ends with this call.
  const Status stopped = engine.stopping() ? engine.report("triangle_count", 0, 0) : Status();
  return failed ? stopped : failed;
}

}  // namespace rizoma
