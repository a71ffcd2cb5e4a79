#include <rizoma/algorithms/leiden.h>

#include "algorithms/communities/multilevel_search.h"

namespace rizoma {

Result<Communities> leiden(Engine& engine, const GraphView& graph, const CommunityOptions& options) {
  return communities::find(engine, graph, options, communities::Method::leiden, "leiden");
}

}  // namespace rizoma
