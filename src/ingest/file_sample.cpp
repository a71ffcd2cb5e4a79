#include "ingest/file_sample.h"

#include <rizoma/ingest.h>

#include "ingest/text_scan.h"

#include <algorithm>

namespace rizoma {
namespace {

constexpr std::size_t kSampleBytes = std::size_t{1} << 20;

}  // namespace

Result<FileSample> FileSample::read(const std::filesystem::path& file, bool (*skips)(const char*)) {
  RIZOMA_ASSIGN(TextStream stream, TextStream::open(file, kSampleBytes));
  FileSample sample{std::move(stream)};
  RIZOMA_ASSIGN(sample.any, sample.stream.next_chunk(sample.chunk));
  const auto has_data = [&](const TextChunk& chunk) {
    const char* line = chunk.begin;
    while (line < chunk.end && skips(line)) line = next_line(line, chunk.end);
    return line < chunk.end;
  };
  TextChunk next;
  while (sample.any && !has_data(sample.chunk)) {
    RIZOMA_ASSIGN(const bool more, sample.stream.next_chunk(next));
    if (!more) break;
    std::swap(sample.chunk, next);
    if (sample.comments.begin == nullptr) sample.comments = std::exchange(next, {});
  }
  return sample;
}

double FileSample::scale(std::uint64_t bytes) const noexcept {
  return static_cast<double>(bytes) / static_cast<double>(std::max<std::uint64_t>(1, stream.consumed()));
}

bool FileSample::in_ranges() const noexcept { return stream.consumed() <= kBeginningBytes; }

}  // namespace rizoma
