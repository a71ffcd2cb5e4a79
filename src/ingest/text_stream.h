// TextStream: a text file as chunks of whole lines, and the exact place of every byte for messages.
#pragma once

#include "ingest/byte_source.h"
#include "platform/mutex.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace rizoma {

/// What to do about text that is not UTF-8.
inline constexpr const char* kSayEncoding =
    "convert the file to UTF-8, or say its encoding (encoding=\"cp1252\" for many files of Windows)";

/// Bytes that own their memory, uninitialised until written; reused from chunk to chunk.
class TextBuffer {
 public:
  [[nodiscard]] char* data() noexcept { return bytes_.get(); }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  /// Makes room for `capacity` bytes; keeps the first `used`.
  void reserve(std::size_t capacity, std::size_t used);

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;
};

/// How many lines of a file are before a byte of it; counted when it is first asked for, which only messages do.
class LinesBefore {
 public:
  LinesBefore(std::filesystem::path file, std::uint64_t byte) : file_(std::move(file)), byte_(byte) {}
  /// Counts as many lines as possible of a file that cannot be read to its end.
  [[nodiscard]] std::uint64_t count() const;

 private:
  std::filesystem::path file_;
  std::uint64_t byte_;
  mutable Mutex mutex_;
  mutable std::optional<std::uint64_t> found_ RIZOMA_GUARDED_BY(mutex_);
};

/// Whole lines [begin, end), each ended by '\n' (added after the last line of a file that lacks it).
/// kPadding readable zero bytes follow `end`, so that scanners may look ahead without testing.
struct TextChunk {
  static constexpr std::size_t kPadding = 16;

  const char* begin = nullptr;
  const char* end = nullptr;
  std::uint64_t first_line = 1;  ///< 1-based number of the first line in the file, or in the part that is read
  std::uint64_t lines = 0;
  std::uint64_t comments_before = 0;  ///< of a stream that counts them: earlier lines that begin with '%'
  const std::string* file = nullptr;
  const LinesBefore* before = nullptr;  ///< where only a range of the file is read
  TextBuffer buffer;

  /// Error of code parse at byte `at` of the chunk: "file:line:column: found X, expected `expected`".
  [[nodiscard]] Error error(const char* at, std::string_view expected) const;
  /// The same with a message of one's own.
  [[nodiscard]] Error error_saying(const char* at, std::string_view message) const;
};

class TextStream {
 public:
  static constexpr std::size_t kChunkBytes = std::size_t{1} << 18;  ///< small: a load holds several
  static constexpr std::size_t kLongestLine = std::size_t{1} << 28;

  /// Where the last row ends in a text that begins with a row: behind its '\n'; npos: nowhere.
  using RowEnd = std::function<std::size_t(std::string_view)>;

  /// Opens the file, compressed or not, in this encoding or that which its first bytes say (see open_text_source).
  static Result<TextStream> open(const std::filesystem::path& file, const std::string& encoding = {},
                                 std::size_t chunk_bytes = kChunkBytes);

  /// Opens a file that is not compressed, for the lines that begin in some of its bytes.
  static Result<TextStream> open(const std::filesystem::path& file, const std::string& encoding, const ByteRange& bytes,
                                 std::size_t chunk_bytes);

  /// Chunks end where rows end, which may go over several lines; before the first chunk.
  void end_chunks_with(RowEnd row_end) { row_end_ = std::move(row_end); }
  /// Chunks say how many comments are before them; before the first chunk.
  void count_comments() noexcept { counts_comments_ = true; }
  /// True if the bytes of the file are the text: neither compressed nor of another encoding.
  [[nodiscard]] bool is_plain() const noexcept { return plain_; }

  /// The next line alone, for headers; false at the end of the file.
  Result<bool> next_line(TextChunk& line);
  /// The next line, which must exist: otherwise an error of code parse that says what was `expected`.
  Status expect_line(TextChunk& line, std::string_view expected);
  /// The next lines, about chunk_bytes of them; false at the end of the file.
  Result<bool> next_chunk(TextChunk& chunk);

  [[nodiscard]] std::uint64_t consumed() const noexcept { return source_->consumed(); }
  [[nodiscard]] const std::string& name() const noexcept { return *name_; }
  /// Number of the next line.
  [[nodiscard]] std::uint64_t line() const noexcept { return line_; }
  /// True once every byte of the file has been handed out.
  [[nodiscard]] bool at_end() const noexcept { return ended_ && rest_begin_ == rest_.size(); }

 private:
  TextStream(std::unique_ptr<ByteSource> source, std::string name, std::size_t chunk_bytes);
  Status fill_beginning();
  Result<std::size_t> append(TextBuffer& buffer, std::size_t used, std::size_t wanted);
  void finish(TextChunk& chunk, std::size_t size);
  Result<bool> next_piece(TextChunk& piece, bool one_line);

  std::unique_ptr<ByteSource> source_;
  std::unique_ptr<std::string> name_;
  std::unique_ptr<LinesBefore> before_;
  std::size_t chunk_bytes_;
  bool plain_ = true;
  bool counts_comments_ = false;
  RowEnd row_end_;
  std::string rest_;  ///< bytes read but not yet handed out: [rest_begin_, size)
  std::size_t rest_begin_ = 0;
  bool ended_ = false;
  std::uint64_t line_ = 1;
  std::uint64_t comments_ = 0;
};

}  // namespace rizoma
