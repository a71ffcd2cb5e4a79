// UnreadableMedium: a Medium before another one, some of whose bytes cannot be read, as sectors of a dying disk.
//
// A read that meets such a range gives an Error of code io; so does MediumFile::populate, though mapping itself
// succeeds, as it does on a disk.  Bytes that are written again can be read again: a disk puts them elsewhere.
#pragma once

#include "platform/medium.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace rizoma {

/// Bytes [begin, end) of a file.
struct UnreadableRange {
  std::string file;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

[[nodiscard]] std::shared_ptr<Medium> make_unreadable_medium(std::shared_ptr<Medium> medium,
                                                             std::vector<UnreadableRange> ranges);

}  // namespace rizoma
