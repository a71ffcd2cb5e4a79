// Text is told from other bytes wherever in it they are.
#include "base/utf8.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

namespace rizoma {
namespace {

TEST(Utf8, IsTold) {
  const std::string good[] = {
      "", "a", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x8C\xB1", "\xF4\x8F\xBF\xBF", "\xEF\xBF\xBF"};
  const std::string bad[] = {"\xE9",     "\xC3", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                             "\xE2\x82", "\x80", "\xFF"};
  for (std::size_t before = 0; before < 20; ++before) {
    for (std::size_t after = 0; after < 20; ++after) {
      const auto within = [&](const std::string& text) {
        return std::string(before, 'a') + text + std::string(after, 'z');
      };
      for (const std::string& text : good) EXPECT_TRUE(is_utf8(within(text))) << before << " " << after;
      for (const std::string& text : bad) EXPECT_FALSE(is_utf8(within(text))) << before << " " << after;
    }
  }
}

}  // namespace
}  // namespace rizoma
