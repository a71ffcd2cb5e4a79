#include "ingest/file_sample.h"

#include <rizoma/ingest.h>

#include "ingest/text_scan.h"

#include <algorithm>

namespace rizoma {
Result<FileSample> FileSample::read(const std::filesystem::path& file, const std::string& encoding,
                                    bool (*skips)(const char*), std::size_t bytes) {
  RIZOMA_ASSIGN(TextStream stream, TextStream::open(file, encoding, bytes));
  FileSample sample{std::move(stream)};
  RIZOMA_ASSIGN(sample.any, sample.stream.next_chunk(sample.chunk));
  const auto lines_of_data = [&](const TextChunk& chunk, int most) {
    int count = 0;
    for (const char* line = chunk.begin; line < chunk.end && count < most; line = next_line(line, chunk.end))
      count += skips(line) ? 0 : 1;
    return count;
  };
  TextChunk next;
  while (sample.any && lines_of_data(sample.chunk, 1) == 0) {
    RIZOMA_ASSIGN(const bool more, sample.stream.next_chunk(next));
    if (!more) break;
    std::swap(sample.chunk, next);
    if (sample.comments.begin == nullptr) sample.comments = std::exchange(next, {});
  }
  // A header and the beginning of a row of some MiB: a row has to be seen.
  if (sample.any && lines_of_data(sample.chunk, 2) < 2 && !sample.whole() && bytes < TextStream::kLongestLine)
    return read(file, encoding, skips, 16 * bytes);
  return sample;
}

double FileSample::scale(std::uint64_t bytes) const noexcept {
  return static_cast<double>(bytes) / static_cast<double>(std::max<std::uint64_t>(1, stream.consumed()));
}

bool FileSample::in_ranges() const noexcept { return stream.is_plain() && stream.consumed() <= kBeginningBytes; }

}  // namespace rizoma
