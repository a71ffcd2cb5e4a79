#include "query/run/roots.h"

#include <rizoma/detail/ranks.h>

#include "query/run/run.h"

#include <algorithm>

namespace rizoma::query {
namespace {

constexpr std::uint64_t kAnchorGrain = 16;
constexpr VertexId kMarkGrain = 256;        // lists checked for repetitions together
constexpr std::uint64_t kRowGrain = 2048;   // vertices and entries of a block of roots
constexpr std::uint64_t kPieceGrain = 256;  // entries of an anchor's list handed out at once

template <class Target>
Status mark_repeating(Engine& engine, const Adjacency<Target>& lists, VertexSet& repeating) {
  repeating = VertexSet(lists.num_vertices());
  return engine.for_blocks(lists.num_vertices(), kMarkGrain, [&](VertexRange block, unsigned) {
    for (VertexId v = block.begin; v < block.end; ++v) {
      const auto list = lists.neighbors(v);
      if (std::adjacent_find(list.begin(), list.end()) != list.end()) repeating.add_atomic(v);
    }
  });
}

/// Looks at all lists.
Result<std::shared_ptr<const RepeatingLists>> repeating_lists(Engine& engine, const GraphView& graph) {
  auto repeating = std::make_shared<RepeatingLists>();
  repeating->possible = true;
  repeating->known = true;
  const auto mark_both = [&]<class Target>(const Adjacency<Target>& out) -> Status {
    RIZOMA_TRY(mark_repeating(engine, out, repeating->out));
    if (!graph.directed() || !graph.has_in_edges()) return {};
    return mark_repeating(engine, std::get<Adjacency<Target>>(*graph.parts().in), repeating->in);
  };
  RIZOMA_TRY(graph.with_out(mark_both));
  return std::shared_ptr<const RepeatingLists>(std::move(repeating));
}

/// As for_roots, over this rank's share of the blocks.
Status for_shared_roots(Engine& engine, const GraphView& graph, const Query& query, const Step& root,
                        FunctionRef<void(unsigned thread, VertexId v, const ListPiece* piece)> body) {
  const RootBlocks blocks(graph, query, root);
  const BlockShare share{engine.ranks()->rank(), engine.ranks()->size()};
  return engine.for_blocks(share.count(blocks.size()), 1, [&](VertexRange some, unsigned thread) {
    std::vector<RootBlock> read;
    for (std::uint64_t i = some.begin; i < some.end; ++i) blocks.read(share.number(i), read);
    for (const RootBlock& block : read) {
      for (VertexId v = block.vertices.begin; v < block.vertices.end && !engine.stopping(); ++v) {
        if (graph.is_live(v)) body(thread, v, block.piece ? &*block.piece : nullptr);
      }
    }
  });
}

}  // namespace

const ListUse* piece_list(const GraphView& graph, const Step& root) {
  if (root.branches.size() != 1 || root.branches[0].memoized) return nullptr;
  const Step& below = root.branches[0];
  if (below.is_edge || below.lists.empty() || below.power != 1) return nullptr;
  const ListUse& use = below.lists[0];
  const bool cuts_a_run = use.collapse_parallel && graph.may_have_parallel_edges();
  const bool as_it_lies = use.side != Side::both && use.set == 0;
  return use.other != root.item || !as_it_lies || cuts_a_run ? nullptr : &use;
}

RootBlocks::RootBlocks(const GraphView& graph, const WorkLists::Mine& mine)
    : lists_(std::make_unique<const WorkLists>(graph.parts().out, Placement{}, Cut::anywhere, mine)),
      grain_(kRowGrain),
      work_(lists_->work()) {}

RootBlocks RootBlocks::in_pieces(const GraphView& graph) {
  RootBlocks blocks(graph, WorkLists::Mine{});
  blocks.cuts_ = true;
  return blocks;
}

RootBlocks::RootBlocks(const GraphView& graph, const Query& query, const Step& root, const WorkLists::Mine& mine) {
  if (root.anchored) {
    anchors_ = &*query.anchors[root.item];
    work_ = anchors_->size();
    return;
  }
  const ListUse* const cut = piece_list(graph, root);
  const bool in = cut != nullptr && cut->side == Side::in && graph.directed();
  cuts_ = cut != nullptr;
  const GraphView::AnyAdjacency& lists = in ? *graph.parts().in : graph.parts().out;
  lists_ = std::make_unique<const WorkLists>(lists, Placement{}, Cut::anywhere, mine);
  work_ = lists_->work();
  grain_ = kRowGrain;
}

void RootBlocks::read(std::uint64_t i, std::vector<RootBlock>& blocks) const {
  const std::uint64_t begin = i * grain_;
  const std::uint64_t end = std::min(begin + grain_, work_);
  if (anchors_ != nullptr) {
    for (std::uint64_t at = begin; at < end; ++at)
      blocks.push_back({{(*anchors_)[at], (*anchors_)[at] + 1}, std::nullopt});
    return;
  }
  const auto whole = [&](VertexRange range) { blocks.push_back({range, std::nullopt}); };
  const auto piece = [&](ListPiece part) { blocks.push_back({{part.vertex, part.vertex + 1}, part}); };
  for (const WorkList& list : lists_->lists()) {
    if (cuts_) list.cut_pieces(begin, end, {2 * grain_, whole, piece});
    else list.cut(begin, end, Cut::anywhere, whole);
  }
}

Result<std::shared_ptr<const RepeatingLists>> KnownRepeats::of(Engine& engine, const GraphView& graph, bool later) {
  if (later || !graph.may_have_parallel_edges()) {
    return std::make_shared<const RepeatingLists>(RepeatingLists{.possible = graph.may_have_parallel_edges()});
  }
  FirstFailure failure;
  const auto* const known = known_.get(0, failure, [&](std::size_t) { return repeating_lists(engine, graph); });
  if (known == nullptr) return failure.status().error();
  return *known;
}

Status for_roots(Engine& engine, const GraphView& graph, const Query& query, const Step& root,
                 FunctionRef<void(unsigned thread, VertexId v, const ListPiece* piece)> body) {
  if (engine.ranks() != nullptr) return for_shared_roots(engine, graph, query, root, body);
  const ListUse* const cut = piece_list(graph, root);
  const Direction direction = cut != nullptr && cut->side == Side::in ? Direction::in : Direction::out;
  const auto whole = [&](VertexRange block, unsigned thread) {
    for (VertexId v = block.begin; v < block.end && !engine.stopping(); ++v) {
      if (graph.is_live(v)) body(thread, v, nullptr);
    }
  };
  if (root.anchored) {
    const std::vector<VertexId>& anchors = *query.anchors[root.item];
    if (cut == nullptr || anchors.size() > engine.threads() * kAnchorGrain) {
      return engine.for_blocks(anchors.size(), kAnchorGrain, [&](VertexRange block, unsigned thread) {
        for (VertexId i = block.begin; i < block.end && !engine.stopping(); ++i) body(thread, anchors[i], nullptr);
      });
    }
    for (const VertexId v : anchors) {
      const EdgeCount size = graph.with_out(
          [&]<class Target>(const Adjacency<Target>&) { return Lists<Target>(graph).degree(cut->side, v); });
      RIZOMA_TRY(engine.for_blocks(size, kPieceGrain, [&](VertexRange entries, unsigned thread) {
        const ListPiece piece{v, entries.begin, entries.end};
        body(thread, v, &piece);
      }));
    }
    return {};
  }
  if (cut == nullptr) return engine.for_edges(graph, direction, whole);
  return engine.for_pieces(graph, direction, whole, [&](ListPiece piece, unsigned thread) {
    if (graph.is_live(piece.vertex)) body(thread, piece.vertex, &piece);
  });
}

}  // namespace rizoma::query
