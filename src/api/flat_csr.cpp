// flat_csr: one section as stored, or all sections copied one after another.
#include <rizoma/export.h>

#include "graph/flat_section.h"
#include "platform/pages.h"

#include <limits>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr std::uint64_t kMost32 = std::numeric_limits<std::int32_t>::max();

/// Pages that the copies share.
std::shared_ptr<std::byte> allocate(std::size_t bytes) {
  auto* data = static_cast<std::byte*>(allocate_pages(bytes));
  return {data, [bytes](std::byte* pages) { release_pages(pages, bytes); }};
}

/// Unsigned numbers below 2^31 read as signed ones: the same bytes, and an aliasing that C++ allows.
std::span<const std::int32_t> as_signed(const std::uint32_t* data, std::size_t size) {
  return {reinterpret_cast<const std::int32_t*>(data), size};
}

/// Number of the first entry of each section, and of all entries.
template <class A>
std::vector<EdgeCount> section_starts(const A& lists) {
  std::vector<EdgeCount> starts{0};
  for (SectionId s = 0; s < lists.num_sections(); ++s) starts.push_back(starts.back() + lists.section_size(s));
  return starts;
}

template <class Index, class A>
Result<FlatCsr> copy_sections(const A& lists, WeightType type, Executor& executor) {
  const std::vector<EdgeCount> starts = section_starts(lists);
  const VertexId n = lists.num_vertices();
  const std::size_t width = weight_bytes(type);
  const auto offsets = allocate((n + 1) * sizeof(Index));
  const auto targets = allocate(starts.back() * sizeof(Index));
  const auto weights = allocate(starts.back() * width);
  auto* const to_offsets = reinterpret_cast<Index*>(offsets.get());
  auto* const to_targets = reinterpret_cast<Index*>(targets.get());
  RIZOMA_TRY(executor.for_blocks(lists.num_sections(), 1, [&](VertexRange some, unsigned) {
    for (SectionId s = some.begin; s < some.end; ++s) {
      const FlatSection<Index, Index> to{to_offsets + lists.range_of(s).begin, static_cast<Index>(starts[s]),
                                         to_targets + starts[s], weights.get() + starts[s] * width};
      flatten_section(lists, s, width, to);
    }
  }));
  to_offsets[n] = static_cast<Index>(starts.back());
  const auto owner = std::make_shared<std::vector<std::shared_ptr<const void>>>();
  *owner = {offsets, targets, weights};
  return FlatCsr(FlatCsrOf<Index>{{to_offsets, n + 1}, {to_targets, starts.back()}, weights.get(), owner});
}

template <class Target>
Result<FlatCsr> flatten(const Adjacency<Target>& lists, const GraphView& view, Executor& executor) {
  EdgeCount entries = 0;
  for (SectionId s = 0; s < lists.num_sections(); ++s) entries += lists.section_size(s);
  const bool narrow = entries <= kMost32 && lists.num_vertices() <= kMost32;
  if constexpr (sizeof(Target) == sizeof(std::uint32_t)) {
    if (narrow && lists.num_sections() == 1 && lists.section(0).changed == nullptr) {
      const auto& section = lists.section(0);
      return FlatCsr(FlatCsrOf<std::int32_t>{as_signed(section.offsets, lists.num_vertices() + 1),
                                             as_signed(section.targets, entries), section.weights,
                                             std::make_shared<GraphView>(view), false});
    }
  }
  return narrow ? copy_sections<std::int32_t>(lists, view.weight_type(), executor)
                : copy_sections<std::int64_t>(lists, view.weight_type(), executor);
}

}  // namespace

Result<FlatCsr> flat_csr(const GraphView& view, Direction direction, Executor& executor) {
  if (direction == Direction::out) {
    return view.with_out([&](const auto& out) { return flatten(out, view, executor); });
  }
  return view.with_both([&](const auto&, const auto& in) { return flatten(in, view, executor); });
}

}  // namespace rizoma
