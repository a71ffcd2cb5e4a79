// Generators.  Edge i is a pure function of (seed, i): random bits come from a hash of a counter, so
// any thread may make any block of edges and the result is always the same.
//
// rmat: at each of `scale` levels an edge falls into a quadrant of the adjacency matrix with
// probabilities a, b, c, d, here in 1/65536: four levels share one 64-bit hash.  Ids are then permuted by
// a bijection on `scale` bits (rounds of odd multiplication and xor-shift), so that a vertex's id tells
// nothing of its degree.
#include <rizoma/detail/function_ref.h>

#include "base/random.h"
#include "ingest/import_format.h"

#include <array>

namespace rizoma {
namespace {

constexpr std::uint64_t kBlockEdges = std::uint64_t{1} << 16;
constexpr unsigned kGreatestScale = 40;

// a = 0.57, b = 0.19, c = 0.19, as running sums in 1/65536.
constexpr std::uint64_t kA = 37356;
constexpr std::uint64_t kAB = 49807;
constexpr std::uint64_t kABC = 62259;

/// Independent streams of one seed.
enum class Stream : std::uint64_t { edge = 1, weight = 2, permutation = 3 };

[[nodiscard]] std::uint64_t stream_key(std::uint64_t seed, Stream stream) {
  return mix64(mix64(seed) ^ (static_cast<std::uint64_t>(stream) << 56));
}

/// A seeded bijection on 0..2^bits-1.
class Permutation {
 public:
  Permutation(unsigned bits, std::uint64_t seed) : mask_((std::uint64_t{1} << bits) - 1), shift_(bits / 2 + 1) {
    Random random(stream_key(seed, Stream::permutation));
    for (Round& round : rounds_) round = {random.next() | 1, random.next()};
  }
  [[nodiscard]] std::uint64_t operator()(std::uint64_t x) const noexcept {
    for (const Round& round : rounds_) {
      x = (x * round.factor + round.offset) & mask_;
      x ^= x >> shift_;
    }
    return x;
  }

 private:
  struct Round {
    std::uint64_t factor;  ///< odd: multiplication modulo 2^bits is a bijection
    std::uint64_t offset;
  };
  std::uint64_t mask_;
  unsigned shift_;
  std::array<Round, 4> rounds_{};
};

struct Pair {
  std::uint64_t source;
  std::uint64_t target;
};

class RmatEdges {
 public:
  explicit RmatEdges(const GeneratorOptions& options)
      : scale_(options.scale), key_(stream_key(options.seed, Stream::edge)), permuted_(options.scale, options.seed) {}

  [[nodiscard]] Pair operator()(std::uint64_t edge) const noexcept {
    Pair pair{0, 0};
    std::uint64_t state = mix64(key_ ^ edge);
    for (unsigned level = 0; level < scale_; level += 4) {
      std::uint64_t bits = mix64(state += level);
      const unsigned stop = scale_ - level < 4 ? scale_ - level : 4;
      for (unsigned i = 0; i < stop; ++i, bits >>= 16) {
        const std::uint64_t draw = bits & 0xFFFF;
        const std::uint64_t lower = draw >= kAB;
        const std::uint64_t right = (draw >= kA) ^ lower ^ (draw >= kABC);
        pair.source = pair.source << 1 | lower;
        pair.target = pair.target << 1 | right;
      }
    }
    return {permuted_(pair.source), permuted_(pair.target)};
  }

 private:
  unsigned scale_;
  std::uint64_t key_;
  Permutation permuted_;
};

class UniformEdges {
 public:
  explicit UniformEdges(const GeneratorOptions& options)
      : mask_((std::uint64_t{1} << options.scale) - 1), key_(stream_key(options.seed, Stream::edge)) {}

  [[nodiscard]] Pair operator()(std::uint64_t edge) const noexcept {
    const std::uint64_t state = mix64(key_ ^ edge);
    return {state & mask_, mix64(state) & mask_};
  }

 private:
  std::uint64_t mask_;
  std::uint64_t key_;
};

/// Edges of the grid, numbered: first those to the right, row by row, then those downward.
class GridEdges {
 public:
  explicit GridEdges(const GeneratorOptions& options)
      : columns_(std::uint64_t{1} << ((options.scale + 1) / 2)), rows_(std::uint64_t{1} << (options.scale / 2)) {}

  [[nodiscard]] std::uint64_t rightward() const noexcept { return rows_ * (columns_ - 1); }
  [[nodiscard]] std::uint64_t count() const noexcept { return rightward() + (rows_ - 1) * columns_; }
  [[nodiscard]] Pair operator()(std::uint64_t edge) const noexcept {
    if (edge >= rightward()) return {edge - rightward(), edge - rightward() + columns_};
    const std::uint64_t vertex = edge / (columns_ - 1) * columns_ + edge % (columns_ - 1);
    return {vertex, vertex + 1};
  }

 private:
  std::uint64_t columns_;
  std::uint64_t rows_;
};

/// Fills in the ends of a block of edges.
using EndsOf = FunctionRef<void(VertexRange block, std::int64_t* sources, std::int64_t* targets)>;

template <class Edges>
auto ends_by(const Edges& edge_at) {
  return [edge_at](VertexRange block, std::int64_t* sources, std::int64_t* targets) {
    for (std::uint64_t i = block.begin; i < block.end; ++i) {
      const Pair pair = edge_at(i);
      *sources++ = static_cast<std::int64_t>(pair.source);
      *targets++ = static_cast<std::int64_t>(pair.target);
    }
  };
}

Status generate_edges(const GeneratorOptions& options, EndsOf ends_of, std::uint64_t count, Executor& executor,
                      BatchSink& sink) {
  const std::uint64_t weight_key = stream_key(options.seed, Stream::weight);
  std::uint64_t taken = 0;
  std::uint64_t done = 0;
  return run_ordered<VertexRange, EdgeBatch>(
      executor, "generate", [&] { return static_cast<double>(done); }, static_cast<double>(count),
      [&](VertexRange& block) -> Result<bool> {
        block = {taken, std::min(count, taken + kBlockEdges)};
        taken = block.end;
        return !block.empty();
      },
      [&](const VertexRange& block, EdgeBatch& batch) -> Status {
        std::vector<std::int64_t> sources(block.size());
        std::vector<std::int64_t> targets(block.size());
        if (options.weighted) batch.weights.resize(block.size());
        ends_of(block, sources.data(), targets.data());
        for (std::uint64_t i = 0; i < batch.weights.size(); ++i)
          batch.weights[i] = static_cast<double>(1 + mix64(weight_key ^ (block.begin + i)) % 255);
        batch.sources = std::move(sources);
        batch.targets = std::move(targets);
        return {};
      },
      [&](EdgeBatch&& batch) {
        done += batch.size();
        return sink.edges(std::move(batch));
      });
}

}  // namespace

Status generate(const GeneratorOptions& options, Executor& executor, BatchSink& sink) {
  if (options.scale > kGreatestScale) {
    return Error{ErrorCode::invalid_argument, "scale is " + std::to_string(options.scale) + "; it must be at most 40"};
  }
  constexpr unsigned kMostEdges = 1u << 20;
  if (options.edge_factor > kMostEdges) {
    return Error{ErrorCode::invalid_argument,
                 "edge_factor is " + std::to_string(options.edge_factor) + "; it must be at most 2^20"};
  }
  const std::uint64_t vertices = std::uint64_t{1} << options.scale;
  const std::uint64_t edges = vertices * options.edge_factor;
  Status status;
  switch (options.kind) {
    case GeneratorKind::rmat:
      status = generate_edges(options, ends_by(RmatEdges(options)), edges, executor, sink);
      break;
    case GeneratorKind::uniform:
      status = generate_edges(options, ends_by(UniformEdges(options)), edges, executor, sink);
      break;
    case GeneratorKind::grid: {
      const GridEdges grid(options);
      status = generate_edges(options, ends_by(grid), grid.count(), executor, sink);
      break;
    }
  }
  if (!status) return status;
  return deliver_rows(0, vertices, sink);
}

}  // namespace rizoma
