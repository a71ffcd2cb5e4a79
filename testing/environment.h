// Numbers that the environment sets for tests: how many, from which seed, how densely.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace rizoma {

[[nodiscard]] inline std::uint64_t from_environment(const char* name, std::uint64_t fallback) {
  const char* text = std::getenv(name);
  return text == nullptr ? fallback : std::strtoull(text, nullptr, 10);
}

}  // namespace rizoma
