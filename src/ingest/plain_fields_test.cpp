// Fields that are read where they stand against the readers of every form: what the first take, the second read alike.
#include "ingest/plain_fields.h"

#include "base/random.h"
#include "ingest/csv_cells.h"
#include "ingest/import_format.h"
#include "testing/ingest_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

namespace rizoma {
namespace {

using ::testing::HasSubstr;
using testing::PoolExecutor;
using testing::TemporaryDirectory;

/// The text with what a chunk has behind a field.
std::string in_chunk(const std::string& text) { return text + ",9\n" + std::string(TextChunk::kPadding, '\0'); }

/// The bytes of a text as a value of a column, as the readers of every form have it; empty: it is none.
std::vector<std::byte> value_of(ColumnType type, const std::string& text) {
  const CellFormat format{};
  CellReader reader(format);
  ColumnValues column{"a", type, {}, {}, {}};
  return reader.put(column, text) ? column.values : std::vector<std::byte>();
}

template <class T>
std::vector<std::byte> bytes_of(T value) {
  const auto bytes = std::as_bytes(std::span(&value, 1));
  return {bytes.begin(), bytes.end()};
}

/// Expects that a reader that takes the whole text gives the value that the other does; returns whether it takes it.
template <class T>
bool agrees(const char* (*read)(const char*, T&), ColumnType type, const std::string& text) {
  const std::string chunk = in_chunk(text);
  T value{};
  const char* const end = read(chunk.data(), value);
  if (end != chunk.data() + text.size()) return false;
  EXPECT_EQ(bytes_of(value), value_of(type, text)) << text;
  return true;
}

std::string digits(Random& random, std::uint64_t most) {
  std::string text;
  for (std::uint64_t left = 1 + random.below(most); left > 0; --left) text += static_cast<char>('0' + random.below(10));
  return text;
}

TEST(PlainFields, IntegersAreThoseOfEveryForm) {
  Random random(1);
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = (random.below(3) == 0 ? "-" : "") + digits(random, 20);
    agrees(plain_integer, ColumnType::int64, text);
  }
  for (const char* text : {"0", "7", "-7", "12345678", "123456789012345678", "9223372036854775807"})
    EXPECT_TRUE(agrees(plain_integer, ColumnType::int64, text)) << text;
  for (const char* text : {"", "-", "+1", "-0", "1.0", " 1", "9223372036854775808", "x"})
    EXPECT_FALSE(agrees(plain_integer, ColumnType::int64, text)) << text;
}

TEST(PlainFields, NumbersAreRoundedAsThoseOfEveryForm) {
  Random random(2);
  int taken = 0;
  for (int i = 0; i < 100'000; ++i) {
    std::string text = (random.below(3) == 0 ? "-" : "") + digits(random, 12);
    if (random.below(4) != 0) text += "." + digits(random, 12);
    taken += agrees(plain_real, ColumnType::float64, text) ? 1 : 0;
  }
  EXPECT_GT(taken, 50'000);
  for (const char* text : {"0", "-0", "0.1", "-0.0", "999999999999999", "99999999.9999999", "0.00000000000001"})
    EXPECT_TRUE(agrees(plain_real, ColumnType::float64, text)) << text;
  for (const char* text : {"", ".5", "5.", "+1", "1e5", "nan", "inf", "9999999999999999", "0.1234567890123456", "1,5"})
    EXPECT_FALSE(agrees(plain_real, ColumnType::float64, text)) << text;
}

TEST(PlainFields, MomentsAreThoseOfEveryForm) {
  Random random(3);
  const auto two = [&](std::uint64_t below) {
    const std::uint64_t number = random.below(below);
    return std::string(number < 10 ? "0" : "") + std::to_string(number);
  };
  int days = 0, moments = 0;
  for (int i = 0; i < 100'000; ++i) {
    const std::string year = std::to_string(10'000 + random.below(10'000)).substr(1);
    const std::string day = year + "-" + two(14) + "-" + two(33);
    days += agrees(
        +[](const char* p, std::int32_t& value) {
          std::int64_t found = 0;
          const char* const end = plain_date(p, found);
          value = static_cast<std::int32_t>(found);
          return end;
        },
        ColumnType::date, day);
    const std::string moment = day + (random.below(2) == 0 ? " " : "T") + two(26) + ":" + two(62) + ":" + two(62);
    moments += agrees(plain_timestamp, ColumnType::timestamp_s, moment);
  }
  EXPECT_GT(days, 50'000);
  EXPECT_GT(moments, 50'000);
  for (const char* text : {"2024-02-29", "2000-02-29 00:00:00", "0000-01-01", "9999-12-31T23:59:59"})
    EXPECT_TRUE(agrees(plain_timestamp, ColumnType::timestamp_s, text)) << text;
  for (const char* text : {"2023-02-29", "1900-02-29", "2024-13-01", "2024-00-01", "2024-01-00", "2024-1-1", "24-01-01",
                           "2024-01-01 24:00:00", "2024-01-01 12:30", "2024-01-01 12:30:00.5", "2024-01-01 12:30:00Z",
                           "2024/01/01", "20240101"})
    EXPECT_FALSE(agrees(plain_timestamp, ColumnType::timestamp_s, text)) << text;
}

/// Keeps all that a file has.
struct KeepingSink final : BatchSink {
  Status edges(EdgeBatch&& batch) override {
    for (std::size_t i = 0; i < batch.size(); ++i) rows.push_back(row_of(batch, i));
    return {};
  }
  Status vertices(IdColumn&&) override { return {}; }

  static std::string row_of(const EdgeBatch& batch, std::size_t row) {
    std::string text;
    for (const IdColumn* ids : {&batch.sources, &batch.targets}) {
      const auto* const texts = std::get_if<StringColumn>(ids);
      text += texts != nullptr ? std::string((*texts)[row])
                               : std::to_string(std::get<std::vector<std::int64_t>>(*ids)[row]);
      text += '|';
    }
    if (!batch.weights.empty()) text += std::to_string(batch.weights[row]) + "|";
    for (const ColumnValues& column : batch.columns.columns) {
      EXPECT_EQ(column.size(), batch.size());
      ColumnValues one{column.name, column.type, {}, {}, {}};
      one.push_row(column, row);
      if (one.is_valid(0)) text.append(reinterpret_cast<const char*>(one.values.data()), one.values.size());
      text += one.is_valid(0) ? "|" : "null|";
    }
    return text;
  }
  std::vector<std::string> rows;
};

const std::vector<KeptColumn> kColumns = {{"f", ColumnType::float64},      {"g", ColumnType::float32},
                                          {"i", ColumnType::int16},        {"d", ColumnType::date},
                                          {"t", ColumnType::timestamp_ms}, {"s", ColumnType::string}};

std::vector<std::string> rows_of(const std::string& text, ReadOptions options, std::string* failure = nullptr) {
  const TemporaryDirectory directory;
  const auto file = directory.write("a.csv", text);
  options.edge_columns = kColumns;
  std::vector<std::string> first;
  for (const std::size_t chunk : {std::size_t{64}, std::size_t{1} << 18}) {
    PoolExecutor executor(2);
    KeepingSink sink;
    const Status status = read_request({.file = file, .options = options, .chunk_bytes = chunk}, executor, sink);
    if (failure != nullptr && !status) *failure = status.error().message;
    EXPECT_EQ(status.ok(), failure == nullptr) << (status ? "" : status.error().message);
    if (first.empty()) first = sink.rows;
    if (failure == nullptr) {
      EXPECT_EQ(first, sink.rows) << chunk;
    }
  }
  return first;
}

constexpr const char* kHeader = "source,target,weight,f,g,i,d,t,s\n";

/// Fifty rows; each field of form `form`: 0 plain, 1 in quotes, 2 with a blank before numbers and times.
std::string table_of(int form, const std::string& line_end, bool text_ids) {
  Random random(4);
  std::string text = kHeader;
  const auto field = [&](std::string value, bool may_have_blanks = true) {
    if (form == 1) return "\"" + value + "\"";
    return form == 2 && may_have_blanks && !value.empty() ? " " + value : value;
  };
  for (int row = 0; row < 50; ++row) {
    const std::string id = std::to_string(random.below(30)), other = std::to_string(random.below(30));
    text +=
        field(text_ids ? "n\xC3\xA9 " + id : id, !text_ids) + "," + field(text_ids ? "x" + other : other, !text_ids);
    text += "," + field(std::to_string(random.below(100)) + ".25") + "," + field(random.below(4) == 0 ? "" : "-0.1");
    text += "," + field("3.7") + "," + field(std::to_string(random.below(100))) + "," + field("2024-02-29");
    text += "," + field("2024-02-29 12:30:0" + std::to_string(random.below(10)));
    text +=
        "," + field(std::string(random.below(40), 'a') + (random.below(2) == 0 ? "\xC3\xBC" : ""), false) + line_end;
  }
  return text;
}

TEST(PlainFields, RowsAreTheSameInEveryForm) {
  for (const bool text_ids : {false, true}) {
    const ReadOptions options{.ids = text_ids ? IdKind::string : IdKind::dense};
    const auto plain = rows_of(table_of(0, "\n", text_ids), options);
    EXPECT_EQ(plain.size(), 50u);
    EXPECT_EQ(plain, rows_of(table_of(0, "\r\n", text_ids), options));
    EXPECT_EQ(plain, rows_of(table_of(1, "\n", text_ids), options));
    EXPECT_EQ(plain, rows_of(table_of(2, "\n", text_ids), options));
  }
}

TEST(PlainFields, ATextForNoValueIsFoundAmongThem) {
  const std::string rows = "1,2,7,7,7,7,2024-01-01,2024-01-01,7\n3,4,5,6,7,8,2024-01-01,2024-01-01,9\n";
  ReadOptions options{.ids = IdKind::dense};
  const auto all = rows_of(kHeader + rows, options);
  options.null_text = "7";
  const auto found = rows_of(kHeader + rows, options);
  ASSERT_EQ(found.size(), 1u);  // the weight of the first is none
  EXPECT_NE(found[0], all[1]);
  options.null_text = "2024-01-01";
  for (const std::string& row : rows_of(kHeader + rows, options)) EXPECT_THAT(row, HasSubstr("null|null|"));
  options.null_text = "NA";
  EXPECT_EQ(rows_of(kHeader + rows, options), all);
}

TEST(PlainFields, MalformedRowsLeaveNothingBehind) {
  const std::string good = "1,2,1,1.5,1.5,7,2024-01-01,2024-01-01,a\n";
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"1,2,1,1.5,1.5,40000,2024-01-01,2024-01-01,a\n", "'40000' in column 'i'"},
      {"1,2,1,1.5,1.5,7,2023-02-29,2024-01-01,a\n", "'2023-02-29' in column 'd'"},
      {"1,2,1,1.5,1.5,7,2024-01-01 10:00:00,2024-01-01,a\n", "column 'd'"},
      {"1,2,1,1.5,1.5,7,2024-01-01,2024-01-01,\xFF\n", "not UTF-8"},
      {"1,2,1,1.5,1.5,7,2024-01-01,2024-01-01\n", "9 fields"},
      {"1,2,1,1.5,1.5,7,2024-01-01,2024-01-01,a,b\n", "the end of the line"},
      {"1,02,1,1.5,1.5,7,2024-01-01,2024-01-01,a\n", "without leading zeros"},
      {"1,2,1x,1.5,1.5,7,2024-01-01,2024-01-01,a\n", "a weight"},
      {"1,2,1,1.5.2,1.5,7,2024-01-01,2024-01-01,a\n", "column 'f'"},
      {"1,2,1,1.5,1e300,7,2024-01-01,2024-01-01,a\n", "column 'g'"},
  };
  ReadOptions options{.ids = IdKind::dense, .weight_column = "weight"};
  const auto two = rows_of(kHeader + good + good, options);
  for (const auto& [row, message] : bad) {
    std::string failure;
    options.skip_errors = 0;
    rows_of(kHeader + good + row + good, options, &failure);
    EXPECT_THAT(failure, HasSubstr(message));
    EXPECT_THAT(failure, HasSubstr("a.csv:3:"));
    options.skip_errors = 1;
    EXPECT_EQ(rows_of(kHeader + good + row + good, options), two) << row;
  }
}

}  // namespace
}  // namespace rizoma
