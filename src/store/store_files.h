// What the writers of whole sections (checkpoint, compaction, bulk load) share:
//
//   1. allocate extents (ExtentAllocator) and write images, deltas and dictionary segments into them
//      (DataFile), then sync it;
//   2. describe the whole new state in a ManifestState;
//   3. publish it.  Before that nothing is visible; a crash leaves the old state whole, and the
//      extents allocated are free again at the next open.
//
// The bulk loader gets a StoreFiles from Store::files() and ends with Store::install.
#pragma once

#include "store/data_file.h"
#include "store/extent_allocator.h"
#include "store/image.h"
#include "store/manifest.h"

namespace rizoma {

struct StoreFiles {
  Medium& medium;
  DataFile& data;
  ExtentAllocator& extents;
};

}  // namespace rizoma
