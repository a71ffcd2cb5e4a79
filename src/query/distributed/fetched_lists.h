// The lists that a rank reads in a batch: its own, and those that it fetches from the data nodes.  Module: query.
//
// A fetch is two rounds of messages: what each rank asks of each, and the lists.  All ranks take part in both, so that
// none has to answer while it computes.  Who waits for the requests of others may match meanwhile; the lists are waited
// for by all, as their bytes pass only while both ends look after them.
#pragma once

#include "base/check.h"
#include "engine/exchange/wire.h"
#include "query/distributed/access_set.h"
#include "query/distributed/data_nodes.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace rizoma::query {

template <class Target>
class FetchedLists {
 public:
  using List = std::span<const Target>;

  /// It must be known by then which of the rank's own lists repeat.
  explicit FetchedLists(SharedGraph& shared)
      : shared_(shared), needed_{VertexSet(shared.own.num_vertices()), VertexSet(shared.own.num_vertices())} {}

  void begin_batch() {
    shared_.cache.begin_batch();
    for (VertexSet& needed : needed_) needed.clear();
    bytes_ = 0;
  }

  /// Fetches the lists of these vertices that are not local; `meanwhile` as in Ranks::collective.  Collective.
  Status fetch(const VertexSet& vertices, AccessSet reads, FunctionRef<bool()> meanwhile) {
    if (!reads.any()) return {};
    std::vector<std::vector<ListKey>> wanted(shared_.ranks.size());
    for (const Direction direction : {Direction::out, Direction::in}) {
      if (direction == Direction::out ? reads.out : reads.in) want(vertices, direction, wanted);
    }
    std::vector<Bytes> requests;
    for (const auto& keys : wanted) requests.push_back(request_for(keys));
    RIZOMA_ASSIGN(const auto asked, shared_.ranks.collective(CollectiveKind::lists, std::move(requests), meanwhile));
    std::vector<Bytes> replies;
    for (const Bytes& request : asked) replies.push_back(reply_to(request));
    RIZOMA_ASSIGN(auto received, shared_.ranks.collective(CollectiveKind::lists, std::move(replies)));
    for (unsigned rank = 0; rank < received.size(); ++rank) take(wanted[rank], std::move(received[rank]));
    return {};
  }

  /// A list that is this rank's own or was fetched in this batch.
  [[nodiscard]] List list(Direction direction, VertexId v) const {
    if (shared_.holders.mine(v)) return own(direction).neighbors(v);
    const ListCache::Held* const held = shared_.cache.find({v, direction});
    RIZOMA_CHECK(held != nullptr);
    return {reinterpret_cast<const Target*>(held->data), held->bytes / sizeof(Target)};
  }

  /// Bytes of the lists of other ranks that this batch reads.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

  /// The graph with this rank's own lists and those that the batch reads.
  [[nodiscard]] GraphView view() const {
    auto memory = std::make_shared<Memory>();
    memory->own = shared_.own;
    GraphView::Parts parts = shared_.own.parts();
    parts.out = with_fetched(Direction::out, *memory);
    if (parts.in) parts.in = with_fetched(Direction::in, *memory);
    parts.owner = std::move(memory);
    return GraphView(std::move(parts));
  }

 private:
  using Bytes = std::vector<std::byte>;

  struct Memory {
    GraphView own;
    std::vector<std::vector<std::uint32_t>> offsets;
    std::vector<std::vector<Target>> targets;
  };

  [[nodiscard]] const Adjacency<Target>& own(Direction direction) const {
    const GraphView::Parts& parts = shared_.own.parts();
    const bool in = direction == Direction::in && parts.in.has_value();
    return std::get<Adjacency<Target>>(in ? *parts.in : parts.out);
  }
  [[nodiscard]] VertexSet& needed(Direction direction) { return needed_[static_cast<std::size_t>(direction)]; }
  [[nodiscard]] const VertexSet& needed(Direction direction) const {
    return needed_[static_cast<std::size_t>(direction)];
  }

  void want(const VertexSet& vertices, Direction direction, std::vector<std::vector<ListKey>>& wanted) {
    vertices.for_each([&](VertexId v) {
      if (shared_.holders.mine(v) || !needed(direction).add(v)) return;
      const ListCache::Held* const held = shared_.cache.use({v, direction});
      if (held == nullptr) {
        wanted[shared_.holders.of(v)].push_back({v, direction});
      } else {
        ++shared_.done.hits;
        bytes_ += held->bytes;
      }
    });
  }

  /// Out-lists, then in-lists: how many, and the steps from one vertex to the next.
  static Bytes request_for(const std::vector<ListKey>& keys) {
    WireWriter words;
    for (auto at = keys.begin(); const Direction direction : {Direction::out, Direction::in}) {
      const auto end = std::find_if(at, keys.end(), [&](const ListKey& key) { return key.direction != direction; });
      words.put_varint(static_cast<std::uint64_t>(end - at));
      for (VertexId before = 0; at != end; before = at++->vertex) words.put_varint(at->vertex - before);
    }
    return std::move(words).take();
  }

  /// The lists one after another, then the length of each.
  Bytes reply_to(const Bytes& request) const {
    WireReader words(request);
    std::vector<List> lists;
    std::size_t size = 0;
    for (const Direction direction : {Direction::out, Direction::in}) {
      VertexId v = 0;
      for (std::uint64_t left = words.get_varint(); left > 0; --left) {
        v += words.get_varint();
        RIZOMA_CHECK(words.ok() && v < shared_.own.num_vertices() && shared_.holders.mine(v));
        lists.push_back(own(direction).neighbors(v));
        size += lists.back().size_bytes() + sizeof(std::uint32_t);
      }
    }
    Bytes reply;
    reply.reserve(size);
    for (const List list : lists) {
      const auto bytes = std::as_bytes(list);
      reply.insert(reply.end(), bytes.begin(), bytes.end());
    }
    for (const List list : lists) {
      const auto length = static_cast<std::uint32_t>(list.size());
      const auto bytes = std::as_bytes(std::span(&length, 1));
      reply.insert(reply.end(), bytes.begin(), bytes.end());
    }
    return reply;
  }

  void take(const std::vector<ListKey>& keys, Bytes reply) {
    if (keys.empty()) return;
    RIZOMA_CHECK(reply.size() >= keys.size() * sizeof(std::uint32_t));
    const std::size_t size = reply.size() - keys.size() * sizeof(std::uint32_t);
    std::vector<std::uint32_t> lengths(keys.size());
    std::memcpy(lengths.data(), reply.data() + size, reply.size() - size);
    std::vector<std::uint64_t> bytes;
    std::size_t at = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      bytes.push_back(std::uint64_t{lengths[i]} * sizeof(Target));
      RIZOMA_CHECK(bytes[i] <= size - at);
      note_repetitions(keys[i], {reinterpret_cast<const Target*>(reply.data() + at), lengths[i]});
      at += bytes[i];
    }
    shared_.done.lists += keys.size();
    shared_.done.bytes += size;
    bytes_ += size;
    shared_.cache.keep(std::move(reply), keys, bytes);
  }

  void note_repetitions(const ListKey& key, List list) {
    RepeatingLists& repeating = *shared_.repeating;
    if (!repeating.possible || std::adjacent_find(list.begin(), list.end()) == list.end()) return;
    (key.direction == Direction::in ? repeating.in : repeating.out).add(key.vertex);
  }

  [[nodiscard]] Adjacency<Target> with_fetched(Direction direction, Memory& memory) const {
    const Adjacency<Target>& own_ones = own(direction);
    std::vector<SectionEdges<Target>> sections;
    for (SectionId s = 0; s < own_ones.num_sections(); ++s) {
      sections.push_back(own_ones.section(s));
      if (!shared_.holders.is_mine(s)) put_fetched(direction, own_ones.range_of(s), sections.back(), memory);
    }
    return Adjacency<Target>(own_ones.section_bits(), own_ones.num_vertices(), std::move(sections));
  }

  void put_fetched(Direction direction, VertexRange range, SectionEdges<Target>& section, Memory& memory) const {
    std::vector<std::uint32_t> ends;
    std::vector<List> lists;
    std::size_t size = 0;
    needed(direction).for_each(range, [&](VertexId v) {
      ends.resize(v - range.begin + 1, static_cast<std::uint32_t>(size));
      lists.push_back(list(direction, v));
      size += lists.back().size();
    });
    if (size == 0) return;
    ends.resize(range.size() + 1, static_cast<std::uint32_t>(size));
    std::vector<Target> targets;
    targets.reserve(size);
    for (const List fetched : lists) targets.insert(targets.end(), fetched.begin(), fetched.end());
    section = {.offsets = ends.data(), .targets = targets.data()};
    memory.offsets.push_back(std::move(ends));
    memory.targets.push_back(std::move(targets));
  }

  SharedGraph& shared_;
  std::array<VertexSet, 2> needed_;  ///< whose lists the batch reads, of those that other ranks hold
  std::uint64_t bytes_ = 0;
};

}  // namespace rizoma::query
