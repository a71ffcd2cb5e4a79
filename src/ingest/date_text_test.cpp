// Each directive of a date format, at its bounds, by the same moment in ISO 8601.
#include "ingest/date_text.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// The moment in ISO 8601, or "none".
std::string read(std::string_view text, const std::string& format, std::string_view expected) {
  EXPECT_TRUE(check_date_format(format)) << format;
  const auto found = moment_in(text, plain_date_format(format));
  const auto iso = timestamp_of(expected);
  if (!found || !iso) return found ? "a moment" : "none";
  const bool same = found->seconds == iso->seconds && found->nanoseconds == iso->nanoseconds;
  return same ? std::string(expected) : "another moment, " + std::to_string(found->seconds);
}

struct DateCase {
  std::string format;
  std::string_view text, moment;
};

TEST(DateText, EachDirectiveReadsWhatItStandsFor) {
  const std::vector<DateCase> cases = {
      {"%d.%m.%Y", "31.12.2025", "2025-12-31"},
      {"%-d.%-m.%Y", "1.2.2025", "2025-02-01"},
      {"%d.%m.%Y", "29.02.2024", "2024-02-29"},
      {"%F %T", "2025-01-31 23:59:59", "2025-01-31 23:59:59"},
      {"%D %R", "12/31/68 23:59", "2068-12-31 23:59"},
      {"%m/%d/%y", "1/2/69", "1969-01-02"},
      {"%e %B %Y", "  7 December 2025", "2025-12-07"},
      {"%d-%b-%Y", "07-dec-2025", "2025-12-07"},
      {"%d %b %Y", "7\t  MAY   2025", "2025-05-07"},
      {"%A %d %b %Y", "Wednesday 07 May 2025", "2025-05-07"},
      {"%a, %d %b %Y", "wed, 07 May 2025", "2025-05-07"},
      {"%Y-%j", "2025-365", "2025-12-31"},
      {"%Y %j", "2024 366", "2024-12-31"},
      {"%F %H:%M:%S.%f", "2025-01-31 1:2:3.25", "2025-01-31 01:02:03.25"},
      {"%F %T.%f", "2025-01-31 00:00:00.123456789", "2025-01-31 00:00:00.123456789"},
      {"%F %I:%M %p", "2025-01-31 12:30 AM", "2025-01-31 00:30"},
      {"%F %I:%M %p", "2025-01-31 12:30 pm", "2025-01-31 12:30"},
      {"%F %I %p", "2025-01-31 1 PM", "2025-01-31 13:00"},
      {"%F %R%z", "2025-01-31 12:30Z", "2025-01-31 12:30"},
      {"%F %R%z", "2025-01-31 12:30+02:00", "2025-01-31 10:30"},
      {"%F %R %z", "2025-01-31 12:30 -0130", "2025-01-31 14:00"},
      {"%F %R%z", "2025-01-31 12:30+02", "2025-01-31 10:30"},
      {"%%%F", "%2025-01-31", "2025-01-31"},
  };
  for (const DateCase& each : cases) EXPECT_EQ(read(each.text, each.format, each.moment), each.moment) << each.text;
}

TEST(DateText, WhatIsNotOfTheFormatIsNoMoment) {
  const std::vector<std::pair<std::string, std::string_view>> cases = {
      {"%d.%m.%Y", "32.12.2025"},
      {"%d.%m.%Y", "0.12.2025"},
      {"%d.%m.%Y", "29.02.2025"},
      {"%d.%m.%Y", "1.13.2025"},
      {"%d.%m.%Y", "1.1.025"},
      {"%d.%m.%Y", "1.1.0000"},
      {"%d.%m.%Y", "1.1.2025 "},
      {"%d.%m.%Y", "1/1/2025"},
      {"%d.%m.%Y", "1.1."},
      {"%d.%m.%Y", ""},
      {"%m/%d/%y", "1/2/6"},
      {"%Y %j", "2025 366"},
      {"%Y %j", "2024 367"},
      {"%Y %j", "2024 0"},
      {"%F %R", "2025-01-31 24:00"},
      {"%F %R", "2025-01-31 12:60"},
      {"%F %T", "2025-01-31 12:30:60"},
      {"%F %I %p", "2025-01-31 0 PM"},
      {"%F %I %p", "2025-01-31 13 PM"},
      {"%F %I %p", "2025-01-31 1 XM"},
      {"%F %I %p", "2025-01-31 1 P"},
      {"%F %I %p", "2025-01-31 1 PX"},
      {"%F %T.%f", "2025-01-31 12:30:00."},
      {"%d %b %Y", "7 Mxy 2025"},
      {"%a %F", "xyz 2025-01-31"},
      {"%F %R%z", "2025-01-31 12:30"},
      {"%F %R%z", "2025-01-31 12:30x"},
      {"%F %R%z", "2025-01-31 12:30+2"},
      {"%F %R%z", "2025-01-31 12:30+24:00"},
      {"%F %R%z", "2025-01-31 12:30+02:"},
      {"%F %R%z", "2025-01-31 12:30+02:60"},
      {"%F %R%z", "2025-01-31 12:30+021"},
      {"%F%%", "2025-01-31"},
  };
  for (const auto& [format, text] : cases) EXPECT_EQ(read(text, format, ""), "none") << text << " by " << format;
  EXPECT_FALSE(moment_in("2025-01-31", "%Q")) << "no directive";
}

TEST(DateText, AFormatHasKnownDirectivesOfADay) {
  for (const std::string_view format : {"", "%F", "%d.%m.%y", "%Y-%j", "%e %b %Y", "%B %d, %Y", "%D %%"})
    EXPECT_TRUE(check_date_format(format)) << format;
  for (const auto& [format, says] : std::vector<std::pair<std::string_view, std::string>>{
           {"%Q-%m-%d", "'%Q' is not known"},
           {"%d.%m.%Y %", "'%' is not known"},
           {"%d.%m", "must have a day, a month and a year"},
           {"%d.%Y", "must have a day"},
           {"%m.%Y", "must have a day"},
           {"%H:%M", "must have a day"},
           {"tomorrow", "must have a day"},
       }) {
    const Status checked = check_date_format(format);
    ASSERT_FALSE(checked) << format;
    EXPECT_EQ(checked.error().code, ErrorCode::invalid_argument);
    EXPECT_NE(checked.error().message.find(says), std::string::npos) << checked.error().message;
  }
  EXPECT_EQ(plain_date_format("100%"), "100%");
  EXPECT_EQ(plain_date_format("%-d %F"), "%d %Y-%m-%d");
}

TEST(DateText, AMomentInIsoMayHaveAZone) {
  const auto seconds = [](std::string_view text) {
    const auto found = iso_moment(text);
    return found ? std::to_string(found->moment.seconds - timestamp_of("2025-01-31 12:30")->seconds) +
                       (found->zoned ? " in UTC" : "")
                 : "none";
  };
  EXPECT_EQ(seconds("2025-01-31 12:30"), "0");
  EXPECT_EQ(seconds("2025-01-31T12:30:01"), "1");
  EXPECT_EQ(seconds("2025-01-31T12:30:00Z"), "0 in UTC");
  EXPECT_EQ(seconds("2025-01-31 12:30:00+02:00"), "-7200 in UTC");
  EXPECT_EQ(seconds("2025-01-31 12:30:00.5-01"), "3600 in UTC");
  for (const std::string_view text :
       {"2025-01-31 12:30+", "2025-01-31 12:30+2", "2025-01-31 25:30Z", "31.1.2025", "2025-01-31 25:30+02:00", ""})
    EXPECT_EQ(seconds(text), "none") << text;
}

TEST(DateText, FormatsThatFitAllTextsAreNamed) {
  using Formats = std::vector<std::string>;
  EXPECT_EQ(date_formats({"31.12.2025", " 1.2.2025"}), Formats{"%d.%m.%Y"});
  EXPECT_EQ(date_formats({"01/02/2025"}), (Formats{"%d/%m/%Y", "%m/%d/%Y"}));
  EXPECT_EQ(date_formats({"01/02/2025", "01/31/2025"}), Formats{"%m/%d/%Y"});
  EXPECT_EQ(date_formats({"31.12.2025 23:59"}), Formats{"%d.%m.%Y %H:%M"});
  EXPECT_EQ(date_formats({}), Formats{});
  EXPECT_EQ(date_formats({"soon"}), Formats{});
  EXPECT_EQ(date_options({"01/02/2025"}),
            "date_format=\"%d/%m/%Y\", or "
            "date_format=\"%m/%d/%Y\"");
  EXPECT_EQ(date_options({"soon"}), "");
}

}  // namespace
}  // namespace rizoma
