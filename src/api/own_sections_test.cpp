// Ranks on hosts of their own read their own sections alone: they find what one process finds, and all damage.
#include <rizoma/algorithms/betweenness_centrality.h>
#include <rizoma/algorithms/connected_components.h>
#include <rizoma/algorithms/pagerank.h>
#include <rizoma/algorithms/triangle_count.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>
#include <rizoma/graph.h>
#include <rizoma/match.h>

#include "graph/section_proof.h"
#include "platform/file_medium.h"
#include "testing/dying_transport.h"
#include "testing/graph_builder.h"
#include "testing/simulated_transport.h"
#include "testing/store_fields.h"
#include "testing/store_files.h"
#include "testing/temporary_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace rizoma {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing::TemporaryDirectory;
using testing::TestEdge;

constexpr VertexId kVertices = 3000;

EdgeBatch batch_of(const std::vector<TestEdge>& edges, bool weighted) {
  std::vector<std::int64_t> sources, targets;
  std::vector<double> weights;
  for (const TestEdge& edge : edges) {
    sources.push_back(static_cast<std::int64_t>(edge.source));
    targets.push_back(static_cast<std::int64_t>(edge.target));
    if (weighted) weights.push_back(edge.weight);
  }
  EdgeBatch batch{.sources = IdColumn(sources), .targets = IdColumn(targets)};
  if (weighted) batch.weights = weights;
  return batch;
}

struct Kind {
  bool directed = false;
  WeightType weights = WeightType::none;
  bool changed = false;  ///< edges that no image holds
  bool removed = false;  ///< vertices
  unsigned ranks = 3;
};

void make_store(const fs::path& path, const Kind& kind) {
  GraphSchema schema{.directed = kind.directed, .weights = kind.weights};
  schema.section_bits = 7;
  OpenOptions options{.mode = OpenMode::create, .schema = schema};
  options.medium = MediumChoice::files;
  auto graph = Graph::open(path, options);
  ASSERT_TRUE(graph) << graph.error().message;
  const bool weighted = kind.weights != WeightType::none;
  std::vector<std::int64_t> ids(kVertices);
  for (VertexId v = 0; v < kVertices; ++v) ids[v] = static_cast<std::int64_t>(v);
  ASSERT_TRUE(graph->add_vertices(IdColumn(ids)));
  ASSERT_TRUE(graph->add_edges(batch_of(testing::rmat_edges(11, 6'000, 3), weighted)));
  Batch removal;
  removal.remove_vertices(std::vector<std::int64_t>{5, 700, 2999});
  if (kind.removed) {
    ASSERT_TRUE(graph->apply(removal));
  }
  Engine engine({.threads = 1});
  ASSERT_TRUE(graph->compact(engine));
  const std::vector<TestEdge> few{{1, 2, 3}, {40, 2000, 1}, {2000, 40, 1}};
  if (kind.changed) {
    ASSERT_TRUE(graph->add_edges(batch_of(few, weighted)));
  }
  ASSERT_TRUE(graph->close());
}

/// How the ranks of a network end, each of which has opened its copy of the store.
using Body = std::function<Status(Ranks&, Engine&, const GraphView&)>;
std::vector<Status> on_hosts(const std::vector<fs::path>& copies, const Body& body) {
  const auto number = static_cast<unsigned>(copies.size());
  std::vector<Status> ended(number);
  run_simulated_cluster(number, 5, [&](Transport& transport) {
    NetworkTransport of_hosts(transport);
    Ranks ranks(of_hosts);
    auto graph = Graph::open(copies[ranks.rank()], {.mode = OpenMode::read_only});
    ASSERT_TRUE(graph) << graph.error().message;
    Engine engine({.threads = 2, .ranks = &ranks});
    const auto view = graph->snapshot()->view(engine);
    const Status status = view ? body(ranks, engine, *view) : Status(view.error());
    ended[ranks.rank()] = ranks.finalize(status);
  });
  return ended;
}

/// The same where they share the store.
std::vector<Status> on_hosts(const fs::path& store, unsigned number, const Body& body) {
  return on_hosts(std::vector<fs::path>(number, store), body);
}

class OwnSectionsOf : public ::testing::TestWithParam<Kind> {};

/// Compares a kernel's column of values.
template <class Kernel, class Values>
void expect_same(const fs::path& store, const Kind& kind, Kernel kernel, Values values, double tolerance = 0) {
  Engine alone({.threads = 2});
  auto whole = Graph::open(store, {.mode = OpenMode::read_only});
  ASSERT_TRUE(whole);
  const GraphView graph = *whole->snapshot()->view(alone);
  auto expected = kernel(alone, graph);
  ASSERT_TRUE(expected);
  const auto ended = on_hosts(store, kind.ranks, [&](Ranks& ranks, Engine& engine, const GraphView& view) -> Status {
    EXPECT_NE(proof_of(view), nullptr) << "it was verified whole";
    RIZOMA_ASSIGN(auto result, kernel(engine, view));
    auto& found = values(result);
    RIZOMA_TRY(ranks.gather(found.data(), sizeof(found[0])));
    for (VertexId v = 0; v < found.size(); ++v) {
      EXPECT_NEAR(static_cast<double>(found[v]), static_cast<double>(values(*expected)[v]), tolerance) << v;
    }
    return {};
  });
  for (const Status& status : ended) EXPECT_TRUE(status) << status.error().message;
}

TEST_P(OwnSectionsOf, GiveTheAnswersOfTheStore) {
  const TemporaryDirectory directory;
  const fs::path store = directory.path() / "g.rz";
  const Kind& kind = GetParam();
  make_store(store, kind);
  std::vector<VertexId> sources(16);  // enough for a source to a thread, which reads any list
  std::iota(sources.begin(), sources.end(), VertexId{10});
  expect_same(
      store, kind, [](Engine& e, const GraphView& g) { return pagerank(e, g, {.tol = 1e-9, .max_iter = 30}); },
      [](auto& result) -> auto& { return result.scores; }, 1e-14);
  expect_same(
      store, kind, [](Engine& e, const GraphView& g) { return connected_components(e, g, {}); },
      [](auto& result) -> auto& { return result.labels; });
  expect_same(
      store, kind, [](Engine& e, const GraphView& g) { return triangle_count(e, g, {}); },
      [](auto& result) -> auto& { return result.counts; });
  expect_same(
      store, kind, [&](Engine& e, const GraphView& g) { return betweenness_centrality(e, g, {.sources = sources}); },
      [](auto& result) -> auto& { return result.scores; }, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Kinds, OwnSectionsOf,
                         ::testing::Values(Kind{}, Kind{.directed = true, .ranks = 4},
                                           Kind{.weights = WeightType::float64, .changed = true},
                                           Kind{.directed = true, .weights = WeightType::int32, .changed = true},
                                           Kind{.directed = true, .removed = true, .ranks = 2}));

/// The files of a store, to be changed and written back.
class Changed {
 public:
  explicit Changed(const fs::path& path) : path_(path) {
    files_ = read_files(**open_file_medium(path, false));
    fields_ = testing::find_fields(files_);
  }
  /// Changes the first target of the `which`th image.
  void damage(int which) {
    std::vector<std::byte>& data = files_.at("data");
    data[targets_of(which)] ^= std::byte{1};
    write();
  }
  /// Moves an entry of the first list of the `which`th image to the second: the form of the lengths stays.
  void change_lengths(int which) {
    std::vector<std::byte>& data = files_.at("data");
    const std::uint64_t second = image(which) + kHeader + sizeof(std::uint32_t);
    std::uint32_t begin = 0;
    std::memcpy(&begin, data.data() + second, sizeof begin);
    ASSERT_GT(begin, 0U);
    --begin;
    std::memcpy(data.data() + second, &begin, sizeof begin);
    write();
  }
  /// Lowers a target of the first image so that its list is still one, and seals it: as an author of stores could.
  void change_at_one_end() {
    std::vector<std::byte>& data = files_.at("data");
    std::uint64_t at = targets_of(0);
    const auto target = [&](std::uint64_t place) {
      std::uint32_t value = 0;
      std::memcpy(&value, data.data() + place, sizeof value);
      return value;
    };
    constexpr std::uint32_t kNoSelfLoop = 200;
    do at += sizeof(std::uint32_t);
    while (target(at) <= kNoSelfLoop || target(at) <= target(at - sizeof(std::uint32_t)) + 1);
    const std::uint32_t lower = target(at) - 1;
    std::memcpy(data.data() + at, &lower, sizeof lower);
    seal();
  }
  void seal() {
    testing::seal_store(fields_, files_);
    write();
  }

 private:
  static constexpr std::uint64_t kHeader = 64;
  [[nodiscard]] std::uint64_t image(int which) const {
    for (const testing::SealedExtent& each : fields_.extents)
      if (each.structure == "image" && which-- == 0) return each.at;
    ADD_FAILURE() << "no such image";
    return 0;
  }
  [[nodiscard]] std::uint64_t targets_of(int which) const {
    return image(which) + kHeader + (128 + 1) * 4 + 60;  // after the offsets a gap
  }
  void write() const {
    for (const auto& [name, bytes] : files_) {
      std::ofstream(path_ / name, std::ios::binary)
          .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
  }

  fs::path path_;
  FileContents files_;
  testing::StoreFields fields_;
};

/// The error that every rank ends with, by each kind of division.
void expect_refused(const fs::path& store, const std::string& what) {
  for (const PlacementPolicy policy : {PlacementPolicy::chunk, PlacementPolicy::round_robin}) {
    const auto ended = on_hosts(store, 3, [&](Ranks& ranks, Engine& engine, const GraphView& view) -> Status {
      ranks.set({.partition = policy});
      const auto result = pagerank(engine, view, {.tol = 0, .max_iter = 2});
      return result ? Status() : Status(result.error());
    });
    for (const Status& status : ended) {
      ASSERT_FALSE(status);
      EXPECT_EQ(status.error().code, ErrorCode::corrupt);
      EXPECT_THAT(status.error().message, HasSubstr(what));
    }
  }
}

TEST(OwnSections, DamageInOneIsTheErrorOfAllRanks) {
  for (const int section : {0, 7, 15}) {
    const TemporaryDirectory directory;
    const fs::path store = directory.path() / "g.rz";
    make_store(store, {});
    Changed(store).damage(section);
    expect_refused(store, "section " + std::to_string(section));
  }
}

TEST(OwnSections, EdgesThatAnAuthorHasChangedAtOneEndAreFound) {
  for (const bool directed : {false, true}) {
    const TemporaryDirectory directory;
    const fs::path store = directory.path() / "g.rz";
    make_store(store, {.directed = directed});
    Changed(store).seal();
    const auto sound = on_hosts(store, 3, [&](Ranks&, Engine& engine, const GraphView& view) -> Status {
      return pagerank(engine, view, {.tol = 0, .max_iter = 2}) ? Status() : Status(Error{});
    });
    for (const Status& status : sound) EXPECT_TRUE(status) << status.error().message;
    Changed(store).change_at_one_end();
    const auto refused = on_hosts(store, 3, [&](Ranks&, Engine& engine, const GraphView& view) -> Status {
      const auto result = pagerank(engine, view, {.tol = 0, .max_iter = 2});
      return result ? Status() : Status(result.error());
    });
    for (const Status& status : refused) {
      ASSERT_FALSE(status);
      EXPECT_EQ(status.error().code, ErrorCode::corrupt);
      EXPECT_THAT(status.error().message, HasSubstr(directed ? "edges and in-edges differ" : "of one end only"));
    }
  }
}

/// How ranks end that open these copies.
std::vector<Status> after_two_sweeps(const std::vector<fs::path>& copies) {
  return on_hosts(copies, [](Ranks&, Engine& engine, const GraphView& view) -> Status {
    const auto result = pagerank(engine, view, {.tol = 0, .max_iter = 2});
    return result ? Status() : Status(result.error());
  });
}

TEST(OwnSections, ACopyOfOtherLengthsIsRefusedWhicheverRankOwnsThem) {
  const TemporaryDirectory directory;
  for (const int section : {0, 15}) {  // with two ranks: one of each
    const fs::path store = directory.path() / (std::to_string(section) + ".rz");
    make_store(store, {.directed = section != 0, .ranks = 2});
    const fs::path copy = directory.path() / (std::to_string(section) + "-copy.rz");
    fs::copy(store, copy, fs::copy_options::recursive);
    for (const Status& status : after_two_sweeps({store, copy})) EXPECT_TRUE(status) << status.error().message;
    Changed(copy).change_lengths(section);
    for (const auto& copies : {std::vector{store, copy}, std::vector{copy, store}}) {
      for (const Status& status : after_two_sweeps(copies)) {
        ASSERT_FALSE(status) << section;
        EXPECT_EQ(status.error().code, ErrorCode::invalid_argument);
        EXPECT_THAT(status.error().message, HasSubstr("other lengths of neighbor lists"));
      }
    }
  }
}

TEST(OwnSections, WhoeverReadsAnyListProvesAll) {
  const TemporaryDirectory directory;
  const fs::path store = directory.path() / "g.rz";
  make_store(store, {});
  Changed(store).damage(15);
  on_hosts(store, 2, [&](Ranks&, Engine&, const GraphView& view) -> Status {
    const Status status = prove_all_lists(view);
    EXPECT_FALSE(status);
    EXPECT_THAT(status.error().message, HasSubstr("section 15"));
    const auto match = Match::prepare(view, {.pattern = "(a)-->(b)"});
    EXPECT_FALSE(match);
    EXPECT_THAT(match.error().message, HasSubstr("section 15"));
    return {};
  });
}

}  // namespace
}  // namespace rizoma
