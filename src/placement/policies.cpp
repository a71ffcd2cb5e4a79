#include "placement/policies.h"

#include "placement/chunk.h"

#include <algorithm>
#include <array>

namespace rizoma {
namespace {

constexpr double kEdgeSlack = 0.01;
constexpr VertexId kWord = 64;

/// What a section costs a rank, in entries.
double work_of(const Load& section) { return section.edges + kEntriesAVertex * section.vertices; }

/// RGraph's chunks; where sections are too large for its borders to be even, those of the most even edges.
Borders chunks(std::span<const Load> sections, unsigned homes) {
  Borders chosen = chunk_borders(sections, homes, {.edge_slack = kEdgeSlack});
  double all = 0;
  for (const Load& section : sections) all += section.edges;
  if (most_edges(sections, chosen) <= (1 + kEdgeSlack) * all / homes) return chosen;
  Borders even = borders_of_even_edges(sections, homes);
  return most_edges(sections, even) < most_edges(sections, chosen) ? even : chosen;
}

/// Runs of sections that RGraph's borders cut.
std::vector<unsigned> by_chunks(std::span<const Load> sections, unsigned homes) {
  std::vector<unsigned> home_of_section(sections.size());
  const Borders borders = chunks(sections, homes);
  for (unsigned home = 0; home < homes; ++home) {
    for (std::size_t s = borders[home]; s < borders[home + 1]; ++s) home_of_section[s] = home;
  }
  return home_of_section;
}

/// Runs of equally many sections.
std::vector<unsigned> by_halves(std::span<const Load> sections, unsigned homes) {
  const std::size_t n = sections.size();
  std::vector<unsigned> home_of_section(n);
  for (std::size_t s = 0; s < n; ++s) home_of_section[s] = static_cast<unsigned>(s * homes / n);
  return home_of_section;
}

/// Each section to the home with the least work so far.
std::vector<unsigned> by_turns(std::span<const Load> sections, unsigned homes) {
  std::vector<unsigned> home_of_section;
  std::vector<double> per_home(homes);
  for (const Load& section : sections) {
    const auto next = std::min_element(per_home.begin(), per_home.end());
    *next += section.vertices + section.edges;
    home_of_section.push_back(static_cast<unsigned>(next - per_home.begin()));
  }
  return home_of_section;
}

/// A policy: its name in options and JSON, and how it places sections; null: it leaves them on one list of work.
struct Policy {
  std::string_view name;
  std::vector<unsigned> (*place)(std::span<const Load> sections, unsigned homes);
};

/// By PlacementPolicy.  A new policy is a value there and a row here.
constexpr std::array kPolicies{Policy{"in_place", nullptr}, Policy{"interleave", nullptr},
                               Policy{"halves", by_halves}, Policy{"round_robin", by_turns},
                               Policy{"chunk", by_chunks},  Policy{"adaptive", by_chunks}};
static_assert(kPolicies.size() == static_cast<std::size_t>(PlacementPolicy::adaptive) + 1);

const Policy& of(PlacementPolicy policy) noexcept { return kPolicies[static_cast<std::size_t>(policy)]; }

/// The runs of sections that go to a rank together, each by its end: as long as they may be, and at least the multiple
/// of `together` that makes a word of a set have one owner.
std::vector<std::size_t> runs_of(std::span<const Load> sections, std::size_t together, std::size_t longest,
                                 double most_work) {
  std::vector<std::size_t> ends;
  std::size_t begin = 0;
  double work = 0;
  for (std::size_t s = 0; s < sections.size(); s += together) {
    const std::size_t end = std::min(s + together, sections.size());
    double more = 0;
    for (std::size_t i = s; i < end; ++i) more += work_of(sections[i]);
    if (s > begin && (end - begin > longest || work + more > most_work)) {
      ends.push_back(s);
      begin = s;
      work = 0;
    }
    work += more;
  }
  if (!sections.empty()) ends.push_back(sections.size());
  return ends;
}

std::vector<Load> loads_of(std::span<const Load> sections, std::span<const std::size_t> ends) {
  std::vector<Load> loads;
  std::size_t s = 0;
  for (const std::size_t end : ends) {
    Load& run = loads.emplace_back();
    for (; s < end; ++s) {
      run.vertices += sections[s].vertices;
      run.edges += sections[s].edges;
    }
  }
  return loads;
}

}  // namespace

std::vector<TopologyNode> home_nodes(const Topology& topology) {
  std::vector<TopologyNode> homes;
  for (const TopologyNode& node : topology.nodes) {
    if (!node.processors.empty()) homes.push_back(node);
  }
  return homes;
}

std::vector<unsigned> place_threads(const Topology& topology, unsigned threads) {
  const std::vector<TopologyNode> homes = home_nodes(topology);
  std::vector<unsigned> home_of_thread(threads);
  std::vector<double> load(homes.size());
  for (unsigned& home : home_of_thread) {
    if (homes.empty()) break;
    home = static_cast<unsigned>(std::min_element(load.begin(), load.end()) - load.begin());
    load[home] += 1 / static_cast<double>(homes[home].processors.size());
  }
  return home_of_thread;
}

std::vector<unsigned> processors_of_threads(const Topology& topology, const std::vector<unsigned>& home_of_thread) {
  const std::vector<TopologyNode> homes = home_nodes(topology);
  std::vector<std::size_t> taken(homes.size());
  std::vector<unsigned> processors;
  for (const unsigned home : home_of_thread) {
    if (homes.empty()) break;
    const std::vector<unsigned>& own = homes[home].processors;
    processors.push_back(own[taken[home]++ % own.size()]);
  }
  return processors;
}

std::vector<std::vector<unsigned>> homes_by_distance(const Topology& topology) {
  std::vector<std::size_t> index;  // of each home among all nodes
  for (std::size_t i = 0; i < topology.nodes.size(); ++i) {
    if (!topology.nodes[i].processors.empty()) index.push_back(i);
  }
  const auto distance = [&](unsigned from, unsigned to) {
    if (from == to) return 0U;
    return topology.distances.empty() ? 1U : topology.distances[index[from]][index[to]];
  };
  std::vector<std::vector<unsigned>> order(index.size());
  for (unsigned home = 0; home < order.size(); ++home) {
    // Starting after itself, so that homes equally far do not all help the same one first.
    for (unsigned i = 0; i < order.size(); ++i) order[home].push_back((home + i) % static_cast<unsigned>(order.size()));
    std::stable_sort(order[home].begin(), order[home].end(),
                     [&](unsigned a, unsigned b) { return distance(home, a) < distance(home, b); });
  }
  return order;
}

std::vector<Load> section_loads(const GraphView& graph) {
  return graph.with_out([](const auto& out) {
    std::vector<Load> loads;
    loads.reserve(out.num_sections());
    for (SectionId s = 0; s < out.num_sections(); ++s) {
      loads.push_back({static_cast<double>(out.range_of(s).size()), static_cast<double>(out.section_size(s))});
    }
    return loads;
  });
}

std::string_view name_of(PlacementPolicy policy) noexcept { return of(policy).name; }

std::vector<std::string_view> placement_policy_names() {
  std::vector<std::string_view> names;
  for (const Policy& policy : kPolicies) names.push_back(policy.name);
  return names;
}

std::vector<unsigned> place_sections(PlacementPolicy policy, std::span<const Load> sections, unsigned homes) {
  if (of(policy).place == nullptr || homes <= 1) return {};
  return of(policy).place(sections, homes);
}

bool in_degree_order(std::span<const Load> sections) {
  constexpr double kUnevenness = 2;  // of the first section and the mean one: elsewhere any order will do
  constexpr double kRise = 0.01;     // of all entries: those added since the order was made
  double rise = 0;
  double all = 0;
  for (std::size_t s = 0; s < sections.size(); ++s) {
    all += sections[s].edges;
    if (s > 0) rise += std::max(0.0, sections[s].edges - sections[s - 1].edges);
  }
  return !sections.empty() && rise <= kRise * all &&
         sections[0].edges * static_cast<double>(sections.size()) >= kUnevenness * all && all > 0;
}

std::vector<unsigned> place_on_ranks(PlacementPolicy policy, std::span<const Load> sections, unsigned ranks) {
  std::vector<Load> work(sections.begin(), sections.end());
  for (Load& load : work) load.edges = work_of(load);
  return place_sections(policy, work, ranks);
}

std::vector<unsigned> owners_of_sections(PlacementPolicy policy, std::span<const Load> sections, unsigned section_bits,
                                         unsigned ranks) {
  // A page of an array belongs to a rank as a whole, or is on two: of a long run only the pages at its ends are.
  constexpr std::size_t kLongest = 8;     // sections
  constexpr double kEvenness = 1.0 / 32;  // of the work of a rank: a run of several sections has no more
  const VertexId vertices_each = VertexId{1} << section_bits;
  const std::size_t together = vertices_each >= kWord ? 1 : kWord / vertices_each;
  const bool in_runs = policy == PlacementPolicy::round_robin && in_degree_order(sections);
  double work = 0;
  for (const Load& section : sections) work += work_of(section);
  const std::vector<std::size_t> ends =
      runs_of(sections, together, in_runs ? kLongest : together, kEvenness * work / ranks);
  const std::vector<unsigned> of_run = place_on_ranks(policy, loads_of(sections, ends), ranks);
  std::vector<unsigned> owners(std::max<std::size_t>(sections.size(), 1), 0);
  std::size_t s = 0;
  for (std::size_t run = 0; run < of_run.size(); ++run)
    for (; s < ends[run]; ++s) owners[s] = of_run[run];
  return owners;
}

std::vector<EdgeCount> entries_between(const GraphView& graph, std::span<const unsigned> home_of_section,
                                       unsigned homes) {
  std::vector<EdgeCount> between(std::size_t{homes} * homes);
  if (home_of_section.empty()) {
    between[0] = graph.num_entries();
    return between;
  }
  graph.with_out([&](const auto& out) {
    for (SectionId s = 0; s < out.num_sections(); ++s) {
      EdgeCount* const row = between.data() + std::size_t{home_of_section[s]} * homes;
      const VertexRange range = out.range_of(s);
      for (VertexId v = range.begin; v < range.end; ++v) {
        for (const VertexId to : out.neighbors(v)) ++row[home_of_section[out.section_of(to)]];
      }
    }
  });
  return between;
}

Placement place_workers(PlacementPolicy policy, const Topology& topology, unsigned threads) {
  Placement placement{.policy = policy};
  const std::vector<TopologyNode> homes = home_nodes(topology);
  if (policy == PlacementPolicy::in_place || homes.size() < 2) return placement;
  placement.homes = static_cast<unsigned>(homes.size());
  for (const TopologyNode& node : homes) placement.node_of_home.push_back(node.id);
  placement.home_of_thread = place_threads(topology, threads == 0 ? topology.num_processors() : threads);
  placement.processor_of_thread = processors_of_threads(topology, placement.home_of_thread);
  if (policy != PlacementPolicy::interleave) return placement;
  for (const Structure structure : {Structure::vertex_state, Structure::frontiers, Structure::rr_sets}) {
    placement.tiers[structure] = {MemoryTier::dram, NodeChoice::interleave};
  }
  return placement;
}

Status check_placement(const Placement& placement) {
  constexpr unsigned kMostHomes = 4096;
  const auto below = [&](const std::vector<unsigned>& homes) {
    return std::all_of(homes.begin(), homes.end(), [&](unsigned home) { return home < placement.homes; });
  };
  const bool nodes = placement.node_of_home.empty() || placement.node_of_home.size() == placement.homes;
  const bool threads =
      placement.processor_of_thread.empty() || placement.processor_of_thread.size() == placement.home_of_thread.size();
  if (placement.homes > 0 && placement.homes <= kMostHomes && nodes && threads && below(placement.home_of_section) &&
      below(placement.home_of_thread)) {
    return {};
  }
  return Error{ErrorCode::invalid_argument,
               "the placement names a home that is not below `homes`, or its lists differ in length; make a new one "
               "(`rizoma placement explain`)"};
}

}  // namespace rizoma
