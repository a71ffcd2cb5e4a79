#include "engine/exchange/own_and_mirrors.h"

#include <algorithm>

namespace rizoma {

Result<OwnAndMirrors> OwnAndMirrors::find(Engine& engine, Ranks& ranks, const GraphView& graph) {
  RIZOMA_TRY(ranks.divide(graph));
  const VertexId n = graph.num_vertices();
  OwnAndMirrors found;
  found.mirrors_ = engine.make_set(n);
  const auto add = [&](VertexId v) { found.mirrors_.add(v); };
  RIZOMA_TRY(ranks.for_mirrors(engine, graph, Direction::out, add));
  if (graph.directed() && graph.has_in_edges()) RIZOMA_TRY(ranks.for_mirrors(engine, graph, Direction::in, add));

  found.bits_ = graph.with_out([](const auto& out) { return out.section_bits(); });
  found.mask_ = (VertexId{1} << found.bits_) - 1;
  const auto owners = ranks.owners();
  found.first_of_section_.assign(owners.size(), kNoVertex);
  for (SectionId s = 0; s < owners.size(); ++s) {
    if (owners[s] != ranks.rank()) continue;
    found.first_of_section_[s] = found.own_;
    found.sections_.push_back(s);
    const VertexId begin = std::min<VertexId>(VertexId{s} << found.bits_, n);
    found.own_ += std::min(begin + found.mask_ + 1, n) - begin;
  }

  found.size_ = found.own_;
  found.first_of_word_.reserve(VertexSet::words_of(n));
  for (VertexId word = 0; word < VertexSet::words_of(n); ++word) {
    found.first_of_word_.push_back(found.size_);
    found.size_ += static_cast<VertexId>(std::popcount(found.mirrors_.word(word)));
  }
  return found;
}

}  // namespace rizoma
