#include "engine/state/state_memory.h"

#include "placement/tiers.h"
#include "platform/pages.h"

#include <utility>
#include <vector>

namespace rizoma {

StateMemory::StateMemory(const Placement& workers, const Tiers& asked, MachineMemory machine)
    : machine_(std::move(machine)) {
  if (workers.tiers == Tiers{}) return;
  if (machine_.binder == nullptr) machine_.binder = std::make_shared<NodeMemory>();
  status_ = check(workers, asked);
}

/// Looks for the nodes of each tier, and tries them with a page.
Status StateMemory::check(const Placement& workers, const Tiers& asked) const {
  for (std::size_t i = 0; i < kStructures; ++i) {
    const TierChoice choice = asked[static_cast<Structure>(i)];
    if (choice.tier == MemoryTier::in_place) continue;
    for (unsigned home = 0; home < workers.homes; ++home) {
      RIZOMA_ASSIGN(const MemoryNodes nodes,
                    nodes_of_tier(machine_.topology, choice, node_of_home(machine_.topology, workers, home)));
      RIZOMA_ASSIGN(const PageMemory page, machine_.binder->allocate(1, nodes));
    }
  }
  return {};
}

VertexMemory StateMemory::allocate(const StateShape& shape, const Placement& placement, unsigned section_bits) const {
  const VertexMemory memory{allocate_pages(shape.bytes), shape.bytes,
                            [](void* data, std::size_t size) noexcept { release_pages(data, size); }};
  if (placement.tiers[shape.structure].tier == MemoryTier::in_place) return memory;
  const auto stretches =
      nodes_of_state(machine_.topology, placement, shape.structure, section_bits, shape.vertices, shape.bytes);
  if (!stretches) return memory;
  for (const StateChunk& stretch : *stretches) {
    (void)machine_.binder->bind(static_cast<std::byte*>(memory.data) + stretch.begin, stretch.end - stretch.begin,
                                stretch.nodes);
  }
  return memory;
}

}  // namespace rizoma
