// CrossValidation: what only all edges together tell of a graph: that both directions have the same ones, that no edge
// leaves or reaches a removed vertex, and that weights are finite, without which kernels mean nothing and need not end.
//
// How.  The sum over all entries of a hash of (from, to, weight) does not depend on their order, and is equal from
// both sides for graphs that agree; for others by a chance below 2^-50, which no author of a store can arrange, as the
// hash has a new key in every process.  In an undirected graph each entry adds x y (x - y) of the hashes x and y of its
// ends, which the entry at the other end takes away, so that all of them add up to 0.  An entry costs three
// multiplications, two in a long list, and three more with a weight, in loops that are long however short the lists are
// (entry_owners.h). Cost: a pass over the edges, in parallel; sections without edges cost nothing.  Sums of sections
// add up, so that each can be made while the section is verified, of which it is one loop more over bytes that are in
// the cache (ImageSum). The lists have been validated: they are sorted, and their targets are vertices of the view.
// A view is looked at once after a store has been opened: what is changed later keeps to it.
#pragma once

#include <rizoma/executor.h>
#include <rizoma/graph_view.h>
#include <rizoma/result.h>

#include "store/sections/image.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace rizoma {

/// The sums of both directions; `in` stays 0 where the graph is undirected.
struct EdgeSums {
  std::uint64_t out = 0;
  std::uint64_t in = 0;
};

/// Of the hash: sums that are to be compared need the same.
struct EdgeKeys {
  std::uint64_t vertex_add = 0;
  std::uint64_t vertex_factor = 1;  ///< odd
  std::uint64_t weight_add = 0;
  std::uint64_t weight_factor = 1;  ///< odd
  [[nodiscard]] static EdgeKeys random();
  /// Those of this process.
  [[nodiscard]] static const EdgeKeys& of_process();
};

/// The sections to look at: those that `owners` gives to the rank; all, if it is empty.
struct OwnSections {
  std::span<const unsigned> owners;
  unsigned rank = 0;
  [[nodiscard]] bool has(SectionId section) const noexcept { return owners.empty() || owners[section] == rank; }
};

/// What the lists of one section, those of `vertices`, add to the sum of their direction.
template <class Target>
std::uint64_t edge_sum(const SectionEdges<Target>& lists, VertexRange vertices, WeightType type, bool directed,
                       Direction direction, const EdgeKeys& keys = EdgeKeys::of_process());

/// The same of the lists of an image while it is verified, if that is all that exists of them.
class ImageSum final : public EntryReader {
 public:
  /// Of lists of `vertices`, all of the section.
  ImageSum(VertexRange vertices, WeightType type, bool directed, Direction direction,
           const EdgeKeys& keys = EdgeKeys::of_process()) noexcept
      : vertices_(vertices), type_(type), directed_(directed), direction_(direction), keys_(keys) {}

  void read(const ImageSpec& spec, std::span<const std::byte> image, std::size_t begin, std::size_t end) override;
  /// The sum, if all entries of this image have been read and they have weights as the graph has.
  [[nodiscard]] std::optional<std::uint64_t> of(const ImageSpec& spec, std::span<const std::byte> image) const noexcept;

 private:
  VertexRange vertices_;
  WeightType type_;
  bool directed_;
  Direction direction_;
  EdgeKeys keys_;
  const std::byte* image_ = nullptr;
  std::size_t end_ = 0;   ///< of what has been read
  std::size_t list_ = 0;  ///< of the last entry that has
  std::uint64_t sum_ = 0;
};

/// True if the edges are the same from both of their ends, by the sums of all sections.
[[nodiscard]] bool directions_agree(const EdgeSums& sums, bool directed) noexcept;

/// True if the edges are the same from both of their ends; so if the graph has no in-edges.
Result<bool> directions_agree(const GraphView& view, Executor& executor);

/// Entries that leave or reach a removed vertex.
Result<EdgeCount> entries_of_removed(const GraphView& view, Executor& executor, const OwnSections& own = {});

/// Entries whose weights are not finite: none a store takes now (weight_rules.h).
Result<EdgeCount> weights_not_finite(const GraphView& view, Executor& executor, const OwnSections& own = {});

/// Ok if a graph may have that many of them, and edges with these sums.  Errors: corrupt, which says what to do.
[[nodiscard]] Status judge_edges(const EdgeSums& sums, EdgeCount of_removed, EdgeCount not_finite, bool directed);

}  // namespace rizoma
