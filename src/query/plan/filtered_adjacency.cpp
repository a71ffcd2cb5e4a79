#include "query/plan/filtered_adjacency.h"

#include "query/plan/edge_filter.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

namespace rizoma::query {
namespace {

constexpr VertexId kTestedAtOnce = 64;  // vertices whose edges are tested at once
constexpr VertexId kSortGrain = 512;    // lists that are sorted at once
// While they are made: what threads found, the lists, those of the other direction; offsets of 64 bits, each way twice.
constexpr std::uint64_t kPeakOfEdge = 32;
constexpr std::uint64_t kPeakOfVertex = 32;
constexpr std::uint64_t kOfVertex = 8;  // afterwards
constexpr EdgeCount kSampledEdges = 128;

/// Lists one after another.
template <class Target>
struct Flat {
  std::vector<std::uint64_t> first;  ///< of each vertex, and one more
  std::vector<Target> targets;
  std::vector<FilteredEntry> entries;  ///< parallel to targets, or empty

  [[nodiscard]] std::uint64_t size(VertexId v) const { return first[v + 1] - first[v]; }
};

/// The memory of a view.
template <class Target>
struct Kept {
  Flat<Target> out;
  Flat<Target> in;
  std::vector<std::uint32_t> out_offsets;
  std::vector<std::uint32_t> in_offsets;
};

template <class Target>
class Builder {
 public:
  Builder(Engine& engine, const GraphView& graph, const Adjacency<Target>& lists, std::span<const Filter> filters,
          const MatchColumns& columns, const RowBits* rows, std::uint64_t most_bytes, bool of_part)
      : engine_(engine),
        graph_(graph),
        lists_(lists),
        filters_(filters),
        columns_(columns),
        rows_(rows),
        row_lists_(rows == nullptr ? nullptr : columns.edge_rows()->lists()),
        of_part_(of_part),
        room_((most_bytes - std::min(most_bytes, vertices() * kPeakOfVertex)) / kPeakOfEdge) {}

  Result<std::optional<GraphView>> run() {
    if (room_ == 0) return std::optional<GraphView>();
    auto kept = std::make_shared<Kept<Target>>();
    RIZOMA_ASSIGN(kept->out, tested());
    if (too_many()) return std::optional<GraphView>();
    GraphView::Parts parts;
    parts.num_self_loops = loops_.load();
    if (!graph_.directed() || graph_.has_in_edges()) {
      RIZOMA_ASSIGN(kept->in, transposed(kept->out));
    }
    if (!graph_.directed()) {
      RIZOMA_ASSIGN(kept->out, joined(kept->in, kept->out));
      kept->in = {};
    }
    parts.directed = graph_.directed();
    parts.num_entries = kept->out.targets.size();
    parts.out = adjacency(kept->out, kept->out_offsets);
    if (graph_.directed() && graph_.has_in_edges()) parts.in = adjacency(kept->in, kept->in_offsets);
    parts.removed = graph_.parts().removed;
    parts.may_have_parallel_edges = graph_.may_have_parallel_edges();
    parts.ordered_by_degree = graph_.ordered_by_degree();
    kept->out.first = {};  // the sections have offsets of their own
    kept->in.first = {};
    parts.owner = std::move(kept);
    return std::optional<GraphView>(std::move(parts));
  }

 private:
  /// What one thread kept, and of which blocks.
  struct alignas(64) Found {
    std::vector<Target> targets;
    std::vector<FilteredEntry> entries;
    std::vector<std::pair<VertexId, std::size_t>> blocks;  ///< the first vertex, and where its edges begin
    std::vector<std::uint8_t> keep;
  };

  [[nodiscard]] VertexId vertices() const noexcept { return lists_.num_vertices(); }
  [[nodiscard]] bool too_many() const noexcept { return found_.load(std::memory_order_relaxed) > room_; }

  /// The out-lists; of an undirected graph each edge at its smaller end.  Nothing of use if they are too many.
  Result<Flat<Target>> tested() {
    Flat<Target> flat;
    flat.first.assign(vertices() + 1, 0);
    std::vector<Found> found(engine_.threads());
    RIZOMA_TRY(engine_.for_blocks(vertices(), kTestedAtOnce, [&](VertexRange block, unsigned thread) {
      if (too_many()) return;
      EdgeFilter test(filters_, columns_, rows_);
      Found& mine = found[thread];
      const std::size_t before = mine.targets.size();
      mine.blocks.emplace_back(block.begin, mine.targets.size());
      for (VertexId v = block.begin; v < block.end; ++v) flat.first[v + 1] = test_list(test, v, mine);
      found_.fetch_add(mine.targets.size() - before, std::memory_order_relaxed);
    }));
    if (too_many()) return flat;
    std::partial_sum(flat.first.begin(), flat.first.end(), flat.first.begin());
    flat.targets.resize(flat.first.back());
    flat.entries.resize(flat.first.back());
    engine_.parallel([&](unsigned thread) {
      const Found& mine = found[thread];
      for (const auto& [v, begin] : mine.blocks) {
        const std::uint64_t to = flat.first[v];
        const std::uint64_t count = flat.first[std::min(v + kTestedAtOnce, vertices())] - to;
        std::copy_n(mine.targets.begin() + static_cast<std::ptrdiff_t>(begin), count,
                    flat.targets.begin() + static_cast<std::ptrdiff_t>(to));
        std::copy_n(mine.entries.begin() + static_cast<std::ptrdiff_t>(begin), count,
                    flat.entries.begin() + static_cast<std::ptrdiff_t>(to));
      }
    });
    return flat;
  }

  /// Counts the edges of v that are kept, and adds them to the result.
  std::uint64_t test_list(EdgeFilter& test, VertexId v, Found& found) {
    const auto list = lists_.neighbors(v);
    std::size_t begin = 0;
    if (!graph_.directed()) {
      const auto own = std::lower_bound(list.begin(), list.end(), static_cast<Target>(v));
      begin = static_cast<std::size_t>(own - list.begin());
    }
    if (list.size() == begin) return 0;
    found.keep.resize(list.size() - begin);
    const FilteredEntry* const entries = of_part_ ? lists_.template weights<FilteredEntry>(v).data() : nullptr;
    if (entries == nullptr) test.run(v, begin, found.keep);
    else test_rows(std::span(entries, list.size()).subspan(begin), found.keep);
    const double* const rows = entries == nullptr ? rows_of(v) : nullptr;
    const std::size_t before = found.targets.size();
    EdgeCount loops = 0;
    for (std::size_t i = begin; i < list.size(); ++i) {
      if (found.keep[i - begin] == 0) continue;
      found.targets.push_back(list[i]);
      const std::uint32_t row = rows == nullptr ? 0 : static_cast<std::uint32_t>(rows[i]);
      found.entries.push_back(entries == nullptr ? FilteredEntry{static_cast<std::uint32_t>(i), row} : entries[i]);
      if (list[i] == v) ++loops;
    }
    if (loops != 0) loops_.fetch_add(loops, std::memory_order_relaxed);
    return found.targets.size() - before;
  }

  /// As EdgeFilter::run, of edges whose rows are known.
  void test_rows(std::span<const FilteredEntry> entries, std::span<std::uint8_t> keep) const {
    for (std::size_t i = 0; i < entries.size(); ++i) keep[i] = rows_->holds(entries[i].row) ? 1 : 0;
  }

  /// Those of the edges in the graph's list; null: values do not lie in rows.
  [[nodiscard]] const double* rows_of(VertexId v) const {
    if (row_lists_ == nullptr) return nullptr;
    return row_lists_->with_out([&](const auto& out) { return out.template weights<double>(v).data(); });
  }

  /// The sources of each vertex's edges, ascending; of an undirected graph without self-loops, which have one entry.
  Result<Flat<Target>> transposed(const Flat<Target>& lists) {
    Flat<Target> flat;
    flat.first.assign(vertices() + 1, 0);
    const bool loops = graph_.directed();
    const auto for_each_edge = [&](const auto& f) {
      return engine_.for_blocks(vertices(), kSortGrain, [&](VertexRange block, unsigned) {
        for (VertexId v = block.begin; v < block.end; ++v) {
          for (std::uint64_t i = lists.first[v]; i < lists.first[v + 1]; ++i) {
            if (loops || lists.targets[i] != v) f(v, lists.targets[i]);
          }
        }
      });
    };
    RIZOMA_TRY(for_each_edge([&](VertexId, Target to) {
      std::atomic_ref<std::uint64_t>(flat.first[std::size_t{to} + 1]).fetch_add(1, std::memory_order_relaxed);
    }));
    std::partial_sum(flat.first.begin(), flat.first.end(), flat.first.begin());
    flat.targets.resize(flat.first.back());
    std::vector<std::uint64_t> next(flat.first.begin(), flat.first.end() - 1);
    RIZOMA_TRY(for_each_edge([&](VertexId from, Target to) {
      const std::uint64_t place = std::atomic_ref<std::uint64_t>(next[to]).fetch_add(1, std::memory_order_relaxed);
      flat.targets[place] = static_cast<Target>(from);
    }));
    RIZOMA_TRY(engine_.for_blocks(vertices(), kSortGrain, [&](VertexRange block, unsigned) {
      const auto at = [&](VertexId v) { return flat.targets.begin() + static_cast<std::ptrdiff_t>(flat.first[v]); };
      for (VertexId v = block.begin; v < block.end; ++v) {
        if (!std::is_sorted(at(v), at(v + 1))) std::sort(at(v), at(v + 1));
      }
    }));
    return flat;
  }

  /// Of each vertex, first its list in `lower`, then that in `upper`, with its entries.
  Result<Flat<Target>> joined(const Flat<Target>& lower, const Flat<Target>& upper) {
    Flat<Target> flat;
    flat.first.resize(vertices() + 1);
    for (VertexId v = 0; v <= vertices(); ++v) flat.first[v] = lower.first[v] + upper.first[v];
    flat.targets.resize(flat.first.back());
    flat.entries.resize(flat.first.back());
    RIZOMA_TRY(engine_.for_blocks(vertices(), kSortGrain, [&](VertexRange block, unsigned) {
      for (VertexId v = block.begin; v < block.end; ++v) {
        const std::uint64_t middle = flat.first[v] + lower.size(v);
        std::copy_n(lower.targets.data() + lower.first[v], lower.size(v), flat.targets.data() + flat.first[v]);
        std::copy_n(upper.targets.data() + upper.first[v], upper.size(v), flat.targets.data() + middle);
        std::copy_n(upper.entries.data() + upper.first[v], upper.size(v), flat.entries.data() + middle);
      }
    }));
    return flat;
  }

  /// The lists in sections like those of the graph, whose offsets are put into `offsets`.
  [[nodiscard]] Adjacency<Target> adjacency(const Flat<Target>& flat, std::vector<std::uint32_t>& offsets) const {
    offsets.resize(vertices() + lists_.num_sections());
    std::vector<SectionEdges<Target>> sections;
    for (SectionId s = 0; s < lists_.num_sections(); ++s) {
      const VertexRange range = lists_.range_of(s);
      std::uint32_t* const to = offsets.data() + range.begin + s;
      const std::uint64_t first = flat.first[range.begin];
      for (VertexId v = range.begin; v <= range.end; ++v) {
        to[v - range.begin] = static_cast<std::uint32_t>(flat.first[v] - first);
      }
      const FilteredEntry* const entries = flat.entries.empty() ? nullptr : flat.entries.data() + first;
      sections.push_back({to, flat.targets.data() + first, entries, nullptr});
    }
    return {lists_.section_bits(), vertices(), std::move(sections)};
  }

  Engine& engine_;
  const GraphView& graph_;
  const Adjacency<Target>& lists_;
  std::span<const Filter> filters_;
  const MatchColumns& columns_;
  const RowBits* rows_;         ///< for which the filters hold, where values lie in rows; else null
  const GraphView* row_lists_;  ///< the graph's lists with rows, where there are rows; else null
  bool of_part_;                ///< `lists_` are some of its edges
  std::uint64_t room_;          ///< for this many edges
  std::atomic<std::uint64_t> found_ = 0;
  std::atomic<EdgeCount> loops_ = 0;
};

/// A few edges, equally far apart.
template <class Target>
std::vector<std::pair<VertexId, VertexId>> spread_edges(const Adjacency<Target>& lists, EdgeCount entries) {
  std::vector<std::pair<VertexId, VertexId>> found;
  const EdgeCount step = std::max<EdgeCount>(1, entries / kSampledEdges);
  EdgeCount begin = 0;
  EdgeCount next = step / 2;
  for (VertexId v = 0; v < lists.num_vertices(); ++v) {
    const EdgeCount end = begin + lists.degree(v);
    for (; next < end; next += step) found.emplace_back(v, lists.neighbors(v)[next - begin]);
    begin = end;
  }
  return found;
}

}  // namespace

Result<std::optional<FilteredEdges>> filtered_adjacency(Engine& engine, const GraphView& graph,
                                                        std::span<const Filter> filters, const MatchColumns& columns,
                                                        std::uint64_t most_bytes, const FilteredEdges* among) {
  FilteredEdges made;
  if (const EdgeRows* const rows = columns.edge_rows()) {
    if (rows->size() > std::uint64_t{UINT32_MAX} + 1) return std::optional<FilteredEdges>();
    if (among != nullptr) {
      RIZOMA_ASSIGN(made.rows, kept_rows(engine, filters, *rows, *among->rows));
    } else {
      RIZOMA_ASSIGN(const auto used, rows->used(engine));
      RIZOMA_ASSIGN(made.rows, kept_rows(engine, filters, *rows, RowBits(*used)));
    }
  }
  const GraphView& looked_at = among == nullptr ? graph : among->lists;
  const RowBits* const bits = made.rows ? &*made.rows : nullptr;
  RIZOMA_ASSIGN(auto lists, looked_at.with_out([&]<class Target>(const Adjacency<Target>& out) {
    return Builder<Target>(engine, looked_at, out, filters, columns, bits, most_bytes, among != nullptr).run();
  }));
  if (!lists) return std::optional<FilteredEdges>();
  made.lists = *std::move(lists);
  return std::optional<FilteredEdges>(std::move(made));
}

void find_figures(FilteredEdges& edges) {
  edges.lists.with_out([&]<class Target>(const Adjacency<Target>& out) {
    edges.some = spread_edges(out, edges.lists.num_entries());
    const auto mean_of = [&](const Adjacency<Target>& lists) {
      double some = 0;
      for (VertexId v = 0; v < lists.num_vertices(); ++v) some += lists.degree(v) != 0 ? 1 : 0;
      return some == 0 ? 0 : static_cast<double>(edges.lists.num_entries()) / some;
    };
    const bool has_in = edges.lists.directed() && edges.lists.has_in_edges();
    edges.mean_out = mean_of(out);
    edges.mean_in = has_in ? mean_of(std::get<Adjacency<Target>>(*edges.lists.parts().in)) : edges.mean_out;
  });
}

std::uint64_t bytes_of_filtered(const FilteredEdges& kept) {
  const GraphView& lists = kept.lists;
  return lists.with_out([&]<class Target>(const Adjacency<Target>&) {
    const std::uint64_t of_entry = (lists.has_in_edges() ? 2 : 1) * sizeof(Target) + sizeof(FilteredEntry);
    const std::uint64_t of_rows = kept.rows ? kept.rows->bytes().size() : 0;
    return lists.num_vertices() * kOfVertex + lists.num_entries() * of_entry + of_rows;
  });
}

}  // namespace rizoma::query
