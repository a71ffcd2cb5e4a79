#include <rizoma/detail/working_copy.h>
#include <rizoma/topology.h>

#include "base/check.h"
#include "engine/state/machine_memory.h"
#include "graph/flat_section.h"
#include "placement/tiers.h"
#include "platform/pages.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr std::size_t kLine = 64;

constexpr std::size_t align_line(std::size_t bytes) noexcept { return (bytes + kLine - 1) / kLine * kLine; }

/// Where the parts of one section go in its home's memory.
struct CopiedPart {
  unsigned home = 0;
  std::size_t offsets = 0;
  std::size_t targets = 0;
  std::size_t weights = 0;
  std::size_t end = 0;
};

/// The memory of all homes; a view owns it.
struct HomeMemory {
  std::vector<PageMemory> pages;
  std::vector<std::size_t> used;
};

/// Lays out and copies the sections of one direction.
template <class Target>
class SectionCopier {
 public:
  SectionCopier(const Adjacency<Target>& from, std::size_t weight_bytes, const Placement& placement, HomeMemory& memory)
      : from_(from), weight_bytes_(weight_bytes) {
    for (SectionId s = 0; s < from.num_sections(); ++s) {
      const unsigned home = placement.home(s);
      CopiedPart piece{home, memory.used[home], 0, 0, 0};
      piece.targets = piece.offsets + align_line((from.range_of(s).size() + 1) * sizeof(std::uint32_t));
      piece.weights = piece.targets + align_line(from.section_size(s) * sizeof(Target));
      piece.end = piece.weights + align_line(from.section_size(s) * weight_bytes);
      memory.used[home] = piece.end;
      pieces_.push_back(piece);
    }
  }

  /// Copies all sections, in rounds; `done` counts bytes over both directions.
  Status copy(Executor& executor, const HomeMemory& memory, double& done, double total) const {
    for (SectionId begin = 0; begin < pieces_.size();) {
      SectionId end = begin;
      std::size_t bytes = 0;
      while (end < pieces_.size() && (end == begin || bytes + size_of(end) <= kLoadBytes)) bytes += size_of(end++);
      RIZOMA_TRY(executor.for_blocks(end - begin, 1, [&](VertexRange block, unsigned) {
        for (SectionId s = begin + block.begin; s < begin + block.end; ++s) copy_section(s, memory);
      }));
      done += static_cast<double>(bytes);
      RIZOMA_TRY(executor.report("load", done, total));
      begin = end;
    }
    return {};
  }

  [[nodiscard]] Adjacency<Target> view(const HomeMemory& memory) const {
    std::vector<SectionEdges<Target>> sections;
    for (const CopiedPart& piece : pieces_) {
      const std::byte* base = memory.pages[piece.home].get();
      sections.push_back({reinterpret_cast<const std::uint32_t*>(base + piece.offsets),
                          reinterpret_cast<const Target*>(base + piece.targets),
                          weight_bytes_ == 0 ? nullptr : base + piece.weights});
    }
    return Adjacency<Target>(from_.section_bits(), from_.num_vertices(), std::move(sections));
  }

 private:
  [[nodiscard]] std::size_t size_of(SectionId s) const { return pieces_[s].end - pieces_[s].offsets; }

  void copy_section(SectionId s, const HomeMemory& memory) const {
    const SectionEdges<Target>& section = from_.section(s);
    const CopiedPart& piece = pieces_[s];
    const VertexId size = from_.range_of(s).size();
    std::byte* base = memory.pages[piece.home].get();
    auto* const offsets = reinterpret_cast<std::uint32_t*>(base + piece.offsets);
    const FlatSection<std::uint32_t, Target> to{offsets, 0, reinterpret_cast<Target*>(base + piece.targets),
                                                base + piece.weights};
    flatten_section(from_, s, weight_bytes_, to);
    offsets[size] = static_cast<std::uint32_t>(from_.section_size(s));
    const auto give_back = [](const void* data, std::size_t bytes) {
      if (bytes > 0) offer_back(data, bytes);
    };
    const std::size_t entries = section.offsets[size];
    give_back(section.offsets, (size + 1) * sizeof(std::uint32_t));
    give_back(section.targets, entries * sizeof(Target));
    give_back(section.weights, entries * weight_bytes_);
  }

  const Adjacency<Target>& from_;
  std::size_t weight_bytes_;
  std::vector<CopiedPart> pieces_;
};

/// Allocates the memory of the layout, on the nodes of each home's tier.
Status allocate(HomeMemory& memory, const Placement& placement, const MachineMemory& machine) {
  for (unsigned home = 0; home < memory.used.size(); ++home) {
    const unsigned node = node_of_home(machine.topology, placement, home);
    RIZOMA_ASSIGN(const MemoryNodes where, nodes_of_tier(machine.topology, placement.tiers[Structure::sections], node));
    RIZOMA_ASSIGN(memory.pages[home], machine.binder->allocate(memory.used[home], where));
  }
  return {};
}

template <class Target>
Result<GraphView> load(Executor& executor, const GraphView& graph, const Placement& placement,
                       const MachineMemory& machine, const Adjacency<Target>& out, const Adjacency<Target>* in) {
  auto memory = std::make_shared<HomeMemory>();
  memory->pages.resize(placement.homes);
  memory->used.resize(placement.homes);
  const std::size_t weights = weight_bytes(graph.weight_type());
  const SectionCopier<Target> copy_out(out, weights, placement, *memory);
  std::optional<SectionCopier<Target>> copy_in;
  if (in != nullptr) copy_in.emplace(*in, weights, placement, *memory);
  RIZOMA_TRY(allocate(*memory, placement, machine));
  double done = 0;
  double total = 0;
  for (const std::size_t bytes : memory->used) total += static_cast<double>(bytes);
  RIZOMA_TRY(copy_out.copy(executor, *memory, done, total));
  if (copy_in) RIZOMA_TRY(copy_in->copy(executor, *memory, done, total));
  GraphView::Parts parts = graph.parts();
  parts.out = copy_out.view(*memory);
  if (copy_in) parts.in = copy_in->view(*memory);
  parts.owner = std::move(memory);
  return GraphView(std::move(parts));
}

}  // namespace

Result<GraphView> load_sections(Executor& executor, const GraphView& graph, const Placement& placement) {
  if (placement.tiers[Structure::sections].tier == MemoryTier::in_place) return graph;
  return load_sections(executor, graph, placement, {machine_topology(), std::make_shared<NodeMemory>()});
}

Result<GraphView> load_sections(Executor& executor, const GraphView& graph, const Placement& placement,
                                const MachineMemory& machine) {
  return graph.with_out([&](const auto& out) -> Result<GraphView> {
    using Lists = std::remove_cvref_t<decltype(out)>;
    const auto& in = graph.parts().in;
    return load(executor, graph, placement, machine, out, in ? &std::get<Lists>(*in) : nullptr);
  });
}

}  // namespace rizoma
