#include <rizoma/algorithms/bfs.h>

#include <algorithm>
#include <limits>
#include <span>
#include <string>

namespace rizoma {
namespace {

// When to change direction (Beamer et al.): bottom-up once the frontier has more than 1/kAlpha of the
// entries not yet explored; back once it shrinks and is below 1/kBeta of the vertices.
constexpr EdgeCount kAlpha = 15;
constexpr VertexId kBeta = 18;

// Vertices of a sparse frontier handed out at once: up to kSmallLevel a level is not worth sharing.
constexpr VertexId kSmallLevel = 256;
constexpr VertexId kLeastGrain = 32;
constexpr VertexId kMostGrain = 512;

/// A level: its size, and the entries that lead on from it.
struct Frontier {
  VertexId vertices = 0;
  EdgeCount entries = 0;
};

/// One search.  The frontier is a stretch of `queue_` (top-down) or the set `front_` (bottom-up).
template <class Target>
class Search {
 public:
  Search(Engine& engine, const GraphView& graph, const Adjacency<Target>& out, const Adjacency<Target>* in)
      : engine_(engine),
        graph_(graph),
        out_(out),
        in_(in),
        n_(graph.num_vertices()),
        visited_(engine.make_set(n_)),
        queue_(engine.make_map<Target>(n_, 0, Structure::frontiers)),
        found_(engine.threads()) {
    result_.parents = engine.make_map<std::int64_t>(n_, -1);
    result_.levels = engine.make_map<std::int32_t>(n_, -1);
  }

  Result<BfsResult> run(VertexId source, std::int64_t max_depth) {
    visited_.add(source);
    reach(source, source);
    queue_[queue_end_++] = static_cast<Target>(source);
    Frontier frontier{1, out_.degree(source)};
    VertexId previous = 0;
    EdgeCount unexplored = graph_.num_entries();
    while (frontier.vertices > 0) {
      result_.depth = level_;
      result_.reached += frontier.vertices;
      if (max_depth >= 0 && level_ >= max_depth) break;
      RIZOMA_TRY(engine_.report("bfs", static_cast<double>(result_.reached), static_cast<double>(graph_.num_live())));
      unexplored -= std::min(unexplored, frontier.entries);
      const bool bottom_up = pays_bottom_up(frontier, previous, unexplored);
      previous = frontier.vertices;
      if (bottom_up != dense_) bottom_up ? make_dense() : make_sparse();
      ++level_;
      RIZOMA_TRY(bottom_up ? go_bottom_up() : go_top_down(frontier.entries));
      frontier = collect();
    }
    return std::move(result_);
  }

 private:
  /// What one thread has found in the running level.
  struct alignas(64) Found {
    Frontier frontier;
    std::vector<Target> queue;
  };

  [[nodiscard]] bool pays_bottom_up(const Frontier& frontier, VertexId previous, EdgeCount unexplored) const {
    if (in_ == nullptr) return false;
    if (dense_) return frontier.vertices >= previous || frontier.vertices > n_ / kBeta;
    // Bottom-up reads a word for each 64 vertices at least.
    return frontier.entries > unexplored / kAlpha && frontier.entries > n_ / 64;
  }

  [[nodiscard]] VertexId grain_of(VertexId level_size) const {
    return level_size <= kSmallLevel ? kSmallLevel
                                     : std::clamp(level_size / (8 * engine_.threads()), kLeastGrain, kMostGrain);
  }

  void reach(VertexId v, VertexId parent) noexcept {
    result_.parents[v] = static_cast<std::int64_t>(parent);
    result_.levels[v] = level_;
  }

  Status go_top_down(EdgeCount entries_of_level) {
    const std::span<const Target> level_vertices(queue_.data() + queue_begin_, queue_.data() + queue_end_);
    queue_begin_ = queue_end_;
    const auto expand = [&](std::span<const Target> block, unsigned thread) {
      Found& found = found_[thread];
      std::vector<Target> queue = std::move(found.queue);
      EdgeCount entries = 0;
      // Copies, for the compiler cannot know that the writes below leave the members alone.
      const Adjacency<Target>& out = out_;
      std::int64_t* const parents = result_.parents.data();
      std::int32_t* const levels = result_.levels.data();
      std::uint64_t* const visited = visited_.words();
      const std::int32_t level = level_;
      for (const Target u : block) {
        for (const Target v : out.neighbors(u)) {
          const std::uint64_t bit = std::uint64_t{1} << (v & 63);
          std::atomic_ref<std::uint64_t> word(visited[v >> 6]);
          if ((word.load(std::memory_order_relaxed) & bit) != 0) continue;
          if ((word.fetch_or(bit, std::memory_order_relaxed) & bit) != 0) continue;
          parents[v] = static_cast<std::int64_t>(u);
          levels[v] = level;
          entries += out.degree(v);
          queue.push_back(v);
        }
      }
      found.queue = std::move(queue);
      found.frontier.entries += entries;
    };
    return engine_.for_list(graph_, level_vertices, grain_of(level_vertices.size()), expand, entries_of_level);
  }

  Status go_bottom_up() {
    const Status status = engine_.for_words(graph_, Direction::in, [&](VertexRange block, unsigned thread) {
      const std::size_t index = block.begin / 64;
      std::uint64_t& visited = visited_.words()[index];
      const std::uint64_t members = block.size() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << block.size()) - 1;
      std::uint64_t reached = 0;
      for (std::uint64_t left = members & ~visited; left != 0; left &= left - 1) {
        const VertexId v = block.begin + static_cast<VertexId>(std::countr_zero(left));
        const std::uint64_t bit = left & (~left + 1);
        const auto sources = in_->neighbors(v);
        if (sources.empty()) visited |= bit;  // never to be looked at again
        for (const Target u : sources) {
          if (!front_.contains(u)) continue;
          reach(v, u);
          reached |= bit;
          found_[thread].frontier.entries += out_.degree(v);
          break;
        }
      }
      visited |= reached;
      next_.words()[index] = reached;
      found_[thread].frontier.vertices += static_cast<VertexId>(std::popcount(reached));
    });
    std::swap(front_, next_);
    return status;
  }

  /// Adds up what the threads found, and puts their queues behind each other.
  Frontier collect() {
    Frontier all;
    for (Found& found : found_) {
      std::copy(found.queue.begin(), found.queue.end(), queue_.data() + queue_end_);
      queue_end_ += found.queue.size();
      all.vertices += found.frontier.vertices + found.queue.size();
      all.entries += found.frontier.entries;
      found.queue.clear();
      found.frontier = {};
    }
    return all;
  }

  void make_dense() {
    dense_ = true;
    front_ = engine_.make_set(n_);
    next_ = engine_.make_set(n_);
    for (; queue_begin_ < queue_end_; ++queue_begin_) front_.add(queue_[queue_begin_]);
  }

  void make_sparse() {
    dense_ = false;
    front_.for_each([&](VertexId v) { queue_[queue_end_++] = static_cast<Target>(v); });
  }

  Engine& engine_;
  const GraphView& graph_;
  const Adjacency<Target>& out_;
  const Adjacency<Target>* in_;  ///< null: the graph stores no in-edges
  VertexId n_;
  BfsResult result_;
  VertexSet visited_;
  std::int32_t level_ = 0;
  bool dense_ = false;
  VertexSet front_;
  VertexSet next_;
  VertexMap<Target> queue_;  ///< each vertex gets here once at most
  VertexId queue_begin_ = 0;
  VertexId queue_end_ = 0;
  std::vector<Found> found_;
};

}  // namespace

Result<BfsResult> bfs(Engine& engine, const GraphView& graph, VertexId source, const BfsOptions& options) {
  if (source >= graph.num_vertices() || !graph.is_live(source)) {
    return Error{ErrorCode::invalid_argument,
                 "bfs: there is no vertex " + std::to_string(source) + " (inner number) in the graph"};
  }
  if (graph.has_in_edges()) {
    return graph.with_both([&](const auto& out, const auto& in) {
      return Search(engine, graph, out, &in).run(source, options.max_depth);
    });
  }
  return graph.with_out([&](const auto& out) {
    return Search(engine, graph, out, static_cast<decltype(&out)>(nullptr)).run(source, options.max_depth);
  });
}

}  // namespace rizoma
