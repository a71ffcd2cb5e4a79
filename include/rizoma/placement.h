// Placement: where the sections of a graph, the threads of an engine and the structures of a run belong.
// Module: placement.
//
// A plain value: print it, compare it, store it as JSON, pass it to an engine.  Homes are the
// NUMA nodes that have processors, numbered 0..homes-1 in the order of their numbers.
#pragma once

#include <rizoma/graph_view.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {

/// How sections are given to homes.
enum class PlacementPolicy : std::uint8_t {
  in_place,     ///< one home for all, free threads: nothing is moved
  interleave,   ///< vertex state lies page by page on all homes in turn; threads take work from one list
  halves,       ///< each home has a run of as many sections as the others
  round_robin,  ///< sections go to the homes in turn
  chunk,        ///< each home has a run of sections, balanced by vertices and edges
  adaptive,     ///< begins as chunk, then moves sections by the work measured in earlier sweeps
};

/// What memory is used for.
enum class Structure : std::uint8_t {
  sections,      ///< offsets, targets and weights: read in sequence
  vertex_state,  ///< values of vertices: read and written at random
  frontiers,     ///< sets and lists of active vertices
  rr_sets,       ///< reverse reachable sets, samples that an estimate is made from: written once, read often
  sketches [[deprecated("use rr_sets")]] = rr_sets,
};
inline constexpr std::size_t kStructures = 4;

/// Kinds of memory that a structure may be in.
enum class MemoryTier : std::uint8_t {
  in_place,  ///< sections: where the store has them mapped (page cache, DAX); the rest: ordinary memory
  dram,      ///< nodes with processors
  slow,      ///< memory-only nodes: CXL expanders, persistent memory as KMEM-DAX
  hbm,       ///< nodes of high-bandwidth memory, with processors or without
};

/// Which nodes of a tier are used; the policies of memkind.
enum class NodeChoice : std::uint8_t {
  preferred,   ///< the home's nearest node of the tier; another node of the machine once that is full
  bind,        ///< the home's nearest node of the tier, or an error
  all,         ///< nodes of the tier, nearest first, or an error
  interleave,  ///< pages in turn over all nodes of the tier
};

/// Where one structure goes.
struct TierChoice {
  MemoryTier tier = MemoryTier::in_place;
  NodeChoice nodes = NodeChoice::preferred;
  friend bool operator==(const TierChoice&, const TierChoice&) = default;
};

/// Where each structure goes.
class Tiers {
 public:
  [[nodiscard]] TierChoice& operator[](Structure s) noexcept { return choices_[static_cast<std::size_t>(s)]; }
  [[nodiscard]] TierChoice operator[](Structure s) const noexcept { return choices_[static_cast<std::size_t>(s)]; }
  friend bool operator==(const Tiers&, const Tiers&) = default;

 private:
  std::array<TierChoice, kStructures> choices_{};
};

struct Placement {
  PlacementPolicy policy = PlacementPolicy::in_place;
  unsigned homes = 1;
  std::vector<unsigned> node_of_home;         ///< the operating system's numbers; empty: not known
  std::vector<unsigned> home_of_section;      ///< empty: one list of work for all homes
  std::vector<unsigned> home_of_thread;       ///< empty: home 0 for all
  std::vector<unsigned> processor_of_thread;  ///< empty: threads are not bound
  Tiers tiers;

  [[nodiscard]] unsigned home(SectionId section) const noexcept {
    return home_of_section.empty() ? 0 : home_of_section[section];
  }
  friend bool operator==(const Placement&, const Placement&) = default;
};

/// Names as they are written in options and JSON: "round_robin", "vertex_state", "slow", "bind".
[[nodiscard]] std::string_view name_of(PlacementPolicy policy) noexcept;
[[nodiscard]] std::string_view name_of(Structure structure) noexcept;
[[nodiscard]] std::string_view name_of(MemoryTier tier) noexcept;
[[nodiscard]] std::string_view name_of(NodeChoice nodes) noexcept;

/// All names of a kind, in the order of their values.
[[nodiscard]] std::vector<std::string_view> placement_policy_names();

/// The policy of this name.  Errors: invalid_argument, with the names that exist.
[[nodiscard]] Result<PlacementPolicy> parse_policy(std::string_view name);
/// "sections=slow:interleave,vertex_state=dram": others stay in place; default `:preferred`.  Errors: invalid_argument.
[[nodiscard]] Result<Tiers> parse_tiers(std::string_view text);
/// What parse_tiers reads; "" if everything is in place.
[[nodiscard]] std::string to_text(const Tiers& tiers);

/// One line for each home, then the tiers that are not in place.
[[nodiscard]] std::string to_text(const Placement& placement);
/// A JSON object with the members of Placement; from_json reads it back to an equal value.
[[nodiscard]] std::string to_json(const Placement& placement);
/// Reads what to_json writes.  Errors: parse (not such an object), invalid_argument (a home that does not exist).
[[nodiscard]] Result<Placement> placement_from_json(std::string_view json);

// Which home each section of a graph is given, and what follows from it.

/// What one section, or one vertex, brings to its home.
struct Load {
  double vertices = 0;
  double edges = 0;
};

/// Vertices and entries of each section, in the out-direction.
[[nodiscard]] std::vector<Load> section_loads(const GraphView& graph);

/// The home of each section.  in_place and interleave, and a single home, give an empty vector.
///   halves: runs of equally many sections (equally many vertices, up to a section's).
///   round_robin: in turn, always to the home with the smallest work (vertices and
///     entries) so far: section s -> s mod homes where sections are alike, and even where they are not.
///   chunk, and adaptive to begin with: runs by the objective of RGraph, edges even within 1%, or as even as
///     sections allow.
/// Cost: O(sections).
[[nodiscard]] std::vector<unsigned> place_sections(PlacementPolicy policy, std::span<const Load> sections,
                                                   unsigned homes);

/// A vertex of a rank counts as much work as this many entries, because its state is read and written whatever its
/// degree. As measured on R-MAT graphs in order of degree: 3 to 6 suit PageRank, searches and components alike.
inline constexpr double kEntriesAVertex = 4;

/// Whether the vertices of sections are in order of degree, the largest first, as far as their entries tell.  Then
/// neighbours are near one another in no other sense, and a run of equally much work has few vertices or nearly all.
[[nodiscard]] bool in_degree_order(std::span<const Load> sections);

/// The default policy of ranks, for sections in degree order or not.
[[nodiscard]] constexpr PlacementPolicy policy_of_ranks(bool in_degree_order) noexcept {
  return in_degree_order ? PlacementPolicy::round_robin : PlacementPolicy::chunk;
}

/// The rank of each section, as place_sections, with vertices counted among the entries.  Threads of one process need
/// no such care: idle threads steal work.
[[nodiscard]] std::vector<unsigned> place_on_ranks(PlacementPolicy policy, std::span<const Load> sections,
                                                   unsigned ranks);

/// The same where each rank owns whole words of a VertexSet: sections of fewer than 64 vertices go together.
/// One entry a section, at least one.
[[nodiscard]] std::vector<unsigned> owners_of_sections(PlacementPolicy policy, std::span<const Load> sections,
                                                       unsigned section_bits, unsigned ranks);

/// Entries from sections of home `from` to vertices of home `to`: [from * homes + to].  An empty
/// `home_of_section` means home 0.  Cost: O(entries).
[[nodiscard]] std::vector<EdgeCount> entries_between(const GraphView& graph, std::span<const unsigned> home_of_section,
                                                     unsigned homes);

}  // namespace rizoma
