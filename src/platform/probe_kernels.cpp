#include "platform/probe_kernels.h"

#include "base/check.h"

#include <algorithm>
#include <utility>

namespace rizoma::probe {
namespace {

/// A linear congruential generator (Knuth's MMIX): its next state is ready in a few cycles, so that
/// the memory, not the arithmetic, sets the pace.
class Lines {
 public:
  Lines(std::size_t words, std::uint64_t seed) : lines_(words / kLineWords), state_(seed) {
    RIZOMA_CHECK(lines_ > 0 && lines_ <= UINT32_MAX);
  }
  /// Place, in words, of a line chosen at random.
  std::size_t next() noexcept {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return ((state_ >> 32) * lines_ >> 32) * kLineWords;
  }

 private:
  std::uint64_t lines_;
  std::uint64_t state_;
};

}  // namespace

void link_cycle(std::span<std::uint64_t> words, std::uint64_t seed) {
  RIZOMA_CHECK(words.size() % kLineWords == 0);
  for (std::size_t place = 0; place < words.size(); place += kLineWords) words[place] = place;
  for (std::size_t lines = words.size() / kLineWords; lines > 1; --lines) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    const std::size_t other = (seed >> 32) * (lines - 1) >> 32;
    std::swap(words[(lines - 1) * kLineWords], words[other * kLineWords]);
  }
}

std::uint64_t follow_cycle(std::span<const std::uint64_t> words, std::uint64_t place, std::uint64_t loads) {
  const std::uint64_t* data = words.data();
  for (; loads > 0; --loads) place = data[place];
  return place;
}

std::uint64_t read_sequential(std::span<const std::uint64_t> words) {
  std::uint64_t sum = 0;
  for (const std::uint64_t word : words) sum += word;
  return sum;
}

void write_sequential(std::span<std::uint64_t> words, std::uint64_t value) {
  // A loop and not std::fill, which becomes memset and may then use non-temporal stores or not.
  for (std::uint64_t& word : words) word = value++;
}

std::uint64_t read_random(std::span<const std::uint64_t> words, std::uint64_t accesses, std::uint64_t seed) {
  Lines lines(words.size(), seed);
  std::uint64_t sum = 0;
  for (; accesses > 0; --accesses) sum += words[lines.next()];
  return sum;
}

void write_random(std::span<std::uint64_t> words, std::uint64_t accesses, std::uint64_t seed, std::uint64_t value) {
  Lines lines(words.size(), seed);
  for (; accesses > 0; --accesses) std::fill_n(words.data() + lines.next(), kLineWords, value);
}

void stream_copy(std::span<const double> in, std::span<double> out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = in[i];
}

void stream_scale(std::span<const double> in, std::span<double> out, double q) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = q * in[i];
}

void stream_add(std::span<const double> a, std::span<const double> b, std::span<double> out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = a[i] + b[i];
}

void stream_triad(std::span<const double> a, std::span<const double> b, std::span<double> out, double q) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = a[i] + q * b[i];
}

}  // namespace rizoma::probe
