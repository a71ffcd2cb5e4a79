#include <rizoma/algorithms/betweenness_centrality.h>

#include "algorithms/add_up.h"

#include <rizoma/list_reader.h>
#include <rizoma/process_vertices.h>
#include <rizoma/ranks.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr std::uint64_t kGrain = 64;       // vertices of a level handed out at once
constexpr EdgeCount kSmallLevel = 8192;    // entries not worth waking other threads for
constexpr EdgeCount kPullGain = 2;         // an entry pulled costs about half of one pushed: no atomic add
constexpr std::size_t kSourcesOfTurn = 8;  // of each thread, if sums may be kept in between
constexpr EdgeCount kSourceParallelEntries = EdgeCount{1} << 22;  // below: threads take sources, not blocks

/// Calls f for the members of a sorted list; for each once if the list may hold repetitions.
template <class Target, class F>
void for_each(std::span<const Target> list, bool repeats, F f) {
  if (!repeats) {
    for (const Target v : list) f(v);
    return;
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i == 0 || list[i] != list[i - 1]) f(list[i]);
  }
}

/// Brandes from one source after another, with the state kept between them.  Let p(v) be the number of
/// shortest paths from the source to v, and c(v) = 1/p(v) + the sum of c over the successors of v.
/// Then the dependency of the source on v is p(v) times that sum: one value read for each edge, and
/// one division for each vertex.
/// `Number` holds p and c: double, or long double where there are too many paths for it, whose atomic
/// additions are replaced by a single thread's.
/// With ranks, each has the state of its own vertices, and for others copies of what is shown and notes of what it
/// knows; the vertices of a level are those of this rank, its sizes are those of all.
template <class Lists, class Number>
class Brandes {
  using Target = typename Lists::target_type;

 public:
  Brandes(Engine& engine, const GraphView& graph, const Lists& out, const Lists* in)
      : engine_(engine),
        ranks_(engine.ranks()),
        graph_(graph),
        out_(out),
        in_(in),
        n_(graph.num_vertices()),
        repeats_(graph.may_have_parallel_edges()),
        paths_(engine.make_map<Number>(n_, 0)),
        share_(engine.make_map<Number>(n_, 0)),
        order_(engine.make_map<Target>(n_, 0, Structure::frontiers)),
        seen_(engine.make_set(n_)),
        level_(engine.make_set(n_)),
        next_(engine.make_set(n_)),
        queues_(engine.threads()) {
    if (ranks_ == nullptr) return;
    successors_.emplace(engine, *ranks_, graph, Direction::out, sizeof(Number));
    if (!can_pull()) return;
    predecessors_.emplace(engine, *ranks_, graph, Direction::in, sizeof(Number));
    level_of_others_.emplace(engine, *ranks_, graph, Direction::in, 0);
  }

  /// Adds the dependencies of `source` to scores.
  Status add(VertexId source, VertexMap<double>& scores) {
    RIZOMA_TRY(search(source));
    RIZOMA_TRY(accumulate(scores));
    return forget();
  }

 private:
  static constexpr bool kAtomic = std::is_same_v<Number, double>;

  struct alignas(64) Queue {
    std::vector<Target> vertices;
  };
  /// What all ranks have in common of a level.
  struct Sizes {
    VertexId vertices;
    EdgeCount out_entries;
    EdgeCount in_entries;
    bool overflow;
    static Sizes add(const Sizes& a, const Sizes& b) {
      return {a.vertices + b.vertices, a.out_entries + b.out_entries, a.in_entries + b.in_entries,
              a.overflow || b.overflow};
    }
  };
  /// A stretch of `order_`, and the entries of its vertices' lists.
  struct Level {
    VertexId begin;
    VertexId end;
    EdgeCount out_entries;
    EdgeCount in_entries;
    VertexId of_all;  ///< vertices, on all ranks
    [[nodiscard]] VertexId size() const noexcept { return end - begin; }
  };

  [[nodiscard]] const Lists& in() const noexcept { return in_ != nullptr ? *in_ : out_; }
  [[nodiscard]] bool can_pull() const noexcept { return graph_.has_in_edges(); }

  /// f(v, thread) for the vertices of a level; `entries` are those that f walks; `adds`: f uses add_to.
  template <class F>
  Status for_level(const Level& level, EdgeCount entries, F f, bool adds = false) {
    const bool small = level.out_entries + level.in_entries < kSmallLevel || (adds && !kAtomic);
    const std::span<const Target> vertices(order_.data() + level.begin, level.size());
    const auto each = [&](std::span<const Target> block, unsigned thread) {
      for (const Target v : block) f(static_cast<VertexId>(v), thread);
    };
    // With ranks, a level's entries are those of all.
    const bool told = ranks_ == nullptr || entries == 0;
    return engine_.for_list(graph_, vertices, small ? level.size() : kGrain, each,
                            told ? std::optional(entries) : std::nullopt);
  }

  static void add_to(VertexMap<Number>& map, VertexId v, Number amount) {
    if constexpr (kAtomic) {
      map.atomic(v).fetch_add(amount, std::memory_order_relaxed);
    } else {
      map[v] += amount;
    }
  }

  // --- Forward: levels and numbers of paths --------------------------------------------------------

  Status search(VertexId source) {
    levels_.clear();
    source_ = source;
    if (is_mine(source)) {
      order_[0] = static_cast<Target>(source);
      seen_.words()[source / 64] |= bit(source);
      paths_[source] = 1;
      next_.words()[source / 64] |= bit(source);
    }
    unexplored_ = graph_.num_entries();
    RIZOMA_TRY(close_level(0, is_mine(source) ? 1 : 0));
    while (levels_.back().of_all > 0) {
      const Level level = levels_.back();
      std::swap(level_, next_);  // level_: the vertices of the last level; next_: empty
      const bool pulls = can_pull() && unexplored_ < kPullGain * level.out_entries;
      RIZOMA_TRY(pulls ? show_level() : Status());
      RIZOMA_TRY(pulls ? pull() : push(level));
      if (!pulls) RIZOMA_TRY(tell_owners());
      const VertexId end = pulls ? collect(level.end) : gather(level.end);
      unmark(level_, level);
      RIZOMA_TRY(close_level(level.end, end));
    }
    levels_.pop_back();
    return {};
  }

  /// Each vertex of the level adds its paths to its unseen out-neighbours.
  Status push(const Level& level) {
    return for_level(
        level, level.out_entries,
        [&](VertexId u, unsigned thread) {
          const Number paths = paths_[u];
          for_each(out_.again(u).sources(), repeats_, [&](Target v) {
            if (has(seen_, v)) return;
            if (next_.add_atomic(v)) queues_[thread].vertices.push_back(v);
            add_to(paths_, v, paths);
          });
        },
        true);
  }

  /// What a push has found of other ranks goes there; a vertex that was told of once is seen, from here on.
  Status tell_owners() {
    if (ranks_ == nullptr) return {};
    Outbox<Number> outbox(*ranks_);
    for (Queue& queue : queues_) {
      std::erase_if(queue.vertices, [&](Target v) {
        if (ranks_->owns(v)) return false;
        outbox.add(v, std::exchange(paths_[v], 0));
        seen_.words()[v / 64] |= bit(v);
        next_.words()[v / 64] &= ~bit(v);
        return true;
      });
    }
    return outbox.exchange([&](VertexId v, const Number& paths) {
      if (has(seen_, v)) return;
      if (next_.add(v)) queues_[0].vertices.push_back(static_cast<Target>(v));
      paths_[v] += paths;
    });
  }

  /// Brings in who of other ranks is in the level, and the numbers of their paths.
  Status show_level() {
    if (ranks_ == nullptr) return {};
    RIZOMA_TRY(predecessors_->refresh_active(paths_.data(), level_.words()));
    for (VertexId word = 0; word * 64 < n_; ++word) seen_.words()[word] |= level_.word(word);
    return {};
  }

  /// Each unseen vertex adds up the paths of its in-neighbours in the level.
  Status pull() {
    return engine_.for_words(graph_, Direction::in, [&](VertexRange block, unsigned) {
      std::uint64_t found = 0;
      for (std::uint64_t unseen = ~seen_.word(block.begin / 64); unseen != 0; unseen &= unseen - 1) {
        const VertexId v = block.begin + static_cast<VertexId>(std::countr_zero(unseen));
        if (v >= block.end) break;
        Number paths = 0;
        for_each(in().again(v).sources(), repeats_, [&](Target u) {
          if (has(level_, u)) paths += paths_[u];
        });
        if (paths == 0) continue;
        paths_[v] = paths;
        found |= bit(v);
      }
      if (found != 0) next_.words()[block.begin / 64] = found;
    });
  }

  /// Appends what a push found, thread by thread.
  VertexId gather(VertexId end) {
    for (Queue& queue : queues_) {
      for (const Target v : queue.vertices) {
        order_[end++] = v;
        seen_.words()[v / 64] |= bit(v);
      }
      queue.vertices.clear();
    }
    return end;
  }

  /// Appends what a pull found, by number.
  VertexId collect(VertexId end) {
    for (VertexId word = 0; word * 64 < n_; ++word) {
      seen_.words()[word] |= next_.word(word);
      for (std::uint64_t bits = next_.word(word); bits != 0; bits &= bits - 1) {
        order_[end++] = static_cast<Target>(word * 64 + static_cast<VertexId>(std::countr_zero(bits)));
      }
    }
    return end;
  }

  Status close_level(VertexId begin, VertexId end) {
    Level level{begin, end, 0, 0, 0};
    std::atomic<EdgeCount> out_entries = 0;
    std::atomic<EdgeCount> in_entries = 0;
    std::atomic<bool> overflow = false;
    RIZOMA_TRY(engine_.for_blocks(level.size(), 4096, [&](VertexRange block, unsigned) {
      EdgeCount outs = 0;
      EdgeCount ins = 0;
      for (VertexId i = begin + block.begin; i < begin + block.end; ++i) {
        outs += out_.degree(order_[i]);
        if (in_ != nullptr) ins += in_->degree(order_[i]);
        if (!std::isfinite(paths_[order_[i]])) overflow = true;
      }
      out_entries.fetch_add(outs, std::memory_order_relaxed);
      in_entries.fetch_add(in_ != nullptr ? ins : outs, std::memory_order_relaxed);
    }));
    const Sizes mine{level.size(), out_entries, in_entries, overflow};
    RIZOMA_ASSIGN(const Sizes of_all, over_ranks(engine_, mine, Sizes::add));
    if (of_all.overflow) {
      return Error{ErrorCode::unsupported,
                   "betweenness_centrality: more shortest paths than a number holds lead to one vertex from vertex " +
                       std::to_string(source_) + " (inner number)"};
    }
    level.of_all = of_all.vertices;
    level.out_entries = of_all.out_entries;
    level.in_entries = of_all.in_entries;
    unexplored_ -= std::min(unexplored_, level.in_entries);
    levels_.push_back(level);
    return {};
  }

  // --- Backward: dependencies ----------------------------------------------------------------------

  Status accumulate(VertexMap<double>& scores) {
    for (std::size_t depth = levels_.size(); depth-- > 1;) {
      const Level& level = levels_[depth];
      RIZOMA_TRY(depth + 1 == levels_.size() ? Status() : dependencies(level, levels_[depth + 1]));
      RIZOMA_TRY(for_level(level, 0, [&](VertexId v, unsigned) {
        scores[v] += static_cast<double>(paths_[v] * share_[v]);
        share_[v] += 1 / paths_[v];
      }));
    }
    return {};
  }

  /// share_ of the level's vertices becomes the sum of c over their successors, which lie in `deeper`:
  /// added up from the side that has fewer entries to look at.
  Status dependencies(const Level& level, const Level& deeper) {
    const bool scatters = can_pull() && deeper.in_entries * kPullGain < level.out_entries;
    const Level& marked = scatters ? level : deeper;
    RIZOMA_TRY(mark(level_, marked));
    if (scatters) {
      RIZOMA_TRY(make_room());
      RIZOMA_TRY(for_level(
          deeper, deeper.in_entries,
          [&](VertexId v, unsigned) {
            const Number share = share_[v];
            for_each(in().again(v).sources(), repeats_, [&](Target u) {
              if (has(level_, u)) add_to(share_, u, share);
            });
          },
          true));
      RIZOMA_TRY(return_shares());
    } else {
      if (ranks_ != nullptr) RIZOMA_TRY(successors_->refresh_active(share_.data(), level_.words()));
      RIZOMA_TRY(for_level(level, level.out_entries, [&](VertexId u, unsigned) {
        Number sum = 0;
        for_each(out_.again(u).sources(), repeats_, [&](Target v) {
          if (has(level_, v)) sum += share_[v];
        });
        share_[u] = sum;
      }));
    }
    unmark(level_, marked);
    return {};
  }

  /// f(v) for the vertices of other ranks that are marked.
  template <class F>
  void for_marked_elsewhere(F f) {
    for (unsigned rank = 0; rank < ranks_->size(); ++rank) {
      if (rank == ranks_->rank()) continue;
      for (const VertexRange range : ranks_->ranges_of(rank)) level_.for_each(range, f);
    }
  }

  /// Brings in who of other ranks is in the level that is marked, with nothing added to their shares yet.
  Status make_room() {
    if (ranks_ == nullptr) return {};
    RIZOMA_TRY(level_of_others_->refresh_active(nullptr, level_.words()));
    for_marked_elsewhere([&](VertexId u) { share_[u] = 0; });
    return {};
  }

  /// Adds to the shares of vertices of other ranks what their successors here have.
  Status return_shares() {
    if (ranks_ == nullptr) return {};
    Outbox<Number> outbox(*ranks_);
    for_marked_elsewhere([&](VertexId u) {
      if (share_[u] != 0) outbox.add(u, share_[u]);
    });
    return outbox.exchange([&](VertexId u, const Number& share) { share_[u] += share; });
  }

  // --- Sets ---------------------------------------------------------------------------------------

  static std::uint64_t bit(VertexId v) noexcept { return std::uint64_t{1} << (v & 63); }
  [[nodiscard]] bool is_mine(VertexId v) const { return ranks_ == nullptr || ranks_->owns(v); }
  static bool has(const VertexSet& set, VertexId v) noexcept { return (set.word(v >> 6) & bit(v)) != 0; }

  Status mark(VertexSet& set, const Level& level) {
    return engine_.for_blocks(level.size(), 4096, [&](VertexRange block, unsigned) {
      for (VertexId i = level.begin + block.begin; i < level.begin + block.end; ++i) set.add_atomic(order_[i]);
    });
  }
  void unmark(VertexSet& set, const Level& level) {
    if (ranks_ != nullptr || level.size() >= n_ / 64) return set.clear();
    for (VertexId i = level.begin; i < level.end; ++i) set.words()[order_[i] / 64] = 0;
  }

  /// Makes the state of every vertex reached what it was.
  Status forget() {
    const Level all{0, levels_.back().end, 0, 0, 0};
    unmark(seen_, all);
    if (ranks_ != nullptr) {
      return engine_.for_blocks(n_, 4096, [&](VertexRange block, unsigned) {
        for (VertexId v = block.begin; v < block.end; ++v) paths_[v] = share_[v] = 0;
      });
    }
    return engine_.for_blocks(all.size(), 4096, [&](VertexRange block, unsigned) {
      for (VertexId i = block.begin; i < block.end; ++i) paths_[order_[i]] = share_[order_[i]] = 0;
    });
  }

  Engine& engine_;
  Ranks* ranks_;  ///< null: this process is alone
  const GraphView& graph_;
  const Lists& out_;  ///< counted by the engine's loops
  const Lists* in_;
  const VertexId n_;
  const bool repeats_;
  VertexMap<Number> paths_;
  VertexMap<Number> share_;  ///< c, where it is known; else the sum over the successors met so far
  VertexMap<Target> order_;  ///< the vertices reached, level by level
  VertexSet seen_;
  VertexSet level_;
  VertexSet next_;
  std::vector<Queue> queues_;
  std::vector<Level> levels_;
  EdgeCount unexplored_ = 0;  ///< in-entries of vertices not yet reached
  VertexId source_ = 0;
  std::optional<Mirror> successors_;       ///< with ranks: what they show
  std::optional<Mirror> predecessors_;     ///< with ranks: what they show
  std::optional<Mirror> level_of_others_;  ///< with ranks: who of the predecessors is in it
};

/// Brandes by double as long as that holds the numbers of paths, then by long double.
template <class Lists>
class WideningBrandes {
 public:
  WideningBrandes(Engine& engine, const GraphView& graph, const Lists& out, const Lists* in)
      : make_wide_([&engine, &graph, &out, in] { return std::make_unique<Wide>(engine, graph, out, in); }),
        narrow_(std::make_unique<Narrow>(engine, graph, out, in)) {}

  /// Adds the dependencies of `source` to scores.
  Status add(VertexId source, VertexMap<double>& scores) {
    if (narrow_ != nullptr) {
      Status status = narrow_->add(source, scores);
      if (status || status.error().code != ErrorCode::unsupported) return status;
      narrow_.reset();  // the search broke off before it added anything
      wide_ = make_wide_();
    }
    return wide_->add(source, scores);
  }

 private:
  using Narrow = Brandes<Lists, double>;
  using Wide = Brandes<Lists, long double>;
  std::function<std::unique_ptr<Wide>()> make_wide_;
  std::unique_ptr<Narrow> narrow_;
  std::unique_ptr<Wide> wide_;
};

/// Those of the first rank, which may have drawn others than the rest.
Status agree_on(Engine& engine, const GraphView& graph, std::vector<VertexId>& sources) {
  Ranks* const ranks = engine.ranks();
  if (ranks == nullptr) return {};
  const auto bytes = std::as_bytes(std::span(sources));
  std::vector<std::vector<std::byte>> to(ranks->size());
  if (ranks->rank() == 0) std::fill(to.begin(), to.end(), std::vector<std::byte>(bytes.begin(), bytes.end()));
  RIZOMA_ASSIGN(const auto received, ranks->round(RoundKind::sum, std::move(to)));
  sources.resize(received[0].size() / sizeof(VertexId));
  if (!sources.empty()) std::memcpy(sources.data(), received[0].data(), received[0].size());
  return ranks->divide(graph);
}

/// Sums of the sources done, and of a sample who its sources are: another call draws others.
class KeptSums {
 public:
  KeptSums(Engine& engine, Checkpoints* checkpoints, VertexMap<double>& scores)
      : engine_(engine), checkpoints_(checkpoints), scores_(scores) {}

  /// Fills in the sums and the sources if the job is to go on.
  Status resume(const GraphView& graph, bool sampled, std::vector<VertexId>& sources) {
    if (checkpoints_ == nullptr) return {};
    const VertexId n = graph.num_vertices();
    if (sampled) turns_ = engine_.make_map<VertexId>(n, 0);
    for (VertexId i = 0; sampled && i < sources.size(); ++i) turns_[sources[i]] = i + 1;
    const std::size_t count = sources.size();
    const auto sound = [&] { return is_sound(graph, sampled, count); };
    RIZOMA_ASSIGN(const bool resumed, checkpoints_->resume({done_, columns(), sound}));
    if (!resumed) return {};
    leave_others();
    resumed_after_ = static_cast<VertexId>(done_[0]);
    if (!sampled) return {};
    if (engine_.ranks() != nullptr) RIZOMA_TRY(engine_.ranks()->gather(turns_.data(), sizeof(VertexId)));
    for (VertexId v = 0; v < n; ++v) {
      if (turns_[v] != 0) sources[turns_[v] - 1] = v;
    }
    return {};
  }
  [[nodiscard]] VertexId resumed_after() const noexcept { return resumed_after_; }
  [[nodiscard]] bool any() const noexcept { return checkpoints_ != nullptr; }

  /// Keeps the sums after so many sources, if it is time to; `bring_together` has each rank have those of its vertices.
  template <class F>
  Status offer(VertexId done, F&& bring_together) {
    if (checkpoints_ == nullptr) return {};
    RIZOMA_ASSIGN(const bool due, checkpoints_->due());
    if (!due) return {};
    RIZOMA_TRY(bring_together());
    done_ = {static_cast<double>(done)};
    RIZOMA_TRY(checkpoints_->keep({done_, columns()}));
    leave_others();
    return {};
  }

 private:
  [[nodiscard]] std::vector<StateColumn> columns() {
    std::vector<StateColumn> columns{column_of(scores_)};
    if (turns_.size() > 0) columns.push_back(column_of(turns_));
    return columns;
  }
  [[nodiscard]] bool is_sound(const GraphView& graph, bool sampled, std::size_t count) const {
    if (!whole_below(done_[0], static_cast<double>(count) + 1)) return false;
    if (!std::ranges::all_of(scores_.span(), [](double score) { return score >= 0; })) return false;
    if (!sampled) return true;
    std::vector<bool> seen(count);
    std::size_t left = count;
    for (VertexId v = 0; v < turns_.size(); ++v) {
      if (turns_[v] == 0) continue;
      if (turns_[v] > count || seen[turns_[v] - 1] || !graph.is_live(v)) return false;
      seen[turns_[v] - 1] = true;
      --left;
    }
    return left == 0;
  }
  /// The first rank has got the sums of all.
  void leave_others() {
    const Ranks* const ranks = engine_.ranks();
    for (VertexId v = 0; ranks != nullptr && v < scores_.size(); ++v) {
      if (!ranks->owns(v)) scores_[v] = 0;
    }
  }

  Engine& engine_;
  Checkpoints* checkpoints_;  ///< null: nothing is kept
  VertexMap<double>& scores_;
  VertexMap<VertexId> turns_;  ///< of a sample: which source a vertex is, from 1 on
  std::array<double, 1> done_{};
  VertexId resumed_after_ = 0;
};

/// Dealt to the ranks in turn.
std::vector<VertexId> sources_of_this_rank(Engine& engine, std::span<const VertexId> sources) {
  const Ranks* const ranks = engine.ranks();
  const std::size_t ranks_in_all = ranks == nullptr ? 1 : ranks->size();
  std::vector<VertexId> mine;
  for (std::size_t i = ranks == nullptr ? 0 : ranks->rank(); i < sources.size(); i += ranks_in_all) {
    mine.push_back(sources[i]);
  }
  return mine;
}

/// The dependencies of small graphs' sources, each found by one thread.
template <class Lists>
class SourceParallel {
 public:
  SourceParallel(Engine& engine, const GraphView& graph, const Lists& out, const Lists* in)
      : engine_(engine), graph_(graph), out_(out), in_(in), workers_(engine.threads()) {}

  Status add(std::span<const VertexId> sources) {
    const std::vector<VertexId> mine = sources_of_this_rank(engine_, sources);
    RIZOMA_TRY(engine_.for_blocks(mine.size(), 1, [&](VertexRange block, unsigned thread) {
      Worker& worker = workers_[thread];
      if (worker.brandes == nullptr) begin(worker);
      if (worker.status) worker.status = worker.brandes->add(mine[block.begin], worker.scores);
    }));
    for (const Worker& worker : workers_) RIZOMA_TRY(worker.status);
    return {};
  }

  /// Moves what has been found to `scores`, of all ranks to where each vertex lives.
  Status bring_together(VertexMap<double>& scores) {
    for (Worker& worker : workers_) {
      for (VertexId v = 0; v < worker.scores.size(); ++v) scores[v] += std::exchange(worker.scores[v], 0);
    }
    return add_up(engine_, scores);
  }

 private:
  struct Worker {
    std::unique_ptr<Engine> alone;  ///< with ranks: for a search that is not theirs
    std::unique_ptr<WideningBrandes<Lists>> brandes;
    VertexMap<double> scores;
    Status status;
  };

  void begin(Worker& worker) {
    if (engine_.ranks() != nullptr) worker.alone = std::make_unique<Engine>(EngineOptions{.threads = 1});
    Engine& searching = worker.alone != nullptr ? *worker.alone : engine_;
    worker.brandes = std::make_unique<WideningBrandes<Lists>>(searching, graph_, out_, in_);
    worker.scores = engine_.make_map<double>(graph_.num_vertices(), 0);
  }

  Engine& engine_;
  const GraphView& graph_;
  const Lists& out_;
  const Lists* in_;
  std::vector<Worker> workers_;
};

/// Dependencies of all sources added up: big graphs one source at a time with all threads of all ranks, small ones a
/// source to a thread, which goes through the whole graph (of which a rank that has a part lacks the rest).
template <class Lists>
Status sum_dependencies(Engine& engine, const GraphView& graph, const Lists& out, const Lists* in,
                        std::span<const VertexId> sources, VertexMap<double>& scores, KeptSums& kept) {
  RIZOMA_ASSIGN(const unsigned threads, over_ranks(engine, engine.threads(), std::plus<>()));
  const bool in_parts = engine.ranks() != nullptr && !engine.ranks()->settings().owners.empty();
  if (in_parts || graph.num_entries() >= kSourceParallelEntries || sources.size() < std::size_t{2} * threads) {
    WideningBrandes<Lists> brandes(engine, graph, out, in);
    for (std::size_t i = kept.resumed_after(); i < sources.size(); ++i) {
      RIZOMA_TRY(engine.report("betweenness_centrality", static_cast<double>(i), static_cast<double>(sources.size())));
      RIZOMA_TRY(brandes.add(sources[i], scores));
      if (i + 1 < sources.size()) RIZOMA_TRY(kept.offer(i + 1, [] { return Status(); }));
    }
    return {};
  }
  SourceParallel<Lists> searches(engine, graph, out, in);
  const auto together = [&] { return searches.bring_together(scores); };
  const std::size_t turn = kept.any() ? kSourcesOfTurn * threads : sources.size();
  for (std::size_t i = kept.resumed_after(); i < sources.size(); i += turn) {
    RIZOMA_TRY(engine.report("betweenness_centrality", static_cast<double>(i), static_cast<double>(sources.size())));
    const std::size_t end = std::min(i + turn, sources.size());
    RIZOMA_TRY(searches.add(sources.subspan(i, end - i)));
    if (end < sources.size()) RIZOMA_TRY(kept.offer(end, together));
  }
  return together();
}

/// Divides by the number of pairs or scales the sample up.  A source is no end of the paths that count for
/// itself, so with k of n sources it was an intermediate of k - 1 searches, the others of k.
void scale(const GraphView& graph, std::span<const VertexId> sources, bool sampled, bool normalized,
           VertexMap<double>& scores) {
  const auto pairs = static_cast<double>(graph.num_live()) - 1;  // vertices other than the one scored
  if (pairs < 1) return;
  const auto factor = [&](double searches) {
    if (normalized) return pairs > 1 ? 1 / (searches * (pairs - 1)) : 0.0;
    return pairs / searches / (graph.directed() ? 1 : 2);
  };
  const auto k = static_cast<double>(sources.size());
  const double others = factor(sampled ? k : pairs);
  std::vector<double> of_sources;
  for (const VertexId s : sources) of_sources.push_back(scores[s]);
  for (VertexId v = 0; v < scores.size(); ++v) scores[v] *= others;
  if (!sampled) return;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    scores[sources[i]] = k > 1 ? of_sources[i] * factor(k - 1) : std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace

Result<BetweennessResult> betweenness_centrality(Engine& engine, const GraphView& graph,
                                                 const BetweennessOptions& options) {
  std::vector<VertexId> sources(options.sources.begin(), options.sources.end());
  RIZOMA_TRY(agree_on(engine, graph, sources));
  VertexSet distinct(graph.num_vertices());
  for (const VertexId s : sources) {
    if (s >= graph.num_vertices() || !graph.is_live(s)) {
      return Error{ErrorCode::invalid_argument,
                   "betweenness_centrality: source " + std::to_string(s) + " is not a vertex of the graph"};
    }
    if (!distinct.add(s)) {
      return Error{ErrorCode::invalid_argument,
                   "betweenness_centrality: source " + std::to_string(s) + " is given twice"};
    }
  }
  const bool sampled = !sources.empty() && sources.size() < graph.num_live();
  if (sources.empty()) {
    for (VertexId v = 0; v < graph.num_vertices(); ++v) {
      if (graph.is_live(v)) sources.push_back(v);
    }
  }
  BetweennessResult result;
  result.sources = sources.size();
  result.scores = engine.make_map<double>(graph.num_vertices(), 0);
  KeptSums kept(engine, options.checkpoints, result.scores);
  RIZOMA_TRY(kept.resume(graph, sampled, sources));
  result.resumed_after = kept.resumed_after();
  RIZOMA_TRY(read_both_lists(engine, graph, [&]<class Lists>(const Lists& out, const Lists* in) {
    return sum_dependencies(engine, graph, out, in, sources, result.scores, kept);
  }));
  scale(graph, sources, sampled, options.normalized, result.scores);
  return result;
}

}  // namespace rizoma
