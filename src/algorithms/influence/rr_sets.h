// RR sets of influence (reverse reachable sets), kept by vertex.
//
// For each vertex the numbers of the RR sets that it is in, segment by segment; in a segment as differences of 7-bit
// groups, or as one bit an RR set where that is shorter.  Segments that memory has no room for are spilled to files.
#pragma once

#include "base/random.h"
#include "engine/state/spilled_bytes.h"

#include <rizoma/algorithms/influence.h>
#include <rizoma/algorithms/influence_maximization.h>
#include <rizoma/iteration.h>
#include <rizoma/vertex_map.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rizoma::rr_sets {

using Vertex = std::uint32_t;

/// RR sets [first, first + count) of a collection.
struct Segment {
  std::uint64_t count = 0;
  VertexMap<Vertex> places;  ///< of each vertex's bytes, n + 1; then the number of RR sets that each vertex is in, n
  VertexMap<std::uint8_t> lists;
  SpilledBytes spilled;  ///< both, one after another, if they are not in memory

  std::span<const Vertex> offsets;
  std::span<const Vertex> sizes;
  const std::uint8_t* bytes = nullptr;

  /// Points the three above to where places and lists are.
  void point(const void* at_places, const void* at_lists, Vertex n) noexcept;
  /// Brings it to a file.
  Status spill(const std::string& directory);

  /// The bytes of the list of v, and the place of its length.
  [[nodiscard]] std::uint64_t bytes_of(Vertex v) const noexcept {
    return offsets[v + 1] - offsets[v] + 3 * sizeof(Vertex);
  }
  [[nodiscard]] bool as_bits(Vertex v) const noexcept { return sizes[v] > count / 8; }
  /// How many RR sets of v are not in `covered`.
  [[nodiscard]] std::uint64_t open(Vertex v, const std::vector<std::uint64_t>& covered) const;
  /// Adds the RR sets of v to `covered`.
  void cover(Vertex v, std::vector<std::uint64_t>& covered) const;
};

/// The RR sets that the seeds hit so far, of the last segments, one bit set a segment.
using Covered = std::vector<std::vector<std::uint64_t>>;

/// The vertices that RR sets are drawn for: live ones, all alike or in proportion to their weights.
class Roots {
 public:
  /// `weights`: n finite numbers, 0 or more, of which one of a live vertex is above 0; empty: all alike.
  Roots(const GraphView& graph, std::span<const double> weights);
  [[nodiscard]] Vertex draw(Random& random) const;
  /// The sum of the weights; the number of live vertices if all are alike.
  [[nodiscard]] double total() const noexcept { return total_; }

 private:
  Vertex n_;
  std::vector<Vertex> live_;   ///< empty: all vertices are, or have weights
  std::vector<double> up_to_;  ///< sums of the weights of vertices 0..v; empty: all alike
  double total_;
};

/// A growing collection; RR set i is drawn from `seed` and i.  Each process draws and keeps a part of each segment, and
/// what is said of RR sets is said of those of all processes, but for the bytes, which are its own.  What returns a
/// Status or a Result is collective, but for go_on.
class Collection {
 public:
  /// `directory`: for files; empty: the one for temporary files.  `loop`, which has begun, and `roots` must outlive it.
  Collection(Iteration& loop, const CascadeOptions& options, const Roots& roots, std::uint64_t seed,
             std::string directory, RrSetStaging staging = RrSetStaging::direct);

  /// Draws RR sets until there are `size`; those that would take more than max_bytes of memory, unless that is 0, are
  /// spilled.  Errors: cancelled, those of the file system.
  Status grow(std::uint64_t size, std::uint64_t max_bytes);
  /// Errors: cancelled.  For a loop of one thread that takes long.
  [[nodiscard]] Status go_on() const;

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] std::uint64_t entries() const noexcept { return entries_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  /// Of these, in files.
  [[nodiscard]] std::uint64_t spilled_bytes() const noexcept { return spilled_bytes_; }
  /// Read so far, of lists and where they are.
  [[nodiscard]] std::uint64_t read_bytes() const noexcept { return read_bytes_; }
  /// Releases the pages of the files that reading brought in.
  void let_go() const noexcept;

  [[nodiscard]] std::size_t num_segments() const noexcept { return segments_.size(); }
  /// Of the segments from `first` on.
  [[nodiscard]] Covered none(std::size_t first = 0) const;
  [[nodiscard]] Result<std::uint64_t> open(Vertex v, const Covered& covered) const;
  void cover(Vertex v, Covered& covered) const;
  /// RR sets that the seeds hit, in the segments from `first` on.
  [[nodiscard]] Result<std::uint64_t> hit(std::span<const VertexId> seeds, std::size_t first = 0) const;
  /// How many RR sets each vertex hits that are not covered.
  [[nodiscard]] Result<VertexMap<std::uint64_t>> all_open(const Covered& covered) const;

 private:
  struct Drawn;
  [[nodiscard]] std::span<const Segment> part_of(const Covered& covered) const {
    return std::span(segments_).last(covered.size());
  }
  Status draw(VertexRange numbers, std::vector<Drawn>& blocks);
  /// Returns how many entries it has kept.
  Result<std::uint64_t> keep(std::uint64_t count, const std::vector<Drawn>& blocks, std::uint64_t max_bytes);
  Status write_lists(Segment& segment, std::span<const Vertex> numbers, const std::vector<std::uint64_t>& first);

  Iteration& loop_;
  Engine& engine_;
  const GraphView& graph_;
  CascadeOptions options_;
  const Roots& roots_;
  std::uint64_t seed_;
  std::vector<Segment> segments_;
  std::uint64_t size_ = 0;
  std::uint64_t wanted_ = 0;  ///< the size that `grow` was asked for
  std::uint64_t entries_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t spilled_bytes_ = 0;
  mutable std::uint64_t read_bytes_ = 0;  ///< a separate count beside the collection
  std::string directory_;
  RrSetStaging staging_;
};

/// What greedy choice finds: `hits` after each seed, those given beforehand first.
struct Chosen {
  std::vector<VertexId> seeds;
  std::vector<std::uint64_t> gains;
  std::uint64_t hits = 0;
  std::uint64_t most_hits = 0;  ///< an upper bound on the sets that any k seeds hit
};

/// k vertices that are not among `given`, each the one that hits most RR sets that are still open, in the segments
/// from `first_segment` on.
Result<Chosen> choose(const Collection& collection, std::size_t first_segment, VertexId n, VertexId k,
                      std::span<const VertexId> given, const GraphView& graph);

}  // namespace rizoma::rr_sets
