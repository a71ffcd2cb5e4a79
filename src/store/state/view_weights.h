// ViewWeights: the values of an edge column as the weights of a view, one for each entry, in memory.
//
// How.  The entries of a view of a graph with columns name rows.  All threads look up the value in the row of each
// entry and write it where a view has its weights.  The version of a section keeps the values, so that a view of
// another state looks up those of the sections that differ.
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

/// The weights of each section, by direction; null for sections of another partition of the graph.
struct ViewWeights {
  using Sections = std::vector<std::shared_ptr<const std::byte>>;
  WeightType type = WeightType::none;
  Sections out;
  Sections in;
};

/// What a view of a state is made of.
struct ViewSections {
  const GraphView::Parts& view;  ///< flat: no list has moved out of its section
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
