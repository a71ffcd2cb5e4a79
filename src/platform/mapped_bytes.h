// Bytes of a file that are mapped, and may lie where the device cannot read.
#pragma once

#include <rizoma/result.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace rizoma {

/// Brings in mapped bytes, those at `offset` of the file `where`.  Error of code io if the device cannot read them.
/// Systems without MADV_POPULATE_READ (Linux before 5.14) say nothing.
Status populate_mapped(std::span<const std::byte> mapped, std::string_view where, std::uint64_t offset);

}  // namespace rizoma
