// Patterns against a search that follows the definition: every choice of an edge of the graph for each edge of the
// pattern, on small random graphs of every storage form.
#include <rizoma/match.h>

#include "base/random.h"
#include "testing/graph_builder.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace rizoma {
namespace {

using testing::BuildOptions;
using testing::TestEdge;

/// An edge of a random pattern.
struct Said {
  unsigned left = 0;
  unsigned right = 0;
  int arrow = 0;  ///< 1: to the right, -1: to the left, 0: either
  unsigned least = 1;
  unsigned most = 1;
  bool absent = false;
  int weight = 0;  ///< that the edge must have; 0: any
};

struct SaidPattern {
  std::vector<Said> edges;
  std::vector<unsigned> alone;  ///< vertices that no edge names
  unsigned vertices = 0;
  DistinctMatches distinct = DistinctMatches::none;

  [[nodiscard]] std::string text() const {
    std::string all;
    const auto name = [](unsigned v) { return std::string("(") + static_cast<char>('a' + v) + ")"; };
    for (const unsigned v : alone) all += name(v) + ", ";
    for (const Said& edge : edges) {
      const std::string body = edge.weight == 0 ? "" : "[{weight: " + std::to_string(edge.weight) + "}]";
      const std::string arrow = (edge.arrow < 0 ? "<-" : "-") + body + (edge.arrow > 0 ? "->" : "-");
      std::string times;
      if (edge.most > 1) times = "{" + std::to_string(edge.least) + "," + std::to_string(edge.most) + "}";
      all += (edge.absent ? "!" : "") + name(edge.left) + arrow + times + name(edge.right) + "; ";
    }
    return all;
  }
};

/// Matches by trying everything: calls found(vertices) for each.
class Search {
 public:
  Search(bool directed, VertexId n, std::vector<VertexId> removed, std::vector<std::pair<VertexId, VertexId>> edges,
         std::vector<double> weights)
      : directed_(directed),
        n_(n),
        removed_(std::move(removed)),
        edges_(std::move(edges)),
        weights_(std::move(weights)) {}

  void run(const SaidPattern& pattern, const std::function<void(const std::vector<VertexId>&)>& found) {
    std::vector<unsigned> lengths;
    expand(pattern, lengths, found);
  }

 private:
  struct Simple {
    unsigned from, to;
    int arrow;
    int weight;
  };

  void expand(const SaidPattern& pattern, std::vector<unsigned>& lengths,
              const std::function<void(const std::vector<VertexId>&)>& found) {
    const std::size_t e = lengths.size();
    if (e == pattern.edges.size()) return match(pattern, lengths, found);
    for (unsigned length = pattern.edges[e].least; length <= pattern.edges[e].most; ++length) {
      lengths.push_back(length);
      expand(pattern, lengths, found);
      lengths.pop_back();
    }
  }

  void match(const SaidPattern& pattern, const std::vector<unsigned>& lengths,
             const std::function<void(const std::vector<VertexId>&)>& found) {
    std::vector<Simple> steps;
    unsigned vertices = pattern.vertices;
    for (std::size_t e = 0; e < lengths.size(); ++e) {
      const Said& edge = pattern.edges[e];
      if (edge.absent) continue;
      unsigned at = edge.left;
      for (unsigned i = 1; i <= lengths[e]; ++i) {
        const unsigned next = i == lengths[e] ? edge.right : vertices++;
        steps.push_back({at, next, edge.arrow, edge.weight});
        at = next;
      }
    }
    std::vector<VertexId> of(vertices, kNoVertex);
    std::vector<std::size_t> used;
    choose(pattern, steps, of, used, found);
  }

  void choose(const SaidPattern& pattern, const std::vector<Simple>& steps, std::vector<VertexId>& of,
              std::vector<std::size_t>& used, const std::function<void(const std::vector<VertexId>&)>& found) {
    if (used.size() == steps.size()) return choose_alone(pattern, of, used, found);
    const Simple& step = steps[used.size()];
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      auto [u, v] = edges_[e];
      if (step.weight != 0 && weights_[e] != step.weight) continue;
      for (int turn = 0; turn < 2; ++turn, std::swap(u, v)) {
        if (turn == 1 && (u == v || (directed_ && step.arrow != 0))) break;
        const VertexId from = directed_ && step.arrow < 0 ? v : u;
        const VertexId to = directed_ && step.arrow < 0 ? u : v;
        const auto before = of;
        const auto take = [&](unsigned name, VertexId vertex) {
          if (of[name] != kNoVertex && of[name] != vertex) return false;
          of[name] = vertex;
          return true;
        };
        if (take(step.from, from) && take(step.to, to)) {
          used.push_back(e);
          choose(pattern, steps, of, used, found);
          used.pop_back();
        }
        of = before;
      }
    }
  }

  void choose_alone(const SaidPattern& pattern, std::vector<VertexId>& of, const std::vector<std::size_t>& used,
                    const std::function<void(const std::vector<VertexId>&)>& found) {
    const auto open = std::find(of.begin(), of.end(), kNoVertex);
    if (open == of.end()) {
      if (is_allowed(pattern, of, used)) found(of);
      return;
    }
    for (VertexId v = 0; v < n_; ++v) {
      if (std::find(removed_.begin(), removed_.end(), v) != removed_.end()) continue;
      *open = v;
      choose_alone(pattern, of, used, found);
    }
    *open = kNoVertex;
  }

  [[nodiscard]] bool is_allowed(const SaidPattern& pattern, const std::vector<VertexId>& of,
                                const std::vector<std::size_t>& used) const {
    for (const Said& edge : pattern.edges) {
      if (!edge.absent) continue;
      const bool backward = directed_ && edge.arrow < 0;
      const VertexId u = of[backward ? edge.right : edge.left];
      const VertexId v = of[backward ? edge.left : edge.right];
      for (const auto& [x, y] : edges_) {
        if (x == u && y == v) return false;
        if ((!directed_ || edge.arrow == 0) && x == v && y == u) return false;
      }
    }
    const std::set<VertexId> vertices(of.begin(), of.end());
    const std::set<std::size_t> edges(used.begin(), used.end());
    if (pattern.distinct == DistinctMatches::nodes) return vertices.size() == of.size();
    if (pattern.distinct == DistinctMatches::edges) return edges.size() == used.size();
    return true;
  }

  bool directed_;
  VertexId n_;
  std::vector<VertexId> removed_;
  std::vector<std::pair<VertexId, VertexId>> edges_;
  std::vector<double> weights_;
};

SaidPattern random_pattern(Random& random) {
  SaidPattern pattern;
  pattern.vertices = 2 + static_cast<unsigned>(random.below(3));
  const std::size_t edges = 1 + random.below(4);
  std::set<unsigned> named;
  for (std::size_t e = 0; e < edges; ++e) {
    Said edge;
    edge.left = static_cast<unsigned>(random.below(pattern.vertices));
    edge.right = static_cast<unsigned>(random.below(pattern.vertices));
    edge.arrow = static_cast<int>(random.below(3)) - 1;
    if (e == 1 && random.below(4) == 0) edge.most = 1 + static_cast<unsigned>(random.below(2));
    if (e > 0 && random.below(6) == 0) edge.absent = true, edge.most = 1;
    if (!edge.absent) named.insert({edge.left, edge.right});
    pattern.edges.push_back(edge);
  }
  for (unsigned v = 0; v < pattern.vertices; ++v) {
    if (!named.contains(v)) pattern.alone.push_back(v);
  }
  pattern.distinct = static_cast<DistinctMatches>(random.below(3));
  return pattern;
}

/// Cliques, cycles and stars with random directions: what symmetry is broken in.
SaidPattern random_symmetric_pattern(Random& random) {
  SaidPattern pattern;
  pattern.vertices = 2 + static_cast<unsigned>(random.below(3));
  const int arrow = static_cast<int>(random.below(3)) - 1;
  const std::uint64_t shape = random.below(3);
  for (unsigned a = 0; a < pattern.vertices; ++a) {
    for (unsigned b = a + 1; b < pattern.vertices; ++b) {
      const bool in_cycle = b == a + 1 || (a == 0 && b + 1 == pattern.vertices);
      if ((shape == 1 && !in_cycle) || (shape == 2 && a != 0)) continue;
      const bool turned = shape == 1 && a == 0 && b != 1;  // so that a cycle runs round
      pattern.edges.push_back({turned ? b : a, turned ? a : b, random.below(4) == 0 ? 1 : arrow});
    }
  }
  if (random.below(2) == 0) pattern.distinct = DistinctMatches::nodes;
  return pattern;
}

/// Paths of two edges that lead from one vertex to another by several wedges, and what else may hang there.
SaidPattern random_wedge_pattern(Random& random) {
  SaidPattern pattern;
  const auto arrow = [&] { return static_cast<int>(random.below(3)) - 1; };
  const int same_first = arrow();
  const int same_second = arrow();
  pattern.vertices = 4 + static_cast<unsigned>(random.below(2));
  for (unsigned middle = 2; middle < pattern.vertices; ++middle) {
    const bool same = random.below(2) == 0;
    pattern.edges.push_back({0, middle, same ? same_first : arrow()});
    pattern.edges.push_back({middle, 1, same ? same_second : arrow()});
  }
  const auto add = [&](unsigned left, unsigned right) { pattern.edges.push_back({left, right, arrow()}); };
  switch (random.below(6)) {
    case 0: add(0, 1); break;
    case 1: add(1, 1); break;
    case 2: add(2, 3); break;
    case 3: add(static_cast<unsigned>(random.below(3)), pattern.vertices++); break;
    case 4:
      pattern.edges.push_back({0, 1, arrow()});
      pattern.edges.back().absent = true;
      break;
    default: break;
  }
  if (random.below(6) == 0) pattern.distinct = DistinctMatches::nodes;
  return pattern;
}

struct Case {
  BuildOptions options;
  VertexId n = 0;
  std::vector<std::pair<VertexId, VertexId>> edges;
  std::vector<double> weights;  ///< parallel to edges
  GraphView graph;
};

Case random_case(Random& random, WeightType weights = WeightType::none) {
  Case made;
  made.options.weights = weights;
  made.n = 3 + random.below(5);
  made.options.directed = random.below(2) == 0;
  made.options.merge = random.below(2) == 0;
  made.options.section_bits = 1 + static_cast<unsigned>(random.below(4));
  made.options.wide = random.below(3) == 0;
  if (random.below(4) == 0) made.options.removed = {random.below(made.n)};
  else made.options.by_degree = random.below(2) == 0;
  const std::size_t m = random.below(13);
  const bool loops = random.below(3) != 0;
  std::vector<TestEdge> given;
  for (std::size_t i = 0; i < m; ++i) {
    const TestEdge edge{random.below(made.n), random.below(made.n), static_cast<double>(1 + random.below(3))};
    if (loops || edge.source != edge.target) given.push_back(edge);
  }
  made.graph = testing::build_graph(made.n, given, made.options);
  for (const TestEdge& e : testing::entries_of(made.graph)) {
    if (!made.options.directed && e.source > e.target) continue;
    made.edges.emplace_back(e.source, e.target);
    made.weights.push_back(e.weight);
  }
  return made;
}

using Rows = std::multiset<std::vector<VertexId>>;

Rows rows_of(Engine& engine, const Match& match, const MatchSelection& selection, std::size_t most) {
  Rows rows;
  Result<MatchCursor> cursor = match.rows(selection);
  EXPECT_TRUE(cursor) << cursor.error().message;
  for (;;) {
    const auto parts = cursor->next(engine, most);
    EXPECT_TRUE(parts) << parts.error().message;
    if (parts->empty()) return rows;
    for (const MatchRows& part : *parts) {
      for (std::size_t i = 0; i < part.rows; ++i) {
        std::vector<VertexId> row;
        for (const auto& column : part.vertices) row.push_back(static_cast<VertexId>(column.at(i)));
        rows.insert(row);
      }
    }
  }
}

/// All parts of the rows have them between them.
void expect_parts(Engine& engine, const Match& match, MatchSelection selection, const Rows& expected) {
  Rows of_parts;
  for (selection.parts = 3; selection.part < selection.parts; ++selection.part) {
    of_parts.merge(rows_of(engine, match, selection, 5));
  }
  EXPECT_EQ(of_parts, expected);
}

void expect_as_searched(Engine& engine, const Case& given, const SaidPattern& pattern, std::size_t most) {
  const Result<Match> match = Match::prepare(given.graph, {.pattern = pattern.text(), .distinct = pattern.distinct});
  ASSERT_TRUE(match) << match.error().message;
  MatchSelection selection;
  for (unsigned v = 0; v < pattern.vertices; ++v) selection.vertices.emplace_back(1, static_cast<char>('a' + v));
  Rows expected;
  Search search(given.options.directed, given.n, given.options.removed, given.edges, given.weights);
  search.run(pattern,
             [&](const std::vector<VertexId>& of) { expected.emplace(of.begin(), of.begin() + pattern.vertices); });
  const auto where = [&] {
    std::string text = pattern.text() + " distinct " + std::to_string(static_cast<int>(pattern.distinct)) +
                       (given.options.directed ? " directed:" : " undirected:");
    for (const auto& [u, v] : given.edges) text += " " + std::to_string(u) + "-" + std::to_string(v);
    return text;
  };
  const auto count = match->count(engine);
  ASSERT_TRUE(count) << count.error().message;
  EXPECT_EQ(*count, expected.size()) << where();
  EXPECT_EQ(rows_of(engine, *match, selection, most), expected) << where();
  if (most % 8 == 0) expect_parts(engine, *match, selection, expected);
  const auto by_first = match->count_by(engine, "a");
  ASSERT_TRUE(by_first) << by_first.error().message;
  std::map<VertexId, std::uint64_t> of_first;
  for (const auto& row : expected) ++of_first[row[0]];
  std::map<VertexId, std::uint64_t> counted;
  for (std::size_t i = 0; i < by_first->vertices.size(); ++i) counted[by_first->vertices[i]] = by_first->counts[i];
  EXPECT_EQ(counted, of_first) << where();
  EXPECT_TRUE(std::is_sorted(by_first->vertices.begin(), by_first->vertices.end())) << where();
}

TEST(Match, RandomPatternsAsSearched) {
  Engine one({.threads = 1});
  Engine three({.threads = 3});
  Random random(1);
  for (int i = 0; i < 3000 && !::testing::Test::HasFailure(); ++i) {
    const Case given = random_case(random);
    expect_as_searched(i % 3 == 0 ? three : one, given, random_pattern(random), 1 + random.below(50));
  }
}

TEST(Match, SymmetricPatternsAsSearched) {
  Engine one({.threads = 1});
  Engine three({.threads = 3});
  Random random(2);
  for (int i = 0; i < 1500 && !::testing::Test::HasFailure(); ++i) {
    const Case given = random_case(random);
    expect_as_searched(i % 3 == 0 ? three : one, given, random_symmetric_pattern(random), 1 + random.below(50));
  }
}

TEST(Match, PathsThatMeetAsSearched) {
  Engine one({.threads = 1});
  Engine three({.threads = 3});
  Random random(6);
  for (int i = 0; i < 600 && !::testing::Test::HasFailure(); ++i) {
    const auto weights = static_cast<WeightType>(i % 4);
    SaidPattern pattern = random_wedge_pattern(random);
    if (weights != WeightType::none && i % 3 == 0) pattern.edges[random.below(4)].weight = 1;
    expect_as_searched(i % 2 == 0 ? three : one, random_case(random, weights), pattern, 1 + random.below(50));
  }
}

TEST(Match, ACycleOfFourIsPlannedWherePathsMeet) {
  Engine engine({.threads = 2});
  const auto edges = testing::uniform_edges(300, 2'000, 5);
  for (const bool directed : {true, false}) {
    const GraphView graph = testing::build_graph(300, edges, {.directed = directed});
    const auto explained = [&](const std::string& pattern, const std::string& where) {
      return *Match::prepare(graph, {.pattern = pattern, .where = where})->explain(engine, true);
    };
    const std::string cycle = "(a)-->(b)-->(c)-->(d)-->(a)";
    const auto meets = ::testing::HasSubstr("where paths from ");
    EXPECT_THAT(explained(cycle, ""), meets);
    EXPECT_THAT(explained(cycle, "a = 17"), ::testing::Not(meets));
    for (const std::string& other : {cycle + ", (a)-->(c)", cycle + ", (b)-->(d), (a)-->(c)"}) {
      EXPECT_THAT(explained(other, ""), ::testing::Not(meets)) << other;
    }
  }
}

TEST(Match, PatternsWithPredicatesOnEdgesAsSearched) {
  Engine one({.threads = 1});
  Engine three({.threads = 3});
  Random random(4);
  for (int i = 0; i < 1500 && !::testing::Test::HasFailure(); ++i) {
    const auto weights = static_cast<WeightType>(1 + i % 3);
    const Case given = random_case(random, weights);
    SaidPattern pattern = random_pattern(random);
    for (Said& edge : pattern.edges) {
      if (!edge.absent && random.below(3) != 0) edge.weight = 1 + static_cast<int>(random.below(2));
    }
    expect_as_searched(i % 3 == 0 ? three : one, given, pattern, 1 + random.below(50));
  }
}

TEST(Match, WithoutInEdges) {
  Engine engine({.threads = 2});
  Random random(3);
  for (int i = 0; i < 300 && !::testing::Test::HasFailure(); ++i) {
    Case given = random_case(random);
    if (!given.options.directed) continue;
    std::vector<TestEdge> edges;
    for (const auto& [u, v] : given.edges) edges.push_back({u, v, 1});
    given.options.in_edges = false;
    given.options.by_degree = false;
    given.graph = testing::build_graph(given.n, edges, given.options);
    expect_as_searched(engine, given, random_pattern(random), 7);
  }
}

std::uint64_t count(const GraphView& graph, const MatchOptions& options) {
  Engine engine({.threads = 2});
  const Result<Match> match = Match::prepare(graph, options);
  EXPECT_TRUE(match) << match.error().message;
  return match ? *match->count(engine) : 0;
}

TEST(Match, HubsComeInPieces) {
  // A star whose hub is adjacent to all, and a path through the leaves: every triangle has the hub.
  std::vector<std::pair<VertexId, VertexId>> edges;
  constexpr VertexId kLeaves = 40000;
  for (VertexId v = 1; v <= kLeaves; ++v) {
    edges.emplace_back(0, v);
    if (v > 1) edges.emplace_back(v - 1, v);
  }
  const GraphView graph = testing::build_graph(0, edges, {.section_bits = 16});
  EXPECT_EQ(count(graph, {.pattern = "(a)--(b)--(c)--(a)"}), 6 * (kLeaves - 1));
  Engine engine({.threads = 3});
  const Result<Match> match = Match::prepare(graph, {.pattern = "(a)--(b)--(c)--(a)"});
  EXPECT_EQ(rows_of(engine, *match, {.vertices = {"a", "b"}}, 1000).size(), 6 * (kLeaves - 1));
}

TEST(Match, PredicatesOnWeightsAndIds) {
  const std::vector<TestEdge> edges{{0, 1, 5}, {1, 2, 7}, {2, 0, 9}, {0, 2, 1}, {0, 1, 3}};
  const BuildOptions options{.directed = true, .weights = WeightType::float32, .merge = false};
  const GraphView graph = testing::build_graph(3, edges, options);
  EXPECT_EQ(count(graph, {.pattern = "(a)-[e]->(b)"}), 5u);
  EXPECT_EQ(count(graph, {.pattern = "(a)-[e]->(b)", .where = "e.weight > 4"}), 3u);
  EXPECT_EQ(count(graph, {.pattern = "(a)-[{weight: 3}]->(b)"}), 1u);
  EXPECT_EQ(count(graph, {.pattern = "(a)-[e]->(b)-[f]->(c)", .where = "e.weight < f.weight"}), 4u);
  EXPECT_EQ(count(graph, {.pattern = "(a)-->(b)", .where = "a < b"}), 4u);
  EXPECT_EQ(count(graph, {.pattern = "(a {id: 0})-->(b)"}), 3u);
  EXPECT_EQ(count(graph, {.pattern = "(a)-->(b)", .where = "a in [0, 1] and not b = 2"}), 2u);
  EXPECT_EQ(count(graph, {.pattern = "(a)-->(b)", .where = "a = 17"}), 0u);
  EXPECT_EQ(count(graph, {.pattern = "(a)-->(b)", .anchors = {{"b", {2}}}}), 2u);
  EXPECT_EQ(count(graph, {.pattern = "(a)-[e]->(b)", .where = "e.weight / 0 > 1 or e.weight is null"}), 0u);
  EXPECT_EQ(count(graph, {.pattern = "(a)-[e]->(b)", .where = "a + 1 = b and e.weight - 2 >= 1"}), 3u);
}

std::string error_of(const std::string& pattern, const std::string& where = "") {
  const GraphView graph = testing::build_graph(3, testing::path_edges(3), {.directed = true});
  const Result<Match> match = Match::prepare(graph, {.pattern = pattern, .where = where});
  return match ? "" : match.error().message;
}

TEST(Match, ErrorsShowThePlace) {
  using ::testing::HasSubstr;
  EXPECT_EQ(
      error_of("(a)-->b"),
      "expected \"(\" to begin a vertex, not \"b\"; vertices stand in brackets, as in (a)-->(b)\n  (a)-->b\n        ^");
  EXPECT_THAT(error_of("(a)-[e->(b)"), HasSubstr("expected \"]\" to end the edge"));
  EXPECT_THAT(error_of("(a)<-->(b)"), HasSubstr("an edge points one way"));
  EXPECT_THAT(error_of("(a)-[*]->(b)"), HasSubstr("a repetition needs a maximum"));
  EXPECT_THAT(error_of("(a)-[*3..1]->(b)"), HasSubstr("the minimum length is above the maximum"));
  EXPECT_THAT(error_of("(a)-[e]->(b)-[e]->(c)"), HasSubstr("is given to two items"));
  EXPECT_THAT(error_of("!(a)-->(b)"), HasSubstr("must share a vertex with another path"));
  EXPECT_THAT(error_of("(a:User)-->(b)"), HasSubstr("vertices have no column 'label'; their columns: id"));
  EXPECT_THAT(error_of("(a)-[e:KNOWS]->(b)"), HasSubstr("edges have no column 'type'; their columns: none"));
  EXPECT_THAT(
      error_of("(a)-->(b)", "x = 1"),
      HasSubstr(
          "the pattern names no 'x'; its names: a, b; a column follows the name of what has it, as in a.x\n  x = 1"));
  EXPECT_THAT(error_of("(a > 3)-->(b)"), HasSubstr("predicates stand beside the pattern"));
  EXPECT_THAT(error_of("(a)-->(b) where a > 3"), HasSubstr("predicates stand beside the pattern"));
  EXPECT_THAT(error_of("MATCH (a)-->(b)"), HasSubstr("this is a query, not a pattern alone"));
  EXPECT_THAT(error_of("(a)-->(b)", "a.age > 1"), HasSubstr("no column 'age'; their columns: id"));
  EXPECT_THAT(error_of("(a)-->(b)", "a = "), HasSubstr("not the end"));
  EXPECT_THAT(error_of(""), HasSubstr("the pattern is empty"));
  EXPECT_THAT(error_of("(a)-->(b) (c)"), HasSubstr("expected an edge"));
}

TEST(Match, TooManyMatchesAreAnError) {
  std::vector<std::pair<VertexId, VertexId>> edges;
  for (VertexId v = 0; v < 40; ++v) {
    for (VertexId u = 0; u < 40; ++u) edges.emplace_back(u, v);
  }
  const GraphView graph = testing::build_graph(40, edges, {.directed = true});
  Engine engine({.threads = 2});
  EXPECT_EQ(count(graph, {.pattern = "(a)-[*11]->(b)"}), 16777216000000000000u);  // 40^12
  const auto over = Match::prepare(graph, {.pattern = "(a)-[*12]->(b)"})->count(engine);
  ASSERT_FALSE(over);
  EXPECT_EQ(over.error().code, ErrorCode::unsupported);
}

}  // namespace
}  // namespace rizoma
