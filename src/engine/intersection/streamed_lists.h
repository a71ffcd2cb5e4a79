// The lists of OrientedLists, of a graph that memory cannot hold: as many as fit are loaded, and all stream past them.
//
// How.  The lists of the first degree ranks are rows of bits, which stay; the others are loaded part by part.  For each
// part the lists of the file go by once, in its order.  A program that holds each list that goes by against those of
// its members that are loaded meets each triangle once: where its middle vertex is loaded.  In a graph stored by
// decreasing degree only what follows the beginning of a part is read.
// Of a directed graph the lists of both directions go by, some vertices' out-edges first, which wait in memory for
// their in-edges: a neighbour is one by either.
// Cost: reads of 1 + parts times the lists at most, one more without that order; 8 bytes a vertex without that order,
// 16 bytes a vertex of a part, and the room that the engine leaves for lists, or what 1,024 vertices need if that is
// more.
// Source: Hu, Tao, Chung, "Massive graph triangulation", SIGMOD'13; Giechaskiel, Panagopoulos, Yoneki, "PDTL: parallel
// and distributed triangle listing for massive graphs", ICPP'15.
#pragma once

#include "engine/intersection/oriented_triangles.h"

#include <rizoma/detail/function_ref.h>
#include <rizoma/engine.h>
#include <rizoma/graph_view.h>
#include <rizoma/process_vertices.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace rizoma {

/// The lengths of a vertex's lists, of both directions together.
class AllDegrees {
 public:
  explicit AllDegrees(const GraphView& graph) : out_(graph) {
    if (graph.directed()) in_.emplace(graph, Direction::in);
  }
  [[nodiscard]] EdgeCount operator[](VertexId v) const noexcept { return out_[v] + (in_ ? (*in_)[v] : 0); }
  [[nodiscard]] EdgeCount out(VertexId v) const noexcept { return out_[v]; }

 private:
  Degrees out_;
  std::optional<Degrees> in_;
};

/// Degree rank 0 is the vertex of largest degree; of a graph that was ordered by degree, vertex 0.  Changes may have
/// given later vertices greater degrees since: such degree ranks are a hint of speed, and bound no list.
class StreamedOrder {
 public:
  using DegreeRank = OrientedLists::DegreeRank;

  StreamedOrder(const GraphView& graph, const AllDegrees& degrees);
  /// Whether degree ranks are the numbers of vertices.
  [[nodiscard]] bool is_plain() const noexcept { return degree_ranks_.empty(); }
  [[nodiscard]] DegreeRank of(VertexId v) const noexcept {
    return is_plain() ? static_cast<DegreeRank>(v) : degree_ranks_[v];
  }
  [[nodiscard]] VertexId vertex_of(DegreeRank r) const noexcept { return is_plain() ? r : vertices_[r]; }

 private:
  std::vector<DegreeRank> degree_ranks_;  ///< by vertex; empty: the vertices' numbers
  std::vector<DegreeRank> vertices_;      ///< by degree rank
};

/// Lists of lower degree ranks of a range of vertices, apart from those of the core.
class StreamedPart {
 public:
  using DegreeRank = OrientedLists::DegreeRank;

  StreamedPart(VertexId begin, std::uint64_t capacity)
      : range_{begin, begin}, capacity_(capacity), entries_(std::make_unique_for_overwrite<DegreeRank[]>(capacity)) {}

  [[nodiscard]] VertexRange range() const noexcept { return range_; }
  [[nodiscard]] std::uint64_t left() const noexcept { return capacity_ - used_; }
  [[nodiscard]] bool is_full() const noexcept { return left() < capacity_ / kFull; }
  [[nodiscard]] std::span<const DegreeRank> operator[](VertexId v) const noexcept {
    if (v < range_.begin || v >= range_.end) return {};
    const Place& place = places_[v - range_.begin];
    return {entries_.get() + place.begin, place.size};
  }
  /// Vertices up to there may be added.
  void extend(VertexId end) {
    range_.end = end;
    places_.resize(range_.size());
  }
  /// From any thread, for different vertices; there is room for all of them.
  void put(VertexId v, std::span<const DegreeRank> lower);

 private:
  static constexpr std::uint64_t kFull = 16;  ///< a part with less than this share of its room left is full

  struct Place {
    std::uint64_t begin = 0;
    std::uint32_t size = 0;
  };
  VertexRange range_;
  std::uint64_t capacity_;
  std::atomic<std::uint64_t> used_ = 0;
  std::vector<Place> places_;
  std::unique_ptr<DegreeRank[]> entries_;
};

class StreamedLists {
 public:
  using DegreeRank = OrientedLists::DegreeRank;

  /// What is in memory while lists stream past: the lists of a part, and rows of the core if that counts.  All others
  /// are empty.
  struct Loaded {
    using AnyOrder = void;  ///< lists are in that of vertices
    const StreamedOrder& order;
    const StreamedPart& part;
    VertexId core;
    [[nodiscard]] bool in_core(DegreeRank v) const noexcept { return v < core; }
    [[nodiscard]] std::span<const DegreeRank> operator[](DegreeRank v) const noexcept {
      return part[order.vertex_of(v)];
    }
  };

  /// Whether memory cannot hold the lists, and they can stream: there are in-edges, fewer than 2^32 vertices, and the
  /// graph is this process's alone.
  [[nodiscard]] static bool are_needed(Engine& engine, const GraphView& graph);
  /// Errors: none; the lists are loaded by for_all.
  StreamedLists(Engine& engine, const GraphView& graph);

  [[nodiscard]] const StreamedOrder& order() const noexcept { return order_; }
  /// The rows of the first degree ranks, which for_all fills.
  [[nodiscard]] const CoreRows& core() const noexcept { return core_; }

  /// f(u, list, loaded, thread) for every list, once for each part of the loaded ones.  `name`: for reports of
  /// progress.  Errors: cancelled.
  Status for_all(
      std::string_view name,
      FunctionRef<void(DegreeRank u, std::span<const DegreeRank> list, const Loaded& loaded, unsigned thread)> f);

 private:
  using Needed = FunctionRef<bool(VertexRange)>;
  using OfVertex = FunctionRef<void(VertexId v, std::span<const DegreeRank> lower, unsigned thread)>;

  Status for_lower(Needed needed, OfVertex f);
  Status for_lower_of_both(Needed needed, OfVertex f);
  Status take_out(StreamedPart& part);
  Status join_in(const StreamedPart& of_out, Needed needed, OfVertex f);
  [[nodiscard]] VertexRange next_of(VertexRange range) const noexcept;
  [[nodiscard]] EdgeCount out_edges(VertexRange range) const noexcept;
  [[nodiscard]] std::uint64_t most_in(VertexId begin) const;
  Status fill_rows();
  Status load(StreamedPart& part);

  Engine& engine_;
  const GraphView& graph_;
  const AllDegrees degrees_;
  const StreamedOrder order_;
  const EdgeCount longest_;  ///< where degree ranks are in order, no list of lower ones is longer
  std::vector<PerThread<std::vector<DegreeRank>>> lower_;
  CoreRows core_;               ///< of the first degree ranks
  std::uint64_t capacity_ = 0;  ///< entries of a part
  EdgeCount waiting_ = 0;       ///< out-edges that wait for in-edges
};

}  // namespace rizoma
