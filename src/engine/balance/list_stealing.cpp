#include "engine/balance/list_stealing.h"

#include "platform/mutex.h"

namespace rizoma {

ListStealing::ListStealing(Engine& engine, OrientedLists& lists, CoreRows& core)
    : engine_(engine),
      lists_(lists),
      processes_(*lists.processes()),
      kept_(processes_.settings().cache_bytes),
      core_(lists, core) {}

std::vector<ListStealing::DegreeRank> ListStealing::work_of(const OrientedLists& lists) {
  std::vector<DegreeRank> work;
  for (VertexId r = 0; r < lists.size(); ++r) {
    if (lists.is_mine(r) && lists[r].size() > 1) work.push_back(static_cast<DegreeRank>(r));
  }
  return work;
}

Status ListStealing::for_each(Own own, Other other) {
  try {
    Status status = do_all_own(own);
    if (status) status = end_own(own);
    if (status) status = do_all_others(other);
    if (!status) end_for_all();
    return status;
  } catch (...) {
    end_for_all();
    throw;
  }
}

/// Each turn takes the next block, whichever that is, because others take some.
Status ListStealing::do_all_own(Own own) {
  Status failed;
  Mutex guard;
  RIZOMA_TRY(engine_.for_blocks(own_blocks(), 1, [&](VertexRange turns, unsigned thread) {
    for (VertexId turn = turns.begin; turn < turns.end; ++turn) {
      const Result<std::span<const DegreeRank>> block = take_own();
      if (!block) {
        const MutexLock lock(guard);
        failed = block.error();
      }
      if (!block || block->empty()) return;
      for (const DegreeRank r : *block) own(r, thread);
    }
  }));
  return failed;
}

Status ListStealing::end_own(Own) { return {}; }

/// The first error of any thread, else whether the call was stopped.  Where a thread throws, the others would go on.
Status ListStealing::do_all_others(Other other) {
  Status failed;
  Mutex guard;
  engine_.parallel([&](unsigned thread) {
    try {
      for (bool more = true; more;) {
        const Status stopped = engine_.report("triangle_count", 0, 0);  // within `parallel`: asks whether to go on
        const Result<bool> did = stopped ? do_others(other, thread) : Result<bool>(stopped.error());
        more = did && *did;
        if (did) continue;
        const MutexLock lock(guard);
        if (failed) failed = did.error();
      }
    } catch (...) {
      end_for_all();
      throw;
    }
  });
  // `parallel` does not report a stop, which ends with this call.
  const Status stopped = engine_.stopping() ? engine_.report("triangle_count", 0, 0) : Status();
  return failed ? stopped : failed;
}

}  // namespace rizoma
