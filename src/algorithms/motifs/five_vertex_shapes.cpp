#include "algorithms/motifs/five_vertex_shapes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <set>
#include <string_view>

namespace rizoma {
namespace {

/// Edges as bits, of the pairs 01, 02, 03, 04, 12, 13, 14, 23, 24, 34.
using Edges = std::uint32_t;
using Vertices = std::array<unsigned, 5>;

/// Parallel to kFiveVertexMotifNames.
constexpr std::array<std::string_view, kFiveVertexMotifs> kEdges{
    "01 12 23 34",
    "01 02 03 34",
    "01 02 03 04",
    "01 12 23 34 04",
    "01 12 23 03 04",
    "01 02 12 03 14",
    "01 02 12 03 04",
    "01 02 12 03 34",
    "02 03 04 12 13 14",
    "01 12 23 34 04 02",
    "01 02 12 03 04 34",
    "01 02 03 12 23 04",
    "01 02 03 12 23 14",
    "01 02 03 12 13 23 04",
    "01 02 03 04 12 23 34",
    "01 02 12 03 13 04 14",
    "02 03 04 12 13 14 23",
    "01 02 03 04 12 23 34 14",
    "01 02 03 12 13 23 04 14",
    "02 03 04 12 13 14 23 24 34",
    "01 02 03 04 12 13 14 23 24 34",
};

unsigned place_of(unsigned a, unsigned b) {
  constexpr std::array<unsigned, 5> kFirst{0, 3, 5, 6, 6};  // of pair ab: kFirst[a] + b - 1
  const auto [low, high] = std::minmax(a, b);
  return kFirst[low] + high - 1;
}

Edges parse(std::string_view text) {
  Edges edges = 0;
  for (std::size_t i = 0; i + 1 < text.size(); i += 3) {
    edges |= Edges{1} << place_of(static_cast<unsigned>(text[i] - '0'), static_cast<unsigned>(text[i + 1] - '0'));
  }
  return edges;
}

Edges image_of(Edges edges, const Vertices& image) {
  Edges found = 0;
  for (unsigned a = 0; a < 5; ++a) {
    for (unsigned b = a + 1; b < 5; ++b) {
      if ((edges >> place_of(a, b) & 1) != 0) found |= Edges{1} << place_of(image[a], image[b]);
    }
  }
  return found;
}

/// All graphs on the five vertices that are a shape.
std::set<Edges> copies_of(Edges shape) {
  std::set<Edges> copies;
  Vertices image;
  std::iota(image.begin(), image.end(), 0U);
  do {
    copies.insert(image_of(shape, image));
  } while (std::next_permutation(image.begin(), image.end()));
  return copies;
}

}  // namespace

MotifCounts induced_counts(const MotifCounts& subgraphs) {
  MotifCounts induced;
  for (std::size_t shape = kFiveVertexMotifs; shape-- > 0;) {  // the densest first
    MotifCount count = subgraphs.counts[shape];
    const std::set<Edges> copies = copies_of(parse(kEdges[shape]));
    for (std::size_t denser = shape + 1; denser < kFiveVertexMotifs; ++denser) {
      const Edges edges = parse(kEdges[denser]);
      const auto within = std::ranges::count_if(copies, [&](Edges copy) { return (copy & ~edges) == 0; });
      count -= static_cast<MotifCount>(within) * induced.counts[denser];
    }
    induced.counts[shape] = count;
  }
  return induced;
}

}  // namespace rizoma
