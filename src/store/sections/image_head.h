// The head of a section image, its header and offsets, where its owner on another rank verifies the rest.
#pragma once

#include <rizoma/result.h>

#include "store/sections/image.h"

#include <cstddef>
#include <span>
#include <string_view>

namespace rizoma {

/// Checks the header with its checksum, and the form of the offsets; touches nothing after them.  Errors: corrupt,
/// unsupported.
Result<ImageSpec> check_image_head(std::span<const std::byte> image, unsigned section_bits, std::string_view where);

}  // namespace rizoma
