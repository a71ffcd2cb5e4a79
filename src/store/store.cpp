#include "store/store.h"

#include "base/check.h"
#include "platform/process.h"
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
    : medium_(std::move(medium)),
      options_(options),
      read_only_(read_only),
      process_(process_id()),
      retry_at_(options.log_limit),
      maintenance_(std::make_unique<Maintenance>()) {}

Store::~Store() {
  const Status status = close();  // a destructor has nobody to tell; nothing acknowledged depends on it
  static_cast<void>(status);
  if (process_id() == process_) return;
  // Threads of the parent may have been at these when it forked: they cannot be destroyed here.
  static_cast<void>(maintenance_.release());
  static_cast<void>(committer_.release());
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

Status Store::check_process() const {
  if (process_id() == process_) return {};
  return Error{ErrorCode::closed, "the graph at " + medium_->describe() + " belongs to process " + std::to_string(process_) +
                                      ", from which this one was forked: open it here anew, for reading only while it is "
                                      "open there"};
}

Status Store::check_writable() const {
  if (closed_) return Error{ErrorCode::closed, "the graph at " + medium_->describe() + " is closed"};
  if (read_only_) return Error{ErrorCode::invalid_argument, "the graph at " + medium_->describe() + " was opened for reading only"};
  return committer_->health();
}

/// Takes the writer lock once a change may be made.
Result<Store::WriterGuard> Store::begin_change() {
  RIZOMA_TRY(check_process());
  if (!read_only_) wait_for_room();
  WriterGuard writer(writer_mutex_);
  RIZOMA_TRY(check_writable());
  roll_back_failed();
  return writer;
}

/// Takes back the vertices of changes that did not get into the log.
void Store::roll_back_failed() {
  if (const auto left = committer_->take_failure()) dictionary_->rollback(*left);
}

/// Returns when the published state is that of all changes so far; needs the writer lock.
void Store::settle() {
  committer_->drain();
  roll_back_failed();
}

/// Makes a prepared change durable and then visible.  `before` is the number of vertices to go back to.
Status Store::commit(WriterGuard writer, VertexId before, const LogPayload& payload, std::function<void()> apply) {
  Committer::Batch batch(payload.bytes(), std::move(apply), before);
  if (Status enqueued = committer_->enqueue(batch); !enqueued) {
    roll_back_failed();
    return enqueued;
  }
  writer.unlock();
  RIZOMA_TRY(committer_->wait(batch));
  after_change();
  return {};
}

Status Store::flush() {
  RIZOMA_TRY(check_process());
  WriterGuard writer(writer_mutex_);
  RIZOMA_TRY(check_writable());
  roll_back_failed();
  Committer::Batch batch({}, [] {}, dictionary_->size(), true);
  RIZOMA_TRY(committer_->enqueue(batch));
  writer.unlock();
  return committer_->wait(batch);
}

unsigned Store::target_bytes_for(VertexId num_vertices) const noexcept {
  return num_vertices > format::kMaxNarrowVertices ? 8 : target_bytes_;
}

/// Inner order serves as a speed hint while nearly all edges are those it was made for.
bool Store::ordered_by_degree() const noexcept {
  return order_ == VertexOrder::degree && out_->upper_entries() <= ordered_entries_ + ordered_entries_ / 8;
}

Status Store::check_num_vertices(VertexId num_vertices) const {
  if (num_vertices <= format::kMaxVertices && num_vertices >> schema_.section_bits < format::kMaxSections) return {};
  return Error{ErrorCode::invalid_argument,
               std::to_string(num_vertices) + " vertices are too many for sections of 2^" +
                   std::to_string(schema_.section_bits) + ": make the graph with more section bits, or, if ids are "
                   "sparse, with ids of kind integer"};
}

/// Makes a change visible; one at a time.
void Store::apply(const EdgeColumns& edges, VertexId num_vertices) {
  if (num_vertices > num_vertices_) {
    const std::lock_guard guard(state_mutex_);
    out_->reserve(num_vertices);
    if (in_) in_->reserve(num_vertices);
  }
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
  const VertexId before = dictionary_->size();
  Change change;
  if (size(vertices) != 0) RIZOMA_TRY(dictionary_->find_or_add(vertices));
  if (edges.size() != 0) {
    RIZOMA_ASSIGN(change.sources, dictionary_->find_or_add(edges.sources));
    RIZOMA_ASSIGN(change.targets, dictionary_->find_or_add(edges.targets));
    change.weights = edges.weights;
    if (schema_.self_loops == SelfLoops::drop) drop_self_loops(change.sources, change.targets, change.weights);
  }
  change.num_vertices = dictionary_->size();
  RIZOMA_TRY(check_num_vertices(change.num_vertices));
  RIZOMA_TRY(log_new_vertices(before, change.payload));
  if (!change.sources.empty()) change.payload.edges(change.edges());
  return change;
}

Status Store::add(const EdgeBatch& edges, const IdColumn& vertices) {
  RIZOMA_TRY(check_batch(edges, schema().weights));
  RIZOMA_ASSIGN(WriterGuard writer, begin_change());
  const VertexId before = dictionary_->size();
  auto change = prepare(edges, vertices);
  if (!change) {
    dictionary_->rollback(before);
    return std::move(change).error();
  }
  if (change->payload.empty()) return {};
  return commit(std::move(writer), before, change->payload, [&] { apply(change->edges(), change->num_vertices); });
}

Result<std::shared_ptr<const StoreSnapshot>> Store::snapshot() {
  RIZOMA_TRY(check_process());
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
  info.durability = options_.durability;
  if (committer_) info.log_bytes = committer_->log_bytes();
  if (const auto error = maintenance_->error()) info.background_error = error->message;
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
  if (process_id() != process_) return {};  // it is the parent's to close
  maintenance_->stop();
  const std::lock_guard maintenance(maintenance_mutex_);
  Status status;
  const bool open = committer_ != nullptr && committer_->has_log() && committer_->health();
  if (open && committer_->log_bytes() > options_.close_limit) status = checkpoint_now(options_.rewrite_percent);
  const WriterGuard writer(writer_mutex_);
  if (closed_) return {};
  if (open) {
    const Status closed = close_log();
    if (status) status = closed;
  }
  closed_ = true;
  if (committer_) committer_->set_log(nullptr, 0);
  lock_ = nullptr;
  return status;
}

Status Store::close_log() {
  settle();
  RIZOMA_TRY(committer_->health());
  RIZOMA_TRY(committer_->sync_log());
  RIZOMA_TRY(committer_->log().trim());
  return write_closed_record();
}

/// With it the next open knows where the log must end, so that damage there does not pass for a torn tail.
Status Store::write_closed_record() {
  const Log& log = committer_->log();
  const format::PublishRecord record = closed_record(log.number(), log.end(), log.next_sequence());
  RIZOMA_ASSIGN(const auto manifest, medium_->open(manifest_name(file_number_), FileMode::write));
  RIZOMA_TRY(manifest->write(manifest_end_, std::as_bytes(std::span(&record, 1))));
  return manifest->sync();
}

}  // namespace rizoma
