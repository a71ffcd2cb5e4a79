#include "store/writing/missing.h"

#include "base/text.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace rizoma {
namespace {

/// An id as a message has it.
std::string text_of(const IdColumn& ids, std::size_t i) {
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&ids)) return std::to_string((*integers)[i]);
  return "'" + std::string(std::get<StringColumn>(ids)[i]) + "'";
}

}  // namespace

Status missing_edge(ChangeCounts& counts, const Batch::Step& step, std::size_t row) {
  ++counts.edges_missing;
  if (step.missing == Missing::ignore) return {};
  return Error{ErrorCode::not_found, "the graph has no edge from " + text_of(step.edges.sources, row) + " to " +
                                         text_of(step.edges.targets, row) + " (row " + std::to_string(row) +
                                         "); add_edges adds it"};
}

Error no_vertex(const Batch::Step& step, std::size_t i) {
  return {ErrorCode::not_found, "the graph has no vertex " + text_of(step.vertices, i) + " (row " + std::to_string(i) +
                                    "); add_vertices adds it"};
}

}  // namespace rizoma
