// DocumentText: the characters of a file, one after the other, as UTF-8, in bounded memory.
//
// What: what readers of nested formats (GML, GraphML, JSON) scan; files are decompressed and decoded on the way.
// How: a buffer of some bytes is filled again and again; whole runs of it are handed out where no character of a run
// needs a look of its own.  A byte order mark, or zeros between the first bytes, tell UTF-16 and UTF-32.
// Errors: a read error ends the text; `status` has it, and a parser that meets an unexpected end
// looks there first.
#pragma once

#include "ingest/byte_source.h"

#include <rizoma/executor.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace rizoma {

enum class Encoding : std::uint8_t { utf8, utf16_le, utf16_be, utf32_le, utf32_be, latin1, windows_1252 };

/// Appends a character.  `character` is below 2^21; halves of surrogate pairs are written as if they were characters.
void append_utf8(std::string& text, std::uint32_t character);

class DocumentText {
 public:
  static constexpr int kEnd = -1;
  static constexpr std::size_t kLongest = std::size_t{1} << 28;  ///< of a name or value

  /// Reports the progress of reading to `executor`, if there is one.  Errors: not_found, io, corrupt, parse (no text).
  static Result<DocumentText> open(const std::filesystem::path& file, std::size_t chunk_bytes, Executor* executor);

  /// The first bytes of the file, undecoded.
  [[nodiscard]] std::string_view beginning() const noexcept { return raw_; }
  [[nodiscard]] Encoding encoding() const noexcept { return encoding_; }
  /// Before the first character is asked for.
  void set_encoding(Encoding encoding) noexcept { encoding_ = encoding; }

  /// The next byte, or kEnd.
  [[nodiscard]] int peek() { return at_ < text_.size() || fill() ? static_cast<unsigned char>(text_[at_]) : kEnd; }
  /// Goes on to the next byte; only where `peek` saw one.
  void skip() noexcept { ++at_; }
  /// The next byte, which is consumed.
  int take() {
    const int next = peek();
    if (next != kEnd) ++at_;
    return next;
  }
  /// Consumes this byte and returns true if it is the next one.
  bool take_if(char wanted) {
    if (peek() != static_cast<unsigned char>(wanted)) return false;
    ++at_;
    return true;
  }
  /// Appends bytes up to the first for which stops(byte), or to the end; false if that makes `out` too long.
  template <class Stops>
  bool take_until(std::string& out, Stops stops) {
    while (peek() != kEnd) {
      std::size_t end = at_;
      while (end < text_.size() && !stops(static_cast<unsigned char>(text_[end]))) ++end;
      out.append(text_, at_, end - at_);
      at_ = end;
      if (out.size() > kLongest) return false;
      if (end < text_.size()) break;
    }
    return true;
  }
  template <class Stops>
  void skip_until(Stops stops) {
    while (peek() != kEnd) {
      while (at_ < text_.size() && !stops(static_cast<unsigned char>(text_[at_]))) ++at_;
      if (at_ < text_.size()) return;
    }
  }

  /// Number of the line that the next byte is in, from 1.
  [[nodiscard]] std::uint64_t line() noexcept;
  /// An Error "file:line: what", of code parse; an earlier failure, if there was one.
  [[nodiscard]] Error error(std::string_view what);
  /// The same of a line before.
  [[nodiscard]] Error error_in_line(std::uint64_t line, std::string_view what) const;
  /// The same without a line.
  [[nodiscard]] Error error_of_file(std::string_view what) const;
  [[nodiscard]] const Status& status() const noexcept { return status_; }
  /// True if bytes were met that are not in the encoding.
  [[nodiscard]] bool is_misencoded() const noexcept { return misencoded_; }

 private:
  DocumentText(std::unique_ptr<ByteSource> source, std::string name, std::size_t chunk_bytes);
  bool fill();
  Status read_more();
  void decode();

  std::unique_ptr<ByteSource> source_;
  std::string name_;
  std::size_t chunk_bytes_;
  Executor* executor_ = nullptr;
  double file_bytes_ = 0;
  std::uint64_t told_ = 0;  ///< bytes of the file that the executor knows of
  Encoding encoding_ = Encoding::utf8;
  std::string raw_;   ///< bytes that were read and not decoded
  std::string text_;  ///< decoded; the next byte is at at_
  std::size_t at_ = 0;
  std::size_t counted_ = 0;  ///< of text_, for lines_
  std::uint64_t lines_ = 1;
  bool ended_ = false;
  bool misencoded_ = false;
  Status status_;
};

/// The text in quotes for a message: shortened, without unprintable characters.
[[nodiscard]] std::string shown(std::string_view text);

}  // namespace rizoma
