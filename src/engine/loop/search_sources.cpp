#include <rizoma/detail/search_sources.h>

#include "engine/loop/kernel_arguments.h"

#include <algorithm>
#include <string>

namespace rizoma {

Result<std::vector<VertexId>> SearchSources::distinct(const GraphView& graph, std::string_view who) const {
  const std::span<const VertexId> given = is_one_ ? std::span(&one_, 1) : several_;
  if (given.empty()) return Error{ErrorCode::invalid_argument, std::string(who) + ": give at least one source"};
  RIZOMA_TRY(check_sources(graph, given, who));
  std::vector<VertexId> sources(given.begin(), given.end());
  std::ranges::sort(sources);
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  return sources;
}

}  // namespace rizoma
