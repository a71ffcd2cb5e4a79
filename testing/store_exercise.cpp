#include "testing/store_exercise.h"

#include "base/checksum.h"
#include "base/random.h"
#include "store/repair/store_check.h"
#include "store/repair/store_repair.h"
#include "testing/all_kernels.h"
#include "testing/directory_medium.h"
#include "testing/heap_medium.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace rizoma::testing {
namespace {

void require(bool condition, const std::string& what) {
  if (!condition) throw std::logic_error(what);
}

/// An answer or an Error; damage that it meets is to be found by `check` too.
class Exercise {
 public:
  Exercise(const FileContents& files, bool spread, std::uint8_t script, bool small)
      : files_(files), spread_(spread), random_(script), small_(small) {}

  void run() {
    const StoreCase one(files_, spread_);
    const auto report = check_store(one.store, serial_, one.options());
    sound_ = report && report->findings.empty();
    if (report) {
      for (const CheckFinding& finding : report->findings) require(!finding.what.empty(), "a finding of nothing");
    }
    read();
    write();
    repair();
  }

 private:
  /// A call on what `check` found sound may fail for reasons of its own, but not by damage.
  template <class T>
  bool good(const Result<T>& result, const char* call) {
    if (result.ok()) return true;
    note(result.error(), call);
    return false;
  }
  bool good(const Status& status, const char* call) {
    if (status.ok()) return true;
    note(status.error(), call);
    return false;
  }
  void note(const Error& error, const char* call) const {
    require(!error.message.empty(), std::string(call) + ": an Error that says nothing");
    const bool damage = error.code == ErrorCode::corrupt || error.code == ErrorCode::unsupported;
    require(!sound_ || !damage || changed_, std::string(call) + ": check found nothing, but: " + error.message);
  }

  void read() {
    const StoreCase one(files_, spread_);
    const auto store = Store::open_read_only(one.store, one.options());
    if (!good(store, "open_read_only")) return;
    look_at(**store);
    for (const TagInfo& tag : (*store)->tags()) {
      if (tagged_.size() == kMostTags) break;
      const auto content = content_at(one, tag.name);
      if (content) tagged_.emplace_back(tag.name, *content);
    }
  }

  /// A number for what a tagged state holds, which nothing may change; nothing if it cannot be read.
  std::optional<std::uint64_t> content_at(const StoreCase& one, const std::string& tag) {
    StoreOptions options = one.options();
    options.at = tag;
    const auto store = Store::open_read_only(one.store, options);
    if (!good(store, "open at a tag")) return std::nullopt;
    const auto content = content_of(**store);
    if (!good(content, "read at a tag")) return std::nullopt;
    if (random_.below(4) == 0) look_at(**store);
    return *content;
  }
  static Result<std::uint64_t> content_of(Store& store) {
    RIZOMA_ASSIGN(const auto snapshot, store.snapshot());
    const VertexId few = std::min<VertexId>(snapshot->num_vertices(), 64);
    std::uint64_t content = few;
    const auto add = [&content](auto values) { content = checksum(std::as_bytes(std::span(values)), content); };
    for (VertexId v = 0; v < few; ++v) {
      RIZOMA_ASSIGN(const NeighborList entries, snapshot->entries(Direction::out, v));
      for (std::size_t i = 0; i < entries.size(); ++i)
        add(std::array{static_cast<double>(entries[i]), entries.weight(i)});
    }
    RIZOMA_ASSIGN(const IdColumn ids, snapshot->ids().ids(VertexRange{0, few}));
    if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&ids)) {
      add(*numbers);
    } else {
      const auto& strings = std::get<StringColumn>(ids);
      for (std::size_t i = 0; i < strings.size(); ++i) add(strings[i]);
    }
    return content;
  }

  /// What was tagged, and still is, is what it was.
  void read_tags_again(const StoreCase& one) {
    const auto store = Store::open_read_only(one.store, one.options());
    if (!sound_ || !store) return;
    const std::vector<TagInfo> tags = (*store)->tags();
    for (const auto& tagged : tagged_) {
      const std::string& name = tagged.first;
      const bool kept = std::any_of(tags.begin(), tags.end(), [&](const TagInfo& tag) { return tag.name == name; });
      if (kept) require(content_at(one, name) == tagged.second, "a change touched the tagged state " + name);
    }
  }

  void look_at(Store& store) {
    static_cast<void>(good(store.info(), "info"));
    const auto snapshot = store.snapshot();
    if (!good(snapshot, "snapshot")) return;
    const VertexId vertices = (*snapshot)->num_vertices();
    const bool small = vertices <= kMostExercised;
    for (VertexId v = 0; v < std::min<VertexId>(vertices, 64); ++v) {
      static_cast<void>(good((*snapshot)->neighbors(Direction::out, v), "neighbors"));
      if ((*snapshot)->has_in()) static_cast<void>(good((*snapshot)->neighbors(Direction::in, v), "neighbors"));
    }
    const auto ids = (*snapshot)->ids().ids(VertexRange{0, std::min(vertices, kMostExercised)});
    if (good(ids, "ids")) static_cast<void>(good((*snapshot)->find(*ids), "find"));
    if (!small) return;
    look_at_columns(**snapshot);
    const auto view = (*snapshot)->view(engine());
    if (!good(view, "view")) return;
    // All of them once, and a few each time after that: they are most of the time.
    run_kernels(engine(), *view,
                std::exchange(all_run_, true) ? random_.next() & random_.next() & random_.next() : kAllKernels);
  }

  void look_at_columns(const StoreSnapshot& snapshot) {
    const VertexId few = std::min<VertexId>(snapshot.num_vertices(), 64);
    std::vector<VertexId> vertices(few);
    std::iota(vertices.begin(), vertices.end(), VertexId{0});
    for (const ColumnSchema& column : snapshot.schema().vertex_columns) {
      static_cast<void>(good(snapshot.vertex_values(column.name, vertices), "vertex_values"));
    }
    for (const ColumnSchema& column : snapshot.schema().edge_columns) {
      for (const VertexId v : vertices) {
        const auto entries = snapshot.entries(Direction::out, v);
        if (!good(entries, "entries")) continue;
        if (entries->weight_type() == WeightType::none) continue;
        static_cast<void>(good(snapshot.edge_values(column.name, entries->weights()), "edge_values"));
      }
      const auto view = snapshot.view(engine(), column.name);
      if (good(view, "view by a column") && random_.below(4) == 0) run_kernels(engine(), *view, 1);
    }
  }

  void write() {
    const StoreCase one(files_, spread_);
    {
      const auto store = Store::open(one.store, one.options());
      if (!good(store, "open")) return;
      change(**store);
    }
    {
      const auto again = Store::open(one.store, one.options());
      if (good(again, "open again")) look_at(**again);
    }
    if (!tagged_.empty()) read_tags_again(one);
  }

  void change(Store& store) {
    const auto snapshot = store.snapshot();
    if (!good(snapshot, "snapshot") || (*snapshot)->num_vertices() > kMostExercised) return;
    changed_ = true;  // what was sound may come to meet damage that only others' stores have
    const GraphSchema schema = store.schema();
    for (std::uint64_t step = 0; step < 3; ++step) static_cast<void>(good(change_once(store, schema), "change"));
    const auto orders = {VertexOrder::degree, VertexOrder::given, VertexOrder::striped};
    const VertexOrder order = *(orders.begin() + random_.below(orders.size()));
    if (random_.below(4) == 0) change_columns(store, schema);
    if (random_.below(4) == 0) change_tags(store);
    switch (random_.below(6)) {
      case 0: static_cast<void>(good(store.checkpoint(), "checkpoint")); break;
      case 1: static_cast<void>(good(store.compact(serial_, std::nullopt), "compact")); break;
      case 2: static_cast<void>(good(store.compact(serial_, order), "compact")); break;
      case 3: purge(store, order); break;
      default: break;
    }
    look_at(store);
    static_cast<void>(good(change_once(store, schema), "change"));
    static_cast<void>(good(store.close(), "close"));
  }

  void change_columns(Store& store, const GraphSchema& schema) {
    const RowKind kind = random_.below(2) == 0 ? RowKind::edges : RowKind::vertices;
    const auto& columns = kind == RowKind::edges ? schema.edge_columns : schema.vertex_columns;
    const Status changed = columns.empty() || random_.below(2) == 0
                               ? store.add_column(kind, {0, ColumnType::float64, true, "added"})
                               : store.drop_column(kind, columns[random_.below(columns.size())].name);
    static_cast<void>(good(changed, "a column more or less"));
  }

  void change_tags(Store& store) {
    const std::vector<TagInfo> tags = store.tags();
    const bool one_less = !tags.empty() && random_.below(2) == 0;
    static_cast<void>(
        good(one_less ? store.untag(tags[random_.below(tags.size())].name) : store.tag("added"), "a tag more or less"));
  }

  void purge(Store& store, VertexOrder order) {
    if (random_.below(2) == 0) {
      for (const TagInfo& tag : store.tags()) static_cast<void>(good(store.untag(tag.name), "untag"));
    }
    static_cast<void>(good(store.purge(serial_, order), "purge"));
  }

  [[nodiscard]] IdColumn some_ids(IdKind kind, std::size_t count) {
    if (kind == IdKind::string) {
      StringColumn column;
      for (std::size_t i = 0; i < count; ++i) column.push_back("v" + std::to_string(random_.below(30)));
      return column;
    }
    std::vector<std::int64_t> column(count);
    for (std::int64_t& id : column) id = static_cast<std::int64_t>(random_.below(40));
    return column;
  }

  Status change_once(Store& store, const GraphSchema& schema) {
    const std::size_t count = 1 + random_.below(4);
    EdgeBatch edges{some_ids(schema.ids, count), some_ids(schema.ids, count), {}};
    const std::vector<double> weights(schema.weights == WeightType::none ? 0 : count, 3.0);
    Batch batch;
    switch (random_.below(4)) {
      case 0: batch.remove_vertices(some_ids(schema.ids, count), Missing::ignore); break;
      case 1: batch.remove_edges(std::move(edges), Missing::ignore, Parallel::one); break;
      case 2:
        if (schema.weights != WeightType::none) {
          edges.weights = weights;
          batch.set_weights(std::move(edges), Missing::ignore);
          break;
        }
        [[fallthrough]];
      default: edges.weights = weights; batch.add_edges(std::move(edges));
    }
    const auto applied = store.apply(batch);
    return applied ? Status() : Status(applied.error());
  }

  void repair() {
    if (!small_ || random_.below(2) == 0) return;
    const std::shared_ptr<Medium> fresh = make_heap_medium();
    changed_ = true;
    const StoreCase damaged(files_, spread_);
    const auto report = repair_store(damaged.store, fresh, serial_, damaged.options());
    if (!report) return;
    for (const std::string& lost : report->lost) require(!lost.empty(), "a loss of nothing");
    const auto store = Store::open(fresh, StoreCase(false).options());
    require(store.ok(), "what was repaired cannot be opened: " + (store ? std::string() : store.error().message));
    const auto again = check_store(fresh, serial_);
    for (const CheckFinding& finding : again ? again->findings : std::vector<CheckFinding>()) {
      // Weights are taken as they are, and it is said: stores of before may have infinite ones
      // (Repair.AndReorderingTake...).  Ids and values that are no text are kept, too.
      const bool infinite = finding.what.find("weights that are not finite") != std::string::npos;
      const bool said = std::any_of(report->lost.begin(), report->lost.end(), [](const std::string& lost) {
        return lost.find("they are not finite") != std::string::npos;
      });
      const bool kept = infinite ? said : finding.what.find("is not UTF-8 text") != std::string::npos;
      require(kept, "what was repaired is damaged: " + finding.what);
    }
    look_at(**store);
  }

  static Engine& engine() {
    static Engine one(EngineOptions{.threads = 1});
    return one;
  }

  static constexpr std::size_t kMostTags = 3;

  const FileContents& files_;
  bool spread_;
  Random random_;
  SerialExecutor serial_;
  bool small_;
  bool sound_ = false;
  bool changed_ = false;
  bool all_run_ = false;
  std::vector<std::pair<std::string, std::uint64_t>> tagged_;  ///< names, and what is there
};

}  // namespace

StoreCase::StoreCase(const FileContents& files, bool over_directories)
    : whole(medium_of(files)),
      store(over_directories ? std::make_shared<DirectoryMedium>(*whole, kStoreDirectory) : whole),
      spread(over_directories) {}

StoreOptions StoreCase::options(GraphSchema schema) const {
  StoreOptions options;
  options.schema = std::move(schema);
  options.durability = Durability::none;
  options.log_ahead = 0;
  if (spread) options.open_location = directories_in(*whole);
  return options;
}

void exercise_store(const FileContents& files, bool spread, std::uint8_t script, bool small) {
  Exercise(files, spread, script, small).run();
}

}  // namespace rizoma::testing
