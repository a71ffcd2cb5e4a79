// Lines "source target [weight]" separated by blanks: the body of SNAP edge lists and Graphalytics .e.
#pragma once

#include "ingest/id_kind.h"
#include "ingest/import_format.h"
#include "ingest/skip_errors.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rizoma {

struct EdgeLineRules {
  IdKind ids = IdKind::dense;
  bool leading_zeros = false;     ///< see ReadOptions
  bool weighted = false;          ///< the third column is the weight; otherwise it must be a number, unused
  std::uint64_t header_line = 0;  ///< number of the line that names the columns; 0: there is none
  std::string header_source;      ///< its first two words; a later line of these is malformed
  std::string header_target;
  std::size_t columns = 0;  ///< a line of another number of columns is malformed; 0: any number that suffices
  bool skip_bad = false;    ///< malformed lines are left out and counted; else the first is an error
  bool both_ways = false;   ///< each edge counts in both directions
  char comment = '#';       ///< begins a comment, as '%' does if it is '#'; 0: nothing does
  std::int64_t left = 0;    ///< of a bipartite graph: sources are at most this, targets counted on from it
};

/// True if a comment begins at p.
[[nodiscard]] inline bool begins_comment(const char* p, char comment) noexcept {
  return comment != 0 && (*p == comment || (comment == '#' && *p == '%'));
}

/// Parses the lines of a chunk.  Empty lines and comments are skipped, which are counted; one that begins a token
/// after the ids ends the line.  Columns after those named must be numbers.  A line that repeats
/// the header is malformed.
Status parse_edge_lines(const TextChunk& chunk, const EdgeLineRules& rules, ParsedLines& parsed);

/// The beginning of a comment in the file of a directed graph, written by SNAP or an export.
inline constexpr std::string_view kSaysDirected = "Directed graph";

/// The same of an undirected one.
inline constexpr std::string_view kSaysUndirected = "Undirected graph";

/// What a comment begins with that says that ids are strings though all look like integers, as exports have it.
inline constexpr std::string_view kSaysStrings = "String ids";

/// True if one of the comments that the chunk begins with begins so.
[[nodiscard]] bool says(const TextChunk& chunk, std::string_view words);

/// Whether one of the comments at the beginning of the chunk says that the graph is directed.
[[nodiscard]] bool says_directed(const TextChunk& chunk);

/// Adds the edges of the chunk's lines to the sample, with ids of any form.
void sample_edge_lines(const TextChunk& chunk, const EdgeLineRules& rules, IdSample& sample);

/// True if a line is empty or a comment, as the format has it.
[[nodiscard]] bool skips_edge_line(const char* line) noexcept;

/// The first line at or after p that is neither empty nor a comment, without the blanks it begins with; or chunk.end.
[[nodiscard]] const char* edge_line_from(const TextChunk& chunk, const char* p, char comment) noexcept;

/// Whether a text is a name of the header again, however capital its letters are, and if a file begins with it.
[[nodiscard]] bool is_name_again(std::string_view text, std::string_view name) noexcept;

/// Why a line that has the header's words is none of data.
inline constexpr std::string_view kRepeatsHeader =
    "found the names of the columns again, as where files were joined; take such lines out, or leave them out with "
    "skip_bad_lines=";

/// True if a name between blanks can be an id: not empty, UTF-8, without NUL and '\r'.
[[nodiscard]] bool is_name(std::string_view text) noexcept;

/// The kind that ids in a file's lines are read as: a graph of dense ids takes negative ones, too, by getting integers.
[[nodiscard]] constexpr IdKind id_form(IdKind ids) noexcept { return ids == IdKind::dense ? IdKind::integer : ids; }

/// Reads one integer id at p; nullptr if `ids` does not allow it, or no end of a token follows.
[[nodiscard]] const char* scan_id(const char* p, IdKind ids, std::int64_t& id) noexcept;

/// The error that there is no id of kind `ids` at p; `what` is "a source id" or the like.
[[nodiscard]] Error id_error(const TextChunk& chunk, const char* p, IdKind ids, std::string_view what);

/// The error that there is no weight at p.
[[nodiscard]] Error weight_error(const TextChunk& chunk, const char* p);

}  // namespace rizoma
