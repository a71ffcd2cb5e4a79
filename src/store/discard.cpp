// Store: what becomes of one that was never to be.
#include "store/store.h"

#include <charconv>
#include <new>
#include <string>
#include <utility>

namespace rizoma {
namespace {

/// True for the names that a store gives to its files, and for no other.
bool is_made_by_stores(const std::string& name) {
  if (name == kDataName || name == kSuperblockName || name == "superblock.new") return true;
  std::uint64_t number = 0;
  const char* end = name.data() + name.size();
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos || std::from_chars(name.data() + dot + 1, end, number).ptr != end) return false;
  return name == manifest_name(number) || name == manifest_copy_name(number) || name == log_name(number);
}

}  // namespace

/// What cannot be removed stays.  The superblock goes first: what remains without it is no store.
void Store::remove_files() noexcept try {
  const auto found = medium_->exists(kSuperblockName);
  if (!found || (*found && !medium_->remove(kSuperblockName))) return;
  if (const auto names = medium_->list()) {
    for (const std::string& name : *names) {
      if (is_made_by_stores(name)) static_cast<void>(medium_->remove(name));
    }
  }
  for (const OpenLocation& location : locations_) {
    if (location.medium != nullptr) remove_location(*location.medium);
  }
  static_cast<void>(medium_->sync_names());
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
