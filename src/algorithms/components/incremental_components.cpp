#include "algorithms/components/incremental_components.h"

#include <rizoma/gather.h>
#include <rizoma/graph_view.h>
#include <rizoma/process_vertices.h>
#include <rizoma/vertex_set.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

namespace rizoma {
namespace {

constexpr std::size_t kMostSeen = 2048;  // vertices that a search sees from one end before it gives up
constexpr std::size_t kSlots = 4 * kMostSeen;
constexpr std::size_t kHubs = 32;        // whose neighbours are the core, at most
constexpr std::size_t kLookedAt = 1024;  // removed edges, for hubs: large components have many
constexpr EdgeCount kCoreEntries = 4;    // of their lists for each removed edge, at most (and kMostSeen)
constexpr std::uint64_t kGrain = 64;

/// What searches may cost, in entries that they look at: an eighth of what it takes to find all from scratch, which
/// spends half as long on a vertex as a search on an entry.  Thus little is lost if they have to be given up.
class Budget {
 public:
  Budget(VertexId n, std::size_t searches)
      : whole_(n / kWholePart + kAlways), ahead_(n / kAheadPart + kAlways), searches_(searches) {}

  [[nodiscard]] bool allows_any() const noexcept { return searches_ * kSearch <= whole_; }
  /// After each search; false: too much was spent for the part of all searches that is done.
  bool spend(EdgeCount entries) noexcept {
    const EdgeCount spent = spent_.fetch_add(entries + kSearch, std::memory_order_relaxed) + entries + kSearch;
    const std::size_t done = std::min(done_.fetch_add(1, std::memory_order_relaxed) + 1, searches_);
    const double share = static_cast<double>(done) / static_cast<double>(searches_);
    return static_cast<double>(spent) <= static_cast<double>(ahead_) + share * static_cast<double>(whole_);
  }

 private:
  static constexpr VertexId kWholePart = 16;
  static constexpr VertexId kAheadPart = 256;
  static constexpr EdgeCount kAlways = 1 << 13;  // entries: less than a tenth of a millisecond
  static constexpr EdgeCount kSearch = 16;       // to begin one, in entries
  EdgeCount whole_;
  EdgeCount ahead_;
  std::size_t searches_;
  std::atomic<EdgeCount> spent_ = 0;
  std::atomic<std::size_t> done_ = 0;
};

/// Which vertices the two sides of a search have seen; quick to forget.
class Seen {
 public:
  void forget() {
    if (++turn_ != 0) return;
    slots_.assign(kSlots, {});
    turn_ = 1;
  }
  /// The side that saw v first: this one, if neither has.
  unsigned mark(VertexId v, unsigned side) {
    std::size_t place = (v * 0x9e3779b97f4a7c15U) >> (64 - kBits);
    for (; slots_[place].turn == turn_; place = (place + 1) % kSlots) {
      if (slots_[place].vertex == v) return slots_[place].side;
    }
    slots_[place] = {v, turn_, side};
    fresh_ = true;
    return side;
  }
  /// Whether the last mark saw its vertex first; asked once.
  bool fresh() { return std::exchange(fresh_, false); }

 private:
  static constexpr unsigned kBits = 13;
  static_assert(kSlots == std::size_t{1} << kBits);
  struct Slot {
    VertexId vertex = 0;
    std::uint32_t turn = 0;
    std::uint32_t side = 0;
  };
  std::vector<Slot> slots_ = std::vector<Slot>(kSlots);
  std::uint32_t turn_ = 0;
  bool fresh_ = false;
};

enum class Found : std::uint8_t { connected, apart, unknown };

/// Searches from both ends of a removed edge; one for each thread.
template <class Lists>
class Search {
 public:
  Search(Lists& out, Lists* in, const VertexSet& core, unsigned thread)
      : out_(out), in_(in), core_(core), thread_(thread) {}

  Found run(VertexId a, VertexId b) {
    seen_.forget();
    met_ = false;
    sides_ = {};
    for (unsigned side = 0; side < 2 && !met_; ++side) see(side == 0 ? a : b, side);
    while (!met_) {
      if (sides_[0].anchored && sides_[1].anchored) return Found::connected;
      const std::optional<unsigned> side = next_side();
      if (!side) return Found::unknown;
      if (sides_[*side].next == sides_[*side].found.size()) {
        closed_ = *side;
        return Found::apart;
      }
      expand(*side);
    }
    return Found::connected;
  }

  /// That the last search has looked at.
  [[nodiscard]] EdgeCount entries() const noexcept { return sides_[0].entries + sides_[1].entries; }
  /// After `apart`: all vertices of a component that one of the ends is in, and the other is not.
  std::vector<VertexId> take_apart() { return std::move(sides_[closed_].found); }

 private:
  struct Side {
    std::vector<VertexId> found;
    std::size_t next = 0;
    EdgeCount entries = 0;
    bool anchored = false;  ///< it has reached the core
  };

  void see(VertexId v, unsigned side) {
    if (seen_.mark(v, side) != side) {
      met_ = true;
    } else if (seen_.fresh()) {
      sides_[side].found.push_back(v);
      if (core_.contains(v)) sides_[side].anchored = true;
    }
  }

  /// The one that has done less, of those that have something to do.
  [[nodiscard]] std::optional<unsigned> next_side() const {
    std::optional<unsigned> best;
    for (unsigned side = 0; side < 2; ++side) {
      const Side& one = sides_[side];
      if (one.anchored || one.found.size() > kMostSeen) continue;
      if (!best || one.entries < sides_[*best].entries) best = side;
    }
    return best;
  }

  void expand(unsigned number) {
    Side& side = sides_[number];
    const VertexId v = side.found[side.next++];
    const auto look = [&](const auto& entries) {
      for (const VertexId w : entries.sources()) {
        if (met_ || side.anchored || side.found.size() > kMostSeen) return;
        ++side.entries;
        see(w, number);
      }
    };
    look(out_.read(v, thread_));
    if (in_ != nullptr) look(in_->read(v, thread_));
  }

  Lists& out_;
  Lists* in_;
  const VertexSet& core_;
  unsigned thread_;
  Seen seen_;
  std::array<Side, 2> sides_;
  bool met_ = false;
  unsigned closed_ = 0;
};

using Pair = std::array<VertexId, 2>;

/// Proves which components stay connected, and finds those that do not.
class Follower {
 public:
  Follower(Engine& engine, const GraphView& graph, std::span<const VertexId> removed)
      : engine_(engine),
        graph_(graph),
        removed_(removed),
        budget_(graph.num_vertices(), removed.size() / 2),
        core_(graph.num_vertices()) {}

  /// The components that have split; nullopt if a search gave up.
  Result<std::optional<std::vector<std::vector<VertexId>>>> all_apart() {
    if (!budget_.allows_any()) return std::optional<std::vector<std::vector<VertexId>>>();
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i + 1 < removed_.size(); i += 2) pairs.push_back({removed_[i], removed_[i + 1]});
    find_core(pairs);
    while (!pairs.empty()) {
      RIZOMA_ASSIGN(const bool all_known, search(pairs));
      if (!all_known) return std::optional<std::vector<std::vector<VertexId>>>();
      std::vector<Pair> next;
      for (const Pair& pair : pairs) go_around(pair, next);
      pairs = std::move(next);
    }
    return std::optional(std::move(apart_));
  }

  [[nodiscard]] bool is_apart(VertexId v) const { return group_of_.contains(v); }

 private:
  /// The neighbours of one vertex of large degree, and of others that are among them: all connected.
  void find_core(std::span<const Pair> pairs) {
    std::vector<std::pair<EdgeCount, VertexId>> hubs;
    const Degrees degrees(graph_);
    for (std::size_t i = 0; i < pairs.size(); i += pairs.size() / kLookedAt + 1) {
      for (const VertexId v : pairs[i]) {
        if (graph_.is_live(v)) hubs.emplace_back(degrees[v], v);
      }
    }
    const auto some = hubs.begin() + static_cast<std::ptrdiff_t>(std::min(hubs.size(), 4 * kHubs));
    std::partial_sort(hubs.begin(), some, hubs.end(), std::greater<>());
    hubs.erase(some, hubs.end());
    hubs.erase(std::unique(hubs.begin(), hubs.end()), hubs.end());
    EdgeCount room = kCoreEntries * pairs.size() + kMostSeen;
    read_lists(engine_, graph_, Direction::out, [&](auto& lists) {
      for (const auto& [degree, hub] : hubs) {
        if (degree > room || (core_.count() > 0 && !core_.contains(hub))) continue;
        room -= degree;
        core_.add(hub);
        for (const VertexId w : lists.read(hub).sources()) core_.add(w);
      }
    });
  }

  /// Tries all pairs; registers the components that have split.  False if undecided.
  Result<bool> search(std::span<const Pair> pairs) {
    std::vector<PerThread<std::vector<std::vector<VertexId>>>> found(engine_.threads());
    std::atomic<bool> known = true;
    const Status searched = read_both_lists(engine_, graph_, [&](auto& out, auto* in) -> Status {
      using Lists = std::remove_reference_t<decltype(out)>;
      std::vector<Search<Lists>> searches;
      for (unsigned t = 0; t < engine_.threads(); ++t) searches.emplace_back(out, in, core_, t);
      return engine_.for_blocks(pairs.size(), kGrain, [&](VertexRange block, unsigned thread) {
        for (VertexId i = block.begin; i < block.end && known.load(std::memory_order_relaxed); ++i) {
          const auto [a, b] = pairs[i];
          if (group_of(a) || group_of(b) || !graph_.is_live(a) || !graph_.is_live(b)) continue;
          const Found what = searches[thread].run(a, b);
          const bool affordable = budget_.spend(searches[thread].entries());
          if (what == Found::unknown || !affordable) known.store(false, std::memory_order_relaxed);
          if (what == Found::apart) found[thread].value.push_back(searches[thread].take_apart());
        }
      });
    });
    RIZOMA_TRY(searched);
    for (auto& of_thread : found) {
      for (auto& part : of_thread.value) {
        if (is_apart(part.front())) continue;  // two edges led to it
        for (const VertexId v : part) group_of_[v] = groups_.size();
        groups_.push_back({groups_.size(), kNoVertex});
        apart_.push_back(std::move(part));
      }
    }
    return known.load();
  }

  [[nodiscard]] std::optional<std::size_t> group_of(VertexId v) const {
    const auto found = group_of_.find(v);
    if (found == group_of_.end()) return std::nullopt;
    std::size_t group = found->second;
    while (groups_[group].above != group) group = groups_[group].above;
    return group;
  }

  /// A split component, or a removed vertex, no longer connects its former neighbours: asks for these pairs.
  void go_around(const Pair& pair, std::vector<Pair>& next) {
    for (const VertexId v : pair) {
      if (graph_.is_live(v) || is_apart(v)) continue;
      group_of_[v] = groups_.size();
      groups_.push_back({groups_.size(), kNoVertex});
    }
    const std::array<std::optional<std::size_t>, 2> group = {group_of(pair[0]), group_of(pair[1])};
    if (!group[0] && !group[1]) return;  // connected
    if (group[0] && group[1]) {
      if (*group[0] == *group[1]) return;
      groups_[*group[1]].above = *group[0];
      if (const VertexId other = groups_[*group[1]].neighbor; other != kNoVertex) touch(*group[0], other, next);
    } else {
      touch(group[0] ? *group[0] : *group[1], group[0] ? pair[1] : pair[0], next);
    }
  }

  void touch(std::size_t group, VertexId v, std::vector<Pair>& next) {
    VertexId& neighbor = groups_[group].neighbor;
    if (neighbor == kNoVertex) {
      neighbor = v;
    } else if (neighbor != v) {
      next.push_back({neighbor, v});
    }
  }

  /// Of split components and removed vertices, those that had edges between them.
  struct Group {
    std::size_t above;
    VertexId neighbor;  ///< one vertex outside, with which all others there are compared
  };

  Engine& engine_;
  const GraphView& graph_;
  std::span<const VertexId> removed_;  ///< edges: both ends of each, one after the other
  Budget budget_;
  VertexSet core_;
  std::vector<std::vector<VertexId>> apart_;
  std::unordered_map<VertexId, std::size_t> group_of_;
  std::vector<Group> groups_;
};

/// Entries of one list from `first` on that the other has not, as ends of edges of v.
template <class Entries, class Others>
void subtract(VertexId v, const Entries& entries, const Others& others, VertexId first, std::vector<VertexId>& ends) {
  const auto& all = entries.sources();
  const auto& less = others.sources();
  auto other = less.begin();
  for (const VertexId w : all) {
    while (other != less.end() && *other < w) ++other;
    if (other != less.end() && *other == w) {
      ++other;
    } else if (w >= first) {
      ends.push_back(v);
      ends.push_back(w);
    }
  }
}

/// Those that went with a vertex: its neighbours need not be among the changed ones.
void add_edges_of_removed(Engine& engine, const GraphView& before, const GraphView& graph,
                          std::vector<VertexId>& ends) {
  if (graph.num_live() == graph.num_vertices()) return;
  read_both_lists(engine, before, [&](auto& out, auto* in) {
    for (VertexId v = 0; v < before.num_vertices(); ++v) {
      if (!before.is_live(v) || graph.is_live(v)) continue;
      const auto add = [&](const auto& entries) {
        for (const VertexId w : entries.sources()) ends.insert(ends.end(), {v, w});
      };
      add(out.read(v));
      if (in != nullptr) add(in->read(v));
    }
  });
}

}  // namespace

Result<ChangedEdges> compare_lists(Engine& engine, const GraphView& before, const GraphView& graph,
                                   std::span<const VertexId> changed) {
  std::vector<PerThread<ChangedEdges>> found(engine.threads());
  const Status compared = read_lists(engine, graph, Direction::out, [&](auto& now) {
    return read_lists(engine, before, Direction::out, [&](auto& then) {
      return engine.for_blocks(changed.size(), kGrain, [&](VertexRange block, unsigned thread) {
        ChangedEdges& edges = found[thread].value;
        for (VertexId i = block.begin; i < block.end; ++i) {
          const VertexId v = changed[i];
          const VertexId first = graph.directed() ? 0 : v;  // else each edge is seen from both of its ends
          const auto entries = now.read(v, thread);
          if (v >= before.num_vertices()) {
            subtract(v, entries, entries.part(0, 0), first, edges.added);
            continue;
          }
          const auto former = then.again(v);
          subtract(v, entries, former, first, edges.added);
          subtract(v, former, entries, first, edges.removed);
        }
      });
    });
  });
  RIZOMA_TRY(compared);
  ChangedEdges edges;
  for (const auto& of_thread : found) {
    edges.added.insert(edges.added.end(), of_thread.value.added.begin(), of_thread.value.added.end());
    edges.removed.insert(edges.removed.end(), of_thread.value.removed.begin(), of_thread.value.removed.end());
  }
  add_edges_of_removed(engine, before, graph, edges.removed);
  return edges;
}

Result<std::optional<ComponentChanges>> follow_components(Engine& engine, const GraphView& graph,
                                                          std::span<const std::uint64_t> names,
                                                          const ChangedEdges& edges) {
  Follower follower(engine, graph, edges.removed);
  ComponentChanges changes;
  RIZOMA_ASSIGN(auto apart, follower.all_apart());
  if (!apart) return std::optional<ComponentChanges>();
  changes.apart = std::move(*apart);
  const bool any_apart = !changes.apart.empty();
  const auto root = [&](VertexId name) {
    for (auto found = changes.joined.find(name); found != changes.joined.end();) {
      const auto above = changes.joined.find(found->second);
      name = found->second;
      if (above != changes.joined.end()) found->second = above->second;  // ways are halved
      found = above;
    }
    return name;
  };
  const auto name = [&](VertexId v) { return root(names[v] == kNoVertex ? v : names[v]); };
  for (std::size_t i = 0; i + 1 < edges.added.size(); i += 2) {
    const VertexId a = edges.added[i];
    const VertexId b = edges.added[i + 1];
    if (any_apart && (follower.is_apart(a) || follower.is_apart(b))) continue;  // found as it is now
    const VertexId of_a = name(a);
    const VertexId of_b = name(b);
    if (of_a != of_b) changes.joined[std::max(of_a, of_b)] = std::min(of_a, of_b);
  }
  for (auto& [former, above] : changes.joined) above = root(above);
  return std::optional(std::move(changes));
}

}  // namespace rizoma
