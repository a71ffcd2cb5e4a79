// GraphView: an immutable set of sections that algorithms read, whatever owns the bytes.
// Module: graph.
#pragma once

#include <rizoma/detail/adjacency.h>
#include <rizoma/ids.h>
#include <rizoma/vertex_set.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace rizoma {

/// Cheap to copy (shared, immutable).  Internal ids are 0..num_vertices-1; those in `removed` are
/// holes left by removed vertices: they have no edges, and kernels must not count them.
class GraphView {
 public:
  using AnyAdjacency = std::variant<Adjacency<std::uint32_t>, Adjacency<std::uint64_t>>;

  struct Parts {
    bool directed = false;
    WeightType weight_type = WeightType::none;
    AnyAdjacency out;                ///< for an undirected graph: both entries of each edge
    std::optional<AnyAdjacency> in;  ///< the transpose, same target width; absent if not stored
    EdgeCount num_entries = 0;       ///< entries in `out`
    EdgeCount num_self_loops = 0;    ///< entries u->u in `out`
    VertexSet removed;               ///< empty set (universe 0) if no vertex was removed
    bool may_have_parallel_edges = false;
    bool ordered_by_degree = false;     ///< internal ids were given by decreasing degree (at import)
    std::shared_ptr<const void> owner;  ///< keeps the bytes alive
  };

  GraphView() = default;
  explicit GraphView(Parts parts) : parts_(std::make_shared<const Parts>(std::move(parts))) {}

  [[nodiscard]] VertexId num_vertices() const noexcept {
    return std::visit([](const auto& out) { return out.num_vertices(); }, parts_->out);
  }
  /// Vertices that have not been removed.
  [[nodiscard]] VertexId num_live() const noexcept { return num_vertices() - parts_->removed.count(); }
  [[nodiscard]] bool is_live(VertexId v) const noexcept {
    return parts_->removed.count() == 0 || !parts_->removed.contains(v);
  }
  [[nodiscard]] EdgeCount num_entries() const noexcept { return parts_->num_entries; }
  [[nodiscard]] EdgeCount num_self_loops() const noexcept { return parts_->num_self_loops; }
  /// Number of edges; an undirected edge counts once.
  [[nodiscard]] EdgeCount num_edges() const noexcept {
    return directed() ? num_entries() : (num_entries() + num_self_loops()) / 2;
  }
  [[nodiscard]] bool directed() const noexcept { return parts_->directed; }
  [[nodiscard]] WeightType weight_type() const noexcept { return parts_->weight_type; }
  [[nodiscard]] bool may_have_parallel_edges() const noexcept { return parts_->may_have_parallel_edges; }
  [[nodiscard]] bool ordered_by_degree() const noexcept { return parts_->ordered_by_degree; }
  /// True if in-edges can be read: always for undirected graphs.
  [[nodiscard]] bool has_in_edges() const noexcept { return !directed() || parts_->in.has_value(); }

  /// Calls f(out) with the out-edges in their true type: f(const Adjacency<uint32_t or uint64_t>&).
  template <class F>
  decltype(auto) with_out(F&& f) const {
    return std::visit(std::forward<F>(f), parts_->out);
  }
  /// Calls f(out, in); both are the same object for an undirected graph.  Only if has_in_edges().
  template <class F>
  decltype(auto) with_both(F&& f) const {
    const AnyAdjacency& in = directed() ? *parts_->in : parts_->out;
    return std::visit(
        [&](const auto& out) -> decltype(auto) { return f(out, std::get<std::remove_cvref_t<decltype(out)>>(in)); },
        parts_->out);
  }
  [[nodiscard]] const Parts& parts() const noexcept { return *parts_; }

 private:
  std::shared_ptr<const Parts> parts_ = std::make_shared<const Parts>();
};

// Degrees: the lengths of all lists of one direction.

/// Reads the lengths of a graph's lists, whatever the type of their targets.  Cost to make: O(sections); cheap to
/// move, valid while the graph lives.  `in` needs has_in_edges().
class Degrees {
 public:
  explicit Degrees(const GraphView& graph, Direction direction = Direction::out) {
    const bool in = direction == Direction::in && graph.directed();
    std::visit(
        [this](const auto& lists) {
          section_bits_ = lists.section_bits();
          mask_ = (VertexId{1} << section_bits_) - 1;
          sections_.reserve(lists.num_sections());
          for (SectionId s = 0; s < lists.num_sections(); ++s) {
            sections_.push_back({lists.section(s).offsets, lists.section(s).changed});
          }
        },
        in ? *graph.parts().in : graph.parts().out);
  }

  [[nodiscard]] EdgeCount operator[](VertexId v) const noexcept {
    const Section& section = sections_[v >> section_bits_];
    const VertexId place = v & mask_;
    if (section.changed != nullptr && section.changed->has(place)) [[unlikely]]
      return section.changed->size(place);
    return section.offsets[place + 1] - section.offsets[place];
  }

 private:
  struct Section {
    const std::uint32_t* offsets;
    const DeltaLists* changed;
  };
  std::vector<Section> sections_;
  VertexId mask_ = 0;
  unsigned section_bits_ = 0;
};

}  // namespace rizoma
