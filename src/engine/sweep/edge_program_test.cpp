#include <rizoma/gather.h>
#include <rizoma/process_vertices.h>
#include <rizoma/sweep.h>

#include "base/random.h"
#include "testing/delta_graph.h"
#include "testing/graph_builder.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <map>
#include <numeric>
#include <set>
#include <thread>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::BuildOptions;
using testing::entries_of;
using testing::TestEdge;

/// What kind of program is drawn.
struct Kind {
  bool weighted = false;
  bool visit_once = false;
  bool update_all = false;
  bool wide = false;  ///< what is folded does not fit a machine word
};

struct WideSum {
  std::uint64_t value = 0;
  std::uint64_t messages = 0;
  friend bool operator==(const WideSum&, const WideSum&) = default;
};

/// A random program: messages, gather, cond and apply all follow from `seed`.
template <Kind kKind>
struct RandomProgram {
  using Message = std::uint64_t;
  using Accum = std::conditional_t<kKind.wide, WideSum, std::uint64_t>;
  static constexpr bool weighted = kKind.weighted;
  static constexpr bool visit_once = kKind.visit_once;
  static constexpr bool update_all = kKind.update_all;
  struct Tally {
    std::uint64_t applied = 0;
    void add(const Tally& other) { applied += other.applied; }
  };

  std::uint64_t seed;
  std::vector<std::uint64_t>& state;

  [[nodiscard]] Message scatter(VertexId u) const { return mix64(state[u] ^ seed); }
  [[nodiscard]] Accum identity() const {
    const std::uint64_t of_fold = seed % 4 == 0 ? ~std::uint64_t{0} : 0;
    if constexpr (kKind.wide) return {of_fold, 0};
    else return of_fold;
  }
  [[nodiscard]] Accum message(std::uint64_t sent_value, double weight) const {
    const std::uint64_t sent = sent_value * static_cast<std::uint64_t>(weight);
    if constexpr (kKind.wide) return {sent, 1};
    else return sent;
  }
  [[nodiscard]] Accum gather(Accum so_far, const auto& entries) const {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      so_far = combine(so_far, message(entries.message(i), static_cast<double>(entries.weight(i))));
    }
    return so_far;
  }
  [[nodiscard]] Accum combine(Accum a, Accum b) const {
    if constexpr (kKind.wide) return {combine_values(a.value, b.value), a.messages + b.messages};
    else return combine_values(a, b);
  }
  [[nodiscard]] std::uint64_t combine_values(std::uint64_t a, std::uint64_t b) const {
    switch (seed % 4) {
      case 0: return std::min(a, b);
      case 1: return a + b;
      case 2: return a ^ b;
      default: return a | b;
    }
  }
  bool apply(VertexId v, Accum accum, Tally& tally) {
    ++tally.applied;
    std::uint64_t value = 0;
    if constexpr (kKind.wide) value = accum.value + accum.messages;
    else value = accum;
    state[v] += value;  // wrong if it runs twice
    return mix64(value + seed) % 3 != 0;
  }
  [[nodiscard]] bool cond(VertexId v) const { return mix64(v * 31 + seed) % 4 != 0; }
};

struct Outcome {
  std::vector<std::uint64_t> state;
  std::set<VertexId> active;
  std::uint64_t applied = 0;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

/// The contract, word for word, serially, from one state to the next.
template <Kind kKind>
class Contract {
 public:
  Contract(const GraphView& graph, std::uint64_t seed, const Outcome& before, bool along_in)
      : graph_(graph), entries_(entries_of(graph)), along_in_(along_in), now_(before), program_{seed, now_.state} {
    done_ = now_.active;
  }
  [[nodiscard]] const Outcome& now() const { return now_; }

  void step() {
    std::map<VertexId, typename RandomProgram<kKind>::Accum> mail;
    if (kKind.update_all) {
      for (VertexId v = 0; v < graph_.num_vertices(); ++v) {
        if (graph_.is_live(v) && program_.cond(v) && !is_done(v)) mail[v] = program_.identity();
      }
    }
    for (const TestEdge& e : entries_) {
      const VertexId from = along_in_ ? e.target : e.source;
      const VertexId to = along_in_ ? e.source : e.target;
      if (!now_.active.contains(from) || !program_.cond(to) || is_done(to)) continue;
      const auto sent = program_.message(program_.scatter(from), kKind.weighted ? e.weight : 1);
      const auto [place, is_new] = mail.emplace(to, sent);
      if (!is_new) place->second = program_.combine(place->second, sent);
    }
    now_.active.clear();
    typename RandomProgram<kKind>::Tally tally;
    for (const auto& [v, accum] : mail) {
      if (program_.apply(v, accum, tally)) now_.active.insert(v);
      done_.insert(v);
    }
    now_.applied = tally.applied;
  }

 private:
  [[nodiscard]] bool is_done(VertexId v) const { return kKind.visit_once && done_.contains(v); }

  const GraphView& graph_;
  std::vector<TestEdge> entries_;
  bool along_in_;
  Outcome now_;
  RandomProgram<kKind> program_;
  std::set<VertexId> done_;
};

Outcome random_start(const GraphView& graph, std::uint64_t seed) {
  Random random(seed);
  Outcome start;
  const std::uint64_t share = seed % 5 == 0 ? 1 : 1 + random.below(100);
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    start.state.push_back(random.next());
    if (random.below(share) == 0) start.active.insert(v);
  }
  return start;
}

template <Kind kKind>
Status begin(Sweep<RandomProgram<kKind>>& sweep, const std::set<VertexId>& active, VertexId n) {
  if constexpr (!kKind.visit_once) {
    if (active.size() == n) return sweep.start_all();
  }
  return sweep.start(std::vector<VertexId>(active.begin(), active.end()));
}

/// Three sweeps in each direction, each against the contract.
template <Kind kKind>
void check(const GraphView& graph, std::uint64_t seed, unsigned threads) {
  Engine engine(EngineOptions{.threads = threads});
  const Outcome start = random_start(graph, seed);
  for (const auto direction : {SweepDirection::automatic, SweepDirection::push, SweepDirection::pull}) {
    for (const Direction along : {Direction::out, Direction::in}) {
      const auto needs_in = along == Direction::out ? SweepDirection::pull : SweepDirection::push;
      if (direction == needs_in && !graph.has_in_edges()) continue;
      Contract<kKind> contract(graph, seed, start, along == Direction::in);
      std::vector<std::uint64_t> state = start.state;
      RandomProgram<kKind> program{seed, state};
      Sweep<RandomProgram<kKind>> sweep(engine, graph, program, {.along = along, .direction = direction});
      ASSERT_TRUE(begin(sweep, start.active, graph.num_vertices()));
      for (int step = 0; step < 3; ++step) {
        ASSERT_TRUE(sweep.step());
        contract.step();
        const auto list = sweep.active_list();
        EXPECT_EQ(list.size(), sweep.active());
        ASSERT_EQ((Outcome{state, {list.begin(), list.end()}, sweep.tally().applied}), contract.now())
            << "seed " << seed << " direction " << static_cast<int>(direction) << " along " << static_cast<int>(along)
            << " step " << step;
      }
    }
  }
}

/// Two kinds of programs for each seed.
void check_some_kinds(const GraphView& graph, std::uint64_t seed, unsigned threads) {
  switch (seed / 2 % 3) {
    case 0:
      check<Kind{}>(graph, seed, threads);
      return check<Kind{.visit_once = true, .update_all = true, .wide = true}>(graph, seed, threads);
    case 1:
      check<Kind{.weighted = true}>(graph, seed, threads);
      return check<Kind{.visit_once = true}>(graph, seed, threads);
    default:
      check<Kind{.weighted = true, .update_all = true}>(graph, seed, threads);
      return check<Kind{.wide = true}>(graph, seed, threads);
  }
}

class RandomPrograms : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Threads, RandomPrograms, ::testing::Values(1, 2, 4));

TEST_P(RandomPrograms, PushAndPullDoWhatTheContractSays) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const BuildOptions options{.directed = seed % 2 == 0,
                               .in_edges = seed % 3 != 0,
                               .weights = static_cast<WeightType>(seed % 4),
                               .section_bits = static_cast<unsigned>(3 + seed % 9),
                               .wide = seed % 5 < 2,
                               .merge = seed % 7 < 4,
                               .removed = {17, 64}};
    const std::size_t edges = seed % 8 == 0 ? 200 : 12000;
    const GraphView graph = build_graph(1500, testing::rmat_edges(10, edges, seed), options);
    check_some_kinds(graph, seed, GetParam());
    check_some_kinds(testing::with_changed_lists(graph, seed), seed, GetParam());
  }
}

/// Hop counts: a program that may stop at the first neighbour.
struct Hops {
  using Message = int;
  using Accum = int;
  static constexpr bool early_exit = true;
  static constexpr bool visit_once = true;
  VertexMap<int>& hops;
  int hop = 0;

  [[nodiscard]] int scatter(VertexId u) const { return hops[u]; }
  [[nodiscard]] int gather(int, const auto& entries) const { return entries.message(0); }
  [[nodiscard]] int combine(int a, int) const { return a; }
  bool apply(VertexId v, int hop_before) {
    EXPECT_EQ(hop_before, hop - 1);
    EXPECT_EQ(hops[v], -1);
    hops[v] = hop;
    return true;
  }
};

TEST_P(RandomPrograms, StopAtTheFirstNeighbourAndReachAll) {
  Engine engine(EngineOptions{.threads = GetParam()});
  const GraphView graph = build_graph(6400, testing::grid_edges(80, 80));
  for (const auto direction : {SweepDirection::automatic, SweepDirection::push, SweepDirection::pull}) {
    VertexMap<int> hops = engine.make_map<int>(6400, -1);
    hops[0] = 0;
    Hops program{hops};
    Sweep<Hops> sweep(engine, graph, program, {.direction = direction});
    ASSERT_TRUE(sweep.start(std::vector<VertexId>{0}));
    while (sweep.active() > 0) {
      ++program.hop;
      ASSERT_TRUE(sweep.step());
    }
    for (VertexId v = 0; v < 6400; ++v) ASSERT_EQ(hops[v], static_cast<int>(v / 80 + v % 80));
  }
}

TEST_P(RandomPrograms, ReachEachOnceThroughLongListsThatLeadToTheSame) {
  constexpr VertexId kHubs = 300;
  constexpr VertexId kVertices = 1 + kHubs + 1000;
  std::vector<TestEdge> edges;
  for (VertexId hub = 1; hub <= kHubs; ++hub) {
    edges.push_back({0, hub});
    for (VertexId v = kHubs + 1; v < kVertices; ++v) edges.push_back({hub, v});
  }
  Engine engine(EngineOptions{.threads = GetParam()});
  const GraphView graph = build_graph(kVertices, edges);
  VertexMap<int> hops = engine.make_map<int>(kVertices, -1);
  hops[0] = 0;
  Hops program{hops};
  Sweep<Hops> sweep(engine, graph, program, {.direction = SweepDirection::push});
  ASSERT_TRUE(sweep.start(std::vector<VertexId>{0}));
  for (const VertexId found : {kHubs, kVertices - 1 - kHubs, VertexId{0}}) {
    ++program.hop;
    ASSERT_TRUE(sweep.step());
    EXPECT_EQ(sweep.active(), found);
  }
  for (VertexId v = 1; v < kVertices; ++v) ASSERT_EQ(hops[v], v <= kHubs ? 1 : 2);
}

/// Shows one at every vertex, and counts; apply says nothing, so that all stay active.
struct CountNeighbours {
  using Message = std::uint32_t;
  using Accum = std::uint64_t;
  static constexpr bool update_all = true;
  std::vector<std::uint64_t>& counts;
  [[nodiscard]] std::uint32_t scatter(VertexId v) const { return static_cast<std::uint32_t>(counts[v] + 1); }
  [[nodiscard]] std::uint64_t gather(std::uint64_t sum, const auto& entries) const {
    for (std::size_t i = 0; i < entries.size(); ++i) sum += entries.message(i);
    return sum;
  }
  [[nodiscard]] std::uint64_t combine(std::uint64_t a, std::uint64_t b) const { return a + b; }
  void apply(VertexId v, std::uint64_t accum) { counts[v] = accum; }
};

TEST_P(RandomPrograms, AllStayActiveWhereApplySaysNothing) {
  Engine engine(EngineOptions{.threads = GetParam()});
  const auto edges = testing::rmat_edges(9, 3000, 5);
  for (const bool in_edges : {false, true}) {
    const GraphView graph = build_graph(600, edges, {.directed = true, .in_edges = in_edges, .removed = {3, 77}});
    std::vector<std::uint64_t> counts(600);
    std::vector<std::uint64_t> right(600);
    CountNeighbours program{counts};
    Sweep<CountNeighbours> sweep(engine, graph, program);
    ASSERT_TRUE(sweep.start_all());
    for (int step = 0; step < 3; ++step) {
      std::vector<std::uint64_t> next(600);
      for (const TestEdge& e : entries_of(graph)) next[e.target] += right[e.source] + 1;
      right = next;
      ASSERT_TRUE(sweep.step());
      EXPECT_EQ(sweep.active(), 600U);
      ASSERT_EQ(counts, right);
    }
  }
}

/// Its only state is the message: a sum of its neighbours' messages and of its own last two.
struct KeepsWhatItShows {
  using Message = std::uint64_t;
  using Accum = std::uint64_t;
  static constexpr bool update_all = true;
  struct Tally {
    std::uint64_t sum = 0;
    void add(const Tally& other) { sum += other.sum; }
  };
  std::uint64_t of_before;  ///< the factor of the message before the last

  [[nodiscard]] Message scatter(VertexId v) const { return v + 1; }
  [[nodiscard]] Accum gather(Accum sum, const auto& entries) const {
    for (std::size_t i = 0; i < entries.size(); ++i) sum += entries.message(i);
    return sum;
  }
  [[nodiscard]] Accum combine(Accum a, Accum b) const { return a + b; }
  void apply(VertexRange run, const Message* now, Message* outgoing, const Accum* accum, Tally& tally) const {
    for (VertexId v = run.begin; v < run.end; ++v) {
      tally.sum += now[v];
      outgoing[v] = accum[v - run.begin] + 3 * now[v] + of_before * outgoing[v] + v;
    }
  }
};

TEST_P(RandomPrograms, StateMayBeWhatIsShownAndNothingElse) {
  constexpr VertexId kVertices = 600;
  Engine engine(EngineOptions{.threads = GetParam()});
  const auto edges = testing::rmat_edges(9, 20000, 5);
  for (const auto direction : {SweepDirection::pull, SweepDirection::push}) {
    const bool pulls = direction == SweepDirection::pull;
    BuildOptions build{.directed = true, .in_edges = pulls, .section_bits = 6};
    build.removed = {3, 77};
    for (const bool changed : {false, true}) {
      GraphView graph = build_graph(kVertices, edges, build);
      if (changed) graph = testing::with_changed_lists(graph, 7);
      KeepsWhatItShows program{pulls ? 5U : 0U};
      Sweep<KeepsWhatItShows> sweep(engine, graph, program, {.direction = direction});
      ASSERT_TRUE(sweep.start_all());
      std::vector<std::uint64_t> before(kVertices);
      std::vector<std::uint64_t> now(kVertices);
      for (VertexId v = 0; v < kVertices; ++v) now[v] = graph.is_live(v) ? v + 1 : 0;
      for (int step = 0; step < 4; ++step) {
        std::vector<std::uint64_t> next(kVertices);
        std::uint64_t sum = 0;
        for (const TestEdge& e : entries_of(graph)) next[e.target] += now[e.source];
        for (VertexId v = 0; v < kVertices; ++v) {
          if (!graph.is_live(v)) continue;
          next[v] += 3 * now[v] + program.of_before * before[v] + v;
          sum += now[v];
        }
        before = std::exchange(now, std::move(next));
        ASSERT_TRUE(sweep.step());
        EXPECT_EQ(sweep.tally().sum, sum);
        for (VertexId v = 0; v < kVertices; ++v) {
          if (!graph.is_live(v)) continue;
          ASSERT_EQ(sweep.messages()[v], now[v]) << "vertex " << v << " step " << step;
          if (pulls) {
            ASSERT_EQ(sweep.last_messages()[v], before[v]);
          }
        }
      }
    }
  }
}

TEST_P(RandomPrograms, GatherGivesEveryListWithWeightsAndWhatIsShown) {
  Engine engine(EngineOptions{.threads = GetParam()});
  const auto edges = testing::rmat_edges(9, 20000, 6);
  for (const bool in_pieces : {false, true}) {
    const GraphView graph = testing::with_changed_lists(
        build_graph(600, edges, {.directed = true, .weights = WeightType::float32, .section_bits = 4, .removed = {9}}),
        1);
    for (const Direction direction : {Direction::out, Direction::in}) {
      std::vector<double> sent_value(600);
      std::iota(sent_value.begin(), sent_value.end(), 1.0);
      std::vector<double> right(600);
      for (const TestEdge& e : entries_of(graph)) {
        if (direction == Direction::out) right[e.source] += sent_value[e.target] * e.weight;
        else right[e.target] += sent_value[e.source] * e.weight;
      }
      std::vector<double> sums(600);
      const auto add = [&](VertexId v, const auto& entries, unsigned) {
        std::atomic_ref(sums[v]).fetch_add(sum_messages(entries));
      };
      ASSERT_TRUE(gather<true>(engine, graph, {direction, in_pieces}, sent_value.data(), add));
      for (VertexId v = 0; v < 600; ++v) ASSERT_NEAR(sums[v], right[v], 1e-9 * right[v]);
    }
  }
}

TEST_P(RandomPrograms, ProgramsThatLookAtFewEntriesMergeNoList) {
  Engine engine(EngineOptions{.threads = GetParam()});
  const GraphView whole =
      build_graph(600, testing::rmat_edges(9, 20000, 6), {.directed = true, .section_bits = 4, .removed = {9}});
  const GraphView graph = testing::with_changed_lists(whole, 2);
  const auto in_pieces = [&] {
    VertexId count = 0;
    const auto& lists = std::get<Adjacency<std::uint32_t>>(graph.parts().out);
    for (VertexId v = 0; v < 600; ++v) count += lists.in_one_piece(v) ? 0 : 1;
    return count;
  };
  const VertexId before = in_pieces();
  EXPECT_GT(before, 50U);
  std::vector<std::vector<VertexId>> found(600);
  ASSERT_TRUE(gather_few(engine, graph, Direction::out, [&](VertexId v, const auto& list, unsigned) {
    for (const std::size_t i : {std::size_t{0}, list.size() / 2, list.size() - 1}) {
      if (!list.empty()) found[v].push_back(list.source(i));
    }
  }));
  const auto& lists = std::get<Adjacency<std::uint32_t>>(whole.parts().out);
  for (VertexId v = 0; v < 600; ++v) {
    const auto list = lists.neighbors(v);
    const std::vector<VertexId> right = list.empty() || v == 9
                                            ? std::vector<VertexId>()
                                            : std::vector<VertexId>{list[0], list[list.size() / 2], list.back()};
    ASSERT_EQ(found[v], right) << v;
  }
  EXPECT_EQ(in_pieces(), before);
}

TEST(ProcessVerticesTest, FoldsLiveVertices) {
  Engine engine(EngineOptions{.threads = 3});
  const GraphView graph = build_graph(1000, testing::path_edges(1000), {.removed = {10, 20}});
  const auto identity = [](VertexId v) { return v; };
  EXPECT_EQ(*process_vertices(engine, graph, VertexId{0}, identity), 999U * 500U - 30U);
  const auto greater = [](VertexId a, VertexId b) { return std::max(a, b); };
  EXPECT_EQ(*process_vertices(engine, graph, VertexId{0}, identity, greater), 999U);
}

TEST(EdgeProgramTest, CanBeCancelled) {
  Engine engine(EngineOptions{.threads = 2});
  const GraphView graph = build_graph(100, testing::path_edges(100));
  VertexMap<int> hops = engine.make_map<int>(100, -1);
  hops[0] = 0;
  Hops program{hops, 1};
  engine.request_stop();
  Sweep<Hops> sweep(engine, graph, program);
  ASSERT_TRUE(sweep.start(std::vector<VertexId>{0}));
  const Status stepped = sweep.step();
  ASSERT_FALSE(stepped.ok());
  EXPECT_EQ(stepped.error().code, ErrorCode::cancelled);
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
    for (int i = 0; threads_ < 2 && i < 600000; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  [[nodiscard]] int threads() const { return threads_; }
  static void forget() { mine_ = false; }

 private:
  static thread_local bool mine_;
  std::atomic<int> threads_{0};
};
thread_local bool Shared::mine_ = false;

/// Sums the numbers of the neighbours; notes who folds.
struct SharedSum {
  using Message = void;
  using Accum = std::uint64_t;
  Shared& shared;
  std::vector<std::uint64_t>& sums;
  [[nodiscard]] Accum gather(Accum sum, const auto& entries) const {
    shared.note();
    for (std::size_t i = 0; i < entries.size(); ++i) sum += entries.source(i);
    return sum;
  }
  [[nodiscard]] Accum combine(Accum a, Accum b) const { return a + b; }
  bool apply(VertexId v, Accum accum) {
    sums[v] += accum;
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
  Sweep<SharedSum> sweep(engine, star, program, {.direction = direction});
  ASSERT_TRUE(sweep.start(active));
  ASSERT_TRUE(sweep.step());
  EXPECT_EQ(shared.threads(), 2);
  const bool from_hub = active.size() == 1;
  EXPECT_EQ(sweep.active_list().size(), from_hub ? kLeaves : 1);
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
    for (std::uint64_t seed = 0; seed < 3; ++seed) check_some_kinds(graph, seed, 3);
  }
}

}  // namespace
}  // namespace rizoma
