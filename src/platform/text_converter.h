// TextConverter: text of another encoding as UTF-8, piece by piece, by the system's iconv.
#pragma once

#include <rizoma/result.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace rizoma {

class TextConverter {
 public:
  /// Errors: invalid_argument (no encoding is called so).
  static Result<TextConverter> create(const std::string& encoding);
  TextConverter(TextConverter&& other) noexcept;
  TextConverter& operator=(TextConverter&& other) noexcept;
  ~TextConverter();

  /// Appends the text of as many bytes as are whole characters, and returns how many these are: all but the beginning
  /// of a character at the end.  Errors: parse (bytes that are in no text of this encoding: `bad_at` of them are good).
  Result<std::size_t> convert(std::string_view bytes, std::string& text, std::size_t& bad_at);

 private:
  explicit TextConverter(void* handle) : handle_(handle) {}
  void* handle_;
};

}  // namespace rizoma
