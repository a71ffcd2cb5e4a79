#include "ingest/text_stream.h"

#include "base/check.h"
#include "ingest/content_kind.h"
#include "ingest/text_scan.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>

namespace rizoma {
namespace {

/// Counts bytes for which test(p) holds in [begin, end); written so that compilers vectorise it.
template <class Test>
std::uint64_t count_bytes(const char* begin, const char* end, Test test) noexcept {
  std::uint64_t total = 0;
  while (begin < end) {
    // 128 steps fit an 8-bit counter of each lane, whatever the width of a vector.
    const char* stop = end - begin > 128 ? begin + 128 : end;
    std::uint8_t count = 0;
    for (; begin < stop; ++begin) count = static_cast<std::uint8_t>(count + test(begin));
    total += count;
  }
  return total;
}

std::uint64_t comments_in(const char* begin, const char* end) noexcept {
  // Most text has no such byte at all, which is found out faster than where its lines begin.
  if (begin == end || std::memchr(begin, '%', static_cast<std::size_t>(end - begin)) == nullptr) return 0;
  return (*begin == '%') +
         count_bytes(begin, end - 1, [](const char* p) { return std::uint8_t((p[0] == '\n') & (p[1] == '%')); });
}

}  // namespace

void TextBuffer::reserve(std::size_t capacity, std::size_t used) {
  if (capacity <= capacity_) return;
  auto grown = std::make_unique_for_overwrite<char[]>(capacity);
  if (used > 0) std::memcpy(grown.get(), bytes_.get(), used);
  bytes_ = std::move(grown);
  capacity_ = capacity;
}

std::uint64_t LinesBefore::count() const {
  const MutexLock lock(mutex_);
  if (found_) return *found_;
  constexpr std::size_t kBlock = std::size_t{1} << 20;
  found_ = 0;
  const auto source = open_plain_source(file_);
  std::string block(kBlock, '\0');
  for (std::uint64_t left = byte_; source && left > 0;) {
    const auto got = (*source)->read(std::span(block).first(std::min<std::uint64_t>(left, block.size())));
    if (!got || *got == 0) break;
    *found_ += count_bytes(block.data(), block.data() + *got, [](const char* p) { return std::uint8_t(*p == '\n'); });
    left -= *got;
  }
  return *found_;
}

Error TextChunk::error(const char* at, std::string_view expected) const {
  return error_saying(at, "found " + describe_token(at, end) + ", expected " + std::string(expected));
}

Error TextChunk::error_saying(const char* at, std::string_view message) const {
  const std::uint64_t earlier = before == nullptr ? 0 : before->count();
  const auto line = earlier + first_line + static_cast<std::uint64_t>(std::count(begin, at, '\n'));
  const char* start = at;
  while (start > begin && start[-1] != '\n') --start;
  return {ErrorCode::parse,
          *file + ":" + std::to_string(line) + ":" + std::to_string(at - start + 1) + ": " + std::string(message)};
}

TextStream::TextStream(std::unique_ptr<ByteSource> source, std::string name, std::size_t chunk_bytes)
    : source_(std::move(source)),
      name_(std::make_unique<std::string>(std::move(name))),
      chunk_bytes_(std::max<std::size_t>(chunk_bytes, 1)) {}

Result<TextStream> TextStream::open(const std::filesystem::path& file, const std::string& encoding,
                                    std::size_t chunk_bytes) {
  RIZOMA_ASSIGN(TextSource source, open_text_source(file, encoding));
  TextStream stream(std::move(source.bytes), file.string(), chunk_bytes);
  stream.plain_ = source.is_plain;
  RIZOMA_TRY(stream.fill_beginning());
  const std::string_view foreign = foreign_kind(stream.rest_);
  if (!foreign.empty()) return Error{ErrorCode::parse, *stream.name_ + ": " + std::string(foreign)};
  return stream;
}

Result<TextStream> TextStream::open(const std::filesystem::path& file, const std::string& encoding,
                                    const ByteRange& bytes, std::size_t chunk_bytes) {
  if (bytes == ByteRange{}) return open(file, encoding, chunk_bytes);
  std::uint64_t skipped = 0;
  RIZOMA_ASSIGN(auto source, open_lines(file, bytes, skipped));
  TextStream stream(std::move(source), file.string(), chunk_bytes);
  if (skipped == 0) {
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    RIZOMA_TRY(stream.fill_beginning());
    if (stream.rest_.starts_with(kMark)) stream.rest_.erase(0, kMark.size());
  } else {
    stream.before_ = std::make_unique<LinesBefore>(file, skipped);
  }
  return stream;
}

Status TextStream::fill_beginning() {
  rest_.resize(kKindBytes);
  RIZOMA_ASSIGN(const std::size_t got, source_->read(rest_));
  rest_.resize(got);
  return {};
}

Result<std::size_t> TextStream::append(TextBuffer& buffer, std::size_t used, std::size_t wanted) {
  // One byte more than the padding, for the '\n' that a last line may lack.
  buffer.reserve(used + wanted + 1 + TextChunk::kPadding, used);
  RIZOMA_ASSIGN(const std::size_t got, source_->read({buffer.data() + used, wanted}));
  RIZOMA_CHECK(got <= wanted);
  ended_ = got < wanted;
  return got;
}

void TextStream::finish(TextChunk& chunk, std::size_t size) {
  char* data = chunk.buffer.data();
  RIZOMA_CHECK(size > 0 && data[size - 1] == '\n');
  std::memset(data + size, 0, TextChunk::kPadding);
  chunk.begin = data;
  chunk.end = data + size;
  chunk.file = name_.get();
  chunk.before = before_.get();
  chunk.first_line = line_;
  chunk.comments_before = comments_;
  chunk.lines = count_bytes(chunk.begin, chunk.end, [](const char* p) { return std::uint8_t(*p == '\n'); });
  line_ += chunk.lines;
  if (counts_comments_) comments_ += comments_in(chunk.begin, chunk.end);
}

Result<bool> TextStream::next_piece(TextChunk& piece, bool one_line) {
  std::size_t used = rest_.size() - rest_begin_;
  piece.buffer.reserve(used + 1 + TextChunk::kPadding, 0);
  std::memcpy(piece.buffer.data(), rest_.data() + rest_begin_, used);
  rest_begin_ = 0;
  rest_.clear();
  std::size_t searched = 0;  // no '\n' before this byte
  bool fill = !one_line;     // a chunk always reads; a line only if the buffer does not hold it
  for (;;) {
    if (fill && !ended_) {
      RIZOMA_ASSIGN(const std::size_t got, append(piece.buffer, used, std::max(chunk_bytes_, used)));
      used += got;
    }
    const std::string_view text(piece.buffer.data(), used);
    std::size_t cut = one_line ? text.find('\n', searched) : text.rfind('\n');
    if (!one_line && row_end_) cut = row_end_(text) - 1;  // npos: no row ends here
    if (cut == text.npos - 1) cut = text.npos;
    if (cut == text.npos && ended_) {
      if (used == 0) return false;
      piece.buffer.data()[used] = '\n';
      cut = used++;
    } else if (cut != text.npos && ended_ && !one_line && cut + 1 < used) {
      piece.buffer.data()[used] = '\n';
      cut = used++;
    }
    if (cut != text.npos) {
      rest_.assign(piece.buffer.data() + cut + 1, used - cut - 1);
      finish(piece, cut + 1);
      return true;
    }
    if (used > kLongestLine) {
      return Error{ErrorCode::parse, *name_ + ":" + std::to_string(line_) + ":1: found a line of more than " +
                                         std::to_string(kLongestLine >> 20) + " MiB, expected text"};
    }
    searched = used;
    fill = true;
  }
}

Result<bool> TextStream::next_line(TextChunk& line) { return next_piece(line, true); }

Status TextStream::expect_line(TextChunk& line, std::string_view expected) {
  RIZOMA_ASSIGN(const bool more, next_line(line));
  if (more) return {};
  return Error{ErrorCode::parse, *name_ + ":" + std::to_string(line_) + ":1: found the end of the file, expected " +
                                     std::string(expected)};
}

Result<bool> TextStream::next_chunk(TextChunk& chunk) { return next_piece(chunk, false); }

}  // namespace rizoma
