// ViewWeights: the values of an edge column as the weights of a view, one for each entry, in memory.
//
// How.  The entries of a view of a graph with columns name rows; for each entry of each section the value in its row
// is looked up, on all threads, and put where a view has its weights.  What was looked up for a section is kept with
// its version, so that another state looks up those of the sections that are others there.
// Cost: O(entries) lookups at random (in sequence after a bulk load in the order as given), 4 or 8 bytes an entry.
#pragma once

#include <rizoma/executor.h>
#include <rizoma/graph_view.h>
#include <rizoma/result.h>

#include "store/columns/row_table.h"
#include "store/sections/section.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace rizoma {

using SectionVersions = std::vector<std::shared_ptr<const SectionVersion>>;

/// The weights of each section, by direction; null of those of another part of the graph.
struct ViewWeights {
  using Sections = std::vector<std::shared_ptr<const std::byte>>;
  WeightType type = WeightType::none;
  Sections out;
  Sections in;
};

/// What a view of a state is made of.
struct ViewSections {
  const GraphView::Parts& view;  ///< flat: no lists that have changed lie elsewhere
  const SectionVersions& out;
  const SectionVersions& in;
};

/// Errors: invalid_argument (no numbers; nulls), corrupt (no such row), those of reading, cancelled.  Throws
/// std::bad_alloc.
Result<std::shared_ptr<const ViewWeights>> read_weights(const ViewSections& sections, const RowState& rows,
                                                        const ColumnSchema& column, Executor& executor);

/// Gives the view these weights, or none.
void put_weights(GraphView::Parts& view, std::shared_ptr<const ViewWeights> weights);

}  // namespace rizoma
