#include <rizoma/detail/interpret.h>

#include "ingest/content_kind.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using ::testing::HasSubstr;
using enum ColumnContent;

using Columns = std::vector<std::pair<std::string, ColumnContent>>;

Source source_of(const Columns& columns, bool named = true) {
  Source source{.columns = {}, .named = named};
  for (const auto& [name, content] : columns) source.columns.push_back({.name = name, .content = content});
  return source;
}

/// "source target weight" by number, "-" for no weight; or why it was refused.
std::string read(const Source& source, const ReadOptions& options = {}) {
  const auto plan = interpret(source, options);
  if (!plan) return "refused: " + plan.error().message;
  return std::to_string(plan->source) + " " + std::to_string(plan->target) + " " +
         (plan->weight ? std::to_string(*plan->weight) : "-");
}

TEST(Interpret, NamesTellTheEndsWhereverTheyStand) {
  EXPECT_EQ(read(source_of({{"amount", numbers}, {"buyer", text}, {"seller", text}})), "1 2 -");
  EXPECT_EQ(read(source_of({{"Target", text}, {"Source", text}})), "1 0 -");
  EXPECT_EQ(read(source_of({{"id", integers}, {"from_id", text}, {"to_id", text}})), "1 2 -");
  EXPECT_EQ(read(source_of({{"target", text}, {"x", text}})), "1 0 -");
  EXPECT_THAT(read(source_of({{"head", text}, {"relation", text}, {"tail", text}})),
              HasSubstr("from 'head' to 'tail' or"));
}

TEST(Interpret, ThreeColumnsOfWhichNoneIsKnownAreRefusedWithBothReadings) {
  const std::string said = read(source_of({{"date", moments}, {"account", text}, {"counterparty", text}}));
  EXPECT_THAT(said, HasSubstr("from 'date' to 'account', or from 'account' to 'counterparty'"));
  EXPECT_THAT(said, HasSubstr("source= and target="));
  EXPECT_EQ(read(source_of({{"date", moments}, {"account", text}, {"counterparty", text}}),
                 {.source_column = "account", .target_column = "counterparty"}),
            "1 2 -");
  // What an option or a name says is something else leaves two columns.
  EXPECT_EQ(read(source_of({{"a", text}, {"b", text}, {"weight", numbers}})), "0 1 2");
  EXPECT_EQ(read(source_of({{"a", text}, {"b", text}, {"c", integers}}), {.weight_column = "c"}), "0 1 2");
  EXPECT_EQ(read(source_of({{"a", text}, {"b", text}, {"c", integers}}), {.edge_columns = {{"c", ColumnType::int64}}}),
            "0 1 -");
  EXPECT_EQ(read(source_of({{"Unnamed: 0", integers}, {"a", text}, {"b", text}})), "1 2 -");
}

TEST(Interpret, AnIdAndWhatItHasAreNoEdge) {
  for (const auto& [id, value] : {std::pair("id", "name"), std::pair("Id", "Label"), std::pair("node", "age"),
                                  std::pair("user_id", "title"), std::pair("index", "city")}) {
    EXPECT_THAT(read(source_of({{id, text}, {value, text}})), HasSubstr("or as vertices")) << id;
  }
  EXPECT_THAT(read(source_of({{"key", text}, {"points", integers}})), HasSubstr("or as vertices"));
  for (const auto& [one, other] : {std::pair("user_id", "film_id"), std::pair("a", "b"), std::pair("id", "parent"),
                                   std::pair("actor", "title"), std::pair("user", "film")}) {
    EXPECT_EQ(read(source_of({{one, text}, {other, text}})), "0 1 -") << one;
  }
}

TEST(Interpret, EndsWhoseNamesDifferInCapitalsAloneAreAskedFor) {
  const Source alike = source_of({{"Source", integers}, {"source", integers}, {"target", integers}});
  EXPECT_THAT(read(alike), HasSubstr("can be read"));
  EXPECT_EQ(read(alike, {.source_column = "source"}), "1 2 -");
  EXPECT_THAT(read(source_of({{"from", text}, {"to", text}, {"TO", text}})), HasSubstr("can be read"));
}

TEST(Interpret, AWeightIsTakenByNameOrOption) {
  EXPECT_EQ(read(source_of({{"source", text}, {"target", text}, {"year", integers}})), "0 1 -");
  EXPECT_EQ(read(source_of({{"source", text}, {"target", text}, {"W", integers}})), "0 1 2");
  EXPECT_EQ(read(source_of({{"source", text}, {"target", text}, {"year", integers}}), {.weight_column = "year"}),
            "0 1 2");
  for (const char* name : {"year", "Unnamed: 2", "id"}) {
    EXPECT_THAT(read(source_of({{"source", text}, {"target", text}, {name, integers}}), {.weighted = true}),
                HasSubstr("weights were asked for"));
  }
  const auto plan = interpret(source_of({{"source", text}, {"target", text}, {"weight", text}}), {});
  ASSERT_TRUE(plan.ok());
  EXPECT_FALSE(plan->weight);
  EXPECT_THAT(plan->guesses, ::testing::ElementsAre(HasSubstr("'weight' is not read as the weight")));
  // Asked for, it is the weight, and the reader reports the value that is not a number.
  EXPECT_EQ(read(source_of({{"source", text}, {"target", text}, {"weight", text}}), {.weighted = true}), "0 1 2");
  EXPECT_THAT(read(source_of({{"a", text}, {"b", text}}), {.weight_column = "c"}), HasSubstr("no column 'c'"));
}

TEST(Interpret, ColumnsWithoutNamesAreToldByTheirValues) {
  EXPECT_EQ(read(source_of({{"column 0", integers}, {"column 1", integers}, {"column 2", numbers}}, false)), "0 1 -");
  EXPECT_EQ(read(source_of({{"column 0", moments}, {"column 1", text}, {"column 2", text}}, false)), "1 2 -");
  EXPECT_EQ(read(source_of({{"column 0", text}, {"column 1", text}, {"column 2", integers}}, false)), "0 1 -");
  EXPECT_THAT(read(source_of({{"column 0", text}, {"column 1", text}, {"column 2", text}}, false)),
              HasSubstr("refused"));
  const Source integer_columns =
      source_of({{"column 0", integers}, {"column 1", integers}, {"column 2", integers}}, false);
  EXPECT_THAT(read(integer_columns), HasSubstr("refused"));
  EXPECT_EQ(read(integer_columns, {.weighted = true}), "0 1 2");
  EXPECT_EQ(read(integer_columns, {.takes_weights = true}), "0 1 2");
  EXPECT_EQ(read(integer_columns, {.source_column = "0", .target_column = "2"}), "0 2 -");
  Source counted = integer_columns;
  counted.columns[0].counts_rows = true;
  EXPECT_THAT(read(counted, {.weighted = true}), HasSubstr("refused"));
}

TEST(Interpret, ASquareOfNumbersIsNoList) {
  EXPECT_TRUE(looks_like_matrix({{0, 1, 0, 1}, {1, 0, 1, 0}, {0, 1, 0, 1}, {1, 0, 1, 0}}));
  EXPECT_TRUE(looks_like_matrix({{0, 2, 3}, {4, 0, 5}, {6, 7, 0}}));
  EXPECT_TRUE(looks_like_matrix({{1, 2, 3}, {2, 4, 5}, {3, 5, 6}}));
  EXPECT_FALSE(looks_like_matrix({{0, 1, 5}, {1, 2, 3}, {2, 0, 4}}));
  EXPECT_FALSE(looks_like_matrix({{0, 1}, {1, 0}}));
  Source square = source_of({{"column 0", integers}, {"column 1", integers}, {"column 2", integers}}, false);
  square.square = true;
  EXPECT_THAT(read(square), HasSubstr("adjacency matrix"));
  EXPECT_EQ(read(square, {.source_column = "0", .target_column = "1"}), "0 1 -");
}

TEST(Interpret, ClaimsTellTheDirectionUnlessTheCallerDoes) {
  Source source = source_of({{"source", text}, {"target", text}});
  const auto plan = [&](const ReadOptions& options) { return *interpret(source, options); };
  EXPECT_FALSE(plan({}).directed);
  EXPECT_FALSE(plan({.directed = true}).both_ways);
  source.claims = {{true, "the comment"}};
  EXPECT_TRUE(plan({}).directed);
  EXPECT_FALSE(plan({.directed = false}).directed);
  source.claims = {{false, "the comment"}};
  EXPECT_TRUE(plan({.directed = true}).both_ways);
  source.claims = {{false, "the comment"}, {true, "the column \"Type\""}};
  EXPECT_THAT(read(source), HasSubstr("the comment says that edges have no direction"));
  EXPECT_EQ(read(source, {.directed = true}), "0 1 -");
}

TEST(Interpret, TheColumnOfTheDirectionIsRead) {
  Source source{.columns = {{.name = "source"}, {.name = "target"}, {.name = "Type"}, {.name = "x"}}};
  source.direction = 2;
  const auto plan = interpret(source, {});
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_THAT(plan->notes, ::testing::Contains("not read: 'x'"));
}

TEST(Interpret, IdsThatAreAllInSingleQuotesAreAskedFor) {
  EXPECT_THAT(ids_guess("'source'", {"'a'", "''"}), HasSubstr("'a' in 'source' is read with its single quotes"));
  EXPECT_EQ(ids_guess("'source'", {"'a'", "O'Neill'"}), "");
  EXPECT_EQ(ids_guess("'source'", {"'"}), "");
}

TEST(Interpret, IdsThatAreAllInDoubleQuotesAreAskedFor) {
  EXPECT_THAT(ids_guess("'source'", {"\"a\"", "\"b\""}), HasSubstr("\"a\" in 'source' is read with its quotes"));
  EXPECT_EQ(ids_guess("'source'", {"\"a\"", "b"}), "");
}

TEST(Interpret, AColumnThatSaysADirectionInSomeRowsIsAskedFor) {
  EXPECT_THAT(direction_guess("Type", {"Directed", ""}), HasSubstr("some have no value"));
  EXPECT_THAT(direction_guess("Type", {"undirected", "Mutual"}), HasSubstr("such as 'Mutual'"));
  EXPECT_THAT(direction_guess("is_directed", {"yes"}), HasSubstr("such as 'yes'"));
  for (const std::vector<std::string>& values :
       {std::vector<std::string>{"Directed"}, {"", "a"}, {"directed", "acted"}, {""}, {}})
    EXPECT_EQ(direction_guess("Type", values), "");
}

TEST(Interpret, AWeightWithoutAnyValueIsSaid) {
  Source source{.columns = {{.name = "source"}, {.name = "target"}, {.name = "weight", .gaps = true}}};
  EXPECT_THAT(interpret(source, {})->guesses, ::testing::Contains(HasSubstr("have no value there")));
  source.columns[2].gaps = false;  // no row
  EXPECT_TRUE(interpret(source, {})->guesses.empty());
}

TEST(ContentKind, WhatFilesSayOfThemselves) {
  const std::vector<std::pair<std::string, std::string>> formats = {
      {"{\"directed\": true, \"nodes\": []}", "json"},
      {"[{\"source\": 1}]", "json"},
      {"{\n \"nodes\": []}", "json"},
      {"{\"source\": 1, \"target\": 2}\n{\"source\": 2, \"target\": 3}\n", "ndjson"},
      {"<?xml version=\"1.0\"?>\n<graphml>", "graphml"},
      {"<gexf version=\"1.3\">", "gexf"},
      {"graph [ directed 0 ]", "gml"},
      {"Creator \"igraph\"\nVersion 1\ngraph\n[", "gml"},
      {"*Vertices 3\n", "net"},
      {"% made by hand\n*vertices 3\n", "net"},
      {"c a colouring\np edge 3 2\ne 1 2\n", "dimacs"},
      {"p sp 3 2\n", "dimacs"},
      {"%%MatrixMarket matrix coordinate", "matrix_market"},
      {"0 1\n1 2\n", ""},
      {"source,target\n", ""},
      {"p q\nq r\n", ""},
      {"graph theory\n", ""},
      {"1 2\n2 3\n#\n2 1\n", ""},
      {"ann bob\ncat dan\n#\n\n", ""},
      {"1 2 0.5\n3 4 -0.7\n#\n1 3 0.1\n", ""},
      {"ann bob\nbob cat\n#\nbob ann\n", ""},
      {"ann bob\ncat dan\n#\nann cat\nann eve\n", ""},
      {"version one\n", ""},
      {"create table\ninsert into\nselect from\n", ""},
      {"select,from\nwhere,from\n", ""},
      {"{a} {b}\n", ""},
      {"", ""},
  };
  for (const auto& [content, format] : formats) {
    EXPECT_EQ(content_kind(content).format, format) << content;
    EXPECT_EQ(content_kind(content).foreign, "") << content;
  }
  const std::vector<std::pair<std::string, std::string>> foreign = {
      {"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\n", "Git LFS"},
      {"/annex/objects/SHA256E-s1--2.csv\n", "git-annex"},
      {"<!DOCTYPE html>\n<html>", "web page"},
      {"<HTML><body>", "web page"},
      {"<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>", "XML that is neither"},
      {"<http://a> <http://b> <http://c> .\n", "RDF"},
      {"digraph g {\n a -> b\n}", "GraphViz"},
      {"strict graph { a -- b }", "GraphViz"},
      {"dl n=4 format=edgelist1\n", "UCINET"},
      {"1 Ann Lee\n2 Bob\n#\n1 2\n", "is a TGF"},
      {"1\n2\n#\n1 2 friend\n", "is a TGF"},
      {"1\n2\n#\n1 2\n2 1\n1 222", "is a TGF"},
      {"1 Ann Lee\r\n2 Bob\r\n#\r\n\r\n1 2\r\n\r\n", "is a TGF"},
      {"1 Ann\n2 Bob\n#\n1 2\n", "as a TGF file, of vertices with names and then edges, or as edges"},
      {"ann bob\ncat dan\n#\nann cat\n", "take that line out"},
      {"%PDF-1.7\n", "PDF"},
      {"SELECT a, b FROM edges;\n", "SQL"},
      {"-- all\n\nselect *\n  from edges\n", "SQL"},
      {"PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n", "SQL"},
      {"CREATE TABLE edges (a INTEGER, b INTEGER);\n", "SQL"},
      {"insert into edges values (1, 2);\n", "SQL"},
  };
  for (const auto& [content, what] : foreign)
    EXPECT_THAT(std::string(content_kind(content).foreign), HasSubstr(what)) << content;
  const std::string bytes = "\xDA\x05\xE9?\x0B\xDBS\xC0\x01\x02\xEB\x91\xC6\xE4\x03\x04\x06\x07\x01\x02\n,1";
  EXPECT_THAT(std::string(content_kind(bytes).foreign), HasSubstr("is no text"));
  EXPECT_THAT(std::string(content_kind("\x1F\x8B\x08").foreign), HasSubstr("compressed twice"));
  EXPECT_EQ(content_kind("source,target\nJos\xE9,bob\n").foreign, "") << "text of another encoding";
}

}  // namespace
}  // namespace rizoma
