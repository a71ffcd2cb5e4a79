// Draws the edges along which a cascade spreads.
#pragma once

#include <rizoma/algorithms/influence.h>
#include <rizoma/engine.h>

#include "base/random.h"

#include <cmath>
#include <cstdint>
#include <string_view>

namespace rizoma::cascades {

/// f(i) for each of `size` trials of chance p that succeeds, by skips between successes.
template <class F>
void for_successes(std::uint64_t size, double p, Random& random, F&& f) {
  if (p >= 1) {
    for (std::uint64_t i = 0; i < size; ++i) f(i);
    return;
  }
  if (!(p > 0)) return;
  const double scale = 1 / std::log1p(-p);
  const auto end = static_cast<double>(size);
  for (double place = -1;;) {
    place += 1 + std::floor(std::log(1 - random.unit()) * scale);
    if (!(place < end)) return;
    f(static_cast<std::uint64_t>(place));
  }
}

/// f(i) for the entries of the in-list of a vertex that are open in one draw of independent chances.
template <class List, class F>
void for_open(const CascadeOptions& options, const List& in_list, Random& random, F&& f) {
  const std::uint64_t size = in_list.size();
  if (options.chance == EdgeChance::weights) {
    for (std::uint64_t i = 0; i < size; ++i) {
      if (random.unit() < static_cast<double>(in_list.weight(i))) f(i);
    }
    return;
  }
  if (size == 0) return;
  for_successes(size, options.chance == EdgeChance::constant ? options.probability : 1 / static_cast<double>(size),
                random, f);
}

/// The entry of its in-list that a vertex listens to in one draw; the length of the list: none.
template <class List>
std::uint64_t chosen(const CascadeOptions& options, const List& in_list, Random& random) {
  const std::uint64_t size = in_list.size();
  const auto length = static_cast<double>(size);
  const double place = random.unit();
  if (options.chance == EdgeChance::by_degree) return static_cast<std::uint64_t>(place * length);
  if (options.chance == EdgeChance::constant) {
    const double each = std::min(options.probability, 1 / length);
    return each > 0 ? static_cast<std::uint64_t>(std::min(place / each, length)) : size;
  }
  double sum = 0;
  for (std::uint64_t i = 0; i < size; ++i) sum += static_cast<double>(in_list.weight(i));
  double left = place * std::max(sum, 1.0);
  for (std::uint64_t i = 0; i < size; ++i) {
    left -= static_cast<double>(in_list.weight(i));
    if (left < 0) return i;
  }
  return size;
}

/// Errors: those of chances that are none, of missing in-edges and of missing weights.
Status check(Engine& engine, const GraphView& graph, const CascadeOptions& options, std::string_view who);

}  // namespace rizoma::cascades
