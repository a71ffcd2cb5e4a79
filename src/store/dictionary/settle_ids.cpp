// Store: the kind of ids of a graph that has none yet.
#include "store/store.h"

#include <utility>

namespace rizoma {

Result<IdKind> Store::settle_ids(IdKind kind, bool for_good) {
  RIZOMA_TRY(check_caller());
  const auto settled = [&] { return schema_.ids_fixed || num_vertices_ != 0 || (schema_.ids == kind && !for_good); };
  {
    const MutexLock guard(state_mutex_);
    if (settled()) return schema_.ids;
  }
  RIZOMA_ASSIGN(const PatientLock maintenance, acquire(maintenance_mutex_));
  maintenance.holds(maintenance_mutex_);
  RIZOMA_ASSIGN(const PatientLock writer, acquire(writer_mutex_));
  writer.holds(writer_mutex_);
  RIZOMA_TRY(check_writable());
  settle();
  ManifestState state;
  {
    const MutexLock guard(state_mutex_);
    if (settled()) return schema_.ids;
    state = manifest_state();
  }
  state.schema.ids = kind;
  state.schema.ids_fixed = for_good;
  auto removed = std::make_shared<const RemovedVertices>(state.schema.section_bits);
  RIZOMA_TRY(install({{}, std::move(state), std::make_shared<Dictionary>(kind), std::move(removed)}));
  return kind;
}

}  // namespace rizoma
