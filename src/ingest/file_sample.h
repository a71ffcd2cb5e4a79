// FileSample: the beginning of a text file, from which readers derive its layout.
#pragma once

#include <rizoma/result.h>

#include "ingest/text_stream.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

namespace rizoma {

struct FileSample {
  /// About the first megabyte, or more where that holds one line of data only; of a file that begins with more comments
  /// than that, the lines after them.
  /// `skips(line)`: the line is none of data.
  static Result<FileSample> read(const std::filesystem::path& file, const std::string& encoding,
                                 bool (*skips)(const char*), std::size_t bytes = std::size_t{1} << 20);

  /// Its first lines, comments perhaps.
  [[nodiscard]] const TextChunk& top() const noexcept { return comments.begin == nullptr ? chunk : comments; }
  /// Whether there are no lines of data beyond it.
  [[nodiscard]] bool whole() const noexcept { return stream.at_end(); }
  /// Bytes of a file of `size` bytes for each sampled byte.
  [[nodiscard]] double scale(std::uint64_t bytes) const noexcept;
  /// Whether the file can be read range by range: its bytes are the text, and the beginning of its data is near.
  [[nodiscard]] bool in_ranges() const noexcept;

  TextStream stream;  ///< after the sample, to whose chunks it lends its name
  TextChunk chunk{};
  TextChunk comments{};  ///< the first ones, if `chunk` is after them
  bool any = false;      ///< the file has a line
};

}  // namespace rizoma
