// Store: free space of the data files: when it may be used again, and when the device gets it back.
#include "store/store.h"

#include "store/format.h"
#include "store/space/data_files.h"

#include <algorithm>
#include <new>
#include <span>
#include <string>
#include <vector>

namespace rizoma {
namespace {

/// Zeros over all of it, a piece at a time.
Status overwrite(DataFiles& data, const Extent& range) {
  const std::vector<std::byte> zeros(std::min(range.bytes, std::uint64_t{2} << 20));
  for (std::uint64_t done = 0; done < range.bytes; done += zeros.size()) {
    const std::uint64_t bytes = std::min<std::uint64_t>(zeros.size(), range.bytes - done);
    RIZOMA_TRY(data.write({range.offset + done, bytes, range.location}, std::span(zeros).first(bytes)));
  }
  return {};
}

}  // namespace

/// A forked child has the snapshots of its parent, but no part in the leases that hold their extents: for it they are
/// held as for any other process, by a pin, which the kernel keeps until parent and child have let it go.  Null where
/// there are none, or no descriptors for them.  Needs the state lock.
std::shared_ptr<const void> Store::pin_generation() const {
  if (superblock_ == nullptr) return nullptr;  // read-only: the whole store has one
  auto pin = superblock_->pin(generation_);
  return pin ? *std::move(pin) : nullptr;
}

/// Frees what nobody needs any more: no durable manifest, no snapshot, no reader in another process.  What
/// cannot be asked now waits until it is asked again.
void Store::reclaim_space() {
  const auto read = superblock_->pins(extents_->next_generation());
  if (read) extents_->reclaim(*read);
}

/// Gives free blocks back, but for a share of what is in use.  Only what the durable superblock does not
/// lead to is free, so whatever a crash leaves of this is right, and what fails now is tried again after
/// the next checkpoint.  Needs the maintenance lock.
void Store::give_space_back(unsigned spare_percent) {
  try {
    reclaim_space();
    for (unsigned location = 0; location < kMaxLocations; ++location) {
      if (!data_->has(location)) continue;
      static_cast<void>(give_back(location, extents_->in_use(location) / 100 * spare_percent));
    }
  } catch (const std::bad_alloc&) {  // as little a failure of the checkpoint as that of the device
  }
}

Status Store::give_back(unsigned location, std::uint64_t spare) {
  RIZOMA_ASSIGN(const std::uint64_t size, data_->size(location));
  if (size > extents_->end(location) + spare) {
    RIZOMA_TRY(data_->shrink(location, [&] { return extents_->end(location); }));
  }
  RIZOMA_ASSIGN(const std::uint64_t allocated, data_->allocated(location));
  if (allocated <= extents_->in_use(location) + spare) return {};
  extents_->end_filled(location, size);
  while (const auto range = extents_->take_filled(location, spare)) {
    const Status emptied = data_->discard(*range);
    extents_->put_back(*range, emptied.ok());
    RIZOMA_TRY(emptied);
  }
  return {};
}

/// Bytes of what the present state names, in whole pages.
std::uint64_t Store::present_bytes() const {
  ManifestState state;
  {
    const MutexLock guard(state_mutex_);
    present_parts().put_into(state);
  }
  std::uint64_t bytes = 0;
  for (const Extent& extent : state.extents()) {
    bytes += (extent.bytes + format::kPage - 1) / format::kPage * format::kPage;
  }
  return bytes;
}

/// Empties all that is free, by overwriting it where the device takes nothing back.  Needs the maintenance lock.
Status Store::leave_no_trace() {
  reclaim_space();
  std::uint64_t held = 0;
  for (unsigned location = 0; location < kMaxLocations; ++location) {
    if (!data_->has(location)) continue;
    RIZOMA_TRY(data_->shrink(location, [&] { return extents_->end(location); }));
    RIZOMA_ASSIGN(const std::uint64_t size, data_->size(location));
    extents_->end_filled(location, size);
    while (const auto range = extents_->take_filled(location, 0)) {
      const Status emptied = data_->discard(*range);
      const Status gone = emptied ? Status() : overwrite(*data_, *range);
      extents_->put_back(*range, gone.ok());
      RIZOMA_TRY(gone);
    }
    held += extents_->in_use(location);
  }
  RIZOMA_TRY(data_->sync());
  if (held <= present_bytes()) return {};
  return Error{ErrorCode::invalid_argument,
               medium_->describe() + ": a snapshot, or a reader in another process, still reads an older state, and " +
                   std::to_string(held - present_bytes()) + " bytes of it are kept; let go of it and purge again"};
}

}  // namespace rizoma
