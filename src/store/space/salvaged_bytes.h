// What can be read of a file that lies, in part, where the device cannot read.
#pragma once

#include <rizoma/result.h>

#include "platform/medium.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace rizoma {

/// Reads out.size() bytes; sectors that give an Error of code io are filled with bytes that fail every checksum and are
/// no padding.  Returns how many bytes those are.  Errors: all but io.
Result<std::uint64_t> read_what_can_be(const MediumFile& file, std::uint64_t offset, std::span<std::byte> out);

}  // namespace rizoma
