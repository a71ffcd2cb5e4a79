// Distributed graphs: ranks find what one process finds in the store, and report damage.
#include <rizoma/algorithms/connected_components.h>
#include <rizoma/algorithms/pagerank.h>
#include <rizoma/algorithms/triangle_count.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/cluster.h>
#include <rizoma/engine.h>
#include <rizoma/graph.h>

#include "testing/graph_builder.h"
#include "testing/simulated_transport.h"
#include "testing/temporary_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

namespace rizoma {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryDirectory;
using testing::TestEdge;

constexpr VertexId kVertices = 3000;

void make_store(const fs::path& path, bool directed, WeightType weights) {
  GraphSchema schema;
  schema.directed = directed;
  schema.weights = weights;
  schema.section_bits = 7;
  OpenOptions options{.mode = OpenMode::create, .schema = schema};
  options.medium = MediumChoice::files;
  auto graph = Graph::open(path, options);
  ASSERT_TRUE(graph) << graph.error().message;
  std::vector<std::int64_t> sources, targets;
  std::vector<double> lengths;
  for (const TestEdge& edge : testing::rmat_edges(11, 4'000, 3)) {
    sources.push_back(static_cast<std::int64_t>(edge.source));
    targets.push_back(static_cast<std::int64_t>(edge.target));
    lengths.push_back(weights == WeightType::int32 ? edge.weight : edge.weight * 0.37);
  }
  EdgeBatch batch{.sources = IdColumn(sources), .targets = IdColumn(targets)};
  if (weights != WeightType::none) batch.weights = lengths;
  std::vector<std::int64_t> ids(kVertices);
  for (VertexId v = 0; v < kVertices; ++v) ids[v] = static_cast<std::int64_t>(v);
  ASSERT_TRUE(graph->add_vertices(IdColumn(ids)));
  ASSERT_TRUE(graph->add_edges(batch));
  Engine engine({.threads = 1});
  ASSERT_TRUE(graph->compact(engine));
  ASSERT_TRUE(graph->close());
}

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void put(const fs::path& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

fs::path part_path(const fs::path& store, unsigned part) { return store.string() + "." + std::to_string(part); }

/// Puts every part beside the store.
std::unique_ptr<Distribution> distribute_beside(const fs::path& store, PlacementPolicy partition, unsigned parts) {
  Engine engine({.threads = 1});
  auto plan = distribute(store, partition, parts, engine);
  EXPECT_TRUE(plan) << plan.error().message;
  EXPECT_NE(*plan, nullptr);
  std::vector<std::string> data;
  for (const fs::path& source : (*plan)->sources()) data.push_back(bytes_of(source));
  for (unsigned part = 0; part < parts; ++part) {
    fs::create_directory(part_path(store, part));
    std::string own((*plan)->data_bytes(), '\0');
    for (const PartPiece& piece : (*plan)->pieces()) {
      const bool whole = piece.part == PartPiece::kEveryPart || piece.part == static_cast<int>(part);
      data[piece.source].copy(own.data() + piece.offset, whole ? piece.bytes : piece.head, piece.from);
    }
    put(part_path(store, part) / "data", own);
    for (const auto& [name, bytes] : (*plan)->files(part)) put(part_path(store, part) / name, bytes);
  }
  return *std::move(plan);
}

Result<Graph> open_part(const fs::path& path) {
  OpenOptions options{.mode = OpenMode::read_only};
  options.part = true;
  return Graph::open(path, options);
}

struct World {
  bool directed;
  WeightType weights;
  PlacementPolicy partition;
  unsigned ranks;
};

class Parts : public ::testing::TestWithParam<World> {};

/// Runs a kernel on ranks that have parts, and alone on the store, and compares a column of the results.
template <class Kernel, class Values>
void expect_same(const fs::path& store, const World& world, Kernel kernel, Values values, double tolerance = 0) {
  Engine alone({.threads = 2});
  OpenOptions reading{.mode = OpenMode::read_only};
  auto whole = Graph::open(store, reading);
  ASSERT_TRUE(whole);
  const Snapshot state = *whole->snapshot();
  const GraphView view = *state.view(alone);
  auto expected = kernel(alone, view);
  ASSERT_TRUE(expected);
  run_simulated_cluster(world.ranks, 7, [&](Transport& transport) {
    Ranks ranks(transport);
    // The parts need not be in the order of the ranks.
    const unsigned number = (transport.rank() + 1) % world.ranks;
    auto graph = open_part(part_path(store, number));
    ASSERT_TRUE(graph) << graph.error().message;
    const Snapshot snapshot = *graph->snapshot();
    const GraphPart part = *snapshot.part();
    ASSERT_EQ(part.number, number);
    RankSettings settings{.partition = part.partition};
    for (const unsigned owner : part.owners) settings.owners.push_back((owner + world.ranks - 1) % world.ranks);
    ranks.set(settings);
    Engine engine({.threads = 2, .ranks = &ranks});
    auto own = snapshot.view(engine);
    ASSERT_TRUE(own) << own.error().message;
    auto result = kernel(engine, *own);
    const Status status = ranks.finalize(result ? Status() : Status(result.error()));
    ASSERT_TRUE(status) << status.error().message;
    auto& found = values(*result);
    ASSERT_TRUE(ranks.gather(found.data(), sizeof(found[0])));
    for (VertexId v = 0; v < found.size(); ++v) {
      if (tolerance == 0) ASSERT_EQ(found[v], values(*expected)[v]) << v;
      else ASSERT_NEAR(static_cast<double>(found[v]), static_cast<double>(values(*expected)[v]), tolerance) << v;
    }
    ASSERT_TRUE(ranks.finalize({}));
  });
}

TEST_P(Parts, HaveTheAnswersOfTheStore) {
  const TemporaryDirectory directory;
  const fs::path store = directory.path() / "g.rz";
  const World& world = GetParam();
  make_store(store, world.directed, world.weights);
  ASSERT_NE(distribute_beside(store, world.partition, world.ranks), nullptr);
  expect_same(
      store, world, [](Engine& e, const GraphView& g) { return pagerank(e, g, {.tol = 1e-9, .max_iter = 30}); },
      [](auto& result) -> auto& { return result.scores; }, 1e-14);
  expect_same(
      store, world, [](Engine& e, const GraphView& g) { return connected_components(e, g, {}); },
      [](auto& result) -> auto& { return result.labels; });
  expect_same(
      store, world, [](Engine& e, const GraphView& g) { return triangle_count(e, g, {}); },
      [](auto& result) -> auto& { return result.counts; });
}

INSTANTIATE_TEST_SUITE_P(Worlds, Parts,
                         ::testing::Values(World{true, WeightType::none, PlacementPolicy::chunk, 3},
                                           World{false, WeightType::float64, PlacementPolicy::round_robin, 3},
                                           World{false, WeightType::none, PlacementPolicy::halves, 1},
                                           World{true, WeightType::int32, PlacementPolicy::chunk, 5}));

template <class T>
ColumnValues column_of(const std::string& name, ColumnType type, const std::vector<T>& values) {
  ColumnValues column{.name = name, .type = type, .values = {}, .ends = {}, .valid = {}};
  for (const T& value : values) column.push(std::as_bytes(std::span(&value, 1)));
  return column;
}

/// With two columns of edges; the rows of the second half, which begin at other vertices, are in a block of their own.
void make_store_with_columns(const fs::path& path, bool directed) {
  GraphSchema schema;
  schema.directed = directed;
  schema.section_bits = 7;
  schema.edge_columns = {{.type = ColumnType::float64, .name = "amount"}, {.type = ColumnType::int32, .name = "hour"}};
  OpenOptions options{.mode = OpenMode::create, .schema = schema};
  options.medium = MediumChoice::files;
  auto graph = Graph::open(path, options);
  ASSERT_TRUE(graph) << graph.error().message;
  Engine engine({.threads = 1});
  for (const std::int64_t half : {0, 1}) {
    std::vector<std::int64_t> sources, targets;
    std::vector<double> amounts;
    std::vector<std::int32_t> hours;
    for (const TestEdge& edge : testing::rmat_edges(10, 3'000, 3 + static_cast<unsigned>(half))) {
      sources.push_back(static_cast<std::int64_t>(edge.source) + half * 1024);
      targets.push_back(static_cast<std::int64_t>(edge.target) * 2);
      amounts.push_back(1 + static_cast<double>(amounts.size() % 97) / 4);
      hours.push_back(static_cast<std::int32_t>(hours.size() % 24));
    }
    EdgeBatch batch{.sources = IdColumn(sources), .targets = IdColumn(targets), .weights = {}, .columns = {}};
    batch.columns.columns = {column_of("amount", ColumnType::float64, amounts),
                             column_of("hour", ColumnType::int32, hours)};
    const Status added = graph->add_edges(batch);
    ASSERT_TRUE(added) << added.error().message;
    ASSERT_TRUE(graph->compact(engine));
  }
  ASSERT_TRUE(graph->close());
}

/// The edges whose hour is below 12; what is not here is below nothing.
Result<Snapshot> before_noon(const Snapshot& state, Engine& engine) {
  RIZOMA_ASSIGN(const ColumnValues hours, state.values_between("hour", 0, state.num_rows()));
  std::vector<std::uint8_t> kept((state.num_rows() + 7) / 8, 0);
  for (std::uint64_t row = 0; row < state.num_rows(); ++row) {
    std::int32_t hour = 0;
    std::memcpy(&hour, hours.values.data() + row * sizeof hour, sizeof hour);
    if (hours.is_valid(row) && hour < 12) kept[row / 8] |= static_cast<std::uint8_t>(1u << (row % 8));
  }
  return state.with_rows(kept, engine);
}

struct Found {
  std::vector<VertexId> labels;
  std::vector<double> scores;
  std::vector<std::uint64_t> triangles;
  EdgeCount edges = 0;
};

/// Of what is kept, by amounts.
Result<Found> found_before_noon(const Snapshot& state, Engine& engine) {
  RIZOMA_ASSIGN(const Snapshot kept, before_noon(state, engine));
  RIZOMA_ASSIGN(const GraphView weighted, kept.view(engine, "amount"));
  RIZOMA_ASSIGN(auto scored, pagerank(engine, weighted, {.tol = 1e-9, .max_iter = 30}));
  RIZOMA_ASSIGN(const GraphView plain, kept.view(engine));
  RIZOMA_ASSIGN(auto triangles, triangle_count(engine, plain, {}));
  // Nothing is left: ranks without edges of their own must see that it is another graph, as all others do.
  const std::vector<std::uint8_t> none((state.num_rows() + 7) / 8, 0);
  RIZOMA_ASSIGN(const Snapshot bare, kept.with_rows(none, engine));
  RIZOMA_ASSIGN(const GraphView bare_view, bare.view(engine));
  RIZOMA_ASSIGN(auto apart, connected_components(engine, bare_view, {}));
  Found found;
  RIZOMA_ASSIGN(found.edges, kept.num_edges());
  if (engine.ranks() != nullptr) {
    RIZOMA_TRY(engine.ranks()->gather(scored.scores.data(), sizeof(scored.scores[0])));
    RIZOMA_TRY(engine.ranks()->gather(apart.labels.data(), sizeof(apart.labels[0])));
    RIZOMA_TRY(engine.ranks()->gather(triangles.counts.data(), sizeof(triangles.counts[0])));
  }
  for (VertexId v = 0; v < plain.num_vertices(); ++v) {
    found.scores.push_back(scored.scores[v]);
    found.triangles.push_back(triangles.counts[v]);
    found.labels.push_back(apart.labels[v]);
  }
  return found;
}

TEST_P(Parts, HaveTheColumnsOfTheirEdges) {
  const TemporaryDirectory directory;
  const fs::path store = directory.path() / "g.rz";
  const World& world = GetParam();
  make_store_with_columns(store, world.directed);
  const auto plan = distribute_beside(store, world.partition, world.ranks);
  Engine alone({.threads = 2});
  const auto expected = found_before_noon(*Graph::open(store, {.mode = OpenMode::read_only})->snapshot(), alone);
  ASSERT_TRUE(expected) << expected.error().message;
  run_simulated_cluster(world.ranks, 11, [&](Transport& transport) {
    Ranks ranks(transport);
    auto graph = open_part(part_path(store, transport.rank()));
    ASSERT_TRUE(graph) << graph.error().message;
    const Snapshot snapshot = *graph->snapshot();
    ranks.set({.partition = world.partition, .owners = snapshot.part()->owners});
    Engine engine({.threads = 2, .ranks = &ranks});
    const auto found = found_before_noon(snapshot, engine);
    const Status status = ranks.finalize(found ? Status() : Status(found.error()));
    ASSERT_TRUE(status) << status.error().message;
    EXPECT_EQ(found->edges, expected->edges);
    EXPECT_EQ(found->triangles, expected->triangles);
    EXPECT_EQ(found->labels, expected->labels);
    for (VertexId v = 0; v < expected->scores.size(); ++v)
      ASSERT_NEAR(found->scores[v], expected->scores[v], 1e-14) << v;
  });
}

TEST(PartsOfAGraph, TellDamageToTheirColumns) {
  const TemporaryDirectory directory;
  const fs::path store = directory.path() / "g.rz";
  make_store_with_columns(store, true);
  const auto plan = distribute_beside(store, PlacementPolicy::chunk, 2);
  const std::string data = bytes_of(part_path(store, 0) / "data");
  run_simulated_cluster(2, 1, [&](Transport& transport) {
    Ranks ranks(transport);
    if (transport.rank() == 0) {
      Engine engine({.threads = 1, .ranks = &ranks});
      ranks.set({.owners = (*open_part(part_path(store, 0))->snapshot()).part()->owners});
      unsigned blocks = 0;
      for (const PartPiece& piece : plan->pieces()) {
        if (piece.part != 0 || piece.head != 0) continue;
        ++blocks;
        std::string damaged = data;
        damaged[piece.offset + piece.bytes / 2] = static_cast<char>(damaged[piece.offset + piece.bytes / 2] ^ 1);
        put(part_path(store, 0) / "data", damaged);
        const auto view = (*open_part(part_path(store, 0))->snapshot()).view(engine, "amount");
        ASSERT_FALSE(view);
        EXPECT_EQ(view.error().code, ErrorCode::corrupt);
        EXPECT_THAT(view.error().message, ::testing::HasSubstr(part_path(store, 0).string()));
      }
      EXPECT_GT(blocks, 0u);
    }
    ASSERT_TRUE(ranks.finalize({}));
  });
}

TEST(PartsOfAGraph, OfSeveralLocationsAreOneDirectoryEach) {
  const TemporaryDirectory directory;
  const fs::path store = directory.path() / "g.rz";
  make_store_with_columns(store, true);
  Engine engine({.threads = 2});
  const auto expected = found_before_noon(*Graph::open(store, {.mode = OpenMode::read_only})->snapshot(), engine);
  OpenOptions spread{.mode = OpenMode::open};
  for (const char* name : {"x", "y"}) {
    fs::create_directory(directory.path() / name);
    spread.locations.push_back(directory.path() / name);
  }
  {
    auto graph = Graph::open(store, spread);
    ASSERT_TRUE(graph) << graph.error().message;
    ASSERT_TRUE(graph->compact(engine));
    ASSERT_TRUE(graph->close());
  }
  const auto plan = distribute_beside(store, PlacementPolicy::chunk, 2);
  EXPECT_EQ(plan->sources().size(), 3u);
  fs::remove_all(directory.path() / "x");  // parts need none of them
  fs::remove_all(directory.path() / "y");
  run_simulated_cluster(2, 3, [&](Transport& transport) {
    Ranks ranks(transport);
    auto graph = open_part(part_path(store, transport.rank()));
    ASSERT_TRUE(graph) << graph.error().message;
    ranks.set({.owners = (*graph->snapshot()).part()->owners});
    Engine own({.threads = 1, .ranks = &ranks});
    const auto found = found_before_noon(*graph->snapshot(), own);
    const Status status = ranks.finalize(found ? Status() : Status(found.error()));
    ASSERT_TRUE(status) << status.error().message;
    EXPECT_EQ(found->triangles, expected->triangles);
  });
}

TEST(PartsOfAGraph, AreForRanksAlone) {
  const TemporaryDirectory directory;
  const fs::path store = directory.path() / "g.rz";
  make_store(store, false, WeightType::none);
  distribute_beside(store, PlacementPolicy::halves, 2);
  for (const OpenMode mode : {OpenMode::read_only, OpenMode::open, OpenMode::open_or_create}) {
    const auto refused = Graph::open(part_path(store, 1), {.mode = mode});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
    EXPECT_THAT(refused.error().message, ::testing::HasSubstr("holds one part of a distributed graph"));
  }
  Engine engine({.threads = 1});
  EXPECT_EQ(Graph::check(part_path(store, 1), engine).error().code, ErrorCode::unsupported);
  EXPECT_EQ(Graph::repair(part_path(store, 1), engine).error().code, ErrorCode::unsupported);
  const auto graph = open_part(part_path(store, 1));
  ASSERT_TRUE(graph);
  const Snapshot snapshot = *graph->snapshot();
  EXPECT_EQ(snapshot.view(engine).error().code, ErrorCode::unsupported);
  EXPECT_EQ(snapshot.neighbors(0).error().code, ErrorCode::unsupported);
  EXPECT_TRUE(snapshot.neighbors(kVertices - 1));
  EXPECT_EQ(snapshot.part()->parts, 2u);
  EXPECT_FALSE((*Graph::open(store, {.mode = OpenMode::read_only})->snapshot()).part());
}

/// What rank 0 of two finds in part 0, whose bytes are changed one after the other.
void expect_damage_told(Ranks& ranks, const fs::path& part, const Distribution& plan) {
  const std::string data = bytes_of(part / "data");
  Engine engine({.threads = 1, .ranks = &ranks});
  const auto unknown = (*open_part(part)->snapshot()).view(engine);
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, ::testing::HasSubstr("must agree which of them has which part"));
  ranks.set({.owners = (*open_part(part)->snapshot()).part()->owners});
  ASSERT_TRUE((*open_part(part)->snapshot()).view(engine));
  for (const PartPiece& piece : plan.pieces()) {
    if (piece.part == PartPiece::kEveryPart) continue;
    const std::uint64_t there = piece.part == 0 ? piece.bytes : piece.head;
    for (const std::uint64_t at : {std::uint64_t{70}, there / 2, there - 1}) {
      std::string damaged = data;
      damaged[piece.offset + at] = static_cast<char>(damaged[piece.offset + at] ^ 1);
      put(part / "data", damaged);
      const auto view = (*open_part(part)->snapshot()).view(engine);
      ASSERT_FALSE(view) << "byte " << at << " of the piece at " << piece.offset;
      ASSERT_EQ(view.error().code, ErrorCode::corrupt);
    }
  }
}

TEST(PartsOfAGraph, TellDamage) {
  const TemporaryDirectory directory;
  const fs::path store = directory.path() / "g.rz";
  make_store(store, true, WeightType::none);
  const auto plan = distribute_beside(store, PlacementPolicy::chunk, 2);
  const fs::path part = part_path(store, 0);
  const std::string file = bytes_of(part / "part");
  for (std::size_t at = 0; at < file.size(); at += at < 80 ? 1 : 13) {
    std::string damaged = file;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
    put(part / "part", damaged);
    ASSERT_FALSE(open_part(part)) << "byte " << at;
  }
  put(part / "part", file.substr(0, file.size() - 8));
  EXPECT_EQ(open_part(part).error().code, ErrorCode::corrupt);
  fs::resize_file(part / "part", std::uintmax_t{1} << 40);  // nothing is after most of it
  EXPECT_EQ(open_part(part).error().code, ErrorCode::corrupt);
  put(part / "part", file);
  run_simulated_cluster(2, 1, [&](Transport& transport) {
    Ranks ranks(transport);
    if (transport.rank() == 0) expect_damage_told(ranks, part, *plan);
    ASSERT_TRUE(ranks.finalize({}));
  });
}

TEST(PartsOfAGraph, AreMadeOfASettledState) {
  const TemporaryDirectory directory;
  const fs::path store = directory.path() / "g.rz";
  make_store(store, false, WeightType::none);
  Engine engine({.threads = 1});
  auto graph = Graph::open(store, {.mode = OpenMode::open});
  const std::string before = (*distribute(store, PlacementPolicy::chunk, 2, engine))->state();
  ASSERT_TRUE(graph->add_edges({.sources = IdColumn(std::vector<std::int64_t>{1}),
                                .targets = IdColumn(std::vector<std::int64_t>{kVertices - 1})}));
  EXPECT_EQ(*distribute(store, PlacementPolicy::chunk, 2, engine), nullptr);
  ASSERT_TRUE(graph->compact(engine));
  const auto after = distribute(store, PlacementPolicy::chunk, 2, engine);
  ASSERT_NE(*after, nullptr);
  EXPECT_NE((*after)->state(), before);
  EXPECT_EQ(distribute(store, PlacementPolicy::chunk, 0, engine).error().code, ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace rizoma
