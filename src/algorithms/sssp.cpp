#include <rizoma/algorithms/sssp.h>

#include "base/random.h"
#include "base/text.h"

#include <rizoma/list_reader.h>
#include <rizoma/process_vertices.h>
#include <rizoma/ranks.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr EdgeCount kShare = 16384;    // entries: a bucket that leads to fewer is emptied by one thread
constexpr std::size_t kWindow = 1024;  // buckets kept apart; what lies beyond waits in one
constexpr std::size_t kAhead = 4;      // vertices whose lists are brought in ahead of their turn
constexpr int kDraws = 512;            // vertices looked at to choose delta,
constexpr int kEach = 2;               // and entries of each: to look at more takes longer than many a search
constexpr VertexId kNear = 1024;       // vertices whose numbers differ by no more, nor by a 64th of all, are near
constexpr double kMostlyNear = 0.5;    // of entries
constexpr double kWide = 16;           // times as wide are buckets then
constexpr VertexId kMany = 8;          // more than n / kMany vertices are many

/// How distances are held while they are found: in 32 bits where all lengths are integers that fit,
/// which the relaxation checks; otherwise as float64.
template <class Distance>
inline constexpr Distance kUnreached = std::numeric_limits<Distance>::max();
template <>
inline constexpr double kUnreached<double> = std::numeric_limits<double>::infinity();

/// An integer distance and weight below this add up without overflow.
constexpr std::uint64_t kSafe = std::uint64_t{1} << 31;

/// Maps distances to buckets.  Never decreasing; integer widths are powers of two.
template <class Distance>
class Width {
 public:
  explicit Width(double delta) {
    if constexpr (std::is_integral_v<Distance>) {
      shift_ = static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(std::clamp(delta, 1.0, 0x1p30))) - 1);
    } else {
      inverse_ = 1 / delta;
    }
  }
  [[nodiscard]] std::uint64_t bucket_of(Distance distance) const noexcept {
    if constexpr (std::is_integral_v<Distance>) {
      return distance >> shift_;
    } else {
      return static_cast<std::uint64_t>(std::min(distance * inverse_, 0x1p62));
    }
  }
  [[nodiscard]] double delta() const noexcept {
    if constexpr (std::is_integral_v<Distance>) {
      return static_cast<double>(std::uint64_t{1} << shift_);
    } else {
      return 1 / inverse_;
    }
  }

 private:
  unsigned shift_ = 0;
  double inverse_ = 1;
};

/// A vertex and the distance that put it there: worth work only while that is its distance.
template <class Target, class Distance>
struct Waiting {
  Target vertex;
  Distance distance;
};

/// The buckets of one thread: kWindow of them from `base` on in a ring, the rest in `far`.
template <class Target, class Distance>
class alignas(64) Buckets {
 public:
  using Entry = Waiting<Target, Distance>;

  Buckets() : ring_(kWindow) {}

  void push(std::uint64_t bucket, Entry entry) {
    (bucket < base_ + kWindow ? ring_[bucket % kWindow] : far_).push_back(entry);
  }
  [[nodiscard]] std::vector<Entry>& operator[](std::uint64_t bucket) { return ring_[bucket % kWindow]; }

  /// The first bucket from `bucket` on within the window that is not empty; kNone if there is none.
  [[nodiscard]] std::uint64_t first_from(std::uint64_t bucket) const {
    for (; bucket < base_ + kWindow; ++bucket) {
      if (!ring_[bucket % kWindow].empty()) return bucket;
    }
    return kNone;
  }
  /// The least bucket of what lies beyond the window; kNone if nothing does.
  [[nodiscard]] std::uint64_t first_far(const Width<Distance>& width) const {
    std::uint64_t first = kNone;
    for (const Entry& entry : far_) first = std::min(first, width.bucket_of(entry.distance));
    return first;
  }
  /// Moves the window, whose buckets are empty, to begin at `base`.
  void move_window(std::uint64_t base, const Width<Distance>& width) {
    base_ = base;
    std::vector<Entry> waiting;
    waiting.swap(far_);
    for (const Entry& entry : waiting) push(width.bucket_of(entry.distance), entry);
  }

  /// Takes out all that waits.
  template <class F>
  void take_all(F&& f) {
    for (std::vector<Entry>& bucket : ring_) {
      for (const Entry& entry : bucket) f(entry);
      bucket.clear();
    }
    for (const Entry& entry : far_) f(entry);
    far_.clear();
  }

  /// Whether a bucket, which is not before the window, lies beyond it.
  [[nodiscard]] bool is_far(std::uint64_t bucket) const noexcept { return bucket >= base_ + kWindow; }

  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  unsigned thread = 0;         ///< that empties the buckets
  Buckets* abroad = nullptr;   ///< with ranks: shorter ways to vertices of others
  std::vector<Target> waited;  ///< vertices that were in a bucket, until they are many

 private:
  std::vector<std::vector<Entry>> ring_;
  std::vector<Entry> far_;
  std::uint64_t base_ = 0;
};

/// What a search keeps: the distances found so far, and the bucket that comes next.
class KeptDistances {
 public:
  /// What was kept is read, if the job is to go on from there.
  static Result<KeptDistances> open(Engine& engine, const GraphView& graph, Checkpoints& checkpoints) {
    KeptDistances kept;
    kept.checkpoints_ = &checkpoints;
    kept.of_vertex = engine.make_map<double>(graph.num_vertices(), std::numeric_limits<double>::infinity());
    if (engine.ranks() != nullptr) RIZOMA_TRY(engine.ranks()->divide(graph));
    RIZOMA_ASSIGN(kept.resumed_,
                  checkpoints.resume({kept.figures_, {column_of(kept.of_vertex)}, [&kept] { return kept.sound(); }}));
    return kept;
  }

  /// By searches of another type buckets are numbered otherwise.
  [[nodiscard]] bool resumes(bool integral) const noexcept { return resumed_ && figures_[0] == (integral ? 1 : 0); }
  [[nodiscard]] bool resumes() const noexcept { return resumed_; }
  [[nodiscard]] double delta() const noexcept { return figures_[1]; }
  [[nodiscard]] std::uint64_t bucket() const noexcept { return number_of(figures_[2], figures_[3]); }

  [[nodiscard]] Result<bool> due() { return checkpoints_->due(); }
  /// Once `of_vertex` has the distances.
  Status keep(bool integral, double delta, std::uint64_t bucket) {
    const auto [high, low] = halves_of(bucket);
    figures_ = {integral ? 1.0 : 0.0, delta, high, low};
    return checkpoints_->keep({figures_, {column_of(of_vertex)}});
  }

  VertexMap<double> of_vertex;

 private:
  [[nodiscard]] bool sound() const {
    const auto [integral, delta, high, low] = figures_;
    if (!(integral == 0 || integral == 1) || !(delta > 0) || !std::isfinite(delta)) return false;
    if (!are_halves(high, low) || number_of(high, low) > kLastBucket) return false;
    const bool whole = integral == 1;
    return std::ranges::all_of(of_vertex.span(), [&](double distance) {
      return whole ? std::isinf(distance) || whole_below(distance, static_cast<double>(kSafe)) : distance >= 0;
    });
  }

  static constexpr std::uint64_t kLastBucket = std::uint64_t{1} << 62;
  Checkpoints* checkpoints_ = nullptr;
  std::array<double, 4> figures_{};  ///< whether distances are integers, delta, the bucket in halves
  bool resumed_ = false;
};

/// One search with distances of one type.
template <class Lists, class Distance>
class Search {
  using Target = typename Lists::target_type;
  using Weight = typename Lists::weight_type;

 public:
  /// `kept`: null if nothing is.
  Search(Engine& engine, const GraphView& graph, Lists& out, double delta, KeptDistances* kept)
      : engine_(engine),
        ranks_(engine.ranks()),
        graph_(graph),
        out_(out),
        kept_(kept),
        delta_(delta),
        width_(delta),
        distance_(engine.make_map<Distance>(graph.num_vertices(), kUnreached<Distance>)),
        few_(std::clamp<std::size_t>(kShare * graph.num_vertices() / std::max<EdgeCount>(graph.num_entries(), 1), 16,
                                     1024)),
        grain_(std::clamp<std::uint64_t>(few_ / 8, 4, 64)),
        many_(graph.num_vertices() / kMany),
        buckets_(engine.threads()),
        shared_(engine.threads()) {
    if (ranks_ != nullptr) abroad_.resize(buckets_.size());
    for (unsigned thread = 0; thread < buckets_.size(); ++thread) {
      buckets_[thread].thread = thread;
      if (ranks_ != nullptr) buckets_[thread].abroad = &abroad_[thread];
    }
  }

  /// Returns false if a distance does not fit the type.
  Result<bool> run(VertexId source) {
    RIZOMA_ASSIGN(const Placement placement, engine_.placement(graph_));
    several_homes_ = placement.homes > 1;
    if (ranks_ != nullptr) RIZOMA_TRY(ranks_->divide(graph_));
    std::uint64_t bucket = 0;
    if (kept_ != nullptr && kept_->resumes(kIntegral)) {
      bucket = begin_where_it_was();
    } else {
      distance_[source] = 0;
      if (is_mine(source)) buckets_[0].push(0, {static_cast<Target>(source), 0});
    }
    while (bucket != kNone) {
      RIZOMA_TRY(engine_.report("sssp", static_cast<double>(bucket), 0));
      RIZOMA_TRY(empty(bucket));
      if (error_) return *error_;
      RIZOMA_ASSIGN(const Next next, next_of_all(bucket));
      if (next.too_long != 0) return false;
      bucket = next.bucket;
      if (kept_ != nullptr && bucket != kNone) RIZOMA_TRY(offer(bucket));
    }
    return true;
  }

  Status deliver(SsspResult& result) {
    const VertexId n = graph_.num_vertices();
    result.delta = width_.delta();
    std::size_t waited = 0;
    for (const auto& buckets : buckets_) waited += buckets.waited.size();
    RIZOMA_ASSIGN(result.resumed_after, over_ranks(engine_, resumed_after_, std::plus<>()));
    if (ranks_ == nullptr && waited <= many_ && resumed_after_ == 0) {
      deliver_few(result);
      return {};
    }
    VertexMap<double> distances = engine_.make_unset_map<double>(n);
    std::atomic<VertexId> reached = 0;
    RIZOMA_TRY(engine_.for_vertices(graph_, [&](VertexRange block, unsigned) {
      VertexId of_block = 0;
      for (VertexId v = block.begin; v < block.end; ++v) {
        distances[v] = as_told(v);
        of_block += distances[v] != kFar ? 1 : 0;
      }
      if (of_block > 0) reached.fetch_add(of_block, std::memory_order_relaxed);
    }));
    result.distances = {std::move(distances), nullptr, kFar};
    RIZOMA_ASSIGN(result.reached, over_ranks(engine_, reached.load(), std::plus<>()));
    return {};
  }

 private:
  using Entry = Waiting<Target, Distance>;
  struct Next {
    std::uint64_t bucket;
    std::uint64_t too_long;  ///< 1: so it is
  };
  static_assert(std::has_unique_object_representations_v<Next>);  // whatever bytes it has go to other ranks
  static constexpr std::uint64_t kNone = Buckets<Target, Distance>::kNone;
  static constexpr bool kWeighted = !std::is_void_v<Weight>;
  static constexpr double kFar = std::numeric_limits<double>::infinity();
  static constexpr bool kIntegral = std::is_integral_v<Distance>;

  /// Puts whoever of this rank is not settled into the buckets again; returns the one that comes next.
  std::uint64_t begin_where_it_was() {
    const std::uint64_t bucket = kept_->bucket();
    for (auto& buckets : buckets_) buckets.move_window(bucket, width_);
    for (auto& buckets : abroad_) buckets.move_window(bucket, width_);
    for (VertexId v = 0; v < distance_.size(); ++v) {
      if (!is_mine(v) || kept_->of_vertex[v] == kFar) continue;
      distance_[v] = static_cast<Distance>(kept_->of_vertex[v]);
      const std::uint64_t its_bucket = width_.bucket_of(distance_[v]);
      if (its_bucket >= bucket) {
        buckets_[resumed_after_ % buckets_.size()].push(its_bucket, {static_cast<Target>(v), distance_[v]});
      }
      ++resumed_after_;
    }
    return bucket;
  }

  /// Keeps the distances if it is time to, once all ways that lead to other ranks are known there.
  Status offer(std::uint64_t bucket) {
    RIZOMA_ASSIGN(const bool due, kept_->due());
    if (!due) return {};
    if (ranks_ != nullptr) {
      Outbox<Distance> outbox(*ranks_);
      for (auto& buckets : abroad_) {
        buckets.take_all([&](const Entry& entry) {
          if (distance_[entry.vertex] == entry.distance) outbox.add(entry.vertex, entry.distance);
        });
      }
      RIZOMA_TRY(outbox.exchange([&](VertexId v, Distance distance) { reach(v, distance, buckets_[0]); }));
    }
    RIZOMA_TRY(engine_.for_vertices(graph_, [&](VertexRange block, unsigned) {
      for (VertexId v = block.begin; v < block.end; ++v) kept_->of_vertex[v] = as_told(v);
    }));
    return kept_->keep(kIntegral, delta_, bucket);
  }

  [[nodiscard]] double as_told(VertexId v) const noexcept {
    return distance_[v] == kUnreached<Distance> ? kFar : static_cast<double>(distance_[v]);
  }

  /// The distances of the vertices reached, and of no others: whoever was reached has waited, some of them twice.
  void deliver_few(SsspResult& result) {
    VertexMap<double> distances = engine_.make_unset_map<double>(graph_.num_vertices());
    auto reached = std::make_shared<VertexSet>(engine_.make_set(graph_.num_vertices()));
    for (const auto& buckets : buckets_) {
      for (const Target v : buckets.waited) {
        distances[v] = static_cast<double>(distance_[v]);
        reached->add(v);
      }
    }
    result.reached = reached->count();
    result.distances = {std::move(distances), std::move(reached), kFar};
  }

  /// Relaxes what waits in one bucket of all threads.  What falls back into it goes through again: by
  /// the thread at once while it is little (bucket fusion), else shared out by the next call.
  Status empty(std::uint64_t bucket) {
    std::uint64_t total = 0;
    for (unsigned thread = 0; thread < shared_.size(); ++thread) {
      shared_[thread].clear();
      shared_[thread].swap(buckets_[thread][bucket]);
      note(shared_[thread], buckets_[thread]);
      total += shared_[thread].size();
    }
    if (several_homes_ && total > few_) return empty_by_home(bucket);
    std::atomic<std::uint64_t> next = 0;
    const auto work = [&](unsigned thread) {
      for (std::uint64_t begin = 0; (begin = next.fetch_add(grain_, std::memory_order_relaxed)) < total;) {
        relax_shared(begin, std::min(begin + grain_, total), buckets_[thread]);
      }
      fuse(bucket, buckets_[thread]);
    };
    if (total <= few_) {
      work(0);
    } else {
      engine_.parallel(work);
      out_.end_sweep();  // what the caller empties alone counts with the next
    }
    return {};
  }

  /// The same of the shared lists, each vertex by a thread of its home where one has time.
  Status empty_by_home(std::uint64_t bucket) {
    std::vector<Target> vertices;
    for (const std::vector<Entry>& list : shared_) {
      for (const Entry& entry : list) {
        if (distance_[entry.vertex] == entry.distance) vertices.push_back(entry.vertex);
      }
    }
    RIZOMA_TRY(engine_.for_list(
        graph_, std::span<const Target>(vertices), grain_, [&](std::span<const Target> some, unsigned thread) {
          for (const Target u : some)
            walk(u, out_.again(u), distance_.atomic(u).load(std::memory_order_relaxed), buckets_[thread]);
        }));
    engine_.parallel([&](unsigned thread) { fuse(bucket, buckets_[thread]); });
    out_.end_sweep();
    return {};
  }

  /// Entries [begin, end) of all threads' shared lists, taken one behind the other.
  void relax_shared(std::uint64_t begin, std::uint64_t end, Buckets<Target, Distance>& mine) {
    for (const std::vector<Entry>& list : shared_) {
      const std::uint64_t last = std::min<std::uint64_t>(end, list.size());
      if (begin < last) relax(std::span(list).subspan(begin, last - begin), mine);
      begin -= std::min<std::uint64_t>(begin, list.size());
      end -= std::min<std::uint64_t>(end, list.size());
    }
  }

  /// Apart from the loops over edges, which take a tenth longer with it.
  [[gnu::noinline]] void note(const std::vector<Entry>& waiting, Buckets<Target, Distance>& mine) const {
    if (mine.waited.size() > many_) return;
    for (const Entry& entry : waiting) mine.waited.push_back(entry.vertex);
  }

  void fuse(std::uint64_t bucket, Buckets<Target, Distance>& mine) {
    std::vector<Entry> waiting;
    while (!mine[bucket].empty() && mine[bucket].size() < few_ && !over()) {
      waiting.clear();
      waiting.swap(mine[bucket]);
      note(waiting, mine);
      relax(waiting, mine);
    }
  }

  [[nodiscard]] bool over() const noexcept { return too_long_.load(std::memory_order_relaxed) || engine_.stopping(); }

  void relax(std::span<const Entry> entries, Buckets<Target, Distance>& mine) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (i + kAhead < entries.size()) __builtin_prefetch(out_.again(entries[i + kAhead].vertex).sources().data());
      const VertexId u = entries[i].vertex;
      const Distance distance = entries[i].distance;
      if (distance_.atomic(u).load(std::memory_order_relaxed) != distance) continue;  // a shorter way was found since
      walk(u, out_.read(u, mine.thread), distance, mine);
    }
  }

  /// Looks at what u's edges reach from that distance.
  void walk(VertexId u, const auto& list, Distance distance, Buckets<Target, Distance>& mine) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if constexpr (kWeighted) {
        if (!adds_up(distance, list.weight(i))) return refuse(u, list.source(i), list.weight(i));
      }
      reach(list.source(i), distance + static_cast<Distance>(list.weight(i)), mine);
    }
  }

  /// False if the weight is negative or NaN, or the sum is too great for 32 bits.
  static bool adds_up(Distance distance, auto weight) noexcept {
    if constexpr (std::is_integral_v<Distance>) {
      return std::uint64_t{distance} + static_cast<std::uint32_t>(weight) < kSafe;  // a negative weight is >= kSafe
    } else {
      return weight >= 0;
    }
  }

  void reach(VertexId v, Distance distance, Buckets<Target, Distance>& mine) {
    if (!distance_.lower(v, distance)) return;
    (is_mine(v) ? mine : *mine.abroad).push(width_.bucket_of(distance), {static_cast<Target>(v), distance});
  }

  [[nodiscard]] bool is_mine(VertexId v) const noexcept { return ranks_ == nullptr || ranks_->owns(v); }

  /// The bucket that comes next, the first that is not empty on any rank.
  Result<Next> next_of_all(std::uint64_t bucket) {
    Next next{first_waiting(buckets_, bucket), too_long_.load() ? 1U : 0U};
    if (ranks_ != nullptr) {
      const std::uint64_t owed = first_waiting(abroad_, bucket);
      Outbox<Distance> outbox(*ranks_);
      if (owed <= next.bucket) put(owed, outbox);
      next.bucket = std::min(next.bucket, owed);
      std::size_t thread = 0;
      const auto all = outbox.exchange_with(next, [&](VertexId v, Distance distance) {
        reach(v, distance, buckets_[thread]);
        thread = (thread + 1) % buckets_.size();
      });
      if (!all) return all.error();
      for (const Next& of_rank : *all) next = {std::min(next.bucket, of_rank.bucket), next.too_long | of_rank.too_long};
    }
    if (next.bucket != kNone && buckets_[0].is_far(next.bucket)) {
      for (auto& buckets : buckets_) buckets.move_window(next.bucket, width_);
      for (auto& buckets : abroad_) buckets.move_window(next.bucket, width_);
    }
    return next;
  }

  /// Tells other ranks of the shorter ways to their vertices that end in one bucket.  That is before its turn, and not
  /// as soon as one is found: by then most have become shorter still.  Here the distance of a vertex of theirs is the
  /// least that this rank has found.
  void put(std::uint64_t bucket, Outbox<Distance>& outbox) {
    if (bucket == kNone || abroad_[0].is_far(bucket)) return;  // what is far waits until the window has moved
    for (auto& buckets : abroad_) {
      std::vector<Entry>& owed = buckets[bucket];
      std::sort(owed.begin(), owed.end(), [](const Entry& a, const Entry& b) { return a.vertex < b.vertex; });
      for (const Entry& entry : owed) {
        if (distance_[entry.vertex] == entry.distance) outbox.add(entry.vertex, entry.distance);
      }
      owed.clear();
    }
  }

  void refuse(VertexId u, VertexId v, auto weight) {
    if (weight >= 0) {
      too_long_ = true;
    } else if (!refused_.exchange(true)) {  // the first to see one says so
      error_ = Error{ErrorCode::invalid_argument, "sssp: edge " + std::to_string(u) + " -> " + std::to_string(v) +
                                                      " (inner numbers) has weight " + to_text(weight) +
                                                      "; weights must be 0 or more"};
    }
  }

  /// The first bucket from `bucket` on that is not empty here.
  [[nodiscard]] std::uint64_t first_waiting(std::span<const Buckets<Target, Distance>> of_threads,
                                            std::uint64_t bucket) const {
    std::uint64_t first = kNone;
    for (const auto& buckets : of_threads) first = std::min(first, buckets.first_from(bucket));
    if (first != kNone) return first;
    for (const auto& buckets : of_threads) first = std::min(first, buckets.first_far(width_));
    return first;
  }

  Engine& engine_;
  Ranks* ranks_;  ///< null: this process is alone
  const GraphView& graph_;
  Lists& out_;
  KeptDistances* kept_;  ///< null: nothing is kept
  const double delta_;   ///< as it was given
  const Width<Distance> width_;
  VertexMap<Distance> distance_;
  const std::size_t few_;      ///< vertices that are not worth sharing
  const std::uint64_t grain_;  ///< vertices of a bucket handed out at once
  const std::size_t many_;     ///< vertices that have waited: all distances are written then
  std::vector<Buckets<Target, Distance>> buckets_;
  std::vector<Buckets<Target, Distance>> abroad_;  ///< with ranks: of vertices of others
  std::vector<std::vector<Entry>> shared_;
  bool several_homes_ = false;
  VertexId resumed_after_ = 0;  ///< vertices of this rank that had been reached
  std::atomic<bool> too_long_ = false;
  std::atomic<bool> refused_ = false;
  std::optional<Error> error_;
};

/// What edges drawn at random tell.
struct Drawn {
  double vertices = 0;  ///< that have edges
  double entries = 0;
  double near = 0;    ///< entries that lead to a vertex whose number is near
  double weight = 0;  ///< of all entries

  static Drawn add(const Drawn& a, const Drawn& b) {
    return {a.vertices + b.vertices, a.entries + b.entries, a.near + b.near, a.weight + b.weight};
  }
};

/// With ranks, each looks at those of its own vertices that it draws, and what all have found is added up: each vertex
/// has random numbers of its own, so that ranks draw the same entries as one process.
template <class Lists>
Drawn draw(const Ranks* ranks, const Lists& out) {
  const VertexId near = std::min(kNear, out.num_vertices() / 64);
  Drawn drawn;
  for (int i = 0; i < kDraws && out.num_vertices() > 0; ++i) {
    Random random(static_cast<std::uint64_t>(i));
    const VertexId v = random.below(out.num_vertices());
    if (ranks != nullptr && !ranks->owns(v)) continue;
    const auto list = out.again(v);
    if (list.empty()) continue;
    drawn.vertices += 1;
    drawn.entries += static_cast<double>(list.size());
    const double stands_for = static_cast<double>(list.size()) / kEach;  // entries of the list
    for (int one = 0; one < kEach; ++one) {
      const std::size_t at = random.below(list.size());
      const VertexId w = list.source(at);
      if ((w > v ? w - v : v - w) <= near) drawn.near += stands_for;
      const auto weight = static_cast<double>(list.weight(at));
      if (std::isfinite(weight)) drawn.weight += std::abs(weight) * stands_for;
    }
  }
  return drawn;
}

/// As measured on social, road, web and made-up graphs: a third of the mean weight over the root of the mean degree.
/// Several times that where degrees are small, as buckets would hold too little to share; and where edges lead to
/// vertices nearby, as on the web: few ways are much shorter than others there, and a thread that goes on in one place
/// finds its lists in the cache.
template <class Lists>
Result<double> choose_delta(Engine& engine, const GraphView& graph, const Lists& out) {
  if (engine.ranks() != nullptr) RIZOMA_TRY(engine.ranks()->divide(graph));
  RIZOMA_ASSIGN(const Drawn drawn, over_ranks(engine, draw(engine.ranks(), out), Drawn::add));
  if (!(drawn.weight > 0) || !std::isfinite(drawn.weight)) return 1;
  const double mean_weight = drawn.weight / drawn.entries;
  const double with_edges = drawn.vertices / kDraws * static_cast<double>(graph.num_vertices());
  const double mean_degree = static_cast<double>(graph.num_entries()) / with_edges;  // a few great lists tell it badly
  const bool wide = mean_degree < 8 || drawn.near > kMostlyNear * drawn.entries;
  return mean_weight / (3 * std::sqrt(mean_degree)) * (wide ? kWide : 1);
}

template <class Distance, class Lists>
Result<bool> try_with(Engine& engine, const GraphView& graph, Lists& out, VertexId source, double delta,
                      KeptDistances* kept, SsspResult& result) {
  Search<Lists, Distance> search(engine, graph, out, delta, kept);
  RIZOMA_ASSIGN(const bool done, search.run(source));
  if (done) RIZOMA_TRY(search.deliver(result));
  return done;
}

template <class Lists>
Result<SsspResult> search(Engine& engine, const GraphView& graph, Lists& out, VertexId source,
                          const SsspOptions& options) {
  using Weight = typename Lists::weight_type;
  std::optional<KeptDistances> distances;
  if (options.checkpoints != nullptr) {
    RIZOMA_ASSIGN(distances, KeptDistances::open(engine, graph, *options.checkpoints));
  }
  KeptDistances* const kept = distances ? &*distances : nullptr;
  const bool resumes = kept != nullptr && kept->resumes();
  double delta = resumes ? kept->delta() : options.delta;
  if (delta == 0) {
    RIZOMA_ASSIGN(delta, choose_delta(engine, graph, out));
  }
  SsspResult result;
  if constexpr (std::is_same_v<Weight, std::int32_t> || std::is_void_v<Weight>) {
    const bool too_long = !std::is_void_v<Weight> && resumes && !kept->resumes(true);  // as the job found before
    if (!too_long) {
      RIZOMA_ASSIGN(const bool done, try_with<std::uint32_t>(engine, graph, out, source, delta, kept, result));
      if (done) return result;
    }
  }
  if constexpr (!std::is_void_v<Weight>) {
    RIZOMA_TRY(try_with<double>(engine, graph, out, source, delta, kept, result));
  }
  return result;
}

}  // namespace

Result<SsspResult> sssp(Engine& engine, const GraphView& graph, VertexId source, const SsspOptions& options) {
  if (source >= graph.num_vertices() || !graph.is_live(source)) {
    return Error{ErrorCode::invalid_argument,
                 "sssp: source " + std::to_string(source) + " is not a vertex of the graph"};
  }
  if (!(options.delta >= 0) || std::isinf(options.delta)) {
    return Error{ErrorCode::invalid_argument,
                 "sssp: delta must be finite and 0 (chosen) or more, not " + std::to_string(options.delta)};
  }
  return read_lists<true>(engine, graph, Direction::out,
                          [&](auto& out) { return search(engine, graph, out, source, options); });
}

}  // namespace rizoma
