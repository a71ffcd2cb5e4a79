// Random names for stores.
#pragma once

#include "store/disk_format.h"

namespace rizoma {

/// A name that no other store has (128 random bits from the operating system).
[[nodiscard]] format::StoreId make_store_id();

}  // namespace rizoma
