// Advice to the system on how mapped bytes will be read; systems without it ignore it.
#pragma once

#include <cstddef>
#include <span>

namespace rizoma {

/// Only the pages that are asked for are read from now on, none around them.
void read_no_more_than_asked(std::span<const std::byte> bytes) noexcept;

/// As it was before that.
void read_as_usual(std::span<const std::byte> bytes) noexcept;

/// These bytes are wanted soon: the system begins to read them.
void begin_reading(std::span<const std::byte> bytes) noexcept;

/// These bytes are not wanted for a while: their pages leave memory at once, the system's cache too unless other
/// processes use them.  What was written stays, and comes back when it is read.  Linux 5.4 and later.
void let_go(std::span<const std::byte> bytes) noexcept;

/// This process does not read the pages that lie within these bytes of a mapped file: they leave its memory, and stay
/// in the system's cache.  The system maps pages around each that is touched.
void leave_to_cache(std::span<const std::byte> bytes) noexcept;

}  // namespace rizoma
