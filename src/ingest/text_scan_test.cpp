#include "base/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace rizoma {
namespace {

/// The bytes that the Unicode standard gives a code point (table 3-6).
std::string encoded(std::uint32_t c) {
  const auto tail = [&](unsigned shift) { return static_cast<char>(0x80 | ((c >> shift) & 0x3F)); };
  if (c < 0x80) return {static_cast<char>(c)};
  if (c < 0x800) return {static_cast<char>(0xC0 | c >> 6), tail(0)};
  if (c < 0x10000) return {static_cast<char>(0xE0 | c >> 12), tail(6), tail(0)};
  return {static_cast<char>(0xF0 | c >> 18), tail(12), tail(6), tail(0)};
}

TEST(Utf8, EveryCodePointButSurrogatesIsText) {
  for (std::uint32_t c = 0; c < 0x120000; c += c < 0x11000 || c > 0x10F000 ? 1 : 61) {
    const bool surrogate = c >= 0xD800 && c < 0xE000;
    EXPECT_EQ(is_utf8("a" + encoded(c) + "z"), !surrogate && c < 0x110000) << c;
  }
}

TEST(Utf8, CutAndOverlongFormsAreNot) {
  for (const char* bad : {"\x80", "\xC3", "\xE2\x82", "\xF0\x9F\x98", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF",
                          "\xF0\x8F\xBF\xBF", "\xFF", "M\xFCller", "\xE2\x28\xA1"}) {
    EXPECT_FALSE(is_utf8(bad)) << bad;
  }
  EXPECT_TRUE(is_utf8(""));
}

}  // namespace
}  // namespace rizoma
