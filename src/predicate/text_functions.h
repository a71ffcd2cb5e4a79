// Functions of text, character by character of UTF-8; other bytes pass unchanged.  Module: predicate.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rizoma::predicate {

[[nodiscard]] std::size_t characters_in(std::string_view text) noexcept;

/// Appends the text with each character in lower, or upper, case; lengths in characters stay.
void append_lower(std::string& to, std::string_view text);
void append_upper(std::string& to, std::string_view text);

/// Whether the text is the item, or a list with kItemSeparator between its items, of which it is one.
[[nodiscard]] bool has_item(std::string_view text, std::string_view item) noexcept;

/// What a text may be like: `%` is any text, `_` any character, and what follows `escape` (empty: nothing does) itself.
class LikePattern {
 public:
  LikePattern(std::string_view pattern, std::string_view escape);
  /// Whether the whole text is like it.  Cost: O(text), of a pattern with `%` inside O(text x pattern) at worst.
  [[nodiscard]] bool matches(std::string_view text) const noexcept;

 private:
  static bool matches_pieces(std::string_view text, std::string_view pattern, std::string_view escape) noexcept;

  std::string_view whole_;
  std::string_view escape_;
  std::string_view part_;  ///< of a plain one, between its ends
  bool plain_ = false;     ///< nothing but its ends is special
  bool any_before_ = false;
  bool any_behind_ = false;
};

}  // namespace rizoma::predicate
