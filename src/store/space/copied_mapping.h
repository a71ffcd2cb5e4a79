// A copy in memory of bytes of a file, for code that takes a mapping of them.
#pragma once

#include <rizoma/result.h>

#include "platform/medium.h"

#include <cstdint>

namespace rizoma {

/// Bytes [offset, offset + size), aligned to a page as what is mapped.  Errors: those of MediumFile::read.  Throws
/// std::bad_alloc.
[[nodiscard]] Result<Mapping> copied_mapping(const MediumFile& file, std::uint64_t offset, std::uint64_t size);

}  // namespace rizoma
