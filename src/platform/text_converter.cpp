#include "platform/text_converter.h"

#include "base/text.h"

#include <iconv.h>

#include <array>
#include <cerrno>
#include <utility>

namespace rizoma {
namespace {

// iconv_open gives this where it fails.
void* const kNone = reinterpret_cast<void*>(-1);

}  // namespace

Result<TextConverter> TextConverter::create(const std::string& encoding) {
  void* const handle = iconv_open("UTF-8", encoding.c_str());
  if (handle != kNone) return TextConverter(handle);
  return Error{ErrorCode::invalid_argument, "encoding is " + in_quotes(encoding) +
                                                ", which this system does not know; give utf-8, utf-16, latin-1, "
                                                "cp1252 or another name that iconv -l lists"};
}

TextConverter::TextConverter(TextConverter&& other) noexcept : handle_(std::exchange(other.handle_, kNone)) {}

TextConverter& TextConverter::operator=(TextConverter&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}

TextConverter::~TextConverter() {
  if (handle_ != kNone) iconv_close(handle_);
}

Result<std::size_t> TextConverter::convert(std::string_view bytes, std::string& text, std::size_t& bad_at) {
  std::array<char, 1 << 14> room{};
  char* from = const_cast<char*>(bytes.data());  // iconv does not write there
  std::size_t left = bytes.size();
  while (left > 0) {
    char* to = room.data();
    std::size_t free = room.size();
    const std::size_t got = iconv(handle_, &from, &left, &to, &free);
    const int reason = errno;
    text.append(room.data(), room.size() - free);
    if (got != static_cast<std::size_t>(-1) || reason == E2BIG) continue;
    if (reason == EINVAL) break;  // a character that more bytes finish
    bad_at = bytes.size() - left;
    return Error{ErrorCode::parse, "bytes that are not in the encoding"};
  }
  return bytes.size() - left;
}

}  // namespace rizoma
