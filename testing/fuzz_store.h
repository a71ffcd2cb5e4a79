// Fuzz cases of the store's readers: whatever the bytes are, reading ends in success or in an Error.
//
// Checksums would keep nearly all changed bytes from the code after them, so each case runs twice: as
// it is, and with the checksums made right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace rizoma::testing {

/// The readers.
inline constexpr std::string_view kStoreReaders[] = {"superblock", "manifest",   "log",  "image",   "delta",
                                                     "removed",    "dictionary", "rows", "location"};

/// Corrects the checksums of a structure, as far as their places are known.
void seal_structure(std::string_view reader, std::span<std::byte> bytes);

/// Throws std::logic_error if what was read breaks its own rules.
void fuzz_store(std::string_view reader, const std::uint8_t* data, std::size_t size);

}  // namespace rizoma::testing
