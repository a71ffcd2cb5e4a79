#include "ingest/document_text.h"

#include "base/utf8.h"
#include "ingest/content_kind.h"
#include "ingest/text_stream.h"

#include <algorithm>
#include <array>
#include <utility>

namespace rizoma {
namespace {

constexpr std::size_t kBeginning = kKindBytes;  // the bytes that show the encoding, and its name
constexpr std::uint64_t kTellEvery = std::uint64_t{1} << 20;

/// By the mark at the beginning, which is taken off, or by where zeros are among the first bytes.
Encoding encoding_of(std::string& begin) {
  struct Mark {
    std::string_view bytes;
    Encoding encoding;
  };
  constexpr std::array<Mark, 5> kMarks = {{
      {"\xEF\xBB\xBF", Encoding::utf8},
      {{"\xFF\xFE\0\0", 4}, Encoding::utf32_le},
      {{"\0\0\xFE\xFF", 4}, Encoding::utf32_be},
      {"\xFF\xFE", Encoding::utf16_le},
      {"\xFE\xFF", Encoding::utf16_be},
  }};
  for (const Mark& mark : kMarks) {
    if (!begin.starts_with(mark.bytes)) continue;
    begin.erase(0, mark.bytes.size());
    return mark.encoding;
  }
  const auto zero = [&](std::size_t i) { return begin[i] == '\0'; };
  if (begin.size() < 4) return Encoding::utf8;
  if (zero(0)) return zero(1) ? Encoding::utf32_be : Encoding::utf16_be;
  if (!zero(1)) return Encoding::utf8;
  return zero(2) && zero(3) ? Encoding::utf32_le : Encoding::utf16_le;
}

/// Bytes at the end that begin a character and do not finish it.
std::size_t unfinished(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if (byte < 0x80) return 0;
    if (byte < 0xC0) continue;
    const std::size_t length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    return length > back ? back : 0;
  }
  return 0;
}

/// How many bytes from the beginning on are whole characters.
std::size_t valid_prefix(std::string_view text) {
  if (is_utf8(text)) return text.size();
  std::size_t at = 0;
  while (at < text.size()) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const std::size_t length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    if (length > text.size() - at || !is_utf8(text.substr(at, length))) break;
    at += length;
  }
  return at;
}

/// Where Windows differs from ISO 8859-1: 0x80..0x9F.
constexpr std::array<std::uint16_t, 32> kWindows = {0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                                    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
                                                    0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

/// One unit of 2 or 4 bytes.
std::uint32_t unit_at(std::string_view raw, std::size_t at, std::size_t width, bool big) {
  std::uint32_t unit = 0;
  for (std::size_t i = 0; i < width; ++i) {
    unit = unit << 8U | static_cast<unsigned char>(raw[big ? at + i : at + width - 1 - i]);
  }
  return unit;
}

/// Decodes the complete and valid part; returns how many bytes that was.
std::size_t decode_wide(std::string_view raw, std::size_t width, bool big, std::string& out) {
  std::size_t at = 0;
  while (raw.size() - at >= width) {
    std::uint32_t character = unit_at(raw, at, width, big);
    std::size_t used = width;
    if (width == 2 && character >= 0xD800 && character < 0xDC00) {
      if (raw.size() - at < 4) break;
      const std::uint32_t low = unit_at(raw, at + 2, 2, big);
      if (low < 0xDC00 || low > 0xDFFF) break;
      character = 0x10000 + ((character - 0xD800) << 10U) + (low - 0xDC00);
      used = 4;
    }
    if (character > 0x10FFFF || (character >= 0xD800 && character <= 0xDFFF)) break;
    append_utf8(out, character);
    at += used;
  }
  return at;
}

void decode_bytes(std::string_view raw, bool windows, std::string& out) {
  for (const char c : raw) {
    const auto byte = static_cast<unsigned char>(c);
    append_utf8(out, windows && byte >= 0x80 && byte < 0xA0 ? kWindows[byte - 0x80U] : byte);
  }
}

}  // namespace

void append_utf8(std::string& text, std::uint32_t character) {
  const auto byte = [&](std::uint32_t bits) { text += static_cast<char>(static_cast<unsigned char>(bits)); };
  if (character < 0x80) return byte(character);
  if (character < 0x800) {
    byte(0xC0U | character >> 6U);
  } else if (character < 0x10000) {
    byte(0xE0U | character >> 12U);
    byte(0x80U | (character >> 6U & 0x3FU));
  } else {
    byte(0xF0U | character >> 18U);
    byte(0x80U | (character >> 12U & 0x3FU));
    byte(0x80U | (character >> 6U & 0x3FU));
  }
  byte(0x80U | (character & 0x3FU));
}

DocumentText::DocumentText(std::unique_ptr<ByteSource> source, std::string name, std::size_t chunk_bytes)
    : source_(std::move(source)), name_(std::move(name)), chunk_bytes_(std::max<std::size_t>(chunk_bytes, 1)) {}

Result<DocumentText> DocumentText::open(const std::filesystem::path& file, std::size_t chunk_bytes,
                                        Executor* executor) {
  RIZOMA_ASSIGN(auto source, open_source(file));
  DocumentText text(std::move(source), file.string(), chunk_bytes);
  RIZOMA_ASSIGN(const std::uint64_t bytes, file_bytes(file));
  text.file_bytes_ = static_cast<double>(bytes);
  text.executor_ = executor;
  text.raw_.resize(kBeginning);
  RIZOMA_ASSIGN(const std::size_t got, text.source_->read(text.raw_));
  text.raw_.resize(got);
  text.ended_ = got < kBeginning;
  text.encoding_ = encoding_of(text.raw_);
  const std::string_view other = text.encoding_ == Encoding::utf8 ? foreign_kind(text.raw_) : std::string_view();
  if (!other.empty()) return text.error_of_file("the file " + std::string(other));
  return text;
}

Status DocumentText::read_more() {
  if (ended_) return {};
  const std::size_t before = raw_.size();
  raw_.resize(before + chunk_bytes_);
  const Result<std::size_t> got = source_->read(std::span(raw_).subspan(before));
  raw_.resize(before + (got ? *got : 0));
  if (!got) return got.error();
  ended_ = *got < chunk_bytes_;
  const std::uint64_t consumed = source_->consumed();
  if (executor_ != nullptr && consumed - told_ >= kTellEvery) {
    told_ = consumed;
    RIZOMA_TRY(executor_->report("read", static_cast<double>(consumed), file_bytes_));
  }
  return {};
}

void DocumentText::decode() {
  std::size_t used = raw_.size();
  std::size_t most_left = 0;  // bytes of a character that more may finish
  switch (encoding_) {
    case Encoding::utf8:
      used = valid_prefix(std::string_view(raw_).substr(0, raw_.size() - unfinished(raw_)));
      text_.append(raw_, 0, used);
      most_left = unfinished(raw_);
      break;
    case Encoding::latin1:
    case Encoding::windows_1252: decode_bytes(raw_, encoding_ == Encoding::windows_1252, text_); break;
    case Encoding::utf16_le:
    case Encoding::utf16_be:
      used = decode_wide(raw_, 2, encoding_ == Encoding::utf16_be, text_);
      most_left = 3;
      break;
    case Encoding::utf32_le:
    case Encoding::utf32_be:
      used = decode_wide(raw_, 4, encoding_ == Encoding::utf32_be, text_);
      most_left = 3;
      break;
  }
  raw_.erase(0, used);
  misencoded_ = raw_.size() > most_left || (ended_ && !raw_.empty());
}

bool DocumentText::fill() {
  static_cast<void>(line());  // counts what goes
  text_.clear();
  at_ = counted_ = 0;
  while (status_.ok() && text_.empty()) {
    if (misencoded_) {
      status_ = error("bytes that are not in the encoding of the file; convert it to UTF-8");
    } else if (ended_ && raw_.empty()) {
      return false;
    } else if (Status more = read_more(); !more) {
      status_ = std::move(more);
    } else {
      decode();
    }
  }
  return status_.ok();
}

std::uint64_t DocumentText::line() noexcept {
  lines_ += static_cast<std::uint64_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted_),
                                                  text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n'));
  counted_ = at_;
  return lines_;
}

Error DocumentText::error(std::string_view what) {
  if (!status_) return status_.error();
  return error_in_line(line(), what);
}

Error DocumentText::error_in_line(std::uint64_t line, std::string_view what) const {
  return {ErrorCode::parse, name_ + ":" + std::to_string(line) + ": " + std::string(what)};
}

Error DocumentText::error_of_file(std::string_view what) const {
  if (!status_) return status_.error();
  return {ErrorCode::parse, name_ + ": " + std::string(what)};
}

std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string out = "'";
  std::size_t end = std::min(kLongest, text.size());
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  for (const char c : text.substr(0, end)) out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? '?' : c;
  return out + (end < text.size() ? "...'" : "'");
}

}  // namespace rizoma
