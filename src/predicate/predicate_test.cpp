// The language of predicates: what is kept of rows of every type, and what is refused, with its place.
#include <rizoma/predicate.h>

#include "predicate/parser.h"
#include "testing/predicate_columns.h"

#include <gmock/gmock.h>

#include <span>
#include <string>
#include <vector>

namespace rizoma {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

/// Columns of every type, 8 rows.
struct Table {
  std::vector<ColumnValues> columns;
  std::size_t rows;
};

Table people() {
  using testing::column_of;
  Table table{{}, 4};
  table.columns.push_back(column_of<std::int32_t>("age", ColumnType::int32, {17, 18, 41}, 4));
  table.columns.push_back(column_of<double>("x", ColumnType::float64, {0.5, -1.0, 1e300}, 4));
  table.columns.push_back(column_of<float>("f", ColumnType::float32, {0.1F, 0.2F, 3.0F}, 4));
  table.columns.push_back(
      column_of<std::uint64_t>("u", ColumnType::uint64, {0, 9'223'372'036'854'775'808ULL, ~0ULL}, 4));
  table.columns.push_back(column_of<std::string_view>("name", ColumnType::string,
                                                      {"Ann", "b\\n",
                                                       "\xC3\x84"
                                                       "50%"},
                                                      4));
  table.columns.push_back(
      column_of<std::int64_t>("since", ColumnType::timestamp_s, {1'767'225'600, 1'767'229'200, -1}, 4));
  table.columns.push_back(column_of<std::int32_t>("born", ColumnType::date, {20'454, 0, -1}, 4));
  table.columns.push_back(column_of<std::uint8_t>("open", ColumnType::boolean, {1, 0, 1}, 4));
  table.columns.push_back(column_of<std::string_view>("vector", ColumnType::float32_list, {"1234", "", ""}, 4));
  table.columns.push_back(column_of<std::int64_t>("Betrag (EUR)", ColumnType::int64, {1, 2, 3}, 4));
  return table;
}

/// Numbers of the rows that a predicate keeps, or its error.
std::string kept(std::string_view text, const Table& table = people()) {
  const Result<Predicate> predicate = Predicate::parse(text, testing::schema_of(table.columns));
  if (!predicate) return predicate.error().message;
  std::vector<ColumnRun> runs;
  for (const std::size_t column : predicate->columns()) runs.push_back(run_of(table.columns[column], 0, table.rows));
  std::vector<std::uint8_t> keep(table.rows, 1);
  const Status tested = predicate->test(runs, keep);
  if (!tested) return tested.error().message;
  std::string rows;
  for (std::size_t row = 0; row < table.rows; ++row) {
    if (keep[row] != 0) rows += std::to_string(row);
  }
  return rows;
}

struct Meaning {
  const char* text;
  const char* rows;
};

/// Row 3 is null in all columns.
constexpr Meaning kLogic[] = {
    {"age >= 18", "12"},
    {"AGE = 1 or age = 17", "there is no column"},
    {"age = 17 OR age == 41", "02"},
    {"age <> 17 and age != 18", "2"},
    {"not age > 17", "0"},
    {"NOT NOT age > 17", "12"},
    {"17 < age <= 41", "12"},
    {"17 < age < 41 > 3", "1"},
    {"age between 17 and 18", "01"},
    {"age not between 17 and 18", "2"},
    {"between(age, 17, 18)", "01"},
    {"age in (17, 41)", "02"},
    {"age in [17, 41,]", "02"},
    {"age in {17, 41.0, 1e300, 2.5}", "02"},
    {"age not in (17)", "12"},
    {"age in ()", ""},
    {"age not in []", "012"},
    {"age in (x * 34, 18)", "01"},
    {"age is null", "3"},
    {"age is not None", "012"},
    {"age + null is null", "0123"},
    {"null", ""},
    {"not null", ""},
    {"true", "0123"},
    {"True and not False", "0123"},
    {"age = 17 or null", "0"},
    {"not (age = 17 and null)", "12"},
    {"1 = 2 or age = 17", "0"},
    {"'x' = 'y' or age = 17", "0"},
    {"age > 17.5", "12"},
    {"age = 17.5", ""},
    {"age <> 17.5", "012"},
    {"age < 1e300", "012"},
    {"age >= 18446744073709551615", ""},
    {"17 < age", "12"},
    {".5 = x", "0"},
    {"x = 0.5", "0"},
    {"x < 10000000000000000000", "01"},
    {"f = 0.1", "0"},
    {"f in (0.1, 3)", "02"},
    {"f < 0.2", "0"},
};
constexpr Meaning kNumbers[] = {
    {"u = 9223372036854775808", "1"},
    {"u > 9223372036854775807", "12"},
    {"u > x", "1"},
    {"u > age", "12"},
    {"u in (0, 18446744073709551615)", "02"},
    {"u - 1 = 18446744073709551614 or age = 18", "12"},
    {"u + 1 > 0", "a result is beyond 64 bits"},
    {"u <> 0 and u - 1 = 18446744073709551614", "2"},
    {"-age < -17", "12"},
    {"- age < - 17", "12"},
    {"+age > +17", "12"},
    {"age - 1 = 16", "0"},
    {"age * 2 % 4 = 2", "02"},
    {"-7 % 3 = -1 and age = 17", "0"},
    {"age / 2 = 8.5", "0"},
    {"age / 0 is null", "0123"},
    {"age % 0 is null", "0123"},
    {"age * 9223372036854775807 > 0", "a result is beyond 64 bits"},
    {"age = 1 and age * 9223372036854775807 > 0", ""},
    {"age * 9223372036854775807.0 > 0", "012"},
    {"abs(x) = 1", "1"},
    {"abs(-age) = 17", "0"},
    {"-null is null", "0123"},
};
constexpr Meaning kTextsAndTimes[] = {
    {"name = 'Ann'", "0"},
    {"name = \"Ann\"", "0"},
    {"name = 'b\\n'", "1"},
    {"name <> 'it''s'", "012"},
    {"lower(name) = 'ann'", "0"},
    {"UPPER(name) = 'ANN'", "0"},
    {"lower(name) = '\xC3\xA4"
     "50%'",
     "2"},
    {"length(name) = 4", "2"},
    {"name like 'A%'", "0"},
    {"name like '_nn'", "0"},
    {"name not like '%n%'", "2"},
    {"name like '%!%' escape '!'", "2"},
    {"like(name, '%!%', '!')", "2"},
    {"contains(name, 'n')", "01"},
    {"has(name, 'Ann')", "0"},
    {"has('Bo;Ann', name) or has(name, 'nn')", "0"},
    {"startswith(name, 'A') or endswith(name, '%')", "02"},
    {"coalesce(age, 5) = 5", "3"},
    {"coalesce(null, x, age, 2) = 2", "3"},
    {"coalesce(since, '2000-01-01') = '2000-01-01'", "3"},
    {"since >= '2026-01-01'", "01"},
    {"since > '2026-01-01 00:30'", "1"},
    {"since = '2026-01-01T01:00:00Z'", "1"},
    {"since = '2026-01-01 03:00+02:00'", "1"},
    {"since = '2025-12-31 20:00:00-0500'", "1"},
    {"since = '2026-01-01 00:00:00.000000001'", ""},
    {"since < '2026-01-01 00:00:00.5'", "02"},
    {"since in ('2026-01-01', '1969-12-31 23:59:59')", "02"},
    {"since between date '2026-01-01' and timestamp '2026-01-01 00:59'", "0"},
    {"'2026-01-02' > since > '2026-01-01'", "1"},
    {"born < since", "12"},
    {"born = '1970-01-01'", "1"},
    {"born >= '1970-01-01 00:00:01'", "0"},
    {"year(since) = 2026 and hour(since) = 1", "1"},
    {"year(born) = 1969 and month(born) = 12 and day(born) = 31", "2"},
    {"minute(since) = 59 and second(since) = 59", "2"},
    {"date(since) = '2026-01-01'", "01"},
    {"epoch(since) = -1", "2"},
    {"year('2024-02-29') = 2024 and age = 17", "0"},
    {"open", "02"},
    {"not open", "1"},
    {"open = (age > 17)", "2"},
    {"open in (true)", "02"},
    {"vector is null", "3"},
    {"`Betrag (EUR)` > 1", "12"},
    {"`age` = 17", "0"},
};

void expect_meanings(std::span<const Meaning> table) {
  for (const Meaning& each : table) {
    const std::string found = kept(each.text);
    if (std::string_view(each.rows).find(' ') == std::string_view::npos) EXPECT_EQ(found, each.rows) << each.text;
    else EXPECT_THAT(found, HasSubstr(each.rows)) << each.text;
  }
}

TEST(Predicate, Means) {
  expect_meanings(kLogic);
  expect_meanings(kNumbers);
  expect_meanings(kTextsAndTimes);
}

TEST(Predicate, NamesThatWordsAre) {
  using testing::column_of;
  Table table{{}, 2};
  for (const char* const name : {"date", "like", "lower", "in", "null"}) {
    table.columns.push_back(column_of<std::int32_t>(name, ColumnType::int32, {1, 2}, 2));
  }
  EXPECT_EQ(kept("date = 1 and lower = 1", table), "0");
  EXPECT_EQ(kept("`like` = 2 and `in` = 2 and `null` = 2", table), "1");
}

struct Mistake {
  const char* text;
  const char* message;
  const char* caret;  ///< the line with the caret
};

TEST(Predicate, MistakesHaveTheirPlaceAndRemedy) {
  const Mistake table[] = {
      {"", "the predicate is empty; write one such as age >= 18", "^"},
      {"age >", "expected a name, a number or a text in quotes, not the end", "     ^"},
      {"agee > 1", "there is no column 'agee'; there are age, x, f", "^"},
      {"x > 0 and agee > 1", "there is no column 'agee'", "          ^"},
      {"a.age > 1", "has no name before it", "^"},
      {"age > 'x'", "a number is compared with text", "    ^"},
      {"age = '17'", "write 17 without quotes", "    ^"},
      {"name = 17", "write the number in quotes", "     ^"},
      {"17 = name", "write the number in quotes", "   ^"},
      {"name in ('a', 5)", "write the number in quotes", "              ^"},
      {"open = 1", "a predicate is true or false", "     ^"},
      {"since > 5", "write a date in quotes", "      ^"},
      {"since > 'soon'", "'soon' is not a date or time; write one as '2026-01-31'", "        ^"},
      {"since > '2026-02-30'", "is not a date or time", "        ^"},
      {"since = name", "a date or time is compared with text", "      ^"},
      {"since - 1 > 5", "epoch(..) is its seconds since 1970", "^"},
      {"\"name\" = 'x' and age > 0", "is text, not a column", "^"},
      {"age", "expected a predicate here, not a number", "^"},
      {"age and open", "expected a predicate here, not a number", "^"},
      {"not age", "expected a predicate here, not a number", "    ^"},
      {"lower(age) = 'x'", "expected text here, not a number", "      ^"},
      {"length(5) = 1", "text is written in quotes", "       ^"},
      {"abs('5') = 1", "a number has no quotes", "    ^"},
      {"vector = vector", "a list cannot be compared", "       ^"},
      {"vector in (1)", "a list cannot be in a list of values", "       ^"},
      {"age in (1, null)", "cannot hold null", "           ^"},
      {"age = null", "`is null` or `is not null`", "    ^"},
      {"null <> name", "`is null` or `is not null`", "     ^"},
      {"age < +null", "`is null` or `is not null`", "    ^"},
      {"age in 17", "write = for one value", "       ^"},
      {"'a' in name", "contains(text, part)", "       ^"},
      {"'a' in name", "has(text, item) for a label", "       ^"},
      {"name has 'x'", "write has(x, 'y')", "     ^"},
      {"name:Person", "a label is asked for by has(label, 'Person')", "    ^"},
      {"age in (1 2)", "expected \",\" between the values of the list, not \"2\"", "          ^"},
      {"age is 5", "expected \"null\" after \"is\", not \"5\"; other values are compared by =", "       ^"},
      {"age not 5", "expected \"in\", \"between\" or \"like\" after \"not\"", "        ^"},
      {"age between 1", "expected \"and\" of \"between\", not the end", "             ^"},
      {"upper(name", "expected \",\" before the next value, not the end", "          ^"},
      {"abs() = 1", "abs takes 1 value, not 0", "^"},
      {"startswith(name) and open", "startswith takes 2 values, not 1", "^"},
      {"reverse(name) = 'x'", "there is no function 'reverse'; there are abs", "^"},
      {"name like 'x' escape 'ab'", "an escape must be one character", "                     ^"},
      {"name ilike 'x'", "write lower(x) like 'y'", "     ^"},
      {"name = 'O' 'Brien'", "write a quote within a text twice", "           ^"},
      {"name = 'O\\'Brien'", "a backslash is a plain character", "                ^"},
      {"name = 'x", "this quote is never closed", "       ^"},
      {"`` = 1", "the name is empty", "^"},
      {"age & 1 = 1", "write \"and\"", "    ^"},
      {"open || open", "write \"or\"", "     ^"},
      {"~age > 1", "\"~\" has no meaning here", "^"},
      {"age ** 2 > 1", "expected a name, a number", "     ^"},
      {"age > 1)", "expected \"and\", \"or\" or the end of the predicate, not \")\"", "       ^"},
      {"(age > 1", "expected \")\" to close the bracket, not the end", "        ^"},
      {"age > 99999999999999999999999", "this number is out of range", "      ^"},
      {"x > 1e999", "this number is out of range", "    ^"},
      {"name = '\xC3\xA4' and agee", "there is no column", "               ^"},
      {"age > 1\n and agee > 1", "there is no column", "     ^"},
      {"__import__('os')", "there is no function", "^"},
  };
  for (const Mistake& each : table) {
    const std::string found = kept(each.text);
    EXPECT_THAT(found, HasSubstr(each.message)) << each.text;
    EXPECT_TRUE(found.ends_with("\n  " + std::string(each.caret))) << each.text << "\n" << found;
  }
}

TEST(Predicate, RefusesWhatIsTooDeepOrTooLong) {
  EXPECT_THAT(kept(std::string(300, '(') + "age > 1" + std::string(300, ')')), HasSubstr("nested too deeply"));
  EXPECT_THAT(kept("age" + std::string(1001 * 4, ' ') + "= 17"), "0");
  std::string sum = "age";
  for (int i = 0; i < 1001; ++i) sum += " + 1";
  const std::string message = kept(sum + " > 1");
  EXPECT_THAT(message, HasSubstr("more than 1000 additions"));
  EXPECT_LT(message.size(), 500u);
  EXPECT_THAT(kept(std::string(70'000, ' ')), HasSubstr("at most 65536"));
  // Each level uses the one below twice: copies would be 2^150 of them.
  std::string chain = "age";
  for (int i = 0; i < 150; ++i) chain = "(0 < length(name) < " + chain + ") = (1 <= coalesce(age, 1))";
  EXPECT_THAT(kept(chain + " = 1"), HasSubstr("is compared with"));
  std::string doubled = "open";
  for (int i = 0; i < 150; ++i) doubled = "(" + doubled + " between false and true)";
  EXPECT_EQ(kept(doubled), "012");
}

TEST(Predicate, KeepsWhatWasClearedBefore) {
  const Table table = people();
  const Result<Predicate> predicate = Predicate::parse("age > 17", testing::schema_of(table.columns));
  ASSERT_TRUE(predicate);
  const ColumnRun run = run_of(table.columns[0], 0, 4);
  std::vector<std::uint8_t> keep{1, 0, 1, 1};
  ASSERT_TRUE(predicate->test({&run, 1}, keep));
  EXPECT_EQ(keep, (std::vector<std::uint8_t>{0, 0, 1, 0}));
  EXPECT_FALSE(predicate->test({}, keep));
}

TEST(Predicate, BlocksOfRowsAreAsRowsOneByOne) {
  constexpr std::size_t kRows = 5000;
  const std::vector<ColumnValues> columns = testing::predicate_columns(kRows);
  for (const char* const text :
       {"age > 17 and x < 1 or name like 'a%'", "coalesce(age, tiny) % 3 = 1", "lower(name) in ('ann', '\xC3\xA4rger')",
        "since < at or born is null", "u > i", "x <> x", "not (f = 0.1 or open)"}) {
    const Result<Predicate> predicate = Predicate::parse(text, testing::schema_of(columns));
    ASSERT_TRUE(predicate) << predicate.error().message;
    std::vector<std::uint8_t> together(kRows, 1);
    std::vector<ColumnRun> runs;
    for (const std::size_t column : predicate->columns()) runs.push_back(run_of(columns[column], 0, kRows));
    ASSERT_TRUE(predicate->test(runs, together));
    for (std::size_t row = 0; row < kRows; row += 7) {
      std::vector<ColumnRun> one;
      for (const std::size_t column : predicate->columns()) one.push_back(run_of(columns[column], row, 1));
      std::uint8_t keep = 1;
      ASSERT_TRUE(predicate->test(one, {&keep, 1}));
      ASSERT_EQ(keep, together[row]) << text << " in row " << row;
    }
  }
}

/// The bounds of a predicate: "age >= 18; name in Ann, Bob".
std::string bounds_of(std::string_view text) {
  static const std::vector<std::string> kTests = {"=", "<", "<=", ">", ">=", "in", "is not null"};
  const std::vector<ColumnSchema> schema = testing::schema_of(people().columns);
  const Result<Predicate> predicate = Predicate::parse(text, schema);
  if (!predicate) return predicate.error().message;
  std::string all;
  for (const ColumnBound& bound : predicate->bounds()) {
    all += (all.empty() ? "" : "; ") + schema[bound.column].name + " " + kTests[static_cast<std::size_t>(bound.test)];
    for (const BoundValue& value : bound.values) {
      all += " " + std::visit(
                       [](const auto& held) {
                         if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::string>) return held;
                         else return std::to_string(held);
                       },
                       value);
    }
  }
  return all;
}

TEST(Bounds, AreTheConjunctsThatCompareAColumnWithConstants) {
  EXPECT_EQ(bounds_of("age >= 18"), "age >= 18");
  EXPECT_EQ(bounds_of("18 > age and 'Ann' = name"), "age < 18; name = Ann");
  EXPECT_EQ(bounds_of("age between 1 and 5 and (x < 2 and name <> 'b')"), "age >= 1; age <= 5; x < 2.000000");
  EXPECT_EQ(bounds_of("age < 17.5 and u = 18446744073709551615"), "age <= 17; u = 18446744073709551615");
  EXPECT_EQ(bounds_of("age in (3, 1, 2) and name in ('b', 'a')"), "age in 1 2 3; name in a b");
  EXPECT_EQ(bounds_of("born >= '1970-01-02' and since < '1970-01-01 00:01:00'"), "born > 0; since <= 59");
  EXPECT_EQ(bounds_of("born in ('1970-01-02', '1970-01-03 12:00')"), "born in 1");
  EXPECT_EQ(bounds_of("name is not null and `Betrag (EUR)` = 2"), "name is not null; Betrag (EUR) = 2");
  EXPECT_EQ(bounds_of("age > 1 or x > 2"), "");
  EXPECT_EQ(bounds_of("not (age > 1) or name = 'and'"), "");
  EXPECT_EQ(bounds_of("age + 1 > 2 and lower(name) = 'a' and age > x and name is null and open"), "");
}

TEST(Program, ConjunctsAreProgramsOfTheirOwn) {
  const auto resolve = [](const predicate::Name& name) -> Result<predicate::Slot> {
    return predicate::Slot{.column = name.first == "age" ? std::size_t{0} : 1, .type = ColumnType::int32};
  };
  const auto program =
      predicate::parse("age > 1 and (x < 2 and (age > 1 or x > 3)) and age + x = 4 and x < 2", resolve);
  ASSERT_TRUE(program);
  const std::vector<predicate::Program> parts = predicate::conjuncts_of(*program);
  ASSERT_THAT(parts, SizeIs(5));
  EXPECT_THAT(parts[0].slots, SizeIs(1));
  EXPECT_THAT(parts[2].slots, SizeIs(2));
  EXPECT_TRUE(parts[1].is_same(parts[4]));
  EXPECT_FALSE(parts[0].is_same(parts[1]));
}

}  // namespace
}  // namespace rizoma
