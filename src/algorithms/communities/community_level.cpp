#include "algorithms/communities/community_level.h"
#include "base/check.h"
#include "engine/exchange/wire.h"
#include "engine/loop/kernel_arguments.h"
#include "engine/state/concurrent_union_find.h"

#include <rizoma/gather.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

namespace rizoma::communities {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::uint64_t kGrain = 1024;
constexpr int kBits = 52;
constexpr Vertex kNone = std::numeric_limits<Vertex>::max();

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
VertexMap<Place> room_for_lists(Engine& engine, const Level& level, Vertex n) {
  return level.shared == nullptr ? engine.make_unset_map<Place>(n) : engine.make_map<Place>(n, Place{});
}

void make_room(Engine& engine, Level& level, Vertex n) {
  level.weighted = true;
  level.lists = room_for_lists(engine, level, n);
  for (unsigned t = 0; t < engine.threads(); ++t) level.memory.emplace_back(engine);
}

/// Completes sums that each process has of its own vertices.
Status complete_sums(Level& level) {
  if (level.shared == nullptr) return {};
  RIZOMA_TRY(level.shared->complete(level.out.data()));
  return level.in.empty() ? Status() : level.shared->complete(level.in.data());
}

EdgeCount count_entries(const Level& level) {
  EdgeCount entries = 0;
  for (const Place& list : level.lists.span()) entries += list.size;
  return entries;
}

/// Collects the entries of one list.
struct Entries {
  std::vector<Vertex> targets;
  std::vector<double> weights;
};

/// Lists with weights, of both directions, in memory of their own.
template <class Lists>
Result<Level> copied(Engine& engine, const GraphView& graph, const Scale& scale, Lists& out, Lists* in,
                     Iteration* shared) {
  const auto n = static_cast<Vertex>(graph.num_vertices());
  const bool directed = graph.directed();
  Level level;
  level.out.resize(n);
  if (directed) level.in.resize(n);
  level.exponent = scale.exponent;
  level.shared = shared;
  make_room(engine, level, n);
  std::vector<Entries> of_threads(engine.threads());
  RIZOMA_TRY(engine.for_blocks(n, kGrain, [&](VertexRange block, unsigned thread) {
    Entries& found = of_threads[thread];
    for (auto u = static_cast<Vertex>(block.begin); u < block.end; ++u) {
      if (!level.is_here(u)) continue;
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
      read(out.read(u, thread), level.out[u]);
      if (directed) read(in->read(u, thread), level.in[u]);
      double* const weights = level.memory[thread].take(found.targets, level.lists[u]);
      std::copy(found.weights.begin(), found.weights.end(), weights);
    }
  }));
  level.entries = count_entries(level);
  RIZOMA_TRY(complete_sums(level));
  return level;
}

/// The lists of a graph without weights, as stored.
Result<Level> borrowed(Engine& engine, const GraphView& graph, const ListReader<Vertex, void>& out, Iteration* shared) {
  const VertexId n = graph.num_vertices();
  Level level;
  level.shared = shared;
  level.lists = room_for_lists(engine, level, static_cast<Vertex>(n));
  level.out.resize(n);
  level.entries = graph.num_entries();
  RIZOMA_TRY(engine.for_blocks(n, kGrain, [&](VertexRange block, unsigned) {
    for (VertexId v = block.begin; v < block.end; ++v) {
      if (!level.is_here(static_cast<Vertex>(v))) continue;
      const std::span<const Vertex> list = out.again(v).sources();
      level.lists[v] = {list.data(), list.size()};
      level.out[v] = static_cast<double>(list.size());
      if (graph.num_self_loops() == 0) continue;
      const auto loops = std::equal_range(list.begin(), list.end(), static_cast<Vertex>(v));
      level.out[v] += static_cast<double>(loops.second - loops.first);
    }
  }));
  RIZOMA_TRY(complete_sums(level));
  return level;
}

/// Members of each community, in the order of their numbers.
struct Members {
  std::vector<Vertex> first;
  std::vector<Vertex> all;

  Members(const std::vector<Vertex>& communities, Vertex count)
      : first(count + std::size_t{1}), all(communities.size()) {
    for (const Vertex c : communities) ++first[c + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<Vertex> next(first.begin(), first.end() - 1);
    for (Vertex v = 0; v < communities.size(); ++v) all[next[communities[v]]++] = v;
  }
  [[nodiscard]] std::span<const Vertex> operator[](Vertex c) const noexcept {
    return std::span(all).subspan(first[c], first[c + 1] - first[c]);
  }
};

template <class Sums>
void write_list(Sums& sums, ListMemory& memory, Place& place) {
  auto* const weights = memory.take(sums.touched(), place);
  sums.for_each([&, i = std::size_t{0}](Vertex, double sum) mutable { weights[i++] = sum; });
  sums.clear();
}

/// Writes the list of one vertex of the coarse graph, from the lists of its members on this process.
template <bool kWeighted, class Sums>
void merge_lists(const Level& level, const std::vector<Vertex>& communities, std::span<const Vertex> members, Vertex c,
                 Sums& sums, ListMemory& memory, Level& coarse) {
  for (const Vertex v : members) {
    coarse.out[c] += level.out[v];
    if (level.directed()) coarse.in[c] += level.in[v];
    if (!level.is_here(v)) continue;
    level.for_each<kWeighted>(v, [&](Vertex w, double weight) {
      if (communities[w] != c) sums.add(communities[w], weight);
    });
  }
  write_list(sums, memory, coarse.lists[c]);
}

/// The lists of a coarse graph as one process received them.
class SentLists {
 public:
  /// The lists as bytes.  Weights are whole numbers.
  static Bytes pack(const Level& coarse) {
    WireWriter writer;
    for (Vertex c = 0; c < coarse.size(); ++c) {
      writer.put_varint(coarse.lists[c].size);
      coarse.for_each<true>(c, [&](Vertex d, double weight) {
        writer.put_varint(d);
        writer.put_varint(static_cast<std::uint64_t>(weight));
      });
    }
    return std::move(writer).take();
  }

  SentLists(std::span<const std::byte> bytes, Vertex count) : begins_(count + std::size_t{1}) {
    WireReader reader(bytes);
    for (Vertex c = 0; c < count; ++c) {
      for (std::uint64_t left = reader.get_varint(); left > 0 && reader.ok(); --left) {
        targets_.push_back(static_cast<Vertex>(reader.get_varint()));
        weights_.push_back(static_cast<double>(reader.get_varint()));
      }
      begins_[c + 1] = targets_.size();
    }
    RIZOMA_CHECK(reader.ok() && reader.empty());
  }

  /// f(neighbour, weight) for the list of one vertex.
  template <class F>
  void for_each(Vertex c, F&& f) const {
    for (std::size_t i = begins_[c]; i < begins_[c + 1]; ++i) f(targets_[i], weights_[i]);
  }

 private:
  std::vector<std::size_t> begins_;
  std::vector<Vertex> targets_;
  std::vector<double> weights_;
};

/// Completes lists of which each process has its own vertices' part.  Members of a community arrive by process, hence
/// in the order of their numbers, so neighbours are in the order that one process would meet them.
Status join_lists(Engine& engine, Iteration& shared, Scratch& scratch, Level& coarse) {
  RIZOMA_ASSIGN(const auto received, shared.share(SentLists::pack(coarse)));
  std::vector<SentLists> of_all;
  for (const Bytes& bytes : received) of_all.emplace_back(bytes, coarse.size());
  coarse.memory.clear();
  make_room(engine, coarse, coarse.size());
  return engine.for_blocks(coarse.size(), kGrain, [&](VertexRange block, unsigned thread) {
    CommunityWeights& sums = scratch[thread];
    for (auto c = static_cast<Vertex>(block.begin); c < block.end; ++c) {
      for (const SentLists& lists : of_all) {
        lists.for_each(c, [&](Vertex d, double weight) { sums.add(d, weight); });
      }
      write_list(sums, coarse.memory[thread], coarse.lists[c]);
    }
  });
}

template <bool kWeighted>
Result<Level> read_level(Engine& engine, const GraphView& graph, std::string_view who, Iteration* shared) {
  return read_both_lists<kWeighted>(engine, graph, [&]<class Lists>(Lists& out, Lists* in) -> Result<Level> {
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

using Parts = ConcurrentUnionFind<Vertex>;

/// Links the fixed vertices of each community.
void link_fixed(const Level& level, const std::vector<Vertex>& communities, Parts& parts) {
  std::vector<Vertex> first(level.fixed.empty() ? 0 : level.size(), kNone);
  for (Vertex v = 0; v < level.fixed.size(); ++v) {
    if (level.fixed[v] == 0) continue;
    Vertex& of_community = first[communities[v]];
    if (of_community == kNone) of_community = v;
    parts.link(v, of_community);
  }
}

}  // namespace

double* ListMemory::take(std::span<const Vertex> targets, Place& place) {
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

Status check_graph(const GraphView& graph, std::string_view who) {
  RIZOMA_TRY(check_32_bit_vertices(graph, who));
  return check_direction(graph, Direction::in, who);
}

Result<Level> first_level(Engine& engine, const GraphView& graph, bool use_weights, std::string_view who,
                          Iteration* shared) {
  RIZOMA_TRY(check_graph(graph, who));
  RIZOMA_ASSIGN(Level level, use_weights ? read_level<true>(engine, graph, who, shared)
                                         : read_level<false>(engine, graph, who, shared));
  level.total = std::accumulate(level.out.begin(), level.out.end(), 0.0);
  return level;
}

Result<Level> aggregate(Engine& engine, const Level& level, const std::vector<Vertex>& communities, Vertex count,
                        Scratch& scratch, const ListReads& reads) {
  const Members members(communities, count);
  Level coarse;
  coarse.out.resize(count);
  if (level.directed()) coarse.in.resize(count);
  coarse.total = level.total;
  coarse.exponent = level.exponent;
  coarse.chance = level.chance;
  if (!level.fixed.empty()) coarse.fixed.resize(count);
  for (Vertex v = 0; v < level.fixed.size(); ++v) coarse.fixed[communities[v]] |= level.fixed[v];
  make_room(engine, coarse, count);
  const std::uint64_t grain = std::clamp<std::uint64_t>(count / (64 * std::uint64_t{engine.threads()}), 1, kGrain);
  RIZOMA_TRY(engine.for_blocks(count, grain, [&](VertexRange block, unsigned thread) {
    for (auto c = static_cast<Vertex>(block.begin); c < block.end; ++c) {
      std::size_t entries = 0;
      for (Vertex i = members.first[c]; i < members.first[c + 1]; ++i) {
        const Vertex v = members.all[i];
        level.prefetch<8, 5, 2>(std::span(members.all).subspan(i), communities);
        reads.add(thread, v, level.lists[v].size);
        entries += level.lists[v].size;
      }
      with_sums(entries, scratch[thread], [&](auto& sums) {
        level.weighted ? merge_lists<true>(level, communities, members[c], c, sums, coarse.memory[thread], coarse)
                       : merge_lists<false>(level, communities, members[c], c, sums, coarse.memory[thread], coarse);
      });
    }
  }));
  if (level.shared != nullptr) RIZOMA_TRY(join_lists(engine, *level.shared, scratch, coarse));
  coarse.entries = count_entries(coarse);
  return coarse;
}

Vertex make_dense(std::vector<Vertex>& communities) {
  std::vector<Vertex> number(communities.size(), kNone);
  Vertex count = 0;
  for (Vertex& c : communities) {
    if (number[c] == kNone) number[c] = count++;
    c = number[c];
  }
  return count;
}

Result<double> weight_between(Engine& engine, const Level& level, const std::vector<Vertex>& communities) {
  const auto leaving = [&](VertexId v) {
    double sum = 0;
    level.for_each_entry(static_cast<Vertex>(v),
                         [&](Vertex w, double weight) { sum += communities[w] == communities[v] ? 0 : weight; });
    return sum;
  };
  RIZOMA_ASSIGN(const double between, gather_blocks(engine, level.size(), level.shared, leaving, std::plus<>()));
  return level.directed() ? between / 2 : between;  // seen from both ends
}

Result<Vertex> cut_apart(Engine& engine, const Level& level, std::vector<Vertex>& communities) {
  RIZOMA_ASSIGN(Parts parts, Parts::make(engine, level.size(), [&](VertexId v, unsigned) {
                  const auto list = level.targets(static_cast<Vertex>(v));
                  const auto near =
                      std::ranges::find_if(list, [&](Vertex w) { return w < v && communities[w] == communities[v]; });
                  return near == list.end() ? static_cast<Vertex>(v) : *near;
                }));
  RIZOMA_TRY(engine.for_blocks(level.size(), kGrain, [&](VertexRange block, unsigned) {
    for (auto v = static_cast<Vertex>(block.begin); v < block.end; ++v) {
      for (const Vertex w : level.targets(v)) {
        if (w < v && communities[w] == communities[v]) parts.link(v, w);
      }
    }
  }));
  link_fixed(level, communities, parts);
  RIZOMA_TRY(engine.for_blocks(level.size(), kGrain, [&](VertexRange block, unsigned) {
    for (VertexId v = block.begin; v < block.end; ++v) communities[v] = parts.root(v);
  }));
  return make_dense(communities);
}

}  // namespace rizoma::communities
