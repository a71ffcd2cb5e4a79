// R-MAT edges in random order, as the benches of changes insert them.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/graph.h>
#include <rizoma/ingest.h>

#include "bench_support.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <variant>
#include <vector>

namespace rizoma::bench {

inline constexpr std::size_t kBatch = 4096;

struct Collect final : BatchSink {
  Status edges(EdgeBatch&& batch) override {
    const auto& from = std::get<std::vector<std::int64_t>>(batch.sources);
    const auto& to = std::get<std::vector<std::int64_t>>(batch.targets);
    sources.insert(sources.end(), from.begin(), from.end());
    targets.insert(targets.end(), to.begin(), to.end());
    return {};
  }
  Status vertices(IdColumn&&) override { return {}; }
  std::vector<std::int64_t> sources, targets;
};

/// R-MAT edges in random order, in batches.
inline std::vector<EdgeBatch> random_batches(unsigned scale, std::uint64_t seed, std::size_t limit = SIZE_MAX) {
  Engine engine;
  Collect all;
  GeneratorOptions options;
  options.scale = scale;
  options.seed = seed;
  require(generate(options, engine, all));
  std::vector<std::uint32_t> order(all.sources.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
  order.resize(std::min(order.size(), limit));
  std::vector<EdgeBatch> batches;
  for (std::size_t begin = 0; begin < order.size(); begin += kBatch) {
    const std::size_t end = std::min(order.size(), begin + kBatch);
    std::vector<std::int64_t> sources, targets;
    for (std::size_t i = begin; i < end; ++i) {
      sources.push_back(all.sources[order[i]]);
      targets.push_back(all.targets[order[i]]);
    }
    batches.push_back({std::move(sources), std::move(targets), {}});
  }
  return batches;
}

}  // namespace rizoma::bench
