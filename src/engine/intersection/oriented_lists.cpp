#include "engine/intersection/oriented_lists.h"

#include <rizoma/graph_view.h>
#include <rizoma/process_vertices.h>

#include "base/check.h"
#include "engine/exchange/list_wire.h"
#include "engine/exchange/pieces.h"
#include "engine/intersection/degree_order.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <optional>
#include <utility>

namespace rizoma {
namespace {

using DegreeRank = OrientedLists::DegreeRank;

constexpr VertexId kSampled = 1 << 12;  // vertices whose neighbours' numbers are looked at
constexpr VertexId kNear = 32;          // numbers are near that differ by less than a 32nd of all
constexpr std::uint64_t kGrain = 1024;  // ranks whose lists are made together
constexpr EdgeCount kFewByNumber = 32;  // wedges of an entry, each once by the numbers of its vertices
constexpr EdgeCount kFewWedges = 16;    // of a vertex's entry: what making its oriented list costs, in steps of a merge

/// Sorts sets of ranks by setting bits, with a bit for each word set above them: 3-5 times faster
/// than comparing, as soon as a list has some dozens of members.
class DegreeRankSorter {
 public:
  explicit DegreeRankSorter(VertexId n) : bits_(n / 64 + 1), words_(n / 4096 + 1) {}

  /// Sorts [first, end of list) and drops repetitions.
  void sort(std::vector<DegreeRank>& list, std::size_t first) {
    if (list.size() - first < kFewest) {
      std::sort(list.begin() + static_cast<std::ptrdiff_t>(first), list.end());
      list.erase(std::unique(list.begin() + static_cast<std::ptrdiff_t>(first), list.end()), list.end());
      return;
    }
    DegreeRank greatest = 0;
    for (std::size_t i = first; i < list.size(); ++i) {
      const DegreeRank degree_rank = list[i];
      bits_[degree_rank >> 6] |= std::uint64_t{1} << (degree_rank & 63);
      words_[degree_rank >> 12] |= std::uint64_t{1} << ((degree_rank >> 6) & 63);
      greatest = std::max(greatest, degree_rank);
    }
    list.resize(first);
    for (std::size_t i = 0; i <= greatest >> 12; ++i) {
      for (std::uint64_t words = std::exchange(words_[i], 0); words != 0; words &= words - 1) {
        const std::size_t word = i * 64 + static_cast<std::size_t>(std::countr_zero(words));
        for (std::uint64_t bits = std::exchange(bits_[word], 0); bits != 0; bits &= bits - 1) {
          list.push_back(static_cast<DegreeRank>(word * 64 + static_cast<std::size_t>(std::countr_zero(bits))));
        }
      }
    }
  }

 private:
  static constexpr std::size_t kFewest = 32;
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint64_t> words_;
};

/// The in-lists of a directed graph that stores none.
template <class Target>
class Transpose {
 public:
  Status build(Engine& engine, const GraphView& graph, const Adjacency<Target>& out) {
    sources_.resize(graph.num_entries());
    const VertexId n = out.num_vertices();
    std::vector<EdgeCount> next(n + 1);
    RIZOMA_TRY(engine.for_edges(graph, Direction::out, [&](VertexRange block, unsigned) {
      for (VertexId u = block.begin; u < block.end; ++u) {
        for (const Target v : out.neighbors(u)) std::atomic_ref(next[v + 1]).fetch_add(1, std::memory_order_relaxed);
      }
    }));
    for (VertexId v = 0; v < n; ++v) next[v + 1] += next[v];
    std::vector<SectionEdges<Target>> sections;
    for (SectionId s = 0; s < out.num_sections(); ++s) {
      const VertexRange range = out.range_of(s);
      std::vector<std::uint32_t> offsets;
      for (VertexId v = range.begin; v <= range.end; ++v)
        offsets.push_back(static_cast<std::uint32_t>(next[v] - next[range.begin]));
      sections.push_back({offsets.data(), sources_.data() + next[range.begin], nullptr});
      offsets_.push_back(std::move(offsets));
    }
    in_ = Adjacency<Target>(out.section_bits(), n, std::move(sections));
    RIZOMA_TRY(engine.for_edges(graph, Direction::out, [&](VertexRange block, unsigned) {
      for (VertexId u = block.begin; u < block.end; ++u) {
        for (const Target v : out.neighbors(u)) {
          sources_[std::atomic_ref(next[v]).fetch_add(1, std::memory_order_relaxed)] = static_cast<Target>(u);
        }
      }
    }));
    // Threads put the sources of a list down in any order; next[v] is now where the list of v ends.
    return engine.for_vertices(graph, [&](VertexRange block, unsigned) {
      for (VertexId v = block.begin; v < block.end; ++v) {
        const EdgeCount begin = v == 0 ? 0 : next[v - 1];
        std::sort(sources_.data() + begin, sources_.data() + next[v]);
      }
    });
  }
  [[nodiscard]] const Adjacency<Target>& in() const noexcept { return in_; }

 private:
  std::vector<Target> sources_;
  std::vector<std::vector<std::uint32_t>> offsets_;
  Adjacency<Target> in_;
};

}  // namespace

/// Numbers the vertices by decreasing degree, ties by number; returns the rank of each.
template <class Target>
std::vector<DegreeRank> OrientedLists::order_by_degree(const Adjacency<Target>& out, const Adjacency<Target>* in) {
  const VertexId n = out.num_vertices();
  constexpr EdgeCount kMost = 1 << 20;  // degrees above are rare: they share the first class
  const auto degree = [&](VertexId v) { return out.degree(v) + (in != nullptr ? in->degree(v) : 0); };
  std::vector<DegreeRank> degree_rank(n);
  order_.resize(n);
  for_each_by_degree(n, kMost, degree, [&](VertexId v, DegreeRank place) {
    degree_rank[v] = place;
    order_[place] = static_cast<DegreeRank>(v);
  });
  return degree_rank;
}

template <class Target>
Status OrientedLists::build(Engine& engine, const Adjacency<Target>& out, const Adjacency<Target>* in) {
  const std::vector<DegreeRank> degree_rank = order_by_degree(out, in);
  const EdgeCount most = graph_.directed() ? graph_.num_entries() : graph_.num_entries() / 2;
  entries_ = engine.make_map<DegreeRank>(most, 0);
  std::atomic<EdgeCount> used = 0;
  struct Worker {
    std::optional<DegreeRankSorter> sorter;
    std::vector<DegreeRank> lists;
    std::vector<std::size_t> ends;
  };
  std::vector<Worker> workers(engine.threads());
  ListCounter lists_read(engine, graph_);
  RIZOMA_TRY(engine.for_blocks(size(), kGrain, [&](VertexRange range, unsigned thread) {
    Worker& worker = workers[thread];
    if (!worker.sorter) worker.sorter.emplace(size());
    worker.lists.clear();
    worker.ends.clear();
    const auto add = [&](std::span<const Target> list, VertexId r) {
      lists_read[thread].add(order_[r], list.size());
      for (const Target w : list) {
        if (degree_rank[w] < r) worker.lists.push_back(degree_rank[w]);
      }
    };
    for (VertexId r = range.begin; r < range.end; ++r) {
      const std::size_t first = worker.lists.size();
      if (is_mine(r)) {
        add(out.neighbors(order_[r]), r);
        if (in != nullptr) add(in->neighbors(order_[r]), r);
        worker.sorter->sort(worker.lists, first);
      }
      worker.ends.push_back(worker.lists.size());
    }
    DegreeRank* const to = entries_.data() + used.fetch_add(worker.lists.size(), std::memory_order_relaxed);
    std::copy(worker.lists.begin(), worker.lists.end(), to);
    std::size_t begin = 0;
    for (VertexId r = range.begin; r < range.end; ++r) {
      const std::size_t end = worker.ends[r - range.begin];
      if (is_mine(r)) lists_[r] = {to + begin, end - begin};
      begin = end;
    }
  }));
  num_edges_ = used;
  return {};
}

namespace {

/// Whether nine in ten of the entries of sampled lists lead to a nearby number.
template <class Target>
bool leads_near(const Adjacency<Target>& lists) {
  const VertexId n = lists.num_vertices();
  EdgeCount near = 0;
  EdgeCount all = 0;
  for (VertexId v = 0; v < n; v += std::max<VertexId>(1, n / kSampled)) {
    for (const Target w : lists.neighbors(v)) near += (w < v ? v - w : w - v) < n / kNear ? 1 : 0;
    all += lists.degree(v);
  }
  return near * 10 >= all * 9;
}

/// True if the numbers of vertices serve as ranks: neighbours are near, so that lists are found in the caches, where
/// those of ranks lie far apart; and no vertex has enough neighbours on either side that orientation saves more.
template <class Target>
Result<bool> serve_as_ranks(Engine& engine, const GraphView& graph, const Adjacency<Target>& lists) {
  if (!leads_near(lists)) return false;
  RIZOMA_ASSIGN(const EdgeCount wedges, process_vertices(engine, graph, EdgeCount{0}, [&](VertexId v) {
                  const auto list = lists.neighbors(v);
                  const auto below = std::lower_bound(list.begin(), list.end(), v) - list.begin();
                  return static_cast<EdgeCount>(below) * (list.size() - static_cast<EdgeCount>(below));
                }));
  return wedges <= kFewByNumber * graph.num_entries();
}

}  // namespace

Status OrientedLists::read_in_place(Engine& engine, const Adjacency<DegreeRank>& lists) {
  std::atomic<EdgeCount> edges = 0;
  RIZOMA_TRY(engine.for_vertices(graph_, [&](VertexRange block, unsigned) {
    EdgeCount of_block = 0;
    for (VertexId v = block.begin; v < block.end; ++v) {
      const std::span<const DegreeRank> list = lists.neighbors(v);
      const auto end = std::lower_bound(list.begin(), list.end(), v);
      lists_[v] = {list.data(), static_cast<std::uint64_t>(end - list.begin())};
      of_block += lists_[v].size;
    }
    edges.fetch_add(of_block, std::memory_order_relaxed);
  }));
  num_edges_ = edges;
  return {};
}

Result<std::vector<std::vector<DegreeRank>>> OrientedLists::wanted(Engine& engine) const {
  VertexSet found(size());
  RIZOMA_TRY(engine.for_blocks(size(), kGrain, [&](VertexRange range, unsigned) {
    for (VertexId r = range.begin; r < range.end; ++r) {
      const std::span<const DegreeRank> list = is_mine(r) ? (*this)[r] : std::span<const DegreeRank>();
      for (std::size_t i = 1; i < list.size(); ++i) {
        if (!is_mine(list[i])) found.add_atomic(list[i]);
      }
    }
  }));
  std::vector<std::vector<DegreeRank>> of_process(processes_->size());
  found.for_each(
      [&](VertexId r) { of_process[processes_->owner(vertex_of(r))].push_back(static_cast<DegreeRank>(r)); });
  return of_process;
}

namespace {

/// The part of a list that a piece of a message is about.
template <class Ranks>
auto part_of(const Ranks& ranks, std::size_t piece) {
  const std::span all(ranks);
  return all.subspan(piece * kGrain, std::min<std::size_t>(all.size() - piece * kGrain, kGrain));
}

std::size_t parts_of(std::size_t ranks) { return (ranks + kGrain - 1) / kGrain; }

/// The ranks that another process has asked for.
std::vector<OrientedLists::DegreeRank> ranks_in(std::span<const std::byte> question) {
  std::vector<OrientedLists::DegreeRank> ranks;
  for (const std::span<const std::byte> piece : pieces_of(question)) {
    WireReader reader(piece);
    get_list(reader, ranks);
  }
  return ranks;
}

}  // namespace

Status OrientedLists::fetch(Engine& engine) {
  RIZOMA_ASSIGN(const std::vector<std::vector<DegreeRank>> asked, wanted(engine));
  std::vector<std::vector<std::byte>> questions;
  for (const std::vector<DegreeRank>& of_process : asked) {
    RIZOMA_ASSIGN(auto question, pack_pieces(engine, parts_of(of_process.size()), 0, 1, [&](auto piece, auto& writer) {
                    put_list(writer, part_of(of_process, piece));
                  }));
    questions.push_back(std::move(question));
  }
  RIZOMA_ASSIGN(const auto received, processes_->collective(CollectiveKind::lists, std::move(questions)));
  std::vector<std::vector<std::byte>> answers;
  for (const std::vector<std::byte>& question : received) {
    const std::vector<DegreeRank> theirs = ranks_in(question);
    RIZOMA_ASSIGN(auto answer, pack_pieces(engine, parts_of(theirs.size()), 0, 1, [&](auto piece, auto& writer) {
                    for (const DegreeRank r : part_of(theirs, piece)) {
                      RIZOMA_CHECK(r < size() && is_mine(r));
                      put_list(writer, (*this)[r]);
                    }
                  }));
    answers.push_back(std::move(answer));
  }
  RIZOMA_ASSIGN(auto lists, processes_->collective(CollectiveKind::lists, std::move(answers)));
  for (std::size_t process = 0; process < lists.size(); ++process) {
    const std::vector<std::byte> answer = std::move(lists[process]);
    RIZOMA_TRY(take_lists(engine, asked[process], answer));
  }
  return {};
}

/// Keeps the lists of these ranks, which their process has sent.
Status OrientedLists::take_lists(Engine& engine, const std::vector<DegreeRank>& asked,
                                 std::span<const std::byte> answer) {
  std::vector<std::vector<DegreeRank>> parts(parts_of(asked.size()));
  RIZOMA_TRY(unpack_pieces(engine, answer, [&](std::size_t piece, std::span<const std::byte> packed, unsigned) {
    RIZOMA_CHECK(piece < parts.size());
    WireReader reader(packed);
    std::vector<DegreeRank>& entries = parts[piece];
    entries.reserve(1);  // an empty list is here, too
    std::vector<std::uint64_t> sizes;
    for (std::size_t i = 0; i < part_of(asked, piece).size(); ++i) sizes.push_back(get_list(reader, entries));
    const DegreeRank* begin = entries.data();
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      lists_[part_of(asked, piece)[i]] = {begin, sizes[i]};
      begin += sizes[i];
    }
  }));
  for (std::vector<DegreeRank>& part : parts) fetched_.push_back(std::move(part));
  return {};
}

Result<VertexMap<std::uint64_t>> OrientedLists::move_own(Engine& engine, std::span<DegreeRank> place) {
  VertexMap<std::uint64_t> begins = engine.make_map<std::uint64_t>(size() + 1, 0);
  std::uint64_t end = 0;
  for (VertexId r = 0; r < size(); ++r) {
    begins[r] = end;
    if (is_mine(r)) end += lists_[r].size;
  }
  begins[size()] = end;
  RIZOMA_CHECK(end <= place.size());
  RIZOMA_TRY(engine.for_blocks(size(), kGrain, [&](VertexRange range, unsigned) {
    for (VertexId r = range.begin; r < range.end; ++r) {
      if (!is_mine(r)) continue;
      DegreeRank* const to = place.data() + begins[r];
      std::copy_n(lists_[r].begin, lists_[r].size, to);
      lists_[r].begin = to;
    }
  }));
  entries_ = {};
  return begins;
}

Result<OrientedLists> OrientedLists::make(Engine& engine, const GraphView& graph) {
  const VertexId n = graph.num_vertices();
  if (n > std::numeric_limits<DegreeRank>::max()) {
    return Error{ErrorCode::unsupported, "triangle counting takes at most 2^32 - 1 vertices, not " + std::to_string(n)};
  }
  OrientedLists oriented;
  oriented.graph_ = graph;
  oriented.processes_ = engine.ranks();
  if (oriented.processes_ != nullptr) {
    if (!graph.has_in_edges()) {
      return Error{ErrorCode::unsupported,
                   "triangle counting on several ranks needs the in-edges of a directed graph; create it with "
                   "in_edges=True"};
    }
    RIZOMA_TRY(oriented.processes_->divide(graph));
  }
  oriented.lists_ = engine.make_map<Place>(n, Place{nullptr, 0});
  const auto read = [&]<class Target>(const Adjacency<Target>& out) -> Status {
    if constexpr (sizeof(Target) == sizeof(DegreeRank)) {
      if (!graph.directed() && !graph.may_have_parallel_edges()) {
        bool serve = graph.ordered_by_degree();
        if (!serve && oriented.processes_ == nullptr) {
          RIZOMA_ASSIGN(serve, serve_as_ranks(engine, graph, out));
        }
        if (serve) return oriented.read_in_place(engine, out);
      }
    }
    if (!graph.directed()) return oriented.build<Target>(engine, out, nullptr);
    if (graph.has_in_edges()) return oriented.build(engine, out, &std::get<Adjacency<Target>>(*graph.parts().in));
    Transpose<Target> transpose;
    RIZOMA_TRY(transpose.build(engine, graph, out));
    return oriented.build(engine, out, &transpose.in());
  };
  RIZOMA_TRY(graph.with_out(read));
  if (oriented.processes_ != nullptr) RIZOMA_TRY(oriented.fetch(engine));
  return oriented;
}

Result<bool> orientation_pays(Engine& engine, const GraphView& graph) {
  const Degrees degrees(graph);
  RIZOMA_ASSIGN(const EdgeCount wedges,
                process_vertices(engine, graph, EdgeCount{0}, [&](VertexId v) { return degrees[v] * degrees[v]; }));
  return wedges > kFewWedges * graph.num_entries();
}

}  // namespace rizoma
