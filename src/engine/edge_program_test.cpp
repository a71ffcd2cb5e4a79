#include <rizoma/edge_program.h>

#include "base/random.h"
#include "testing/graph_builder.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <map>
#include <numeric>
#include <thread>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::BuildOptions;
using testing::entries_of;
using testing::TestEdge;

/// A program drawn at random: its message, its fold, who wants and who joins all follow from `seed`.
/// It reads `before` and writes `after`.
template <bool Weighted>
struct RandomProgram {
  using Message = std::uint64_t;
  std::uint64_t seed;
  const std::vector<std::uint64_t>& before;
  std::vector<std::uint64_t>& after;

  [[nodiscard]] Message message(VertexId u) const
    requires(!Weighted)
  {
    return mix64(before[u] ^ seed);
  }
  [[nodiscard]] Message message(VertexId u, double weight) const
    requires Weighted
  {
    return mix64(before[u] ^ seed) * static_cast<std::uint64_t>(weight);
  }
  [[nodiscard]] Message combine(Message a, Message b) const {
    switch (seed % 4) {
      case 0: return std::min(a, b);
      case 1: return a + b;
      case 2: return a ^ b;
      default: return a | b;
    }
  }
  bool apply(VertexId v, Message folded) {
    after[v] += folded;  // wrong if it runs twice
    return mix64(folded + seed) % 3 != 0;
  }
  [[nodiscard]] bool wants(VertexId v) const { return mix64(v * 31 + seed) % 4 != 0; }
};

struct Outcome {
  std::vector<std::uint64_t> state;
  std::vector<VertexId> joined;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

/// The contract, word for word, serially.
template <class P>
Outcome expected(const GraphView& graph, P program, const Frontier& frontier) {
  std::map<VertexId, std::uint64_t> mail;
  for (const TestEdge& e : entries_of(graph)) {
    if (!frontier.set().contains(e.source) || !program.wants(e.target)) continue;
    std::uint64_t sent = 0;
    if constexpr (WeightedProgram<P>) sent = program.message(e.source, e.weight);
    else sent = program.message(e.source);
    const auto [place, is_new] = mail.emplace(e.target, sent);
    if (!is_new) place->second = program.combine(place->second, sent);
  }
  Outcome outcome;
  for (const auto& [v, folded] : mail) {
    if (program.apply(v, folded)) outcome.joined.push_back(v);
  }
  outcome.state = program.after;
  return outcome;
}

template <bool Weighted>
void check_all_directions(const GraphView& graph, std::uint64_t seed, unsigned threads) {
  Engine engine(EngineOptions{.threads = threads});
  const VertexId n = graph.num_vertices();
  Random random(seed);
  std::vector<std::uint64_t> before(n);
  for (std::uint64_t& x : before) x = random.next();
  std::vector<VertexId> active;
  const std::uint64_t share = 1 + random.below(100);
  for (VertexId v = 0; v < n; ++v) {
    if (random.below(share) == 0) active.push_back(v);
  }
  const Frontier frontier(n, active);
  std::vector<std::uint64_t> after(n);
  const Outcome right = expected(graph, RandomProgram<Weighted>{seed, before, after}, frontier);
  for (const auto direction : {SweepDirection::automatic, SweepDirection::push, SweepDirection::pull}) {
    if (direction == SweepDirection::pull && !graph.has_in_edges()) continue;
    after.assign(n, 0);
    RandomProgram<Weighted> program{seed, before, after};
    const auto next = process_edges(engine, graph, program, frontier, direction);
    ASSERT_TRUE(next.ok());
    EXPECT_EQ((Outcome{after, next->list()}), right) << "seed " << seed << " direction " << static_cast<int>(direction);
  }
}

class RandomPrograms : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Threads, RandomPrograms, ::testing::Values(1, 2, 4));

TEST_P(RandomPrograms, PushAndPullDoWhatTheContractSays) {
  for (std::uint64_t seed = 0; seed < 48; ++seed) {
    const BuildOptions options{.directed = seed % 2 == 0,
                               .in_edges = seed % 3 != 0,
                               .weights = static_cast<WeightType>(seed % 4),
                               .section_bits = static_cast<unsigned>(3 + seed % 9),
                               .wide = seed % 5 < 2,
                               .merge = seed % 7 < 4,
                               .removed = {17, 64}};
    const std::size_t edges = seed % 6 == 0 ? 200 : 30000;
    const GraphView graph = build_graph(3001, testing::rmat_edges(11, edges, seed), options);
    check_all_directions<false>(graph, seed, GetParam());
    check_all_directions<true>(graph, seed, GetParam());
  }
}

/// Hop counts: a program that may stop at the first message and apply at once.
struct Hops {
  using Message = VertexId;
  static constexpr bool first_suffices = true;
  static constexpr bool apply_at_once = true;
  VertexMap<int>& hops;
  int hop = 0;

  [[nodiscard]] Message message(VertexId u) const { return u; }
  [[nodiscard]] Message combine(Message a, Message) const { return a; }
  bool apply(VertexId v, Message from) {
    EXPECT_EQ(hops[from], hop - 1);
    hops[v] = hop;
    return true;
  }
  [[nodiscard]] bool wants(VertexId v) const { return hops[v] < 0; }
};

TEST_P(RandomPrograms, EarlyExitAndApplyAtOnceReachAll) {
  Engine engine(EngineOptions{.threads = GetParam()});
  const GraphView graph = build_graph(6400, testing::grid_edges(80, 80));
  for (const auto direction : {SweepDirection::automatic, SweepDirection::push, SweepDirection::pull}) {
    VertexMap<int> hops = engine.make_map<int>(6400, -1);
    hops[0] = 0;
    Hops program{hops};
    Frontier frontier(6400, std::vector<VertexId>{0});
    while (!frontier.empty()) {
      ++program.hop;
      frontier = *process_edges(engine, graph, program, frontier, direction);
    }
    for (VertexId v = 0; v < 6400; ++v) ASSERT_EQ(hops[v], static_cast<int>(v / 80 + v % 80));
  }
}

TEST(ProcessVerticesTest, FoldsLiveVerticesAndFrontiers) {
  Engine engine(EngineOptions{.threads = 3});
  const GraphView graph = build_graph(1000, testing::path_edges(1000), {.removed = {10, 20}});
  const auto identity = [](VertexId v) { return v; };
  EXPECT_EQ(*process_vertices(engine, graph, VertexId{0}, identity), 999U * 500U - 30U);
  const Frontier some(1000, std::vector<VertexId>{7, 3, 7, 990});
  EXPECT_EQ(*process_vertices(engine, some, VertexId{0}, identity), 1000U);
  const auto greater = [](VertexId a, VertexId b) { return std::max(a, b); };
  EXPECT_EQ(*process_vertices(engine, graph, VertexId{0}, identity, greater), 999U);
}

TEST(FrontierTest, ListAndSetAreTheSame) {
  EXPECT_EQ(Frontier::all(130).size(), 130U);
  EXPECT_EQ(Frontier::all(130).list().back(), 129U);
  EXPECT_EQ(Frontier::all(0).size(), 0U);
  const Frontier listed(100, std::vector<VertexId>{64, 3, 3});
  EXPECT_EQ(listed.size(), 2U);
  EXPECT_TRUE(listed.set().contains(64));
  EXPECT_EQ(Frontier(listed.set()).list(), (std::vector<VertexId>{3, 64}));
}

TEST(EdgeProgramTest, CanBeCancelled) {
  Engine engine(EngineOptions{.threads = 2});
  const GraphView graph = build_graph(100, testing::path_edges(100));
  VertexMap<int> hops = engine.make_map<int>(100, -1);
  Hops program{hops, 1};
  engine.request_stop();
  const auto next = process_edges(engine, graph, program, Frontier(100, std::vector<VertexId>{0}));
  ASSERT_FALSE(next.ok());
  EXPECT_EQ(next.error().code, ErrorCode::cancelled);
}

/// The number of messages that each thread made.  A thread that has made its first waits for a second
/// thread to begin, so that both take part however the system runs them.
class Shared {
 public:
  void note() {
    if (!mine_) {
      mine_ = true;
      ++threads_;
    }
    for (int i = 0; threads_ < 2 && i < 20000; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  [[nodiscard]] int threads() const { return threads_; }
  static void forget() { mine_ = false; }

 private:
  static thread_local bool mine_;
  std::atomic<int> threads_{0};
};
thread_local bool Shared::mine_ = false;

/// Sums what the sources send; notes who sends.
struct SharedSum {
  using Message = std::uint64_t;
  Shared& shared;
  std::vector<std::uint64_t>& sums;
  [[nodiscard]] Message message(VertexId u) const {
    shared.note();
    return u;
  }
  [[nodiscard]] Message combine(Message a, Message b) const { return a + b; }
  bool apply(VertexId v, Message folded) {
    sums[v] += folded;
    return true;
  }
};

void two_threads_share_a_star(SweepDirection direction, const std::vector<VertexId>& active) {
  constexpr VertexId kLeaves = 100000;
  const GraphView star = build_graph(kLeaves + 1, testing::star_edges(kLeaves + 1));
  Engine engine(EngineOptions{.threads = 2});
  engine.parallel([](unsigned) { Shared::forget(); });
  Shared shared;
  std::vector<std::uint64_t> sums(kLeaves + 1);
  SharedSum program{shared, sums};
  const Result<Frontier> next = process_edges(engine, star, program, Frontier(kLeaves + 1, active), direction);
  ASSERT_TRUE(next);
  EXPECT_EQ(shared.threads(), 2);
  const bool from_hub = active.size() == 1;
  EXPECT_EQ(next->size(), from_hub ? kLeaves : 1);
  EXPECT_EQ(sums[0], from_hub ? 0 : kLeaves * (kLeaves + 1) / 2);
}

TEST(GreatLists, AreSharedByTwoThreadsInAPull) {
  std::vector<VertexId> leaves(100000);
  std::iota(leaves.begin(), leaves.end(), VertexId{1});
  two_threads_share_a_star(SweepDirection::pull, leaves);  // only the hub's list sends anything
}

TEST(GreatLists, AreSharedByTwoThreadsInAPush) { two_threads_share_a_star(SweepDirection::push, {0}); }

TEST(GreatLists, GiveTheContractsAnswer) {
  auto edges = testing::rmat_edges(12, 20000, 3);
  for (VertexId v = 0; v < 40000; ++v) edges.push_back({v % 2 == 0 ? v : 7, v % 2 == 0 ? 7 : v, 1});
  for (const bool directed : {false, true}) {
    const GraphView graph = build_graph(40000, edges, {.directed = directed});
    for (std::uint64_t seed = 0; seed < 8; ++seed) check_all_directions<false>(graph, seed, 3);
  }
}

}  // namespace
}  // namespace rizoma
