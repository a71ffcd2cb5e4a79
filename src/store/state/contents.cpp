#include "store/state/contents.h"

#include "store/columns/column_rules.h"

#include <algorithm>
#include <string>
#include <utility>

namespace rizoma {

// ---- as a whole ----

void Contents::begin(const ManifestState& state, unsigned min_target_bytes) {
  assume_alone();
  schema = state.schema;
  bits_fixed = state.bits_fixed;
  target_bytes = std::max(state.target_bytes, min_target_bytes);
  order = state.order;
  order_reason = state.order_reason;
  ordered_entries = state.ordered_entries;
  num_vertices = state.num_vertices;
  generation = state.generation;
}

void Contents::hold(const Durable& durable) {
  dictionary_extents = durable.dictionary;
  removed_extent = durable.removed;
  edge_rows.reset(durable.edge_rows, std::make_shared<RowTail>());
  vertex_rows.reset(durable.vertex_rows, std::make_shared<RowTail>());
  out = make_table(Direction::out, durable.out);
  in.reset();
  if (has_in()) in = make_table(Direction::in, durable.in);
}

void Contents::set_removed(std::shared_ptr<const RemovedVertices> vertices) noexcept {
  staged_removed = removed = durable_removed = std::move(vertices);
}

SectionTable Contents::make_table(Direction direction, const std::vector<SectionExtents>& sections) const {
  auto context = std::make_shared<SectionContext>();
  context->data = space_.data();
  context->direction = direction;
  context->section_bits = schema.section_bits;
  context->weights = entry_weights(schema);
  context->rows = schema.rows;
  context->parallel_edges = schema.parallel_edges;
  context->self_loops = schema.self_loops;
  context->part = part;
  SectionTable table(std::move(context));
  table.reserve(num_vertices);
  table.replace(sections);
  return table;
}

void Contents::take_over(Contents& successor) noexcept {
  std::swap(schema, successor.schema);
  order = successor.order;
  order_reason = successor.order_reason;
  ordered_entries = successor.ordered_entries;
  target_bytes = successor.target_bytes;
  num_vertices = successor.num_vertices;
  std::swap(cross_validated, successor.cross_validated);
  std::swap(dictionary, successor.dictionary);
  std::swap(dictionary_extents, successor.dictionary_extents);
  std::swap(staged_removed, successor.staged_removed);
  std::swap(removed, successor.removed);
  std::swap(durable_removed, successor.durable_removed);
  std::swap(removed_extent, successor.removed_extent);
  std::swap(edge_rows, successor.edge_rows);
  std::swap(vertex_rows, successor.vertex_rows);
  std::swap(out, successor.out);
  std::swap(in, successor.in);
  set_generation(successor.generation);
}

// ---- the writer ----

Status Contents::reserve(VertexId vertices) {
  if (vertices > format::kMaxVertices || vertices >> schema.section_bits >= format::kMaxSections) {
    return Error{ErrorCode::invalid_argument,
                 std::to_string(vertices) + " vertices are too many for sections of 2^" +
                     std::to_string(schema.section_bits) +
                     "; create the graph with more section bits, or, if ids have gaps, with ids=\"integer\""};
  }
  const MutexLock guard(mutex);
  out->reserve(vertices);
  if (in) in->reserve(vertices);
  return {};
}

void Contents::begin_staging() {
  out->begin_batch();
  if (in) in->begin_batch();
  edge_rows.begin_batch();
  vertex_rows.begin_batch();
}

void Contents::stage(ChangeKind kind, const EdgeColumns& edges) {
  for (std::size_t i = 0; i < edges.sources.size(); ++i) {
    const VertexId u = edges.sources[i];
    const VertexId v = edges.targets[i];
    const double weight = edges.weights.empty() ? 0 : edges.weights[i];
    out->stage(kind, u, v, weight);
    if (in) in->stage(kind, v, u, weight);
    if (!schema.directed && u != v) out->stage(kind, v, u, weight);
  }
}

Contents::Staged Contents::end_staging() {
  Staged change;
  change.out = out->end_batch();
  if (in) change.in = in->end_batch();
  change.num_vertices = dictionary->size();
  change.removed = staged_removed;
  change.edge_rows = edge_rows.end_batch();
  change.vertex_rows = vertex_rows.end_batch();
  return change;
}

void Contents::rollback(VertexId vertices, std::shared_ptr<const RemovedVertices> were_removed) {
  out->rollback();
  if (in) in->rollback();
  edge_rows.rollback();
  vertex_rows.rollback();
  staged_removed = std::move(were_removed);
  dictionary->rollback(vertices);
}

void Contents::rollback_all(VertexId vertices) {
  dictionary->rollback(vertices);
  out->rollback_all();
  if (in) in->rollback_all();
  edge_rows.rollback_all();
  vertex_rows.rollback_all();
  staged_removed = removed;
}

void Contents::publish(const Staged& change) noexcept {
  const MutexLock guard(mutex);
  num_vertices = change.num_vertices;
  removed = change.removed;
  out->publish(change.out);
  if (in) in->publish(change.in);
  edge_rows.publish(change.edge_rows);
  vertex_rows.publish(change.vertex_rows);
  snapshot_ = nullptr;
}

// ---- any thread, and under the state lock ----

std::shared_ptr<const StoreSnapshot> Contents::snapshot() {
  const MutexLock guard(mutex);
  if (snapshot_ != nullptr) return snapshot_;
  StoreSnapshot::Parts parts;
  parts.schema = schema;
  parts.num_vertices = num_vertices;
  parts.target_bytes = target_bytes_for(num_vertices);
  parts.ordered_by_degree = ordered_by_degree();
  parts.out = out->versions(num_vertices, parts.target_bytes);
  if (in) parts.in = in->versions(num_vertices, parts.target_bytes);
  for (const IdentifiedExtent& tied : dictionary_extents) parts.dictionary.push_back(tied.lease);
  parts.removed = removed;
  parts.cross_validated = cross_validated;
  parts.part = part;
  parts.edge_rows = edge_rows.state();
  parts.vertex_rows = vertex_rows.state();
  if (pin_ == nullptr) pin_ = space_.pin(generation);
  parts.pin = pin_;
  snapshot_ = std::make_shared<const StoreSnapshot>(std::move(parts), dictionary->view(num_vertices));
  return snapshot_;
}

GraphSchema Contents::present_schema() const {
  const MutexLock guard(mutex);
  return schema;
}

GraphSchema Contents::load_schema() const {
  const MutexLock guard(mutex);
  GraphSchema for_load = schema;
  if (!bits_fixed) for_load.section_bits = 0;
  return for_load;
}

unsigned Contents::target_bytes_for(VertexId vertices) const noexcept {
  return vertices > format::kMaxNarrowVertices ? 8 : target_bytes;
}

/// Inner order serves as a speed hint while nearly all edges are those it was made for.
bool Contents::ordered_by_degree() const noexcept {
  return order == VertexOrder::degree && out->upper_entries() <= ordered_entries + ordered_entries / 8;
}

bool Contents::order_asked_for() const noexcept { return ordered_entries > 0 && order_reason.hubs == 0; }

ManifestState Contents::manifest_state() const {
  ManifestState state;
  state.schema = schema;
  state.bits_fixed = bits_fixed;
  state.order = order;
  state.order_reason = order_reason;
  state.ordered_entries = ordered_entries;
  state.num_vertices = num_vertices;
  state.target_bytes = target_bytes_for(num_vertices);
  return state;
}

Durable Contents::durable() const {
  Durable durable;
  durable.out = out->parts();
  if (in) durable.in = in->parts();
  durable.dictionary = dictionary_extents;
  durable.removed = removed_extent;
  durable.edge_rows = edge_rows.parts();
  durable.vertex_rows = vertex_rows.parts();
  return durable;
}

void Contents::set_generation(std::uint64_t published) noexcept {
  generation = published;
  pin_ = nullptr;
  snapshot_ = nullptr;
}

}  // namespace rizoma
