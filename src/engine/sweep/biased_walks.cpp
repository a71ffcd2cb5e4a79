// Walks by weight, by the vertex before, and with restarts.
#include <rizoma/detail/list_blocks.h>
#include <rizoma/sample.h>

#include "base/random.h"
#include "engine/loop/kernel_arguments.h"
#include "engine/sweep/weight_types.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr std::uint64_t kWalksAtOnce = 256;
constexpr int kMostRejections = 32;  // before a step goes through the whole list

/// For each list the running sums of its weights, one list after the other.
class WeightSums {
 public:
  /// Errors: invalid_argument (a weight that cannot be used), cancelled.
  template <class W, class Lists>
  static Result<WeightSums> of(Engine& engine, const GraphView& graph, const Lists& lists) {
    WeightSums made;
    made.begins_.resize(graph.num_vertices() + 1, 0);
    for (VertexId v = 0; v < graph.num_vertices(); ++v) made.begins_[v + 1] = made.begins_[v] + lists.degree(v);
    made.sums_.resize(made.begins_.back());
    std::atomic<VertexId> wrong = kNoVertex;
    RIZOMA_TRY(engine.for_vertices(graph, [&](VertexRange block, unsigned) {
      for (VertexId v = block.begin; v < block.end; ++v) {
        double* const sums = made.sums_.data() + made.begins_[v];
        double sum = 0;
        std::size_t i = 0;
        for (const W weight : lists.template weights<W>(v)) {
          if (!(weight >= 0)) wrong = v;
          sums[i++] = sum += static_cast<double>(weight);
        }
        if (std::isinf(sum)) wrong = v;
      }
    }));
    if (wrong != kNoVertex) return bad_weight(wrong, "random_walks");
    return made;
  }

  /// Of a list, which is not empty.
  [[nodiscard]] double total(VertexId v) const { return sums_[begins_[v + 1] - 1]; }
  [[nodiscard]] double weight(VertexId v, EdgeCount place) const {
    const double* const sums = sums_.data() + begins_[v];
    return sums[place] - (place == 0 ? 0 : sums[place - 1]);
  }
  /// The place of the entry at a share of the whole weight of a list, which is above 0.
  [[nodiscard]] EdgeCount place_of(VertexId v, double share) const {
    const double* const first = sums_.data() + begins_[v];
    const double* const last = sums_.data() + begins_[v + 1];
    const double* found = std::upper_bound(first, last, share * *(last - 1));
    if (found == last) found = std::lower_bound(first, last, *(last - 1));  // rounded up: the last of any weight
    return static_cast<EdgeCount>(found - first);
  }

 private:
  std::vector<EdgeCount> begins_;
  std::vector<double> sums_;
};

/// One walk after the other over lists of one type.
template <class Lists>
class Walker {
 public:
  Walker(const Lists& lists, const WeightSums* sums, const WalkOptions& options)
      : lists_(lists), sums_(sums), options_(options), largest_(std::max({1.0, 1 / options.p, 1 / options.q})) {}

  /// Writes the walk of one start.
  void walk(std::uint64_t number, VertexId start, std::span<VertexId> to) const {
    Random random(mix64(options_.seed) ^ mix64(number + 0x9E3779B97F4A7C15U));
    VertexId before = kNoVertex;
    VertexId at = start;
    for (VertexId& step : to) {
      step = at;
      if (at == kNoVertex) continue;
      const bool again = options_.restart > 0 && random.unit() < options_.restart;
      const VertexId next = again ? start : draw(random, before, at);
      const bool goes_on = !again && (next != kNoVertex || options_.restart == 0);
      before = goes_on ? at : kNoVertex;
      at = goes_on ? next : start;
    }
  }

 private:
  /// The vertex after `at`; kNoVertex if no edge of any weight leads on.
  [[nodiscard]] VertexId draw(Random& random, VertexId before, VertexId at) const {
    const EdgeCount degree = lists_.degree(at);
    if (degree == 0 || (sums_ != nullptr && sums_->total(at) == 0)) return kNoVertex;
    for (int tries = 0; tries < kMostRejections; ++tries) {
      const EdgeCount place = sums_ == nullptr ? random.below(degree) : sums_->place_of(at, random.unit());
      const VertexId next = lists_.neighbor(at, place);
      if (before == kNoVertex || largest_ * random.unit() < bias(before, next)) return next;
    }
    return draw_from_all(random, before, at);
  }

  /// The same without rejection: where the bias keeps almost nothing, as at a vertex that leads back alone.
  [[nodiscard]] VertexId draw_from_all(Random& random, VertexId before, VertexId at) const {
    const auto list = lists_.neighbors(at);
    std::vector<double> shares(list.size());
    double most = 0;  // relative to it shares neither overflow nor all vanish, however far apart p and q are
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (sums_ == nullptr || sums_->weight(at, i) > 0) shares[i] = bias(before, list[i]);
      most = std::max(most, shares[i]);
    }
    double total = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      shares[i] = (sums_ == nullptr ? 1.0 : sums_->weight(at, i)) * (shares[i] / most);
      total += shares[i];
    }
    double left = random.unit() * total;
    std::size_t found = 0;
    for (std::size_t i = 0; i < list.size() && left >= 0; ++i) {
      if (shares[i] == 0) continue;
      found = i;
      left -= shares[i];
    }
    return list[found];
  }

  /// How likely a step is, beside its weight.
  [[nodiscard]] double bias(VertexId before, VertexId next) const {
    if (next == before) return 1 / options_.p;
    if (options_.q == 1) return 1;
    const auto list = lists_.neighbors(before);
    return std::binary_search(list.begin(), list.end(), next) ? 1 : 1 / options_.q;
  }

  const Lists& lists_;
  const WeightSums* sums_;  ///< null: each edge weighs 1
  WalkOptions options_;
  double largest_;  ///< bias
};

Status check(const WalkOptions& options) {
  for (const auto& [name, value] : {std::pair("p", options.p), std::pair("q", options.q)}) {
    if (value > 0 && std::isfinite(value) && std::isfinite(1 / value)) continue;
    return bad_option("random_walks", name, value, "finite and above 0, and so must be 1 divided by it");
  }
  if (!(options.restart >= 0 && options.restart < 1)) {
    return Error{ErrorCode::invalid_argument,
                 "random_walks: restart must be 0 or more and below 1, not " + std::to_string(options.restart)};
  }
  return {};
}

template <class Lists>
Result<std::vector<VertexId>> walk_all(Engine& engine, const Lists& lists, const WeightSums* sums,
                                       std::span<const VertexId> starts, std::uint64_t steps,
                                       const WalkOptions& options) {
  const std::uint64_t width = steps + 1;
  const Walker<Lists> walker(lists, sums, options);
  std::vector<VertexId> walks(starts.size() * width);
  RIZOMA_TRY(engine.for_blocks(starts.size(), kWalksAtOnce, [&](VertexRange block, unsigned) {
    for (std::uint64_t i = block.begin; i < block.end; ++i) {
      walker.walk(i, starts[i], std::span(walks).subspan(i * width, width));
    }
  }));
  return walks;
}

}  // namespace

Result<std::vector<VertexId>> random_walks(Engine& engine, const GraphView& graph, std::span<const VertexId> starts,
                                           std::uint64_t steps, const WalkOptions& options) {
  using Walks = Result<std::vector<VertexId>>;
  RIZOMA_TRY(check(options));
  RIZOMA_TRY(check_direction(graph, options.direction, "random_walks"));
  RIZOMA_TRY(check_sources(graph, starts, "random_walks"));
  return engine_detail::with_lists_of(graph, options.direction, [&]<class Lists>(const Lists& lists) -> Walks {
    const WeightType type = options.weighted ? graph.weight_type() : WeightType::none;
    return with_stored_type(type, [&]<class W>(std::type_identity<W>) -> Walks {
      if constexpr (std::is_void_v<W>) {
        return walk_all(engine, lists, nullptr, starts, steps, options);
      } else {
        RIZOMA_ASSIGN(const WeightSums sums, WeightSums::of<W>(engine, graph, lists));
        return walk_all(engine, lists, &sums, starts, steps, options);
      }
    });
  });
}

}  // namespace rizoma
