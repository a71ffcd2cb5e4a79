#include "placement/chunk.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rizoma {
namespace {

/// Running sums, so that the load of any run is two reads.
class RunTotals {
 public:
  explicit RunTotals(std::span<const Load> items) : sums_(items.size() + 1) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      sums_[i + 1] = {sums_[i].vertices + items[i].vertices, sums_[i].edges + items[i].edges};
    }
  }
  [[nodiscard]] const Load& all() const { return sums_.back(); }
  [[nodiscard]] const Load& before(std::size_t item) const { return sums_[item]; }
  [[nodiscard]] std::size_t items() const { return sums_.size() - 1; }
  [[nodiscard]] double default_alpha() const { return all().edges > 0 ? std::floor(all().edges / all().vertices) : 1; }

 private:
  std::vector<Load> sums_;
};

class Search {
 public:
  Search(const RunTotals& sums, Borders borders, double alpha, double edge_slack)
      : sums_(sums),
        borders_(std::move(borders)),
        homes_(borders_.size() - 1),
        alpha_(alpha),
        even_{sums.all().vertices / static_cast<double>(homes_), sums.all().edges / static_cast<double>(homes_)},
        band_(edge_slack * even_.edges) {}

  [[nodiscard]] double share(std::size_t home) const { return share(borders_[home], borders_[home + 1]); }
  [[nodiscard]] double objective() const {
    double sum = 0;
    for (std::size_t home = 0; home < homes_; ++home) sum += share(home);
    return sum;
  }

  Borders run() {
    for (std::size_t border = 1; border < homes_; ++border) (void)move(border);  // into the band, if there is one
    bool moved = homes_ > 1;
    while (moved) {
      moved = move(worst_border());
      for (std::size_t border = 1; !moved && border < homes_; ++border) moved = move(border);
    }
    return std::move(borders_);
  }

 private:
  [[nodiscard]] double share(std::size_t begin, std::size_t end) const {
    const double vertices = sums_.before(end).vertices - sums_.before(begin).vertices;
    const double edges = sums_.before(end).edges - sums_.before(begin).edges;
    return alpha_ * std::abs(vertices - even_.vertices) + std::abs(edges - even_.edges);
  }

  /// The border between the home with the largest share of F and the worse of its neighbours.
  [[nodiscard]] std::size_t worst_border() const {
    std::size_t worst = 0;
    for (std::size_t home = 1; home < homes_; ++home) {
      if (share(home) > share(worst)) worst = home;
    }
    if (worst == 0) return 1;
    if (worst + 1 == homes_) return worst;
    return share(worst - 1) >= share(worst + 1) ? worst : worst + 1;
  }

  /// How far the edges before `item` are from even for this border.
  [[nodiscard]] double off(std::size_t border, std::size_t item) const {
    return std::abs(sums_.before(item).edges - static_cast<double>(border) * even_.edges);
  }

  /// Puts a border where F is least; true if that is better than before.
  bool move(std::size_t border) {
    const std::size_t begin = borders_[border - 1];
    const std::size_t end = borders_[border + 1];
    const auto [first, last] = allowed(border, begin, end);
    const auto worth = [&](std::size_t at) { return share(begin, at) + share(at, end); };
    std::size_t best = std::clamp(borders_[border], first, last);
    const bool was_allowed = best == borders_[border];
    double least = worth(best);
    for (std::size_t at = first; at <= last; ++at) {
      const double here = worth(at);
      if (here < least * (1 - 1e-12)) {
        least = here;
        best = at;
      }
    }
    const bool better = !was_allowed || best != borders_[border];
    borders_[border] = best;
    return better;
  }

  /// The places whose edges are within the band; the best place alone if there is none.
  [[nodiscard]] std::pair<std::size_t, std::size_t> allowed(std::size_t border, std::size_t begin,
                                                            std::size_t end) const {
    if (!std::isfinite(band_)) return {begin, end};
    const double target = static_cast<double>(border) * even_.edges;
    std::size_t low = begin;
    std::size_t high = end;
    while (low < high) {  // the first place with `target` edges or more before it
      const std::size_t middle = (low + high) / 2;
      if (sums_.before(middle).edges < target) low = middle + 1;
      else high = middle;
    }
    if (low > begin && off(border, low - 1) < off(border, low)) --low;
    high = low;
    while (low > begin && off(border, low - 1) <= band_ / 2) --low;
    while (high < end && off(border, high + 1) <= band_ / 2) ++high;
    return {low, high};
  }

  const RunTotals& sums_;
  Borders borders_;
  std::size_t homes_;
  double alpha_;
  Load even_;
  double band_;
};

Borders fill(const RunTotals& sums, unsigned homes, double alpha) {
  const auto weight = [&](std::size_t item) { return alpha * sums.before(item).vertices + sums.before(item).edges; };
  Borders borders{0};
  for (unsigned home = 1; home < homes; ++home) {
    const double wanted = weight(sums.items()) * home / homes;
    std::size_t at = borders.back();
    while (at < sums.items() && weight(at) < wanted) ++at;
    borders.push_back(at);
  }
  borders.push_back(sums.items());
  return borders;
}

}  // namespace

double chunk_objective(std::span<const Load> items, const Borders& borders, double alpha) {
  const RunTotals sums(items);
  return Search(sums, borders, alpha, std::numeric_limits<double>::infinity()).objective();
}

Borders first_borders(std::span<const Load> items, unsigned homes, double alpha) {
  return fill(RunTotals(items), homes, alpha);
}

Borders improve_borders(std::span<const Load> items, Borders borders, const ChunkOptions& options) {
  const RunTotals sums(items);
  return Search(sums, std::move(borders), options.alpha.value_or(sums.default_alpha()), options.edge_slack).run();
}

namespace {

/// Fills each home in turn with `most` edges at most; the last takes the rest, which may be more.
Borders filled_with(std::span<const Load> items, unsigned homes, double most) {
  Borders borders{0};
  double edges = 0;
  for (std::size_t i = 0; i < items.size() && borders.size() < homes; ++i) {
    if (edges + items[i].edges > most) {
      borders.push_back(i);
      edges = 0;
    }
    edges += items[i].edges;
  }
  borders.resize(homes, items.size());
  borders.push_back(items.size());
  return borders;
}

}  // namespace

double most_edges(std::span<const Load> items, const Borders& borders) {
  double most = 0;
  for (std::size_t home = 0; home + 1 < borders.size(); ++home) {
    double edges = 0;
    for (std::size_t i = borders[home]; i < borders[home + 1]; ++i) edges += items[i].edges;
    most = std::max(most, edges);
  }
  return most;
}

Borders borders_of_even_edges(std::span<const Load> items, unsigned homes) {
  constexpr int kSteps = 50;
  double high = RunTotals(items).all().edges;
  double low = high / homes;
  for (int step = 0; step < kSteps && high - low > 0.5; ++step) {
    const double middle = (low + high) / 2;
    const double needed = most_edges(items, filled_with(items, homes, middle));
    if (needed <= middle) high = needed;
    else low = middle;
  }
  return filled_with(items, homes, high);
}

Borders chunk_borders(std::span<const Load> items, unsigned homes, const ChunkOptions& options) {
  const RunTotals sums(items);
  const double alpha = options.alpha.value_or(sums.default_alpha());
  return Search(sums, fill(sums, homes, alpha), alpha, options.edge_slack).run();
}

}  // namespace rizoma
