// StoreDamager: damages the files of a store at random, as disks, copies and people do.
//
// Faults: a bit, bytes, sectors or pages changed, zeroed or filled with noise; a file cut short, emptied, deleted,
// rolled back to what it was at an earlier moment, exchanged with another one, or taken from another store; sectors
// that cannot be read.
#pragma once

#include "base/random.h"
#include "platform/medium.h"
#include "testing/store_files.h"
#include "testing/unreadable_medium.h"

#include <memory>
#include <string>
#include <vector>

namespace rizoma {

struct DamagedStore {
  FileContents files;
  std::vector<UnreadableRange> unreadable;
  std::string what;  ///< was done to it

  [[nodiscard]] std::shared_ptr<Medium> medium() const { return make_unreadable_medium(medium_of(files), unreadable); }
};

class StoreDamager {
 public:
  /// `versions` are the files as they were from moment to moment; the last one is damaged.  `foreign` are those of
  /// another store.
  StoreDamager(const std::vector<FileContents>& versions, const FileContents& foreign)
      : versions_(versions), foreign_(foreign) {}

  [[nodiscard]] DamagedStore damage(Random& random, unsigned faults) const;

 private:
  void change_bytes(Random& random, const std::string& name, DamagedStore& store) const;
  void change_file(Random& random, const std::string& name, DamagedStore& store) const;

  const std::vector<FileContents>& versions_;
  const FileContents& foreign_;
};

}  // namespace rizoma
