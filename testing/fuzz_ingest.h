// One fuzz case: bytes written to a file whose name tells the format, then read with small chunks by one
// thread.  Whatever the bytes are, reading ends in success or in an Error, and a second reading with
// other chunks delivers the same edges or the same message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace rizoma::testing {

/// `name` is the file's, e.g. "case.mtx".  Throws std::logic_error if two readings disagree.
void fuzz_read(const std::string& name, const std::uint8_t* data, std::size_t size);

}  // namespace rizoma::testing
