#include <rizoma/algorithms/louvain.h>

#include "algorithms/communities/multilevel_search.h"

namespace rizoma {

Result<Communities> louvain(Engine& engine, const GraphView& graph, const CommunityOptions& options) {
  return communities::find(engine, graph, options, communities::Method::louvain, "louvain");
}

}  // namespace rizoma
