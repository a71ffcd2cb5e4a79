// Reading edge files and generating graphs: bytes or a generator -> EdgeBatch.  Module: ingest.
#pragma once

#include <rizoma/batch.h>
#include <rizoma/detail/function_ref.h>
#include <rizoma/detail/text_options.h>
#include <rizoma/executor.h>
#include <rizoma/result.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rizoma {

/// As a format: by the file's name (after .gz or .zst), then by the first bytes.
inline constexpr std::string_view kAnyFormat = "auto";

/// The names of the formats, in order: "csv" (separated by , ; | or tab, with or without a header), "dimacs" (shortest
/// paths .gr: "p sp n m", "a u v weight"), "edge_list" (SNAP text: "u v [weight]", blanks or tabs, # or % comments),
/// "gapbs" (GAP benchmark .sg/.wsg, serialized CSR), "gml", "graphalytics" (LDBC Graphalytics .v/.e pair, name either),
/// "graphml", "json" (node-link), "matrix_market" (.mtx coordinate), "metis" (.graph), and whatever else
/// src/ingest/formats has.  Of these gml, graphml and json are documents, which are held in memory while they are read.
[[nodiscard]] std::vector<std::string_view> file_formats();

/// The part of a file that decides how the rest is read, for formats that are read range by range: its first bytes.
inline constexpr std::uint64_t kBeginningBytes = std::uint64_t{1} << 21;

/// Bytes [begin, end) of a file.
struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = std::numeric_limits<std::uint64_t>::max();

  friend bool operator==(const ByteRange&, const ByteRange&) = default;
  /// How many of a file of `size` bytes are in it.
  [[nodiscard]] std::uint64_t within(std::uint64_t size) const noexcept {
    return std::min(end, size) - std::min({begin, end, size});
  }
};

/// A value of edges or vertices of a document that becomes a column.
struct KeptColumn {
  std::string name;
  ColumnType type = ColumnType::float64;
};

/// A column that goes by another name than the file has: by its name there or, where none has it, its 0-based number.
struct RenamedColumn {
  std::string from;
  std::string to;

  friend bool operator==(const RenamedColumn&, const RenamedColumn&) = default;
};

struct ReadOptions {
  std::string format{kAnyFormat};  ///< one of file_formats()
  std::optional<bool> directed;    ///< empty: as the file says, else undirected
  std::optional<IdKind> ids;       ///< empty: dense if all ids are integers in a dense range
  std::string source_column;       ///< csv: name or 0-based number; empty: by its name; edge_list: the first
  std::string target_column;       ///< the same
  std::string weight_column;       ///< csv: name or 0-based number; empty: one called "weight", if any
  bool weighted = false;           ///< weights are asked for: a source without is refused
  bool takes_weights = false;      ///< the graph has weights: 1 where a source has none
  bool drops_weights = false;      ///< they are of no use: it does not matter which column they are in

  // How text is written, by the lines of detail/text_options.h.  A character of 0 is none, or found out.
#define RIZOMA_FIELD(type, field, initial, name, formats, help) type field = initial;
  RIZOMA_TEXT_OPTIONS(RIZOMA_FIELD)
#undef RIZOMA_FIELD

  bool leading_zeros = false;              ///< "007" is the integer 7 and "1.000" is 1; else they are none
  ByteRange bytes;                         ///< of files `in_ranges`: only lines that begin in these bytes
  std::vector<KeptColumn> edge_columns;    ///< of edges, by name: csv and documents give their values as columns
  std::vector<KeptColumn> vertex_columns;  ///< the same of vertices: BatchSink::vertex_values
  bool vertex_table = false;  ///< csv: a row is a vertex, with its values for vertex_columns: BatchSink::vertex_values
  std::string vertex_column;  ///< of such a table: the ids; empty: "vertex" or "id", else the first of two
};

/// Values that the edges or the vertices of a document have.
struct FoundValues {
  std::string name;
  std::optional<ColumnType> type{};  ///< that holds them all; empty if none does
  bool all_null = false;             ///< there is no value; `type` is then what the file declares, if it does
  std::string looks_like{};  ///< of text: what else it may be, and the options that would read it so; empty: nothing
};

class Document;

/// What is known of a file before its edges are read.
struct FileSummary {
  std::string_view format{};  ///< its name
  bool directed = false;      ///< as the file or the options say
  bool both_ways = false;     ///< an undirected file for a directed graph: each edge is delivered in both directions
  WeightType weights = WeightType::none;
  IdKind ids = IdKind::dense;      ///< string if the first edge's ids are not integers
  std::uint64_t bytes = 0;         ///< size of the file as it is on disk
  std::uint64_t num_vertices = 0;  ///< 0 if the file does not say
  std::uint64_t num_edges = 0;     ///< gml, graphml, json; of other formats 0
  /// Its lines can be read range by range (ReadOptions::bytes), if the range that begins at 0 has the header; that lies
  /// in the first kBeginningBytes.
  bool in_ranges = false;
  /// csv: the columns, by their names in the header, and what they were taken for; empty: another format.
  std::vector<std::string> columns{};
  std::size_t line_columns = 0;  ///< edge_list, graphalytics: how many each line has; 0: not known
  std::size_t source = 0;
  std::size_t target = 1;
  std::optional<std::size_t> weight{};
  std::optional<std::size_t> direction{};  ///< csv: the column in which each row says Directed or Undirected
  char delimiter = 0;
  bool header = false;                 ///< csv, edge_list: the first line names the columns
  std::uint64_t first_line = 0;        ///< csv: number of the header's line, or of the first row's
  std::vector<std::string> notes{};    ///< what was found out, and why, for people
  std::vector<std::string> guesses{};  ///< what may be meant otherwise, and what says so
  /// csv, gml, graphml, json: values beside ids and weights, in the order in which their names appear; of csv by the
  /// first lines.
  std::vector<FoundValues> edge_values{};
  std::vector<FoundValues> vertex_values{};
  /// gml, graphml, json: what was read, for `read_file` of a summary; such a file is read whole when it is inspected.
  std::shared_ptr<const Document> document{};
};

/// What of a file is not in the batches as it stands there.
struct LeftOut {
  std::uint64_t skipped_errors = 0;
  std::uint64_t null_lines = 0;
  std::uint64_t comment_lines = 0;
  std::string first_bad{};             ///< message of the first bad line
  std::vector<std::string> guesses{};  ///< columns whose type rounds whole numbers of the file, with what holds them

  [[nodiscard]] bool empty() const noexcept {
    return skipped_errors + null_lines + comment_lines == 0 && guesses.empty();
  }
  /// Adds what is not there yet.
  void add_guess(const std::string& guess) {
    if (std::ranges::find(guesses, guess) == guesses.end()) guesses.push_back(guess);
  }
  LeftOut& operator+=(const LeftOut& more) {
    skipped_errors += more.skipped_errors;
    null_lines += more.null_lines;
    comment_lines += more.comment_lines;
    if (first_bad.empty()) first_bad = more.first_bad;
    for (const std::string& guess : more.guesses) add_guess(guess);
    return *this;
  }
};

/// Whether files of this format hold vertices and edges as records with values (gml, graphml, json); for `kAnyFormat`
/// the file's name decides.
[[nodiscard]] bool is_document(const std::filesystem::path& file, std::string_view format = kAnyFormat);

/// The format that a file's content tells where its name tells none; empty: nothing does.  It may be one of those that
/// Python reads: "parquet", "ndjson", "gexf", "net".  Errors: parse (content that is not read, with what to do), io.
[[nodiscard]] Result<std::string_view> format_of_content(const std::filesystem::path& file);

/// Fails if a file's content is none that anything here reads, whatever its name: a web page, a pointer to the file, a
/// spreadsheet; the message has what to do.  Errors: parse, io.
[[nodiscard]] Status expect_known_content(const std::filesystem::path& file);

/// Fails if the options ask for something that a file of this format has not; the message has the option's names in
/// Python and of the command.  `source`: what is read, for the message.  `format`: one of `file_formats()`, or what the
/// Python package reads: "parquet", "ndjson", "gexf", "net", "a table" ...  `inspect` and `read_file` call it.  Errors:
/// invalid_argument.
Status check_options(std::string_view source, std::string_view format, const ReadOptions& options);

/// Texts as values of a column, as fields of CSV are read by the options; an empty text is null.  `first_row`: the
/// number of the first one, for messages.  `left_out` gets what is rounded.  Errors: parse, invalid_argument.
Result<ColumnValues> column_from_texts(const KeptColumn& column, const StringColumn& texts, std::uint64_t first_row,
                                       const ReadOptions& options, LeftOut* left_out = nullptr);

/// Which columns of a table their names call source and target, as pairs of numbers: "from_id" and "to_id", "buyer" and
/// "seller" ...  None, one, or several if the names leave it open.
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> ends_by_name(const std::vector<std::string>& names);

/// Looks at the file's name, header and first lines.  Errors: not_found, io, parse, unsupported,
/// invalid_argument (no format has this name).
Result<FileSummary> inspect(const std::filesystem::path& file, const ReadOptions& options = {});
/// The same; reports the progress of reading a document to the executor.  Errors: also cancelled.
Result<FileSummary> inspect(const std::filesystem::path& file, const ReadOptions& options, Executor& executor);

/// Marks which edges of the batch give their weight, by a column `weight` (any other of this name is replaced); an
/// empty `given`: none does.  An edge that a graph has, or that another row of a load makes, keeps its weight where a
/// row does not give one; else it has that of the row (graphs that merge parallel edges by ParallelRule::last).
void mark_weights(EdgeBatch& batch, std::span<const std::uint8_t> given);

/// Where batches go.  `edges` and `vertices` are called from one thread at a time, in file order, but from any thread
/// of the executor while it runs a loop: they must not start another loop on it.  Errors that they return end the read.
class BatchSink {
 public:
  virtual ~BatchSink() = default;
  virtual Status edges(EdgeBatch&& batch) = 0;  ///< takes edges; of documents with `mark_weights` where some have none
  virtual Status vertices(IdColumn&& ids) = 0;  ///< takes vertices without values
  /// Vertices with the columns of ReadOptions::vertex_columns, a row each.
  virtual Status vertex_values(IdColumn&& ids, ColumnTable&& /*values*/) { return vertices(std::move(ids)); }
  /// Lines left out since the last call, as the options allow, and what of them was rounded.
  virtual void left_out(const LeftOut&) {}
};

/// Reads the file, in parallel where its format allows, in bounded memory.  Undirected edges are
/// delivered once each.  A malformed line gives ErrorCode::parse with "file:line:column: what".
/// Progress is reported to the executor in bytes of the file.
Status read_file(const std::filesystem::path& file, const ReadOptions& options, Executor& executor, BatchSink& sink);
/// The same of a file of which `inspect`, with these options but for the ids, gave the summary: a document is not read
/// a second time.
Status read_file(const std::filesystem::path& file, const FileSummary& summary, const ReadOptions& options,
                 Executor& executor, BatchSink& sink);

enum class GeneratorKind : std::uint8_t { rmat, uniform, grid };

/// rmat: Chakrabarti, Zhan, Faloutsos, SDM'04, with a=.57 b=.19 c=.19, ids permuted; uniform: G(n, m)
/// with repetition; grid: a square of 2^scale vertices (sides 2^ceil(scale/2), 2^floor(scale/2)).
struct GeneratorOptions {
  GeneratorKind kind = GeneratorKind::rmat;
  unsigned scale = 16;        ///< 2^scale vertices, scale <= 40
  unsigned edge_factor = 16;  ///< edges a vertex (rmat, uniform)
  std::uint64_t seed = 1;
  bool weighted = false;  ///< integer weights 1..255
};

/// The same options give the same edges, whatever the number of threads.
Status generate(const GeneratorOptions& options, Executor& executor, BatchSink& sink);

// Edge spool: what was read of a file, kept in another until a store is made of it.
//
// What: ranks that import together each read some of the files, of any format; one of them then makes the store of all
// their spools, in the order of the files, as if it had read them itself.
// How: batches of edges and of vertices, one after the other as read, with a checksum each: integers in 4 bytes
// where those of a batch allow it, else in 8; strings by their lengths; weights in 8 bytes; other columns as they are.
// Cost: 8 to 24 bytes an edge, or its text and 8 bytes; memory for a few batches.

class MediumFile;

/// A sink that writes to a new file.
class EdgeSpool final : public BatchSink {
 public:
  /// `weighted`: whether weights are of use.  Errors: not_found (there is no such directory), io.
  static Result<EdgeSpool> create(const std::filesystem::path& file, bool weighted);
  EdgeSpool(EdgeSpool&&) noexcept;
  EdgeSpool& operator=(EdgeSpool&&) noexcept;
  ~EdgeSpool() override;

  Status edges(EdgeBatch&& batch) override;
  Status vertices(IdColumn&& ids) override;
  void left_out(const LeftOut& lines) override;

  [[nodiscard]] std::uint64_t rows() const noexcept { return rows_; }
  [[nodiscard]] const LeftOut& not_read() const noexcept { return not_read_; }

 private:
  EdgeSpool(std::unique_ptr<MediumFile> file, bool weighted);
  std::unique_ptr<MediumFile> file_;
  bool weighted_;
  std::uint64_t end_ = 0;
  std::uint64_t rows_ = 0;
  LeftOut not_read_;
};

/// Replays a spool into a sink, in the same order.  Errors: not_found, corrupt, io, those of the sink.
Status read_spool(const std::filesystem::path& file, Executor& executor, BatchSink& sink);

}  // namespace rizoma
