// Placement: where the sections of a graph and the threads of an engine belong.  Module: placement.
#pragma once

#include <rizoma/ids.h>

#include <cstdint>
#include <vector>

namespace rizoma {

/// How sections are given to homes.
enum class PlacementPolicy : std::uint8_t {
  in_place,     ///< one home for all: nothing is moved
  round_robin,  ///< section s belongs to home s mod homes
  chunk,        ///< each home has a run of sections, balanced by vertices and edges
};

/// A plain value; whoever has one may print or compare it.  Homes are numbered 0..homes-1.
struct Placement {
  unsigned homes = 1;
  std::vector<unsigned> home_of_section;  ///< empty: home 0 for all
  std::vector<unsigned> home_of_thread;   ///< empty: home 0 for all

  [[nodiscard]] unsigned home(SectionId section) const noexcept {
    return home_of_section.empty() ? 0 : home_of_section[section];
  }
  friend bool operator==(const Placement&, const Placement&) = default;
};

}  // namespace rizoma
