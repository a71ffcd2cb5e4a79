#include "store/state/tag_table.h"

#include <string>

namespace rizoma {

bool TagTable::empty() const {
  const MutexLock guard(mutex_);
  return tags_.empty();
}

std::vector<Tag> TagTable::all() const {
  const MutexLock guard(mutex_);
  return tags_;
}

Result<TagEntry> TagTable::find(std::string_view name) const {
  const MutexLock guard(mutex_);
  for (const Tag& tag : tags_) {
    if (tag.entry.name == name) return tag.entry;
  }
  return Error{ErrorCode::not_found, "there is no tag '" + std::string(name) + "'"};
}

void TagTable::exchange(std::vector<Tag>& tags) {
  const MutexLock guard(mutex_);
  tags_.swap(tags);
}

}  // namespace rizoma
