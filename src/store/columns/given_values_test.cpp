// Values of vertices and edges: a row that does not give a column leaves what is there; one with a null clears it.
// However changes are divided into batches, steps and tables, the state is that of one row after the other.
#include "store/loading/bulk_load.h"
#include "store/store.h"
#include "testing/heap_medium.h"

#include <gtest/gtest.h>

#include <array>
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

constexpr std::array<const char*, 3> kColumns = {"a", "b", "c"};
constexpr std::int64_t kVertices = 6;

/// What a row says of a column: nothing, a null, or a value.
enum class Says : std::uint8_t { nothing, null, value };
using Row = std::map<std::string, std::optional<std::int64_t>>;  // columns that it gives

std::vector<ColumnSchema> schema_of_columns(std::uint32_t first_id) {
  std::vector<ColumnSchema> columns;
  for (const char* name : kColumns) columns.push_back({first_id++, ColumnType::int64, true, name});
  return columns;
}

Row random_row(std::mt19937_64& random) {
  Row row;
  for (const char* name : kColumns) {
    switch (static_cast<Says>(random() % 3)) {
      case Says::nothing: break;
      case Says::null: row[name] = std::nullopt; break;
      case Says::value: row[name] = static_cast<std::int64_t>(random() % 100); break;
    }
  }
  return row;
}

/// The rows as a table; it lacks columns that no row gives.
ColumnTable table_of(const std::vector<Row>& rows) {
  ColumnTable table;
  for (const char* name : kColumns) {
    ColumnValues column{name, ColumnType::int64, {}, {}, {}};
    bool gives = false;
    for (const Row& row : rows) {
      const auto found = row.find(name);
      gives = gives || found != row.end();
      if (found == row.end()) column.push_absent();
      else if (!found->second) column.push_null();
      else column.push(std::as_bytes(std::span(&*found->second, 1)));
    }
    if (gives) table.columns.push_back(std::move(column));
  }
  return table;
}

void put(Row& state, const Row& row) {
  for (const auto& [name, value] : row) state[name] = value;
}

/// The values there are: nulls are left out.
Row values_at(std::span<const ColumnValues> columns, std::size_t place) {
  Row row;
  for (const ColumnValues& column : columns) {
    if (!column.is_valid(place)) continue;
    std::int64_t value = 0;
    std::memcpy(&value, column.values.data() + place * sizeof value, sizeof value);
    row[column.name] = value;
  }
  return row;
}

Row without_nulls(const Row& row) {
  Row there;
  for (const auto& [name, value] : row) {
    if (value) there[name] = value;
  }
  return there;
}

TEST(GivenValues, OfVerticesAreThoseOfOneRowAfterTheOther) {
  std::mt19937_64 random(3);
  for (int history = 0; history < 60; ++history) {
    StoreOptions options;
    options.schema.vertex_columns = schema_of_columns(1);
    options.schema.next_column = 1 + kColumns.size();
    const auto store = *Store::create(make_heap_medium(), options);
    ASSERT_TRUE(store->add_vertices(std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
    std::vector<Row> model(kVertices);
    for (int commit = 0; commit < 4; ++commit) {
      Batch batch;
      for (std::uint64_t step = random() % 3 + 1; step > 0; --step) {
        std::vector<std::int64_t> ids;
        std::vector<Row> rows;
        for (std::uint64_t i = random() % 6; i > 0; --i) {
          ids.push_back(static_cast<std::int64_t>(random() % kVertices));
          rows.push_back(random_row(random));
          put(model[static_cast<std::size_t>(ids.back())], rows.back());
        }
        if (random() % 2 == 0) batch.add_vertices(ids, table_of(rows));
        else batch.set_vertices(ids, table_of(rows));
      }
      ASSERT_TRUE(store->apply(batch));
      if (random() % 3 == 0) {
        ASSERT_TRUE(store->checkpoint());
      }
    }
    const auto snapshot = *store->snapshot();
    const std::vector<VertexId> all = {0, 1, 2, 3, 4, 5};
    std::vector<ColumnValues> columns;
    for (const char* name : kColumns) columns.push_back(*snapshot->vertex_values(name, all));
    for (std::size_t v = 0; v < all.size(); ++v) {
      EXPECT_EQ(values_at(columns, v), without_nulls(model[v])) << "history " << history << ", vertex " << v;
    }
  }
}

/// Sets values of the edges 0 -> 1, 0 -> 2 and 0 -> 3, two parallel ones each where they are kept.
void set_edges_as_the_model_does(ParallelEdges parallel) {
  std::mt19937_64 random(4);
  const std::size_t each = parallel == ParallelEdges::keep ? 2 : 1;
  for (int history = 0; history < 60; ++history) {
    StoreOptions options;
    options.schema.directed = true;
    options.schema.parallel_edges = parallel;
    options.schema.edge_columns = schema_of_columns(0);
    const auto store = *Store::create(make_heap_medium(), options);
    for (std::size_t i = 0; i < each; ++i) {
      ASSERT_TRUE(store->add_edges({std::vector<std::int64_t>{0, 0, 0}, std::vector<std::int64_t>{1, 2, 3}, {}, {}}));
    }
    std::array<Row, 4> model;
    for (int commit = 0; commit < 4; ++commit) {
      EdgeBatch edges;
      std::vector<std::int64_t> sources, targets;
      std::vector<Row> rows = {{{"a", commit}}};
      sources.push_back(0), targets.push_back(1);
      put(model[1], rows.front());
      for (std::uint64_t i = random() % 6; i > 0; --i) {
        sources.push_back(0), targets.push_back(static_cast<std::int64_t>(random() % 3 + 1));
        rows.push_back(random_row(random));
        put(model.at(static_cast<std::size_t>(targets.back())), rows.back());
      }
      ASSERT_TRUE(store->apply(Batch().set_edges({sources, targets, {}, table_of(rows)})));
    }
    const auto snapshot = *store->snapshot();
    const auto edges = snapshot->entries(Direction::out, 0);
    ASSERT_TRUE(edges);
    ASSERT_EQ(edges->size(), 3 * each);
    std::vector<double> numbers;
    for (std::size_t i = 0; i < edges->size(); ++i) numbers.push_back(edges->weight(i));
    std::vector<ColumnValues> columns;
    for (const char* name : kColumns) columns.push_back(*snapshot->edge_values(name, numbers));
    for (std::size_t i = 0; i < edges->size(); ++i) {
      EXPECT_EQ(values_at(columns, i), without_nulls(model.at((*edges)[i]))) << "history " << history << ", edge " << i;
    }
  }
}

TEST(GivenValues, OfEdgesAreThoseOfOneRowAfterTheOther) {
  set_edges_as_the_model_does(ParallelEdges::merge);
  set_edges_as_the_model_does(ParallelEdges::keep);
}

/// What the edges 0 -> 1, 0 -> 2 and 0 -> 3 have in a graph that merges parallel edges.
void expect_edges(Store& store, const std::array<Row, 4>& model, const std::string& where) {
  const auto snapshot = *store.snapshot();
  const auto edges = snapshot->entries(Direction::out, 0);
  ASSERT_TRUE(edges);
  std::vector<double> numbers;
  for (std::size_t i = 0; i < edges->size(); ++i) numbers.push_back(edges->weight(i));
  std::vector<ColumnValues> columns;
  for (const char* name : kColumns) columns.push_back(*snapshot->edge_values(name, numbers));
  for (std::size_t i = 0; i < edges->size(); ++i) {
    EXPECT_EQ(values_at(columns, i), without_nulls(model.at((*edges)[i]))) << where << ", edge " << i;
  }
}

/// One more row of an edge, whose column b has the sum and c the first value if `rules`.
void add(Row& state, const Row& row, bool rules) {
  const bool is_new = state.empty();
  if (is_new) {
    for (const char* name : kColumns) state[name] = std::nullopt;
  }
  for (const auto& [name, value] : row) {
    std::optional<std::int64_t>& present = state[name];
    if (rules && name == "b" && present && value) present = *present + *value;
    else if (rules && name == "b" && !value) continue;
    else if (!rules || name != "c" || is_new) present = value;
  }
}

TEST(GivenValues, OfAddedEdgesAreThoseOfOneRowAfterTheOther) {
  std::mt19937_64 random(5);
  for (int history = 0; history < 120; ++history) {
    const bool rules = history % 2 == 1;
    StoreOptions options;
    options.schema.directed = history % 4 < 2;
    options.schema.edge_columns = schema_of_columns(0);
    if (rules) options.schema.edge_columns[1].parallel = ParallelRule::sum;
    if (rules) options.schema.edge_columns[2].parallel = ParallelRule::first;
    const auto store = *Store::create(make_heap_medium(), options);
    ASSERT_TRUE(store->add_vertices(std::vector<std::int64_t>{0, 1, 2, 3}));
    std::array<Row, 4> model;
    for (int commit = 0; commit < 4; ++commit) {
      Batch batch;
      for (std::uint64_t step = random() % 3 + 1; step > 0; --step) {
        std::vector<std::int64_t> sources, targets;
        std::vector<Row> rows;
        for (std::uint64_t i = random() % 6; i > 0; --i) {
          sources.push_back(0), targets.push_back(static_cast<std::int64_t>(random() % 3 + 1));
          if (!options.schema.directed && random() % 2 == 0) std::swap(sources.back(), targets.back());
          rows.push_back(random_row(random));
          add(model.at(static_cast<std::size_t>(sources.back() + targets.back())), rows.back(), rules);
        }
        batch.add_edges({sources, targets, {}, table_of(rows)});
      }
      ASSERT_TRUE(store->apply(batch));
      if (random() % 3 == 0) {
        ASSERT_TRUE(store->checkpoint());
      }
      expect_edges(*store, model, "history " + std::to_string(history));
    }
  }
}

/// A load in pieces, each of which becomes a block of rows: an edge may be in several of them.
TEST(GivenValues, OfLoadedEdgesAreThoseOfOneRowAfterTheOther) {
  std::mt19937_64 random(6);
  for (int history = 0; history < 120; ++history) {
    const bool rules = history % 2 == 1;
    StoreOptions options;
    options.schema.directed = history % 4 < 2;
    options.schema.edge_columns = schema_of_columns(0);
    if (rules) options.schema.edge_columns[1].parallel = ParallelRule::sum;
    if (rules) options.schema.edge_columns[2].parallel = ParallelRule::first;
    const auto store = *Store::create(make_heap_medium(), options);
    const auto target = *store->load_target(IdKind::dense);
    BulkLoader loader(store->load_schema(), {}, *target);
    ASSERT_TRUE(loader.add_vertices(std::vector<std::int64_t>{0, 1, 2, 3}));
    std::array<Row, 4> model;
    for (std::uint64_t piece = random() % 4 + 1; piece > 0; --piece) {
      std::vector<std::int64_t> sources, targets;
      std::vector<Row> rows;
      for (std::uint64_t i = random() % 6 + 1; i > 0; --i) {
        sources.push_back(0), targets.push_back(static_cast<std::int64_t>(random() % 3 + 1));
        rows.push_back(random_row(random));
        add(model.at(static_cast<std::size_t>(targets.back())), rows.back(), rules);
      }
      ASSERT_TRUE(loader.add({sources, targets, {}, table_of(rows)}));
    }
    SerialExecutor serial;
    ASSERT_TRUE(loader.finish(serial));
    expect_edges(*store, model, "history " + std::to_string(history));
  }
}

/// Rows of edges 0 -> 1 to 0 -> 3, some without a weight, and what an edge weighs after them.
struct WeightedRows {
  EdgeBatch edges;
  std::array<std::optional<double>, 4> last;

  explicit WeightedRows(std::mt19937_64& random) {
    std::vector<std::int64_t> sources, targets;
    std::vector<std::uint8_t> given;
    for (std::uint64_t i = random() % 8; i > 0; --i) {
      const auto target = static_cast<std::int64_t>(random() % 3 + 1);
      const bool turned = random() % 2 == 0;
      sources.push_back(turned ? target : 0);
      targets.push_back(turned ? 0 : target);
      given.push_back(random() % 2 == 0 ? 1 : 0);
      edges.weights.push_back(given.back() == 0 ? 1 : static_cast<double>(random() % 90 + 2));
      std::optional<double>& weight = last.at(static_cast<std::size_t>(target));
      if (given.back() != 0 || !weight) weight = given.back() == 0 ? weight.value_or(0) : edges.weights.back();
    }
    edges.sources = sources;
    edges.targets = targets;
    if (!given.empty()) mark(given);
  }

 private:
  void mark(const std::vector<std::uint8_t>& given) {
    ColumnValues marks{"weight", ColumnType::boolean, {}, {}, {}};
    marks.values.resize(given.size());
    marks.given = marks.valid = given;
    edges.columns.columns.push_back(marks);
  }
};

/// 0: named by rows without a weight alone.
void add_weights(std::array<std::optional<double>, 4>& model, const WeightedRows& rows) {
  for (std::size_t v = 0; v < model.size(); ++v) {
    if (!rows.last[v]) continue;
    if (*rows.last[v] != 0) model[v] = rows.last[v];
    else if (!model[v]) model[v] = 0;
  }
}

void expect_weights(Store& store, const std::array<std::optional<double>, 4>& model, bool columns) {
  const auto snapshot = *store.snapshot();
  const auto edges = columns ? snapshot->entries(Direction::out, 0) : snapshot->neighbors(Direction::out, 0);
  ASSERT_TRUE(edges);
  std::vector<double> weights;
  for (std::size_t i = 0; i < edges->size(); ++i) weights.push_back(edges->weight(i));
  if (columns) {
    const auto values = snapshot->edge_values("weight", weights);
    ASSERT_TRUE(values);
    ASSERT_EQ(values->type, ColumnType::float64);
    std::memcpy(weights.data(), values->values.data(), values->values.size());
  }
  std::size_t at = 0;
  for (std::size_t v = 0; v < model.size(); ++v) {
    if (!model[v]) continue;
    ASSERT_LT(at, edges->size());
    EXPECT_EQ((*edges)[at], v);
    EXPECT_EQ(weights[at++], *model[v] == 0 ? 1 : *model[v]);
  }
  EXPECT_EQ(at, edges->size());
}

TEST(GivenValues, AWeightThatARowDoesNotGiveStaysHoweverItIsAdded) {
  std::mt19937_64 random(6);
  SerialExecutor executor;
  for (int history = 0; history < 160; ++history) {
    const bool columns = history % 2 == 1;
    StoreOptions options;
    options.schema.weights =
        columns ? WeightType::float64
                : std::array{WeightType::int32, WeightType::float64}.at(static_cast<std::size_t>(history / 2 % 2));
    if (columns) options.schema.edge_columns = schema_of_columns(0);
    const auto store = *Store::create(make_heap_medium(), options);
    std::array<std::optional<double>, 4> model;
    if (history % 4 < 2) {
      const auto target = *store->load_target(IdKind::dense);
      BulkLoader loader(store->load_schema(), {}, *target);
      for (int batch = 0; batch < 4; ++batch) {
        const WeightedRows rows(random);
        add_weights(model, rows);
        const auto added = loader.add(rows.edges);
        ASSERT_TRUE(added) << added.error().message;
      }
      ASSERT_TRUE(loader.add_vertices(std::vector<std::int64_t>{0, 1, 2, 3}));
      ASSERT_TRUE(loader.finish(executor));
      expect_weights(*store, model, columns);
    } else {
      ASSERT_TRUE(store->add_vertices(std::vector<std::int64_t>{0, 1, 2, 3}));
    }
    for (int commit = 0; commit < 3; ++commit) {
      const WeightedRows rows(random);
      add_weights(model, rows);
      ASSERT_TRUE(store->apply(Batch().add_edges(rows.edges)));
      if (random() % 2 == 0) {
        ASSERT_TRUE(store->checkpoint());
      }
      expect_weights(*store, model, columns);
      const WeightedRows set(random);
      for (std::size_t v = 0; v < model.size(); ++v) {
        if (model[v] && set.last[v] && *set.last[v] != 0) model[v] = set.last[v];
      }
      const auto done = store->apply(Batch().set_weights(set.edges));
      ASSERT_TRUE(done) << done.error().message;
      expect_weights(*store, model, columns);
    }
  }
}

}  // namespace
}  // namespace rizoma
