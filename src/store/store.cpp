#include "store/store.h"

#include "base/check.h"
#include "platform/process.h"
#include "store/changer.h"
#include "store/space/data_files.h"
#include "store/file_names.h"

#include <new>
#include <string>
#include <utility>

namespace rizoma {
namespace {

const char* purpose_of(const std::string& name) {
  if (name == kDataName) return "sections and dictionary";
  if (number_in(name, kLogPrefix)) return "log";
  if (manifest_number_in(name)) return "manifest";
  if (name == kSuperblockName || name == kNewSuperblockName) return "superblock";
  return name == "location" ? "location" : "other";
}

}  // namespace

Store::Store(std::shared_ptr<Medium> medium, const StoreOptions& options, bool read_only, std::shared_ptr<Space> space)
    : medium_(std::move(medium)),
      options_(options),
      read_only_(read_only),
      process_(process_id()),
      space_(space != nullptr
                 ? std::move(space)
                 : std::make_shared<Space>(
                       medium_, SpaceSettings{options.locations, options.open_location, options.path}, read_only)),
      user_code_(options.patience),
      renumbering_code_(options.patience),
      retry_at_(options.log_limit),
      maintenance_(std::make_unique<Maintenance>()),
      healing_(std::make_unique<Healing>()) {}

Store::~Store() {
  try {
    static_cast<void>(close());  // a destructor has nobody to tell; nothing acknowledged depends on it
  } catch (const std::bad_alloc&) {
  }
  if (process_id() == process_) {
    maintenance_->stop();  // after a close that was refused, too; and first, for its thread calls the other
    healing_->stop();
    return;
  }
  // Threads of the parent may have been at these when it forked: they cannot be destroyed here.
  static_cast<void>(maintenance_.release());
  static_cast<void>(healing_.release());
  static_cast<void>(committer_.release());
}

GraphSchema Store::schema() const {
  const MutexLock guard(state_mutex_);
  return schema_;
}

GraphSchema Store::load_schema() const {
  const MutexLock guard(state_mutex_);
  GraphSchema schema = schema_;
  if (!bits_fixed_) schema.section_bits = 0;
  return schema;
}

Status Store::check_caller() const {
  if (user_code_.is_called_by_this_thread() || renumbering_code_.is_called_by_this_thread()) {
    return Error{ErrorCode::invalid_argument,
                 "the graph at " + medium_->describe() +
                     " cannot be changed, flushed or closed from within the progress of a change to it "
                     "(a progress function, or a signal handler)"};
  }
  return check_process();
}

Status Store::check_process() const {
  if (process_id() == process_) return {};
  return Error{ErrorCode::closed,
               "the graph at " + medium_->describe() + " belongs to process " + std::to_string(process_) +
                   ", from which this one was forked: open it here anew, for reading only while it is "
                   "open there"};
}

Status Store::check_writable() const {
  if (closed_) return Error{ErrorCode::closed, "the graph at " + medium_->describe() + " is closed"};
  if (read_only_)
    return Error{ErrorCode::invalid_argument, "the graph at " + medium_->describe() + " was opened for reading only"};
  return committer_->health();
}

/// Waits for one of the store's locks; holds it unless the user's code under them is overdue.
PatientLock Store::attempt(PatientMutex& mutex) {
  const bool maintains = &mutex == &maintenance_mutex_;
  const auto overdue = [&] { return user_code_.is_overdue() || (maintains && renumbering_code_.is_overdue()); };
  return {mutex, overdue, user_code_.pause()};
}

/// The same, with an Error of code locked.
Result<PatientLock> Store::acquire(PatientMutex& mutex) {
  const bool maintains = &mutex == &maintenance_mutex_;
  if (maintains) ++maintenance_awaited_;
  PatientLock lock = attempt(mutex);
  if (maintains) --maintenance_awaited_;
  if (lock.owns_lock()) return lock;
  return Error{ErrorCode::locked,
               "the graph at " + medium_->describe() +
                   " is being changed by another thread, whose progress function or signal handler has not returned "
                   "for more than " +
                   std::to_string(user_code_.patience().count()) +
                   " ms: nothing was done; try again once it has, and let it wait for no thread that uses the graph"};
}

/// Takes the writer lock once a change may be made.
Result<PatientLock> Store::begin_change() {
  RIZOMA_TRY(check_caller());
  if (!read_only_) wait_for_room();
  RIZOMA_ASSIGN(const PatientLock entering, acquire(entry_mutex_));
  RIZOMA_ASSIGN(PatientLock writer, acquire(writer_mutex_));
  writer.holds(writer_mutex_);
  RIZOMA_TRY(check_writable());
  roll_back_failed();
  RIZOMA_TRY(note_change_after_close());
  return writer;
}

/// Takes back what changes staged that did not get into the log.
void Store::roll_back_failed() {
  const auto left = committer_->take_failure();
  if (!left) return;
  committer_->drain();  // those before them are still becoming visible
  dictionary_->rollback(*left);
  out_->rewind_all();
  if (in_) in_->rewind_all();
  edge_rows_.rewind_all();
  vertex_rows_.rewind_all();
  staged_removed_ = removed_;
}

/// Returns when the published state is that of all changes so far; needs the writer lock.
void Store::settle() {
  committer_->drain();
  roll_back_failed();
}

/// One change: `prepare` stages and encodes it; then it becomes durable, then visible.
Status Store::change(FunctionRef<Status(Changer&)> prepare) {
  RIZOMA_ASSIGN(PatientLock writer, begin_change());
  writer.holds(writer_mutex_);
  Changer changer(*this);
  RIZOMA_TRY(prepare(changer));
  // Without effect it waits all the same: what it found done may be on its way yet, and may fail.
  const StagedChange staged = end_staging();
  Committer::Batch batch(changer.payload().bytes(), [&] { publish_change(staged); }, changer.first_vertex());
  const Status enqueued = committer_->enqueue(batch);
  changer.keep();  // from here on a failure is for roll_back_failed
  if (!enqueued) {
    roll_back_failed();
    return enqueued;
  }
  writer.unlock(writer_mutex_);
  RIZOMA_TRY(committer_->wait(batch));
  after_change();
  return {};
}

Status Store::flush() {
  RIZOMA_TRY(check_caller());
  RIZOMA_ASSIGN(PatientLock writer, acquire(writer_mutex_));
  writer.holds(writer_mutex_);
  RIZOMA_TRY(check_writable());
  roll_back_failed();
  Committer::Batch batch({}, [] {}, dictionary_->size(), true);
  RIZOMA_TRY(committer_->enqueue(batch));
  writer.unlock(writer_mutex_);
  return committer_->wait(batch);
}

unsigned Store::target_bytes_for(VertexId num_vertices) const noexcept {
  return num_vertices > format::kMaxNarrowVertices ? 8 : target_bytes_;
}

/// Inner order serves as a speed hint while nearly all edges are those it was made for.
bool Store::ordered_by_degree() const noexcept {
  return order_ == VertexOrder::degree && out_->upper_entries() <= ordered_entries_ + ordered_entries_ / 8;
}

/// Makes room for so many vertices.
Status Store::set_num_vertices(VertexId num_vertices) {
  if (num_vertices > format::kMaxVertices || num_vertices >> schema_.section_bits >= format::kMaxSections) {
    return Error{ErrorCode::invalid_argument, std::to_string(num_vertices) +
                                                  " vertices are too many for sections of 2^" +
                                                  std::to_string(schema_.section_bits) +
                                                  ": make the graph with more section bits, or, if ids are "
                                                  "sparse, with ids of kind integer"};
  }
  const MutexLock guard(state_mutex_);
  out_->reserve(num_vertices);
  if (in_) in_->reserve(num_vertices);
  return {};
}

void Store::begin_staging() {
  out_->begin_batch();
  if (in_) in_->begin_batch();
  edge_rows_.begin_batch();
  vertex_rows_.begin_batch();
}

/// Changes both directions of the edges, and both ends of undirected ones; not yet visible.
void Store::stage(ChangeKind kind, const EdgeColumns& edges) {
  for (std::size_t i = 0; i < edges.sources.size(); ++i) {
    const VertexId u = edges.sources[i];
    const VertexId v = edges.targets[i];
    const double weight = edges.weights.empty() ? 0 : edges.weights[i];
    out_->stage(kind, u, v, weight);
    if (in_) in_->stage(kind, v, u, weight);
    if (!schema_.directed && u != v) out_->stage(kind, v, u, weight);
  }
}

Store::StagedChange Store::end_staging() {
  StagedChange change;
  change.out = out_->end_batch();
  if (in_) change.in = in_->end_batch();
  change.num_vertices = dictionary_->size();
  change.removed = staged_removed_;
  change.edge_rows = edge_rows_.end_batch();
  change.vertex_rows = vertex_rows_.end_batch();
  return change;
}

/// Makes a change visible; one at a time, in the order of staging.
void Store::publish_change(const StagedChange& change) noexcept {
  const MutexLock guard(state_mutex_);
  num_vertices_ = change.num_vertices;
  removed_ = change.removed;
  out_->publish(change.out);
  if (in_) in_->publish(change.in);
  edge_rows_.publish(change.edge_rows);
  vertex_rows_.publish(change.vertex_rows);
  snapshot_ = nullptr;
  healing_->note_change();
}

Status Store::add(const EdgeBatch& edges, const IdColumn& vertices) {
  return change([&](Changer& changer) -> Status {
    RIZOMA_TRY(changer.add_vertices(vertices));
    return changer.add_edges(edges);
  });
}

Result<ChangeCounts> Store::apply(const Batch& batch) {
  SerialExecutor serial;
  return apply(batch, serial);
}

Result<ChangeCounts> Store::apply(const Batch& batch, Executor& executor) {
  std::uint64_t rows = 0;
  for (const Batch::Step& step : batch.steps()) rows += step.edges.size() + size(step.vertices);
  ChangeCounts counts;
  const Status status = change([&](Changer& changer) -> Status {
    changer.report_to(executor, rows);
    for (const Batch::Step& step : batch.steps()) RIZOMA_TRY(changer.apply(step));
    counts = changer.counts();
    return {};
  });
  if (!status) return status.error();
  return counts;
}

Result<std::shared_ptr<const StoreSnapshot>> Store::snapshot() {
  RIZOMA_TRY(check_process());
  const MutexLock guard(state_mutex_);
  if (snapshot_ == nullptr) {
    StoreSnapshot::Parts parts;
    parts.schema = schema_;
    parts.num_vertices = num_vertices_;
    parts.target_bytes = target_bytes_for(num_vertices_);
    parts.ordered_by_degree = ordered_by_degree();
    parts.out = out_->versions(num_vertices_, parts.target_bytes);
    if (in_) parts.in = in_->versions(num_vertices_, parts.target_bytes);
    for (const TiedLease& tied : dictionary_extents_) parts.dictionary.push_back(tied.lease);
    parts.removed = removed_;
    parts.agreed = agreed_;
    parts.edge_rows = edge_rows_.state();
    parts.vertex_rows = vertex_rows_.state();
    if (pin_ == nullptr) pin_ = space_->pin(generation_);
    parts.pin = pin_;
    snapshot_ = std::make_shared<const StoreSnapshot>(std::move(parts), dictionary_->view(num_vertices_));
  }
  return snapshot_;
}

Result<GraphInfo> Store::info() {
  RIZOMA_ASSIGN(const auto snapshot, this->snapshot());
  GraphInfo info;
  {
    const MutexLock guard(state_mutex_);
    info.order = order_;
    info.order_reason = order_reason_;
    info.generation = generation_;
  }
  info.schema = snapshot->schema();
  info.num_vertices = snapshot->num_live();
  info.removed_vertices = snapshot->num_vertices() - snapshot->num_live();
  RIZOMA_ASSIGN(const auto counts, snapshot->count_entries());
  info.num_entries = counts.first;
  info.num_edges = info.schema.directed ? counts.first : (counts.first + counts.second) / 2;
  info.pending_entries = snapshot->pending_entries();
  info.num_sections = snapshot->parts().out.size();
  info.section_bits = info.schema.section_bits;
  info.location = medium_->describe();
  info.durability = options_.durability;
  if (committer_) info.log_bytes = committer_->log_bytes();
  if (const auto error = maintenance_->error()) info.background_error = error->message;
  info.healing = healing_info();
  RIZOMA_TRY(list_files(info));
  return info;
}

Status Store::list_files(GraphInfo& info) const {
  const auto add = [&info](Medium& medium, const std::string& directory) -> Status {
    RIZOMA_ASSIGN(const auto names, medium.list());
    for (const std::string& name : names) {
      const auto file = medium.open(name, FileMode::read);
      if (!file) continue;  // a checkpoint has just removed it
      RIZOMA_ASSIGN(const std::uint64_t bytes, (*file)->size());
      RIZOMA_ASSIGN(const std::uint64_t allocated, (*file)->allocated());
      info.files.push_back({directory + name, purpose_of(name), bytes, allocated});
      info.bytes_on_disk += allocated;
    }
    return {};
  };
  RIZOMA_TRY(add(*medium_, ""));
  {
    const MutexLock guard(state_mutex_);
    info.format_version = format_;
  }
  for (const OpenLocation& location : space_->locations()) {
    if (location.medium != nullptr) RIZOMA_TRY(add(*location.medium, location.entry.path + "/"));
    if (location.entry.is_home) info.locations.push_back(location.medium ? location.entry.path : medium_->describe());
  }
  return {};
}

Status Store::close() {
  if (process_id() != process_) return {};  // it is the parent's to close
  RIZOMA_TRY(check_caller());
  Status status;
  {
    RIZOMA_ASSIGN(const PatientLock maintenance, acquire(maintenance_mutex_));
    maintenance.holds(maintenance_mutex_);
    const bool has_log = committer_ != nullptr && committer_->has_log();
    const bool open = has_log && committer_->healthy();
    if (has_log) status = committer_->lost();
    // A new manifest has two copies that are whole.
    const bool worth_it =
        open && (committer_->log_bytes() > options_.close_limit || space_->moved() || manifest_damage_);
    if (worth_it) status = checkpoint_now(options_.rewrite_percent);
    if (!status && status.error().code == ErrorCode::locked) return status;  // refused: the store stays open
    RIZOMA_ASSIGN(const PatientLock writer, acquire(writer_mutex_));
    writer.holds(writer_mutex_);
    if (closed_) return {};
    if (committer_) settle();
    if (open) {
      Status closed = close_log();
      if (closed && !status) {
        closed = Error{status.error().code, "the graph at " + medium_->describe() +
                                                " is closed and every change is safe in its "
                                                "log, which could not be moved into sections: " +
                                                status.error().message};
      }
      status = closed;
      if (status) space_->give_back(0);
    }
    closed_ = true;
    if (committer_) committer_->set_log(nullptr, 0);
    lock_ = nullptr;
  }
  // Last, and without a lock that it may be waiting for: a close that is refused leaves the store its thread, and one
  // that is done leaves that nothing to do.
  maintenance_->stop();
  healing_->stop();
  return status;
}

Status Store::close_log() {
  RIZOMA_TRY(committer_->health());
  RIZOMA_TRY(committer_->sync_log());
  RIZOMA_TRY(committer_->log().trim());
  return write_closed_record();
}

/// With it the next open knows where the log must end, so that damage there does not pass for a torn tail.
Status Store::write_closed_record() {
  const Log& log = committer_->log();
  if (log.end() == closed_at_) return {};  // nothing came since
  return append_publish_record(
      *medium_, file_number_, manifest_ends_,
      publish_record(format::PublishKind::closed, log.number(), log.end(), log.next_sequence()));
}

/// Before the first change after a clean close: from now on the log may end anywhere behind where it ended then.  A log
/// that ends there all the same is whole only if nobody noted this.
Status Store::note_change_after_close() {
  if (closed_at_ == 0) return {};
  const Log& log = committer_->log();
  RIZOMA_TRY(append_publish_record(
      *medium_, file_number_, manifest_ends_,
      publish_record(format::PublishKind::changed, log.number(), log.end(), log.next_sequence())));
  closed_at_ = 0;
  return {};
}

}  // namespace rizoma
