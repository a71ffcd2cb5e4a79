#include <rizoma/algorithms/triangle_count.h>

#include "algorithms/add_up.h"
#include "algorithms/near_triangles.h"
#include "algorithms/ranked_lists.h"

#include <rizoma/process_vertices.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using Rank = RankedLists::Rank;
using Word = std::uint64_t;

constexpr std::uint64_t kGrain = 64;  // vertices handed out at once

/// The lists of the first `size()` ranks (the core: few vertices, most of the wedges) as rows of bits: bit
/// w of row v tells whether v and w < v are adjacent.
class CoreRows {
 public:
  static constexpr VertexId kMost = VertexId{1} << 15;  // rows of 64 MiB together

  static Result<CoreRows> make(Engine& engine, const RankedLists& lists) {
    CoreRows rows;
    VertexId size = std::min(lists.size(), kMost);
    while (place(size) > lists.num_edges() / 2 + 64) size -= size / 8 + 1;  // at most 4 bytes an edge
    rows.size_ = size;
    rows.words_ = engine.make_map<Word>(place(size), 0);
    RIZOMA_TRY(engine.for_blocks(size, kGrain, [&](VertexRange block, unsigned) {
      for (VertexId v = block.begin; v < block.end; ++v) {
        Word* row = rows.words_.data() + place(v);
        for (const Rank w : lists[v]) row[w >> 6] |= Word{1} << (w & 63);
      }
    }));
    return rows;
  }

  [[nodiscard]] VertexId size() const noexcept { return size_; }
  [[nodiscard]] std::span<const Word> operator[](VertexId v) const noexcept {
    return {words_.data() + place(v), v / 64 + 1};
  }

 private:
  /// Words of the rows before row v, of which row i has i/64 + 1.
  static constexpr std::uint64_t place(VertexId v) noexcept {
    const std::uint64_t full = v / 64;
    return 32 * full * (full + 1) + (v % 64) * (full + 1);
  }

  VertexMap<Word> words_;
  VertexId size_ = 0;
};

bool has(const Word* bits, Rank i) noexcept { return (bits[i >> 6] >> (i & 63)) & 1; }

/// Counts the triangles whose greatest rank is a given one; one for each thread.  kEach: adds to the
/// counts of the three vertices as well.
template <bool kEach>
class alignas(64) Counter {
 public:
  Counter(const RankedLists& lists, const CoreRows& core, VertexMap<std::uint64_t>& counts,
          ListCounter::OfThread& lists_read)
      : lists_(&lists),
        core_(&core),
        counts_(&counts),
        lists_read_(&lists_read),
        marks_(lists.size() / 64 + 1),
        core_counts_(kEach ? core.size() : 0) {}

  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }

  void count(VertexId u) {
    const std::span<const Rank> list = (*lists_)[u];
    if (list.size() < 2) return;
    lists_read_->add(lists_->vertex_of(u), list.size());
    for (const Rank w : list) marks_[w >> 6] |= Word{1} << (w & 63);
    std::uint64_t of_u = 0;
    for (std::size_t i = 1; i < list.size(); ++i) {
      const Rank v = list[i];
      const std::uint64_t found = v < core_->size() ? close_in_core(v, list.first(i)) : close(v);
      if constexpr (kEach) add(v, found);
      of_u += found;
    }
    if constexpr (kEach) add(static_cast<Rank>(u), of_u);
    total_ += of_u;
    for (const Rank w : list) marks_[w >> 6] = 0;
  }

  /// Moves the counts of the core to the result.
  void deliver() {
    for (VertexId v = 0; v < core_counts_.size(); ++v) (*counts_)[lists_->vertex_of(v)] += core_counts_[v];
  }

 private:
  /// Common neighbours below v of u (marked; `below`: its neighbours below v) and v of the core, by the
  /// cheaper way: word by word, or one test for each of `below`.
  std::uint64_t close_in_core(Rank v, std::span<const Rank> below) {
    const std::span<const Word> row = (*core_)[v];
    std::uint64_t found = 0;
    if (row.size() > 2 * below.size()) {
      for (const Rank w : below) found += hit(has(row.data(), w), w);
      return found;
    }
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Word common = row[i] & marks_[i];
      found += static_cast<std::uint64_t>(std::popcount(common));
      if constexpr (kEach) {
        for (Word bits = common; bits != 0; bits &= bits - 1)
          add(static_cast<Rank>(i * 64) + static_cast<Rank>(std::countr_zero(bits)), 1);
      }
    }
    return found;
  }

  /// Common neighbours below v of u (marked) and any v.
  std::uint64_t close(Rank v) {
    std::uint64_t found = 0;
    const std::span<const Rank> list = (*lists_)[v];
    lists_read_->add(lists_->vertex_of(v), list.size());
    for (const Rank w : list) found += hit(has(marks_.data(), w), w);
    return found;
  }

  std::uint64_t hit(bool common, Rank w) {
    if constexpr (kEach) {
      if (common) add(w, 1);
    }
    return common ? 1 : 0;
  }

  void add(Rank v, std::uint64_t triangles) {
    if (v < core_counts_.size()) {
      core_counts_[v] += triangles;
    } else if (triangles != 0) {
      counts_->atomic(lists_->vertex_of(v)).fetch_add(triangles, std::memory_order_relaxed);
    }
  }

  const RankedLists* lists_;
  const CoreRows* core_;
  VertexMap<std::uint64_t>* counts_;
  ListCounter::OfThread* lists_read_;
  std::vector<Word> marks_;
  std::vector<std::uint64_t> core_counts_;
  std::uint64_t total_ = 0;
};

template <bool kEach>
Status count_all(Engine& engine, const RankedLists& lists, const CoreRows& core, TriangleCountResult& result) {
  ListCounter lists_read(engine, lists.graph());
  std::vector<Counter<kEach>> counters;
  for (unsigned thread = 0; thread < engine.threads(); ++thread) {
    counters.emplace_back(lists, core, result.counts, lists_read[thread]);
  }
  RIZOMA_TRY(engine.for_blocks(lists.size(), kGrain, [&](VertexRange block, unsigned thread) {
    for (VertexId u = block.begin; u < block.end; ++u) {
      if (lists.is_mine(u)) counters[thread].count(u);
    }
  }));
  for (Counter<kEach>& counter : counters) {
    result.total += counter.total();
    counter.deliver();
  }
  RIZOMA_ASSIGN(result.total, over_ranks(engine, result.total, std::plus<>()));
  return add_up(engine, result.counts);
}

}  // namespace

Result<TriangleCountResult> triangle_count(Engine& engine, const GraphView& graph,
                                           const TriangleCountOptions& options) {
  RIZOMA_TRY(engine.report("triangle_count", 0, 0));
  TriangleCountResult result;
  RIZOMA_ASSIGN(const bool counted, count_near_triangles(engine, graph, options, result));
  if (counted) return result;
  RIZOMA_ASSIGN(const RankedLists lists, RankedLists::make(engine, graph));
  RIZOMA_ASSIGN(const CoreRows core, CoreRows::make(engine, lists));
  if (options.per_vertex) {
    result.counts = engine.make_map<std::uint64_t>(graph.num_vertices(), 0);
    RIZOMA_TRY(count_all<true>(engine, lists, core, result));
  } else {
    RIZOMA_TRY(count_all<false>(engine, lists, core, result));
  }
  return result;
}

}  // namespace rizoma
