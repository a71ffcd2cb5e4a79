#include "platform/calendar.h"

#include <time.h>

#include <array>

namespace rizoma {

std::uint64_t seconds_since_1970() noexcept {
  timespec now{};
  if (::clock_gettime(CLOCK_REALTIME, &now) != 0 || now.tv_sec < 0) return 0;
  return static_cast<std::uint64_t>(now.tv_sec);
}

std::string utc_text(std::uint64_t seconds_since_1970) {
  const auto time = static_cast<time_t>(seconds_since_1970);
  tm parts{};
  std::array<char, 64> text{};
  if (::gmtime_r(&time, &parts) == nullptr) return std::to_string(seconds_since_1970) + " seconds after 1970";
  const std::size_t length = ::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &parts);
  return {text.data(), length};
}

}  // namespace rizoma
