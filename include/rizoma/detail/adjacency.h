// Adjacency: the neighbour lists of a whole graph in one direction, cut into sections.  Module: graph.
//
// Shape: vertex v is in section `v >> section_bits`, at place `v & (2^section_bits - 1)`.  A section
// is a compact CSR: its vertices' lists one after another, each sorted by target, in vertex order.
// Where edges have changed since it was written, the lists of their vertices are in a place of their own
// (changed_lists.h), and those in the CSR no longer count.
// Cost: neighbors(v) is two array reads; a loop over a section's vertices is a plain CSR loop, with one test
// a list (predicted, as hardly any has changed).
#pragma once

#include <rizoma/detail/delta_lists.h>
#include <rizoma/ids.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace rizoma {

/// Which lists: the out-edges of vertices, or the transpose.
enum class Direction : std::uint8_t { out = 0, in = 1 };

/// The neighbour lists of one section.  `offsets` has one entry for each vertex of the section and
/// one more; list i is targets[offsets[i], offsets[i+1]), unless it is one of the changed ones.  So only `list` and
/// `size` tell what a vertex has.  Pointers stay valid while the owner lives.
template <class Target>
struct SectionEdges {
  const std::uint32_t* offsets = nullptr;
  const Target* targets = nullptr;
  const void* weights = nullptr;        ///< parallel to targets; null if unweighted
  const DeltaLists* changed = nullptr;  ///< null if none has changed

  /// Where a list lies: entries [begin, end) of the arrays.
  struct List {
    const Target* targets;
    const void* weights;
    std::uint32_t begin;
    std::uint32_t end;
  };
  [[nodiscard]] List list(VertexId place) const noexcept {
    if (changed != nullptr && changed->waits(place)) [[unlikely]]
      merge(*this, place, changed->index(place));
    return whole_list(place);
  }
  /// The same of one that is in one piece: loops that know so have no call in them.
  [[nodiscard]] List whole_list(VertexId place) const noexcept {
    if (changed != nullptr && changed->has(place)) [[unlikely]] {
      const ListBounds at = changed->bounds[changed->index(place)];
      if (at.begin < changed->room_begin) [[likely]]
        return {static_cast<const Target*>(changed->targets), changed->weights, at.begin, at.end};
      const PatchedLists& patched = *changed->patched;
      return {static_cast<const Target*>(patched.room), patched.weight_room, at.begin - changed->room_begin,
              at.end - changed->room_begin};
    }
    return {targets, weights, offsets[place], offsets[place + 1]};
  }
  /// Length of the list.
  [[nodiscard]] EdgeCount size(VertexId place) const noexcept {
    if (changed != nullptr && changed->has(place)) [[unlikely]]
      return changed->size(place);
    return offsets[place + 1] - offsets[place];
  }
  /// False if `list` would have to merge it first.
  [[nodiscard]] bool in_one_piece(VertexId place) const noexcept {
    return changed == nullptr || !changed->waits(place);
  }
  /// Calls f(List) with the runs that together are entries [from, to) of a list, in order and as stored, until it
  /// says false.  Cost: beside the entries, O(log of the patches that the list has, and those among the entries).
  template <class F>
  void for_runs(VertexId place, EdgeCount from, EdgeCount to, F&& f) const {
    if (in_one_piece(place)) [[likely]] {
      const List all = whole_list(place);
      f(List{all.targets, all.weights, static_cast<std::uint32_t>(all.begin + from),
             static_cast<std::uint32_t>(all.begin + to)});
    } else {
      for_patched_runs(place, changed->index(place), from, to, std::forward<F>(f));
    }
  }

 private:
  template <class F>
  void for_patched_runs(VertexId place, std::uint32_t i, EdgeCount from, EdgeCount to, F&& f) const {
    const PatchedLists& patched = *changed->patched;
    const std::span<const Patch> patches = patched.of(i);
    // What comes before the last patch that begins at `from` or earlier does not count.
    auto patch = std::upper_bound(patches.begin(), patches.end(), from,
                                  [](EdgeCount value, const Patch& each) { return value < each.to; });
    if (patch != patches.begin()) --patch;
    const bool first = patch->to > from;
    std::uint32_t own = first ? offsets[place] : patch->at;
    EdgeCount at = first ? 0 : patch->to;
    const auto give = [&](const void* of, const void* their_weights, std::uint32_t begin, std::uint32_t size) {
      const EdgeCount low = std::max(from, at);
      const EdgeCount high = std::min(to, at + size);
      const EdgeCount start = std::exchange(at, at + size);
      return low >= high ||
             f(List{static_cast<const Target*>(of), their_weights, static_cast<std::uint32_t>(begin + low - start),
                    static_cast<std::uint32_t>(begin + high - start)});
    };
    for (; patch != patches.end() && at < to; ++patch) {
      if (!give(targets, weights, own, patch->at - own)) return;
      if (!give(patched.targets, patched.weights, patch->begin, patch->end - patch->begin)) return;
      own = patch->at + patch->gone;
    }
    if (at < to) give(targets, weights, own, offsets[place + 1] - own);
  }

  /// A copy of the section, for a loop whose section is in registers has no other that it could pass.
  [[gnu::noinline, gnu::cold]] static void merge(SectionEdges section, VertexId place, std::uint32_t i) noexcept {
    const DeltaLists& changed = *section.changed;
    const PatchedLists& patched = *changed.patched;
    patched.merge_once(i, [&] {
      const std::size_t first = changed.bounds[i].begin - changed.room_begin;
      auto* to = static_cast<Target*>(patched.room) + first;
      auto* weights_to = static_cast<std::byte*>(patched.weight_room);
      const std::size_t width = patched.weight_bytes;
      if (width > 0) weights_to += first * width;
      section.for_patched_runs(place, i, 0, changed.size(place), [&](const List& run) {
        const std::size_t size = run.end - run.begin;
        to = std::copy_n(run.targets + run.begin, size, to);
        if (width == 0) return true;
        std::memcpy(weights_to, static_cast<const std::byte*>(run.weights) + run.begin * width, size * width);
        weights_to += size * width;
        return true;
      });
    });
  }
};

template <class Target>
class Adjacency {
 public:
  using target_type = Target;

  Adjacency() = default;
  /// `sections` has ceil(num_vertices / 2^section_bits) elements.
  Adjacency(unsigned section_bits, VertexId num_vertices, std::vector<SectionEdges<Target>> sections)
      : sections_(std::move(sections)),
        num_vertices_(num_vertices),
        mask_((VertexId{1} << section_bits) - 1),
        section_bits_(section_bits) {}

  [[nodiscard]] VertexId num_vertices() const noexcept { return num_vertices_; }
  [[nodiscard]] unsigned section_bits() const noexcept { return section_bits_; }
  [[nodiscard]] SectionId num_sections() const noexcept { return sections_.size(); }
  [[nodiscard]] SectionId section_of(VertexId v) const noexcept { return v >> section_bits_; }
  [[nodiscard]] const SectionEdges<Target>& section(SectionId s) const noexcept { return sections_[s]; }

  /// Vertices of section s.
  [[nodiscard]] VertexRange range_of(SectionId s) const noexcept {
    const VertexId begin = s << section_bits_;
    const VertexId end = begin + mask_ + 1;
    return {begin, end < num_vertices_ ? end : num_vertices_};
  }

  /// Edge entries of section s.
  [[nodiscard]] EdgeCount section_size(SectionId s) const noexcept {
    const SectionEdges<Target>& section = sections_[s];
    const EdgeCount own = section.offsets[range_of(s).size()];
    return section.changed == nullptr ? own : own + static_cast<EdgeCount>(section.changed->growth);
  }

  [[nodiscard]] EdgeCount degree(VertexId v) const noexcept { return sections_[v >> section_bits_].size(v & mask_); }

  [[nodiscard]] std::span<const Target> neighbors(VertexId v) const noexcept {
    const auto list = sections_[v >> section_bits_].list(v & mask_);
    return {list.targets + list.begin, list.targets + list.end};
  }

  /// The neighbour in entry i of the list of v, below its length.
  [[nodiscard]] Target neighbor(VertexId v, EdgeCount i) const noexcept {
    Target found{};
    for_runs(v, i, i + 1, [&](const auto& run) {
      found = run.targets[run.begin];
      return false;
    });
    return found;
  }
  /// SectionEdges::in_one_piece and for_runs of a vertex.
  [[nodiscard]] bool in_one_piece(VertexId v) const noexcept {
    return sections_[v >> section_bits_].in_one_piece(v & mask_);
  }
  template <class F>
  void for_runs(VertexId v, EdgeCount from, EdgeCount to, F&& f) const {
    sections_[v >> section_bits_].for_runs(v & mask_, from, to, std::forward<F>(f));
  }

  /// Weights of the edges of v, parallel to neighbors(v).  W must be the graph's weight type.
  template <class W>
  [[nodiscard]] std::span<const W> weights(VertexId v) const noexcept {
    const auto list = sections_[v >> section_bits_].list(v & mask_);
    const W* column = static_cast<const W*>(list.weights);
    return {column + list.begin, column + list.end};
  }

 private:
  std::vector<SectionEdges<Target>> sections_;
  VertexId num_vertices_ = 0;
  VertexId mask_ = 0;
  unsigned section_bits_ = 0;
};

}  // namespace rizoma
