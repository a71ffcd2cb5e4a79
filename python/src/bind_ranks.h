// The ranks of a run as Python holds them.
#pragma once

#include "bindings.h"

#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>
#include <rizoma/cluster.h>

#include <memory>

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

}  // namespace rizoma::python
