// Store: what becomes of one that was never to be.
#include "store/store.h"

#include "store/publishing/discarded.h"

#include <new>
#include <utility>

namespace rizoma {

/// What cannot be removed stays.
void Store::remove_files() noexcept try {
  if (!begin_discarding(*medium_)) return;
  for (const OpenLocation& location : space_->locations()) {
    if (location.medium != nullptr) remove_location(*location.medium);
  }
  static_cast<void>(remove_discarded(*medium_));
} catch (const std::bad_alloc&) {
}

Status Store::discard() {
  RIZOMA_TRY(check_caller());
  {
    RIZOMA_ASSIGN(const PatientLock maintenance, acquire(maintenance_mutex_));
    maintenance.holds(maintenance_mutex_);
    RIZOMA_ASSIGN(const PatientLock writer, acquire(writer_mutex_));
    writer.holds(writer_mutex_);
    if (closed_ || read_only_) return check_writable();
    settle();
    closed_ = true;
    committer_->set_log(nullptr, 0);
    remove_files();
    lock_->leave_no_trace();
    lock_ = nullptr;
  }
  maintenance_->stop();  // last, as in `close`
  healing_->stop();
  return {};
}

}  // namespace rizoma
