#include "store/store.h"

#include "store/writing/transaction.h"
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

Store::Store(std::shared_ptr<Medium> medium, StoreOptions options, bool read_only)
    : medium_(std::move(medium)),
      options_(std::move(options)),
      read_only_(read_only),
      access_(medium_->describe(), options_.lock_timeout),
      space_(medium_, SpaceSettings{options_.locations, options_.open_location, options_.path}, read_only),
      contents_(space_),
      writer_(access_, *medium_, contents_, options_, read_only),
      publisher_(access_, *medium_, options_, read_only, space_, contents_, writer_),
      recovery_(publisher_),
      checkpointer_(publisher_),
      tags_(publisher_, checkpointer_),
      rewriter_(publisher_, checkpointer_, [this] { reorderer_.note_new_order(); }),
      reorderer_(publisher_, checkpointer_, rewriter_) {}

GraphSchema Store::schema() const { return contents_.present_schema(); }

GraphSchema Store::load_schema() const { return contents_.load_schema(); }

// ---- changes ----

Status Store::change(FunctionRef<Status(Transaction&)> prepare) {
  RIZOMA_TRY(access_.check());
  if (!read_only_) checkpointer_.wait_for_room();
  bool has_gaps = false;
  const auto prepare_whole = [&](Transaction& transaction) -> Status {
    Status prepared = prepare(transaction);
    if (prepared) prepared = transaction.expect_no_gaps();
    has_gaps = transaction.has_gaps();
    return prepared;
  };
  Result<bool> changed = writer_.change(prepare_whole);
  if (has_gaps) {
    RIZOMA_TRY(rewriter_.use_integer_ids());
    changed = writer_.change(prepare_whole);
  }
  RIZOMA_ASSIGN(const bool had_effect, std::move(changed));
  if (had_effect) reorderer_.note_change();
  checkpointer_.after_change([this] { return reorderer_.wants_a_look(); });
  return {};
}

Status Store::flush() { return writer_.flush(); }

Status Store::add(const EdgeBatch& edges, const IdColumn& vertices) {
  return change([&](Transaction& transaction) -> Status {
    RIZOMA_TRY(transaction.add_vertices(vertices));
    return transaction.add_edges(edges);
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
  const Status status = change([&](Transaction& transaction) -> Status {
    transaction.report_to(executor, rows);
    for (const Batch::Step& step : batch.steps()) RIZOMA_TRY(transaction.apply(step));
    counts = transaction.counts();
    return {};
  });
  if (!status) return status.error();
  return counts;
}

// ---- what is there ----

Result<std::shared_ptr<const StoreSnapshot>> Store::snapshot() {
  RIZOMA_TRY(access_.check_process());
  return contents_.snapshot();
}

Result<GraphInfo> Store::info() {
  RIZOMA_ASSIGN(const auto snapshot, this->snapshot());
  GraphInfo info;
  {
    const MutexLock guard(contents_.mutex);
    info.order = contents_.order;
    info.order_reason = contents_.order_reason;
    info.generation = contents_.generation;
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
  if (writer_.has_committer()) info.log_bytes = writer_.committer().log_bytes();
  if (const auto error = checkpointer_.error()) info.background_error = error->message;
  info.reordering = reorderer_.info();
  info.healing = info.reordering;
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
  for (const OpenLocation& location : space_.locations()) {
    if (location.medium != nullptr) RIZOMA_TRY(add(*location.medium, location.entry.path + "/"));
    if (location.entry.is_home) info.locations.push_back(location.medium ? location.entry.path : medium_->describe());
  }
  info.format_version = publisher_.format();
  return {};
}

// ---- durable states ----

Status Store::checkpoint() { return checkpointer_.checkpoint(); }

Status Store::place(std::vector<unsigned> home_of_section) { return checkpointer_.place(std::move(home_of_section)); }

Status Store::compact(Executor& executor, std::optional<VertexOrder> order, const LoadSettings& settings) {
  return rewriter_.compact(executor, order, settings);
}

Status Store::purge(Executor& executor, std::optional<VertexOrder> order, const LoadSettings& settings) {
  return rewriter_.purge(executor, order, settings);
}

void Store::reorder_if_due() { reorderer_.reorder_if_due(); }

Status Store::add_column(RowKind kind, ColumnSchema column) { return rewriter_.add_column(kind, std::move(column)); }

Status Store::drop_column(RowKind kind, std::string_view name) { return rewriter_.drop_column(kind, name); }

Status Store::tag(std::string_view name) { return tags_.tag(name); }

Status Store::untag(std::string_view name) {
  RIZOMA_TRY(tags_.untag(name));
  if (checkpointer_.has_thread() && reorderer_.wants_a_look()) checkpointer_.wake();  // the tag kept the order
  return {};
}

std::vector<TagInfo> Store::tags() const { return tags_.all(); }

Status Store::take_values(const StoreSnapshot& from,
                          FunctionRef<Result<std::vector<VertexId>>(std::span<const VertexId>)> renamed,
                          std::vector<std::string>& lost) {
  return rewriter_.take_values(from, renamed, lost);
}

Status Store::take_tags(const Store& from, std::span<const std::string> names) { return tags_.take(from.tags_, names); }

Result<IdKind> Store::settle_ids(IdKind kind, bool for_good) { return rewriter_.settle_ids(kind, for_good); }

Result<std::unique_ptr<LoadTarget>> Store::load_target(IdKind ids) { return rewriter_.load_target(ids); }

Result<LoadOfPresent> Store::append_target() { return rewriter_.append_target(); }

}  // namespace rizoma
