#include <rizoma/intersection.h>

#include <cstring>
#include <utility>

namespace rizoma {
namespace {

using intersection_detail::kLeapRatio;
using intersection_detail::leap;

/// Four values, which a vector of 16 bytes holds; all processors have those.
using Four = std::uint32_t __attribute__((vector_size(16)));
constexpr std::size_t kBlock = 4;

Four load(const std::uint32_t* values) noexcept {
  Four four;
  std::memcpy(&four, values, sizeof four);
  return four;
}

/// Marks the values of x that are among those of y: y is rotated three times.
Four among(Four x, Four y) noexcept {
  auto same = static_cast<Four>(x == y);
  same |= static_cast<Four>(x == __builtin_shufflevector(y, y, 1, 2, 3, 0));
  same |= static_cast<Four>(x == __builtin_shufflevector(y, y, 2, 3, 0, 1));
  return same | static_cast<Four>(x == __builtin_shufflevector(y, y, 3, 0, 1, 2));
}

/// Where each list continues.
struct Places {
  std::size_t a = 0;
  std::size_t b = 0;
};

/// Walks two lists in blocks, the one whose last value is less in front: calls met(block of a, which of its values are
/// in b's block).  A value of a is in one block of b at most.
template <class Met>
Places walk_blocks(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, Met&& met) noexcept {
  Places at;
  if (a.size() < kBlock || b.size() < kBlock) return at;
  while (at.a <= a.size() - kBlock && at.b <= b.size() - kBlock) {
    const Four x = load(a.data() + at.a);
    met(x, among(x, load(b.data() + at.b)));
    const std::uint32_t last_a = a[at.a + kBlock - 1];
    const std::uint32_t last_b = b[at.b + kBlock - 1];
    at.a += last_a <= last_b ? kBlock : 0;
    at.b += last_b <= last_a ? kBlock : 0;
  }
  return at;
}

/// Calls met(x) for each value in both, one after the other, without branches that data decides.
template <class T, class Met>
void merge(std::span<const T> a, std::span<const T> b, Met&& met) noexcept {
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const T x = a[i];
    const T y = b[j];
    met(x, x == y);
    i += x <= y ? 1 : 0;
    j += y <= x ? 1 : 0;
  }
}

template <class T>
std::size_t count(std::span<const T> a, std::span<const T> b) noexcept {
  if (a.size() > b.size()) std::swap(a, b);
  std::size_t found = 0;
  if (b.size() / kLeapRatio > a.size()) {
    leap(a, b, [&](std::size_t, std::size_t) { ++found; });
    return found;
  }
  if constexpr (sizeof(T) == 4) {
    Four sums{};
    const Places rest = walk_blocks(a, b, [&](Four, Four same) { sums -= same; });  // all bits are -1
    found = std::size_t{sums[0]} + sums[1] + sums[2] + sums[3];
    a = a.subspan(rest.a);
    b = b.subspan(rest.b);
  }
  merge(a, b, [&](T, bool both) { found += both ? 1 : 0; });
  return found;
}

/// What is not in both is written too, and then written over.
template <class T>
std::size_t write(std::span<const T> a, std::span<const T> b, T* to) noexcept {
  if (a.size() > b.size()) std::swap(a, b);
  std::size_t found = 0;
  if (b.size() / kLeapRatio > a.size()) {
    leap(a, b, [&](std::size_t i, std::size_t) { to[found++] = a[i]; });
    return found;
  }
  if constexpr (sizeof(T) == 4) {
    const Places rest = walk_blocks(a, b, [&](Four values, Four same) {
      for (std::size_t lane = 0; lane < kBlock; ++lane) {
        to[found] = values[lane];
        found += same[lane] & 1;
      }
    });
    a = a.subspan(rest.a);
    b = b.subspan(rest.b);
  }
  merge(a, b, [&](T value, bool both) {
    to[found] = value;
    found += both ? 1 : 0;
  });
  return found;
}

}  // namespace

std::size_t count_common(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) noexcept {
  return count(a, b);
}
std::size_t count_common(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) noexcept {
  return count(a, b);
}
std::size_t intersect(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, std::uint32_t* to) noexcept {
  return write(a, b, to);
}
std::size_t intersect(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b, std::uint64_t* to) noexcept {
  return write(a, b, to);
}

}  // namespace rizoma
