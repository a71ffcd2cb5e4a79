// ByteSource: the bytes of a file in order, decompressed on the way if need be.
#pragma once

#include <rizoma/ingest.h>
#include <rizoma/result.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace rizoma {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills `out`; returns how many bytes it got, fewer than asked only at the end of the data.
  virtual Result<std::size_t> read(std::span<char> out) = 0;
  /// Bytes of the file on disk that have been used up: for progress.
  [[nodiscard]] virtual std::uint64_t consumed() const noexcept = 0;
};

/// Opens a regular file.  Its first bytes say whether it is gzip (any number of members) or Zstandard
/// (any number of frames); a name ending in .gz or .zst must be what it says.
/// Errors of opening: not_found, io.  Errors of reading: io; corrupt if the compressed data are
/// damaged or end too early.
Result<std::unique_ptr<ByteSource>> open_source(const std::filesystem::path& file);

/// The text of a file, in UTF-8.
struct TextSource {
  std::unique_ptr<ByteSource> bytes;
  bool is_plain = true;  ///< the bytes of the file are the text, but for the mark before it
};

/// Opens a file of text, which is decompressed and decoded on the way.  `encoding`: as iconv calls it; empty: what a
/// byte order mark says (UTF-8, UTF-16, UTF-32), else UTF-8.  The mark is taken off.
/// Errors: those of open_source; invalid_argument (no encoding is called so, or the mark says another one).  Errors of
/// reading: also parse (bytes that are not in the encoding).
Result<TextSource> open_text_source(const std::filesystem::path& file, const std::string& encoding);

/// Opens the file as it is on disk, from byte `offset` on.
Result<std::unique_ptr<ByteSource>> open_plain_source(const std::filesystem::path& file, std::uint64_t offset = 0);

/// Opens the file as it is on disk: those lines whose first byte is in `bytes`, to their ends.  `skipped`: how many
/// bytes of the file come before them.
Result<std::unique_ptr<ByteSource>> open_lines(const std::filesystem::path& file, const ByteRange& bytes,
                                               std::uint64_t& skipped);

/// Whether `open_source` would decompress it.
Result<bool> is_compressed(const std::filesystem::path& file);

/// Size of a regular file on disk.
Result<std::uint64_t> file_bytes(const std::filesystem::path& file);

}  // namespace rizoma
