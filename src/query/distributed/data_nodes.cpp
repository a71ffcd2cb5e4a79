#include "query/distributed/data_nodes.h"

#include "engine/exchange/wire.h"
#include "query/plan/symmetry.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace rizoma::query {
namespace {

/// The graph without the lists of other ranks' sections.
template <class Target>
Adjacency<Target> own_lists(const Adjacency<Target>& all, const Holders& holders, const std::uint32_t* zeros) {
  std::vector<SectionEdges<Target>> sections;
  for (SectionId s = 0; s < all.num_sections(); ++s) {
    sections.push_back(holders.is_mine(s) ? all.section(s) : SectionEdges<Target>{.offsets = zeros});
  }
  return Adjacency<Target>(all.section_bits(), all.num_vertices(), std::move(sections));
}

GraphView own_part(const GraphView& graph, const Holders& holders) {
  struct Owner {
    GraphView whole;
    std::vector<std::uint32_t> zeros;
  };
  GraphView::Parts parts = graph.parts();
  return graph.with_out([&]<class Target>(const Adjacency<Target>& out) {
    const auto owner = std::make_shared<const Owner>(
        Owner{graph, std::vector<std::uint32_t>((std::size_t{1} << out.section_bits()) + 1)});
    parts.out = own_lists(out, holders, owner->zeros.data());
    if (parts.in) parts.in = own_lists(std::get<Adjacency<Target>>(*graph.parts().in), holders, owner->zeros.data());
    parts.owner = owner;
    return GraphView(std::move(parts));
  });
}

/// What each rank has, one after another.
template <class T>
Result<std::vector<T>> joined(Ranks& ranks, const std::vector<T>& mine) {
  WireWriter words;
  words.put_bytes(mine.data(), mine.size() * sizeof(T));
  RIZOMA_ASSIGN(const auto received, ranks.collective(CollectiveKind::gather, {ranks.size(), std::move(words).take()}));
  std::vector<T> all;
  for (const auto& theirs : received) {
    const std::size_t before = all.size();
    all.resize(before + theirs.size() / sizeof(T));
    if (!theirs.empty()) std::memcpy(all.data() + before, theirs.data(), theirs.size());
  }
  return all;
}

/// A block as ranks send it to each other.
struct SentBlock {
  std::uint64_t holder = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t is_piece = 0;
  std::uint64_t first_entry = 0;
  std::uint64_t last_entry = 0;

  static SentBlock of(const RootBlock& block, unsigned rank) {
    const ListPiece piece = block.piece.value_or(ListPiece{});
    return {rank, block.vertices.begin, block.vertices.end, block.piece.has_value() ? 1u : 0u, piece.begin, piece.end};
  }
  [[nodiscard]] RootBlock block() const {
    RootBlock made{{begin, end}, std::nullopt};
    if (is_piece != 0) made.piece = ListPiece{begin, first_entry, last_entry};
    return made;
  }
};

/// All ranks know the anchors: each takes every size-th.
BlockQueues assigned_anchors(const std::vector<VertexId>& anchors, unsigned ranks) {
  std::vector<RootBlock> blocks;
  std::vector<unsigned> takers;
  for (const VertexId v : anchors) {
    takers.push_back(static_cast<unsigned>(blocks.size() % ranks));
    blocks.push_back({{v, v + 1}, std::nullopt});
  }
  return {std::move(blocks), takers, ranks};
}

}  // namespace

Holders::Holders(const GraphView& graph, unsigned data_nodes, unsigned rank) : rank_(rank) {
  graph.with_out([&](const auto& out) {
    section_bits_ = out.section_bits();
    const std::uint64_t all = graph.num_vertices() + graph.num_entries();
    std::uint64_t before = 0;
    for (SectionId s = 0; s < out.num_sections(); ++s) {
      const std::uint64_t work = out.range_of(s).size() + out.section_size(s);
      const std::uint64_t middle = before + work / 2;
      const double share = static_cast<double>(middle) / static_cast<double>(std::max<std::uint64_t>(all, 1));
      of_section_.push_back(std::min(static_cast<unsigned>(share * data_nodes), data_nodes - 1));
      before += work;
    }
  });
}

Status Holders::gather(Ranks& ranks, std::uint64_t* values, VertexId n) const {
  const auto range_of = [&](std::size_t section) {
    const VertexId begin = VertexId{section} << section_bits_;
    return VertexRange{begin, std::min(begin + (VertexId{1} << section_bits_), n)};
  };
  WireWriter mine;
  for (std::size_t s = 0; s < of_section_.size(); ++s) {
    const VertexRange range = range_of(s);
    if (of_section_[s] == rank_) mine.put_bytes(values + range.begin, range.size() * sizeof(std::uint64_t));
  }
  RIZOMA_ASSIGN(const auto received, ranks.collective(CollectiveKind::gather, {ranks.size(), std::move(mine).take()}));
  std::vector<WireReader> readers(received.begin(), received.end());
  for (std::size_t s = 0; s < of_section_.size(); ++s) {
    const VertexRange range = range_of(s);
    readers[of_section_[s]].get_bytes(values + range.begin, range.size() * sizeof(std::uint64_t));
  }
  return {};
}

Result<std::unique_ptr<SharedGraph>> share(Engine& engine, const GraphView& graph, const Sharing& sharing) {
  Ranks& ranks = *engine.ranks();
  RIZOMA_TRY(ranks.divide(graph));
  RIZOMA_TRY(ranks.agree("number of data nodes", std::to_string(sharing.data_nodes)));
  if (sharing.data_nodes > ranks.size()) {
    return Error{ErrorCode::invalid_argument, std::to_string(sharing.data_nodes) + " data nodes are more than the " +
                                                  std::to_string(ranks.size()) + " ranks; start more ranks"};
  }
  const Holders holders(graph, sharing.data_nodes, ranks.rank());
  auto shared = std::make_unique<SharedGraph>(SharedGraph{
      ranks, holders, own_part(graph, holders), {}, {}, ListCache(graph.num_vertices(), sharing.cache_bytes), {}, {}});
  shared->done.holds = ranks.rank() < sharing.data_nodes;
  RIZOMA_ASSIGN(const std::vector<GraphFigures> figures, ranks.all(figures_of(shared->own)));
  shared->figures = figures[0];
  RIZOMA_ASSIGN(shared->loops, joined(ranks, looped(shared->own)));
  return shared;
}

std::vector<unsigned> assigned(std::span<const unsigned> holders, unsigned ranks) {
  const std::size_t each = (holders.size() + ranks - 1) / ranks;
  std::vector<std::size_t> held(ranks);
  for (const unsigned holder : holders) ++held[holder];
  std::vector<std::size_t> room(ranks);
  for (unsigned rank = 0; rank < ranks; ++rank) room[rank] = each - std::min(held[rank], each);
  std::vector<unsigned> taker;
  std::vector<std::size_t> seen(ranks);
  for (const unsigned holder : holders) {
    // Those that a data node keeps lie evenly among all that it has.
    const std::size_t kept = std::min(held[holder], each);
    const std::size_t i = seen[holder]++;
    const bool keeps = (i + 1) * kept / held[holder] != i * kept / held[holder];
    const auto roomiest = static_cast<unsigned>(std::max_element(room.begin(), room.end()) - room.begin());
    taker.push_back(keeps ? holder : roomiest);
    if (!keeps && room[roomiest] > 0) --room[roomiest];
  }
  return taker;
}

Result<BlockQueues> assigned_blocks(SharedGraph& shared, const Query& query, const Step& root) {
  const unsigned rank = shared.ranks.rank();
  if (root.anchored) return assigned_anchors(*query.anchors[root.item], shared.ranks.size());
  const RootBlocks blocks(shared.own, query, root, {shared.holders.of_sections(), rank});
  std::vector<RootBlock> own;
  for (std::uint64_t i = 0; i < blocks.size(); ++i) blocks.read(i, own);
  std::vector<SentBlock> sent;
  for (const RootBlock& block : own) sent.push_back(SentBlock::of(block, rank));
  RIZOMA_ASSIGN(const std::vector<SentBlock> all, joined(shared.ranks, sent));
  std::vector<unsigned> holders;
  std::vector<RootBlock> known;
  for (const SentBlock& block : all) {
    holders.push_back(static_cast<unsigned>(block.holder));
    known.push_back(block.block());
  }
  return BlockQueues(std::move(known), assigned(holders, shared.ranks.size()), shared.ranks.size());
}

}  // namespace rizoma::query
