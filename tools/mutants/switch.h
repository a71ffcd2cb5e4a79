// Which mutant this program is: included before every source that rewrite.py wrote.
#pragma once

#include <array>
#include <atomic>

namespace rizoma {
namespace mutants {

inline constexpr unsigned kMost = 1u << 14;
inline constexpr unsigned char kPassed = 1;   // the place was evaluated
inline constexpr unsigned char kDiffers = 2;  // the mutant would have answered otherwise there

extern std::array<std::atomic<unsigned char>, kMost> marks;
extern unsigned chosen;

inline void mark(unsigned number, unsigned char what) noexcept {
  auto& of_it = marks[number];
  const unsigned char before = of_it.load(std::memory_order_relaxed);
  if ((before & what) != what) of_it.store(before | what, std::memory_order_relaxed);
}

}  // namespace mutants

/// Whether the program is this mutant; notes that the place was passed.
inline bool mutant(unsigned number) noexcept {
  mutants::mark(number, mutants::kPassed | mutants::kDiffers);
  return number == mutants::chosen;
}

/// The original answer, or that of the mutant; notes whether they differ.
inline bool mutant(unsigned number, bool original, bool other) noexcept {
  mutants::mark(number, original == other ? mutants::kPassed : mutants::kPassed | mutants::kDiffers);
  return number == mutants::chosen ? other : original;
}

template <class Left, class Right>
bool mutant_less(unsigned number, const Left& left, const Right& right) {
  return mutant(number, left < right, left <= right);
}

template <class Left, class Right>
bool mutant_at_most(unsigned number, const Left& left, const Right& right) {
  return mutant(number, left <= right, left < right);
}

template <class Left, class Right>
bool mutant_greater(unsigned number, const Left& left, const Right& right) {
  return mutant(number, left > right, left >= right);
}

template <class Left, class Right>
bool mutant_at_least(unsigned number, const Left& left, const Right& right) {
  return mutant(number, left >= right, left > right);
}

}  // namespace rizoma
