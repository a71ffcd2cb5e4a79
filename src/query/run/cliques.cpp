#include "query/run/cliques.h"

#include "engine/intersection/oriented_triangles.h"
#include "engine/intersection/unoriented_triangles.h"

#include <rizoma/process_vertices.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace rizoma::query {
namespace {

using DegreeRank = OrientedLists::DegreeRank;
using Word = CoreRows::Word;

constexpr unsigned kMostVertices = 5;         // of a clique
constexpr std::size_t kMostBelow = 1u << 14;  // of a list: its rows take 16 MiB
constexpr std::uint64_t kGrain = 64;          // vertices handed out at once
constexpr std::uint64_t kOfVertex = 24;       // bytes
constexpr std::uint64_t kOfEdge = 8;

/// Bytes that counting takes: ranked lists, and the memory of each thread.
std::uint64_t room_for(const GraphView& graph, unsigned vertices, unsigned threads) {
  const std::uint64_t rows = CoreRows::place(kMostBelow) * sizeof(Word);
  const std::uint64_t of_thread = vertices > 3 ? 4 * graph.num_vertices() + rows : graph.num_vertices() / 4;
  return kOfVertex * graph.num_vertices() + kOfEdge * graph.num_edges() + threads * of_thread;
}

/// Cliques of each number of vertices up to k, by that number less 1.
using Found = std::array<CheckedCount, kMostVertices>;

/// The neighbours below a vertex as a graph of its own: bit j of row i tells whether the i-th and the j-th, j < i, are
/// adjacent.  For one thread.
class NearRows {
 public:
  NearRows(const Engine& engine, const OrientedLists& lists, const CoreRows& core, ListCounter::OfThread& lists_read)
      : engine_(&engine), lists_(&lists), core_(&core), lists_read_(&lists_read), places_(lists.size()) {}

  /// Adds the cliques of up to `vertices` vertices (4 at least) whose highest rank is u.
  void count(VertexId u, unsigned vertices, Found& found) {
    const std::span<const DegreeRank> list = (*lists_)[u];
    found[0].add(1);
    found[1].add(list.size());
    if (list.size() < 2) return;
    fill(u, list);
    std::array<std::uint64_t, kMostVertices> of_u{};
    for (std::size_t i = 1; i < list.size() && !engine_->stopping(); ++i) {
      const std::span<const Word> row = row_of(i);
      for (const Word word : row) of_u[2] += static_cast<std::uint64_t>(std::popcount(word));
      extend(row, 3, vertices, of_u);
    }
    for (unsigned size = 3; size <= vertices; ++size) found[size - 1].add(of_u[size - 1]);
  }

 private:
  [[nodiscard]] std::span<const Word> row_of(std::size_t i) const noexcept {
    return {rows_.data() + CoreRows::place(i), i / 64 + 1};
  }

  void fill(VertexId u, std::span<const DegreeRank> list) {
    lists_read_->add(lists_->vertex_of(u), list.size());
    rows_.assign(CoreRows::place(list.size()), 0);
    for (std::size_t i = 0; i < list.size(); ++i) places_[list[i]] = static_cast<std::uint32_t>(i) + 1;
    for (std::size_t i = 1; i < list.size(); ++i) {
      Word* const row = rows_.data() + CoreRows::place(i);
      const DegreeRank v = list[i];
      const std::span<const DegreeRank> below = (*lists_)[v];
      if (v < core_->size() && below.size() > i) {
        const Word* const bits = (*core_)[v].data();
        for (std::size_t j = 0; j < i; ++j) row[j >> 6] |= Word{CoreRows::has(bits, list[j])} << (j & 63);
        continue;
      }
      lists_read_->add(lists_->vertex_of(v), below.size());
      for (const DegreeRank w : below) {
        if (const std::uint32_t place = places_[w]; place != 0) row[(place - 1) >> 6] |= Word{1} << ((place - 1) & 63);
      }
    }
    for (const DegreeRank w : list) places_[w] = 0;
  }

  /// `candidates`: what is adjacent to all of `size - 1` vertices.  Adds the cliques of one vertex more and beyond.
  void extend(std::span<const Word> candidates, unsigned size, unsigned vertices,
              std::array<std::uint64_t, kMostVertices>& found) {
    if (size == vertices) return;
    for (std::size_t at = 0; at < candidates.size(); ++at) {
      for (Word bits = candidates[at]; bits != 0; bits &= bits - 1) {
        const std::size_t i = at * 64 + static_cast<std::size_t>(std::countr_zero(bits));
        const std::span<const Word> row = row_of(i);
        if (size + 1 == vertices) {
          std::uint64_t common = 0;
          for (std::size_t word = 0; word < row.size(); ++word) {
            common += static_cast<std::uint64_t>(std::popcount(row[word] & candidates[word]));
          }
          found[size] += common;
          continue;
        }
        if (engine_->stopping()) return;
        std::vector<Word>& both = common_[size];
        both.resize(row.size());
        for (std::size_t word = 0; word < row.size(); ++word) {
          both[word] = row[word] & candidates[word];
          found[size] += static_cast<std::uint64_t>(std::popcount(both[word]));
        }
        extend(both, size + 1, vertices, found);
      }
    }
  }

  const Engine* engine_;
  const OrientedLists* lists_;
  const CoreRows* core_;
  ListCounter::OfThread* lists_read_;
  std::vector<std::uint32_t> places_;  ///< 1 + the place in u's list of each rank there
  std::vector<Word> rows_;
  std::array<std::vector<Word>, kMostVertices> common_;  ///< by the number of vertices that they are adjacent to
};

/// One thread's count.
class alignas(64) CliqueCounter {
 public:
  CliqueCounter(const Engine& engine, const OrientedLists& lists, const CoreRows& core,
                ListCounter::OfThread& lists_read, unsigned vertices)
      : lists_(&lists), own_{&lists, core.size()}, lists_read_(&lists_read), vertices_(vertices) {
    if (vertices == 3) triangles_.emplace(lists.size(), core);
    else rows_.emplace(engine, lists, core, lists_read);
  }

  void count(VertexId u) {
    if (rows_) return rows_->count(u, vertices_, found_);
    std::uint64_t triangles = 0;
    const auto list = (*lists_)[u];
    if (list.size() > 1) lists_read_->add(lists_->vertex_of(u), list.size());
    triangles_->of(
        list, CountedLists(*lists_, own_, *lists_read_), [&](DegreeRank, std::uint64_t found) { triangles += found; },
        OrientedTriangles::NoThird());
    found_[0].add(1);
    found_[1].add(list.size());
    found_[2].add(triangles);
  }
  [[nodiscard]] const Found& found() const noexcept { return found_; }

 private:
  const OrientedLists* lists_;
  OwnLists own_;
  ListCounter::OfThread* lists_read_;
  unsigned vertices_;
  std::optional<OrientedTriangles> triangles_;
  std::optional<NearRows> rows_;
  Found found_;
};

std::size_t longest(const OrientedLists& lists) {
  std::size_t longest = 0;
  for (VertexId r = 0; r < lists.size(); ++r) longest = std::max(longest, lists[r].size());
  return longest;
}

/// True if the query is a clique whose vertices are in order (symmetry.h), without self-loops.
bool is_ordered_clique(const Query& query) {
  return query.below.size() == std::size_t{query.vertices} * (query.vertices - 1) / 2 &&
         std::none_of(query.edges.begin(), query.edges.end(),
                      [](const QueryEdge& edge) { return edge.from == edge.to; });
}

/// The counts that a plan's steps would have had: each takes one more vertex adjacent to all before.
CountResult result_of(const Found& found, unsigned vertices) {
  CountResult result;
  result.matches = found[vertices - 1].value();
  for (unsigned size = 0; size < vertices; ++size) {
    result.tallies.push_back({size == 0 ? found[0].value() : found[size - 1].value(), found[size].value()});
  }
  return result;
}

/// Triangles of a graph with short lists.
Result<std::optional<CountResult>> count_near(Engine& engine, const GraphView& graph) {
  std::vector<PerThread<std::uint64_t>> totals(engine.threads());
  RIZOMA_ASSIGN(const bool all,
                for_each_near_triangle(engine, graph,
                                       [&](VertexId, VertexId, VertexId, unsigned thread) { ++totals[thread].value; }));
  if (!all) return std::optional<CountResult>();
  Found found;
  found[0].add(graph.num_live());
  found[1].add(graph.num_edges() - graph.num_self_loops());
  for (const auto& of_thread : totals) found[2].add(of_thread.value);
  return std::optional(result_of(found, 3));
}

}  // namespace

Result<bool> counts_cliques(Engine& engine, const GraphView& graph, const Query& query, std::uint64_t most_bytes) {
  const unsigned vertices = query.vertices;
  if (!is_ordered_clique(query) || vertices < 3 || vertices > kMostVertices || graph.directed() ||
      graph.may_have_parallel_edges() || engine.ranks() != nullptr ||
      graph.num_vertices() > std::numeric_limits<DegreeRank>::max()) {
    return false;
  }
  RIZOMA_ASSIGN(const bool pays, orientation_pays(engine, graph));
  if (!pays) return vertices == 3;
  return most_bytes == 0 || room_for(graph, vertices, engine.threads()) <= most_bytes;
}

Result<std::optional<CountResult>> count_cliques(Engine& engine, const Planned& planned) {
  const unsigned vertices = planned.query.vertices;
  RIZOMA_ASSIGN(const bool pays, orientation_pays(engine, planned.graph));
  if (!pays) return count_near(engine, planned.graph);
  RIZOMA_ASSIGN(const OrientedLists lists, OrientedLists::make(engine, planned.graph));
  if (vertices > 3 && longest(lists) > kMostBelow) return std::optional<CountResult>();
  RIZOMA_ASSIGN(const CoreRows core, CoreRows::make(engine, lists));
  ListCounter lists_read(engine, planned.graph);
  std::vector<CliqueCounter> counters;
  for (unsigned thread = 0; thread < engine.threads(); ++thread) {
    counters.emplace_back(engine, lists, core, lists_read[thread], vertices);
  }
  RIZOMA_TRY(engine.for_blocks(lists.size(), kGrain, [&](VertexRange block, unsigned thread) {
    for (VertexId u = block.begin; u < block.end && !engine.stopping(); ++u) {
      if (planned.graph.is_live(lists.vertex_of(u))) counters[thread].count(u);
    }
  }));
  Found found;
  for (const CliqueCounter& counter : counters) {
    for (unsigned size = 0; size < vertices; ++size) found[size].add(counter.found()[size]);
  }
  if (found[vertices - 1].is_over()) return too_many_matches();
  return std::optional(result_of(found, vertices));
}

}  // namespace rizoma::query
