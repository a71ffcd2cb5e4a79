// Document: a graph whose vertices and edges are nested records in a file, as GML, GraphML and JSON have them.
//
// What: a document is read once, as a whole, by one thread, because what its ids are, and whether it is directed, may
// be said at its end; then it is delivered.  Its format fills it record by record and calls `finish`.
// Cost: each distinct id once, 4 bytes for each end of an edge, 8 for a weight if there are any, and the values that
// are kept, in the columns' own types.  Nothing is sized by what a file claims.
#pragma once

#include "ingest/column_text.h"
#include "ingest/document_text.h"
#include "ingest/import_format.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {

/// Texts that are numbered from 0 as they first appear.
class Names {
 public:
  static constexpr std::uint32_t kFull = ~std::uint32_t{0};
  /// The text's number; kFull if it is new and no number is left.
  std::uint32_t add(std::string_view text);
  [[nodiscard]] std::string_view operator[](std::uint32_t number) const noexcept { return texts_[number]; }
  [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(texts_.size()); }

 private:
  void grow();
  StringColumn texts_;
  std::vector<std::uint64_t> places_;  ///< upper half: of the hash; lower half: the number, plus 1; 0: free
};

/// The error of a row with two values of one name, neither of which counts more than the other.
std::string two_values_of(std::string_view name);

/// The values of vertices or of edges: those to be kept in columns, and of all others the names.
class DocumentValues {
 public:
  explicit DocumentValues(const std::vector<KeptColumn>& kept);

  /// A value of the present row.
  void set(std::string_view name, ValueKind kind, std::string_view text);
  /// Says that there may be values of a name, of a type; where two types are said, neither counts.
  void declare(std::string_view name, ColumnType type);
  /// The default values of a row.
  void set_default(std::string_view name, ValueKind kind, std::string_view text);
  /// Ends the row.  Returns an error message (a value that its column cannot hold, two values of a column), or an empty
  /// text.
  std::string end_row();
  /// As if no row had this name.
  void forget(std::string_view name);

  /// The names that rows have had, in the order of their first appearance, and those that were declared.
  [[nodiscard]] std::vector<FoundValues> found() const;
  [[nodiscard]] const ColumnTable& table() const noexcept { return table_; }
  /// What to say of columns that round whole numbers.
  [[nodiscard]] std::vector<std::string> guesses() const;

 private:
  struct Cell {
    ValueKind kind = ValueKind::null;
    std::string text;
    bool present = false;
  };
  struct Slot {
    std::string name;
    unsigned kinds = 0;      ///< a bit for each kind of value that was met
    std::size_t column = 0;  ///< in the table, if it is kept
    bool kept = false;
    bool may_round = false, rounded = false;  ///< by its type: whole numbers; some were
    std::optional<ColumnType> declared;
    bool declares_others = false;  ///< than the first
    bool twice = false;            ///< the present row has two values
    Cell cell, otherwise;
  };
  std::size_t slot_of(std::string_view name);
  static std::string misfit(const ColumnValues& column, std::string_view text);

  std::vector<Slot> slots_;
  std::vector<std::size_t> order_;  ///< of appearance
  std::map<std::string, std::size_t, std::less<>> numbers_;
  std::size_t next_ = 0;  ///< slot that probably comes next: records tend to have the same names in the same order
  std::size_t rows_ = 0;
  ColumnTable table_;
};

/// Weights of edges, 1 where an edge has none, and which edges have one.
class DocumentWeights {
 public:
  void add_none() {
    ++rows_;
    ++missing_;
    if (values_.empty()) return;
    values_.push_back(1);
    given_.push_back(0);
  }
  /// A number; `odd` is the first that is too large for float64.
  void add(std::string_view text, bool is_integer);
  /// A number if the text is one; else there is none, and `odd` is the first such text.
  void add_text(std::string_view text);
  [[nodiscard]] const std::vector<double>& values() const noexcept { return values_; }
  [[nodiscard]] const std::vector<std::uint8_t>& given() const noexcept { return given_; }
  [[nodiscard]] const std::optional<std::string>& odd() const noexcept { return odd_; }
  [[nodiscard]] std::size_t missing() const noexcept { return missing_; }
  /// Whole numbers from 2^53 on.
  [[nodiscard]] std::size_t great() const noexcept { return great_; }
  /// none if no edge has one, or some edge has an odd one; int32 if that holds them all.
  [[nodiscard]] WeightType type() const noexcept;

 private:
  std::vector<double> values_;
  std::vector<std::uint8_t> given_;  ///< 0 where an edge has none; as long as the values
  std::size_t rows_ = 0, missing_ = 0, great_ = 0;
  bool whole_ = true;
  std::optional<std::string> odd_;
};

class Document {
 public:
  explicit Document(const ReadOptions& options)
      : vertex_values(options.vertex_columns), edge_values(options.edge_columns) {}

  bool directed = false;
  bool says_undirected = false;  ///< the file says that edges have no direction: in a directed graph they count in both
  std::vector<bool>
      undirected;  ///< of a directed graph with some such edges: by edge; shorter: the rest has a direction
  Names names;
  std::vector<std::uint32_t> vertices;  ///< numbers of names, in the order of the file
  std::vector<std::uint32_t> sources;
  std::vector<std::uint32_t> targets;
  DocumentWeights weights;
  std::vector<std::string> guesses;   ///< what of the file may be meant otherwise
  std::vector<std::string> notes;     ///< what was found out, and what is left out
  std::vector<std::string> of_graph;  ///< names of values of the graph itself, which nothing keeps
  DocumentValues vertex_values;
  DocumentValues edge_values;

  /// Once all is read; `integers`: the names are decimal integers of 64 bits, of which each has one form.
  void finish(bool integers);
  /// dense if the ids are 0..n-1, each of which occurs.
  [[nodiscard]] IdKind ids() const noexcept { return ids_; }
  /// Vertices in the order of the file, then edges, and in a directed graph the other direction of those that count in
  /// both.  Errors: parse (ids that are not one of this kind), those of the sink.
  Status deliver(const ReadRequest& request, IdKind ids, BatchSink& sink) const;

 private:
  [[nodiscard]] std::vector<std::uint64_t> both_ways(std::size_t begin, std::size_t end) const;
  IdKind ids_ = IdKind::dense;
};

/// `Format::inspect` of a format that `parse` reads.
Result<FileSummary> inspect_document(const ReadRequest& request, Result<Document> (*parse)(const ReadRequest&));

/// `Format::read` of such a format.
Status read_document(const ReadRequest& request, const FileSummary& summary, Executor& executor, BatchSink& sink);

}  // namespace rizoma
