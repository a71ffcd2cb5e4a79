// Edges that a column tells apart: changes and removals by the values of a key, against a plain model, in graphs that
// keep parallel edges and in such that merge them.
#include "store/repair/store_check.h"
#include "store/store.h"
#include "testing/heap_medium.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using Ids = std::vector<std::int64_t>;
using Kind = std::optional<std::string>;
using Amount = std::optional<std::int64_t>;
using Edge = std::pair<Kind, Amount>;
using Pair = std::pair<std::int64_t, std::int64_t>;

/// A row of a step: an edge and both values.
struct Row {
  Pair pair;
  Kind kind;
  Amount amount;
};

/// Of each pair its edges, in the order in which they were added.
class Model {
 public:
  explicit Model(const GraphSchema& schema) : schema_(schema) {}

  void add(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
      auto& edges = edges_[key_of(row.pair)];
      if (schema_.parallel_edges == ParallelEdges::merge) edges.clear();
      edges.emplace_back(row.kind, row.amount);
    }
  }
  /// Rows that named no edge.
  EdgeCount set(const std::vector<Row>& rows, const std::string& key) {
    EdgeCount missing = 0;
    const auto before = edges_;  // a step finds what was there when it began
    for (const Row& row : rows) {
      bool any = false;
      auto& edges = edges_[key_of(row.pair)];
      const auto found = before.find(key_of(row.pair));
      for (std::size_t i = 0; i < edges.size(); ++i) {
        if (!matches(found->second[i], row, key)) continue;
        edges[i] = {row.kind, row.amount};
        any = true;
      }
      missing += any ? 0 : 1;
    }
    return missing;
  }
  /// Rows that named no edge.
  EdgeCount remove(const std::vector<Row>& rows, const std::string& key, Parallel parallel) {
    EdgeCount missing = 0;
    for (const Row& row : rows) {
      auto& edges = edges_[key_of(row.pair)];
      const bool one = parallel == Parallel::one && schema_.parallel_edges == ParallelEdges::keep;
      bool any = false;
      for (std::size_t i = edges.size(); i-- > 0 && !(one && any);) {
        if (!matches(edges[i], row, key)) continue;
        edges.erase(edges.begin() + static_cast<std::ptrdiff_t>(i));
        any = true;
      }
      missing += any ? 0 : 1;
    }
    return missing;
  }
  [[nodiscard]] std::map<Pair, std::vector<Edge>> sorted() const {
    std::map<Pair, std::vector<Edge>> all;
    for (const auto& [pair, edges] : edges_) {
      if (edges.empty()) continue;
      all[pair] = edges;
      std::sort(all[pair].begin(), all[pair].end());
    }
    return all;
  }

 private:
  [[nodiscard]] Pair key_of(Pair pair) const {
    if (!schema_.directed && pair.second < pair.first) std::swap(pair.first, pair.second);
    return pair;
  }
  [[nodiscard]] static bool matches(const Edge& edge, const Row& row, const std::string& key) {
    return key.empty() || (key == "kind" ? edge.first == row.kind : edge.second == row.amount);
  }

  GraphSchema schema_;
  std::map<Pair, std::vector<Edge>> edges_;
};

EdgeBatch batch_of(const std::vector<Row>& rows) {
  Ids sources, targets;
  ColumnValues kinds{"kind", ColumnType::string, {}, {}, {}};
  ColumnValues amounts{"amount", ColumnType::int64, {}, {}, {}};
  for (const Row& row : rows) {
    sources.push_back(row.pair.first);
    targets.push_back(row.pair.second);
    if (row.kind) kinds.push(std::as_bytes(std::span(*row.kind)));
    else kinds.push_null();
    if (row.amount) amounts.push(std::as_bytes(std::span(&*row.amount, 1)));
    else amounts.push_null();
  }
  return {sources, targets, {}, {{kinds, amounts}}};
}

std::map<Pair, std::vector<Edge>> content(Store& store) {
  std::map<Pair, std::vector<Edge>> all;
  const auto state = *store.snapshot();
  for (VertexId u = 0; u < state->num_vertices(); ++u) {
    const NeighborList list = *state->entries(Direction::out, u);
    const std::vector<VertexId> targets = list.targets();
    const std::vector<double> rows = list.weights();
    const ColumnValues kinds = *state->edge_values("kind", rows);
    const ColumnValues amounts = *state->edge_values("amount", rows);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (!state->schema().directed && targets[i] < u) continue;
      Edge edge;
      if (kinds.is_valid(i)) {
        const auto bytes = kinds.bytes(i);
        edge.first = std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      }
      if (amounts.is_valid(i)) {
        edge.second.emplace();
        std::memcpy(&*edge.second, amounts.values.data() + 8 * i, 8);
      }
      all[{static_cast<std::int64_t>(u), static_cast<std::int64_t>(targets[i])}].push_back(edge);
    }
  }
  for (auto& [pair, edges] : all) std::sort(edges.begin(), edges.end());
  return all;
}

constexpr std::int64_t kVertices = 5;

std::vector<Row> some_rows(std::mt19937_64& random) {
  std::vector<Row> rows(1 + random() % 5);
  for (Row& row : rows) {
    row.pair.first = static_cast<std::int64_t>(random() % kVertices);
    row.pair.second = (row.pair.first + 1 + static_cast<std::int64_t>(random() % 2)) % kVertices;
    if (random() % 4 != 0) row.kind = std::string(random() % 3, 'k');  // an empty text is no null
    if (random() % 4 != 0) row.amount = static_cast<std::int64_t>(random() % 3);
  }
  return rows;
}

GraphSchema schema_of(bool directed, ParallelEdges parallel) {
  GraphSchema schema;
  schema.directed = directed;
  schema.parallel_edges = parallel;
  schema.section_bits = 2;
  schema.edge_columns = {{0, ColumnType::string, true, "kind"}, {0, ColumnType::int64, true, "amount"}};
  return schema;
}

/// A random step, of the store and of the model.
void step(Store& store, Model& model, std::mt19937_64& random) {
  const std::vector<Row> rows = some_rows(random);
  const std::string key = std::vector<std::string>{"", "kind", "amount"}[random() % 3];
  EdgeCount missing = 0;
  Batch batch;
  switch (random() % 4) {
    case 0: {
      const Parallel parallel = random() % 2 == 0 ? Parallel::one : Parallel::all;
      batch.remove_edges(batch_of(rows), Missing::ignore, parallel, key);
      missing = model.remove(rows, key, parallel);
      break;
    }
    case 1:
      batch.set_edges(batch_of(rows), Missing::ignore, key);
      missing = model.set(rows, key);
      break;
    default: batch.add_edges(batch_of(rows)); model.add(rows);
  }
  const auto counts = store.apply(batch);
  ASSERT_TRUE(counts) << counts.error().message;
  EXPECT_EQ(counts->edges_missing, missing);
}

void expect_like_the_model(const GraphSchema& schema, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::shared_ptr<Medium> medium = make_heap_medium();
  SerialExecutor serial;
  StoreOptions options;
  options.schema = schema;
  Model model(schema);
  {
    const auto store = *Store::create(medium, options);
    ASSERT_TRUE(store->add_vertices(Ids{0, 1, 2, 3, 4}));
    for (int i = 0; i < 60 && !::testing::Test::HasFailure(); ++i) {
      step(*store, model, random);
      const auto upkeep = random() % 16;
      EXPECT_TRUE(upkeep < 2 ? store->checkpoint() : upkeep == 2 ? store->compact(serial, std::nullopt) : Status());
      EXPECT_EQ(content(*store), model.sorted()) << "step " << i;
    }
  }
  const auto again = *Store::open(medium);
  EXPECT_EQ(content(*again), model.sorted()) << "opened again";
  ASSERT_TRUE(again->close());
  EXPECT_TRUE(check_store(medium, serial)->findings.empty());
}

TEST(KeyedEdges, AreChangedAndRemovedAsAModelSays) {
  for (const bool directed : {true, false}) {
    for (const ParallelEdges parallel : {ParallelEdges::keep, ParallelEdges::merge}) {
      for (std::uint64_t seed = 0; seed < 6; ++seed) {
        SCOPED_TRACE((directed ? "directed " : "undirected ") + std::to_string(static_cast<int>(parallel)) + " " +
                     std::to_string(seed));
        expect_like_the_model(schema_of(directed, parallel), seed);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(KeyedEdges, NeedAColumnThatGraphAndTableHave) {
  StoreOptions options;
  options.schema = schema_of(true, ParallelEdges::keep);
  const auto store = *Store::create(make_heap_medium(), options);
  const std::vector<Row> rows = {{{0, 1}, "k", 1}};
  ASSERT_TRUE(store->apply(Batch().add_edges(batch_of(rows))));
  EdgeBatch bare = batch_of(rows);
  bare.columns.columns.pop_back();  // "amount"
  for (const auto& [key, says] :
       {std::pair("since", "the graph has no such column"), std::pair("amount", "the table has no such column")}) {
    for (const Batch& batch : {Batch().remove_edges(bare, Missing::ignore, Parallel::all, key),
                               Batch().set_edges(bare, Missing::ignore, key)}) {
      const auto refused = store->apply(batch);
      ASSERT_FALSE(refused);
      EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
      EXPECT_NE(refused.error().message.find(says), std::string::npos) << refused.error().message;
    }
  }
  const std::vector<Row> other = {{{0, 1}, "other", 1}};
  const auto missing = store->apply(Batch().remove_edges(batch_of(other), Missing::error, Parallel::all, "kind"));
  ASSERT_FALSE(missing) << "there is an edge of that pair, but not of that kind";
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  EXPECT_EQ(content(*store).at({0, 1}).size(), 1U);
}

}  // namespace
}  // namespace rizoma
