#include "query/run/vertex_rows.h"

#include "query/run/roots.h"

#include <algorithm>
#include <utility>

namespace rizoma::query {
namespace {

constexpr VertexId kVerticesOfBlock = 4096;

class VertexRows final : public QueryRows {
 public:
  VertexRows(const CursorPlan& plan, const Query& query)
      : graph_(plan.graph),
        set_(query.filter_of(0)),
        wanted_(plan.wanted),
        share_{plan.selection.part, plan.selection.parts},
        blocks_(share_.count((graph_.num_vertices() + kVerticesOfBlock - 1) / kVerticesOfBlock)) {}

  Result<bool> next(Engine& engine, std::size_t most, std::vector<MatchRows>& parts) override {
    std::vector<std::int64_t> found;
    const VertexId all = set_ == nullptr ? graph_.num_vertices() : set_->count();
    found.reserve(std::min<VertexId>(all, most) + kVerticesOfBlock);
    while (next_ < blocks_ && found.size() < most && !engine.stopping()) {
      const VertexId begin = share_.number(next_++) * kVerticesOfBlock;
      read({begin, std::min(begin + kVerticesOfBlock, graph_.num_vertices())}, found);
    }
    if (!found.empty()) {
      MatchRows rows;
      rows.rows = found.size();
      for (std::size_t i = 1; i < wanted_.vertices.size(); ++i) rows.vertices.push_back(found);
      if (!wanted_.vertices.empty()) rows.vertices.push_back(std::move(found));
      parts.push_back(std::move(rows));
    }
    return next_ < blocks_;
  }

  double share_done() const override {
    return blocks_ == 0 ? 1 : static_cast<double>(next_) / static_cast<double>(blocks_);
  }

 private:
  void read(VertexRange block, std::vector<std::int64_t>& found) const {
    std::size_t count = found.size();
    found.resize(count + block.size());
    std::int64_t* const to = found.data();
    const auto add = [&](VertexId v) {
      to[count++] = wanted_.ids == nullptr ? static_cast<std::int64_t>(v) : (*wanted_.ids)[v];
    };
    if (set_ != nullptr) set_->for_each(block, add);
    for (VertexId v = block.begin; set_ == nullptr && v < block.end; ++v) {
      if (graph_.is_live(v)) add(v);
    }
    found.resize(count);
  }

  const GraphView& graph_;
  const VertexSet* set_;
  const RowColumns& wanted_;
  BlockShare share_;
  std::uint64_t blocks_;
  std::uint64_t next_ = 0;
};

}  // namespace

bool reads_vertices(const Engine& engine, const Query& query) {
  return engine.ranks() == nullptr && query.vertices == 1 && query.edges.empty() && query.filters.empty() &&
         query.absent.empty() && query.shortest.empty() && query.images.empty() && !query.anchors[0];
}

std::unique_ptr<QueryRows> vertex_rows(const CursorPlan& plan, const Query& query) {
  return std::make_unique<VertexRows>(plan, query);
}

}  // namespace rizoma::query
