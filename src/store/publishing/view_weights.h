// ViewWeights: the values of an edge column as the weights of a view, one for each entry, in memory.
//
// How.  The entries of a view of a graph with columns name rows; for each entry of each section the value in its row
// is looked up, on all threads, and put where a view has its weights.
// Cost: O(entries) lookups at random (in sequence after a bulk load in the order as given), 4 or 8 bytes an entry.
#pragma once

#include <rizoma/executor.h>
#include <rizoma/graph_view.h>
#include <rizoma/result.h>

#include "platform/pages.h"
#include "store/columns/row_table.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace rizoma {

class ViewWeights {
 public:
  /// Room for the weights of so many entries of each section of each direction.
  ViewWeights(WeightType type, const std::vector<EdgeCount>& out, const std::vector<EdgeCount>& in);
  ViewWeights(const ViewWeights&) = delete;
  ViewWeights& operator=(const ViewWeights&) = delete;
  ~ViewWeights() { release_pages(memory_, bytes_); }

  [[nodiscard]] WeightType type() const noexcept { return type_; }
  [[nodiscard]] std::byte* of(Direction direction, SectionId section) const noexcept {
    return static_cast<std::byte*>(memory_) + (direction == Direction::out ? out_ : in_)[section];
  }

 private:
  WeightType type_;
  std::vector<std::size_t> out_;  ///< where the weights of each section begin
  std::vector<std::size_t> in_;
  std::size_t bytes_ = 0;
  void* memory_ = nullptr;
};

/// `view` has numbers of rows as weights.  Errors: invalid_argument (no numbers; nulls), corrupt (no such row), those
/// of reading, cancelled.  Throws std::bad_alloc.
Result<std::shared_ptr<const ViewWeights>> read_weights(const GraphView::Parts& view, const RowState& rows,
                                                        const ColumnSchema& column, Executor& executor);

/// Gives the view these weights, or none.
void put_weights(GraphView::Parts& view, std::shared_ptr<const ViewWeights> weights);

}  // namespace rizoma
