// Every edge once, from its end of higher to that of lower rank, where rank 0 is the vertex of largest
// degree: the form of a graph that counts of triangles and cliques work on.
#pragma once

#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>
#include <rizoma/graph_view.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rizoma {

/// List r holds the ranks below r of the neighbours of the vertex of rank r: ascending, each once.
/// Ranks follow the (out- plus in-) degree, or are the internal ids where the graph says that these do, or where
/// neighbours have numbers so near each other that reading lists as stored saves more than shorter lists would.
/// With ranks (the engine's: processes), each has the lists of its own vertices, and fetches from the others those that
/// an intersection with one of these needs; all other lists are empty there.
/// Cost: O(n + m), and 4 bytes an edge unless the lists can be read in the graph itself.
class OrientedLists {
 public:
  using DegreeRank = std::uint32_t;

  /// The graph must outlive the lists.  Errors: unsupported (more than 2^32 vertices; with ranks, a directed graph
  /// without in-edges), cancelled.
  static Result<OrientedLists> make(Engine& engine, const GraphView& graph);

  [[nodiscard]] VertexId size() const noexcept { return lists_.size(); }
  [[nodiscard]] EdgeCount num_edges() const noexcept { return num_edges_; }
  [[nodiscard]] std::span<const DegreeRank> operator[](VertexId degree_rank) const noexcept {
    return {lists_[degree_rank].begin, lists_[degree_rank].size};
  }
  [[nodiscard]] const GraphView& graph() const noexcept { return graph_; }
  [[nodiscard]] VertexId vertex_of(VertexId degree_rank) const noexcept {
    return order_.empty() ? degree_rank : order_[degree_rank];
  }
  /// Whether the vertex of that rank is one of this process.
  [[nodiscard]] bool is_mine(VertexId degree_rank) const noexcept {
    return processes_ == nullptr || processes_->owns(vertex_of(degree_rank));
  }
  /// Null: this process is alone.
  [[nodiscard]] Ranks* processes() const noexcept { return processes_; }
  /// Whether the list is here: one of this process, or a fetched one.
  [[nodiscard]] bool has(VertexId degree_rank) const noexcept {
    return lists_[degree_rank].begin != nullptr || is_mine(degree_rank);
  }
  /// Moves this process's lists, one after another, to `place`, which has room for them all.  Returns where each
  /// begins, and the end: lists of ranks that are not this process's are empty there.
  Result<VertexMap<std::uint64_t>> move_own(Engine& engine, std::span<DegreeRank> place);
  [[nodiscard]] EdgeCount own_entries() const noexcept { return num_edges_; }
  /// Bytes of lists that were made; 0 if they are read in the graph itself.
  [[nodiscard]] std::uint64_t copied_bytes() const noexcept {
    return entries_.size() == 0 ? 0 : num_edges_ * sizeof(DegreeRank);
  }

 private:
  struct Place {
    const DegreeRank* begin;
    std::uint64_t size;
  };
  class Builder;
  template <class Target>
  Status build(Engine& engine, const Adjacency<Target>& out, const Adjacency<Target>* in);
  template <class Target>
  std::vector<DegreeRank> order_by_degree(const Adjacency<Target>& out, const Adjacency<Target>* in);
  Status read_in_place(Engine& engine, const Adjacency<DegreeRank>& lists);
  /// Brings in the lists of other processes' vertices that are in lists of this one, apart from the first of each.
  Status fetch(Engine& engine);
  Status take_lists(Engine& engine, const std::vector<DegreeRank>& asked, std::span<const std::byte> answer);
  Result<std::vector<std::vector<DegreeRank>>> wanted(Engine& engine) const;

  GraphView graph_;
  Ranks* processes_ = nullptr;  ///< null: this one alone
  VertexMap<Place> lists_;
  std::vector<DegreeRank> order_;                 ///< the vertex of each rank; empty: its own number
  VertexMap<DegreeRank> entries_;                 ///< the memory that lists_ points into; empty if that is the graph
  std::vector<std::vector<DegreeRank>> fetched_;  ///< some lists of another process each
  EdgeCount num_edges_ = 0;
};

/// False if lists are so short that they are intersected as they are in less time than it takes to rank them: there are
/// few wedges for each edge.  For an undirected graph.  Cost: O(n).  Errors: cancelled.
[[nodiscard]] Result<bool> orientation_pays(Engine& engine, const GraphView& graph);

}  // namespace rizoma
