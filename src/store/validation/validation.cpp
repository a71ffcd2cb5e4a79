#include "store/validation/validation.h"

#include "base/check.h"
#include "store/columns/column_rules.h"
#include "store/disk_format.h"
#include "store/messages.h"
#include "store/manifest/manifest.h"
#include "store/sections/weight_rules.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace rizoma {
namespace {

/// What weight_rules.h takes; and infinite ones, which it took once.
bool weights_fit(WeightType type, std::span<const double> weights) {
  const bool floating = type != WeightType::int32;
  return std::all_of(weights.begin(), weights.end(),
                     [&](double weight) { return weight_fits(type, weight) || (floating && std::isinf(weight)); });
}

/// Numbers of rows below `end`; 0 for an entry without values.
bool are_rows(std::span<const double> numbers, double end) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [&](double row) { return row >= 0 && row < end && row == std::trunc(row); });
}

/// An image or a delta that is missing has no content either.
bool entry_ok(const SectionEntry& entry, const ManifestState& state) {
  const std::uint64_t weight = weight_bytes(entry_weights(state.schema));
  const std::uint64_t least = state.schema.rows ? 0 : weight;
  const bool image_ok =
      entry.image.empty() ? entry.image_entries == 0 && entry.image_self_loops == 0 && entry.image_id == 0
                          : entry.image_entries <= UINT32_MAX && entry.image_self_loops <= entry.image_entries &&
                                entry.image.bytes >= sizeof(format::ImageHeader) + entry.image_entries * (4 + least) &&
                                (state.schema.self_loops == SelfLoops::keep || entry.image_self_loops == 0);
  const auto delta_bytes = [&](std::uint64_t change) {
    return sizeof(format::DeltaHeader) + entry.delta_entries * change;
  };
  const bool delta_fits = entry.delta.bytes == delta_bytes(weight == 0 ? 8 : 16) ||
                          (state.schema.rows && entry.delta.bytes == delta_bytes(8));
  const bool delta_ok = entry.delta.empty()
                            ? entry.delta_entries == 0 && entry.delta_id == 0
                            : entry.delta_entries > 0 && entry.delta_entries <= entry.delta.bytes / 8 && delta_fits;
  return image_ok && delta_ok;
}

/// Rows of edges are numbered without gaps; the graph's weight is one of its columns.
bool rows_ok(const ManifestState& state) {
  std::uint64_t end = 1;
  for (const RowsEntry& each : state.edge_rows) {
    if (each.first != end) return false;
    end += each.rows;
  }
  if (!state.vertex_rows.empty()) end = std::max(end, state.vertex_rows.back().first + state.vertex_rows.back().rows);
  const GraphSchema& schema = state.schema;
  if (end > kMostRows || (!schema.rows && !state.edge_rows.empty())) return false;
  const ColumnSchema* weight = find_column(schema.edge_columns, kWeightColumn);
  if (!schema.rows || schema.weights == WeightType::none) return weight == nullptr;
  return weight != nullptr && weight->type == weight_column_type(schema.weights);
}

/// The numbers of rows of an image's entries, as float64.
std::span<const double> rows_of(const ImageSpec& spec, std::span<const std::byte> image) {
  RIZOMA_CHECK(image.size() >= image_layout(spec).bytes);
  const void* weights = spec.target_bytes == 4 ? view_image<std::uint32_t>(spec, image).weights
                                               : view_image<std::uint64_t>(spec, image).weights;
  return {static_cast<const double*>(weights), spec.num_entries};
}

bool inside(std::span<const VertexId> vertices, VertexId num_vertices) {
  return std::all_of(vertices.begin(), vertices.end(), [&](VertexId v) { return v < num_vertices; });
}

bool all_live(std::span<const VertexId> vertices, const RemovedVertices& removed) {
  if (removed.count() == 0) return true;
  return std::none_of(vertices.begin(), vertices.end(), [&](VertexId v) { return removed.contains(v); });
}

}  // namespace

Status validate(const ManifestState& state, std::string_view where) {
  if (state.generation >= format::kMostNumber || state.log_number >= format::kMostNumber ||
      state.log_sequence >= format::kMostNumber) {
    return corrupt(where, "holds a number that no store can reach");
  }
  if (state.target_bytes == 4 && state.num_vertices > format::kMaxNarrowVertices) {
    return corrupt(where, "holds more vertices than neighbours of 4 bytes can name");
  }
  const bool has_in = state.schema.directed && state.schema.in_edges;
  if (!has_in && !state.in.empty()) return corrupt(where, "holds in-edges, but the graph stores none");
  const auto ok = [&](const SectionEntry& entry) { return entry_ok(entry, state); };
  if (!std::all_of(state.out.begin(), state.out.end(), ok) || !std::all_of(state.in.begin(), state.in.end(), ok)) {
    return corrupt(where, "holds a section with impossible sizes");
  }
  if (!rows_ok(state)) return corrupt(where, "holds impossible rows or columns");
  const auto empty = [](const auto& each) { return each.extent.empty(); };
  const auto any_empty = [&](const auto& all) { return std::any_of(all.begin(), all.end(), empty); };
  if (any_empty(state.dictionary) || any_empty(state.edge_rows) || any_empty(state.vertex_rows)) {
    return corrupt(where, "names an extent without bytes");
  }
  return {};
}

Status validate(const ImageSpec& spec, std::span<const std::byte> image, const NamedExtent& named,
                const SectionFacts& facts, std::string_view where) {
  if (image_id(image) != named.id || spec.section != facts.section || spec.direction != facts.direction ||
      spec.num_entries != named.num_entries || spec.num_self_loops != named.num_self_loops) {
    return corrupt(where, "is not the one that the manifest names");
  }
  const bool without = facts.rows && spec.weights == WeightType::none;
  const bool strange = spec.row_bits != 0 && !facts.rows;
  if ((spec.weights != facts.weights && !without) || strange || spec.target_bytes > facts.target_bytes) {
    return corrupt(where, "does not fit the graph");
  }
  if (spec.num_vertices > facts.num_vertices || spec.target_bound > facts.graph_vertices) {
    return corrupt(where, "names vertices that the graph does not have");
  }
  if (facts.self_loops == SelfLoops::drop && spec.num_self_loops > 0) {
    return corrupt(where, "holds self-loops, but the graph has none");
  }
  // Packed ones have as few bits as numbers of rows can have (verify_image).
  if (facts.rows && !without && spec.row_bits == 0 && !are_rows(rows_of(spec, image), static_cast<double>(kMostRows))) {
    return corrupt(where, "holds impossible row numbers");
  }
  return {};
}

Status validate(const DeltaSpec& spec, std::span<const std::byte> delta, const NamedExtent& named,
                const SectionFacts& facts, std::string_view where) {
  if (delta_id(delta) != named.id || spec.section != facts.section || spec.direction != facts.direction ||
      spec.num_entries != named.num_entries) {
    return corrupt(where, "is not the one that the manifest names");
  }
  const bool without = facts.rows && !spec.weighted;
  if (spec.weighted != (facts.weights != WeightType::none) && !without) return corrupt(where, "does not fit the graph");
  // `places`, the vertices of the section, were compared when the delta was verified.
  if (spec.target_bound > facts.graph_vertices) return corrupt(where, "names vertices that the graph does not have");
  const ChangeRun run = view_delta(spec, delta);
  const std::span<const double> weights(run.weights, spec.weighted ? run.words.size() : 0);
  if (facts.rows ? !are_rows(weights, static_cast<double>(kMostRows)) : !weights_fit(facts.weights, weights)) {
    return corrupt(where, "holds weights that the graph cannot have");
  }
  return {};
}

Status validate(ChangeKind kind, const EdgeColumns& edges, const ReplayedGraph& graph, std::string_view where) {
  const WeightType type = entry_weights(graph.schema);
  const bool weighted = type != WeightType::none && kind != ChangeKind::remove;
  if (edges.sources.empty() || edges.sources.size() != edges.targets.size() || weighted != !edges.weights.empty()) {
    return corrupt(where, "holds a change that does not fit the graph");
  }
  if (!inside(edges.sources, graph.num_vertices) || !inside(edges.targets, graph.num_vertices)) {
    return corrupt(where, "names vertices that the graph does not have");
  }
  if (!all_live(edges.sources, graph.removed) || !all_live(edges.targets, graph.removed)) {
    return corrupt(where, "changes edges of a vertex that was removed");
  }
  const bool fit = graph.schema.rows ? are_rows(edges.weights, static_cast<double>(graph.rows_end))
                                     : !weighted || weights_fit(type, edges.weights);
  if (!fit) {
    return corrupt(where, "holds weights that the graph cannot have");
  }
  if (graph.schema.self_loops == SelfLoops::keep) return {};
  for (std::size_t i = 0; i < edges.sources.size(); ++i) {
    if (edges.sources[i] == edges.targets[i]) return corrupt(where, "holds self-loops, but the graph has none");
  }
  return {};
}

Status validate_removal(std::span<const VertexId> vertices, bool removed, const ReplayedGraph& graph,
                        std::string_view where) {
  if (!inside(vertices, graph.num_vertices)) return corrupt(where, "names vertices that the graph does not have");
  std::vector<VertexId> sorted(vertices.begin(), vertices.end());
  std::sort(sorted.begin(), sorted.end());
  const bool twice = std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
  const bool known =
      std::all_of(sorted.begin(), sorted.end(), [&](VertexId v) { return graph.removed.contains(v) != removed; });
  if (twice || !known) return corrupt(where, "removes a vertex twice, or restores one that was not removed");
  return {};
}

Status validate_growth(VertexId num_vertices, const ReplayedGraph& graph, std::string_view where) {
  if (graph.schema.ids != IdKind::dense || num_vertices < graph.num_vertices || num_vertices > format::kMaxVertices ||
      num_vertices >> graph.schema.section_bits >= format::kMaxSections) {
    return corrupt(where, "holds a number of vertices that does not fit the graph");
  }
  return {};
}

Status validate_permutation(std::span<const std::int64_t> external, std::string_view where) {
  std::vector<bool> named(external.size(), false);
  for (const std::int64_t id : external) {
    if (id < 0 || static_cast<std::uint64_t>(id) >= named.size() || named[static_cast<std::size_t>(id)]) {
      return corrupt(where, "gives two vertices one id, or gives a vertex an impossible id");
    }
    named[static_cast<std::size_t>(id)] = true;
  }
  return {};
}

}  // namespace rizoma
