// MediumChoice: files or persistent memory.  Module: platform.
#pragma once

#include <cstdint>

namespace rizoma {

/// The medium of a directory, for writers: readers read the same bytes either way.
enum class MediumChoice : std::uint8_t {
  automatic,  ///< persistent memory where the directory offers MAP_SYNC, files elsewhere
  files,      ///< always files, made durable by fdatasync
  dax,        ///< persistent memory, made durable by cache-line flushes; an Error where there is none
};

}  // namespace rizoma
