// Evaluates a program over rows, a block at a time.  Module: predicate.
//
// How: each operation runs over all rows of a block before the next one does, so that a loop over values in the cache
// is what each costs a row; `and`, `or` and `coalesce` leave out operands that cannot change the result of any row.
#pragma once

#include <rizoma/result.h>
#include <rizoma/columns.h>

#include "predicate/program.h"
#include "predicate/values.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rizoma::predicate {

/// The source of column values.
class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;
  /// Puts the values of rows [begin, begin + count) into `to`, as load_run and load_scalars do.
  virtual void load(const Slot& slot, bool units, std::size_t begin, std::size_t count, Values& to) = 0;
};

/// For one thread; the program outlives it.
class Evaluator {
 public:
  explicit Evaluator(const Program& program)
      : program_(program), values_(program.nodes.size()), computed_(program.nodes.size(), 0) {}

  /// Clears keep[i] unless the predicate is true of row i.  False: of a row that was kept it has no answer, because a
  /// result is beyond 64 bits; `error` then says where.
  bool test(Source& source, std::span<std::uint8_t> keep);
  [[nodiscard]] Error error() const;

 private:
  static constexpr std::size_t kBlock = 1024;  // rows whose values stay in the first cache
  static constexpr std::uint64_t kForGood = ~std::uint64_t{0};

  const Values& value(std::uint32_t number);
  void run(const Node& node, Values& to);
  void load(const Node& node, bool units, Values& to);
  void join(const Node& node, Values& to);
  void coalesce(const Node& node, Values& to);
  void note_overflow(const Node& node, const Values& values);
  bool test_block(std::span<std::uint8_t> keep);

  const Program& program_;
  std::vector<Values> values_;           ///< of each operation
  std::vector<std::uint64_t> computed_;  ///< in which block its values were
  std::uint64_t block_ = 0;
  Source* source_ = nullptr;
  std::size_t begin_ = 0;
  std::size_t count_ = 0;
  const Node* overflow_ = nullptr;  ///< an operation with a result beyond 64 bits
};

}  // namespace rizoma::predicate
