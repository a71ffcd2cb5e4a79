// Values of several edges that are together, one run a column of a program.  Module: predicate.
#pragma once

#include <rizoma/columns.h>

#include "predicate/evaluator.h"

#include <cstddef>
#include <span>

namespace rizoma::predicate {

class RunSource final : public Source {
 public:
  /// A run for each slot of the program.
  RunSource(const Program& program, std::span<const ColumnRun> runs) : program_(program), runs_(runs) {}

  void load(const Slot& slot, bool units, std::size_t begin, std::size_t count, Values& to) override {
    load_run(runs_[static_cast<std::size_t>(&slot - program_.slots.data())], units, begin, count, to);
  }

 private:
  const Program& program_;
  std::span<const ColumnRun> runs_;
};

}  // namespace rizoma::predicate
