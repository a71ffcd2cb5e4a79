// The ranks of a run as Python holds them.
#pragma once

#include "bindings.h"

#include <rizoma/detail/gather_columns.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>
#include <rizoma/join_ranks.h>

#include <memory>
#include <string>
#include <type_traits>

namespace rizoma::python {

class PyRanks {
 public:
  explicit PyRanks(RankOptions options) : joined_(without_gil([&] { return join_ranks(options); })) {}

  [[nodiscard]] Ranks& ranks() { return joined_->ranks(); }
  [[nodiscard]] JoinedRanks& joined() { return *joined_; }
  /// The rank that whole results are brought to; Ranks::kEveryRank: all.
  [[nodiscard]] int answers_to() const noexcept { return joined_->ranks().answers_to(); }
  void set_answers_to(int rank) noexcept { joined_->ranks().set_answers_to(rank); }
  void close() {
    const WithoutGil release;
    joined_.reset();
  }

 private:
  std::unique_ptr<JoinedRanks> joined_;
};

/// Brings a column together from all ranks.
template <class T>
Status bring_whole(Ranks& ranks, int to, VertexMap<T>& column) {
  if (column.size() == 0) return {};
  if constexpr (std::is_integral_v<T>) return gather_columns(ranks, column.span(), to);
  else return ranks.gather(column.data(), sizeof(T), to);
}

/// Brings the columns of a kernel's result together from all ranks.
template <class R, class... T>
Result<R> whole(Engine& engine, int to, Result<R> result, VertexMap<T> R::*... columns) {
  Ranks* const ranks = engine.ranks();
  if (!result || ranks == nullptr) return result;
  Status status;
  const auto gather = [&](auto& map) {
    if (status) status = bring_whole(*ranks, to, map);
  };
  (gather((*result).*columns), ...);
  if (!status) return status.error();
  return result;
}

}  // namespace rizoma::python
