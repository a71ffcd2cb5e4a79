#include <rizoma/algorithms/two_coloring.h>

#include "algorithms/shared/serial_watch.h"
#include "engine/loop/kernel_arguments.h"

#include <rizoma/gather.h>

#include <vector>

namespace rizoma {
namespace {

constexpr std::uint8_t kNone = 2;

template <class Lists>
class Spreading {
 public:
  /// `in` is null for an undirected graph.
  Spreading(Engine& engine, Lists& out, Lists* in, VertexMap<std::uint8_t>& colors)
      : out_(out), in_(in), colors_(colors), watch_(engine, "two_coloring", out.num_vertices()) {}

  /// False if an edge has both ends of one colour.
  Result<bool> run() {
    for (VertexId start = 0; start < out_.num_vertices(); ++start) {
      if (colors_[start] != kNone || out_.degree(start) == 0) continue;
      colors_[start] = 1;
      waiting_.push_back(start);
      while (!waiting_.empty()) {
        RIZOMA_TRY(watch_.step());
        const VertexId v = waiting_.back();
        waiting_.pop_back();
        if (!pass_on(out_, v) || (in_ != nullptr && !pass_on(*in_, v))) return false;
      }
    }
    for (VertexId v = 0; v < out_.num_vertices(); ++v) {
      if (colors_[v] == kNone) colors_[v] = 0;
    }
    return true;
  }

 private:
  bool pass_on(Lists& lists, VertexId v) {
    for (const auto w : lists.read(v).sources()) {
      if (colors_[w] == colors_[v]) return false;
      if (colors_[w] != kNone) continue;
      colors_[w] = 1 - colors_[v];
      waiting_.push_back(w);
    }
    return true;
  }

  Lists& out_;
  Lists* in_;
  VertexMap<std::uint8_t>& colors_;
  SerialWatch watch_;
  std::vector<VertexId> waiting_;
};

}  // namespace

Result<TwoColoring> two_coloring(Engine& engine, const GraphView& graph) {
  RIZOMA_TRY(single_process_only(engine, "two_coloring"));
  RIZOMA_TRY(check_direction(graph, Direction::in, "two_coloring"));
  TwoColoring result;
  result.colors = engine.make_map<std::uint8_t>(graph.num_vertices(), kNone);
  RIZOMA_ASSIGN(result.bipartite, read_both_lists(engine, graph, [&](auto& out, auto* in) {
                  return Spreading(engine, out, in, result.colors).run();
                }));
  return result;
}

}  // namespace rizoma
