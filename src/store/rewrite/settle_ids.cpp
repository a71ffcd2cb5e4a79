// Rewriter: the kind of ids of a graph that has none yet.
#include "store/rewrite/rewriter.h"

#include <utility>

namespace rizoma {

Result<IdKind> Rewriter::settle_ids(IdKind kind, bool for_good) {
  RIZOMA_TRY(publisher_.access.check());
  const auto settled = [&] {
    return publisher_.contents.schema.ids_fixed || publisher_.contents.num_vertices != 0 ||
           (publisher_.contents.schema.ids == kind && !for_good);
  };
  {
    const MutexLock guard(publisher_.contents.mutex);
    if (settled()) return publisher_.contents.schema.ids;
  }
  RIZOMA_ASSIGN(const TimedLock publishing, publisher_.acquire());
  publishing.holds(publisher_.mutex);
  RIZOMA_ASSIGN(const TimedLock writer, publisher_.writer.acquire());
  writer.holds(publisher_.writer.mutex);
  RIZOMA_TRY(publisher_.writer.check_writable());
  publisher_.writer.settle();
  ManifestState state;
  {
    const MutexLock guard(publisher_.contents.mutex);
    if (settled()) return publisher_.contents.schema.ids;
    state = publisher_.contents.manifest_state();
  }
  state.schema.ids = kind;
  state.schema.ids_fixed = for_good;
  auto removed = std::make_shared<const RemovedVertices>(state.schema.section_bits);
  RIZOMA_TRY(publisher_.install({{}, std::move(state), std::make_shared<Dictionary>(kind), std::move(removed)}));
  return kind;
}

}  // namespace rizoma
