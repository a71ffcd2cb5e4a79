// StoreModel: a graph as a plain map of edges, the oracle of the store's tests.
#pragma once

#include <rizoma/edge_batch.h>
#include <rizoma/schema.h>

#include "base/random.h"
#include "store/store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {

/// External ids are plain numbers here; `column` dresses them as the schema wants.
class StoreModel {
 public:
  using Edge = std::pair<std::int64_t, std::int64_t>;
  struct Added {
    Edge edge;
    double weight;
  };
  /// Neighbours with their weights, sorted.
  using Lists = std::map<std::int64_t, std::vector<std::pair<std::int64_t, double>>>;

  explicit StoreModel(const GraphSchema& schema) : schema_(schema) {}

  [[nodiscard]] const GraphSchema& schema() const noexcept { return schema_; }
  void set_ids(IdKind ids) noexcept { schema_.ids = ids; }

  void add_vertex(std::int64_t id) {
    if (schema_.ids == IdKind::dense) {
      for (; dense_size_ < id; ++dense_size_) vertices_.insert(dense_size_);
      dense_size_ = std::max(dense_size_, id + 1);
    }
    vertices_.insert(id);
  }
  void add_vertices(const std::vector<std::int64_t>& ids) {
    for (const std::int64_t id : ids) add_vertex(id);
  }
  void add(const Added& added) {
    add_vertex(added.edge.first);
    add_vertex(added.edge.second);
    if (schema_.self_loops == SelfLoops::drop && added.edge.first == added.edge.second) return;
    auto& weights = edges_[key(added.edge)];
    if (schema_.parallel_edges == ParallelEdges::merge) weights.clear();
    weights.push_back(schema_.weights == WeightType::none ? 1.0 : added.weight);
  }
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
  void set_weights(const std::vector<Added>& named, ChangeCounts& counts) {
    for (const Added& one : named) {
      const auto found = edges_.find(key(one.edge));
      if (found == edges_.end()) {
        ++counts.edges_missing;
        continue;
      }
      found->second.assign(found->second.size(), one.weight);
      counts.weights_set += found->second.size();
    }
  }
  void remove_vertices(const std::vector<std::int64_t>& ids, ChangeCounts& counts) {
    for (const std::int64_t id : ids) {
      vertices_.erase(id) != 0 ? ++counts.vertices_removed : ++counts.vertices_missing;
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
    for (const auto& [edge, weights] : edges_) {
      for (const double weight : weights) {
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
    return batch;
  }

 private:
  [[nodiscard]] Edge key(Edge edge) const {
    if (!schema_.directed && edge.first > edge.second) std::swap(edge.first, edge.second);
    return edge;
  }

  GraphSchema schema_;
  std::int64_t dense_size_ = 0;  ///< ids below were there once
  std::set<std::int64_t> vertices_;
  std::map<Edge, std::vector<double>> edges_;
};

/// Random steps of a batch, few vertices wide, so that they meet.
class RandomSteps {
 public:
  /// Of `lanes` such, each with a lane of its own, no two name the same vertex.
  RandomSteps(const GraphSchema& schema, Random& random, std::int64_t lane = 0, std::int64_t lanes = 1) noexcept
      : schema_(schema), random_(random), lane_(lane), lanes_(lanes) {}

  void set_ids(IdKind ids) noexcept { schema_.ids = ids; }

  [[nodiscard]] std::int64_t id() {
    const auto small = static_cast<std::int64_t>(random_.below(40));
    return (schema_.ids == IdKind::dense ? small : small * 7 - 100) * lanes_ + lane_;
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
    const bool weighted = schema_.weights != WeightType::none;
    switch (random_.below(weighted ? 8 : 7)) {
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
        batch.add_vertices(model.column(ids));
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
        batch.set_weights(model.batch(named));
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
  GraphSchema schema_;
  Random& random_;
  std::int64_t lane_;
  std::int64_t lanes_;
};

/// The snapshot's lists by external id, read from a whole view.
inline Result<StoreModel::Lists> lists_of(const StoreSnapshot& snapshot, Direction direction) {
  SerialExecutor serial;
  RIZOMA_ASSIGN(const GraphView view, snapshot.view(serial));
  RIZOMA_ASSIGN(const IdColumn column, snapshot.ids().ids(VertexRange{0, snapshot.num_vertices()}));
  const auto id = [&](VertexId v) {
    const auto* integers = std::get_if<std::vector<std::int64_t>>(&column);
    return integers != nullptr ? (*integers)[v]
                               : std::int64_t{std::stoll(std::string(std::get<StringColumn>(column)[v]))};
  };
  StoreModel::Lists lists;
  const auto read = [&](const auto& edges) {
    for (VertexId v = 0; v < edges.num_vertices(); ++v) {
      const auto targets = edges.neighbors(v);
      if (!view.is_live(v) && targets.empty()) continue;
      auto& list = lists[id(v)];
      for (std::size_t i = 0; i < targets.size(); ++i) {
        double weight = 1.0;
        if (view.weight_type() == WeightType::int32) weight = edges.template weights<std::int32_t>(v)[i];
        if (view.weight_type() == WeightType::float32) weight = edges.template weights<float>(v)[i];
        if (view.weight_type() == WeightType::float64) weight = edges.template weights<double>(v)[i];
        list.emplace_back(id(targets[i]), weight);
      }
      std::sort(list.begin(), list.end());
    }
  };
  if (direction == Direction::out) {
    view.with_out(read);
  } else {
    view.with_both([&](const auto&, const auto& in) { read(in); });
  }
  return lists;
}

/// Whether a store has the properties that it was made with.
[[nodiscard]] inline bool same_properties(const GraphSchema& found, const GraphSchema& made) {
  return found.directed == made.directed && found.weights == made.weights && found.ids == made.ids &&
         found.ids_fixed == made.ids_fixed && (!made.directed || found.in_edges == made.in_edges) &&
         found.parallel_edges == made.parallel_edges && found.self_loops == made.self_loops &&
         (made.section_bits == 0 || found.section_bits == made.section_bits);
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
  RIZOMA_ASSIGN(const EdgeCount edges, snapshot.num_edges());
  return edges == model.num_edges() && snapshot.num_live() == model.num_vertices();
}

}  // namespace rizoma
