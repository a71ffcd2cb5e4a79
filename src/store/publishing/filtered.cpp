#include "store/publishing/filtered.h"

#include "base/check.h"
#include "store/messages.h"

#include <cstring>
#include <mutex>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace rizoma {
namespace {

/// A bit for each row of edges.
struct KeptRows {
  std::span<const std::uint8_t> bits;
  std::uint64_t rows = 0;

  [[nodiscard]] bool holds(std::uint64_t row) const noexcept { return (bits[row / 8] >> (row % 8) & 1) != 0; }
};

/// The lists of a section while it is filtered.
template <class Target>
struct KeptLists {
  std::vector<std::uint32_t> offsets;
  std::vector<Target> targets;
  std::vector<double> numbers;
  EdgeCount num_self_loops = 0;
};

template <class Target>
Result<KeptLists<Target>> filter(const SectionEdges<Target>& edges, VertexRange vertices, const KeptRows& kept) {
  const auto size = static_cast<std::uint32_t>(vertices.size());
  const auto* const numbers = static_cast<const double*>(edges.weights);
  const auto most = static_cast<double>(kept.rows);
  RIZOMA_CHECK(edges.changed == nullptr);  // the lists lie in the arrays
  KeptLists<Target> lists;
  lists.offsets.reserve(size + std::size_t{1});
  lists.offsets.push_back(0);
  for (std::uint32_t place = 0; place < size; ++place) {
    for (std::uint32_t e = edges.offsets[place]; e < edges.offsets[place + 1]; ++e) {
      if (!(numbers[e] >= 0 && numbers[e] < most)) return corrupt("an edge", "names a row that does not exist");
      if (!kept.holds(static_cast<std::uint64_t>(numbers[e]))) continue;
      lists.targets.push_back(edges.targets[e]);
      lists.numbers.push_back(numbers[e]);
      if (edges.targets[e] == vertices.begin + place) ++lists.num_self_loops;
    }
    lists.offsets.push_back(static_cast<std::uint32_t>(lists.targets.size()));
  }
  return lists;
}

/// The lists as a section in memory; null: they are empty.
template <class Target>
std::shared_ptr<const SectionVersion> as_section(const KeptLists<Target>& lists, const SectionVersion& from,
                                                 FoldMemory& memory) {
  if (lists.targets.empty()) return nullptr;
  const SectionVersion::Parts& whole = from.parts();
  FoldedSection section;
  section.spec = {.section = whole.section,
                  .direction = from.context()->direction,
                  .target_bytes = sizeof(Target),
                  .weights = WeightType::float64,
                  .num_vertices = whole.num_vertices,
                  .num_entries = lists.targets.size(),
                  .num_self_loops = lists.num_self_loops,
                  .target_bound = whole.target_bound};
  const ImageLayout layout = image_layout(section.spec);
  section.bytes = memory.take(layout.bytes);
  const auto put = [&](std::size_t at, const auto& values) {
    std::memcpy(section.bytes.get() + at, values.data(), values.size() * sizeof values[0]);
  };
  put(layout.offsets, lists.offsets);
  put(layout.targets, lists.targets);
  put(layout.weights, lists.numbers);
  SectionVersion::Parts parts;
  parts.section = whole.section;
  parts.num_vertices = whole.num_vertices;
  parts.target_bound = whole.target_bound;
  parts.target_bytes = whole.target_bytes;
  return std::make_shared<const SectionVersion>(from.context(), std::move(parts), std::move(section));
}

/// One direction of a state, whose sections `versions` are and whose entries `any` has.
Result<StoreSnapshot::Versions> filter_all(const GraphView::AnyAdjacency& any, const StoreSnapshot::Versions& versions,
                                           const KeptRows& kept, Executor& executor) {
  StoreSnapshot::Versions all(versions.size());
  FoldMemory memory;
  std::mutex mutex;
  Status failure;
  RIZOMA_TRY(std::visit(
      [&](const auto& edges) {
        return executor.for_blocks(versions.size(), 1, [&](VertexRange block, unsigned) {
          for (SectionId s = block.begin; s < block.end; ++s) {
            if (versions[s] == nullptr) continue;
            const auto lists = filter(edges.section(s), edges.range_of(s), kept);
            if (lists) {
              all[s] = as_section(*lists, *versions[s], memory);
              continue;
            }
            const std::lock_guard guard(mutex);
            if (failure) failure = lists.error();
          }
        });
      },
      any));
  if (!failure) return failure.error();
  return all;
}

}  // namespace

Result<std::shared_ptr<const StoreSnapshot>> with_rows(const StoreSnapshot& state, std::span<const std::uint8_t> kept,
                                                       Executor& executor) {
  const std::uint64_t rows = state.num_rows();
  if (!state.schema().rows) {
    return Error{ErrorCode::invalid_argument, "the edges of this graph have no columns to be told apart by"};
  }
  if (kept.size() != (rows + 7) / 8) {
    return Error{ErrorCode::invalid_argument, "the graph has " + std::to_string(rows) + " rows of edges, and " +
                                                  std::to_string(kept.size()) + " bytes are not a bit for each"};
  }
  RIZOMA_ASSIGN(const GraphView view, state.entry_view(executor));
  StoreSnapshot::Parts parts = state.parts();
  parts.ordered_by_degree = false;
  RIZOMA_ASSIGN(parts.out, filter_all(view.parts().out, state.parts().out, {kept, rows}, executor));
  if (view.parts().in) {
    RIZOMA_ASSIGN(parts.in, filter_all(*view.parts().in, state.parts().in, {kept, rows}, executor));
  }
  return std::make_shared<const StoreSnapshot>(std::move(parts), state.ids());
}

Result<std::shared_ptr<const StoreSnapshot>> reversed(const StoreSnapshot& state) {
  if (!state.has_in()) {
    return Error{ErrorCode::invalid_argument, "this graph was made without in-edges (in_edges=false)"};
  }
  StoreSnapshot::Parts parts = state.parts();
  if (state.schema().directed) std::swap(parts.out, parts.in);
  return std::make_shared<const StoreSnapshot>(std::move(parts), state.ids());
}

}  // namespace rizoma
