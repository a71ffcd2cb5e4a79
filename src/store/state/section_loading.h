// How one section becomes part of a view.
#pragma once

#include <rizoma/detail/adjacency.h>
#include <rizoma/result.h>
#include <rizoma/schema.h>

#include "store/columns/column_rules.h"
#include "store/sections/section.h"
#include "store/validation/cross_validation.h"

#include <cstdint>

namespace rizoma {

/// How sections are loaded.
struct Loading {
  bool flat = false;
  bool with_rows = false;                  ///< with numbers of rows that are packed
  bool with_sum = false;                   ///< computed for each section during its verification, if it is verified now
  EdgeKeys keys = EdgeKeys::of_process();  ///< of the sum
};

struct LoadedSection {
  SectionView view;
  const double* rows = nullptr;
  std::uint64_t edge_sum = 0;
};

inline Result<SectionView> load_flat(const SectionVersion& version, MergeArena& memory) {
  RIZOMA_ASSIGN(const SectionBytes section, version.load(memory));
  return SectionView{section, nullptr, section.spec.num_entries, section.spec.num_self_loops};
}

template <class Target>
SectionEdges<Target> section_edges(const SectionView& section, const double* rows) {
  SectionEdges<Target> edges = view_image<Target>(section.base.spec, section.base.bytes);
  edges.changed = section.changed;
  if (rows != nullptr) edges.weights = rows;
  return edges;
}

template <class Target>
Result<LoadedSection> load_one(const SectionVersion& version, const GraphSchema& schema, const Loading& loading,
                               MergeArena& memory) {
  const VertexId first = version.parts().section << schema.section_bits;
  const VertexRange vertices{first, first + version.parts().num_vertices};
  const WeightType weights = entry_weights(schema);
  const Direction direction = version.context()->direction;
  ImageSum sum(vertices, weights, schema.directed, direction, loading.keys);
  if (loading.with_sum) RIZOMA_TRY(version.verify_for(sum));
  LoadedSection loaded;
  RIZOMA_ASSIGN(loaded.view, loading.flat ? load_flat(version, memory) : version.view(memory));
  if (loading.with_rows) {
    RIZOMA_ASSIGN(loaded.rows, version.unpacked_rows(loaded.view.base, memory));
  }
  if (loading.with_sum && loaded.view.num_entries > 0) {
    const auto read = sum.of(loaded.view.base.spec, loaded.view.base.bytes);
    loaded.edge_sum = read ? *read
                           : edge_sum(section_edges<Target>(loaded.view, loaded.rows), vertices, weights,
                                      schema.directed, direction, loading.keys);
  }
  return loaded;
}

}  // namespace rizoma
