// The vertices that a plan begins with, handed out in blocks to threads that come back for more.  Module: query.
//
// A block is a stretch of the work list over the lists that the second step reads, so that blocks are about equal in
// work and a great list comes in pieces.  Blocks are numbered: a thread or process that takes numbers can
// match them alone.
#pragma once

#include "engine/loop/work_lists.h"
#include "query/plan/plan.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace rizoma::query {

/// The list of the step below the root that may be handed out in pieces; null: none may.
[[nodiscard]] const ListUse* piece_list(const GraphView& graph, const Step& root);

/// Vertices to begin with, or one of them and the entries of its list that are to be read.
struct RootBlock {
  VertexRange vertices;
  std::optional<ListPiece> piece;
};

/// Every size-th block, for one of several processes that share them.
struct BlockShare {
  unsigned part = 0;
  unsigned parts = 1;

  /// How many of `size` blocks are in the share.
  [[nodiscard]] std::uint64_t count(std::uint64_t size) const noexcept { return (size + parts - 1 - part) / parts; }
  /// The number of the i-th of them.
  [[nodiscard]] std::uint64_t number(std::uint64_t i) const noexcept { return i * parts + part; }
};

class RootBlocks {
 public:
  /// `mine`: of the vertices of which sections, unless they are anchors.
  RootBlocks(const GraphView& graph, const Query& query, const Step& root, const WorkLists::Mine& mine);
  RootBlocks(const GraphView& graph, const Query& query, const Step& root) : RootBlocks(graph, query, root, {}) {}
  /// All vertices of these sections, cut by their out-lists.
  RootBlocks(const GraphView& graph, const WorkLists::Mine& mine);
  /// All vertices, cut by their out-lists, great ones in pieces.
  [[nodiscard]] static RootBlocks in_pieces(const GraphView& graph);

  [[nodiscard]] std::uint64_t size() const noexcept { return (work_ + grain_ - 1) / grain_; }
  /// What block number i has.
  void read(std::uint64_t i, std::vector<RootBlock>& blocks) const;

 private:
  const std::vector<VertexId>* anchors_ = nullptr;
  std::unique_ptr<const WorkLists> lists_;
  bool cuts_ = false;
  std::uint64_t grain_ = 1;
  std::uint64_t work_ = 0;
};

}  // namespace rizoma::query
