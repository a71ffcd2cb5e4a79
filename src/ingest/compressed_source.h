// Streaming decompression: zlib for gzip, libzstd for Zstandard.
#pragma once

#include "ingest/byte_source.h"

#include <string>

namespace rizoma {

enum class Compression : std::uint8_t { none, gzip, zstd };

/// A source of what `compressed` contains; `name` is the file's, for messages.
Result<std::unique_ptr<ByteSource>> decompress(Compression compression, std::unique_ptr<ByteSource> compressed,
                                               std::string name);

}  // namespace rizoma
