#include "base/utf8.h"
#include "predicate/text_functions.h"

#include "predicate/case_ranges.h"

#include <rizoma/detail/text_items.h>

#include <algorithm>
#include <cstdint>
#include <span>

namespace rizoma::predicate {
namespace {

/// Bytes of the first character; of bytes that are not UTF-8, up to the next byte that begins a character.
std::size_t first_character(std::string_view text) {
  std::size_t size = 1;
  while (size < text.size() && size < 4 && continues_utf8(text[size])) ++size;
  return size;
}

/// The number of a character of two bytes or more; 0: it is none.
std::uint32_t code_point(std::string_view character) {
  const auto byte = [&](std::size_t i) { return std::uint32_t{static_cast<unsigned char>(character[i])}; };
  const std::uint32_t lead = byte(0);
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  if (size == 1 || size != character.size()) return 0;
  std::uint32_t point = lead & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) point = point << 6U | (byte(i) & 0x3FU);
  return point;
}

void append_point(std::string& to, std::uint32_t point) {
  const auto tail = [&](unsigned shift) { to += static_cast<char>(0x80U | (point >> shift & 0x3FU)); };
  if (point < 0x80) {
    to += static_cast<char>(point);
  } else if (point < 0x800) {
    to += static_cast<char>(0xC0U | point >> 6U);
    tail(0);
  } else if (point < 0x10000) {
    to += static_cast<char>(0xE0U | point >> 12U);
    tail(6);
    tail(0);
  } else {
    to += static_cast<char>(0xF0U | point >> 18U);
    tail(12);
    tail(6);
    tail(0);
  }
}

std::uint32_t mapped(std::span<const CaseRange> ranges, std::uint32_t point) {
  const auto range = std::ranges::lower_bound(ranges, point, {}, &CaseRange::last);
  if (range == ranges.end() || point < range->first || (point - range->first) % range->step != 0) return point;
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(point) + range->shift);
}

/// ASCII letters from `first` on turn by 32; others by the ranges.
void append_mapped(std::string& to, std::string_view text, char first, std::span<const CaseRange> ranges) {
  while (!text.empty()) {
    const auto ascii = static_cast<std::size_t>(
        std::find_if(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; }) -
        text.begin());
    const std::size_t before = to.size();
    to.append(text.substr(0, ascii));
    for (std::size_t i = before; i < to.size(); ++i) {
      if (to[i] >= first && to[i] < first + 26) to[i] = static_cast<char>(to[i] ^ 0x20);
    }
    text.remove_prefix(ascii);
    if (text.empty()) return;
    const std::string_view character = text.substr(0, first_character(text));
    const std::uint32_t point = code_point(character);
    const std::uint32_t other = point == 0 ? point : mapped(ranges, point);
    if (other == point) to += character;
    else append_point(to, other);
    text.remove_prefix(character.size());
  }
}

/// What a pattern begins with.
struct Piece {
  bool any_text = false;
  bool any_character = false;
  std::string_view character;  ///< else
  std::size_t size = 0;        ///< bytes of the pattern
};

Piece first_piece(std::string_view pattern, std::string_view escape) {
  if (!escape.empty() && pattern.starts_with(escape) && pattern.size() > escape.size()) {
    const std::string_view behind = pattern.substr(escape.size());
    const std::string_view character = behind.substr(0, first_character(behind));
    return {false, false, character, escape.size() + character.size()};
  }
  if (pattern[0] == '%') return {true, false, {}, 1};
  if (pattern[0] == '_') return {false, true, {}, 1};
  const std::string_view character = pattern.substr(0, first_character(pattern));
  return {false, false, character, character.size()};
}

}  // namespace

std::size_t characters_in(std::string_view text) noexcept {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return !continues_utf8(c); }));
}

void append_lower(std::string& to, std::string_view text) { append_mapped(to, text, 'A', kLowerRanges); }
void append_upper(std::string& to, std::string_view text) { append_mapped(to, text, 'a', kUpperRanges); }

bool has_item(std::string_view text, std::string_view item) noexcept {
  if (text.size() <= item.size()) return text == item;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(kItemSeparator, begin), text.size());
    if (text.substr(begin, end - begin) == item) return true;
    begin = end + 1;
  }
  return false;
}

LikePattern::LikePattern(std::string_view pattern, std::string_view escape) : whole_(pattern), escape_(escape) {
  std::string_view middle = pattern;
  any_before_ = middle.starts_with('%');
  if (any_before_) middle.remove_prefix(1);
  any_behind_ = middle.ends_with('%');
  if (any_behind_) middle.remove_suffix(1);
  plain_ = middle.find_first_of("%_") == std::string_view::npos &&
           (escape.empty() || pattern.find(escape) == std::string_view::npos);
  if (plain_) part_ = middle;
}

bool LikePattern::matches(std::string_view text) const noexcept {
  if (!plain_) return matches_pieces(text, whole_, escape_);
  if (any_before_ && any_behind_) return text.find(part_) != std::string_view::npos;
  if (any_before_) return text.ends_with(part_);
  return any_behind_ ? text.starts_with(part_) : text == part_;
}

bool LikePattern::matches_pieces(std::string_view text, std::string_view pattern, std::string_view escape) noexcept {
  // Backtracks to the last % alone: the text before it is settled by its shortest match.
  bool has_star = false;
  std::string_view star_pattern;
  std::string_view star_text;
  for (;;) {
    if (!pattern.empty()) {
      const Piece piece = first_piece(pattern, escape);
      if (piece.any_text) {
        pattern.remove_prefix(piece.size);
        if (pattern.empty()) return true;
        has_star = true;
        star_pattern = pattern;
        star_text = text;
        continue;
      }
      const std::size_t size = text.empty() ? 0 : first_character(text);
      if (size != 0 && (piece.any_character || text.substr(0, size) == piece.character)) {
        pattern.remove_prefix(piece.size);
        text.remove_prefix(size);
        continue;
      }
    } else if (text.empty()) {
      return true;
    }
    if (!has_star || star_text.empty()) return false;
    star_text.remove_prefix(first_character(star_text));
    text = star_text;
    pattern = star_pattern;
  }
}

}  // namespace rizoma::predicate
