#include "engine/quotient/quotient_graph.h"

#include "base/check.h"
#include "engine/exchange/pieces.h"
#include "engine/exchange/wire.h"
#include "engine/loop/kernel_arguments.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

namespace rizoma {
namespace {

using Vertex = QuotientGraph::Vertex;
using Scratch = QuotientGraph::Scratch;

constexpr std::uint64_t kGrain = 1024;
constexpr int kBits = 52;
constexpr Vertex kNoGroup = std::numeric_limits<Vertex>::max();

/// Multiplies by a power of two, in two steps, each of which is a normal number.
struct Scale {
  double half = 1;
  double other_half = 1;
  int exponent = 0;
  [[nodiscard]] static Scale power(int exponent) {
    return {std::ldexp(1.0, exponent / 2), std::ldexp(1.0, exponent - exponent / 2), exponent};
  }
  [[nodiscard]] double operator()(double weight) const noexcept { return weight * half * other_half; }
};

/// A figure of each block of vertices, folded in the order of blocks, so that threads make no difference.
template <class F, class Combine>
Result<double> reduce_in_order(Engine& engine, VertexId n, F&& of_vertex, Combine combine) {
  std::vector<double> partial(n / kGrain + 1);
  RIZOMA_TRY(engine.for_blocks(n, kGrain, [&](VertexRange block, unsigned) {
    double sum = 0;
    for (VertexId v = block.begin; v < block.end; ++v) sum = combine(sum, of_vertex(v));
    partial[block.begin / kGrain] = sum;
  }));
  return std::accumulate(partial.begin(), partial.end(), 0.0, combine);
}

/// The same where processes make no difference: each computes the figures of its own vertices.
template <class F, class Combine>
Result<double> gather_blocks(Engine& engine, VertexId n, Iteration* shared, F&& of_vertex, Combine combine) {
  if (shared == nullptr) return reduce_in_order(engine, n, of_vertex, combine);
  VertexMap<double> figures = engine.make_map<double>(n, 0);
  RIZOMA_TRY(engine.for_blocks(n, kGrain, [&](VertexRange block, unsigned) {
    for (VertexId v = block.begin; v < block.end; ++v) {
      if (shared->is_here(v)) figures[v] = of_vertex(v);
    }
  }));
  RIZOMA_TRY(shared->complete(figures.data()));
  return reduce_in_order(engine, n, [&](VertexId v) { return figures[v]; }, combine);
}

/// What makes the weights of a graph whole numbers with a sum below 2^kBits.
template <class Lists>
Result<Scale> scale_of(Engine& engine, const GraphView& graph, const Lists& out, std::string_view who,
                       Iteration* shared) {
  const VertexId n = graph.num_vertices();
  std::atomic<VertexId> wrong = n;
  const auto greatest_of = [&](VertexId u) {
    double greatest = 0;
    const auto list = out.again(u);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto weight = static_cast<double>(list.weight(i));
      if (weight >= 0 && weight <= std::numeric_limits<double>::max()) {
        greatest = std::max(greatest, weight);
      } else {
        VertexId seen = wrong.load();
        while (u < seen && !wrong.compare_exchange_weak(seen, u)) {
        }
      }
    }
    return greatest;
  };
  const auto greater = [](double a, double b) { return std::max(a, b); };
  RIZOMA_ASSIGN(const double greatest, gather_blocks(engine, n, shared, greatest_of, greater));
  if (wrong != n) return bad_weight(wrong, who);
  if (greatest == 0) return Scale{};
  const int exponent = std::ilogb(greatest);
  const Scale near_one = Scale::power(-exponent);
  const auto sum_of = [&](VertexId u) {
    double sum = 0;
    const auto list = out.again(u);
    for (std::size_t i = 0; i < list.size(); ++i)
      sum += (list.source(i) == u ? 2 : 1) * near_one(static_cast<double>(list.weight(i)));
    return sum;
  };
  RIZOMA_ASSIGN(const double sum, gather_blocks(engine, n, shared, sum_of, std::plus<>()));
  return Scale::power(kBits - 1 - std::ilogb(sum) - exponent);
}

/// Those of other processes stay empty.
VertexMap<ListPlace> room_for_lists(Engine& engine, const QuotientGraph& whole, Vertex n) {
  return whole.shared == nullptr ? engine.make_unset_map<ListPlace>(n) : engine.make_map<ListPlace>(n, ListPlace{});
}

void make_room(Engine& engine, QuotientGraph& whole, Vertex n) {
  whole.weighted = true;
  whole.lists = room_for_lists(engine, whole, n);
  for (unsigned t = 0; t < engine.threads(); ++t) whole.memory.emplace_back(engine);
}

/// Completes sums that each process has of its own vertices.
Status complete_sums(QuotientGraph& whole) {
  if (whole.shared == nullptr) return {};
  RIZOMA_TRY(whole.shared->complete(whole.out.data()));
  return whole.in.empty() ? Status() : whole.shared->complete(whole.in.data());
}

EdgeCount count_entries(const QuotientGraph& whole) {
  EdgeCount entries = 0;
  for (const ListPlace& list : whole.lists.span()) entries += list.size;
  return entries;
}

/// Collects the entries of one list.
struct OneList {
  std::vector<Vertex> targets;
  std::vector<double> weights;
};

/// Lists with weights, of both directions, in memory of their own.
template <class Lists>
Result<QuotientGraph> copied(Engine& engine, const GraphView& graph, const Scale& scale, Lists& out, Lists* in,
                             Iteration* shared) {
  const auto n = static_cast<Vertex>(graph.num_vertices());
  const bool directed = graph.directed();
  QuotientGraph first;
  first.out.resize(n);
  if (directed) first.in.resize(n);
  first.exponent = scale.exponent;
  first.shared = shared;
  make_room(engine, first, n);
  std::vector<OneList> of_threads(engine.threads());
  RIZOMA_TRY(engine.for_blocks(n, kGrain, [&](VertexRange block, unsigned thread) {
    OneList& found = of_threads[thread];
    for (auto u = static_cast<Vertex>(block.begin); u < block.end; ++u) {
      if (!first.is_here(u)) continue;
      found.targets.clear();
      found.weights.clear();
      const auto read = [&](const auto& list, double& sum) {
        for (std::size_t i = 0; i < list.size(); ++i) {
          const auto v = static_cast<Vertex>(list.source(i));
          const double weight = std::nearbyint(scale(static_cast<double>(list.weight(i))));
          sum += v == u && !directed ? 2 * weight : weight;
          if (v == u || weight == 0) continue;
          found.targets.push_back(v);
          found.weights.push_back(weight);
        }
      };
      read(out.read(u, thread), first.out[u]);
      if (directed) read(in->read(u, thread), first.in[u]);
      double* const weights = first.memory[thread].take(found.targets, first.lists[u]);
      std::copy(found.weights.begin(), found.weights.end(), weights);
    }
  }));
  first.entries = count_entries(first);
  RIZOMA_TRY(complete_sums(first));
  return first;
}

/// The lists of a graph without weights, as stored.
Result<QuotientGraph> borrowed(Engine& engine, const GraphView& graph, const ListReader<Vertex, void>& out,
                               Iteration* shared) {
  const VertexId n = graph.num_vertices();
  QuotientGraph first;
  first.shared = shared;
  first.lists = room_for_lists(engine, first, static_cast<Vertex>(n));
  first.out.resize(n);
  first.entries = graph.num_entries();
  RIZOMA_TRY(engine.for_blocks(n, kGrain, [&](VertexRange block, unsigned) {
    for (VertexId v = block.begin; v < block.end; ++v) {
      if (!first.is_here(static_cast<Vertex>(v))) continue;
      const std::span<const Vertex> list = out.again(v).sources();
      first.lists[v] = {list.data(), list.size()};
      first.out[v] = static_cast<double>(list.size());
      if (graph.num_self_loops() == 0) continue;
      const auto loops = std::equal_range(list.begin(), list.end(), static_cast<Vertex>(v));
      first.out[v] += static_cast<double>(loops.second - loops.first);
    }
  }));
  RIZOMA_TRY(complete_sums(first));
  return first;
}

/// Members of each group, in the order of their numbers.
struct Members {
  std::vector<Vertex> first;
  std::vector<Vertex> all;

  Members(const std::vector<Vertex>& groups, Vertex count) : first(count + std::size_t{1}), all(groups.size()) {
    for (const Vertex c : groups) ++first[c + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<Vertex> next(first.begin(), first.end() - 1);
    for (Vertex v = 0; v < groups.size(); ++v) all[next[groups[v]]++] = v;
  }
  [[nodiscard]] std::span<const Vertex> operator[](Vertex c) const noexcept {
    return std::span(all).subspan(first[c], first[c + 1] - first[c]);
  }
};

template <class Sums>
void write_list(Sums& sums, ListMemory& memory, ListPlace& place) {
  auto* const weights = memory.take(sums.touched(), place);
  sums.for_each([&, i = std::size_t{0}](Vertex, double sum) mutable { weights[i++] = sum; });
  sums.clear();
}

/// Writes the list of one vertex of the coarse graph, from the lists of its members on this process.
template <bool kWeighted, class Sums>
void merge_lists(const QuotientGraph& whole, const std::vector<Vertex>& groups, std::span<const Vertex> members,
                 Vertex c, Sums& sums, ListMemory& memory, QuotientGraph& coarse) {
  for (const Vertex v : members) {
    coarse.out[c] += whole.out[v];
    if (whole.directed()) coarse.in[c] += whole.in[v];
    if (!whole.is_here(v)) continue;
    whole.for_each<kWeighted>(v, [&](Vertex w, double weight) {
      if (groups[w] != c) sums.add(groups[w], weight);
    });
  }
  write_list(sums, memory, coarse.lists[c]);
}

/// The lists of a coarse graph as one process received them: some groups in a piece each.
class SentLists {
 public:
  /// Some lists as bytes.  Weights are whole numbers.
  static void pack(const QuotientGraph& coarse, VertexRange some, WireWriter& writer) {
    for (auto c = static_cast<Vertex>(some.begin); c < some.end; ++c) {
      writer.put_varint(coarse.lists[c].size);
      coarse.for_each<true>(c, [&](Vertex d, double weight) {
        writer.put_varint(d);
        writer.put_varint(static_cast<std::uint64_t>(weight));
      });
    }
  }

  explicit SentLists(Vertex count) : pieces_(count / kItemsOfPiece + 1) {}
  /// From one thread for each.
  void take(VertexRange some, std::span<const std::byte> bytes) {
    Piece& lists = pieces_[some.begin / kItemsOfPiece];
    WireReader reader(bytes);
    while (!reader.empty()) {
      for (std::uint64_t left = reader.get_varint(); left > 0 && reader.ok(); --left) {
        lists.targets.push_back(static_cast<Vertex>(reader.get_varint()));
        lists.weights.push_back(static_cast<double>(reader.get_varint()));
      }
      lists.ends.push_back(lists.targets.size());
    }
    RIZOMA_CHECK(reader.ok() && lists.ends.size() <= some.size());
  }

  /// f(neighbour, weight) for the list of one vertex.
  template <class F>
  void for_each(Vertex c, F&& f) const {
    const Piece& lists = pieces_[c / kItemsOfPiece];
    const std::size_t group = c % kItemsOfPiece;
    if (group >= lists.ends.size()) return;
    for (std::size_t i = group == 0 ? 0 : lists.ends[group - 1]; i < lists.ends[group]; ++i)
      f(lists.targets[i], lists.weights[i]);
  }

 private:
  struct Piece {
    std::vector<std::size_t> ends;  ///< of the list of each group
    std::vector<Vertex> targets;
    std::vector<double> weights;
  };
  std::vector<Piece> pieces_;
};

/// Completes lists of which each process has its own vertices' part.  Members of a group arrive by process, hence
/// in the order of their numbers, so neighbours are in the order that one process would meet them.
Status join_lists(Engine& engine, Iteration& shared, Scratch& scratch, QuotientGraph& coarse) {
  const std::size_t processes = engine.ranks() == nullptr ? 1 : engine.ranks()->size();
  std::vector<SentLists> of_all(processes, SentLists(coarse.size()));
  const auto pack = [&](VertexRange some, WireWriter& writer) { SentLists::pack(coarse, some, writer); };
  RIZOMA_TRY(share_pieces(engine, shared, coarse.size(), pack, [&](std::size_t process, VertexRange some, auto lists) {
    of_all[process].take(some, lists);
  }));
  coarse.memory.clear();
  make_room(engine, coarse, coarse.size());
  return engine.for_blocks(coarse.size(), kGrain, [&](VertexRange block, unsigned thread) {
    GroupSums& sums = scratch[thread];
    for (auto c = static_cast<Vertex>(block.begin); c < block.end; ++c) {
      for (const SentLists& lists : of_all) {
        lists.for_each(c, [&](Vertex d, double weight) { sums.add(d, weight); });
      }
      write_list(sums, coarse.memory[thread], coarse.lists[c]);
    }
  });
}

template <bool kWeighted>
Result<QuotientGraph> read_graph(Engine& engine, const GraphView& graph, std::string_view who, Iteration* shared) {
  return read_both_lists<kWeighted>(engine, graph, [&]<class Lists>(Lists& out, Lists* in) -> Result<QuotientGraph> {
    if constexpr (std::is_same_v<Lists, ListReader<Vertex, void>>) {
      if (!graph.directed()) return borrowed(engine, graph, out, shared);
    }
    Scale scale;
    if constexpr (!std::is_void_v<typename Lists::weight_type>) {
      RIZOMA_ASSIGN(scale, scale_of(engine, graph, out, who, shared));
    }
    return copied(engine, graph, scale, out, in, shared);
  });
}

}  // namespace

double* ListMemory::take(std::span<const Vertex> targets, ListPlace& place) {
  const std::size_t half = (targets.size() + 1) / 2;
  const std::size_t needed = half + targets.size();
  if (blocks_.empty() || blocks_.back().size() - used_ < needed) {
    blocks_.push_back(engine_->make_unset_map<double>(std::max(needed, kBlock)));
    used_ = 0;
  }
  double* const begin = blocks_.back().data() + std::exchange(used_, used_ + needed);
  auto* const first = reinterpret_cast<Vertex*>(begin);
  std::copy(targets.begin(), targets.end(), first);
  place = {first, targets.size()};
  return begin + half;
}

Status QuotientGraph::check(const GraphView& graph, std::string_view who) {
  RIZOMA_TRY(check_32_bit_vertices(graph, who));
  return check_direction(graph, Direction::in, who);
}

Result<QuotientGraph> QuotientGraph::read(Engine& engine, const GraphView& graph, bool use_weights,
                                          std::string_view who, Iteration* shared) {
  RIZOMA_TRY(check(graph, who));
  RIZOMA_ASSIGN(QuotientGraph first, use_weights ? read_graph<true>(engine, graph, who, shared)
                                                 : read_graph<false>(engine, graph, who, shared));
  first.total = std::accumulate(first.out.begin(), first.out.end(), 0.0);
  return first;
}

Result<QuotientGraph> QuotientGraph::aggregate(Engine& engine, const std::vector<Vertex>& groups, Vertex count,
                                               Scratch& scratch, const ListReads& reads) const {
  const Members members(groups, count);
  QuotientGraph coarse;
  coarse.out.resize(count);
  if (directed()) coarse.in.resize(count);
  coarse.total = total;
  coarse.exponent = exponent;
  make_room(engine, coarse, count);
  const std::uint64_t grain = std::clamp<std::uint64_t>(count / (64 * std::uint64_t{engine.threads()}), 1, kGrain);
  RIZOMA_TRY(engine.for_blocks(count, grain, [&](VertexRange block, unsigned thread) {
    for (auto c = static_cast<Vertex>(block.begin); c < block.end; ++c) {
      std::size_t of_members = 0;
      for (Vertex i = members.first[c]; i < members.first[c + 1]; ++i) {
        const Vertex v = members.all[i];
        prefetch<8, 5, 2>(std::span(members.all).subspan(i), groups);
        reads.add(thread, v, lists[v].size);
        of_members += lists[v].size;
      }
      with_sums(of_members, scratch[thread], [&](auto& sums) {
        weighted ? merge_lists<true>(*this, groups, members[c], c, sums, coarse.memory[thread], coarse)
                 : merge_lists<false>(*this, groups, members[c], c, sums, coarse.memory[thread], coarse);
      });
    }
  }));
  if (shared != nullptr) RIZOMA_TRY(join_lists(engine, *shared, scratch, coarse));
  coarse.entries = count_entries(coarse);
  return coarse;
}

Vertex make_dense(std::vector<Vertex>& groups) {
  std::vector<Vertex> number(groups.size(), kNoGroup);
  Vertex count = 0;
  for (Vertex& c : groups) {
    if (number[c] == kNoGroup) number[c] = count++;
    c = number[c];
  }
  return count;
}

Result<double> QuotientGraph::weight_between(Engine& engine, const std::vector<Vertex>& groups) const {
  const auto leaving = [&](VertexId v) {
    double sum = 0;
    for_each_entry(static_cast<Vertex>(v),
                   [&](Vertex w, double weight) { sum += groups[w] == groups[v] ? 0 : weight; });
    return sum;
  };
  RIZOMA_ASSIGN(const double between, gather_blocks(engine, size(), shared, leaving, std::plus<>()));
  return directed() ? between / 2 : between;  // seen from both ends
}

}  // namespace rizoma
