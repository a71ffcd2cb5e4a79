// Do non-temporal hints on the CSR, which a sweep reads once, leave the caches to the state that it reads
// at random?  A PageRank pull sweep and a degree sweep over a graph's lists, with and without
// prefetchnta ahead of the targets, in turn; medians.  The answer is docs/decisions/0004.
//
//   rizoma-stream-hint SCALE [ROUNDS]     on an R-MAT graph of 2^SCALE vertices, hubs first
#include <rizoma/engine.h>
#include <rizoma/graph.h>
#include <rizoma/ingest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr std::size_t kAhead = 1024;  // bytes

/// sum over v of the state of its in-neighbours, as a sweep of PageRank does it.
template <bool kHint, class Lists>
float pull(rizoma::Engine& engine, const rizoma::GraphView& graph, const Lists& in, const std::vector<float>& state,
           std::vector<float>& next) {
  const auto status = engine.for_edges(graph, rizoma::Direction::in, [&](rizoma::VertexRange block, unsigned) {
    for (rizoma::VertexId v = block.begin; v < block.end; ++v) {
      float sum = 0;
      std::size_t i = 0;
      for (const auto u : in.neighbors(v)) {
        if constexpr (kHint) {
          if (i++ % (64 / sizeof u) == 0) __builtin_prefetch(reinterpret_cast<const char*>(&u) + kAhead, 0, 0);
        }
        sum += state[u];
      }
      next[v] = sum;
    }
  });
  return status ? next[0] : 0;
}

/// Counts the times that each vertex is a target: a sweep that reads the CSR and writes at random.
template <bool kHint, class Lists>
float degrees(rizoma::Engine& engine, const rizoma::GraphView& graph, const Lists& in, const std::vector<float>&,
              std::vector<float>& next) {
  const auto status = engine.for_edges(graph, rizoma::Direction::in, [&](rizoma::VertexRange block, unsigned) {
    for (rizoma::VertexId v = block.begin; v < block.end; ++v) {
      std::size_t i = 0;
      for (const auto u : in.neighbors(v)) {
        if constexpr (kHint) {
          if (i++ % (64 / sizeof u) == 0) __builtin_prefetch(reinterpret_cast<const char*>(&u) + kAhead, 0, 0);
        }
        std::atomic_ref(next[u]).store(next[u] + 1, std::memory_order_relaxed);
      }
    }
  });
  return status ? next[0] : 0;
}

double seconds_of(const auto& body) {
  const auto begin = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

void compare(const char* name, int rounds, const auto& plain, const auto& hinted) {
  std::vector<double> without;
  std::vector<double> with;
  for (int round = 0; round < rounds; ++round) {
    without.push_back(seconds_of(plain));
    with.push_back(seconds_of(hinted));
  }
  std::printf("%-8s plain %.4f s, with hints %.4f s: %.3fx\n", name, median(without), median(with),
              median(with) / median(without));
}

/// Hands generated edges to a load.
class LoadSink final : public rizoma::BatchSink {
 public:
  explicit LoadSink(rizoma::BulkLoad& load) : load_(load) {}
  rizoma::Status edges(rizoma::EdgeBatch&& batch) override { return load_.add(batch); }
  rizoma::Status vertices(rizoma::IdColumn&& ids) override { return load_.add_vertices(ids); }

 private:
  rizoma::BulkLoad& load_;
};

rizoma::Result<rizoma::Graph> make_graph(unsigned scale, rizoma::Engine& engine) {
  RIZOMA_ASSIGN(rizoma::Graph graph, rizoma::Graph::in_memory());
  RIZOMA_ASSIGN(rizoma::BulkLoad load, graph.bulk_load({.order = rizoma::VertexOrder::degree}));
  LoadSink sink(load);
  RIZOMA_TRY(rizoma::generate({.scale = scale}, engine, sink));
  RIZOMA_TRY(load.finish(engine));
  return graph;
}

int run(unsigned scale, int rounds) {
  rizoma::Engine engine;
  const auto graph = make_graph(scale, engine);
  if (!graph) return std::fprintf(stderr, "%s\n", graph.error().message.c_str()), 1;
  const auto view = graph->snapshot()->view(engine);
  if (!view) return std::fprintf(stderr, "%s\n", view.error().message.c_str()), 1;
  view->with_both([&](const auto&, const auto& in) {
    const std::vector<float> state(view->num_vertices(), 1.0F);
    std::vector<float> next(view->num_vertices());
    compare(
        "pull", rounds, [&] { pull<false>(engine, *view, in, state, next); },
        [&] { pull<true>(engine, *view, in, state, next); });
    compare(
        "degrees", rounds, [&] { degrees<false>(engine, *view, in, state, next); },
        [&] { degrees<true>(engine, *view, in, state, next); });
    return 0;
  });
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: %s SCALE [ROUNDS]\n", argv[0]), 2;
  return run(static_cast<unsigned>(std::atoi(argv[1])), argc > 2 ? std::atoi(argv[2]) : 15);
}
