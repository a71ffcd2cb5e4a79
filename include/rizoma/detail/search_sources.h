// SearchSources: where a search begins, at one vertex or at several at once.  Module: engine.
//
// Cost: O(k log k) for k sources; the sources are not copied before.
#pragma once

#include <rizoma/detail/same_call.h>
#include <rizoma/graph_view.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>

#include <span>
#include <string_view>
#include <vector>

namespace rizoma {

/// An argument of a search: a vertex, or a range of vertices, which must outlive it.
class SearchSources {
 public:
  SearchSources(VertexId source) : one_(source) {}
  SearchSources(std::span<const VertexId> sources) : several_(sources), is_one_(false) {}
  SearchSources(const std::vector<VertexId>& sources) : SearchSources(std::span(sources)) {}

  /// Ascending, each once.  Errors: invalid_argument (none is given, or one is no vertex of the graph).
  [[nodiscard]] Result<std::vector<VertexId>> distinct(const GraphView& graph, std::string_view who) const;
  /// For expect_same_call.
  [[nodiscard]] CallArgument argument() const {
    return is_one_ ? CallArgument("source", one_) : CallArgument("sources", several_);
  }

 private:
  VertexId one_ = kNoVertex;
  std::span<const VertexId> several_;
  bool is_one_ = true;
};

}  // namespace rizoma
