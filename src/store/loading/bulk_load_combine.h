// ParallelCombine: the parallel edges of a load's piece become one by the rules of the graph (parallel_rules.h).
//
// A weight is combined here: in every list that has the edge, from the same values in the same order.  Edges with
// columns name rows: the last row stays in every list, and its group is noted once, for the target to combine the
// values of its columns when all lists are made.
// Memory: 8 bytes for each row of a group, and for each group.
#pragma once

#include <rizoma/ids.h>
#include <rizoma/result.h>
#include <rizoma/schema.h>

#include "platform/mutex.h"
#include "store/columns/column_rules.h"
#include "store/columns/parallel_rules.h"
#include "store/loading/bulk_load.h"
#include "store/loading/bulk_load_sort.h"
#include "store/sections/weight_rules.h"

#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace rizoma::bulk {

/// The weight that has these bytes.
template <class Bits>
double weight_of(WeightType type, Bits bits) noexcept {
  if constexpr (std::is_same_v<Bits, std::uint64_t>) {
    return std::bit_cast<double>(bits);
  } else if (type == WeightType::int32) {
    return static_cast<std::int32_t>(bits);
  } else {
    return static_cast<double>(std::bit_cast<float>(bits));
  }
}

/// The bits of an edge that names this row, and the row that they name.
template <class Bits>
Bits row_bits(double row) noexcept {
  if constexpr (std::is_same_v<Bits, std::uint64_t>) return std::bit_cast<std::uint64_t>(row);
  return static_cast<Bits>(row);
}
template <class Bits>
std::uint64_t row_of(Bits bits) noexcept {
  if constexpr (std::is_same_v<Bits, std::uint64_t>) return static_cast<std::uint64_t>(std::bit_cast<double>(bits));
  return bits;
}

template <class Record>
class ParallelCombine {
 public:
  using Bits = typename Record::Bits;

  /// Both outlive this.
  ParallelCombine(const GraphSchema& schema, LoadTarget& target)
      : schema_(schema),
        target_(target),
        active_(Record::kWeighted && (combines(schema) || (merges_rows(schema) && target.leaves_values_out()))) {}

  [[nodiscard]] bool active() const noexcept { return active_; }
  /// As merge_parallel.  Groups of rows are noted of all entries, or of those whose source is not the greater end.
  Status merge(PieceScratch<Record>& scratch, VertexRange vertices, std::span<std::uint32_t> degrees, bool note_all,
               bool note_lower);
  [[nodiscard]] MergedRows take_rows() {
    const MutexLock lock(mutex_);
    return std::move(rows_);
  }

 private:
  static bool merges_rows(const GraphSchema& schema) noexcept {
    return schema.rows && schema.parallel_edges == ParallelEdges::merge;
  }
  Result<Bits> combined(VertexId source, VertexId target, std::span<const Bits> weights) const;
  void note(const MergedRows& groups);

  const GraphSchema& schema_;
  LoadTarget& target_;
  const bool active_;
  Mutex mutex_{LockLevel::last};
  MergedRows rows_ RIZOMA_GUARDED_BY(mutex_);
};

template <class Record>
auto ParallelCombine<Record>::combined(VertexId source, VertexId target, std::span<const Bits> weights) const
    -> Result<Bits> {
  std::vector<double> values;
  for (const Bits bits : weights) values.push_back(weight_of(schema_.weights, bits));
  const double weight = combined_weight(schema_.weight_rule, schema_.weights, values);
  if (weight_fits(schema_.weights, weight)) return weight_bits<Bits>(schema_.weights, weight);
  return refused_sum(kWeightColumn, column_type_name(weight_column_type(schema_.weights)),
                     target_.name_of(source) + " -> " + target_.name_of(target));
}

template <class Record>
Status ParallelCombine<Record>::merge(PieceScratch<Record>& scratch, VertexRange vertices,
                                      std::span<std::uint32_t> degrees, bool note_all, bool note_lower) {
  if constexpr (Record::kWeighted) {
    MergedRows groups;
    std::size_t read = 0, write = 0;
    for (VertexId v = vertices.begin; v < vertices.end; ++v) {
      std::uint32_t& degree = degrees[v - vertices.begin];
      const std::size_t end = read + degree;
      const std::size_t begin = write;
      while (read < end) {
        const VertexId to = scratch.targets[read];
        const std::size_t first = read;
        while (read < end && scratch.targets[read] == to) ++read;
        Bits weight = scratch.weights[read - 1];
        if (read - first > 1 && !schema_.rows) {
          RIZOMA_ASSIGN(weight, combined(v, to, scratch.weights.span().subspan(first, read - first)));
        } else if (read - first > 1 && (note_all || (note_lower && v <= to))) {
          for (std::size_t i = first; i < read; ++i) {
            groups.rows.push_back(row_of(scratch.weights[i]));
          }
          groups.ends.push_back(groups.rows.size());
        }
        scratch.targets[write] = static_cast<typename Record::Number>(to);
        scratch.weights[write++] = weight;
      }
      degree = static_cast<std::uint32_t>(write - begin);
    }
    note(groups);
  }
  return {};
}

template <class Record>
void ParallelCombine<Record>::note(const MergedRows& groups) {
  if (groups.ends.empty()) return;
  const MutexLock lock(mutex_);
  const std::uint64_t before = rows_.rows.size();
  rows_.rows.insert(rows_.rows.end(), groups.rows.begin(), groups.rows.end());
  for (const std::uint64_t end : groups.ends) rows_.ends.push_back(before + end);
}

}  // namespace rizoma::bulk
