#include "store/sections/merge.h"

#include "base/check.h"
#include "base/radix_sort.h"
#include "store/sections/list_writer.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// Target: of the result, and of the image unless that is narrower; W: weights of both, as list_writer.h has them.
template <class Target, class W>
class SectionMerger {
  static constexpr bool kWeighted = !std::is_same_v<W, Unweighted>;
  static constexpr EdgeCount kMany = 1 << 13;  ///< changes for which passes over all are quicker than sorted lists

 public:
  SectionMerger(const MergeInput& input, MergeArena& memory)
      : input_(input),
        memory_(memory),
        base_vertices_(input.image.empty() ? 0 : input.image_spec.num_vertices),
        writer_(input.parallel_edges) {
    if (input.image.empty()) return;
    base_ = view_image<Target>(input.image_spec, input.image);
    if (input.image_spec.target_bytes < sizeof(Target)) {
      const auto* const narrow = reinterpret_cast<const std::uint32_t*>(base_.targets);
      wide_.assign(narrow, narrow + input.image_spec.num_entries);
      base_.targets = wide_.data();
    }
    if (input.image_spec.row_bits != 0) rows_.emplace(input.image_spec, input.image);
  }

  Result<MergedImage> run() {
    bucket_changes();
    const EdgeCount most = base_entries() + num_changes_;
    if (most > UINT32_MAX) {
      return Error{ErrorCode::unsupported,
                   "section " + std::to_string(input_.shape.section) +
                       " would hold 2^32 edges or more; create the graph with fewer section bits"};
    }
    allocate_result(most);
    std::uint32_t v = 0;
    while (v < input_.shape.num_vertices) {
      std::uint32_t end = v;
      while (end < input_.shape.num_vertices && starts_[end] == starts_[end + 1]) ++end;
      copy_lists(v, end);
      if (end < input_.shape.num_vertices) {
        offsets_[end] = filled();
        const std::span changes(changes_.data() + starts_[end], changes_.data() + starts_[end + 1]);
        const VertexId self = (input_.shape.section << input_.section_bits) + end;
        result_.spec.num_self_loops +=
            static_cast<EdgeCount>(writer_.merge(entries(base_begin(end), base_end(end)), changes, self));
        ++end;
      }
      v = end;
    }
    offsets_[v] = filled();
    close_gap();
    return std::move(result_);
  }

 private:
  [[nodiscard]] EdgeCount base_entries() const noexcept {
    return input_.image.empty() ? 0 : input_.image_spec.num_entries;
  }
  [[nodiscard]] std::uint32_t base_begin(std::uint32_t v) const noexcept {
    return v < base_vertices_ ? base_.offsets[v] : 0;
  }
  [[nodiscard]] std::uint32_t base_end(std::uint32_t v) const noexcept {
    return v < base_vertices_ ? base_.offsets[v + 1] : 0;
  }

  /// changes_[starts_[v], starts_[v+1]) are those of vertex v, those of one target in order of arrival.
  void bucket_changes() {
    std::vector<Change<W>> all = changes_of<W>(input_.changes, input_.shape.weights);
    num_changes_ = all.size();
    // Many are sorted in passes; few by their lists, which are short.
    if (num_changes_ >= kMany) radix_sort(all, [](const Change<W>& change) { return change.target(); });
    starts_.assign(std::size_t{input_.shape.num_vertices} + 1, 0);
    for (const Change<W>& change : all) {
      RIZOMA_DCHECK(change_place(change.word) < input_.shape.num_vertices);
      ++starts_[change_place(change.word)];
    }
    std::uint64_t sum = 0;
    for (std::uint64_t& start : starts_) {
      const std::uint64_t count = start;
      start = sum;
      sum += count;
    }
    std::vector<std::uint64_t> next(starts_.begin(), starts_.end() - 1);
    changes_.resize(num_changes_);
    for (Change<W> change : all) {
      const std::uint32_t place = change_place(change.word);
      change.word = without_place(change.word);
      changes_[next[place]++] = change;
    }
  }

  /// Room for all possible entries; merging may leave some of it empty.
  void allocate_result(EdgeCount most) {
    result_.spec = input_.shape;
    result_.spec.num_entries = most;
    result_.spec.num_self_loops = input_.image.empty() ? 0 : input_.image_spec.num_self_loops;
    const ImageLayout layout = image_layout(result_.spec);
    result_.bytes = memory_.take(layout.bytes);
    offsets_ = reinterpret_cast<std::uint32_t*>(result_.bytes.get() + layout.offsets);
    writer_.write_to(result_.bytes.get() + layout.targets, result_.bytes.get() + layout.weights, 0);
  }

  /// Lists [v, end), which have no changes.
  void copy_lists(std::uint32_t v, std::uint32_t end) {
    const std::uint32_t base_end = std::min(end, base_vertices_);
    if (v < base_end) {
      const auto shift = filled() - base_.offsets[v];
      const BaseList<Target, W> all = entries(base_.offsets[v], base_.offsets[base_end]);
      for (; v < base_end; ++v) offsets_[v] = base_.offsets[v] + shift;
      writer_.copy(all);
    }
    for (; v < end; ++v) offsets_[v] = filled();
  }

  [[nodiscard]] std::uint32_t filled() const noexcept { return static_cast<std::uint32_t>(writer_.filled()); }
  /// Entries [begin, end) of the image.
  [[nodiscard]] BaseList<Target, W> entries(std::uint32_t begin, std::uint32_t end) const noexcept {
    const auto* const weights = static_cast<const W*>(base_.weights);
    return {base_.targets + begin, weights == nullptr ? nullptr : weights + begin, rows_ ? &*rows_ : nullptr, begin,
            end - begin};
  }

  /// Merging made the targets fewer than was reserved: the weights move up after them.
  void close_gap() {
    const std::size_t weights_from = image_layout(result_.spec).weights;
    result_.spec.num_entries = writer_.filled();
    const std::size_t weights_to = image_layout(result_.spec).weights;
    if constexpr (kWeighted) {
      std::memmove(result_.bytes.get() + weights_to, result_.bytes.get() + weights_from, writer_.filled() * sizeof(W));
    }
  }

  const MergeInput& input_;
  MergeArena& memory_;
  SectionEdges<Target> base_;
  std::vector<Target> wide_;        ///< the targets of a narrower image: once a section, as the graph outgrows them
  std::optional<RowNumbers> rows_;  ///< of an image that has them packed
  std::uint32_t base_vertices_;
  std::vector<std::uint64_t> starts_;
  std::vector<Change<W>> changes_;
  std::uint64_t num_changes_ = 0;
  MergedImage result_;
  std::uint32_t* offsets_ = nullptr;
  ListWriter<Target, W> writer_;
};

template <class Target>
Result<MergedImage> merge_to(const MergeInput& input, MergeArena& memory) {
  switch (input.shape.weights) {
    case WeightType::none: return SectionMerger<Target, Unweighted>(input, memory).run();
    case WeightType::int32:
    case WeightType::float32: return SectionMerger<Target, std::uint32_t>(input, memory).run();
    case WeightType::float64: return SectionMerger<Target, double>(input, memory).run();
  }
  RIZOMA_CHECK(false);
}

}  // namespace

Result<MergedImage> merge_section(const MergeInput& input, MergeArena& memory) {
  const unsigned in = input.image.empty() ? input.shape.target_bytes : input.image_spec.target_bytes;
  RIZOMA_CHECK(in <= input.shape.target_bytes);
  RIZOMA_CHECK(input.image.empty() || input.image_spec.num_vertices <= input.shape.num_vertices);
  return input.shape.target_bytes == 4 ? merge_to<std::uint32_t>(input, memory)
                                       : merge_to<std::uint64_t>(input, memory);
}

}  // namespace rizoma
