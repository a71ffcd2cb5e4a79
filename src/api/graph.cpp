// Graph, Snapshot and BulkLoad: the public face over store/.
#include <rizoma/engine.h>
#include <rizoma/graph.h>
#include <rizoma/detail/ranks.h>

#include "api/cached_copy.h"
#include "api/load_parts.h"
#include "platform/mutex.h"
#include "api/open_options.h"
#include "api/degree_exchange.h"
#include "platform/file_medium.h"
#include "platform/free_memory.h"
#include "platform/memory_medium.h"
#include "store/columns/column_rules.h"
#include "store/loading/bulk_load.h"
#include "store/manifest/part_file.h"
#include "store/state/filtered.h"
#include "store/state/own_sections.h"
#include "store/repair/store_check.h"
#include "store/store.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

namespace rizoma {
namespace {

Status check_schema(const GraphSchema& stored, const GraphSchema& wanted, const std::string& where) {
  const auto differs = [&](const char* what) {
    return Error{ErrorCode::invalid_argument, "the graph at " + where + " was created with another value of " + what};
  };
  if (stored.directed != wanted.directed) return differs("directed");
  if (stored.weights != wanted.weights) return differs("weights");
  // A dense graph that got ids with gaps has integers.
  const bool ids_became_integers = stored.ids == IdKind::integer && wanted.ids == IdKind::dense;
  if (stored.ids != wanted.ids && !ids_became_integers) return differs("ids");
  if (stored.directed && stored.in_edges != wanted.in_edges) return differs("in_edges");
  if (stored.parallel_edges != wanted.parallel_edges || stored.weight_rule != wanted.weight_rule)
    return differs("parallel_edges");
  if (stored.self_loops != wanted.self_loops) return differs("self_loops");
  if (wanted.section_bits != 0 && stored.section_bits != wanted.section_bits) return differs("section_bits");
  return {};
}

Result<std::unique_ptr<Store>> open_store(std::shared_ptr<Medium> medium, const StoreOptions& store_options,
                                          const OpenOptions& options) {
  if (options.mode == OpenMode::create) return Store::create(std::move(medium), store_options);
  if (options.mode == OpenMode::open_or_create) {
    RIZOMA_ASSIGN(const bool found, Store::exists(*medium));
    if (!found) return Store::create(std::move(medium), store_options);
  }
  const std::string where = medium->describe();
  RIZOMA_ASSIGN(auto store, options.mode == OpenMode::read_only
                                ? Store::open_read_only(std::move(medium), store_options)
                                : Store::open(std::move(medium), store_options));
  if (options.check_schema) RIZOMA_TRY(check_schema(store->schema(), options.schema, where));
  return store;
}

/// Whether this is a partition of a graph that ranks share.
bool is_shared(const Part* part, Engine& engine) { return part != nullptr && engine.ranks() != nullptr; }

/// Partitions decide which rank works on which sections: no other rank has the lists.
Status expect_owners(const Part& part, Engine& engine) {
  if (engine.ranks()->settings().owners.size() == part.owners.size()) return {};
  return Error{ErrorCode::unsupported,
               "ranks that open a distributed graph must agree which of them has which part; open all parts together"};
}

/// Whether the ranks of an engine read each its own lists alone, and this state lets them.
bool reads_own_sections(const StoreSnapshot& state, Engine& engine) {
  const Ranks* const ranks = engine.ranks();
  return ranks != nullptr && !ranks->reads_all_lists() && may_be_read_by_sections(state) &&
         engine.tiers()[Structure::sections].tier == MemoryTier::in_place;
}

}  // namespace

// ---- Snapshot ----

struct Snapshot::Impl {
  std::shared_ptr<const StoreSnapshot> state;
  std::shared_ptr<CachedCopy> copy;
};

Result<GraphView> Snapshot::view(Executor& executor) const { return impl_->state->view(executor); }

Result<GraphView> Snapshot::view(Engine& engine) const {
  if (is_shared(impl_->state->part(), engine)) {
    RIZOMA_TRY(expect_owners(*impl_->state->part(), engine));
    return impl_->state->part_view(engine);
  }
  RIZOMA_TRY(engine.tiers_status());
  if (reads_own_sections(*impl_->state, engine)) {
    return impl_->copy->own_sections([&] { return own_sections_view(impl_->state, engine); });
  }
  return impl_->copy->get(engine, [&] { return impl_->state->view(engine); });
}

Result<GraphView> Snapshot::view(Engine& engine, std::string_view weight) const {
  RIZOMA_TRY(engine.tiers_status());
  if (is_shared(impl_->state->part(), engine)) {
    RIZOMA_TRY(expect_owners(*impl_->state->part(), engine));
    return impl_->state->part_view(engine, weight);
  }
  if (weight == kWeightColumn && schema().weights != WeightType::none && reads_own_sections(*impl_->state, engine)) {
    return view(engine);
  }
  RIZOMA_ASSIGN(GraphView view, impl_->state->view(engine, weight));
  if (engine.tiers()[Structure::sections].tier == MemoryTier::in_place) return view;
  return engine.working_copy(view);
}

const std::shared_ptr<query::MatchMemory>& Snapshot::match_memory() const noexcept {
  return impl_->copy->match_memory();
}

Result<GraphView> Snapshot::rows_view(Executor& executor) const { return impl_->state->entry_view(executor); }

Result<ColumnValues> Snapshot::edge_values(std::string_view column, std::span<const double> rows) const {
  return impl_->state->edge_values(column, rows);
}

Result<ColumnValues> Snapshot::vertex_values(std::string_view column, std::span<const VertexId> vertices) const {
  return impl_->state->vertex_values(column, vertices);
}

std::uint64_t Snapshot::num_rows() const noexcept { return impl_->state->num_rows(); }

Result<ColumnValues> Snapshot::values_between(std::string_view column, std::uint64_t begin, std::uint64_t end) const {
  return impl_->state->values_between(column, begin, end);
}

Result<Snapshot> Snapshot::with_rows(std::span<const std::uint8_t> kept, Executor& executor) const {
  RIZOMA_ASSIGN(auto state, rizoma::with_rows(*impl_->state, kept, executor));
  return Snapshot(std::make_shared<const Impl>(Impl{std::move(state), std::make_shared<CachedCopy>()}));
}

Result<Snapshot> Snapshot::with_rows(std::span<const std::uint8_t> kept, Engine& engine) const {
  if (!is_shared(impl_->state->part(), engine)) return with_rows(kept, static_cast<Executor&>(engine));
  RIZOMA_TRY(expect_owners(*impl_->state->part(), engine));
  const auto tell = [&](std::vector<ListLengths>& sections) { return exchange_degrees(*engine.ranks(), sections); };
  RIZOMA_ASSIGN(auto state, part_with_rows(*impl_->state, kept, tell, engine));
  return Snapshot(std::make_shared<const Impl>(Impl{std::move(state), std::make_shared<CachedCopy>()}));
}

Result<Snapshot> Snapshot::reversed() const {
  RIZOMA_ASSIGN(auto state, rizoma::reversed(*impl_->state));
  return Snapshot(std::make_shared<const Impl>(Impl{std::move(state), std::make_shared<CachedCopy>()}));
}

VertexId Snapshot::num_vertices() const noexcept { return impl_->state->num_vertices(); }
bool Snapshot::is_live(VertexId v) const noexcept { return impl_->state->is_live(v); }
VertexId Snapshot::num_live() const noexcept { return impl_->state->num_live(); }
const GraphSchema& Snapshot::schema() const noexcept { return impl_->state->schema(); }
Result<VertexId> Snapshot::find(std::int64_t id) const { return impl_->state->find(id); }
Result<VertexId> Snapshot::find(std::string_view id) const { return impl_->state->find(id); }
Result<std::vector<VertexId>> Snapshot::find(const IdColumn& ids) const { return impl_->state->find(ids); }
bool Snapshot::continues(const Snapshot& earlier) const noexcept {
  return impl_->state->ids().continues(earlier.impl_->state->ids());
}
Result<IdColumn> Snapshot::ids(VertexRange range) const { return impl_->state->ids().ids(range); }
Result<IdColumn> Snapshot::ids(std::span<const VertexId> vertices) const { return impl_->state->ids().ids(vertices); }

std::vector<SectionInfo> Snapshot::sections() const { return impl_->state->sections(); }

std::optional<GraphPart> Snapshot::part() const {
  const Part* const part = impl_->state->part();
  if (part == nullptr) return std::nullopt;
  return GraphPart{part->number, part->parts, static_cast<PlacementPolicy>(part->rule), part->owners, state_of(*part)};
}

Result<EdgeCount> Snapshot::num_edges() const { return impl_->state->num_edges(); }

Result<NeighborList> Snapshot::list(VertexId v, Direction direction) const {
  return impl_->state->neighbors(direction, v);
}

Result<std::vector<VertexId>> Snapshot::neighbors(VertexId v) const {
  RIZOMA_ASSIGN(const NeighborList found, list(v));
  return found.targets();
}

Result<std::vector<VertexId>> Snapshot::in_neighbors(VertexId v) const {
  RIZOMA_ASSIGN(const NeighborList found, list(v, Direction::in));
  return found.targets();
}

Result<std::vector<double>> Snapshot::weights(VertexId v) const {
  if (schema().weights == WeightType::none) {
    return Error{ErrorCode::invalid_argument, "the graph was created without weights"};
  }
  RIZOMA_ASSIGN(const NeighborList found, list(v));
  return found.weights();
}

Result<EdgeCount> Snapshot::degree(VertexId v) const {
  RIZOMA_ASSIGN(const NeighborList found, impl_->state->entries(Direction::out, v));
  return EdgeCount{found.size()};
}

Result<bool> Snapshot::has_edge(VertexId u, VertexId v) const {
  RIZOMA_ASSIGN(const NeighborList found, impl_->state->entries(Direction::out, u));
  return found.contains(v);
}

// ---- Graph ----

struct Graph::Impl {
  explicit Impl(std::shared_ptr<Store> opened) : store(std::move(opened)) {}

  /// The working copy of a state is that of all its snapshots; the graph keeps the last one.
  std::shared_ptr<CachedCopy> copy_of(const std::shared_ptr<const StoreSnapshot>& state) {
    const MutexLock lock(mutex);
    if (copy == nullptr || copied.lock() != state) {
      copied = state;
      copy = std::make_shared<CachedCopy>();
    }
    return copy;
  }

  std::shared_ptr<Store> store;
  Mutex mutex;
  std::weak_ptr<const StoreSnapshot> copied RIZOMA_GUARDED_BY(mutex);
  std::shared_ptr<CachedCopy> copy RIZOMA_GUARDED_BY(mutex);
};

Graph::Graph(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(Graph&&) noexcept = default;
Graph::~Graph() = default;

Result<Graph> Graph::open(const std::filesystem::path& path, const OpenOptions& options) {
  RIZOMA_ASSIGN(auto medium, open_directory(path, options.mode, options.medium));
  RIZOMA_ASSIGN(auto store, open_store(std::move(medium), store_options(path, options), options));
  return Graph(std::make_unique<Impl>(std::move(store)));
}

Result<Graph> Graph::in_memory(const GraphSchema& schema) {
  StoreOptions options;
  options.schema = schema;
  options.durability = Durability::none;  // a crash would leave nothing
  options.background = true;
  RIZOMA_ASSIGN(auto store, Store::create(make_memory_medium(), options));
  return Graph(std::make_unique<Impl>(std::move(store)));
}

Status Graph::add_edges(const EdgeBatch& edges) { return impl_->store->add_edges(edges); }
Status Graph::add_vertices(const IdColumn& ids) { return impl_->store->add_vertices(ids); }

Status Graph::add(const EdgeBatch& edges, const IdColumn& vertices) { return impl_->store->add(edges, vertices); }

Result<ChangeCounts> Graph::apply(const Batch& batch) { return impl_->store->apply(batch); }

Result<ChangeCounts> Graph::apply(const Batch& batch, Executor& executor) {
  return impl_->store->apply(batch, executor);
}

Result<IdKind> Graph::settle_ids(IdKind kind, bool for_good) { return impl_->store->settle_ids(kind, for_good); }

Result<Snapshot> Graph::snapshot() const {
  RIZOMA_ASSIGN(auto state, impl_->store->snapshot());
  auto copy = impl_->copy_of(state);
  return Snapshot(std::make_shared<const Snapshot::Impl>(Snapshot::Impl{std::move(state), std::move(copy)}));
}

Result<GraphInfo> Graph::info() const { return impl_->store->info(); }

const std::string& Graph::damage() const { return impl_->store->damage(); }
Status Graph::flush() { return impl_->store->flush(); }
Status Graph::checkpoint() { return impl_->store->checkpoint(); }
Status Graph::place(const std::vector<unsigned>& home_of_section) { return impl_->store->place(home_of_section); }
Status Graph::close() { return impl_->store->close(); }
Status Graph::discard() { return impl_->store->discard(); }

Result<bool> Graph::upgrade(const std::filesystem::path& path, const std::vector<std::filesystem::path>& locations) {
  const OpenOptions options{.mode = OpenMode::open, .locations = locations};
  RIZOMA_ASSIGN(std::shared_ptr<Medium> medium, open_directory(path, options.mode, options.medium));
  return Store::upgrade(std::move(medium), store_options(path, options));
}

/// As given is how it is without an order: the caller did not ask for stable numbers.
Status Graph::purge(Executor& executor, VertexOrder order) {
  return impl_->store->purge(executor, order == VertexOrder::given ? std::nullopt : std::optional(order));
}
Status Graph::tag(std::string_view name) { return impl_->store->tag(name); }
Status Graph::untag(std::string_view name) { return impl_->store->untag(name); }
std::vector<TagInfo> Graph::tags() const { return impl_->store->tags(); }

Status Graph::add_edge_column(std::string_view name, ColumnType type) {
  return impl_->store->add_column(RowKind::edges, {0, type, true, std::string(name)});
}
Status Graph::add_vertex_column(std::string_view name, ColumnType type) {
  return impl_->store->add_column(RowKind::vertices, {0, type, true, std::string(name)});
}
Status Graph::drop_edge_column(std::string_view name) { return impl_->store->drop_column(RowKind::edges, name); }
Status Graph::drop_vertex_column(std::string_view name) { return impl_->store->drop_column(RowKind::vertices, name); }

Status Graph::compact(Executor& executor, std::optional<VertexOrder> order) {
  return impl_->store->compact(executor, order);
}

Result<CheckReport> Graph::check(const std::filesystem::path& path, Executor& executor,
                                 const std::vector<std::filesystem::path>& locations) {
  const OpenOptions options{.mode = OpenMode::read_only, .locations = locations};
  RIZOMA_ASSIGN(std::shared_ptr<Medium> medium, open_directory(path, options.mode, options.medium));
  RIZOMA_TRY(expect_whole_store(*medium));
  return check_store(std::move(medium), executor, store_options(path, options));
}

// ---- BulkLoad ----

BulkLoad::BulkLoad(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
BulkLoad::BulkLoad(BulkLoad&&) noexcept = default;
BulkLoad& BulkLoad::operator=(BulkLoad&&) noexcept = default;
BulkLoad::~BulkLoad() = default;

Result<std::uint64_t> loader_limit(std::uint64_t asked, bool spills_to_memory) {
  constexpr std::uint64_t kLeast = std::uint64_t{12} << 20;
  constexpr std::uint64_t kReaders = std::uint64_t{8} << 20;  // text, batches and sort buffers of a few threads
  if (asked == 0) return spills_to_memory ? 0 : free_memory() / 4 * 3;
  if (asked < kLeast) {
    return Error{ErrorCode::invalid_argument,
                 "a memory limit of " + std::to_string(asked) + " bytes is too small for a load; give 12 MiB or more"};
  }
  return asked - kReaders;
}

Status BulkLoad::Impl::begin(const GraphSchema& schema, const BulkLoadOptions& options) {
  ids = schema.ids;
  LoadSettings settings;
  settings.order = options.order;
  if (!options.spill_directory.empty()) {
    RIZOMA_ASSIGN(spill, open_file_medium(options.spill_directory, true));
    settings.spill = spill.get();
  } else {
    settings.spill = &store->medium();
  }
  RIZOMA_ASSIGN(settings.memory_limit, loader_limit(options.memory_limit, settings.spill->describe() == ":memory:"));
  loader = std::make_unique<BulkLoader>(schema, settings, *target);
  return {};
}

Result<BulkLoad> Graph::bulk_load(const BulkLoadOptions& options) {
  auto load = std::make_unique<BulkLoad::Impl>();
  load->store = impl_->store;
  GraphSchema schema = load->store->load_schema();
  if (options.ids && !schema.ids_fixed) schema.ids = *options.ids;
  RIZOMA_ASSIGN(load->target, load->store->load_target(schema.ids));
  RIZOMA_TRY(load->begin(schema, options));
  return BulkLoad(std::move(load));
}

Result<BulkLoad> Graph::append_load(Executor& executor, const BulkLoadOptions& options) {
  auto load = std::make_unique<BulkLoad::Impl>();
  load->store = impl_->store;
  RIZOMA_ASSIGN(LoadOfPresent with, load->store->append_target());
  load->target = std::move(with.target);
  RIZOMA_TRY(load->begin(load->store->load_schema(), options));
  RIZOMA_ASSIGN(const GraphView view, with.present->entry_view(executor));
  RIZOMA_TRY(load->loader->add_graph(view, with.present->ids(), executor));
  return BulkLoad(std::move(load));
}

Status BulkLoad::add(const EdgeBatch& edges) { return impl_->loader->add(edges); }
Status BulkLoad::add_vertices(const IdColumn& ids) { return impl_->loader->add_vertices(ids); }
IdKind BulkLoad::ids() const noexcept { return impl_->ids; }
Status BulkLoad::finish(Executor& executor) { return impl_->loader->finish(executor); }
std::uint64_t BulkLoad::spilled_bytes() const noexcept { return impl_->loader->spilled_bytes(); }

}  // namespace rizoma
