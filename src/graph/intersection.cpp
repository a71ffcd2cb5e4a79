#include <rizoma/intersection.h>

#include <utility>

namespace rizoma {
namespace {

using intersection_detail::kLeapRatio;
using intersection_detail::leap;

template <class T>
std::size_t count(std::span<const T> a, std::span<const T> b) noexcept {
  if (a.size() > b.size()) std::swap(a, b);
  std::size_t found = 0;
  if (b.size() / kLeapRatio > a.size()) {
    leap(a, b, [&](std::size_t, std::size_t) { ++found; });
    return found;
  }
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const T x = a[i];
    const T y = b[j];
    found += x == y ? 1 : 0;
    i += x <= y ? 1 : 0;
    j += y <= x ? 1 : 0;
  }
  return found;
}

/// What is written lies at or before what has been read of either list.
template <class T>
std::size_t write(std::span<const T> a, std::span<const T> b, T* to) noexcept {
  if (a.size() > b.size()) std::swap(a, b);
  std::size_t found = 0;
  if (b.size() / kLeapRatio > a.size()) {
    leap(a, b, [&](std::size_t i, std::size_t) { to[found++] = a[i]; });
    return found;
  }
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const T x = a[i];
    const T y = b[j];
    if (x == y) to[found++] = x;
    i += x <= y ? 1 : 0;
    j += y <= x ? 1 : 0;
  }
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
