// LockOrder: the order in which a thread takes the locks of the library, and its check.
//
// Each lock has a level.  A thread may wait for a lock only if each lock that it holds has a lower level; two locks of
// one level are never held together.  A debug build (without NDEBUG) keeps a list of the locks of each thread, and a
// thread that would break the order gets an InternalError instead of the lock: a deadlock that needs two threads and
// bad luck becomes a failure of any test that takes the two locks once.
// Not checked: locks that are tried and not waited for, as they cannot block; and locks that are `unordered`, which
// guard one object each and are of no part of a store.
// Cost: a search of the few locks that the thread holds; nothing in a release build.
#pragma once

#include "base/check.h"

#include <cstdint>

namespace rizoma {

/// The levels, the first lock of a thread first.
enum class LockLevel : std::uint8_t {
  joining,       ///< BackgroundThread::stop: a thread that is joined may take any lock below
  publication,   ///< Publisher::mutex: one publication at a time
  writer_entry,  ///< Writer::entry: no change begins
  writer,        ///< Writer::mutex: one change is prepared at a time
  maintenance,   ///< Maintenance: callers that wait for a checkpoint, and the outcome of the last one
  contents,      ///< Contents::mutex, the state lock: the visible state
  tags,          ///< TagTable
  snapshot,      ///< StoreSnapshot: views that are made once
  section,       ///< SectionVersion, RowState: a merge or an index that is made once
  stored,        ///< StoredExtent, StoredRows: an extent that is verified once
  committer,     ///< Committer: the queue of changes
  output,        ///< JoinedWrites, files of a load: one write at a time
  giving_back,   ///< Space: one gives space back at a time
  locations,     ///< Space: the list of locations
  extents,       ///< ExtentAllocator
  data_file,     ///< DataFiles: the mapping of a file
  last,          ///< no lock is taken under it
  unordered,     ///< not checked
};

#ifdef NDEBUG

class LockPlace {
 public:
  explicit constexpr LockPlace(LockLevel) noexcept {}
  void expect_next() const noexcept {}
  void note_taken() const noexcept {}
  void note_released() const noexcept {}
  [[nodiscard]] bool held() const noexcept { return true; }
};

#else

/// The place of one lock in the order.
class LockPlace {
 public:
  explicit constexpr LockPlace(LockLevel level) noexcept : level_(level) {}
  /// Throws InternalError if this thread must not wait for the lock now.
  void expect_next() const;
  void note_taken() const noexcept;
  void note_released() const noexcept;
  /// By this thread.
  [[nodiscard]] bool held() const noexcept;

 private:
  LockLevel level_;
};

#endif

}  // namespace rizoma
