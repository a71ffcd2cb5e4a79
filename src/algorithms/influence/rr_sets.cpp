#include "algorithms/influence/rr_sets.h"

#include "algorithms/influence/cascade_sampling.h"
#include "engine/loop/whole_graph.h"

#include <rizoma/gather.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <functional>
#include <numeric>
#include <queue>
#include <string>
#include <utility>

namespace rizoma::rr_sets {
namespace {

constexpr std::uint64_t kBlock = 128;                       // RR sets that a thread draws at once
constexpr std::uint64_t kFirst = 256;                       // RR sets of the first segment at most
constexpr std::uint64_t kEntries = std::uint64_t{1} << 24;  // entries of a segment at most, about
constexpr std::uint64_t kFewEntries = kEntries / 4;         // where offsets are small beside the lists
constexpr std::uint64_t kGrain = 256;
constexpr std::uint64_t kAsks = std::uint64_t{1} << 14;  // vertices reached between two checks for a stop

/// Draws RR sets of one thread.
template <class Lists>
class Drawing {
 public:
  Drawing(Engine& engine, Lists& lists, const CascadeOptions& options, const Roots& roots, unsigned thread)
      : engine_(engine),
        lists_(lists),
        options_(options),
        roots_(roots),
        thread_(thread),
        seen_(lists.num_vertices()) {}

  /// Appends the vertices of one RR set; not all of them once the call must stop.
  void draw(std::uint64_t seed, std::uint64_t number, std::vector<Vertex>& to) {
    Random random(mix64(seed ^ mix64(number)));
    ++turn_;
    const std::size_t first = to.size();
    take(roots_.draw(random), to);
    for (std::size_t i = first; i < to.size(); ++i) {
      if (++read_ % kAsks == 0) stops_ = stops_ || !engine_.report("", 0, 0);
      if (stops_) return;
      const auto list = lists_.read(to[i], thread_);
      if (list.size() == 0) continue;
      if (options_.model == CascadeModel::independent_cascade) {
        cascades::for_open(options_, list, random,
                           [&](std::uint64_t e) { take(static_cast<Vertex>(list.source(e)), to); });
      } else {
        const std::uint64_t e = cascades::chosen(options_, list, random);
        if (e < list.size()) take(static_cast<Vertex>(list.source(e)), to);
      }
    }
  }

 private:
  void take(Vertex v, std::vector<Vertex>& to) {
    if (seen_[v] == turn_) return;
    seen_[v] = turn_;
    to.push_back(v);
  }

  Engine& engine_;
  Lists& lists_;
  const CascadeOptions& options_;
  const Roots& roots_;
  unsigned thread_;
  std::uint64_t turn_ = 0;
  std::uint64_t read_ = 0;
  bool stops_ = false;
  std::vector<std::uint64_t> seen_;
};

std::size_t group_bytes(Vertex difference) {
  return 1 + static_cast<std::size_t>(std::bit_width(difference | 1U) - 1) / 7;
}

/// f(number) for the RR sets of a list of differences.
template <class F>
void for_each_number(const std::uint8_t* bytes, Vertex count, F&& f) {
  Vertex number = 0;
  for (Vertex i = 0; i < count; ++i) {
    Vertex difference = *bytes & 127U;
    for (unsigned shift = 7; (*bytes++ & 128U) != 0; shift += 7) difference |= (*bytes & 127U) << shift;
    number += difference;
    f(number);
  }
}

/// Writes the numbers of a list, ascending, in the form that the segment has for v.
void write_list(const Segment& segment, std::uint8_t* bytes, Vertex v, std::span<const Vertex> numbers) {
  std::uint8_t* to = bytes + segment.offsets[v];
  if (segment.as_bits(v)) {
    for (const Vertex number : numbers) to[number / 8] = static_cast<std::uint8_t>(to[number / 8] | 1U << number % 8);
    return;
  }
  Vertex before = 0;
  for (const Vertex number : numbers) {
    Vertex difference = number - before;
    before = number;
    for (; difference >= 128; difference >>= 7) *to++ = static_cast<std::uint8_t>(difference | 128U);
    *to++ = static_cast<std::uint8_t>(difference);
  }
}

std::size_t list_bytes(const Segment& segment, Vertex v, std::span<const Vertex> numbers) {
  if (segment.as_bits(v)) return segment.count / 8 + 1;
  std::size_t bytes = 0;
  Vertex before = 0;
  for (const Vertex number : numbers) bytes += group_bytes(number - std::exchange(before, number));
  return bytes;
}

bool holds(const std::vector<std::uint64_t>& covered, Vertex number) {
  return ((covered[number / 64] >> (number % 64)) & 1) != 0;
}

/// f(byte, place) for the bytes of a list of bits.
template <class F>
void for_each_byte(const Segment& segment, Vertex v, F&& f) {
  const std::uint8_t* const bytes = segment.bytes + segment.offsets[v];
  for (std::uint64_t i = 0; i <= segment.count / 8; ++i) f(std::uint64_t{bytes[i]}, i);
}

}  // namespace

void Segment::point(const void* at_places, const void* at_lists, Vertex n) noexcept {
  const auto* const first = static_cast<const Vertex*>(at_places);
  offsets = {first, n + std::size_t{1}};
  sizes = {first + n + 1, n};
  bytes = static_cast<const std::uint8_t*>(at_lists);
}

Status Segment::spill(const std::string& directory) {
  const auto n = static_cast<Vertex>(sizes.size());
  const std::array parts{std::as_bytes(places.span()), std::as_bytes(lists.span())};
  RIZOMA_ASSIGN(spilled, SpilledBytes::write(directory, parts));
  point(spilled.bytes().data(), spilled.bytes().data() + parts[0].size(), n);
  places = {};
  lists = {};
  return {};
}

std::uint64_t Segment::open(Vertex v, const std::vector<std::uint64_t>& covered) const {
  std::uint64_t count_open = 0;
  if (as_bits(v)) {
    for_each_byte(*this, v, [&](std::uint64_t byte, std::uint64_t i) {
      count_open += static_cast<unsigned>(std::popcount(byte & ~(covered[i / 8] >> (8 * (i % 8)))));
    });
  } else {
    for_each_number(bytes + offsets[v], sizes[v], [&](Vertex s) { count_open += holds(covered, s) ? 0 : 1; });
  }
  return count_open;
}

void Segment::cover(Vertex v, std::vector<std::uint64_t>& covered) const {
  if (as_bits(v)) {
    for_each_byte(*this, v, [&](std::uint64_t byte, std::uint64_t i) { covered[i / 8] |= byte << (8 * (i % 8)); });
  } else {
    for_each_number(bytes + offsets[v], sizes[v], [&](Vertex s) { covered[s / 64] |= std::uint64_t{1} << (s % 64); });
  }
}

/// RR sets one after another, as drawn.
struct Collection::Drawn {
  std::vector<Vertex> vertices;
  std::vector<Vertex> ends;  ///< of each RR set
};

Roots::Roots(const GraphView& graph, std::span<const double> weights)
    : n_(static_cast<Vertex>(graph.num_vertices())), total_(static_cast<double>(graph.num_live())) {
  if (!weights.empty()) {
    total_ = 0;
    for (VertexId v = 0; v < n_; ++v) up_to_.push_back(total_ += graph.is_live(v) ? weights[v] : 0);
  } else if (graph.num_live() != n_) {
    for (VertexId v = 0; v < n_; ++v) {
      if (graph.is_live(v)) live_.push_back(static_cast<Vertex>(v));
    }
  }
}

Vertex Roots::draw(Random& random) const {
  if (up_to_.empty()) return live_.empty() ? static_cast<Vertex>(random.below(n_)) : live_[random.below(live_.size())];
  const auto place = std::ranges::upper_bound(up_to_, random.unit() * total_);
  if (place != up_to_.end()) return static_cast<Vertex>(place - up_to_.begin());
  return static_cast<Vertex>(std::ranges::lower_bound(up_to_, total_) - up_to_.begin());  // the product was rounded up
}

Collection::Collection(Iteration& loop, const CascadeOptions& options, const Roots& roots, std::uint64_t seed,
                       std::string directory, RrSetStaging staging)
    : loop_(loop),
      engine_(loop.engine()),
      graph_(loop.graph()),
      options_(options),
      roots_(roots),
      seed_(seed),
      directory_(std::move(directory)),
      staging_(staging) {}

Status Collection::go_on() const {
  return engine_.report("reverse reachable sets", static_cast<double>(size_), static_cast<double>(wanted_));
}

Status Collection::grow(std::uint64_t size, std::uint64_t max_bytes) {
  // With little memory segments are small, but not so small that the places of their lists would take most of it.
  // What is drawn and not yet kept takes 8 bytes an entry beside them.
  const std::uint64_t n = graph_.num_vertices();
  const std::uint64_t entries = std::clamp(32 * n, kFewEntries, kEntries);
  const std::uint64_t least = std::min(entries, 4 * std::max(n, kFirst));
  const std::uint64_t most = max_bytes == 0 ? entries : std::clamp(max_bytes / 16, least, entries);
  wanted_ = size;
  while (size_ < size) {
    RIZOMA_TRY(go_on());
    const std::uint64_t fitting = entries_ == 0 ? kFirst : std::max(kFirst, most / (entries_ / size_ + 1));
    const std::uint64_t count = std::min({size - size_, fitting, std::uint64_t{1} << 31});
    const VertexRange mine = part_of_this_process(engine_, count);
    std::vector<Drawn> blocks((mine.size() + kBlock - 1) / kBlock);
    RIZOMA_TRY(draw({size_ + mine.begin, size_ + mine.end}, blocks));
    RIZOMA_ASSIGN(const std::uint64_t kept, keep(mine.size(), blocks, max_bytes));
    RIZOMA_ASSIGN(const std::uint64_t kept_by_all, loop_.total(kept));
    entries_ += kept_by_all;
    size_ += count;
  }
  return {};
}

Status Collection::draw(VertexRange numbers, std::vector<Drawn>& blocks) {
  return read_lists<true>(engine_, graph_, Direction::in, [&]<class Lists>(Lists& lists) {
    std::vector<Drawing<Lists>> of_threads;
    for (unsigned t = 0; t < engine_.threads(); ++t) of_threads.emplace_back(engine_, lists, options_, roots_, t);
    return engine_.for_blocks(numbers.size(), kBlock, [&](VertexRange block, unsigned thread) {
      Drawn& drawn = blocks[block.begin / kBlock];
      for (std::uint64_t i = block.begin; i < block.end; ++i) {
        of_threads[thread].draw(seed_, numbers.begin + i, drawn.vertices);
        drawn.ends.push_back(static_cast<Vertex>(drawn.vertices.size()));
      }
    });
  });
}

Result<std::uint64_t> Collection::keep(std::uint64_t count, const std::vector<Drawn>& blocks, std::uint64_t max_bytes) {
  const auto n = static_cast<Vertex>(graph_.num_vertices());
  Segment segment;
  segment.count = count;
  segment.places = engine_.make_map<Vertex>(2 * VertexId{n} + 1, 0, Structure::rr_sets);
  segment.point(segment.places.data(), nullptr, n);
  Vertex* const offsets = segment.places.data();
  Vertex* const sizes = offsets + n + 1;
  for (const Drawn& drawn : blocks) {
    for (const Vertex v : drawn.vertices) ++sizes[v];
    RIZOMA_TRY(go_on());
  }
  std::vector<std::uint64_t> first(n + std::size_t{1});
  std::partial_sum(sizes, sizes + n, first.begin() + 1, std::plus<std::uint64_t>());
  const bool in_place = staging_ == RrSetStaging::in_place;
  std::vector<Vertex> buffer(in_place ? 0 : first[n]);
  VertexMap<Vertex> there = engine_.make_map<Vertex>(in_place ? first[n] : 0, 0, Structure::rr_sets);
  const std::span<Vertex> numbers = in_place ? std::span(there.data(), first[n]) : std::span(buffer);
  std::vector<std::uint64_t> next(first.begin(), first.end() - 1);
  Vertex number = 0;
  for (const Drawn& drawn : blocks) {
    Vertex begin = 0;
    for (const Vertex end : drawn.ends) {
      for (; begin < end; ++begin) numbers[next[drawn.vertices[begin]]++] = number;
      ++number;
    }
    RIZOMA_TRY(go_on());
  }
  RIZOMA_TRY(write_lists(segment, numbers, first));
  const std::uint64_t bytes = segment.places.size() * sizeof(Vertex) + segment.lists.size();
  if (max_bytes != 0 && bytes_ - spilled_bytes_ + bytes > max_bytes) {
    RIZOMA_TRY(segment.spill(directory_));
    spilled_bytes_ += bytes;
  }
  bytes_ += bytes;
  segments_.push_back(std::move(segment));
  return first[n];
}

/// Writes the list of each vertex, whose numbers are [first[v], first[v + 1]).
Status Collection::write_lists(Segment& segment, std::span<const Vertex> numbers,
                               const std::vector<std::uint64_t>& first) {
  const auto n = static_cast<Vertex>(first.size() - 1);
  Vertex* const offsets = segment.places.data();
  const auto list_of = [&](Vertex v) { return numbers.subspan(first[v], first[v + 1] - first[v]); };
  RIZOMA_TRY(engine_.for_blocks(n, kGrain, [&](VertexRange block, unsigned) {
    for (auto v = static_cast<Vertex>(block.begin); v < block.end; ++v) {
      offsets[v + 1] = static_cast<Vertex>(list_bytes(segment, v, list_of(v)));
    }
  }));
  std::partial_sum(offsets, offsets + n + 1, offsets);
  segment.lists = engine_.make_map<std::uint8_t>(offsets[n], 0, Structure::rr_sets);
  const auto write_to = [&](std::uint8_t* bytes) {
    segment.point(offsets, bytes, n);
    return engine_.for_blocks(n, kGrain, [&](VertexRange block, unsigned) {
      for (auto v = static_cast<Vertex>(block.begin); v < block.end; ++v) write_list(segment, bytes, v, list_of(v));
    });
  };
  if (staging_ == RrSetStaging::staged) {
    std::vector<std::uint8_t> staged(offsets[n]);
    RIZOMA_TRY(write_to(staged.data()));
    std::ranges::copy(staged, segment.lists.data());
    segment.point(offsets, segment.lists.data(), n);
    return {};
  }
  return write_to(segment.lists.data());
}

void Collection::let_go() const noexcept {
  for (const Segment& segment : segments_) segment.spilled.let_go();
}

Covered Collection::none(std::size_t first) const {
  Covered covered;
  for (const Segment& segment : std::span(segments_).subspan(first)) covered.emplace_back(segment.count / 64 + 1);
  return covered;
}

Result<std::uint64_t> Collection::open(Vertex v, const Covered& covered) const {
  std::uint64_t sum = 0;
  const auto segments = part_of(covered);
  for (std::size_t s = 0; s < segments.size(); ++s) {
    sum += segments[s].open(v, covered[s]);
    read_bytes_ += segments[s].bytes_of(v);
  }
  return loop_.total(sum);
}

void Collection::cover(Vertex v, Covered& covered) const {
  const auto segments = part_of(covered);
  for (std::size_t s = 0; s < segments.size(); ++s) {
    segments[s].cover(v, covered[s]);
    read_bytes_ += segments[s].bytes_of(v);
  }
}

Result<std::uint64_t> Collection::hit(std::span<const VertexId> seeds, std::size_t first) const {
  Covered covered = none(first);
  std::uint64_t sum = 0;
  for (const VertexId v : seeds) {
    cover(static_cast<Vertex>(v), covered);
    RIZOMA_TRY(go_on());
  }
  let_go();
  for (const auto& words : covered) {
    for (const std::uint64_t word : words) sum += static_cast<unsigned>(std::popcount(word));
  }
  return loop_.total(sum);
}

Result<VertexMap<std::uint64_t>> Collection::all_open(const Covered& covered) const {
  VertexMap<std::uint64_t> counts = engine_.make_map<std::uint64_t>(graph_.num_vertices(), 0);
  const auto segments = part_of(covered);
  for (std::size_t s = 0; s < segments.size(); ++s) {  // one after the other: only one need be in memory
    RIZOMA_TRY(engine_.for_blocks(counts.size(), kGrain, [&](VertexRange block, unsigned) {
      std::uint64_t read = 0;
      for (VertexId v = block.begin; v < block.end; ++v) {
        counts[v] += segments[s].open(static_cast<Vertex>(v), covered[s]);
        read += segments[s].bytes_of(static_cast<Vertex>(v));
      }
      std::atomic_ref(read_bytes_).fetch_add(read, std::memory_order_relaxed);
    }));
    segments[s].spilled.let_go();
  }
  RIZOMA_TRY(loop_.reduce(counts));
  RIZOMA_TRY(loop_.complete(counts.data()));
  return counts;
}

namespace {

/// How many RR sets the k largest of these counts hit at most.
std::uint64_t sum_of_greatest(VertexMap<std::uint64_t> counts, VertexId k) {
  const std::span<std::uint64_t> all = counts.span();
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min<VertexId>(k, all.size()));
  if (end != all.end()) std::ranges::nth_element(all, end, std::greater<>());
  return std::accumulate(all.begin(), end, std::uint64_t{0});
}

}  // namespace

Result<Chosen> choose(const Collection& collection, std::size_t first_segment, VertexId n, VertexId k,
                      std::span<const VertexId> given, const GraphView& graph) {
  Chosen chosen;
  Covered covered = collection.none(first_segment);
  std::vector<bool> taken(n);
  for (const VertexId v : given) {
    RIZOMA_TRY(collection.go_on());
    RIZOMA_ASSIGN(const std::uint64_t open, collection.open(static_cast<Vertex>(v), covered));
    chosen.hits += open;
    collection.cover(static_cast<Vertex>(v), covered);
    taken[v] = true;
  }
  const std::uint64_t before = chosen.hits;
  RIZOMA_ASSIGN(VertexMap<std::uint64_t> counts, collection.all_open(covered));
  // Counts only fall as more is covered, so that one that is still the largest after a look needs no other look.
  // Among equals the smallest vertex: the key is its complement.
  std::priority_queue<std::pair<std::uint64_t, VertexId>> waiting;
  for (VertexId v = 0; v < n; ++v) {
    if (!taken[v] && graph.is_live(v)) waiting.emplace(counts[v], ~v);
  }
  chosen.most_hits = before + sum_of_greatest(std::move(counts), k);
  while (chosen.seeds.size() < k && !waiting.empty()) {
    const auto [count, key] = waiting.top();
    waiting.pop();
    const VertexId v = ~key;
    RIZOMA_TRY(collection.go_on());
    std::uint64_t now = 0;
    if (count > 0) {
      RIZOMA_ASSIGN(now, collection.open(static_cast<Vertex>(v), covered));
    }
    if (now != count && !waiting.empty() && std::pair(now, key) < waiting.top()) {
      waiting.emplace(now, key);
      continue;
    }
    collection.cover(static_cast<Vertex>(v), covered);
    chosen.seeds.push_back(v);
    chosen.gains.push_back(now);
    chosen.hits += now;
    if (chosen.seeds.size() != k / 2 && chosen.seeds.size() != k) continue;
    RIZOMA_ASSIGN(VertexMap<std::uint64_t> left, collection.all_open(covered));
    chosen.most_hits = std::min(chosen.most_hits, chosen.hits + sum_of_greatest(std::move(left), k));
  }
  collection.let_go();
  const double greedy = static_cast<double>(chosen.hits - before) / (1 - std::exp(-1.0));
  chosen.most_hits = std::min(chosen.most_hits, before + static_cast<std::uint64_t>(std::ceil(greedy)));
  return chosen;
}

}  // namespace rizoma::rr_sets
