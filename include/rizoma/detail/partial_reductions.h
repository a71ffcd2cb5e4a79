// PartialReductions: combines the accumulators of the pieces of hubs' lists.  Module: engine.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/process_vertices.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace rizoma::engine_detail {

template <class Accum>
class PartialReductions {
 public:
  explicit PartialReductions(unsigned threads) : of_threads_(threads) {}

  /// Adds a piece, by one thread, each piece once.
  void add(unsigned thread, const ListPiece& piece, const Accum& accum) {
    of_threads_[thread].value.emplace_back(piece, accum);
  }
  /// Calls f(v, acc) for each vertex, with its pieces combined in list order, whatever thread gathered them.
  template <class Combine, class F>
  void join(Combine&& combine, F&& f) const {
    std::vector<Piece> all;
    for (const auto& thread : of_threads_) all.insert(all.end(), thread.value.begin(), thread.value.end());
    std::sort(all.begin(), all.end(), [](const Piece& a, const Piece& b) {
      return std::pair(a.first.vertex, a.first.begin) < std::pair(b.first.vertex, b.first.begin);
    });
    for (auto piece = all.begin(); piece != all.end();) {
      const VertexId v = piece->first.vertex;
      Accum accum = piece->second;
      while (++piece != all.end() && piece->first.vertex == v) accum = combine(accum, piece->second);
      f(v, accum);
    }
  }

 private:
  using Piece = std::pair<ListPiece, Accum>;
  std::vector<PerThread<std::vector<Piece>>> of_threads_;
};

}  // namespace rizoma::engine_detail
