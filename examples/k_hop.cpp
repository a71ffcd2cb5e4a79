// How many vertices are within k steps of one?  A sweep of your own, in a page.
//
//   k_hop                                  a square grid, from its corner, 5 steps
//   k_hop edges.txt SOURCE STEPS           an edge list ("u v" lines)
#include <rizoma/rizoma.h>

#include <cstdlib>
#include <iostream>

namespace {

/// A reached vertex sends a message to its neighbours; a vertex that receives its first message is reached, too.
struct Reach {
  using Message = void;  // no content: the message itself says that a neighbour is reached
  using Accum = bool;
  static constexpr bool visit_once = true;  // a reached vertex needs no further message
  static constexpr bool early_exit = true;  // one neighbour is enough

  bool gather(bool, const auto&) const { return true; }
  bool combine(bool a, bool) const { return a; }
  bool apply(rizoma::VertexId, bool) { return true; }
};

rizoma::Result<rizoma::VertexId> count_within(rizoma::Engine& engine, const rizoma::GraphView& graph,
                                              rizoma::VertexId source, int steps) {
  Reach program;
  rizoma::Sweep<Reach> sweep(engine, graph, program);
  RIZOMA_TRY(sweep.start(std::span(&source, 1)));
  rizoma::VertexId count = 1;
  for (int step = 0; step < steps && sweep.active() > 0; ++step) {
    RIZOMA_TRY(sweep.step());
    count += sweep.active();
  }
  return count;
}

/// Passes edges that are read or generated on to a graph.
struct Loader final : rizoma::BatchSink {
  explicit Loader(rizoma::BulkLoad& into) : load(into) {}
  rizoma::Status edges(rizoma::EdgeBatch&& batch) override { return load.add(batch); }
  rizoma::Status vertices(rizoma::IdColumn&& ids) override { return load.add_vertices(ids); }
  rizoma::BulkLoad& load;
};

rizoma::Status run(const char* file, std::int64_t source, int steps) {
  rizoma::Engine engine;
  RIZOMA_ASSIGN(rizoma::Graph graph, rizoma::Graph::in_memory());
  RIZOMA_ASSIGN(rizoma::BulkLoad load, graph.bulk_load());
  Loader loader(load);
  if (file != nullptr) {
    RIZOMA_TRY(rizoma::read_file(file, {}, engine, loader));
  } else {
    RIZOMA_TRY(rizoma::generate({.kind = rizoma::GeneratorKind::grid, .scale = 12}, engine, loader));
  }
  RIZOMA_TRY(load.finish(engine));

  RIZOMA_ASSIGN(const rizoma::Snapshot snapshot, graph.snapshot());
  RIZOMA_ASSIGN(const rizoma::GraphView view, snapshot.view(engine));
  RIZOMA_ASSIGN(const rizoma::VertexId inner, snapshot.find(source));  // kernels know internal ids
  RIZOMA_ASSIGN(const rizoma::VertexId count, count_within(engine, view, inner, steps));
  std::cout << count << " vertices within " << steps << " steps of " << source << "\n";
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 1 && argc != 4) {
    std::cerr << "usage: k_hop [EDGES SOURCE STEPS]\n";
    return 2;
  }
  const rizoma::Status status = argc == 4 ? run(argv[1], std::atoll(argv[2]), std::atoi(argv[3])) : run(nullptr, 0, 5);
  if (!status) {
    std::cerr << "k_hop: " << status.error().message << "\n";
    return 1;
  }
  return 0;
}
