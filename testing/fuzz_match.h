// One fuzz case of the pattern language: a pattern, and after the first line feed a condition.  Whatever the text is,
// it is bound to a graph or refused with an error that says why.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rizoma::testing {

/// Throws std::logic_error if an error has no message, or one of a syntax error no caret.
void fuzz_match(const std::uint8_t* data, std::size_t size);

}  // namespace rizoma::testing
