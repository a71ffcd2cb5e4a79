// A working copy is loaded once for each state of a graph, however many views are asked for.
#include "engine/state/machine_memory.h"
#include "testing/noting_binder.h"

#include <gtest/gtest.h>
#include <rizoma/engine.h>
#include <rizoma/graph.h>

namespace rizoma {
namespace {

using rizoma::testing::NotingBinder;

struct Machine {
  std::shared_ptr<NotingBinder> binder = std::make_shared<NotingBinder>();

  [[nodiscard]] Engine engine(const char* tiers) const {
    EngineOptions options{.threads = 1};
    options.tiers = *parse_tiers(tiers);
    return Engine(options, MachineMemory{synthetic_topology(1, 1, 1), binder});
  }
};

Graph ring() {
  auto graph = *Graph::in_memory();
  EXPECT_TRUE(graph.add_edges({.sources = IdColumn(std::vector<std::int64_t>{0, 1, 2}),
                               .targets = IdColumn(std::vector<std::int64_t>{1, 2, 0})}));
  return graph;
}

TEST(CachedCopy, TheSecondViewLoadsNothing) {
  const Machine machine;
  Engine engine = machine.engine("sections=slow:bind");
  Graph graph = ring();
  (void)machine.binder->take();
  const GraphView first = *graph.snapshot()->view(engine);
  EXPECT_EQ(machine.binder->take().size(), 1U);
  const GraphView second = *graph.snapshot()->view(engine);
  EXPECT_TRUE(machine.binder->take().empty());
  EXPECT_EQ(&first.parts(), &second.parts());
  Engine other = machine.engine("sections=slow:bind");
  (void)machine.binder->take();
  EXPECT_EQ(&graph.snapshot()->view(other)->parts(), &first.parts()) << "another engine of the same kind";
}

TEST(CachedCopy, AChangedGraphIsLoadedAnewAndItsOldSnapshotKeepsItsCopy) {
  const Machine machine;
  Engine engine = machine.engine("sections=dram:bind");
  Graph graph = ring();
  const Snapshot old = *graph.snapshot();
  const GraphView before = *old.view(engine);
  EXPECT_TRUE(graph.add_edges(
      {.sources = IdColumn(std::vector<std::int64_t>{0}), .targets = IdColumn(std::vector<std::int64_t>{5})}));
  const GraphView after = *graph.snapshot()->view(engine);
  EXPECT_EQ(before.num_edges(), 3U);
  EXPECT_EQ(after.num_edges(), 4U);
  EXPECT_EQ(&old.view(engine)->parts(), &before.parts());
  EXPECT_EQ(&graph.snapshot()->view(engine)->parts(), &after.parts());
}

TEST(CachedCopy, OtherTiersLoadAnewAndInPlaceKeepsNothing) {
  const Machine machine;
  Engine slow = machine.engine("sections=slow:bind");
  Engine dram = machine.engine("sections=dram:bind");
  Engine plain = machine.engine("");
  const Graph graph = ring();
  const GraphView in_slow = *graph.snapshot()->view(slow);
  EXPECT_NE(&graph.snapshot()->view(dram)->parts(), &in_slow.parts());
  EXPECT_NE(&graph.snapshot()->view(plain)->parts(), &in_slow.parts());
  (void)machine.binder->take();
  (void)*graph.snapshot()->view(slow);
  EXPECT_EQ(machine.binder->take().size(), 1U) << "a view in place gave the copy up";
}

TEST(CachedCopy, AMissingTierIsAnError) {
  Engine engine(EngineOptions{.threads = 1, .tiers = *parse_tiers("sections=slow")},
                MachineMemory{synthetic_topology(1, 1), std::make_shared<NotingBinder>()});
  EXPECT_EQ(ring().snapshot()->view(engine).error().code, ErrorCode::unsupported);
}

}  // namespace
}  // namespace rizoma
