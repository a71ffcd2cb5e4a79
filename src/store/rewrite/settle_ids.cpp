// Publisher: the kind of ids of a graph that has none yet.
#include "store/publishing/publisher.h"

#include <utility>

namespace rizoma {

Result<IdKind> Publisher::settle_ids(IdKind kind, bool for_good) {
  RIZOMA_TRY(access_.check());
  const auto settled = [&] {
    return contents_.schema.ids_fixed || contents_.num_vertices != 0 || (contents_.schema.ids == kind && !for_good);
  };
  {
    const MutexLock guard(contents_.mutex);
    if (settled()) return contents_.schema.ids;
  }
  RIZOMA_ASSIGN(const TimedLock maintenance, acquire());
  maintenance.holds(mutex);
  RIZOMA_ASSIGN(const TimedLock writer, writer_.acquire());
  writer.holds(writer_.mutex);
  RIZOMA_TRY(writer_.check_writable());
  writer_.settle();
  ManifestState state;
  {
    const MutexLock guard(contents_.mutex);
    if (settled()) return contents_.schema.ids;
    state = contents_.manifest_state();
  }
  state.schema.ids = kind;
  state.schema.ids_fixed = for_good;
  auto removed = std::make_shared<const RemovedVertices>(state.schema.section_bits);
  RIZOMA_TRY(install({{}, std::move(state), std::make_shared<Dictionary>(kind), std::move(removed)}));
  return kind;
}

}  // namespace rizoma
