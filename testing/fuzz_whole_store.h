// Fuzz cases of whole stores: an input is a small program that takes one of a few tiny stores, changes numbers in
// its files by the grammar of the format (and cuts, drops and mixes up files, and appends to the log), makes every
// checksum right again, and then does with the store what users do.
//
//   input := base script edit*        a byte each for base and script
//   edit  := op group index value     1, 1, 2 and 8 bytes
//
// Whatever the bytes are, everything ends in success or in an Error; and what cannot be opened or read, `check`
// finds.  The same input gives the same case as long as the base stores are made alike.
#pragma once

#include "testing/store_files.h"

#include <cstddef>
#include <cstdint>

namespace rizoma::testing {

inline constexpr std::size_t kFuzzHeadBytes = 2;
inline constexpr std::size_t kFuzzEditBytes = 12;
inline constexpr std::size_t kFuzzMostEdits = 12;

/// Throws std::logic_error if a call breaks its promises.
void fuzz_whole_store(const std::uint8_t* data, std::size_t size);

/// Changes an input as libFuzzer's custom mutators do: edit by edit.  Returns its new size, at most `most`.
std::size_t mutate_whole_store(std::uint8_t* data, std::size_t size, std::size_t most, std::uint32_t seed);

/// The files of the case, for who looks into a finding.
[[nodiscard]] FileContents files_of_case(const std::uint8_t* data, std::size_t size);

}  // namespace rizoma::testing
