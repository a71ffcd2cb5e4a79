// MediumChoice: what keeps the bytes of a store.  Module: platform.
#pragma once

#include <cstdint>

namespace rizoma {

/// How the medium of a directory is chosen; for writing only, as readers read the same bytes either way.
enum class MediumChoice : std::uint8_t {
  automatic,  ///< persistent memory where the directory offers MAP_SYNC, files elsewhere
  files,      ///< always files, made durable by fdatasync
  dax,        ///< persistent memory, made durable by cache-line flushes; an Error where there is none
};

}  // namespace rizoma
