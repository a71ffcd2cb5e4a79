// Every edge once, from its end of higher to that of lower rank, where rank 0 is the vertex of greatest
// degree: the form of a graph that triangle counting works on.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/graph_view.h>

#include <cstdint>
#include <span>
#include <vector>

namespace rizoma {

/// List r holds the ranks below r of the neighbours of the vertex of rank r: ascending, each once.
/// Ranks follow the (out- plus in-) degree, or the inner numbers where the graph says that these do.
/// Cost: O(n + m), and 4 bytes an edge unless the lists can be read in the graph itself.
class RankedLists {
 public:
  using Rank = std::uint32_t;

  /// The graph must outlive the lists.  Errors: unsupported (more than 2^32 vertices), cancelled.
  static Result<RankedLists> make(Engine& engine, const GraphView& graph);

  [[nodiscard]] VertexId size() const noexcept { return lists_.size(); }
  [[nodiscard]] EdgeCount num_edges() const noexcept { return num_edges_; }
  [[nodiscard]] std::span<const Rank> operator[](VertexId rank) const noexcept {
    return {lists_[rank].begin, lists_[rank].size};
  }
  [[nodiscard]] const GraphView& graph() const noexcept { return graph_; }
  [[nodiscard]] VertexId vertex_of(VertexId rank) const noexcept { return order_.empty() ? rank : order_[rank]; }

 private:
  struct Place {
    const Rank* begin;
    std::uint64_t size;
  };
  class Builder;
  template <class Target>
  Status build(Engine& engine, const Adjacency<Target>& out, const Adjacency<Target>* in);
  template <class Target>
  std::vector<Rank> rank_by_degree(const Adjacency<Target>& out, const Adjacency<Target>* in);
  Status read_in_place(Engine& engine, const Adjacency<Rank>& lists);

  GraphView graph_;
  VertexMap<Place> lists_;
  std::vector<Rank> order_;  ///< the vertex of each rank; empty: its own number
  VertexMap<Rank> entries_;  ///< what lists_ points into; empty if that is the graph
  EdgeCount num_edges_ = 0;
};

}  // namespace rizoma
