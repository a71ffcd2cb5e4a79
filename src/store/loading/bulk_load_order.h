// The order of the vertices of a load: which one it gets, and their numbers in it (sections/order.h has the orders).
//
// Cost: that of the order; `locality` holds all edges and their neighbours in memory.
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/executor.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>
#include <rizoma/schema.h>

#include "store/loading/bulk_load.h"
#include "store/loading/bulk_load_degrees.h"
#include "store/loading/bulk_load_neighbors.h"
#include "store/sections/order.h"

#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace rizoma::bulk {

/// What an order is chosen by.
struct OrderFacts {
  const GraphSchema& schema;
  const LoadSettings& settings;
  const DegreeCounts& counts;
  VertexId num_vertices = 0;
  std::uint64_t edge_limit = 0;  ///< bytes of memory that edges may take, where there is a limit
};

/// What an order needs of the edges, whatever their weights.
template <class Number>
struct EdgesToOrder {
  std::uint64_t count = 0;
  bool in_memory = true;
  FunctionRef<Status(Neighbors<Number>&)> add_to;
};

inline constexpr VertexId kNearPart = 4;  ///< an order `locality` keeps at most this part of the vertices waiting

inline Error order_stopped() {
  return {ErrorCode::cancelled, "the vertices keep their internal ids: the new order was cancelled"};
}

/// Neighbours have to be in memory, beside the edges.
template <class Number>
bool fits_neighbors(const OrderFacts& facts, const EdgesToOrder<Number>& edges) {
  if (!edges.in_memory || edges.count > kMostNeighborEdges) return false;
  return facts.settings.memory_limit == 0 ||
         neighbor_bytes<Number>(edges.count, facts.num_vertices) <= facts.edge_limit / 2;
}

/// Numbers that put neighbours near one another, and the share of such edges; for `automatic` none where this would
/// fail.
template <class Number>
Result<std::pair<std::vector<Number>, double>> near_order(const OrderFacts& facts, const EdgesToOrder<Number>& edges,
                                                          std::span<const std::uint32_t> degrees,
                                                          const Executor& executor) {
  const bool asked = facts.settings.order == VertexOrder::locality;
  if (edges.count == 0) return std::pair(std::vector<Number>{}, 0.0);
  if (!fits_neighbors(facts, edges)) {
    if (!asked) return std::pair(std::vector<Number>{}, 0.0);
    return Error{ErrorCode::out_of_memory,
                 "the order \"locality\" needs all edges in memory; raise the memory limit, or choose another order"};
  }
  Neighbors<Number> neighbors(degrees);
  RIZOMA_TRY(edges.add_to(neighbors));
  const NeighborLists<Number> lists = neighbors.lists();
  std::vector<Number> order = neighbors_near<Number>(lists, asked ? kAnyNumberMayWait : facts.num_vertices / kNearPart,
                                                     [&] { return executor.stopping(); });
  if (executor.stopping()) return order_stopped();
  const double near =
      asked || order.empty() ? 0 : share_of_near(distances_in<Number>(lists, order), facts.num_vertices);
  return std::pair(std::move(order), near);
}

/// The new order of provisional numbers; empty if they stay as they are.
template <class Number>
Result<std::vector<Number>> decide_order(const OrderFacts& facts, const EdgesToOrder<Number>& edges,
                                         const Executor& executor, LoadShape& shape) {
  const std::vector<std::uint32_t> both =
      facts.schema.directed ? total_degrees(facts.counts) : std::vector<std::uint32_t>{};
  const std::span<const std::uint32_t> degrees = facts.schema.directed ? both : facts.counts.out;
  shape.order = facts.settings.order;
  std::vector<Number> near;
  if (facts.settings.order == VertexOrder::automatic) {
    const OrderMeasures measures = measure_order(degrees, facts.counts.distances);
    double near_share = 0;
    if (facts.settings.may_search && near_may_pay(measures)) {
      RIZOMA_ASSIGN(std::tie(near, near_share), near_order(facts, edges, degrees, executor));
    }
    shape.order = choose_order(measures, near_share);
    shape.order_reason = reason_of(measures);
  } else if (facts.settings.order == VertexOrder::locality) {
    RIZOMA_ASSIGN(std::tie(near, std::ignore), near_order(facts, edges, degrees, executor));
  }
  if (shape.order == VertexOrder::given) return std::vector<Number>{};
  if (shape.order == VertexOrder::locality) return near;
  if (shape.order == VertexOrder::striped) return striped_order<Number>(degrees.size());
  return by_falling_degree<Number>(degrees);
}

}  // namespace rizoma::bulk
