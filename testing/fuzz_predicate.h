// One fuzz case of the language of predicates.  Whatever the text is, it is read or refused with an error that shows
// its place; one that is read means the same for a block of rows as for each row by itself.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rizoma::testing {

/// Throws std::logic_error otherwise.
void fuzz_predicate(const std::uint8_t* data, std::size_t size);

}  // namespace rizoma::testing
