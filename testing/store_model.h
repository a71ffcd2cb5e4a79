// StoreModel: a graph as a plain map of edges, the oracle of the store's tests.
#pragma once

#include <rizoma/batch.h>
#include <rizoma/schema.h>

#include "base/random.h"
#include "store/store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {

/// Columns whose values a StoreModel knows: of an edge "amount" and "note" say its weight once more, unless parallel
/// edges are combined (set_model_rules); of a vertex "age" is a number that steps give it.
inline void add_model_columns(GraphSchema& schema) {
  schema.edge_columns = {{0, ColumnType::int64, true, "amount"}, {0, ColumnType::string, true, "note"}};
  schema.vertex_columns = {{0, ColumnType::int32, true, "age"}, {0, ColumnType::binary, true, "unused"}};
}

/// Rules for parallel edges: one of numbers for the weight and "amount", and one of texts for "note".
inline void set_model_rules(GraphSchema& schema, ParallelRule numbers, ParallelRule texts) {
  const bool has_values = schema.weights != WeightType::none || !schema.edge_columns.empty();
  if (schema.parallel_edges != ParallelEdges::merge || !has_values) return;
  schema.weight_rule = numbers;
  for (ColumnSchema& column : schema.edge_columns) {
    column.parallel = column.type == ColumnType::string ? texts : numbers;
  }
}

/// External ids are plain numbers here; `column` dresses them as the schema wants.
class StoreModel {
 public:
  using Edge = std::pair<std::int64_t, std::int64_t>;
  struct Value {
    double weight;
    double note;  ///< the number in it
  };
  struct Added {
    Edge edge;
    double weight;
  };
  /// What lists have of an edge with columns.
  [[nodiscard]] static double both(double amount, double note) noexcept { return amount + note / 1024; }
  /// Neighbours with their weights, sorted.
  using Lists = std::map<std::int64_t, std::vector<std::pair<std::int64_t, double>>>;

  explicit StoreModel(const GraphSchema& schema) : schema_(schema) {}

  [[nodiscard]] const GraphSchema& schema() const noexcept { return schema_; }
  void set_ids(IdKind ids) noexcept { schema_.ids = ids; }

  void add_vertex(std::int64_t id) { vertices_.insert(id); }
  void add_vertices(const std::vector<std::int64_t>& ids) {
    for (const std::int64_t id : ids) add_vertex(id);
  }
  void add(const Added& added) {
    add_vertex(added.edge.first);
    add_vertex(added.edge.second);
    if (schema_.self_loops == SelfLoops::drop && added.edge.first == added.edge.second) return;
    auto& values = edges_[key(added.edge)];
    const Value value{has_values() ? added.weight : 1.0, added.weight};
    if (schema_.parallel_edges == ParallelEdges::merge && !values.empty()) {
      const bool first = has_columns() && schema_.edge_columns[1].parallel == ParallelRule::first;
      values = {{has_values() ? combined(values[0].weight, value.weight) : 1.0, (first ? values[0] : value).note}};
    } else {
      values.push_back(value);
    }
  }
  [[nodiscard]] bool has_values() const { return schema_.weights != WeightType::none || has_columns(); }
  [[nodiscard]] bool has_columns() const { return !schema_.edge_columns.empty(); }
  void set_ages(const std::vector<std::int64_t>& ids, const std::vector<std::int32_t>& ages) {
    for (std::size_t i = 0; i < ids.size(); ++i) ages_[ids[i]] = ages[i];
  }
  [[nodiscard]] const std::map<std::int64_t, std::int32_t>& ages() const noexcept { return ages_; }
  using Tags = std::map<std::string, std::shared_ptr<const StoreModel>>;
  [[nodiscard]] const Tags& tags() const noexcept { return tags_; }
  void tag(const std::string& name) {
    auto state = std::make_shared<StoreModel>(*this);
    state->tags_.clear();
    tags_[name] = std::move(state);
  }
  void untag(const std::string& name) { tags_.erase(name); }
  [[nodiscard]] bool has_vertex(std::int64_t id) const { return vertices_.contains(id); }
  void add(const std::vector<Added>& added) {
    for (const Added& one : added) add(one);
  }

  void remove_edges(const std::vector<Added>& named, Parallel parallel, ChangeCounts& counts) {
    for (const Added& one : named) {
      const auto found = edges_.find(key(one.edge));
      if (found == edges_.end()) {
        ++counts.edges_missing;
      } else if (parallel == Parallel::one && found->second.size() > 1) {
        found->second.pop_back();
        ++counts.edges_removed;
      } else {
        counts.edges_removed += found->second.size();
        edges_.erase(found);
      }
    }
  }
  /// An edge that is named twice counts once.
  void set_weights(const std::vector<Added>& named, ChangeCounts& counts) {
    std::set<decltype(key(named.front().edge))> counted;
    for (const Added& one : named) {
      const auto found = edges_.find(key(one.edge));
      if (found == edges_.end()) {
        ++counts.edges_missing;
        continue;
      }
      found->second.assign(found->second.size(), {one.weight, one.weight});
      if (counted.insert(found->first).second) counts.weights_set += found->second.size();
    }
  }
  void remove_vertices(const std::vector<std::int64_t>& ids, ChangeCounts& counts) {
    for (const std::int64_t id : ids) {
      vertices_.erase(id) != 0 ? ++counts.vertices_removed : ++counts.vertices_missing;
      ages_.erase(id);
      std::erase_if(edges_, [&](const auto& edge) {
        const bool gone = edge.first.first == id || edge.first.second == id;
        if (gone) counts.edges_removed += edge.second.size();
        return gone;
      });
    }
  }

  [[nodiscard]] Lists lists(Direction direction) const {
    Lists lists;
    for (const std::int64_t v : vertices_) lists[v];
    for (const auto& [edge, values] : edges_) {
      for (const Value& each : values) {
        const double weight = has_columns() ? both(each.weight, each.note) : each.weight;
        const bool forward = direction == Direction::out;
        lists[forward ? edge.first : edge.second].emplace_back(forward ? edge.second : edge.first, weight);
        if (!schema_.directed && edge.first != edge.second) {
          lists[forward ? edge.second : edge.first].emplace_back(forward ? edge.first : edge.second, weight);
        }
      }
    }
    for (auto& list : lists) std::sort(list.second.begin(), list.second.end());
    return lists;
  }
  [[nodiscard]] VertexId num_vertices() const { return vertices_.size(); }
  [[nodiscard]] EdgeCount num_edges() const {
    EdgeCount count = 0;
    for (const auto& edge : edges_) count += edge.second.size();
    return count;
  }

  [[nodiscard]] IdColumn column(const std::vector<std::int64_t>& ids) const {
    if (schema_.ids != IdKind::string) return ids;
    StringColumn strings;
    for (const std::int64_t id : ids) strings.push_back(std::to_string(id));
    return strings;
  }
  [[nodiscard]] EdgeBatch batch(const std::vector<Added>& added) const {
    std::vector<std::int64_t> sources, targets;
    EdgeBatch batch;
    for (const Added& one : added) {
      sources.push_back(one.edge.first);
      targets.push_back(one.edge.second);
      if (schema_.weights != WeightType::none) batch.weights.push_back(one.weight);
    }
    batch.sources = column(sources);
    batch.targets = column(targets);
    if (has_columns()) batch.columns = columns(added);
    return batch;
  }
  [[nodiscard]] static ColumnTable ages_table(const std::vector<std::int32_t>& ages) {
    ColumnValues values{"age", ColumnType::int32, {}, {}, {}};
    for (const std::int32_t& age : ages) values.push(std::as_bytes(std::span(&age, 1)));
    return {{std::move(values)}};
  }

 private:
  [[nodiscard]] double combined(double before, double added) const {
    switch (schema_.weights != WeightType::none ? schema_.weight_rule : schema_.edge_columns[0].parallel) {
      case ParallelRule::last: break;
      case ParallelRule::first: return before;
      case ParallelRule::sum: return before + added;
      case ParallelRule::min: return std::min(before, added);
      case ParallelRule::max: return std::max(before, added);
    }
    return added;
  }
  [[nodiscard]] static ColumnTable columns(const std::vector<Added>& added) {
    ColumnValues amounts{"amount", ColumnType::int64, {}, {}, {}};
    ColumnValues notes{"note", ColumnType::string, {}, {}, {}};
    for (const Added& one : added) {
      const auto amount = static_cast<std::int64_t>(one.weight);
      amounts.push(std::as_bytes(std::span(&amount, 1)));
      const std::string note = "n" + std::to_string(amount);
      amount == 4 ? notes.push_null() : notes.push(std::as_bytes(std::span(note)));
    }
    return {{std::move(notes), std::move(amounts)}};
  }
  [[nodiscard]] Edge key(Edge edge) const {
    if (!schema_.directed && edge.first > edge.second) std::swap(edge.first, edge.second);
    return edge;
  }

  GraphSchema schema_;
  std::set<std::int64_t> vertices_;
  std::map<std::int64_t, std::int32_t> ages_;
  Tags tags_;
  std::map<Edge, std::vector<Value>> edges_;
};

/// Random steps of a batch, few vertices wide, so that they meet.
class RandomSteps {
 public:
  static constexpr std::int64_t kWidth = 40;  ///< the number of ids

  /// Of `lanes` such, each with a lane of its own, no two name the same vertex.
  RandomSteps(const GraphSchema& schema, Random& random, std::int64_t lane = 0, std::int64_t lanes = 1) noexcept
      : schema_(schema), random_(random), lane_(lane), lanes_(lanes) {}

  void set_ids(IdKind ids) noexcept { schema_.ids = ids; }

  /// Dense ids come one after another at first, so that graphs stay dense for a while, until one is left out.
  [[nodiscard]] std::int64_t id() {
    if (schema_.ids != IdKind::dense) {
      return (static_cast<std::int64_t>(random_.below(kWidth)) * 7 - 100) * lanes_ + lane_;
    }
    const auto known = static_cast<std::uint64_t>(std::min(kWidth - 1, next_dense_));
    const auto id = static_cast<std::int64_t>(random_.below(known + 1));
    if (id == next_dense_) next_dense_ += random_.below(64) == 0 ? 3 : 1;
    return id * lanes_ + lane_;
  }
  [[nodiscard]] std::vector<StoreModel::Added> edges() {
    std::vector<StoreModel::Added> edges(1 + random_.below(12));
    for (auto& one : edges) one = {{id(), id()}, static_cast<double>(random_.below(9))};
    return edges;
  }
  [[nodiscard]] std::vector<std::int64_t> vertices() {
    std::vector<std::int64_t> ids(1 + random_.below(3));
    for (auto& one : ids) one = id();
    return ids;
  }

  /// Appends a step of any kind to the batch, and does it to the model.
  void append(Batch& batch, StoreModel& model, ChangeCounts& counts) {
    switch (random_.below(model.has_values() ? 8 : 7)) {
      case 0:
      case 1: {
        const auto named = edges();
        const auto parallel = static_cast<Parallel>(random_.below(2));
        batch.remove_edges(model.batch(named), Missing::ignore, parallel);
        model.remove_edges(named, parallel, counts);
        break;
      }
      case 2: {
        const auto ids = vertices();
        model.has_columns() ? append_ages(ids, batch, model, counts) : void(batch.add_vertices(model.column(ids)));
        model.add_vertices(ids);
        break;
      }
      case 3: {
        const auto ids = vertices();
        batch.remove_vertices(model.column(ids));
        model.remove_vertices(ids, counts);
        break;
      }
      case 7: {
        const auto named = edges();
        if (model.has_columns()) batch.set_edges(values_of(model.batch(named)));
        if (model.has_columns()) model.set_weights(named, counts);
        if (schema_.weights == WeightType::none) break;
        EdgeBatch weights = model.batch(named);
        weights.columns = {};
        batch.set_weights(std::move(weights));
        model.set_weights(named, counts);
        break;
      }
      default: {
        const auto added = edges();
        batch.add_edges(model.batch(added));
        model.add(added);
      }
    }
  }

 private:
  static EdgeBatch values_of(EdgeBatch batch) {
    batch.weights.clear();
    return batch;
  }
  /// Adds vertices with ages, or gives ages to those that exist.
  void append_ages(const std::vector<std::int64_t>& ids, Batch& batch, StoreModel& model, ChangeCounts& counts) {
    std::vector<std::int32_t> ages(ids.size());
    for (std::int32_t& age : ages) age = static_cast<std::int32_t>(random_.below(90));
    if (random_.below(2) == 0) {
      std::set<std::int64_t> there;
      for (const std::int64_t id : ids) {
        if (!model.has_vertex(id)) {
          ++counts.vertices_missing;
        } else {
          there.insert(id);
        }
      }
      counts.vertices_set += there.size();
      for (std::size_t i = 0; i < ids.size(); ++i) {
        if (model.has_vertex(ids[i])) model.set_ages({ids[i]}, {ages[i]});
      }
      batch.set_vertices(model.column(ids), StoreModel::ages_table(ages));
      batch.add_vertices(model.column(ids));
    } else {
      batch.add_vertices(model.column(ids), StoreModel::ages_table(ages));
      model.set_ages(ids, ages);
    }
  }

  GraphSchema schema_;
  Random& random_;
  std::int64_t lane_;
  std::int64_t lanes_;
  std::int64_t next_dense_ = 0;
};

/// Reads the weight of an entry, or in a graph with columns what its weight and "amount" agree on (-1: they do not),
/// with the note.
class EntryValues {
 public:
  static Result<EntryValues> of(const StoreSnapshot& snapshot) {
    SerialExecutor serial;
    EntryValues values(snapshot);
    RIZOMA_ASSIGN(values.view_, snapshot.view(serial));
    if (snapshot.schema().rows) {
      RIZOMA_ASSIGN(values.rows_, snapshot.entry_view(serial));
    }
    return values;
  }
  [[nodiscard]] const GraphView& view() const noexcept { return view_; }

  [[nodiscard]] Result<double> value(Direction direction, VertexId v, std::size_t i) const {
    const double weight = number(view_, direction, v, i);
    if (!snapshot_->schema().rows) return weight;
    const double row = number(rows_, direction, v, i);
    RIZOMA_ASSIGN(const ColumnValues amounts, snapshot_->edge_values("amount", {&row, 1}));
    RIZOMA_ASSIGN(const ColumnValues notes, snapshot_->edge_values("note", {&row, 1}));
    std::int64_t amount = -1;
    if (amounts.is_valid(0)) std::memcpy(&amount, amounts.values.data(), sizeof amount);
    const auto bytes = notes.bytes(0);
    const std::string note(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (notes.is_valid(0) != note.starts_with("n")) return -1.0;
    const auto result = static_cast<double>(amount);
    const bool weighed = snapshot_->schema().weights == WeightType::none || weight == result;
    return weighed ? StoreModel::both(result, notes.is_valid(0) ? std::stod(note.substr(1)) : 4.0) : -1.0;
  }

 private:
  explicit EntryValues(const StoreSnapshot& snapshot) noexcept : snapshot_(&snapshot) {}
  static double number(const GraphView& view, Direction direction, VertexId v, std::size_t i) {
    const auto read = [&](const auto& edges) -> double {
      if (view.weight_type() == WeightType::int32) return edges.template weights<std::int32_t>(v)[i];
      if (view.weight_type() == WeightType::float32) return edges.template weights<float>(v)[i];
      if (view.weight_type() == WeightType::float64) return edges.template weights<double>(v)[i];
      return 1.0;
    };
    if (direction == Direction::out) return view.with_out(read);
    return view.with_both([&](const auto&, const auto& in) { return read(in); });
  }

  const StoreSnapshot* snapshot_;
  GraphView view_;
  GraphView rows_;
};

/// External ids of all internal ids, as plain numbers.
inline Result<std::vector<std::int64_t>> ids_of(const StoreSnapshot& snapshot) {
  RIZOMA_ASSIGN(const IdColumn column, snapshot.ids().ids(VertexRange{0, snapshot.num_vertices()}));
  std::vector<std::int64_t> ids;
  for (VertexId v = 0; v < snapshot.num_vertices(); ++v) {
    const auto* integers = std::get_if<std::vector<std::int64_t>>(&column);
    ids.push_back(integers != nullptr ? (*integers)[v]
                                      : std::int64_t{std::stoll(std::string(std::get<StringColumn>(column)[v]))});
  }
  return ids;
}

/// The snapshot's lists by external id, read from a whole view.
inline Result<StoreModel::Lists> lists_of(const StoreSnapshot& snapshot, Direction direction) {
  RIZOMA_ASSIGN(const EntryValues values, EntryValues::of(snapshot));
  RIZOMA_ASSIGN(const std::vector<std::int64_t> ids, ids_of(snapshot));
  const GraphView& view = values.view();
  StoreModel::Lists lists;
  const auto read = [&](const auto& edges) -> Status {
    for (VertexId v = 0; v < edges.num_vertices(); ++v) {
      const auto targets = edges.neighbors(v);
      if (!view.is_live(v) && targets.empty()) continue;
      auto& list = lists[ids[v]];
      for (std::size_t i = 0; i < targets.size(); ++i) {
        RIZOMA_ASSIGN(const double value, values.value(direction, v, i));
        list.emplace_back(ids[targets[i]], value);
      }
      std::sort(list.begin(), list.end());
    }
    return {};
  };
  RIZOMA_TRY(direction == Direction::out ? view.with_out(read)
                                         : view.with_both([&](const auto&, const auto& in) { return read(in); }));
  return lists;
}

/// The ages of the vertices that have one.
inline Result<std::map<std::int64_t, std::int32_t>> ages_of(const StoreSnapshot& snapshot) {
  std::map<std::int64_t, std::int32_t> ages;
  const GraphSchema& schema = snapshot.schema();
  if (std::none_of(schema.vertex_columns.begin(), schema.vertex_columns.end(),
                   [](const ColumnSchema& column) { return column.name == "age"; })) {
    return ages;
  }
  RIZOMA_ASSIGN(const std::vector<std::int64_t> ids, ids_of(snapshot));
  std::vector<VertexId> all(snapshot.num_vertices());
  std::iota(all.begin(), all.end(), VertexId{0});
  RIZOMA_ASSIGN(const ColumnValues values, snapshot.vertex_values("age", all));
  for (const VertexId v : all) {
    if (values.is_valid(v)) std::memcpy(&ages[ids[v]], values.values.data() + v * sizeof(std::int32_t), 4);
  }
  return ages;
}

/// Whether a store has the properties that it was made with.
[[nodiscard]] inline bool same_properties(const GraphSchema& found, const GraphSchema& made) {
  // Dense ids that get gaps are integers.
  const bool same_ids = found.ids == made.ids || (found.ids == IdKind::integer && made.ids == IdKind::dense);
  return found.directed == made.directed && found.weights == made.weights && same_ids &&
         found.ids_fixed == made.ids_fixed && (!made.directed || found.in_edges == made.in_edges) &&
         found.parallel_edges == made.parallel_edges && found.weight_rule == made.weight_rule &&
         found.self_loops == made.self_loops && (made.section_bits == 0 || found.section_bits == made.section_bits);
}

/// True, or an Error, if the snapshot could be read: whether it is what the model is.
inline Result<bool> equals(const StoreSnapshot& snapshot, const StoreModel& model) {
  if (!same_properties(snapshot.schema(), model.schema())) return false;
  RIZOMA_ASSIGN(const auto out, lists_of(snapshot, Direction::out));
  if (out != model.lists(Direction::out)) return false;
  if (snapshot.has_in()) {
    RIZOMA_ASSIGN(const auto in, lists_of(snapshot, Direction::in));
    if (in != model.lists(Direction::in)) return false;
  }
  RIZOMA_ASSIGN(const auto ages, ages_of(snapshot));
  if (ages != model.ages()) return false;
  RIZOMA_ASSIGN(const EdgeCount edges, snapshot.num_edges());
  return edges == model.num_edges() && snapshot.num_live() == model.num_vertices();
}

/// True, or an Error, if they could be read: whether the tagged states of the store are those of the model.
inline Result<bool> tags_equal(const Store& store, const std::shared_ptr<Medium>& medium, const StoreOptions& options,
                               const StoreModel& model) {
  const std::vector<TagInfo> tags = store.tags();
  if (tags.size() != model.tags().size()) return false;
  for (const TagInfo& tag : tags) {
    const auto expected = model.tags().find(tag.name);
    if (expected == model.tags().end()) return false;
    StoreOptions at = options;
    at.at = tag.name;
    RIZOMA_ASSIGN(const auto tagged, Store::open_read_only(medium, at));
    RIZOMA_ASSIGN(const auto snapshot, tagged->snapshot());
    RIZOMA_ASSIGN(const bool same, equals(*snapshot, *expected->second));
    if (!same) return Error{ErrorCode::corrupt, "the tagged state " + tag.name + " has changed"};
  }
  return true;
}

}  // namespace rizoma
