#include "algorithms/community_moves.h"

#include "base/random.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <optional>

namespace rizoma::communities {
namespace {

constexpr Vertex kChunk = 1 << 16;
constexpr unsigned kGroups = 16;
constexpr unsigned kMostRounds = 100;
constexpr std::uint64_t kFewMoves = 1024;
constexpr double kGainUnit = 0x1p50;           // gains are added up in whole numbers: exact, in whatever order
constexpr double kLeastGain = 1e-13;           // of the weight of a vertex; less may be rounding
constexpr std::uint64_t kGrainEntries = 2048;  // of a block
constexpr std::uint64_t kFewBlocks = 8;

struct Move {
  Vertex vertex;
  Vertex to;
};

struct alignas(64) OfThread {
  std::vector<Move> moves;
  std::int64_t gain = 0;
};

/// What both kinds of moves do: a loop of decisions over a batch, and what they came to.
class Decisions {
 public:
  Decisions(const Engine& engine, const Level& level) : of_threads_(engine.threads()) {
    const std::uint64_t degree = level.entries / std::max<Vertex>(level.size(), 1) + 4;
    grain_ = std::max<std::uint64_t>(kGrainEntries / degree, 1);
  }
  [[nodiscard]] std::uint64_t grain() const noexcept { return grain_; }
  /// How many of so many blocks a thread takes at once: all, if they are too few to wake others for.
  [[nodiscard]] static std::uint64_t shared(std::uint64_t blocks) noexcept { return blocks < kFewBlocks ? blocks : 1; }
  void add(unsigned thread, Move move, double gain) {
    of_threads_[thread].moves.push_back(move);
    of_threads_[thread].gain += static_cast<std::int64_t>(gain * kGainUnit);
  }
  /// The moves since the last call, in no order.
  void take(std::vector<Move>& moves) {
    moves.clear();
    for (OfThread& found : of_threads_) {
      moves.insert(moves.end(), found.moves.begin(), found.moves.end());
      found.moves.clear();
    }
  }
  /// The gain since the last call.
  double take_gain() {
    std::int64_t sum = 0;
    for (OfThread& found : of_threads_) sum += std::exchange(found.gain, 0);
    return static_cast<double>(sum) / kGainUnit;
  }

 private:
  std::vector<OfThread> of_threads_;
  std::uint64_t grain_ = 1;
};

template <bool kWeighted, bool kDirected>
class Mover {
 public:
  Mover(Engine& engine, const Level& level, Scratch& scratch, const MoveOptions& options,
        std::vector<Vertex>& communities)
      : engine_(engine),
        level_(level),
        scratch_(scratch),
        options_(options),
        per_weight_(options.resolution / level.total),
        community_(communities),
        out_(level.size()),
        in_(kDirected ? level.size() : 0),
        seen_(level.size()),
        touched_(level.size()),
        decisions_(engine, level) {
    for (Vertex v = 0; v < level.size(); ++v) {
      out_[community_[v]] += level.out[v];
      if constexpr (kDirected) in_[community_[v]] += level.in[v];
    }
  }

  Result<double> run(std::span<const Vertex> active) {
    Batches batches(engine_, level_.size(), options_.seed);
    begin_with(active);
    double gain = 0;
    for (unsigned round = 0; round < kMostRounds; ++round) {
      RIZOMA_TRY(engine_.report("communities", round, kMostRounds));
      RIZOMA_TRY(batches.deal([this](Vertex v) { return touched_[v] >= seen_[v]; }));
      if (batches.all().empty()) break;
      for (const std::span<const Vertex> batch : batches.all()) RIZOMA_TRY(step(batch));
      RIZOMA_TRY(step({}));
      const double gained = decisions_.take_gain();
      gain += gained;
      if (gained <= options_.tolerance) break;
    }
    return gain;
  }

 private:
  void begin_with(std::span<const Vertex> active) {
    if (active.empty()) return;  // all have been touched and seen at 0
    std::fill(seen_.begin(), seen_.end(), 1);
    for (const Vertex v : active) touched_[v] = 1;
    now_ = 1;
  }

  /// Wakes the neighbours of those that moved last, and lets a batch decide, in one loop; then moves.
  Status step(std::span<const Vertex> batch) {
    const std::uint64_t moved = moves_.size();
    const std::uint32_t before = now_++;
    const std::uint64_t marks = (moved + decisions_.grain() - 1) / decisions_.grain();
    const std::uint64_t blocks = (batch.size() + decisions_.grain() - 1) / decisions_.grain();
    const auto part = [this](std::uint64_t number, std::uint64_t size) {
      return VertexRange{number * decisions_.grain(), std::min((number + 1) * decisions_.grain(), size)};
    };
    RIZOMA_TRY(
        engine_.for_blocks(marks + blocks, Decisions::shared(marks + blocks), [&](VertexRange some, unsigned thread) {
          for (std::uint64_t b = some.begin; b < some.end; ++b) {
            const VertexRange range = b < marks ? part(b, moved) : part(b - marks, batch.size());
            for (std::uint64_t i = range.begin; i < range.end; ++i) {
              b < marks ? wake_neighbours(moves_[i].vertex, before) : decide(batch[i], thread);
            }
          }
        }));
    decisions_.take(moves_);
    if (moves_.size() <= kFewMoves || engine_.threads() == 1) {
      for (const Move& move : moves_) apply<false>(move);
      return {};
    }
    return engine_.for_blocks(moves_.size(), kFewMoves, [&](VertexRange some, unsigned) {
      for (std::uint64_t i = some.begin; i < some.end; ++i) apply<true>(moves_[i]);
    });
  }

  void wake_neighbours(Vertex v, std::uint32_t time) {
    level_.for_each<false>(v, [&](Vertex w, double) {
      if (community_[w] != community_[v]) std::atomic_ref(touched_[w]).store(time, std::memory_order_relaxed);
    });
  }

  void decide(Vertex v, unsigned thread) {
    seen_[v] = now_;
    CommunityWeights& sums = scratch_[thread];
    level_.for_each<kWeighted>(v, [&](Vertex w, double weight) {
      if (w != v) sums.add(community_[w], weight);
    });
    const Vertex old = community_[v];
    const double out = level_.out[v];
    const double in = kDirected ? level_.in[v] : 0;
    const double scaled_out = per_weight_ * out;
    const double scaled_in = per_weight_ * in;
    // What v would lose by leaving, from sums without v itself.
    const double before = sums[old] - scaled_out * ((kDirected ? in_[old] - in : out_[old] - out)) -
                          (kDirected ? scaled_in * (out_[old] - out) : 0);
    Vertex best = old;
    double most = before + kLeastGain * (out + in);
    for (const Vertex c : sums.touched()) {
      if (c == old) continue;
      const double worth =
          sums[c] - scaled_out * (kDirected ? in_[c] : out_[c]) - (kDirected ? scaled_in * out_[c] : 0);
      if (worth <= most) continue;
      best = c;
      most = worth;
    }
    sums.clear();
    if (best != old) decisions_.add(thread, {v, best}, (kDirected ? 1 : 2) * (most - before) / level_.total);
  }

  template <bool kShared>
  void apply(const Move& move) {
    const Vertex old = std::exchange(community_[move.vertex], move.to);
    add<kShared>(out_, old, -level_.out[move.vertex]);
    add<kShared>(out_, move.to, level_.out[move.vertex]);
    if constexpr (kDirected) {
      add<kShared>(in_, old, -level_.in[move.vertex]);
      add<kShared>(in_, move.to, level_.in[move.vertex]);
    }
  }

  template <bool kShared>
  static void add(std::vector<double>& sums, Vertex c, double weight) {
    if constexpr (kShared) std::atomic_ref(sums[c]).fetch_add(weight, std::memory_order_relaxed);
    else sums[c] += weight;
  }

  Engine& engine_;
  const Level& level_;
  Scratch& scratch_;
  const MoveOptions& options_;
  double per_weight_;
  std::vector<Vertex>& community_;
  std::vector<double> out_;  ///< of each community
  std::vector<double> in_;
  std::vector<std::uint32_t> seen_;     ///< the step in which a vertex decided last
  std::vector<std::uint32_t> touched_;  ///< the last step in which a neighbour moved
  std::uint32_t now_ = 0;
  Decisions decisions_;
  std::vector<Move> moves_;
};

/// See refine().  Worth is counted as in Mover, for both directions together.
template <bool kWeighted, bool kDirected>
class Refiner {
 public:
  Refiner(Engine& engine, const Level& level, Scratch& scratch, const MoveOptions& options,
          const std::vector<Vertex>& communities)
      : engine_(engine),
        level_(level),
        scratch_(scratch),
        options_(options),
        per_weight_(options.resolution / level.total),
        community_(communities),
        whole_out_(level.size()),
        whole_in_(kDirected ? level.size() : 0),
        group_(level.size()),
        size_(level.size(), 1),
        out_(level.out),
        in_(level.in),
        decisions_(engine, level) {
    std::iota(group_.begin(), group_.end(), Vertex{0});
    for (Vertex v = 0; v < level.size(); ++v) {
      whole_out_[community_[v]] += level.out[v];
      if constexpr (kDirected) whole_in_[community_[v]] += level.in[v];
    }
  }

  Result<std::vector<Vertex>> run() {
    Batches batches(engine_, level_.size(), mix64(options_.seed));
    RIZOMA_TRY(batches.deal([](Vertex) { return true; }));
    std::vector<Move> moves;
    for (const std::span<const Vertex> batch : batches.all()) {
      const std::uint64_t grain = decisions_.grain();
      const std::uint64_t blocks = (batch.size() + grain - 1) / grain;
      RIZOMA_TRY(engine_.for_blocks(blocks, Decisions::shared(blocks), [&](VertexRange some, unsigned thread) {
        const std::uint64_t end = std::min<std::uint64_t>(some.end * grain, batch.size());
        for (std::uint64_t i = some.begin * grain; i < end; ++i) decide(batch[i], thread);
      }));
      decisions_.take(moves);
      // Some exclude others: in one order, whoever found them.
      std::sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) { return a.vertex < b.vertex; });
      for (const Move& move : moves) apply(move);
    }
    return std::move(group_);
  }

 private:
  /// The weight between a vertex and a set that chance would give.
  [[nodiscard]] double expected(double out, double in, double set_out, double set_in) const {
    return per_weight_ * (kDirected ? out * set_in + in * set_out : out * set_out);
  }
  [[nodiscard]] double in_of(const std::vector<double>& sums, Vertex c) const { return kDirected ? sums[c] : 0; }

  void decide(Vertex v, unsigned thread) {
    if (size_[v] != 1) return;  // a group that somebody has joined stays
    const Vertex whole = community_[v];
    CommunityWeights& sums = scratch_[thread];
    double inside = 0;
    level_.for_each<kWeighted>(v, [&](Vertex w, double weight) {
      if (w == v || community_[w] != whole) return;
      sums.add(group_[w], weight);
      inside += weight;
    });
    const double out = level_.out[v];
    const double in = kDirected ? level_.in[v] : 0;
    std::optional<Vertex> best;
    if (inside >= expected(out, in, whole_out_[whole] - out, in_of(whole_in_, whole) - in)) {
      double most = kLeastGain * (out + in);
      for (const Vertex c : sums.touched()) {
        const double worth = sums[c] - expected(out, in, out_[c], in_of(in_, c));
        if (worth <= most) continue;
        best = c;
        most = worth;
      }
    }
    sums.clear();
    if (best) decisions_.add(thread, {v, *best}, 0);
  }

  void apply(const Move& move) {
    const Vertex v = move.vertex;
    if (size_[v] != 1 || size_[move.to] == 0) return;  // one of this batch has joined v, or that one has left
    size_[v] = 0;
    ++size_[move.to];
    group_[v] = move.to;
    out_[move.to] += out_[v];
    if constexpr (kDirected) in_[move.to] += in_[v];
  }

  Engine& engine_;
  const Level& level_;
  Scratch& scratch_;
  const MoveOptions& options_;
  double per_weight_;
  const std::vector<Vertex>& community_;
  std::vector<double> whole_out_;  ///< of each community
  std::vector<double> whole_in_;
  std::vector<Vertex> group_;
  std::vector<Vertex> size_;  ///< of each group
  std::vector<double> out_;   ///< of each group
  std::vector<double> in_;
  Decisions decisions_;
};

/// Calls f with what a level has, as types.
template <class F>
auto with_kind(const Level& level, F&& f) {
  using Yes = std::true_type;
  using No = std::false_type;
  if (level.directed()) return f(Yes{}, Yes{});
  return level.weighted() ? f(Yes{}, No{}) : f(No{}, No{});
}

}  // namespace

Batches::Batches(Engine& engine, Vertex n, std::uint64_t seed) : engine_(engine), n_(n), seed_(seed), order_(n) {}

Status Batches::deal(FunctionRef<bool(Vertex)> wanted) {
  seed_ = mix64(seed_);
  const auto group_of = [this](Vertex v) { return mix64(seed_ ^ v) % kGroups; };
  std::vector<std::array<Vertex, kGroups + 1>> ends(n_ / kChunk + 1);
  RIZOMA_TRY(engine_.for_blocks(ends.size(), 1, [&](VertexRange chunks, unsigned) {
    for (VertexId chunk = chunks.begin; chunk < chunks.end; ++chunk) {
      const auto begin = static_cast<Vertex>(chunk * kChunk);
      const Vertex end = std::min<Vertex>(n_, begin + kChunk);
      auto& next = ends[chunk];
      next.fill(0);
      for (Vertex v = begin; v < end; ++v) {
        if (wanted(v)) ++next[group_of(v) + 1];
      }
      next[0] = begin;
      std::partial_sum(next.begin(), next.end(), next.begin());
      for (Vertex v = begin; v < end; ++v) {
        if (wanted(v)) order_[next[group_of(v)]++] = v;
      }
    }
  }));
  batches_.clear();
  for (std::size_t chunk = 0; chunk < ends.size(); ++chunk) {
    auto begin = static_cast<Vertex>(chunk * kChunk);
    for (unsigned group = 0; group < kGroups; ++group) {
      const Vertex end = ends[chunk][group];
      if (begin < end) batches_.push_back(std::span(order_).subspan(begin, end - begin));
      begin = end;
    }
  }
  return {};
}

Result<double> move_vertices(Engine& engine, const Level& level, Scratch& scratch, const MoveOptions& options,
                             std::vector<Vertex>& communities, std::span<const Vertex> active) {
  return with_kind(level, [&](auto weighted, auto directed) {
    return Mover<weighted, directed>(engine, level, scratch, options, communities).run(active);
  });
}

Result<std::vector<Vertex>> refine(Engine& engine, const Level& level, Scratch& scratch, const MoveOptions& options,
                                   const std::vector<Vertex>& communities) {
  return with_kind(level, [&](auto weighted, auto directed) {
    return Refiner<weighted, directed>(engine, level, scratch, options, communities).run();
  });
}

}  // namespace rizoma::communities
