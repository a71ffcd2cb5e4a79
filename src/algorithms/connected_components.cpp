#include <rizoma/algorithms/connected_components.h>

#include "base/random.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr std::size_t kSampledNeighbours = 2;  // linked for every vertex before the largest tree is sought
constexpr std::size_t kProbes = 32;            // neighbours looked at in one round of growing the core
constexpr int kSeedDraws = 256;
constexpr int kLabelDraws = 1024;

/// One run.  `parent_` holds trees whose roots are their smallest members: a vertex is only ever hung
/// below a smaller one, so that the root left at the end is the label.
template <class Target>
class Components {
 public:
  /// `in` is null for an undirected graph, and for a directed one that stores no in-edges: then
  /// every edge must be looked at from its source, and none may be left out.
  Components(Engine& engine, const GraphView& graph, const Adjacency<Target>& out, const Adjacency<Target>* in)
      : engine_(engine), graph_(graph), out_(out), in_(in), n_(graph.num_vertices()) {}

  Result<ConnectedComponentsResult> run() {
    core_ = engine_.make_set(n_);
    if (graph_.has_in_edges()) RIZOMA_TRY(grow_core());
    RIZOMA_TRY(engine_.report("connected_components", 1, 3));
    parent_ = engine_.make_map<Target>(n_, 0);
    RIZOMA_TRY(plant());
    VertexId giant = root_of_core_;
    std::size_t linked = 0;
    if (graph_.has_in_edges() && core_size_ < graph_.num_live() / 4) {
      for (; linked < kSampledNeighbours; ++linked) {
        RIZOMA_TRY(link_sampled(linked));
        RIZOMA_TRY(compress());
      }
      giant = frequent_root();
    }
    RIZOMA_TRY(link_rest(giant, linked));
    RIZOMA_TRY(engine_.report("connected_components", 2, 3));
    return label();
  }

 private:
  // --- The core: a connected set, grown around a hub as long as that pays -----------------------

  /// A vertex of great degree: the greatest among neighbours of vertices drawn at random.
  [[nodiscard]] VertexId hub() const {
    Random random(n_);
    VertexId best = 0;
    for (int i = 0; i < kSeedDraws; ++i) {
      const VertexId v = random.below(n_);
      if (degree(v) > degree(best)) best = v;
      const std::span<const Target> list = out_.neighbors(v);
      for (std::size_t e = 0; e < std::min(list.size(), kProbes); ++e) {
        if (degree(list[e]) > degree(best)) best = list[e];
      }
    }
    return best;
  }

  /// The hub, its neighbours, and in rounds every vertex that finds one of the core among its first
  /// neighbours; members found in a round already serve in it.  Ends when a round adds little.
  Status grow_core() {
    if (n_ == 0) return {};
    const VertexId seed = hub();
    core_.add(seed);
    for (const Target v : out_.neighbors(seed)) core_.add(v);
    if (in_ != nullptr) {
      for (const Target v : in_->neighbors(seed)) core_.add(v);
    }
    core_size_ = core_.count();
    if (core_size_ < n_ / 1024) return {};  // no hub: rounds would creep
    VertexId added = core_size_;
    while (added > n_ / 64) {
      std::atomic<VertexId> found = 0;
      RIZOMA_TRY(engine_.for_vertices(graph_, [&](VertexRange block, unsigned) {
        if (const VertexId of_block = join_core(block); of_block > 0)
          found.fetch_add(of_block, std::memory_order_relaxed);
      }));
      added = found;
      core_size_ += added;
    }
    return {};
  }

  /// The block owns its word, so that only reads of other words need be atomic.
  VertexId join_core(VertexRange block) {
    std::atomic_ref<std::uint64_t> word(core_.words()[block.begin / 64]);
    const std::uint64_t before = word.load(std::memory_order_relaxed);
    std::uint64_t members = before;
    for (VertexId v = block.begin; v < block.end; ++v) {
      const std::uint64_t bit = std::uint64_t{1} << (v & 63);
      if ((members & bit) == 0 && (meets_core(out_, v) || (in_ != nullptr && meets_core(*in_, v)))) members |= bit;
    }
    if (members != before) word.store(members, std::memory_order_relaxed);
    return static_cast<VertexId>(std::popcount(members & ~before));
  }

  [[nodiscard]] bool meets_core(const Adjacency<Target>& lists, VertexId v) {
    const std::span<const Target> list = lists.neighbors(v);
    const std::size_t probes = std::min(list.size(), kProbes);
    for (std::size_t e = 0; e < probes; ++e) {
      if (in_core(list[e])) return true;
    }
    return false;
  }
  [[nodiscard]] bool in_core(VertexId v) noexcept {
    const std::atomic_ref<std::uint64_t> word(core_.words()[v / 64]);
    return (word.load(std::memory_order_relaxed) >> (v & 63)) & 1;
  }

  // --- Trees --------------------------------------------------------------------------------

  /// The core is one tree; every other vertex is one of its own.
  Status plant() {
    root_of_core_ = kNoVertex;
    for (VertexId word = 0; word * 64 < n_ && root_of_core_ == kNoVertex; ++word) {
      if (core_.word(word) != 0) root_of_core_ = word * 64 + static_cast<VertexId>(std::countr_zero(core_.word(word)));
    }
    return engine_.for_vertices(graph_, [&](VertexRange block, unsigned) {
      for (VertexId v = block.begin; v < block.end; ++v) {
        parent_[v] = static_cast<Target>(core_.contains(v) ? root_of_core_ : v);
      }
    });
  }

  [[nodiscard]] Target parent(VertexId v) noexcept { return parent_.atomic(v).load(std::memory_order_relaxed); }

  void link(VertexId u, VertexId v) {
    Target a = parent(u);
    Target b = parent(v);
    while (a != b) {
      if (a < b) std::swap(a, b);
      Target above = a;
      if (parent_.atomic(a).compare_exchange_strong(above, b, std::memory_order_relaxed) || above == b) return;
      a = parent(above);  // a was no root
      b = parent(b);
    }
  }

  [[nodiscard]] Target root(VertexId v) {
    Target above = parent(v);
    for (Target next = parent(above); next != above; next = parent(above)) above = next;
    return above;
  }

  Status compress() {
    return engine_.for_vertices(graph_, [&](VertexRange block, unsigned) {
      for (VertexId v = block.begin; v < block.end; ++v) parent_.atomic(v).store(root(v), std::memory_order_relaxed);
    });
  }

  /// Links each vertex outside the core to its neighbour number `place`.
  Status link_sampled(std::size_t place) {
    return engine_.for_vertices(graph_, [&](VertexRange block, unsigned) {
      for (VertexId v = block.begin; v < block.end; ++v) {
        const std::span<const Target> list = out_.neighbors(v);
        if (place < list.size()) link(v, list[place]);
      }
    });
  }

  /// The root met most often among vertices drawn at random: most likely that of the largest tree.
  [[nodiscard]] VertexId frequent_root() {
    Random random(n_);
    std::vector<Target> drawn(kLabelDraws);
    for (Target& d : drawn) d = parent(random.below(n_));
    std::sort(drawn.begin(), drawn.end());
    VertexId best = kNoVertex;
    std::ptrdiff_t most = 0;
    for (auto run = drawn.begin(); run != drawn.end();) {
      const auto end = std::upper_bound(run, drawn.end(), *run);
      if (end - run > most) {
        most = end - run;
        best = *run;
      }
      run = end;
    }
    return best;
  }

  /// Links all edges apart from those within the tree of `giant`: an edge that leaves the tree is
  /// linked from its other end, which needs to be able to see it.  `linked` out-neighbours are done.
  Status link_rest(VertexId giant, std::size_t linked) {
    RIZOMA_TRY(link_lists(Direction::out, out_, giant, linked));
    return in_ == nullptr ? Status() : link_lists(Direction::in, *in_, giant, 0);
  }

  /// Links the lists of one direction, hubs' in pieces, from entry number `linked` on.
  Status link_lists(Direction direction, const Adjacency<Target>& lists, VertexId giant, std::size_t linked) {
    const bool skip = graph_.has_in_edges();
    const auto link_piece = [&](VertexId v, EdgeCount begin, EdgeCount end) {
      if (skip && parent(v) == giant) return;
      const std::span<const Target> list = lists.neighbors(v);
      for (EdgeCount e = std::max<EdgeCount>(begin, linked); e < end; ++e) link(v, list[e]);
    };
    return engine_.for_pieces(
        graph_, direction,
        [&](VertexRange block, unsigned) {
          for (VertexId v = block.begin; v < block.end; ++v) link_piece(v, 0, lists.degree(v));
        },
        [&](ListPiece piece, unsigned) { link_piece(piece.vertex, piece.begin, piece.end); });
  }

  // --- The answer ---------------------------------------------------------------------------

  /// Counts the members of roots, run by run, so that the largest is not a point of contention.
  class alignas(64) Tally {
   public:
    explicit Tally(VertexMap<Target>& sizes) : sizes_(sizes) {}
    ~Tally() { flush(); }
    void add(Target root) {
      if (root != root_) flush();
      root_ = root;
      ++run_;
    }

   private:
    void flush() {
      if (run_ > 0) sizes_.atomic(root_).fetch_add(run_, std::memory_order_relaxed);
      run_ = 0;
    }
    VertexMap<Target>& sizes_;
    Target root_ = 0;
    Target run_ = 0;
  };

  Result<ConnectedComponentsResult> label() {
    ConnectedComponentsResult result;
    result.labels = engine_.make_map<std::uint64_t>(n_, 0);
    VertexMap<Target> sizes = engine_.make_map<Target>(n_, 0);
    std::atomic<VertexId> count = 0;
    std::vector<Tally> tallies(engine_.threads(), Tally(sizes));
    const bool sees_all = graph_.has_in_edges();  // then a vertex without entries is alone
    RIZOMA_TRY(engine_.for_vertices(graph_, [&](VertexRange block, unsigned thread) {
      Tally& tally = tallies[thread];
      VertexId roots = 0;
      for (VertexId v = block.begin; v < block.end; ++v) {
        const Target r = root(v);
        result.labels[v] = r;
        if (r == v) roots += graph_.is_live(v) ? 1 : 0;
        if (r != v || degree(v) > 0 || !sees_all) tally.add(r);
      }
      if (roots > 0) count.fetch_add(roots, std::memory_order_relaxed);
    }));
    tallies.clear();
    result.count = count;
    Target largest = graph_.num_live() > 0 ? 1 : 0;
    for (VertexId v = 0; v < n_; ++v) largest = std::max(largest, sizes[v]);
    result.largest = largest;
    return result;
  }

  [[nodiscard]] EdgeCount degree(VertexId v) const noexcept {
    return out_.degree(v) + (in_ != nullptr ? in_->degree(v) : 0);
  }

  Engine& engine_;
  const GraphView& graph_;
  const Adjacency<Target>& out_;
  const Adjacency<Target>* in_;
  const VertexId n_;
  VertexSet core_;
  VertexId core_size_ = 0;
  VertexId root_of_core_ = kNoVertex;
  VertexMap<Target> parent_;
};

}  // namespace

Result<ConnectedComponentsResult> connected_components(Engine& engine, const GraphView& graph) {
  return graph.with_out([&]<class Target>(const Adjacency<Target>& out) {
    const Adjacency<Target>* in = nullptr;
    if (graph.directed() && graph.has_in_edges()) in = &std::get<Adjacency<Target>>(*graph.parts().in);
    return Components<Target>(engine, graph, out, in).run();
  });
}

}  // namespace rizoma
