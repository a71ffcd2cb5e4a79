#include <rizoma/algorithms/greedy_coloring.h>

#include "algorithms/shared/serial_watch.h"
#include "engine/loop/kernel_arguments.h"

#include <rizoma/gather.h>

#include <algorithm>
#include <vector>

namespace rizoma {

Result<GreedyColoring> greedy_coloring(Engine& engine, const GraphView& graph, std::span<const VertexId> order) {
  RIZOMA_TRY(single_process_only(engine, "greedy_coloring"));
  RIZOMA_TRY(check_sources(graph, order, "greedy_coloring"));
  GreedyColoring result;
  result.colors = engine.make_map<std::uint64_t>(graph.num_vertices(), kNoVertex);
  std::vector<std::size_t> taken_at;  // for each colour the turn, from 1, at which a neighbour had it
  return read_lists(engine, graph, Direction::out, [&](auto& out) -> Result<GreedyColoring> {
    SerialWatch watch(engine, "greedy_coloring", order.size());
    for (std::size_t turn = 1; turn <= order.size(); ++turn) {
      RIZOMA_TRY(watch.step());
      const VertexId v = order[turn - 1];
      for (const auto w : out.read(v).sources()) {
        const std::uint64_t color = result.colors[w];
        if (w != v && color != kNoVertex) taken_at[color] = turn;
      }
      std::uint64_t color = 0;
      while (color < taken_at.size() && taken_at[color] == turn) ++color;
      if (color == taken_at.size()) taken_at.push_back(0);
      result.colors[v] = color;
    }
    result.count = taken_at.size();
    return std::move(result);
  });
}

}  // namespace rizoma
