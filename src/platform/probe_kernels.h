// The loops that the probe times, on memory it is given: no clock, no threads, no system calls.
//
// Each returns or stores something that depends on every access, so that no compiler drops one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace rizoma::probe {

inline constexpr std::size_t kLine = 64;  ///< bytes of a cache line
inline constexpr std::size_t kLineWords = kLine / sizeof(std::uint64_t);

/// Makes the first word of each line hold the place (in words) of another line, so that following
/// them visits every line once in random order and returns to the start.
/// How: Sattolo's shuffle, which yields exactly the permutations of one cycle.  O(lines).
/// words.size() is a multiple of kLineWords.
void link_cycle(std::span<std::uint64_t> words, std::uint64_t seed);

/// Follows `loads` links from `place`; returns where it ends.  words.size() > place.
[[nodiscard]] std::uint64_t follow_cycle(std::span<const std::uint64_t> words, std::uint64_t place,
                                         std::uint64_t loads);

[[nodiscard]] std::uint64_t read_sequential(std::span<const std::uint64_t> words);
void write_sequential(std::span<std::uint64_t> words, std::uint64_t value);

/// Reads one word of each of `accesses` lines that `seed` chooses; returns their sum.
[[nodiscard]] std::uint64_t read_random(std::span<const std::uint64_t> words, std::uint64_t accesses,
                                        std::uint64_t seed);
/// Writes `value` to every word of each of `accesses` lines that `seed` chooses.
void write_random(std::span<std::uint64_t> words, std::uint64_t accesses, std::uint64_t seed, std::uint64_t value);

/// STREAM: out = in, out = q * in, out = a + b, out = a + q * b.  Spans of equal length.
void stream_copy(std::span<const double> in, std::span<double> out);
void stream_scale(std::span<const double> in, std::span<double> out, double q);
void stream_add(std::span<const double> a, std::span<const double> b, std::span<double> out);
void stream_triad(std::span<const double> a, std::span<const double> b, std::span<double> out, double q);

}  // namespace rizoma::probe
