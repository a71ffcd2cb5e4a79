#include "store/state/filtered.h"

#include "base/check.h"
#include "store/messages.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// A bit for each row of edges.
struct KeptRows {
  std::span<const std::uint8_t> bits;
  std::uint64_t rows = 0;

  [[nodiscard]] bool holds(std::uint64_t row) const noexcept { return (bits[row / 8] >> (row % 8) & 1) != 0; }
};

/// The lists of a section while it is filtered; its room serves one section after another.
template <class Target>
struct FilteredLists {
  std::vector<std::uint32_t> offsets;
  std::vector<Target> targets;  ///< and more after them
  std::vector<double> numbers;
  std::size_t size = 0;
  EdgeCount num_self_loops = 0;

  void clear() {
    offsets.clear();
    size = 0;
    num_self_loops = 0;
  }
  void reach(std::size_t wanted) {
    if (wanted <= targets.size()) return;
    const std::size_t grown = std::max(wanted, targets.size() * 2);
    targets.resize(grown);
    numbers.resize(grown);
  }
};

/// What a thread filters sections into.
struct Room {
  FilteredLists<std::uint32_t> narrow;
  FilteredLists<std::uint64_t> wide;
};

/// Writes each entry, and counts it if its row is kept; the room grows with those that are.
template <class Target>
Status filter(const SectionBytes& section, VertexId first, const KeptRows& kept, FilteredLists<Target>& lists) {
  const auto edges = view_image<Target>(section.spec, section.bytes);
  const RowNumbers rows(section.spec, section.bytes);
  const auto most = static_cast<double>(kept.rows);
  bool all_exist = true;
  lists.clear();
  std::size_t size = 0;
  lists.offsets.reserve(section.spec.num_vertices + std::size_t{1});
  lists.offsets.push_back(0);
  for (std::uint32_t place = 0; place < section.spec.num_vertices; ++place) {
    const std::uint32_t begin = edges.offsets[place];
    const std::uint32_t end = edges.offsets[place + 1];
    lists.reach(size + (end - begin));
    rows.for_each(begin, end, [&](std::size_t e, double row) {
      const bool exists = row >= 0 && row < most;
      all_exist &= exists;
      lists.targets[size] = edges.targets[e];
      lists.numbers[size] = row;
      const bool holds = exists && kept.holds(static_cast<std::uint64_t>(row));
      lists.num_self_loops += holds && edges.targets[e] == first + place ? 1 : 0;
      size += holds ? 1 : 0;
    });
    lists.offsets.push_back(static_cast<std::uint32_t>(size));
  }
  lists.size = size;
  if (!all_exist) return corrupt("an edge", "names a row that does not exist");
  return {};
}

/// The lists as a section in memory; null: they are empty.
template <class Target>
std::shared_ptr<const SectionVersion> as_section(const FilteredLists<Target>& lists, const SectionVersion& from,
                                                 MergeArena& memory) {
  if (lists.size == 0) return nullptr;
  const SectionVersion::Parts& whole = from.parts();
  MergedImage section;
  section.spec = {.section = whole.section,
                  .direction = from.context()->direction,
                  .target_bytes = sizeof(Target),
                  .weights = WeightType::float64,
                  .num_vertices = whole.num_vertices,
                  .num_entries = lists.size,
                  .num_self_loops = lists.num_self_loops,
                  .target_bound = whole.target_bound};
  const ImageLayout layout = image_layout(section.spec);
  section.bytes = memory.take(layout.bytes);
  const auto put = [&](std::size_t at, const auto& values, std::size_t count) {
    std::memcpy(section.bytes.get() + at, values.data(), count * sizeof values[0]);
  };
  put(layout.offsets, lists.offsets, lists.offsets.size());
  put(layout.targets, lists.targets, lists.size);
  put(layout.weights, lists.numbers, lists.size);
  SectionVersion::Parts parts;
  parts.section = whole.section;
  parts.num_vertices = whole.num_vertices;
  parts.target_bound = whole.target_bound;
  parts.target_bytes = whole.target_bytes;
  return std::make_shared<const SectionVersion>(from.context(), std::move(parts), std::move(section));
}

Result<std::shared_ptr<const SectionVersion>> filter_section(const SectionVersion& version, unsigned section_bits,
                                                             const KeptRows& kept, MergeArena& memory, Room& room) {
  RIZOMA_ASSIGN(const SectionBytes section, version.load(memory));
  std::shared_ptr<const SectionVersion> none;
  if (section.spec.num_entries == 0) return none;
  const VertexId first = section.spec.section << section_bits;
  if (section.spec.target_bytes == 4) {
    RIZOMA_TRY(filter(section, first, kept, room.narrow));
    return as_section(room.narrow, version, memory);
  }
  RIZOMA_TRY(filter(section, first, kept, room.wide));
  return as_section(room.wide, version, memory);
}

/// One direction of a state, whose sections `versions` are; those of other parts of the graph are left out.
Result<StoreSnapshot::Versions> filter_all(const StoreSnapshot::Versions& versions, unsigned section_bits,
                                           const KeptRows& kept, Executor& executor) {
  StoreSnapshot::Versions all(versions.size());
  MergeArena memory;
  std::vector<Room> rooms(executor.threads());
  std::mutex mutex;
  Status failure;
  RIZOMA_TRY(executor.for_blocks(versions.size(), 1, [&](VertexRange block, unsigned thread) {
    for (SectionId s = block.begin; s < block.end; ++s) {
      if (versions[s] == nullptr || versions[s]->elsewhere()) continue;
      auto section = filter_section(*versions[s], section_bits, kept, memory, rooms[thread]);
      if (section) {
        all[s] = *std::move(section);
        continue;
      }
      const std::lock_guard guard(mutex);
      if (failure) failure = std::move(section).error();
    }
  }));
  if (!failure) return failure.error();
  return all;
}

Result<ListLengths> lengths_of(const SectionVersion* version, MergeArena& memory) {
  ListLengths found;
  if (version == nullptr) return found;
  RIZOMA_ASSIGN(const SectionBytes section, version->load(memory));
  const std::uint32_t* const offsets = view_image<std::uint32_t>(section.spec, section.bytes).offsets;
  for (std::uint32_t place = 0; place < section.spec.num_vertices; ++place) {
    found.lengths.push_back(offsets[place + 1] - offsets[place]);
  }
  found.num_self_loops = section.spec.num_self_loops;
  return found;
}

/// A section of another part of the graph, `from`, whose lists have these lengths now; null: they are empty.
Result<std::shared_ptr<const SectionVersion>> lists_elsewhere(const ListLengths& lists, const SectionVersion* from,
                                                              MergeArena& memory) {
  std::shared_ptr<const SectionVersion> none;
  const EdgeCount size = std::accumulate(lists.lengths.begin(), lists.lengths.end(), EdgeCount{0});
  if (size == 0) return none;
  if (from == nullptr || from->parts().num_vertices != lists.lengths.size() || size > UINT32_MAX ||
      lists.num_self_loops > size) {
    return Error{ErrorCode::corrupt, "another part of the graph sent impossible lists; distribute the graph again"};
  }
  SectionVersion::Parts parts;
  parts.section = from->parts().section;
  parts.num_vertices = from->parts().num_vertices;
  parts.target_bound = from->parts().target_bound;
  parts.target_bytes = from->parts().target_bytes;
  MergedImage section;
  section.spec = {.section = parts.section,
                  .direction = from->context()->direction,
                  .target_bytes = parts.target_bytes,
                  .weights = WeightType::none,
                  .num_vertices = parts.num_vertices,
                  .num_entries = size,
                  .num_self_loops = lists.num_self_loops,
                  .target_bound = parts.target_bound};
  const ImageLayout layout = image_layout(section.spec);
  section.bytes = memory.take(layout.targets);  // what would follow is not read
  std::uint32_t end = 0;
  std::byte* at = section.bytes.get() + layout.offsets;
  std::memcpy(at, &end, sizeof end);
  for (const std::uint32_t length : lists.lengths) {
    end += length;
    at += sizeof end;
    std::memcpy(at, &end, sizeof end);
  }
  return std::make_shared<const SectionVersion>(from->context(), std::move(parts), std::move(section));
}

/// Fills in the sections of other parts.
Status complete(StoreSnapshot::Versions& sections, const StoreSnapshot::Versions& from, const Part& part,
                TellLengths tell) {
  MergeArena memory;
  std::vector<ListLengths> lengths(sections.size());
  for (SectionId s = 0; s < sections.size(); ++s) {
    if (!part.has(s)) continue;
    RIZOMA_ASSIGN(lengths[s], lengths_of(sections[s].get(), memory));
  }
  RIZOMA_TRY(tell(lengths));
  for (SectionId s = 0; s < sections.size(); ++s) {
    if (part.has(s)) continue;
    RIZOMA_ASSIGN(sections[s], lists_elsewhere(lengths[s], from[s].get(), memory));
  }
  return {};
}

Status expect_bit_a_row(const StoreSnapshot& state, std::span<const std::uint8_t> kept) {
  const std::uint64_t rows = state.num_rows();
  if (!state.schema().rows) {
    return Error{ErrorCode::invalid_argument, "the edges of this graph have no columns to filter by"};
  }
  if (kept.size() != (rows + 7) / 8) {
    return Error{ErrorCode::invalid_argument, "the graph has " + std::to_string(rows) + " rows of edges, and " +
                                                  std::to_string(kept.size()) + " bytes do not hold one bit for each"};
  }
  return {};
}

/// Filters the sections of this part.
Result<StoreSnapshot::Parts> filtered_parts(const StoreSnapshot& state, std::span<const std::uint8_t> kept,
                                            Executor& executor) {
  const KeptRows rows{kept, state.num_rows()};
  StoreSnapshot::Parts parts = state.parts();
  const unsigned bits = state.schema().section_bits;
  parts.ordered_by_degree = false;
  RIZOMA_ASSIGN(parts.out, filter_all(state.parts().out, bits, rows, executor));
  RIZOMA_ASSIGN(parts.in, filter_all(state.parts().in, bits, rows, executor));
  return parts;
}

}  // namespace

Result<std::shared_ptr<const StoreSnapshot>> with_rows(const StoreSnapshot& state, std::span<const std::uint8_t> kept,
                                                       Executor& executor) {
  RIZOMA_TRY(expect_bit_a_row(state, kept));
  RIZOMA_TRY(state.validate(executor));
  RIZOMA_ASSIGN(StoreSnapshot::Parts parts, filtered_parts(state, kept, executor));
  return std::make_shared<const StoreSnapshot>(std::move(parts), state.ids());
}

Result<std::shared_ptr<const StoreSnapshot>> part_with_rows(const StoreSnapshot& state,
                                                            std::span<const std::uint8_t> kept, TellLengths tell,
                                                            Executor& executor) {
  RIZOMA_CHECK(state.part() != nullptr);
  RIZOMA_TRY(expect_bit_a_row(state, kept));
  RIZOMA_ASSIGN(StoreSnapshot::Parts parts, filtered_parts(state, kept, executor));
  RIZOMA_TRY(complete(parts.out, state.parts().out, *state.part(), tell));
  if (!parts.in.empty()) RIZOMA_TRY(complete(parts.in, state.parts().in, *state.part(), tell));
  return std::make_shared<const StoreSnapshot>(std::move(parts), state.ids());
}

Result<std::shared_ptr<const StoreSnapshot>> reversed(const StoreSnapshot& state) {
  if (!state.has_in()) {
    return Error{ErrorCode::invalid_argument, "this graph stores no in-edges; create it with in_edges=True"};
  }
  StoreSnapshot::Parts parts = state.parts();
  if (state.schema().directed) std::swap(parts.out, parts.in);
  return std::make_shared<const StoreSnapshot>(std::move(parts), state.ids());
}

}  // namespace rizoma
