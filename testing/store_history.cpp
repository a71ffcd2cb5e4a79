#include "testing/store_history.h"

#include "base/check.h"
#include "store/loading/bulk_load.h"
#include "store/manifest/superblock.h"
#include "testing/filtered_medium.h"
#include "testing/ids_below.h"

#include <algorithm>
#include <functional>
#include <thread>
#include <utility>

namespace rizoma {

namespace {

/// Does something else at each progress report.
class InterruptedExecutor final : public Executor {
 public:
  explicit InterruptedExecutor(std::function<void()> on_report) : on_report_(std::move(on_report)) {}
  [[nodiscard]] unsigned threads() const noexcept override { return 1; }
  [[nodiscard]] bool stopping() const noexcept override { return false; }
  Status report(std::string_view, double, double) override {
    on_report_();
    return {};
  }
  void parallel(FunctionRef<void(unsigned)> body) override { body(0); }
  Status for_blocks(std::uint64_t size, std::uint64_t grain, FunctionRef<void(VertexRange, unsigned)> body) override {
    return SerialExecutor().for_blocks(size, grain, body);
  }

 private:
  std::function<void()> on_report_;
};

}  // namespace

GraphSchema schema_number(std::uint64_t i) {
  Random random(i);
  GraphSchema schema;
  schema.directed = i % 2 == 1;
  schema.in_edges = random.below(4) != 0;
  schema.weights = static_cast<WeightType>(i / 2 % 4);
  schema.ids = static_cast<IdKind>(i / 8 % 3);
  schema.parallel_edges = static_cast<ParallelEdges>(random.below(2));
  schema.self_loops = static_cast<SelfLoops>(random.below(2));
  schema.section_bits = 2 + static_cast<unsigned>(random.below(3));
  if (i % 3 == 2) add_model_columns(schema);
  set_model_rules(schema, static_cast<ParallelRule>(i / 4 % 5), i % 5 == 0 ? ParallelRule::first : ParallelRule::last);
  return schema;
}

std::string random_script(std::uint64_t seed, std::size_t steps) {
  constexpr std::string_view kSteps = "aaarrrrvcckoOhtxRR";
  Random random(seed);
  std::string script;
  if (random.below(4) == 0) script += random.below(2) == 0 ? 'l' : 's';
  while (script.size() < steps) script += kSteps[random.below(kSteps.size())];
  return script;
}

StoreHistory::StoreHistory(std::shared_ptr<Medium> medium, const FaultMedium* recorder, const StoreOptions& options,
                           std::uint64_t seed)
    : below_(std::move(medium)),
      medium_(make_filtered_medium(
          *below_,
          [this](OperationKind kind, std::string_view file, const std::function<Status()>& operation) {
            interrupt(kind, file);
            return operation();
          })),
      recorder_(recorder),
      options_(options),
      random_(seed),
      attempted_(options.schema) {}

void StoreHistory::note(std::uint64_t begun) {
  const bool durable = options_.durability == Durability::always;
  moments_.push_back({attempted_, begun, durable ? position() : UINT64_MAX});
}

void StoreHistory::note_durable(std::size_t moments) {
  for (std::size_t i = 0; i < moments; ++i) moments_[i].acknowledged = std::min(moments_[i].acknowledged, position());
}

Status StoreHistory::create() {
  const std::uint64_t begun = position();
  RIZOMA_ASSIGN(store_, Store::create(medium_, options_));
  note(begun);
  note_durable(1);
  return {};
}

Status StoreHistory::open(StoreModel state) {
  RIZOMA_ASSIGN(store_, Store::open(medium_, options_));
  attempted_ = std::move(state);
  steps_.set_ids(attempted_.schema().ids);
  moments_.push_back({attempted_, 0, 0});
  return {};
}

Status StoreHistory::reopen() {
  RIZOMA_TRY(store_->close());
  store_ = nullptr;
  RIZOMA_ASSIGN(store_, Store::open(medium_, options_));
  return {};
}

Result<bool> StoreHistory::shows(const StoreModel& state) {
  RIZOMA_ASSIGN(const auto snapshot, store_->snapshot());
  RIZOMA_ASSIGN(const bool same, equals(*snapshot, state));
  return same && state.tags().size() == store_->tags().size();
}

Result<std::unique_ptr<Store>> StoreHistory::open_with(const Mistake* mistake) {
  if (mistake == nullptr) return Store::open(medium_, options_);
  const auto broken = make_broken_medium(*medium_, *mistake);
  behind_.push_back(std::exchange(medium_, broken.medium));
  auto opened = Store::open(medium_, options_);
  broken.mend();
  return opened;
}

Status StoreHistory::resume(const Mistake* mistake) {
  auto opened = open_with(mistake);
  if (!opened && opened.error().code == ErrorCode::not_found && moments_.empty()) return create();
  RIZOMA_ASSIGN(store_, std::move(opened));
  RIZOMA_ASSIGN(const bool done, shows(attempted_));
  if (done) {
    note(begun_);
    note_durable(moments_.size());
    return {};
  }
  StoreModel before = model();
  RIZOMA_ASSIGN(const bool undone, shows(before));
  if (!undone) return Error{ErrorCode::corrupt, "an acknowledged change is missing, or part of another is there"};
  moments_.push_back({std::exchange(attempted_, std::move(before)), begun_, Moment::kNever});
  note(begun_);
  note_durable(moments_.size());
  return {};
}

Status StoreHistory::change(bool with_edges) {
  attempted_ = StoreModel(model());
  const auto added = with_edges ? steps_.edges() : std::vector<StoreModel::Added>();
  // A change of edges and lone vertices is as atomic as one of edges.
  const auto alone = with_edges && random_.below(2) == 0 ? std::vector<std::int64_t>() : steps_.vertices();
  attempted_.add(added);
  attempted_.add_vertices(alone);
  const std::uint64_t begun = position();
  RIZOMA_TRY(store_->add(attempted_.batch(added), attempted_.column(alone)));
  note(begun);
  return {};
}

Status StoreHistory::change_of_every_kind() {
  attempted_ = StoreModel(model());
  Batch batch;
  ChangeCounts counts;
  for (std::uint64_t steps = 1 + random_.below(4); steps > 0; --steps) steps_.append(batch, attempted_, counts);
  const std::uint64_t begun = position();
  if (const auto done = store_->apply(batch); !done) return done.error();
  note(begun);
  return {};
}

/// One of a few names is tagged, or untagged if it was.
Status StoreHistory::tag_or_untag() {
  attempted_ = StoreModel(model());
  const std::string name = "t" + std::to_string(random_.below(3));
  const bool tagged = attempted_.tags().contains(name);
  tagged ? attempted_.untag(name) : attempted_.tag(name);
  const std::uint64_t begun = position();
  RIZOMA_TRY(tagged ? store_->untag(name) : store_->tag(name));
  note(begun);
  return {};
}

/// A column more, or one less; what the model knows of stays.
Status StoreHistory::change_columns() {
  attempted_ = StoreModel(model());
  const GraphSchema schema = store_->schema();
  const bool there = std::any_of(schema.vertex_columns.begin(), schema.vertex_columns.end(),
                                 [](const ColumnSchema& column) { return column.name == "further"; });
  const std::uint64_t begun = position();
  RIZOMA_TRY(there ? store_->drop_column(RowKind::vertices, "further")
                   : store_->add_column(RowKind::vertices, {0, ColumnType::int64, true, "further"}));
  note(begun);
  return {};
}

Status StoreHistory::same_edge() {
  attempted_ = StoreModel(model());
  const std::vector<StoreModel::Added> added{{{0, 1}, 1}};
  attempted_.add(added);
  const std::uint64_t begun = position();
  RIZOMA_TRY(store_->add_edges(attempted_.batch(added)));
  note(begun);
  return {};
}

/// Another kind of ids for the state that comes next, and for all that is added from now on.
IdKind StoreHistory::take_another_kind() {
  const auto kind = static_cast<IdKind>(random_.below(3));
  attempted_.set_ids(kind);
  steps_.set_ids(kind);
  return kind;
}

Status StoreHistory::settle_ids() {
  attempted_ = StoreModel(model());
  const std::uint64_t begun = position();
  const bool open = attempted_.num_vertices() == 0 && !attempted_.schema().ids_fixed;
  RIZOMA_ASSIGN(const IdKind kind, store_->settle_ids(open ? take_another_kind() : IdKind::string, false));
  const bool became_integers = kind == IdKind::integer && attempted_.schema().ids == IdKind::dense;
  if (kind != attempted_.schema().ids && !became_integers)
    return Error{ErrorCode::corrupt, "a kind of ids that was not settled"};
  note(begun);
  return {};
}

/// The checkpoint, at whose operations outside of its two short locks another thread makes changes at random.  Freezing
/// ends before the first write or sync of a data file; the second lock is held while the superblock is written.  Which
/// changes, and where, follows from the seed.
Status StoreHistory::among_changes(FunctionRef<Status()> checkpoint) {
  RIZOMA_TRY(fill_dense());
  interruption_ = {};
  interruptible_ = true;
  frozen_ = false;
  const Status status = checkpoint();
  interruptible_ = false;
  RIZOMA_TRY(interruption_);
  return status;
}

/// Dense ids that get gaps become integers by a publication, for which a change waits until another one is over: one
/// that is to come while that goes on finds all numbers there.
Status StoreHistory::fill_dense() {
  if (store_->schema().ids != IdKind::dense) return {};
  attempted_ = StoreModel(model());
  const auto ids = ids_below(RandomSteps::kWidth);
  attempted_.add_vertices(ids);
  const std::uint64_t begun = position();
  RIZOMA_TRY(store_->add_vertices(ids));
  note(begun);
  return {};
}

void StoreHistory::interrupt(OperationKind kind, std::string_view file) {
  const bool locked = file.starts_with("log.") || kind == OperationKind::sync_names || kind == OperationKind::resize ||
                      kind == OperationKind::discard;
  if (!locked && !file.starts_with("manifest")) frozen_ = true;
  if (locked || file == kSuperblockName || !frozen_ || random_.below(3) != 0) return;
  change_elsewhere();
}

void StoreHistory::change_elsewhere() {
  if (!interruptible_) return;
  interruptible_ = false;
  std::thread([this] {
    Status status = change_of_every_kind();
    if (!status) interruption_ = std::move(status);
  }).join();
  interruptible_ = true;
}

/// Beside the operations of a renumbering, its progress is where changes come: between its rounds of catching up.
Status StoreHistory::renumber_among_changes() {
  InterruptedExecutor executor([this] {
    if (random_.below(3) == 0) change_elsewhere();
  });
  const VertexOrder order = random_.below(2) == 0 ? VertexOrder::degree : VertexOrder::given;
  return among_changes([&] { return store_->compact(executor, order); });
}

Status StoreHistory::reorder_among_changes() {
  RIZOMA_ASSIGN(const GraphInfo before, store_->info());
  RIZOMA_TRY(among_changes([&]() -> Status {
    store_->reorder_if_due();
    return {};
  }));
  RIZOMA_ASSIGN(const GraphInfo after, store_->info());
  reorderings_ += after.reordering.done - before.reordering.done;
  if (!after.reordering.error.empty()) return Error{ErrorCode::io, after.reordering.error};
  return {};
}

Status StoreHistory::load(bool spills) {
  attempted_ = StoreModel(model());
  GraphSchema schema = store_->load_schema();
  if (!schema.ids_fixed) schema.ids = take_another_kind();
  RIZOMA_ASSIGN(const auto target, store_->load_target(schema.ids));
  LoadSettings settings;
  settings.spill = medium_.get();
  settings.memory_limit = spills ? 64 << 10 : 0;  // enough for the vertices; any edge is too much
  settings.order = random_.below(2) == 0 ? VertexOrder::degree : VertexOrder::given;
  BulkLoader loader(schema, settings, *target);
  RIZOMA_TRY(add_and_finish(loader));
  RIZOMA_CHECK((loader.spilled_bytes() > 0) == spills);
  return {};
}

Status StoreHistory::append() {
  attempted_ = StoreModel(model());
  SerialExecutor serial;
  auto with = store_->append_target();
  if (!with) return with.error().code == ErrorCode::unsupported ? store_->checkpoint() : Status(with.error());
  LoadSettings settings;
  settings.spill = medium_.get();
  settings.memory_limit = random_.below(2) == 0 ? 256 << 10 : 0;
  settings.order = random_.below(2) == 0 ? VertexOrder::degree : VertexOrder::given;
  BulkLoader loader(store_->load_schema(), settings, *with->target);
  RIZOMA_ASSIGN(const GraphView view, with->present->entry_view(serial));
  RIZOMA_TRY(loader.add_graph(view, with->present->ids(), serial));
  return add_and_finish(loader);
}

Status StoreHistory::add_and_finish(BulkLoader& loader) {
  const std::uint64_t begun = position();
  for (int batch = 0; batch < 3; ++batch) {
    const auto added = steps_.edges();
    attempted_.add(added);
    RIZOMA_TRY(loader.add(attempted_.batch(added)));
  }
  SerialExecutor serial;
  RIZOMA_TRY(loader.finish(serial));
  note(begun);
  return {};
}

Status StoreHistory::step(char what) {
  begun_ = position();
  switch (what) {
    case 'a': return change(true);
    case 'v': return change(false);
    case 'h': return reorder_among_changes();
    case 'r': return change_of_every_kind();
    case 'e': return same_edge();
    default: break;
  }
  const std::size_t before = moments_.size();
  RIZOMA_TRY(durable_step(what));
  // What came while a checkpoint went on is in the log after it.
  note_durable(what == 'C' || what == 'K' || what == 'O' ? before : moments_.size());
  return {};
}

/// A step after which everything before it is durable.
Status StoreHistory::durable_step(char what) {
  SerialExecutor serial;
  switch (what) {
    case 'f': return store_->flush();
    case 'l': return load(false);
    case 's': return load(true);
    case 'A': return append();
    case 'c': return store_->checkpoint();
    case 'C': return among_changes([&] { return store_->checkpoint(); });
    case 'k': return store_->compact(serial, std::nullopt);
    case 'K': return among_changes([&] { return store_->compact(serial, std::nullopt); });
    case 'o': return store_->compact(serial, random_.below(2) == 0 ? VertexOrder::degree : VertexOrder::given);
    case 'O': return renumber_among_changes();
    case 'd': return settle_ids();
    case 'p': return model().tags().empty() ? store_->purge(serial, std::nullopt) : store_->checkpoint();
    case 't': return tag_or_untag();
    case 'x': return change_columns();
    case 'R': return reopen();
    default: break;
  }
  RIZOMA_CHECK(false && "a step that is not one");
  return {};
}

Status StoreHistory::run(std::string_view script, bool reopens) {
  for (const char what : script) {
    RIZOMA_TRY(step(what));
    if (reopens && what != 'R') RIZOMA_TRY(step('R'));
  }
  return {};
}

}  // namespace rizoma
