#include "predicate/text_functions.h"

#include "base/random.h"

#include <gtest/gtest.h>

#include <string>

namespace rizoma::predicate {
namespace {

std::string lower(std::string_view text) {
  std::string to;
  append_lower(to, text);
  return to;
}

std::string upper(std::string_view text) {
  std::string to;
  append_upper(to, text);
  return to;
}

/// By its definition: the first piece of the pattern takes every share of the text in turn.
bool is_like(std::string_view text, std::string_view pattern) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '%') {
    for (std::size_t taken = 0; taken <= text.size(); ++taken) {
      if (is_like(text.substr(taken), pattern.substr(1))) return true;
    }
    return false;
  }
  return !text.empty() && (pattern[0] == '_' || pattern[0] == text[0]) && is_like(text.substr(1), pattern.substr(1));
}

TEST(TextFunctions, CaseOfCharactersOfAnyLength) {
  EXPECT_EQ(lower("AbZ@[09"), "abz@[09");
  EXPECT_EQ(upper("aBz`{09"), "ABZ`{09");
  EXPECT_EQ(lower("\xC3\x84\xC3\x9F\xD0\xAF"), "\xC3\xA4\xC3\x9F\xD1\x8F");
  EXPECT_EQ(lower("\xE2\x84\xAA"), "k");                     // the Kelvin sign
  EXPECT_EQ(lower("\xC8\xBA"), "\xE2\xB1\xA5");              // two bytes become three
  EXPECT_EQ(upper("\xF0\x90\x90\xA8"), "\xF0\x90\x90\x80");  // beyond 16 bits
  EXPECT_EQ(lower("\xFF\x41\xC3"), "\xFF\x61\xC3");          // no UTF-8
  EXPECT_EQ(lower(""), "");
}

TEST(TextFunctions, CharactersAreCounted) {
  EXPECT_EQ(characters_in(""), 0u);
  EXPECT_EQ(characters_in("a\xC3\xA4\xF0\x9F\x8C\xB1"), 3u);
}

TEST(TextFunctions, ItemsOfListsAreWhole) {
  for (const char* text : {"a", "a;b", "b;a", "b;a;c", ";a", "a;", "b;;a"}) EXPECT_TRUE(has_item(text, "a")) << text;
  for (const char* text : {"", "b", "aa", "aa;ba", "a b", ";", "A"}) EXPECT_FALSE(has_item(text, "a")) << text;
  EXPECT_TRUE(has_item("a;b", "a;b"));
  EXPECT_FALSE(has_item("a;b;c", "a;b"));
  EXPECT_TRUE(has_item("", ""));
}

TEST(TextFunctions, LikeByItsDefinition) {
  Random random(3);
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    std::string pattern;
    for (std::uint64_t size = random.below(8); size > 0; --size) text += "ab"[random.below(2)];
    for (std::uint64_t size = random.below(7); size > 0; --size) pattern += "ab%_"[random.below(4)];
    ASSERT_EQ(LikePattern(pattern, "").matches(text), is_like(text, pattern)) << text << " like " << pattern;
  }
}

TEST(TextFunctions, LikeTakesCharactersAndEscapes) {
  EXPECT_TRUE(LikePattern("_", "").matches("\xC3\xA4"));
  EXPECT_FALSE(LikePattern("__", "").matches("\xC3\xA4"));
  EXPECT_TRUE(LikePattern("50!%", "!").matches("50%"));
  EXPECT_FALSE(LikePattern("50!%", "!").matches("500"));
  EXPECT_TRUE(LikePattern("!!%", "!").matches("!x"));
  EXPECT_TRUE(LikePattern("a!", "!").matches("a!"));
  EXPECT_TRUE(LikePattern("%\xC3\xA4%!_", "!").matches("x\xC3\xA4y_"));
  EXPECT_FALSE(LikePattern(std::string(50, '%') + "b", "").matches(std::string(20'000, 'a')));
}

}  // namespace
}  // namespace rizoma::predicate
