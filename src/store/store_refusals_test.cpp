// What a store refuses: each refusal says why by its code and its words, and leaves the store as it was, also for the
// next opening.  What is just allowed is allowed.
#include "store/state/filtered.h"
#include "store/store.h"
#include "testing/heap_medium.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using Ids = std::vector<std::int64_t>;

/// Everything that a refused change might have touched.
struct Content {
  std::vector<std::vector<VertexId>> neighbors;
  GraphSchema schema;
  std::vector<std::string> tags;

  static Content of(Store& store) {
    Content content;
    const auto snapshot = *store.snapshot();
    for (VertexId v = 0; v < snapshot->num_vertices(); ++v) {
      content.neighbors.push_back(snapshot->neighbors(Direction::out, v)->targets());
    }
    content.schema = store.schema();
    for (const TagInfo& tag : store.tags()) content.tags.push_back(tag.name);
    return content;
  }
};

void expect_same(const Content& found, const Content& before) {
  EXPECT_EQ(found.neighbors, before.neighbors);
  EXPECT_EQ(found.tags, before.tags);
  EXPECT_EQ(found.schema.edge_columns, before.schema.edge_columns);
  EXPECT_EQ(found.schema.vertex_columns, before.schema.vertex_columns);
  EXPECT_EQ(found.schema.weights, before.schema.weights);
  EXPECT_EQ(found.schema.ids, before.schema.ids);
  EXPECT_EQ(found.schema.rows, before.schema.rows);
}

enum class Kind : std::uint8_t { plain, weighted, whole_weights, with_columns, parallel };

GraphSchema schema_of(Kind kind) {
  GraphSchema schema;
  schema.section_bits = 2;
  schema.directed = true;
  if (kind == Kind::weighted || kind == Kind::parallel) schema.weights = WeightType::float64;
  if (kind == Kind::whole_weights) schema.weights = WeightType::int32;
  if (kind == Kind::parallel) schema.parallel_edges = ParallelEdges::keep;
  return schema;
}

/// Edges 0-1, 1-2, 2-0; a tag; a column of vertices and, of one kind, of edges.
std::unique_ptr<Store> store_of(Kind kind, const std::shared_ptr<Medium>& medium) {
  StoreOptions options;
  options.schema = schema_of(kind);
  auto store = *Store::create(medium, options);
  EdgeBatch edges{Ids{0, 1, 2}, Ids{1, 2, 0}, {}, {}};
  if (options.schema.weights != WeightType::none) edges.weights = {1, 2, 3};
  EXPECT_TRUE(store->add_edges(edges));
  EXPECT_TRUE(store->add_column(RowKind::vertices, {0, ColumnType::int64, true, "age"}));
  if (kind == Kind::with_columns) {
    EXPECT_TRUE(store->add_column(RowKind::edges, {0, ColumnType::int64, true, "since"}));
  }
  EXPECT_TRUE(store->tag("before"));
  return store;
}

Status applied(Store& store, const Batch& batch) {
  const auto counts = store.apply(batch);
  return counts ? Status() : Status(counts.error());
}

ColumnTable numbers(std::string name, const Ids& values) {
  ColumnValues column{std::move(name), ColumnType::int64, {}, {}, {}};
  for (const std::int64_t& value : values) column.push(std::as_bytes(std::span(&value, 1)));
  return {{std::move(column)}};
}

struct Refusal {
  const char* name;
  Kind kind;
  std::function<Status(Store&)> change;
  ErrorCode code;
  const char* says;
};

std::vector<Refusal> refused_edges() {
  return {
      {"weights of a graph without", Kind::plain,
       [](Store& store) { return store.add_edges({Ids{3}, Ids{4}, {1.0}, {}}); }, ErrorCode::invalid_argument,
       "leave the weights out"},
      {"no weights of a graph with", Kind::weighted,
       [](Store& store) { return store.add_edges({Ids{3}, Ids{4}, {}, {}}); }, ErrorCode::invalid_argument,
       "give each edge a weight"},
      {"a weight too few", Kind::weighted,
       [](Store& store) { return store.add_edges({Ids{3, 4}, Ids{4, 5}, {1.0}, {}}); }, ErrorCode::invalid_argument,
       "give each edge a weight"},
      {"half a weight of a graph with whole ones", Kind::whole_weights,
       [](Store& store) { return store.add_edges({Ids{3, 4}, Ids{4, 5}, {1.0, 0.5}, {}}); },
       ErrorCode::invalid_argument, "0.5"},
      {"ends of two lengths", Kind::plain, [](Store& store) { return store.add_edges({Ids{3, 4}, Ids{4}, {}, {}}); },
       ErrorCode::invalid_argument, "same kind and length"},
      {"a column that the graph lacks", Kind::plain,
       [](Store& store) { return store.add_edges({Ids{3}, Ids{4}, {}, numbers("since", {1})}); },
       ErrorCode::invalid_argument, "since"},
      {"a column that a graph with weights lacks", Kind::weighted,
       [](Store& store) { return store.add_edges({Ids{3}, Ids{4}, {1.0}, numbers("since", {1})}); },
       ErrorCode::invalid_argument, "since"},
      {"values of vertices in a column that the graph lacks", Kind::plain,
       [](Store& store) { return applied(store, Batch().add_vertices(Ids{5}, numbers("height", {1}))); },
       ErrorCode::invalid_argument, "height"},
      {"ends of two kinds", Kind::plain,
       [](Store& store) {
         StringColumn names;
         names.push_back("a");
         return store.add_edges({Ids{3}, names, {}, {}});
       },
       ErrorCode::invalid_argument, "same kind and length"},
      {"too few values", Kind::with_columns,
       [](Store& store) { return store.add_edges({Ids{3, 4}, Ids{4, 5}, {}, numbers("since", {1})}); },
       ErrorCode::invalid_argument, "since"},
      {"weights to set of a graph without", Kind::plain,
       [](Store& store) { return applied(store, Batch().set_weights({Ids{0}, Ids{1}, {5.0}, {}})); },
       ErrorCode::invalid_argument, "there are none to set"},
      {"values to set of no column", Kind::with_columns,
       [](Store& store) { return applied(store, Batch().set_edges({Ids{0}, Ids{1}, {}, {}})); },
       ErrorCode::invalid_argument, "there are no values to set"},
      {"an edge to remove that is not there", Kind::plain,
       [](Store& store) {
         return applied(store, Batch().remove_edges({Ids{0, 1}, Ids{1, 0}, {}, {}}, Missing::error));
       },
       ErrorCode::not_found, "the graph has no edge from 1 to 0"},
      {"one edge more than there are", Kind::parallel,
       [](Store& store) {
         return applied(store, Batch().remove_edges({Ids{0, 0}, Ids{1, 1}, {}, {}}, Missing::error, Parallel::one));
       },
       ErrorCode::not_found, "the graph has no edge from 0 to 1"},
      {"an edge to weigh that is not there", Kind::weighted,
       [](Store& store) {
         return applied(store, Batch().set_weights({Ids{0, 1}, Ids{1, 0}, {7.0, 8.0}, {}}, Missing::error));
       },
       ErrorCode::not_found, "the graph has no edge from 1 to 0"},
      {"a vertex to remove that is not there", Kind::plain,
       [](Store& store) { return applied(store, Batch().remove_vertices(Ids{0, 9}, Missing::error)); },
       ErrorCode::not_found, "9"},
      {"a good step before a bad one", Kind::plain,
       [](Store& store) {
         return applied(store, Batch()
                                   .add_edges({Ids{0, 5}, Ids{2, 6}, {}, {}})
                                   .remove_vertices(Ids{1})
                                   .remove_vertices(Ids{99}, Missing::error));
       },
       ErrorCode::not_found, "99"},
      {"a second load", Kind::plain,
       [](Store& store) {
         const auto target = store.load_target(IdKind::dense);
         return target ? Status() : Status(target.error());
       },
       ErrorCode::already_exists, "a bulk load needs an empty graph"},
  };
}

std::vector<Refusal> refused_columns() {
  const auto adding = [](RowKind kind, ColumnSchema column) {
    return [kind, column = std::move(column)](Store& store) { return store.add_column(kind, column); };
  };
  return {
      {"a column without nulls", Kind::plain, adding(RowKind::vertices, {0, ColumnType::int64, false, "size"}),
       ErrorCode::invalid_argument, "so it must be nullable"},
      {"a column of edges without nulls", Kind::with_columns,
       adding(RowKind::edges, {0, ColumnType::int64, false, "size"}), ErrorCode::invalid_argument,
       "so it must be nullable"},
      {"a column of edges with weights alone", Kind::weighted,
       adding(RowKind::edges, {0, ColumnType::int64, true, "size"}), ErrorCode::unsupported,
       "its edges cannot get columns"},
      {"a column named weight", Kind::plain, adding(RowKind::edges, {0, ColumnType::float64, true, "weight"}),
       ErrorCode::invalid_argument, "a column named weight cannot be added"},
      {"a column that there is", Kind::plain, adding(RowKind::vertices, {0, ColumnType::int64, true, "age"}),
       ErrorCode::invalid_argument, "age"},
      {"a column of edges that there is", Kind::with_columns,
       adding(RowKind::edges, {0, ColumnType::int64, true, "since"}), ErrorCode::invalid_argument, "since"},
      {"a column of vertices named degree", Kind::plain,
       adding(RowKind::vertices, {0, ColumnType::int64, true, "degree"}), ErrorCode::invalid_argument, "degree"},
      {"a column of edges named source", Kind::plain, adding(RowKind::edges, {0, ColumnType::int64, true, "source"}),
       ErrorCode::invalid_argument, "source"},
      {"a column to drop that is not there", Kind::plain,
       [](Store& store) { return store.drop_column(RowKind::vertices, "height"); }, ErrorCode::not_found,
       "there is no column 'height' to drop"},
      {"a column of vertices to drop from edges", Kind::with_columns,
       [](Store& store) { return store.drop_column(RowKind::edges, "age"); }, ErrorCode::not_found,
       "there is no column 'age' to drop"},
  };
}

std::vector<Refusal> refused_tags_and_places() {
  const auto tagging = [](std::string name) { return [name](Store& store) { return store.tag(name); }; };
  return {
      {"a tag without a name", Kind::plain, tagging(""), ErrorCode::invalid_argument, "1 to 200 bytes"},
      {"a tag that looks like a time", Kind::plain, tagging("@5"), ErrorCode::invalid_argument, "not begin with @"},
      {"a name of 201 bytes", Kind::plain, tagging(std::string(201, 'x')), ErrorCode::invalid_argument,
       "1 to 200 bytes"},
      {"a name that is no text", Kind::plain, tagging("\xff\xfe"), ErrorCode::invalid_argument, "UTF-8"},
      {"a tag that there is", Kind::plain, tagging("before"), ErrorCode::already_exists, "there is already a tag"},
      {"a tag to remove that is not there", Kind::plain, [](Store& store) { return store.untag("after"); },
       ErrorCode::not_found, "there is no tag"},
      {"a tag of another store that is not there", Kind::plain,
       [](Store& store) {
         const auto other = store_of(Kind::plain, make_heap_medium());
         const std::array<std::string, 1> names = {"after"};
         return store.take_tags(*other, names);
       },
       ErrorCode::not_found, "there is no tag"},
      {"a purge of what a tag keeps", Kind::plain,
       [](Store& store) -> Status {
         SerialExecutor serial;
         RIZOMA_TRY(applied(store, Batch().remove_vertices(Ids{0})));
         const Status refused = store.purge(serial, std::nullopt);
         RIZOMA_TRY(applied(store, Batch().add_edges({Ids{0, 2}, Ids{1, 0}, {}, {}})));
         return refused;
       },
       ErrorCode::invalid_argument, "the tag 'before'"},
      {"homes of a store in one place", Kind::plain, [](Store& store) { return store.place({0}); },
       ErrorCode::invalid_argument, "has one location"},
  };
}

void expect_refused(const Refusal& refusal) {
  SCOPED_TRACE(refusal.name);
  const std::shared_ptr<Medium> medium = make_heap_medium();
  Content before;
  {
    const auto store = store_of(refusal.kind, medium);
    before = Content::of(*store);
    const Status refused = refusal.change(*store);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, refusal.code) << refused.error().message;
    EXPECT_NE(refused.error().message.find(refusal.says), std::string::npos) << refused.error().message;
    expect_same(Content::of(*store), before);
    EXPECT_TRUE(store->add_vertices(Ids{0})) << "it goes on";
    EXPECT_TRUE(store->close());
  }
  const auto again = Store::open(medium);
  ASSERT_TRUE(again) << again.error().message;
  expect_same(Content::of(**again), before);
}

TEST(StoreRefusals, OfEdgesAndVertices) {
  for (const Refusal& refusal : refused_edges()) expect_refused(refusal);
}

TEST(StoreRefusals, OfColumns) {
  for (const Refusal& refusal : refused_columns()) expect_refused(refusal);
}

TEST(StoreRefusals, OfTagsAndPlaces) {
  for (const Refusal& refusal : refused_tags_and_places()) expect_refused(refusal);
}

/// A schema that no store has, in words; and that nothing was made of it.
void expect_no_store(const GraphSchema& schema, std::string_view says) {
  SCOPED_TRACE(says);
  const std::shared_ptr<Medium> medium = make_heap_medium();
  StoreOptions options;
  options.schema = schema;
  const auto refused = Store::create(medium, options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
  EXPECT_NE(refused.error().message.find(says), std::string::npos) << refused.error().message;
  EXPECT_TRUE(medium->list()->empty());
}

TEST(StoreRefusals, OfSchemas) {
  for (const unsigned bits : {1U, 21U}) {
    GraphSchema schema;
    schema.section_bits = bits;
    expect_no_store(schema, "between 2 and 20, not " + std::to_string(bits));
  }
  GraphSchema bare;
  bare.weight_rule = ParallelRule::sum;
  expect_no_store(bare, "the edges have none");
  bare.weight_rule = ParallelRule::last;
  bare.parallel_rule = ParallelRule::min;
  expect_no_store(bare, "the edges have none");
  GraphSchema kept = schema_of(Kind::parallel);
  kept.weight_rule = ParallelRule::sum;
  expect_no_store(kept, "keeps parallel edges does not combine");
  GraphSchema words;
  words.edge_columns = {{0, ColumnType::string, true, "name", ParallelRule::sum}};
  expect_no_store(words, "name");
  GraphSchema heavy;
  heavy.edge_columns = {{0, ColumnType::int64, true, "weight"}};
  expect_no_store(heavy, "a weight must have the type int32, float32 or float64");
  heavy.rows = true;
  expect_no_store(heavy, "a weight must have the type int32, float32 or float64");
  GraphSchema whole;
  whole.vertex_columns = {{0, ColumnType::int64, false, "age"}};
  expect_no_store(whole, "of vertices must be nullable");
}

TEST(StoreRefusals, NotOfWhatIsJustAllowed) {
  for (const unsigned bits : {2U, 20U}) {
    StoreOptions options;
    options.schema.section_bits = bits;
    const auto store = Store::create(make_heap_medium(), options);
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ((*store)->schema().section_bits, bits);
  }
  const std::shared_ptr<Medium> medium = make_heap_medium();
  {
    const auto store = store_of(Kind::plain, medium);
    ASSERT_TRUE(store->tag(std::string(200, 'x')));
    ASSERT_TRUE(store->tag("a@b"));
    ASSERT_TRUE(store->drop_column(RowKind::vertices, "age"));
    ASSERT_TRUE(store->add_column(RowKind::vertices, {0, ColumnType::string, true, "age"})) << "the name is free";
    SerialExecutor serial;
    ASSERT_TRUE(store->untag("before"));
    ASSERT_TRUE(store->untag(std::string(200, 'x')));
    ASSERT_TRUE(store->untag("a@b"));
    ASSERT_TRUE(store->purge(serial, std::nullopt)) << "nothing keeps an older state";
  }
  const auto again = *Store::open(medium);
  EXPECT_TRUE(again->tags().empty());
  ASSERT_EQ(again->schema().vertex_columns.size(), 1U);
  EXPECT_EQ(again->schema().vertex_columns[0].type, ColumnType::string);
}

/// Edges that have weights and a column can have another one.
TEST(StoreRefusals, NotOfAColumnBesideWeightsAndOthers) {
  StoreOptions options;
  options.schema.weights = WeightType::float64;
  options.schema.edge_columns = {{0, ColumnType::string, true, "note"}};
  const auto store = *Store::create(make_heap_medium(), options);
  const Status added = store->add_column(RowKind::edges, {0, ColumnType::int64, true, "since"});
  EXPECT_TRUE(added) << added.error().message;
}

/// Its column of weights alone makes a graph one with weights.
TEST(StoreRefusals, AColumnThatIsDroppedTakesNoOtherAlong) {
  StoreOptions options;
  options.schema.weights = WeightType::float64;
  options.schema.edge_columns = {{0, ColumnType::string, true, "note"}};
  options.schema.vertex_columns = {{0, ColumnType::int32, true, "age"}, {0, ColumnType::float64, true, "weight"}};
  const auto store = *Store::create(make_heap_medium(), options);
  ASSERT_EQ(store->schema().edge_columns.size(), 2U);
  ASSERT_TRUE(store->drop_column(RowKind::edges, "note"));
  ASSERT_TRUE(store->drop_column(RowKind::vertices, "age"));
  ASSERT_TRUE(store->drop_column(RowKind::vertices, "weight"));
  EXPECT_EQ(store->schema().weights, WeightType::float64);
  ASSERT_TRUE(store->drop_column(RowKind::edges, "weight"));
  EXPECT_EQ(store->schema().weights, WeightType::none);
  EXPECT_TRUE(store->schema().edge_columns.empty());
}

void expect_error(const Status& status, ErrorCode code, std::string_view says) {
  SCOPED_TRACE(says);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, code) << status.error().message;
  EXPECT_NE(status.error().message.find(says), std::string::npos) << status.error().message;
}

template <class T>
Status outcome(const Result<T>& result) {
  return result ? Status() : Status(result.error());
}

TEST(StoreRefusals, OfVerticesThatAReadNames) {
  StoreOptions options;
  options.schema = schema_of(Kind::plain);
  options.schema.in_edges = false;
  const auto store = *Store::create(make_heap_medium(), options);
  ASSERT_TRUE(store->add_edges({Ids{0, 1, 2}, Ids{1, 2, 4}, {}, {}}));
  ASSERT_TRUE(applied(*store, Batch().remove_vertices(Ids{4})));
  const auto state = *store->snapshot();
  const VertexId end = state->num_vertices();
  ASSERT_EQ(end, 4U) << "integers, in the order in which they came";
  EXPECT_TRUE(state->neighbors(Direction::out, end - 1));
  expect_error(outcome(state->neighbors(Direction::out, end)), ErrorCode::not_found, "internal id 4");
  expect_error(outcome(state->entries(Direction::out, end)), ErrorCode::not_found, "internal id 4");
  expect_error(outcome(state->neighbors(Direction::in, 0)), ErrorCode::invalid_argument, "no in-edges");
  expect_error(outcome(reversed(*state)), ErrorCode::invalid_argument, "no in-edges");
  EXPECT_EQ(*state->find(2), 2U);
  expect_error(outcome(state->find(9)), ErrorCode::not_found, "9");
  expect_error(outcome(state->find(4)), ErrorCode::not_found, "4");
  expect_error(outcome(state->find("2")), ErrorCode::invalid_argument, "");
  EXPECT_TRUE(state->ids().ids(VertexRange{0, end}));
  expect_error(outcome(state->ids().ids(VertexRange{0, end + 1})), ErrorCode::invalid_argument, "the graph has 4");
}

TEST(StoreRefusals, OfValuesThatAReadNames) {
  SerialExecutor serial;
  const auto store = *Store::create(make_heap_medium(), {});
  ASSERT_TRUE(store->add_column(RowKind::edges, {0, ColumnType::int64, true, "since"}));
  ASSERT_TRUE(store->add_column(RowKind::edges, {0, ColumnType::string, true, "name"}));
  ASSERT_TRUE(store->add_edges({Ids{0, 1}, Ids{1, 2}, {}, numbers("since", {5, 6})}));
  const auto state = *store->snapshot();
  const std::uint64_t rows = state->num_rows();
  ASSERT_EQ(rows, 3U) << "row 0 has no values";
  EXPECT_EQ(state->values_between("since", 0, rows)->size(), rows);
  EXPECT_EQ(state->values_between("since", rows, rows)->size(), 0U);
  expect_error(outcome(state->values_between("since", 0, rows + 1)), ErrorCode::invalid_argument, "no rows 0..4");
  expect_error(outcome(state->values_between("since", 2, 1)), ErrorCode::invalid_argument, "no rows 2..1");
  expect_error(outcome(state->values_between("until", 0, rows)), ErrorCode::not_found, "until");
  const auto of_rows = [&](double row) { return outcome(state->edge_values("since", std::vector<double>{0, row})); };
  EXPECT_TRUE(of_rows(2));
  expect_error(of_rows(3), ErrorCode::invalid_argument, "no row 3");
  expect_error(of_rows(-1), ErrorCode::invalid_argument, "no row -1");
  expect_error(outcome(state->edge_values("until", std::vector<double>{1})), ErrorCode::not_found, "until");
  const std::vector<VertexId> vertices = {0};
  expect_error(outcome(state->vertex_values("since", vertices)), ErrorCode::not_found, "since");
  EXPECT_TRUE(state->view(serial, "since"));
  expect_error(outcome(state->view(serial, "until")), ErrorCode::not_found, "until");
  expect_error(outcome(state->view(serial, "name")), ErrorCode::invalid_argument, "name");
}

TEST(StoreRefusals, AnOpeningForWritingOfATaggedState) {
  const std::shared_ptr<Medium> medium = make_heap_medium();
  ASSERT_TRUE(store_of(Kind::plain, medium)->close());
  StoreOptions options;
  options.at = "before";
  const auto refused = Store::open(medium, options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
  const auto found = Store::open_read_only(medium, options);
  ASSERT_TRUE(found) << found.error().message;
  options.at = "after";
  const auto missing = Store::open_read_only(medium, options);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace rizoma
