// One graph in two shapes: the static CSR of the yardstick, and a GraphView that reads the same entries.
#pragma once

#include "yardstick/static_csr.h"

#include <rizoma/graph_view.h>

#include <algorithm>
#include <list>
#include <numeric>
#include <vector>

namespace rizoma::bench {

template <class Entry>
struct BenchGraph {
  /// `by_degree`: renumbers the vertices by decreasing degree first.
  BenchGraph(yardstick::StaticCsr<Entry> graph, unsigned section_bits, bool by_degree) : csr(std::move(graph)) {
    if (by_degree) renumber();
    GraphView::Parts parts;
    parts.directed = csr.directed;
    parts.weight_type = weighted() ? WeightType::int32 : WeightType::none;
    parts.num_entries = static_cast<EdgeCount>(csr.num_entries);
    parts.ordered_by_degree = by_degree;
    parts.out = adjacency(csr.out, section_bits);
    if (csr.directed) parts.in = adjacency(csr.transpose, section_bits);
    view = GraphView(std::move(parts));
  }

  yardstick::StaticCsr<Entry> csr;
  GraphView view;

 private:
  static constexpr bool weighted() { return sizeof(Entry) > sizeof(yardstick::Vertex); }
  static yardstick::Vertex& target(yardstick::Vertex& entry) { return entry; }
  static yardstick::Vertex& target(yardstick::WeightedTarget& entry) { return entry.target; }

  void renumber() {
    const auto n = static_cast<std::size_t>(csr.num_vertices);
    std::vector<yardstick::Vertex> order(n);
    std::vector<yardstick::Vertex> number(n);
    std::iota(order.begin(), order.end(), 0);
    const auto degree = [&](yardstick::Vertex v) {
      return csr.out.degree(v) + (csr.directed ? csr.transpose.degree(v) : 0);
    };
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return degree(a) > degree(b); });
    for (std::size_t i = 0; i < n; ++i) number[static_cast<std::size_t>(order[i])] = static_cast<yardstick::Vertex>(i);
    renumber(csr.out, order, number);
    if (csr.directed) renumber(csr.transpose, order, number);
  }

  void renumber(yardstick::Lists<Entry>& lists, const std::vector<yardstick::Vertex>& order,
                const std::vector<yardstick::Vertex>& number) {
    yardstick::Lists<Entry> renumbered{yardstick::make_array<std::int64_t>(order.size() + 1),
                                       yardstick::make_array<Entry>(static_cast<std::uint64_t>(csr.num_entries))};
    renumbered.offsets[0] = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      Entry* const begin = renumbered.entries.get() + renumbered.offsets[i];
      Entry* end = begin;
      for (Entry entry : lists[order[i]]) {
        target(entry) = number[static_cast<std::size_t>(target(entry))];
        *end++ = entry;
      }
      std::sort(begin, end, [](Entry a, Entry b) { return target(a) < target(b); });
      renumbered.offsets[i + 1] = end - renumbered.entries.get();
    }
    lists = std::move(renumbered);
  }

  /// Unweighted entries are read where they are; those with weights are taken apart.
  Adjacency<std::uint32_t> adjacency(const yardstick::Lists<Entry>& lists, unsigned section_bits) {
    const auto n = static_cast<VertexId>(csr.num_vertices);
    const std::uint32_t* targets = reinterpret_cast<const std::uint32_t*>(lists.entries.get());
    const std::int32_t* weights = nullptr;
    if constexpr (weighted()) {
      std::vector<std::uint32_t>& t = columns_.emplace_back();
      std::vector<std::uint32_t>& w = columns_.emplace_back();
      for (std::int64_t e = 0; e < csr.num_entries; ++e) {
        t.push_back(static_cast<std::uint32_t>(lists.entries[e].target));
        w.push_back(static_cast<std::uint32_t>(lists.entries[e].weight));
      }
      targets = t.data();
      weights = reinterpret_cast<const std::int32_t*>(w.data());
    }
    std::vector<SectionEdges<std::uint32_t>> sections;
    for (VertexId begin = 0; begin < n; begin += VertexId{1} << section_bits) {
      const VertexId end = std::min(n, begin + (VertexId{1} << section_bits));
      std::vector<std::uint32_t>& offsets = columns_.emplace_back();
      for (VertexId v = begin; v <= end; ++v)
        offsets.push_back(static_cast<std::uint32_t>(lists.offsets[v] - lists.offsets[begin]));
      sections.push_back({offsets.data(), targets + lists.offsets[begin],
                          weights != nullptr ? weights + lists.offsets[begin] : nullptr});
    }
    return {section_bits, n, std::move(sections)};
  }

  std::list<std::vector<std::uint32_t>> columns_;  ///< stay where they are as more are added
};

}  // namespace rizoma::bench
