// What the first lines of a CSV file say: delimiter, header, which columns are which; and why, for people.
//
// Delimiter  as the options say; else the one of , ; | tab that is most frequent in the first line.
// Header     as the options say, and if columns are named by name.  Else there is one if the first line is not like the
//            others: a column that has numbers else begins with a text; or if both ids in it are names that columns
//            have (source, from_id, buyer ...); and none if an id of it comes up again, or there is no other line.
//            What is left can be read in two ways: an error that names both.
// Columns    as the options say; else those that a header names as two ends (source and target, src and dst, id_a and
//            id_b ...); else the first two, unless the first is called id and there are more.
// Weight     the column that the options name; else one that the header calls "weight" or "w", if it has numbers.
#pragma once

#include "ingest/csv_fields.h"

#include <rizoma/ingest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rizoma {

struct CsvLayout {
  CsvDialect dialect;
  bool header = false;
  std::uint64_t header_line = 0;  ///< line number of the header, if there is one
  std::vector<std::string> columns;
  std::size_t source = 0;
  std::size_t target = 1;
  std::optional<std::size_t> weight;
  std::vector<std::string> notes;
};

/// Of the beginning of a file; nothing if it has no line of data.
Result<std::optional<CsvLayout>> csv_layout(const TextChunk& chunk, const ReadOptions& options);

}  // namespace rizoma
