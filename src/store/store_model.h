// StoreModel: a graph as a plain map of edges, the oracle of the store's tests.
#pragma once

#include <rizoma/edge_batch.h>
#include <rizoma/schema.h>

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

  void add_vertex(std::int64_t id) {
    if (schema_.ids == IdKind::dense) {
      for (auto v = static_cast<std::int64_t>(vertices_.size()); v < id; ++v) vertices_.insert(v);
    }
    vertices_.insert(id);
  }
  void add(const Added& added) {
    add_vertex(added.edge.first);
    add_vertex(added.edge.second);
    if (schema_.self_loops == SelfLoops::drop && added.edge.first == added.edge.second) return;
    Edge edge = added.edge;
    if (!schema_.directed && edge.first > edge.second) std::swap(edge.first, edge.second);
    auto& weights = edges_[edge];
    if (schema_.parallel_edges == ParallelEdges::merge) weights.clear();
    weights.push_back(schema_.weights == WeightType::none ? 1.0 : added.weight);
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
  GraphSchema schema_;
  std::set<std::int64_t> vertices_;
  std::map<Edge, std::vector<double>> edges_;
};

/// The snapshot's lists by external id, read from a whole view.
inline Result<StoreModel::Lists> lists_of(const StoreSnapshot& snapshot, Direction direction) {
  SerialExecutor serial;
  RIZOMA_ASSIGN(const GraphView view, snapshot.view(serial));
  RIZOMA_ASSIGN(const IdColumn column, snapshot.ids().ids(VertexRange{0, snapshot.num_vertices()}));
  const auto id = [&](VertexId v) {
    const auto* integers = std::get_if<std::vector<std::int64_t>>(&column);
    return integers != nullptr ? (*integers)[v] : std::int64_t{std::stoll(std::string(std::get<StringColumn>(column)[v]))};
  };
  StoreModel::Lists lists;
  const auto read = [&](const auto& edges) {
    for (VertexId v = 0; v < edges.num_vertices(); ++v) {
      auto& list = lists[id(v)];
      const auto targets = edges.neighbors(v);
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

/// True, or an Error, if the snapshot could be read: whether it is what the model is.
inline Result<bool> equals(const StoreSnapshot& snapshot, const StoreModel& model) {
  RIZOMA_ASSIGN(const auto out, lists_of(snapshot, Direction::out));
  if (out != model.lists(Direction::out)) return false;
  if (snapshot.has_in()) {
    RIZOMA_ASSIGN(const auto in, lists_of(snapshot, Direction::in));
    if (in != model.lists(Direction::in)) return false;
  }
  return snapshot.num_edges() == model.num_edges();
}

}  // namespace rizoma
