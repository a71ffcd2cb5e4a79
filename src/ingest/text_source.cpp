// open_text_source: decompresses and decodes the bytes of a file of text.
#include "base/letters.h"
#include "ingest/byte_source.h"
#include "platform/text_converter.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

namespace rizoma {
namespace {

constexpr std::string_view kUtf8 = "utf-8";

/// A byte order mark, and its encoding.
struct Mark {
  std::string_view bytes;
  std::string_view encoding;
};
constexpr std::array<Mark, 5> kMarks = {{
    {"\xEF\xBB\xBF", kUtf8},
    {{"\xFF\xFE\0\0", 4}, "utf-32le"},
    {{"\0\0\xFE\xFF", 4}, "utf-32be"},
    {"\xFF\xFE", "utf-16le"},
    {"\xFE\xFF", "utf-16be"},
}};
constexpr std::size_t kLongestMark = 4;

/// Bytes that were read already, then the rest.
class WithBeginning final : public ByteSource {
 public:
  WithBeginning(std::string beginning, std::unique_ptr<ByteSource> rest)
      : beginning_(std::move(beginning)), rest_(std::move(rest)) {}

  Result<std::size_t> read(std::span<char> out) override {
    const std::size_t first = std::min(out.size(), beginning_.size() - at_);
    if (first > 0) std::memcpy(out.data(), beginning_.data() + at_, first);
    at_ += first;
    RIZOMA_ASSIGN(const std::size_t got, rest_->read(out.subspan(first)));
    return first + got;
  }
  [[nodiscard]] std::uint64_t consumed() const noexcept override { return rest_->consumed(); }

 private:
  std::string beginning_;
  std::size_t at_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

/// Text of another encoding as UTF-8.
class DecodedSource final : public ByteSource {
 public:
  DecodedSource(std::unique_ptr<ByteSource> bytes, TextConverter converter, std::string encoding, std::string name)
      : bytes_(std::move(bytes)),
        converter_(std::move(converter)),
        encoding_(std::move(encoding)),
        name_(std::move(name)) {}

  Result<std::size_t> read(std::span<char> out) override {
    while (text_.size() - at_ < out.size() && !ended_) RIZOMA_TRY(decode_more());
    const std::size_t got = std::min(out.size(), text_.size() - at_);
    if (got > 0) std::memcpy(out.data(), text_.data() + at_, got);
    at_ += got;
    return got;
  }
  [[nodiscard]] std::uint64_t consumed() const noexcept override { return bytes_->consumed(); }

 private:
  static constexpr std::size_t kPiece = std::size_t{1} << 16;

  Status decode_more() {
    text_.erase(0, at_);
    at_ = 0;
    const std::size_t before = raw_.size();
    raw_.resize(before + kPiece);
    RIZOMA_ASSIGN(const std::size_t got, bytes_->read(std::span(raw_).subspan(before)));
    raw_.resize(before + got);
    ended_ = got < kPiece;
    std::size_t bad_at = 0;
    const auto text_end = static_cast<std::ptrdiff_t>(text_.size());
    const Result<std::size_t> used = converter_.convert(raw_, text_, bad_at);
    lines_ += static_cast<std::uint64_t>(std::count(text_.begin() + text_end, text_.end(), '\n'));
    if (!used) return misencoded(bad_at);
    raw_.erase(0, *used);
    if (ended_ && !raw_.empty()) return misencoded(0);
    return {};
  }

  [[nodiscard]] Error misencoded(std::size_t at) const {
    std::array<char, 8> byte{};
    std::snprintf(byte.data(), byte.size(), "0x%02X", static_cast<unsigned>(static_cast<unsigned char>(raw_[at])));
    return Error{ErrorCode::parse, name_ + ":" + std::to_string(lines_) + ": found byte " + byte.data() +
                                       ", which no text in " + encoding_ +
                                       " has there; give the encoding that it is in (encoding=)"};
  }

  std::unique_ptr<ByteSource> bytes_;
  TextConverter converter_;
  std::string encoding_;
  std::string name_;
  std::string raw_;   ///< read and not decoded
  std::string text_;  ///< decoded; the next byte is at at_
  std::size_t at_ = 0;
  std::uint64_t lines_ = 1;  ///< the number of the line that text_ ends in
  bool ended_ = false;
};

/// The name in small letters, with - where others write _ or nothing.
std::string plain_name(const std::string& encoding) {
  std::string name = in_small_letters(encoding);
  std::ranges::replace(name, '_', '-');
  if (name == "utf8" || name == "utf-8-sig") return std::string(kUtf8);
  if (name.starts_with("utf-16-") || name.starts_with("utf-32-")) name.erase(6, 1);
  if (name == "utf16") return "utf-16";
  if (name == "utf32") return "utf-32";
  if (name == "latin-1" || name == "latin1" || name == "l1") return "iso-8859-1";
  return name;
}

/// Whether a mark of this encoding may begin text of which another name is asked for: "utf-16" leaves the order open.
bool agrees(std::string_view marked, const std::string& asked) {
  return asked.empty() || marked == asked || (marked.starts_with("utf-16") && asked == "utf-16") ||
         (marked.starts_with("utf-32") && asked == "utf-32");
}

}  // namespace

Result<TextSource> open_text_source(const std::filesystem::path& file, const std::string& encoding) {
  RIZOMA_ASSIGN(const bool compressed, is_compressed(file));
  RIZOMA_ASSIGN(auto source, open_source(file));
  std::string beginning(kLongestMark, '\0');
  RIZOMA_ASSIGN(const std::size_t got, source->read(beginning));
  beginning.resize(got);
  std::string asked = plain_name(encoding);
  const auto mark =
      std::find_if(kMarks.begin(), kMarks.end(), [&](const Mark& each) { return beginning.starts_with(each.bytes); });
  if (mark != kMarks.end()) {
    if (!agrees(mark->encoding, asked)) {
      return Error{ErrorCode::invalid_argument, file.string() + ": the file begins with the mark of " +
                                                    std::string(mark->encoding) + ", and encoding= says " + encoding +
                                                    "; leave it out"};
    }
    beginning.erase(0, mark->bytes.size());
    asked = mark->encoding;
  } else if (asked == "utf-16" || asked == "utf-32") {
    asked += "le";  // as nearly all systems write it
  }
  auto bytes = std::make_unique<WithBeginning>(std::move(beginning), std::move(source));
  if (asked.empty() || asked == kUtf8) return TextSource{std::move(bytes), !compressed};
  RIZOMA_ASSIGN(TextConverter converter, TextConverter::create(asked));
  return TextSource{std::make_unique<DecodedSource>(std::move(bytes), std::move(converter), asked, file.string()),
                    false};
}

}  // namespace rizoma
