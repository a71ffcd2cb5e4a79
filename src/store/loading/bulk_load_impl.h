// What a BulkLoader is inside: its edges, its ids and the steps of finishing, which bulk_load.cpp has; what several
// processes need of it to make one load together is in bulk_load_shares.cpp.
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/executor.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>
#include <rizoma/schema.h>

#include "store/dictionary/dictionary_tail.h"
#include "store/loading/bulk_load.h"
#include "store/loading/bulk_load_build.h"
#include "store/loading/bulk_load_degrees.h"
#include "store/loading/bulk_load_edges.h"
#include "store/loading/bulk_load_order.h"
#include "store/loading/given_vertices.h"
#include "store/loading/load_memory.h"
#include "store/loading/partition_buffers.h"
#include "store/messages.h"
#include "store/sections/weight_rules.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace rizoma {
namespace bulk {

using Integers = std::vector<std::int64_t>;

/// Fills in the ends of edges from `begin` on, by provisional number: a block at a time, so that where they come from
/// is compiled once for all widths.
using Ends = std::pair<VertexId, VertexId>;
using EndsOf = FunctionRef<void(std::size_t begin, std::span<Ends> ends)>;

/// Edges by width of a number and of a weight.
template <class Number>
using AnyEdges = std::variant<EdgeBuffer<Edge<Number, NoBits>>, EdgeBuffer<Edge<Number, std::uint32_t>>,
                              EdgeBuffer<Edge<Number, std::uint64_t>>>;
using Edges = std::variant<AnyEdges<std::uint32_t>, AnyEdges<std::uint64_t>>;

/// Bytes of a weight, or of the number of a row, which is a narrow one in most loads.
[[nodiscard]] inline unsigned bits_bytes(const GraphSchema& schema, bool wide_rows) {
  return schema.rows && !wide_rows ? 4 : weight_bytes(schema.weights);
}

template <class Number>
[[nodiscard]] AnyEdges<Number> make_edges(unsigned bits_bytes, std::size_t chunk_bytes) {
  switch (bits_bytes) {
    case 4: return EdgeBuffer<Edge<Number, std::uint32_t>>(chunk_bytes);
    case 8: return EdgeBuffer<Edge<Number, std::uint64_t>>(chunk_bytes);
    default: return EdgeBuffer<Edge<Number, NoBits>>(chunk_bytes);
  }
}

/// What is decided before the first section is built.
template <class Number>
struct Begun {
  LoadShape shape;
  std::vector<Number> rank;  ///< final number by provisional one; empty: they stay
  std::vector<Side> sides;
};

}  // namespace bulk

struct BulkLoader::Impl {
  Impl(const GraphSchema& graph_schema, const LoadSettings& load_settings, LoadTarget& load_target)
      : with_rows(graph_schema.rows && !load_settings.stored_weights),
        weights_given(graph_schema.weights),
        schema(graph_schema),
        settings(load_settings),
        target(load_target),
        memory(settings.memory_limit, schema.directed),
        edges(bulk::make_edges<std::uint32_t>(0, memory.chunk_bytes())) {
    schema.weights = entry_weights(schema);
    edges = bulk::make_edges<std::uint32_t>(bulk::bits_bytes(schema, wide_rows), memory.chunk_bytes());
    if (schema.ids == IdKind::integer) integers = std::make_unique<DictionaryTail<std::int64_t>>(0);
    if (schema.ids == IdKind::string) strings = std::make_unique<DictionaryTail<std::string_view>>(0);
    if (settings.min_target_bytes == 8) {
      edges = bulk::make_edges<std::uint64_t>(bulk::bits_bytes(schema, wide_rows), memory.chunk_bytes());
    }
  }

  /// Edges with their weights; of a graph with columns their values go to rows, and their weights are numbers of rows.
  Status add(const EdgeBatch& batch);
  /// The ends of the batch with these weights, of which an empty `gives_weight` marks all as given.
  Status add_edges(const EdgeBatch& batch, const std::vector<double>& weights,
                   std::span<const std::uint8_t> gives_weight);
  Status add_vertices(const IdColumn& ids);
  Status add_all_below(VertexId end);
  template <class Get>
  Status add_texts(Get&& get, std::vector<VertexId>& numbers);
  /// Edges by provisional number.
  Status add_numbers(std::size_t count, bulk::EndsOf ends_of, const std::vector<double>& weights,
                     std::span<const std::uint8_t> gives_weight = {});
  Status add_view(const GraphView& view, const DictionaryView& ids, const Executor& executor);
  Status add_lists(const GraphView& view, const DictionaryView& ids, const Executor& executor);
  Result<std::vector<VertexId>> add_dense(const GraphView& view, const DictionaryView& ids);
  Result<std::vector<VertexId>> add_live(const GraphView& view, const DictionaryView& ids);
  Status finish(Executor& executor);

  // of a load that several processes make together
  Status take_edges(FunctionRef<Status(std::span<const std::byte>)> take);
  Status add_entries(std::span<const std::byte> records);
  Result<std::vector<VertexId>> number(const IdColumn& ids);
  [[nodiscard]] IdColumn ids(VertexRange numbers) const;
  [[nodiscard]] IdColumn given_alone() const;
  [[nodiscard]] LoadShare share() const noexcept { return {num_vertices, named_by_edges, given.end(), num_added}; }
  Status expect(const LoadShare& all);
  Result<SharedPlan> begin_shared(bulk::DegreeCounts&& all, Executor& executor);

  /// Writes the values of edges to rows, whose numbers it returns.
  Result<std::vector<double>> row_numbers(const EdgeBatch& batch) {
    for (std::size_t i = 0; i < batch.weights.size(); ++i) {
      if (!weight_fits(weights_given, batch.weights[i]))
        return refused_weight(weights_given, batch.weights[i], num_added + i);
    }
    if (batch.weights.size() != (weights_given == WeightType::none ? 0 : batch.size())) {
      return Error{ErrorCode::invalid_argument,
                   "the graph was created with weights of a different type than the edges have"};
    }
    return target.put_rows(batch);
  }

  const bool with_rows;
  std::uint64_t spilled_bytes = 0;  ///< of edges

 private:
  /// `greatest`: of all these ids, as unsigned numbers.
  Status add_dense(const bulk::Integers& sources, const bulk::Integers& targets, VertexId greatest,
                   const std::vector<double>& weights, std::span<const std::uint8_t> gives_weight);
  /// Turns dense ids into integers if `greatest` of `count` ids is too far for them.
  Status leave_dense_if_far(VertexId greatest, std::uint64_t count);
  /// Provisional numbers are ids, or some of them were.
  [[nodiscard]] bool may_have_gaps() const noexcept { return schema.ids == IdKind::dense || dense_end > 0; }
  template <class Number>
  void leave_out_unnamed(std::vector<Number>& order);
  Status need(VertexId size);
  [[nodiscard]] Status check_gaps() const;
  Status widen();
  template <class Record>
  Status append(bulk::EdgeBuffer<Record>& buffer, std::size_t count, bulk::EndsOf ends_of,
                const std::vector<double>& weights, bool early);
  template <class Record>
  Status spill(bulk::EdgeBuffer<Record>& buffer);

  // finish, step by step
  /// Decides the order and the sections, and begins with the target.
  template <class Number>
  Result<bulk::Begun<Number>> begin(const bulk::EdgesToOrder<Number>& loaded, const Executor& executor);
  template <class Record>
  Status run(bulk::EdgeBuffer<Record>& buffer, Executor& executor);
  template <class Record>
  Status count(bulk::EdgeBuffer<Record>& buffer, Executor& executor);
  template <class Number>
  Status put_dictionary(std::span<const Number> order);
  template <class Number>
  std::vector<bulk::Side> make_sides(LoadShape& shape, std::span<const Number> order);
  template <class Record>
  Result<bulk::PartitionBuffers<Record>> move_to_partitions(bulk::EdgeBuffer<Record>& buffer,
                                                            std::span<const typename Record::Number> rank,
                                                            const std::vector<bulk::Side>& sides, Executor& executor);

  WeightType weights_given;  ///< of a graph with rows
  GraphSchema schema;        ///< the sections hold its weights
  LoadSettings settings;
  LoadTarget& target;
  std::unique_ptr<DictionaryTail<std::int64_t>> integers;
  std::unique_ptr<DictionaryTail<std::string_view>> strings;
  bulk::LoadMemory memory;
  VertexId num_vertices = 0;
  VertexId named_by_edges = 0;  ///< dense ids: after the largest that an edge names,
  bulk::GivenVertices given;    ///< and which were given as vertices
  VertexId dense_end = 0;       ///< numbers below are ids, some of which may be no vertices
  std::uint64_t num_added = 0;  ///< edges, for messages
  bool wide_rows = false;
  std::unique_ptr<SpillFile> spill_file;
  bulk::Edges edges;  ///< after the file it may refer to
  bulk::DegreeCounts counts;
};

}  // namespace rizoma
