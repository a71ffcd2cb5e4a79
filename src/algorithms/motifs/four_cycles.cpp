#include <rizoma/algorithms/four_cycles.h>

#include "engine/intersection/wedge_cycles.h"
#include "engine/loop/kernel_arguments.h"

namespace rizoma {

Result<std::uint64_t> four_cycles(Engine& engine, const GraphView& graph) {
  RIZOMA_TRY(single_process_only(engine, "four_cycles"));
  RIZOMA_TRY(check_undirected(graph, "four_cycles"));
  RIZOMA_TRY(check_32_bit_vertices(graph, "four_cycles"));
  RIZOMA_TRY(engine.report("four_cycles", 0, 0));
  return count_wedge_cycles(engine, graph);
}

}  // namespace rizoma
