// What the first lines of a CSV file say: delimiter, comments, header, which columns are which; and why, for people.
//
// Delimiter  as the options say; else as a first line "sep=;" says, which Excel writes; else the one of , ; | tab that
//            is most frequent in the first line.
// Comments   as the options say; else lines before the first row that begin with '#', unless a name follows at once and
//            the line has as many fields as the rows ("#ann,bob").  Behind the first row nothing is a comment.
// Header     as the options say, and if columns are named by name.  Else there is one if the first line is not like the
//            others: a column that has numbers else begins with a text; or if both ids in it are names that columns
//            have (source, from_id, buyer ...); and none if an id of it comes up again, or there is no other line.
//            What is left can be read in two ways: an error that names both.
// Columns    by what the header, and then ReadOptions::rename, calls them, and what the first lines hold: `interpret`;
//            in a table of vertices the ids by option, by the name vertex or id, or the first.
#pragma once

#include "ingest/csv_fields.h"

#include <rizoma/ingest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {

struct CsvLayout {
  CsvDialect dialect;
  bool header = false;
  std::uint64_t first_line = 0;  ///< number of the header's line, or of the first row's
  std::uint64_t comments = 0;    ///< lines of comments before it
  std::vector<std::string> columns;
  std::size_t source = 0;
  std::size_t target = 1;
  std::string header_source;  ///< what the header calls the ends, of tables of edges; empty: there is no header
  std::string header_target;
  std::optional<std::size_t> weight;
  std::optional<std::size_t> direction;  ///< the column in which each row says Directed or Undirected, true or false
  bool directed = false;
  bool both_ways = false;                  ///< see ReadPlan
  std::vector<std::optional<bool>> zoned;  ///< by column, with `values`: whether its moments have a zone
  std::vector<FoundValues> values;         ///< of the columns beside the ends, by the first lines
  std::vector<std::string> notes;
  std::vector<std::string> guesses;
};

/// Of the beginning of a file; nothing if it has no line of data.  `top`: its first lines, comments perhaps; `whole`:
/// there is nothing after the chunk.  `values`: types are wanted, for which all of the chunk is read.
Result<std::optional<CsvLayout>> csv_layout(const TextChunk& chunk, const TextChunk& top, bool whole,
                                            const ReadOptions& options, bool values);

/// True of a line that is empty, or a comment by the options.
[[nodiscard]] inline bool skips_csv_row(const char* p, char comment) noexcept {
  return at_line_end(p) || (comment != 0 && *p == comment);
}

}  // namespace rizoma
