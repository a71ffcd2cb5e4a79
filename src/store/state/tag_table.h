// TagTable: the tagged states that a store keeps, with the extents that they hold.
//
// Threads.  One publication at a time changes it; any thread reads it.  Its lock is the last one: no other is taken
// under it.
#pragma once

#include <rizoma/result.h>
#include <rizoma/store_types.h>

#include "platform/mutex.h"
#include "store/manifest/manifest.h"
#include "store/space/extent_allocator.h"
#include "store/state/durable.h"

#include <memory>
#include <string_view>
#include <vector>

namespace rizoma {

/// A tagged state.
struct Tag {
  TagEntry entry;
  std::shared_ptr<const ExtentLease> lease;  ///< of its manifest
  std::shared_ptr<const Durable> held;       ///< its extents; null: a reader's, or damaged, which holds none
};

class TagTable {
 public:
  [[nodiscard]] bool empty() const;
  [[nodiscard]] std::vector<Tag> all() const;
  /// Errors: not_found.
  [[nodiscard]] Result<TagEntry> find(std::string_view name) const;
  /// Replaces the tags by these, and returns the former ones.
  void exchange(std::vector<Tag>& tags);

 private:
  mutable Mutex mutex_{LockLevel::tags};
  std::vector<Tag> tags_ RIZOMA_GUARDED_BY(mutex_);  ///< in the order of tagging
};

}  // namespace rizoma
