// Seeded random numbers that give the same stream on every machine and compiler.
#pragma once

#include <cstdint>

namespace rizoma {

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): one multiply-xor-shift step; good as a counter-based hash.
[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t x) noexcept {
  x += 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

/// Sequence of SplitMix64 outputs.
class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) noexcept : state_(seed) {}
  constexpr std::uint64_t next() noexcept {
    const std::uint64_t value = mix64(state_);
    state_ += 0x9E3779B97F4A7C15ull;
    return value;
  }
  /// Uniform in [0, bound), bound > 0, without modulo bias worth measuring (Lemire's multiplication).
  constexpr std::uint64_t below(std::uint64_t bound) noexcept {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(next()) * bound) >> 64);
  }
  /// Uniform in [0, 1).
  constexpr double unit() noexcept { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace rizoma
