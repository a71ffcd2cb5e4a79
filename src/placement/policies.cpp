#include "placement/policies.h"

#include <algorithm>
#include <cmath>

namespace rizoma {

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
    // Starting behind itself, so that homes equally far do not all help the same one first.
    for (unsigned i = 0; i < order.size(); ++i) order[home].push_back((home + i) % static_cast<unsigned>(order.size()));
    std::stable_sort(order[home].begin(), order[home].end(),
                     [&](unsigned a, unsigned b) { return distance(home, a) < distance(home, b); });
  }
  return order;
}

namespace {

/// Ends of the runs of sections of each home.
template <class Target>
std::vector<SectionId> chunk_ends(const Adjacency<Target>& edges, EdgeCount entries, unsigned homes) {
  const double vertices_each = static_cast<double>(edges.num_vertices()) / homes;
  const double entries_each = static_cast<double>(entries) / homes;
  const double alpha = edges.num_vertices() == 0 ? 0 : static_cast<double>(entries / edges.num_vertices());
  std::vector<SectionId> ends;
  SectionId at = 0;
  for (unsigned home = 0; home + 1 < homes; ++home) {
    double vertices = 0;
    double own_entries = 0;
    const auto f = [&] { return alpha * std::abs(vertices - vertices_each) + std::abs(own_entries - entries_each); };
    for (double before = f(); at < edges.num_sections(); ++at) {
      vertices += static_cast<double>(edges.range_of(at).size());
      own_entries += static_cast<double>(edges.section_size(at));
      const double after = f();
      if (after > before) break;
      before = after;
    }
    ends.push_back(at);
  }
  ends.push_back(edges.num_sections());
  return ends;
}

}  // namespace

std::vector<unsigned> place_sections(PlacementPolicy policy, const GraphView& graph, unsigned homes) {
  std::vector<unsigned> home_of_section;
  if (policy == PlacementPolicy::in_place || homes <= 1) return home_of_section;
  graph.with_out([&](const auto& out) {
    home_of_section.resize(out.num_sections());
    if (policy == PlacementPolicy::round_robin) {
      for (SectionId s = 0; s < home_of_section.size(); ++s) home_of_section[s] = static_cast<unsigned>(s % homes);
      return;
    }
    SectionId section = 0;
    unsigned home = 0;
    for (const SectionId end : chunk_ends(out, graph.num_entries(), homes)) {
      for (; section < end; ++section) home_of_section[section] = home;
      ++home;
    }
  });
  return home_of_section;
}

}  // namespace rizoma
