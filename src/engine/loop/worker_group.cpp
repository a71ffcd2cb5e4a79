#include "engine/loop/worker_group.h"

#include "placement/policies.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace rizoma {
namespace {

/// As a machine of equally far homes would have it.
std::vector<std::vector<unsigned>> any_order(unsigned homes) {
  std::vector<std::vector<unsigned>> order(homes);
  for (unsigned home = 0; home < homes; ++home) {
    for (unsigned i = 0; i < homes; ++i) order[home].push_back((home + i) % homes);
  }
  return order;
}

}  // namespace

WorkerGroup::WorkerGroup(const EngineOptions& options, const Topology& topology) {
  if (options.fixed) refused_ = check_placement(*options.fixed);
  if (options.fixed && refused_) {
    base_ = *options.fixed;
    asked_ = base_.tiers;
    fixed_ = !base_.home_of_section.empty();
  } else {
    const PlacementPolicy policy = refused_ ? options.placement : PlacementPolicy::in_place;
    base_ = place_workers(policy, topology, options.threads);
  }
  for (std::size_t i = 0; i < kStructures; ++i) {
    const auto structure = static_cast<Structure>(i);
    if (options.tiers[structure] == TierChoice{}) continue;
    asked_[structure] = base_.tiers[structure] = options.tiers[structure];
  }
  order_ = home_nodes(topology).size() == base_.homes && base_.homes > 1 ? homes_by_distance(topology)
                                                                         : any_order(base_.homes);
}

const std::vector<unsigned>& WorkerGroup::set_threads(unsigned threads) {
  base_.home_of_thread.resize(threads, 0);
  const std::set<unsigned> with_threads(base_.home_of_thread.begin(), base_.home_of_thread.end());
  covers_all_homes_ = with_threads.size() == base_.homes;
  return base_.home_of_thread;
}

WorkerGroup::Shape WorkerGroup::shape_of(const GraphView& graph) {
  return graph.with_out([&](const auto& out) -> Shape {
    return {graph.num_vertices(), out.num_sections(), graph.num_entries(), out.section_bits()};
  });
}

WorkerGroup::Placed WorkerGroup::placed_last(VertexId n) {
  const MutexLock lock(guard_);
  if (shape_.vertices != n) return {};
  return {placement_, shape_.section_bits};
}

Result<std::shared_ptr<const Placement>> WorkerGroup::placement_of(const GraphView& graph) {
  RIZOMA_TRY(refused_);
  const Shape shape = shape_of(graph);
  const MutexLock lock(guard_);
  if (placement_ && shape == shape_) return placement_;
  if (fixed_ && base_.home_of_section.size() != shape.sections) {
    return Error{ErrorCode::invalid_argument, "the placement is for " + std::to_string(base_.home_of_section.size()) +
                                                  " sections, the graph has " + std::to_string(shape.sections) +
                                                  "; make one for this graph (`rizoma placement explain`)"};
  }
  auto made = std::make_shared<Placement>(base_);
  if (!fixed_ && base_.homes > 1)
    made->home_of_section = place_sections(base_.policy, section_loads(graph), base_.homes);
  placement_ = std::move(made);
  shape_ = shape;
  average_ = {};
  return placement_;
}

std::vector<double> WorkerGroup::measured_work(const GraphView& graph) {
  const MutexLock lock(guard_);
  if (!placement_ || shape_of(graph) != shape_) return {};
  return {average_.mean().begin(), average_.mean().end()};
}

void WorkerGroup::learn(const GraphView& graph, std::span<const double> work) {
  const MutexLock lock(guard_);
  if (!placement_ || shape_of(graph) != shape_) return;
  average_.add(work);
  std::vector<double> power(base_.homes);
  for (const unsigned home : base_.home_of_thread) ++power[home];
  if (std::find(power.begin(), power.end(), 0.0) != power.end()) power.clear();
  auto changed = std::make_shared<Placement>(*placement_);
  if (rebalance(changed->home_of_section, average_.mean(), base_.homes, power) > 0) placement_ = std::move(changed);
}

}  // namespace rizoma
