// Values of several edges that are together, one run a column of a program.  Module: query.
#pragma once

#include <rizoma/columns.h>

#include "predicate/evaluator.h"

#include <cstddef>
#include <span>

namespace rizoma::query {

class RunSource final : public predicate::Source {
 public:
  /// A run for each slot of the program.
  RunSource(const predicate::Program& program, std::span<const ColumnRun> runs) : program_(program), runs_(runs) {}

  void load(const predicate::Slot& slot, bool units, std::size_t begin, std::size_t count,
            predicate::Values& to) override {
    predicate::load_run(runs_[static_cast<std::size_t>(&slot - program_.slots.data())], units, begin, count, to);
  }

 private:
  const predicate::Program& program_;
  std::span<const ColumnRun> runs_;
};

}  // namespace rizoma::query
