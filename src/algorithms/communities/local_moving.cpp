#include "algorithms/communities/local_moving.h"

#include "base/check.h"
#include "base/random.h"
#include "engine/exchange/pieces.h"
#include "engine/exchange/wire.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>

namespace rizoma::communities {
namespace {

constexpr VertexId kPart = 1 << 13;   // vertices that a thread assigns at once
constexpr VertexId kChunk = 1 << 14;  // wanted vertices that are assigned among themselves, at least
constexpr VertexId kMostChunks = 16000;
constexpr unsigned kMostGroups = 16;  // of a small level, where the loops over batches cost little
constexpr unsigned kGroups = 4;
constexpr unsigned kMostRounds = 100;
constexpr Vertex kStays = std::numeric_limits<Vertex>::max();
constexpr Vertex kAlone = kStays - 1;          // to a community of its own
constexpr double kGainUnit = 0x1p50;           // gains are added up in whole numbers, which is exact in any order
constexpr double kLeastGain = 1e-13;           // of the weight that its mass stands for; less may be rounding
constexpr std::uint64_t kGrainEntries = 2048;  // of a block
constexpr std::uint64_t kFewBlocks = 4;

/// The sums of the vertices of each community; none of no values.
std::vector<double> sums_by(const std::vector<Vertex>& communities, const std::vector<double>& values) {
  std::vector<double> sums(values.size());
  for (std::size_t v = 0; v < values.size(); ++v) sums[communities[v]] += values[v];
  return sums;
}

/// What both kinds of moves do: the vertices of a batch decide, on all threads, and then move, on one and in the order
/// of the batch.  A move takes some 2 ns where a decision takes 50 and more; all threads at once, with sums that they
/// add to atomically, took ten times as long.  Of several processes, each lets its own vertices decide, and
/// tells the others.
class Decisions {
 public:
  Decisions(Engine& engine, const Level& level, const ListReads& reads)
      : engine_(engine), level_(level), reads_(reads), gains_(engine.threads()) {
    const std::uint64_t degree = level.entries / std::max<Vertex>(level.size(), 1) + 4;
    grain_ = std::max<std::uint64_t>(kGrainEntries / degree, 1);
  }
  /// decide(vertex, thread) returns where a vertex goes, or kStays; apply(vertex, to) moves it.
  template <class Decide, class Apply>
  Status step(std::span<const Vertex> batch, const std::vector<Vertex>& communities, Decide&& decide, Apply&& apply) {
    const std::uint64_t blocks = (batch.size() + grain_ - 1) / grain_;
    goes_to_.resize(batch.size());
    RIZOMA_TRY(engine_.for_blocks(blocks, blocks < kFewBlocks ? blocks : 1, [&](VertexRange some, unsigned thread) {
      const std::uint64_t end = std::min<std::uint64_t>(some.end * grain_, batch.size());
      for (std::uint64_t i = some.begin * grain_; i < end; ++i) {
        goes_to_[i] = kStays;
        if (!level_.is_here(batch[i])) continue;
        level_.prefetch<12, 8, 4>(batch.subspan(i, end - i), communities);
        if (i + 8 < end) __builtin_prefetch(&level_.out[batch[i + 8]]);
        reads_.add(thread, batch[i], level_.lists[batch[i]].size);
        goes_to_[i] = decide(batch[i], thread);
      }
    }));
    if (level_.shared != nullptr && !batch.empty()) RIZOMA_TRY(join(*level_.shared));
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (goes_to_[i] != kStays) apply(batch[i], goes_to_[i]);
    }
    return {};
  }
  void add_gain(unsigned thread, double gain) noexcept {
    gains_[thread].value += static_cast<std::int64_t>(gain * kGainUnit);
  }
  /// The gain since the last call, of all processes.
  Result<double> take_gain() {
    std::int64_t sum = 0;
    for (auto& of_thread : gains_) sum += std::exchange(of_thread.value, 0);
    if (level_.shared != nullptr) {
      RIZOMA_ASSIGN(sum, level_.shared->total(sum));
    }
    return static_cast<double>(sum) / kGainUnit;
  }

 private:
  /// Where the vertices of all processes go.
  Status join(Iteration& shared) {
    const auto pack = [&](VertexRange some, WireWriter& writer) {
      for (VertexId i = some.begin, before = i; i < some.end; ++i) {
        if (goes_to_[i] == kStays) continue;
        writer.put_varint(i - std::exchange(before, i));
        writer.put_varint(goes_to_[i]);
      }
    };
    return share_pieces(engine_, shared, goes_to_.size(), pack, [&](std::size_t, VertexRange some, auto moves) {
      WireReader reader(moves);
      for (VertexId i = some.begin; !reader.empty();) {
        i += reader.get_varint();
        RIZOMA_CHECK(i < some.end);
        goes_to_[i] = static_cast<Vertex>(reader.get_varint());
      }
    });
  }

  Engine& engine_;
  const Level& level_;
  ListReads reads_;
  std::vector<PerThread<std::int64_t>> gains_;  ///< in units
  std::vector<Vertex> goes_to_;                 ///< for each vertex of the batch
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
        tolerance_(options.tolerance),
        density_(level.chance.density),
        least_gain_(kLeastGain * level.chance.per_mass),
        community_(communities),
        out_(sums_by(communities, level.out)),
        in_(sums_by(communities, level.in)),
        batches_(engine, level.size(), options.seed),
        decisions_(engine, level, options.reads) {}

  Result<double> run(std::span<const Vertex> active) {
    if (active.empty()) batches_.want_all();
    for (const Vertex v : active) batches_.want(v);
    double gain = 0;
    for (unsigned round = 0; round < kMostRounds; ++round) {
      RIZOMA_TRY(engine_.report("communities", round, kMostRounds));
      if (level_.shared != nullptr && round > 0) RIZOMA_TRY(batches_.join(*level_.shared));
      RIZOMA_TRY(batches_.assign());
      if (batches_.count() == 0) break;
      for (now_ = 0; now_ < batches_.count(); ++now_) RIZOMA_TRY(step(batches_[now_]));
      RIZOMA_ASSIGN(const double gained, decisions_.take_gain());
      gain += gained;
      if (gained <= tolerance_) break;
    }
    return gain;
  }

 private:
  Status step(std::span<const Vertex> batch) {
    const auto decide = [this](Vertex v, unsigned thread) {
      if (!level_.fixed.empty() && level_.fixed[v] != 0) return kStays;
      return with_sums(level_.lists[v].size, scratch_[thread], [&](auto& sums) { return choose(v, sums, thread); });
    };
    return decisions_.step(batch, community_, decide, [this](Vertex v, Vertex to) { apply(v, to); });
  }

  template <class Sums>
  Vertex choose(Vertex v, Sums& sums, unsigned thread) {
    level_.for_each<kWeighted>(v, [&](Vertex w, double weight) {
      if (w != v) sums.add(community_[w], weight);
    });
    const Vertex old = community_[v];
    const double out = level_.out[v];
    const double in = kDirected ? level_.in[v] : 0;
    const double scaled_out = density_ * out;
    const double scaled_in = density_ * in;
    // What v would lose by leaving, from sums without v itself.
    const double before = sums[old] - scaled_out * ((kDirected ? in_[old] - in : out_[old] - out)) -
                          (kDirected ? scaled_in * (out_[old] - out) : 0);
    Vertex best = old;
    const double least = least_gain_ * (out + in);
    double most = before;
    sums.for_each([&](Vertex c, double sum) {
      const double worth = sum - scaled_out * (kDirected ? in_[c] : out_[c]) - (kDirected ? scaled_in * out_[c] : 0);
      if (worth <= most + least || c == old) return;  // rounding must decide nothing
      best = c;
      most = worth;
    });
    sums.clear();
    if (most < -least) {
      best = kAlone;
      most = 0;
    }
    if (best == old) return kStays;
    decisions_.add_gain(thread, (kDirected ? 1 : 2) * (most - before) / level_.total);
    level_.for_each<false>(v, [&](Vertex w, double) {
      if (community_[w] != best) batches_.wake(w, now_);
    });
    return best;
  }

  /// A number that no vertex's community has; kStays if v is alone as it is.
  Vertex empty_community(Vertex v) {
    if (members_.empty()) {
      members_.resize(level_.size());
      for (const Vertex c : community_) ++members_[c];
    }
    if (members_[community_[v]] == 1) return kStays;
    while (members_[next_empty_] != 0) next_empty_ = next_empty_ + 1 == level_.size() ? 0 : next_empty_ + 1;
    return next_empty_;
  }

  void apply(Vertex v, Vertex to) {
    if (to == kAlone) to = empty_community(v);
    if (to == kStays) return;
    const Vertex old = std::exchange(community_[v], to);
    if (!members_.empty()) {
      --members_[old];
      ++members_[to];
    }
    out_[old] -= level_.out[v];
    out_[to] += level_.out[v];
    if constexpr (kDirected) {
      in_[old] -= level_.in[v];
      in_[to] += level_.in[v];
    }
  }

  Engine& engine_;
  const Level& level_;
  Scratch& scratch_;
  double tolerance_;
  double density_;
  double least_gain_;  ///< for a mass of 1
  std::vector<Vertex>& community_;
  std::vector<double> out_;  ///< of each community
  std::vector<double> in_;
  std::vector<Vertex> members_;  ///< of each community, from the first time on that one is needed without any
  Vertex next_empty_ = 0;        ///< where the search for it goes on
  Batches batches_;
  std::size_t now_ = 0;  ///< the batch that decides
  Decisions decisions_;
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
        seed_(mix64(options.seed)),
        density_(level.chance.density),
        least_gain_(kLeastGain * level.chance.per_mass),
        community_(communities),
        whole_out_(sums_by(communities, level.out)),
        whole_in_(sums_by(communities, level.in)),
        group_(level.size()),
        size_(level.size(), 1),
        out_(level.out),
        in_(level.in),
        decisions_(engine, level, options.reads) {
    std::iota(group_.begin(), group_.end(), Vertex{0});
  }

  Result<std::vector<Vertex>> run() {
    Batches batches(engine_, level_.size(), seed_);
    batches.want_all();
    RIZOMA_TRY(batches.assign());
    const auto decide = [this](Vertex v, unsigned thread) {
      if (size_[v] != 1) return kStays;  // a group that another vertex has joined stays
      return with_sums(level_.lists[v].size, scratch_[thread], [&](auto& sums) { return choose(v, sums); });
    };
    for (std::size_t turn = 0; turn < batches.count(); ++turn) {
      RIZOMA_TRY(decisions_.step(batches[turn], community_, decide, [this](Vertex v, Vertex to) { apply(v, to); }));
    }
    return std::move(group_);
  }

 private:
  /// The weight between a vertex and a set that chance would give.
  [[nodiscard]] double expected(double out, double in, double set_out, double set_in) const {
    return density_ * (kDirected ? out * set_in + in * set_out : out * set_out);
  }
  [[nodiscard]] double in_of(const std::vector<double>& sums, Vertex c) const { return kDirected ? sums[c] : 0; }

  template <class Sums>
  Vertex choose(Vertex v, Sums& sums) {
    const Vertex whole = community_[v];
    double inside = 0;
    level_.for_each<kWeighted>(v, [&](Vertex w, double weight) {
      if (w == v || community_[w] != whole) return;
      sums.add(group_[w], weight);
      inside += weight;
    });
    const double out = level_.out[v];
    const double in = kDirected ? level_.in[v] : 0;
    Vertex best = kStays;
    if (inside >= expected(out, in, whole_out_[whole] - out, in_of(whole_in_, whole) - in)) {
      double most = least_gain_ * (out + in);
      sums.for_each([&](Vertex c, double sum) {
        const double worth = sum - expected(out, in, out_[c], in_of(in_, c));
        if (worth <= most) return;
        best = c;
        most = worth;
      });
    }
    sums.clear();
    return best;
  }

  void apply(Vertex v, Vertex to) {
    if (size_[v] != 1 || size_[to] == 0) return;  // one of this batch has joined v, or that one has left
    size_[v] = 0;
    ++size_[to];
    group_[v] = to;
    out_[to] += out_[v];
    if constexpr (kDirected) in_[to] += in_[v];
  }

  Engine& engine_;
  const Level& level_;
  Scratch& scratch_;
  std::uint64_t seed_;
  double density_;
  double least_gain_;  ///< for a mass of 1
  const std::vector<Vertex>& community_;
  std::vector<double> whole_out_;  ///< of each community
  std::vector<double> whole_in_;
  std::vector<Vertex> group_;
  std::vector<Vertex> size_;  ///< of each group
  std::vector<double> out_;   ///< of each group
  std::vector<double> in_;
  Decisions decisions_;
};

/// Calls f with the types of a level.
template <class F>
auto with_kind(const Level& level, F&& f) {
  using Yes = std::true_type;
  using No = std::false_type;
  if (level.directed()) return f(Yes{}, Yes{});
  return level.weighted ? f(Yes{}, No{}) : f(No{}, No{});
}

}  // namespace

struct Batches::Part {
  Vertex count = 0;
  std::uint16_t first_turn = 0;
  std::array<Vertex, kMostGroups> next{};
};

Batches::Batches(Engine& engine, Vertex n, std::uint64_t seed)
    : engine_(engine),
      n_(n),
      seed_(seed),
      groups_(n <= kChunk ? kMostGroups : kGroups),
      wanted_(engine.make_map<std::uint8_t>(n, 0)),
      turn_(engine.make_unset_map<std::uint16_t>(n)),
      found_(engine.make_unset_map<Vertex>(n)),
      order_(engine.make_unset_map<Vertex>(n)) {}

Status Batches::join(Iteration& shared) {
  const auto pack = [&](VertexRange some, WireWriter& writer) {
    std::byte* const bits = writer.grow((some.size() + 7) / 8);
    for (VertexId v = some.begin; v < some.end; ++v) {
      if (wanted_[v] != 0) bits[(v - some.begin) / 8] |= std::byte{1} << (v % 8);
    }
  };
  return share_pieces(engine_, shared, n_, pack, [&](std::size_t, VertexRange some, auto bits) {
    RIZOMA_CHECK(bits.size() == (some.size() + 7) / 8);
    for (VertexId v = some.begin; v < some.end; ++v)
      wanted_[v] |= std::to_integer<std::uint8_t>(bits[(v - some.begin) / 8] >> (v % 8) & std::byte{1});
  });
}

void Batches::want_all() noexcept { std::ranges::fill(wanted_.span(), std::uint8_t{1}); }

/// Four bits of chance for each vertex, of one number for 16.
unsigned Batches::group_of(Vertex v) const noexcept {
  return static_cast<unsigned>(mix64(seed_ ^ (v / 16)) >> (v % 16 * 4)) % groups_;
}

void Batches::collect(VertexId part, Part& found) {
  const VertexId begin = part * kPart;
  const VertexId end = std::min<VertexId>(begin + kPart, n_);
  Vertex* to = found_.data() + begin;
  for (VertexId v = begin; v < end; ++v) {
    *to = static_cast<Vertex>(v);
    to += wanted_[v];
  }
  found.count = static_cast<Vertex>(to - (found_.data() + begin));
  for (const Vertex v : found_.span().subspan(begin, found.count)) ++found.next[group_of(v)];
  std::fill_n(wanted_.data() + begin, end - begin, std::uint8_t{0});
  std::fill_n(turn_.data() + begin, end - begin, std::uint16_t{0});
}

/// The batches: of each chunk, group by group.  Few vertices make few batches, which are worth sharing.
void Batches::cut(std::vector<Part>& parts) {
  VertexId wanted = 0;
  for (const Part& part : parts) wanted += part.count;
  const VertexId least = std::max(kChunk, wanted / kMostChunks);
  batches_.clear();
  Vertex place = 0;
  for (std::size_t first = 0, last = 0; first < parts.size(); first = last) {
    for (VertexId count = 0; last < parts.size() && count < least; ++last) count += parts[last].count;
    const auto turn = static_cast<std::uint16_t>(batches_.size() + 1);
    for (unsigned group = 0; group < groups_; ++group) {
      const Vertex begin = place;
      for (std::size_t p = first; p < last; ++p) place += std::exchange(parts[p].next[group], place);
      batches_.push_back(order_.span().subspan(begin, place - begin));
    }
    for (std::size_t p = first; p < last; ++p) parts[p].first_turn = turn;
  }
  if (wanted == 0) batches_.clear();
}

Status Batches::assign() {
  seed_ = mix64(seed_);
  std::vector<Part> parts((n_ + kPart - 1) / kPart);
  RIZOMA_TRY(engine_.for_blocks(parts.size(), 1, [&](VertexRange some, unsigned) {
    for (std::uint64_t p = some.begin; p < some.end; ++p) collect(p, parts[p]);
  }));
  cut(parts);
  return engine_.for_blocks(parts.size(), 1, [&](VertexRange some, unsigned) {
    for (std::uint64_t p = some.begin; p < some.end; ++p) {
      for (const Vertex v : found_.span().subspan(p * kPart, parts[p].count)) {
        const unsigned group = group_of(v);
        order_[parts[p].next[group]++] = v;
        turn_[v] = static_cast<std::uint16_t>(parts[p].first_turn + group);
      }
    }
  });
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
