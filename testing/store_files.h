// The files of a store as plain bytes, to be damaged at will.
#pragma once

#include "platform/medium.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace rizoma {

using FileContents = std::map<std::string, std::vector<std::byte>>;

[[nodiscard]] FileContents read_files(Medium& medium);
/// A medium in memory with these files.
[[nodiscard]] std::shared_ptr<Medium> medium_of(const FileContents& files, std::uint32_t granularity = 512);

}  // namespace rizoma
