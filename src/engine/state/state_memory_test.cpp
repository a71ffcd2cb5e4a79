// Where an engine's maps, sets and working copies are on synthetic machines.
#include "engine/state/machine_memory.h"
#include "testing/graph_builder.h"
#include "testing/noting_binder.h"

#include <gmock/gmock.h>
#include <rizoma/engine.h>

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using rizoma::testing::build_graph;
using rizoma::testing::NotingBinder;
using Use = MemoryNodes::Use;

constexpr VertexId kVertices = VertexId{1} << 20;

/// Two nodes with a processor each, 0 and 1, and a memory-only one, 2.
struct MadeUp {
  explicit MadeUp(const char* tiers, PlacementPolicy policy = PlacementPolicy::halves)
      : engine(EngineOptions{.threads = 2, .placement = policy, .tiers = *parse_tiers(tiers)},
               MachineMemory{synthetic_topology(2, 1, 1), binder}) {
    (void)binder->take();  // the trial at the start
  }
  std::shared_ptr<NotingBinder> binder = std::make_shared<NotingBinder>();
  Engine engine;
};

/// Bytes by what was asked for.
std::map<std::pair<Use, std::vector<unsigned>>, std::size_t> bytes_of(const std::vector<NotingBinder::Note>& notes) {
  std::map<std::pair<Use, std::vector<unsigned>>, std::size_t> bytes;
  for (const auto& note : notes) bytes[{note.where.use, note.where.nodes}] += note.bytes;
  return bytes;
}

GraphView some_graph() {
  return build_graph(kVertices, rizoma::testing::uniform_edges(kVertices, 5000, 2), {.section_bits = 12});
}

TEST(StateMemory, MapsLieNearTheSectionsOfTheGraphPlacedLast) {
  MadeUp made("vertex_state=dram:bind");
  (void)*made.engine.placement(some_graph());
  const auto map = made.engine.make_map<double>(kVertices, 1.5);
  EXPECT_EQ(map[kVertices - 1], 1.5);
  const std::size_t half = kVertices * sizeof(double) / 2;
  EXPECT_THAT(bytes_of(made.binder->take()),
              ::testing::ElementsAre(::testing::Pair(std::pair(Use::bind, std::vector<unsigned>{0}), half),
                                     ::testing::Pair(std::pair(Use::bind, std::vector<unsigned>{1}), half)));
}

TEST(StateMemory, EachStructureGoesWhereItsTierSays) {
  MadeUp made("vertex_state=dram:interleave,frontiers=slow:bind");
  (void)made.engine.make_map<double>(kVertices, 0);
  EXPECT_EQ(made.binder->take().at(0).where, (MemoryNodes{Use::interleave, {0, 1}}));
  const VertexSet set = made.engine.make_set(kVertices);
  EXPECT_EQ(set.universe(), kVertices);
  EXPECT_EQ(made.binder->take().at(0).where, (MemoryNodes{Use::bind, {2}}));
  (void)made.engine.make_map<std::uint32_t>(kVertices, 0, Structure::frontiers);
  EXPECT_EQ(made.binder->take().at(0).where, (MemoryNodes{Use::bind, {2}}));
  (void)made.engine.make_map<double>(kVertices, 0, Structure::rr_sets);
  EXPECT_TRUE(made.binder->take().empty());
}

TEST(StateMemory, InterleaveSpreadsVertexStateAndLeavesSections) {
  MadeUp made("", PlacementPolicy::interleave);
  (void)made.engine.make_map<double>(kVertices, 0);
  EXPECT_EQ(made.binder->take().at(0).where, (MemoryNodes{Use::interleave, {0, 1}}));
  const GraphView graph = some_graph();
  EXPECT_EQ(&made.engine.working_copy(graph)->parts(), &graph.parts());
}

TEST(StateMemory, AWorkingCopyOfEachHomeLiesInItsTier) {
  MadeUp made("sections=slow:bind");
  const GraphView graph = some_graph();
  const auto copy = made.engine.working_copy(graph);
  ASSERT_TRUE(copy) << copy.error().message;
  EXPECT_EQ(copy->num_entries(), graph.num_entries());
  EXPECT_NE(&copy->parts(), &graph.parts());
  const auto notes = made.binder->take();
  EXPECT_EQ(notes.size(), 2U);  // one piece a home
  for (const auto& note : notes) EXPECT_EQ(note.where, (MemoryNodes{Use::bind, {2}}));
}

TEST(StateMemory, AMissingTierIsAnErrorThatNamesTheRemedyAndStateIsOrdinary) {
  const auto binder = std::make_shared<NotingBinder>();
  Engine engine(EngineOptions{.threads = 1, .tiers = *parse_tiers("vertex_state=slow")},
                MachineMemory{synthetic_topology(1, 1), binder});
  ASSERT_FALSE(engine.tiers_status());
  EXPECT_EQ(engine.tiers_status().error().code, ErrorCode::unsupported);
  EXPECT_THAT(engine.tiers_status().error().message, ::testing::HasSubstr("CXL expander"));
  EXPECT_EQ(engine.working_copy(some_graph()).error().code, ErrorCode::unsupported);
  EXPECT_EQ(engine.make_map<int>(100, 3)[99], 3);
}

TEST(StateMemory, ARefusedBindingIsAnErrorOnlyIfItWasAskedFor) {
  const auto binder = std::make_shared<NotingBinder>();
  binder->refuses = true;
  const MachineMemory machine{synthetic_topology(2, 1), binder};
  EXPECT_FALSE(Engine(EngineOptions{.threads = 2, .tiers = *parse_tiers("sections=dram")}, machine).tiers_status());
  Engine spread(EngineOptions{.threads = 2, .placement = PlacementPolicy::interleave}, machine);
  EXPECT_TRUE(spread.tiers_status());
  EXPECT_EQ(spread.make_map<int>(kVertices, 7)[5], 7);
}

/// The laboratory tests which thread touches which page; here, that no page is left out.
TEST(StateMemory, MapsInPlaceAreFilledWhole) {
  for (const unsigned threads : {1U, 2U, 3U}) {  // 1: the second home has none
    Engine engine(EngineOptions{.threads = threads, .placement = PlacementPolicy::round_robin},
                  synthetic_topology(2, 1));
    (void)*engine.placement(some_graph());
    for (const std::uint64_t init : {0U, 42U}) {
      EXPECT_THAT(engine.make_map<std::uint64_t>(kVertices, init).span(), ::testing::Each(init));
    }
  }
}

TEST(ListCounterTest, ListsReadCountAtTheHomeOfTheirVertex) {
  Engine engine(EngineOptions{.threads = 2, .placement = PlacementPolicy::halves}, synthetic_topology(2, 1));
  const GraphView graph = some_graph();
  {
    ListCounter lists(engine, graph);
    lists[0].add(0, 10);
    lists[0].add(kVertices - 1, 5);
    lists[1].add(kVertices - 1, 7);
    lists.end_sweep();
    lists[1].add(0, 3);
  }
  const Traffic traffic = engine.traffic();
  EXPECT_EQ(traffic.num_sweeps, 2U);
  ASSERT_EQ(traffic.between.size(), 4U);
  EXPECT_EQ(traffic.between[0], (WorkCount{1, 1, 10, 44}));
  EXPECT_EQ(traffic.between[1], (WorkCount{1, 1, 5, 24}));
  EXPECT_EQ(traffic.between[2], (WorkCount{1, 1, 3, 16}));
  EXPECT_EQ(traffic.between[3], (WorkCount{1, 1, 7, 32}));
}

}  // namespace
}  // namespace rizoma
