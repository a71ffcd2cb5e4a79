#include "store/store.h"

#include "base/check.h"
#include "store/data_file.h"

#include <cmath>
#include <limits>
#include <new>
#include <string>
#include <utility>

namespace rizoma {
namespace {

Error bad_weight(std::size_t index, double weight, const char* remedy) {
  return {ErrorCode::invalid_argument,
          "weight " + std::to_string(weight) + " of edge " + std::to_string(index) + " of the batch " + remedy};
}

Status check_weights(const std::vector<double>& weights, WeightType type) {
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double weight = weights[i];
    if (std::isnan(weight)) return bad_weight(i, weight, "is not a number");
    if (type == WeightType::int32 &&
        (weight != std::trunc(weight) || weight < std::numeric_limits<std::int32_t>::min() ||
         weight > std::numeric_limits<std::int32_t>::max())) {
      return bad_weight(i, weight, "is not a 32-bit integer: make the graph with weights of another type");
    }
    if (type == WeightType::float32 && std::isfinite(weight) && std::abs(weight) > std::numeric_limits<float>::max()) {
      return bad_weight(i, weight, "is too large for float32: make the graph with float64 weights");
    }
  }
  return {};
}

Status check_batch(const EdgeBatch& edges, WeightType type) {
  if (size(edges.sources) != size(edges.targets) || edges.sources.index() != edges.targets.index()) {
    return Error{ErrorCode::invalid_argument, "sources and targets must be columns of the same kind and length"};
  }
  if (type == WeightType::none && !edges.weights.empty()) {
    return Error{ErrorCode::invalid_argument, "the edges have weights, but the graph was made without"};
  }
  if (type != WeightType::none && edges.weights.size() != edges.size()) {
    return Error{ErrorCode::invalid_argument, "the graph has weights: every edge needs one"};
  }
  return check_weights(edges.weights, type);
}

/// Leaves out edges from a vertex to itself.
void drop_self_loops(std::vector<VertexId>& sources, std::vector<VertexId>& targets, std::vector<double>& weights) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i] == targets[i]) continue;
    sources[kept] = sources[i];
    targets[kept] = targets[i];
    if (!weights.empty()) weights[kept] = weights[i];
    ++kept;
  }
  sources.resize(kept);
  targets.resize(kept);
  if (!weights.empty()) weights.resize(kept);
}

}  // namespace

Store::Store(std::shared_ptr<Medium> medium, const StoreOptions& options, bool read_only)
    : medium_(std::move(medium)), options_(options), read_only_(read_only) {}

Store::~Store() {
  const Status status = close();  // a destructor has nobody to tell; nothing acknowledged depends on it
  static_cast<void>(status);
}

GraphSchema Store::schema() const {
  const std::lock_guard guard(state_mutex_);
  return schema_;
}

GraphSchema Store::load_schema() const {
  const std::lock_guard guard(state_mutex_);
  GraphSchema schema = schema_;
  if (!bits_fixed_) schema.section_bits = 0;
  return schema;
}

Status Store::check_writable() const {
  if (closed_) return Error{ErrorCode::closed, "the graph at " + medium_->describe() + " is closed"};
  if (read_only_) return Error{ErrorCode::invalid_argument, "the graph at " + medium_->describe() + " was opened for reading only"};
  if (failure_) return *failure_;
  return {};
}

Status Store::commit(const LogPayload& payload) {
  Status status = log_->append(payload);
  if (status) status = log_->sync();
  if (status) return {};
  failure_ = Error{status.error().code, "the change may not be durable, and no more can be made until the graph at " +
                                            medium_->describe() + " is opened anew: " + status.error().message};
  return *failure_;
}

unsigned Store::target_bytes_for(VertexId num_vertices) const noexcept {
  return num_vertices > format::kMaxNarrowVertices ? 8 : target_bytes_;
}

/// Inner order serves as a speed hint while nearly all edges are those it was made for.
bool Store::ordered_by_degree() const noexcept {
  return order_ == VertexOrder::degree && out_->upper_entries() <= ordered_entries_ + ordered_entries_ / 8;
}

Status Store::set_num_vertices(VertexId num_vertices) {
  const SectionId sections = num_vertices >> schema_.section_bits;
  if (num_vertices > format::kMaxVertices || sections >= format::kMaxSections) {
    return Error{ErrorCode::invalid_argument,
                 std::to_string(num_vertices) + " vertices are too many for sections of 2^" +
                     std::to_string(schema_.section_bits) + ": make the graph with more section bits, or, if ids are "
                     "sparse, with ids of kind integer"};
  }
  const std::lock_guard guard(state_mutex_);
  out_->reserve(num_vertices);
  if (in_) in_->reserve(num_vertices);
  return {};
}

Status Store::apply(const EdgeColumns& edges, VertexId num_vertices) {
  for (std::size_t i = 0; i < edges.sources.size(); ++i) {
    const VertexId u = edges.sources[i];
    const VertexId v = edges.targets[i];
    const double weight = edges.weights.empty() ? 0 : edges.weights[i];
    out_->stage(u, v, weight);
    if (in_) in_->stage(v, u, weight);
    if (!schema_.directed && u != v) out_->stage(v, u, weight);
  }
  const std::lock_guard guard(state_mutex_);
  num_vertices_ = num_vertices;
  out_->publish_staged();
  if (in_) in_->publish_staged();
  snapshot_ = nullptr;
  return {};
}

Status Store::log_new_vertices(VertexId before, LogPayload& payload) const {
  if (dictionary_->size() == before) return {};
  if (schema_.ids == IdKind::dense) {
    payload.vertices(dictionary_->size());
    return {};
  }
  RIZOMA_ASSIGN(const IdColumn ids, dictionary_->added_since(before));
  payload.ids(ids);
  return {};
}

/// Gives inner numbers to new ids, which the caller takes back if the change does not become durable.
Result<Store::Change> Store::prepare(const EdgeBatch& edges, const IdColumn& vertices) {
  const VertexId before = num_vertices_;
  Change change;
  if (size(vertices) != 0) RIZOMA_TRY(dictionary_->find_or_add(vertices));
  if (edges.size() != 0) {
    RIZOMA_ASSIGN(change.sources, dictionary_->find_or_add(edges.sources));
    RIZOMA_ASSIGN(change.targets, dictionary_->find_or_add(edges.targets));
    change.weights = edges.weights;
    if (schema_.self_loops == SelfLoops::drop) drop_self_loops(change.sources, change.targets, change.weights);
  }
  RIZOMA_TRY(set_num_vertices(dictionary_->size()));
  RIZOMA_TRY(log_new_vertices(before, change.payload));
  if (!change.sources.empty()) change.payload.edges(change.edges());
  return change;
}

Status Store::add(const EdgeBatch& edges, const IdColumn& vertices) {
  const std::lock_guard writer(writer_mutex_);
  RIZOMA_TRY(check_writable());
  RIZOMA_TRY(check_batch(edges, schema_.weights));
  const VertexId before = num_vertices_;
  const auto undo = [&](Error error) {
    dictionary_->rollback(before);
    return error;
  };
  auto change = prepare(edges, vertices);
  if (!change) return undo(std::move(change).error());
  if (change->payload.empty()) return {};
  if (auto status = commit(change->payload); !status) return undo(std::move(status).error());
  RIZOMA_TRY(apply(change->edges(), dictionary_->size()));
  return checkpoint_if_due();
}

Result<std::shared_ptr<const StoreSnapshot>> Store::snapshot() {
  const std::lock_guard guard(state_mutex_);
  if (snapshot_ == nullptr) {
    StoreSnapshot::Parts parts;
    parts.schema = schema_;
    parts.num_vertices = num_vertices_;
    parts.target_bytes = target_bytes_for(num_vertices_);
    parts.ordered_by_degree = ordered_by_degree();
    parts.out = out_->versions(num_vertices_, parts.target_bytes);
    if (in_) parts.in = in_->versions(num_vertices_, parts.target_bytes);
    parts.dictionary = dictionary_extents_;
    snapshot_ = std::make_shared<const StoreSnapshot>(std::move(parts), dictionary_->view(num_vertices_));
  }
  return snapshot_;
}

Status Store::verify_dictionary() const {
  std::shared_ptr<const Dictionary> dictionary;
  {
    const std::lock_guard guard(state_mutex_);
    dictionary = dictionary_;
  }
  return dictionary->verify();
}

Result<GraphInfo> Store::info() {
  RIZOMA_ASSIGN(const auto snapshot, this->snapshot());
  GraphInfo info;
  {
    const std::lock_guard guard(state_mutex_);
    info.order = order_;
    info.generation = generation_;
  }
  info.schema = snapshot->schema();
  info.num_vertices = snapshot->num_vertices();
  RIZOMA_ASSIGN(const auto counts, snapshot->count_entries());
  info.num_entries = counts.first;
  info.num_edges = info.schema.directed ? counts.first : (counts.first + counts.second) / 2;
  info.pending_entries = snapshot->pending_entries();
  info.num_sections = snapshot->parts().out.size();
  info.section_bits = info.schema.section_bits;
  info.format_version = format::kVersion;
  info.location = medium_->describe();
  RIZOMA_TRY(list_files(info));
  return info;
}

Status Store::list_files(GraphInfo& info) const {
  RIZOMA_ASSIGN(const auto names, medium_->list());
  for (const std::string& name : names) {
    const auto file = medium_->open(name, FileMode::read);
    if (!file) continue;  // a checkpoint has just removed it
    RIZOMA_ASSIGN(const std::uint64_t bytes, (*file)->size());
    const char* purpose = name == kDataName                ? "sections and dictionary"
                          : name.starts_with("log.")      ? "log"
                          : name.starts_with("manifest.") ? "manifest"
                          : name.starts_with("superblock") ? "superblock"
                                                           : "other";
    info.files.push_back({name, purpose, bytes});
    info.bytes_on_disk += bytes;
  }
  return {};
}

Status Store::close() {
  const std::lock_guard writer(writer_mutex_);
  if (closed_) return {};
  Status status;
  if (!read_only_ && !failure_ && log_ != nullptr) {
    if (log_->end() > options_.close_limit) status = checkpoint_locked(options_.rewrite_percent);
    if (status && !failure_) status = write_closed_record();
  }
  closed_ = true;
  log_ = nullptr;
  lock_ = nullptr;
  return status;
}

/// With it the next open knows where the log must end, so that damage there does not pass for a torn tail.
Status Store::write_closed_record() {
  const format::PublishRecord record = closed_record(file_number_, log_->end(), log_->next_sequence());
  RIZOMA_ASSIGN(const auto manifest, medium_->open(manifest_name(file_number_), FileMode::write));
  RIZOMA_TRY(manifest->write(manifest_end_, std::as_bytes(std::span(&record, 1))));
  return manifest->sync();
}

}  // namespace rizoma
