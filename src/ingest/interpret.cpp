#include <rizoma/detail/interpret.h>

#include "base/letters.h"
#include "base/text.h"
#include "ingest/csv_fields.h"
#include "ingest/csv_names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace rizoma {
namespace {

using Ends = std::pair<std::size_t, std::size_t>;

constexpr std::string_view kSayEnds = "name them (source= and target=)";

/// Names of attributes of vertices, which do not identify vertices in a list of edges.
constexpr std::array<std::string_view, 21> kAttributes = {
    "name",   "names", "label", "labels", "title", "age",  "type",        "class", "category", "group", "color",
    "colour", "value", "score", "count",  "size",  "date", "description", "text",  "lat",      "lon"};

/// Names of the numbers of vertices in a table of them.
constexpr std::array<std::string_view, 8> kIds = {"id", "ids", "index", "node", "vertex", "nr", "key", "nodeid"};

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// A text in the double quotes of code to type.
std::string as_code(const std::string& name) { return '"' + name + '"'; }

bool holds_numbers(ColumnContent content) {
  return content == ColumnContent::integers || content == ColumnContent::numbers;
}

Error refuse(std::string what) { return {ErrorCode::invalid_argument, std::move(what)}; }
Error lacks(std::string what) { return {ErrorCode::not_found, std::move(what)}; }

/// The columns of a source, and what their names say.
class SourceColumns {
 public:
  SourceColumns(const Source& source, const ReadOptions& options) : source_(source) {
    std::unordered_set<std::string_view> kept;
    for (const KeptColumn& column : options.edge_columns) kept.insert(column.name);
    for (const SourceColumn& column : source.columns) {
      kept_.push_back(kept.find(column.name) != kept.end());
      names_.push_back(column.name);
      words_.push_back(source.named ? words_of_name(column.name) : std::vector<std::string>());
    }
  }

  [[nodiscard]] std::size_t size() const { return source_.columns.size(); }
  [[nodiscard]] const SourceColumn& column(std::size_t i) const { return source_.columns[i]; }

  /// A column for people: its name in quotes, or "column 2".
  [[nodiscard]] std::string shown(std::size_t i) const { return source_.named ? in_quotes(names_[i]) : names_[i]; }

  [[nodiscard]] std::string all_shown() const {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < size(); ++i) all.push_back(shown(i));
    return joined(all, ", ");
  }

  /// What a single column says whose name is a whole line: the file has another delimiter.
  [[nodiscard]] std::string other_delimiter() const {
    if (size() != 1 || !source_.named) return "";
    const std::size_t at = names_[0].find_first_of(";,|\t");
    if (at == std::string::npos) return "";
    return std::string("; it seems to be divided by ") +
           (names_[0][at] == '\t' ? "tabs" : in_quotes(names_[0].substr(at, 1))) +
           ": name that as the delimiter (delimiter=)";
  }

  [[nodiscard]] std::string edge(const Ends& ends) const {
    return "from " + shown(ends.first) + " to " + shown(ends.second);
  }

  /// The column that an option names, by name or else by number.
  [[nodiscard]] Result<std::optional<std::size_t>> asked(const std::string& wanted, std::string_view role) const {
    if (wanted.empty()) return std::optional<std::size_t>();
    const auto named = std::find(names_.begin(), names_.end(), wanted);
    if (named != names_.end()) {
      return std::optional<std::size_t>(static_cast<std::size_t>(named - names_.begin()));
    }
    std::size_t number = 0;
    const auto parsed = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
    if (parsed.ec == std::errc{} && parsed.ptr == wanted.data() + wanted.size() && number < size()) {
      return std::optional<std::size_t>(number);
    }
    return Error{ErrorCode::not_found, "no column '" + wanted + "' for the " + std::string(role) + "; there are " +
                                           (size() == 0 ? "none" : all_shown() + other_delimiter())};
  }

  [[nodiscard]] bool is_kept(std::size_t i) const { return kept_[i]; }

  /// Whether this is the index that pandas saves beside a table: it says nothing but the number of a row.
  [[nodiscard]] bool is_row_index(std::size_t i) const {
    if (!source_.named) return false;
    const std::string& name = names_[i];
    return name.empty() || name.starts_with("Unnamed: ") || name.starts_with("__index_level_") ||
           name.starts_with("level_");
  }

  /// Whether a column's name says that it numbers the rows, or their subjects.
  [[nodiscard]] bool counts_by_name(std::size_t i) const {
    const auto& words = words_[i];
    return words.size() == 1 && (words[0] == "id" || words[0] == "ids" || words[0] == "index" || words[0] == "nr");
  }

  [[nodiscard]] bool is_weight_name(std::size_t i) const {
    return words_[i].size() == 1 && (words_[i][0] == "weight" || words_[i][0] == "w");
  }

  /// Whether the first of two columns names vertices that the second describes.
  [[nodiscard]] bool describes_vertices(std::size_t first, std::size_t second) const {
    const auto has_id = [](const std::vector<std::string>& words) {
      return std::any_of(words.begin(), words.end(), [](const std::string& word) { return is_one_of(word, kIds); });
    };
    const auto& named = words_[second];
    const bool attribute = named.size() == 1 && is_one_of(named[0], kAttributes);
    if (has_id(words_[first]) && attribute) return true;
    const auto& id = words_[first];
    const bool counts = counts_by_name(first);
    const bool other_kind = holds_numbers(column(first).content) != holds_numbers(column(second).content) ||
                            column(second).content == ColumnContent::numbers;
    return (counts && !has_id(named) && !speaks_of_end(names_[second])) ||
           (other_kind && (attribute || is_one_of(id.empty() ? "" : id.back(), kIds)));
  }

  /// Whether a column without a name may be an end by its values.
  [[nodiscard]] bool may_be_end(std::size_t i, std::optional<IdKind> ids) const {
    const ColumnContent content = column(i).content;
    return !column(i).gaps && (content == ColumnContent::integers || content == ColumnContent::text ||
                               (content == ColumnContent::numbers && ids == IdKind::string));
  }

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// The words of each name; none if the columns have no names.
  [[nodiscard]] const std::vector<std::vector<std::string>>& words() const { return words_; }

 private:
  const Source& source_;
  std::vector<std::string> names_;
  std::vector<std::vector<std::string>> words_;
  std::vector<bool> kept_;  ///< by column
};

Error refuse_several(const SourceColumns& columns, const std::vector<Ends>& ways) {
  std::vector<std::string> shown_ways;
  for (const Ends& way : ways) shown_ways.push_back(columns.edge(way));
  if (shown_ways.size() > 3) shown_ways.resize(3);
  return lacks("edges can be read " + joined(shown_ways, " or ") + "; name their ends (source= and target=)");
}

/// Refuses ends of which another column has the name but for capitals and such.
Status expect_no_other(const SourceColumns& columns, const Ends& ends, bool of_source) {
  const std::size_t end = of_source ? ends.first : ends.second;
  const auto& words = columns.words();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i == end || columns.is_kept(i) || words[end].empty() || words[i] != words[end]) continue;
    return refuse_several(columns, {ends, of_source ? Ends(i, ends.second) : Ends(ends.first, i)});
  }
  return {};
}

/// What to say of columns the first of which has no name, as where each row has a vertex and each column another.
std::string meant_matrix(const std::vector<std::string>& names) {
  if (names.size() < 4 || !names[0].empty()) return "";
  return "; of an adjacency matrix m = pandas.read_csv(file, index_col=0).stack() has each entry: give "
         "m[m != 0].reset_index(name='weight')";
}

/// Interprets one source.
class Interpreter {
 public:
  Interpreter(const Source& source, const ReadOptions& options)
      : source_(source), options_(options), columns_(source, options) {}

  Result<ReadPlan> run() {
    RIZOMA_TRY(find_asked());
    RIZOMA_TRY(check_size());
    RIZOMA_TRY(find_ends());
    RIZOMA_TRY(find_weight());
    RIZOMA_TRY(check_repeated());
    RIZOMA_TRY(find_direction());
    note_columns();
    return std::move(plan_);
  }

 private:
  Status find_asked() {
    RIZOMA_ASSIGN(asked_source_, columns_.asked(options_.source_column, "source"));
    RIZOMA_ASSIGN(asked_target_, columns_.asked(options_.target_column, "target"));
    RIZOMA_ASSIGN(plan_.weight, columns_.asked(options_.weight_column, "weight"));
    return {};
  }

  Status check_size() const {
    if (asked_source_ && asked_target_) return {};
    if (columns_.size() < 2)
      return lacks("a table of edges needs two columns; this one has " +
                   (columns_.size() == 0 ? "none" : columns_.all_shown() + columns_.other_delimiter()));
    if (source_.square && !source_.named && !asked_source_ && !asked_target_) {
      return refuse(
          "there are as many rows as columns, all of numbers: this is an adjacency matrix, or a list of edges with " +
          std::to_string(columns_.size()) +
          " columns; for a matrix give its entries (scipy.sparse.coo_array(matrix), or a .mtx file), for a list of "
          "edges " +
          std::string(kSayEnds));
    }
    return {};
  }

  /// Columns that may be ends where no name says so: not the weight, kept columns, and row numbers.
  [[nodiscard]] std::vector<std::size_t> candidates() const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (i != plan_.weight && !columns_.is_kept(i) && !columns_.is_row_index(i) && !columns_.is_weight_name(i))
        found.push_back(i);
    }
    return found;
  }

  Status find_ends() {
    if (asked_source_ && asked_target_) return set_ends({*asked_source_, *asked_target_});
    if (asked_source_ || asked_target_) return find_other_end();
    if (source_.ends_first && !asked_source_ && !asked_target_) return find_ends_of_two(0, 1);
    const std::vector<Ends> named = source_.named ? ends_by_name(columns_.names()) : std::vector<Ends>();
    if (named.size() == 1) return set_ends(named.front());
    if (named.size() > 1) return refuse_several(columns_, named);
    if (source_.named) {  // one of the two may have a name
      asked_source_ = column_called_end(columns_.words(), true);
      asked_target_ = column_called_end(columns_.words(), false);
      if (asked_source_ || asked_target_) return find_other_end();
    }
    const std::vector<std::size_t> rest = candidates();
    if (rest.size() == 2) return find_ends_of_two(rest[0], rest[1]);
    return source_.named ? refuse_all(rest) : find_ends_by_content(rest);
  }

  Status set_ends(const Ends& ends) {
    std::tie(plan_.source, plan_.target) = ends;
    return {};
  }

  Status find_other_end() {
    const bool has_source = asked_source_.has_value();
    const std::size_t known = has_source ? *asked_source_ : *asked_target_;
    const std::string role = has_source ? "target" : "source";
    std::optional<std::size_t> other;
    if (source_.ends_first && known < 2) other = 1 - known;
    if (source_.named && !other) other = column_called_end(columns_.words(), !has_source);
    std::vector<std::size_t> rest = candidates();
    std::erase(rest, known);
    if ((!other || *other == known) && rest.size() == 1) other = rest.front();
    if (!other || *other == known) {
      return lacks("the columns " + columns_.all_shown() + " do not tell which one is the " + role + "; name it (" +
                   role + "=; --" + role + "-column)");
    }
    return set_ends(has_source ? Ends(known, *other) : Ends(*other, known));
  }

  [[nodiscard]] Error refuse_all(const std::vector<std::size_t>& rest) const {
    std::string ways;
    if (rest.size() > 2) {
      const std::size_t last = rest.size() - 1;
      ways = " (" + columns_.edge({rest[0], rest[1]}) + ", or " + columns_.edge({rest[last - 1], rest[last]}) + ")";
    }
    return lacks("the columns " + columns_.all_shown() + " do not tell which two are the ends of an edge" + ways +
                 ": " + std::string(kSayEnds) + meant_matrix(columns_.names()));
  }

  /// Two columns, neither of which is called an end: these are the ends, unless they are an id and its attribute.
  Status find_ends_of_two(std::size_t first, std::size_t second) {
    if (source_.named && columns_.describes_vertices(first, second)) {
      return lacks("the columns " + columns_.shown(first) + " and " + columns_.shown(second) +
                   " can be read as edges " + columns_.edge({first, second}) +
                   ", or as vertices with one value each; for edges give source=" + as_code(columns_.names()[first]) +
                   ", target=" + as_code(columns_.names()[second]) +
                   ", for vertices give the data as such (vertex_files=, or add_vertices)");
    }
    return set_ends({first, second});
  }

  /// No column has a name: the ends are two whose values alone can be, or those before a weight that is asked for.
  Status find_ends_by_content(const std::vector<std::size_t>& rest) {
    std::vector<std::size_t> texts, integers;
    for (const std::size_t i : rest) {
      if (columns_.may_be_end(i, options_.ids))
        (columns_.column(i).content == ColumnContent::text ? texts : integers).push_back(i);
    }
    const bool weights = options_.weighted || options_.takes_weights;
    if (rest.size() == 3 && weights && !plan_.weight && holds_numbers(columns_.column(rest[2]).content) &&
        !columns_.column(rest[0]).counts_rows && texts.size() != 1 && columns_.may_be_end(rest[0], options_.ids) &&
        columns_.may_be_end(rest[1], options_.ids)) {
      plan_.weight = rest[2];
      return set_ends({rest[0], rest[1]});
    }
    const bool by_text = texts.size() == 2 && integers.size() <= 1;
    if (!by_text && !(integers.size() == 2 && texts.size() <= 1)) return refuse_all(rest);
    const auto& found = by_text ? texts : integers;
    plan_.guesses.push_back("no column has a name; by their values alone, " + columns_.shown(found[0]) + " and " +
                            columns_.shown(found[1]) + " can be the ends of edges; if they are, give source=" +
                            std::to_string(found[0]) + ", target=" + std::to_string(found[1]));
    return set_ends({found[0], found[1]});
  }

  [[nodiscard]] bool is_end(std::size_t i) const { return i == plan_.source || i == plan_.target; }

  Status find_weight() {
    if (plan_.weight) return {};
    std::vector<std::size_t> numbers, others;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (is_end(i) || columns_.is_kept(i) || !columns_.is_weight_name(i)) continue;
      (holds_numbers(columns_.column(i).content) ? numbers : others).push_back(i);
    }
    // Two of one name are refused as that, below.
    const bool differ = numbers.size() > 1 && columns_.names()[numbers[0]] != columns_.names()[numbers[1]];
    if (differ && !options_.drops_weights) {
      return lacks(columns_.shown(numbers[0]) + " and " + columns_.shown(numbers[1]) +
                   " can both be the weight; name the one that is with weight="
                   ", or read without weights (weights=False)");
    }
    // Where weights are asked for this is the column meant; a value that is not a number is named when it is read.
    if (numbers.empty() && options_.weighted) numbers.swap(others);
    if (!numbers.empty()) plan_.weight = numbers.front();
    for (const std::size_t i : others) {
      const bool nothing = columns_.column(i).content == ColumnContent::nothing;
      if (nothing && (options_.drops_weights || !columns_.column(i).gaps)) continue;
      plan_.guesses.push_back(
          columns_.shown(i) + " is not read as the weight, because " +
          (nothing ? "the first rows have no value there" : "its first values are not all numbers") +
          "; name it if it is (weight=)");
    }
    if (plan_.weight || !options_.weighted) return {};
    if (source_.ends_first && columns_.size() > 2) {
      plan_.weight = 2;
      return {};
    }
    return refuse_without_weight();
  }

  [[nodiscard]] Error refuse_without_weight() const {
    std::vector<std::string> numbers, say;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (is_end(i) || columns_.is_row_index(i) || columns_.counts_by_name(i) ||
          !holds_numbers(columns_.column(i).content))
        continue;
      numbers.push_back(columns_.shown(i));
    }
    const std::string beside = numbers.empty()
                                   ? "no column beside the ends has numbers"
                                   : "no column is called 'weight'; there are numbers in " + joined(numbers, ", ");
    return lacks("weights were asked for, but " + beside +
                 "; name the column of the weights with weight=, or read without weights (weights=False)");
  }

  /// A name that several columns have identifies none of them.
  Status check_repeated() const {
    for (std::size_t i = 0; i < columns_.size() && source_.named; ++i) {
      if (!is_end(i) && i != plan_.weight && !columns_.is_kept(i)) continue;
      const auto count = std::count(columns_.names().begin(), columns_.names().end(), columns_.names()[i]);
      if (count > 1)
        return refuse(std::to_string(count) + " columns are called " + in_quotes(columns_.names()[i]) +
                      "; rename all but one");
    }
    const Ends ends(plan_.source, plan_.target);
    if (options_.source_column.empty()) RIZOMA_TRY(expect_no_other(columns_, ends, true));
    return options_.target_column.empty() ? expect_no_other(columns_, ends, false) : Status();
  }

  Status find_direction() {
    const Claim* first = source_.claims.empty() ? nullptr : &source_.claims.front();
    if (options_.directed) {
      plan_.directed = *options_.directed;
      plan_.both_ways = plan_.directed && first != nullptr && !first->directed;
      if (!plan_.directed && first != nullptr && first->directed) plan_.notes.emplace_back(kReadWithoutDirection);
      return {};
    }
    if (first == nullptr) return {};
    plan_.directed = first->directed;
    for (const Claim& claim : source_.claims) {
      if (claim.directed == first->directed) continue;
      return refuse(first->evidence + " says that edges have " + (first->directed ? "a" : "no") + " direction, and " +
                    claim.evidence + " says that they have " + (claim.directed ? "one" : "none") +
                    "; give the right one (directed=True or directed=False)");
    }
    return {};
  }

  void note_columns() {
    std::string note = "source is " + columns_.shown(plan_.source) + ", target is " + columns_.shown(plan_.target);
    if (plan_.weight) note += ", weight is " + columns_.shown(*plan_.weight);
    plan_.notes.push_back(note);
    std::vector<std::string> kept, rest;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_.is_kept(i)) {
        kept.push_back(columns_.shown(i));
      } else if (!is_end(i) && plan_.weight != i && source_.direction != i) {
        rest.push_back(columns_.shown(i));
      }
    }
    if (!kept.empty()) plan_.notes.push_back("kept: " + joined(kept, ", "));
    if (!rest.empty()) plan_.notes.push_back("not read: " + joined(rest, ", "));
  }

  const Source& source_;
  const ReadOptions& options_;
  SourceColumns columns_;
  std::optional<std::size_t> asked_source_, asked_target_;
  ReadPlan plan_;
};

}  // namespace

Result<ReadPlan> interpret(const Source& source, const ReadOptions& options) {
  return Interpreter(source, options).run();
}

namespace {

/// Texts that programs write for no value.
constexpr std::array<std::string_view, 16> kNoValues = {"",    "NULL", "Null", "null", "NaN",  "nan", "NAN", "None",
                                                        "NaT", "<NA>", "NA",   "N/A",  "#N/A", "n/a", "\\N", "(null)"};

/// "4.91512E+11", as a spreadsheet writes a number of twelve digits, of which some are lost.
bool is_shortened(std::string_view text) {
  const std::size_t exponent = text.find_first_of("eE");
  if (exponent == text.npos || text.size() < exponent + 3 || text[exponent + 1] != '+') return false;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::string_view before = text.substr(0, exponent);
  const std::string_view power = text.substr(exponent + 2);
  if (before.empty() || !is_digit(before.front()) || !std::all_of(power.begin(), power.end(), is_digit)) return false;
  before.remove_prefix(1);
  return before.empty() || ((before.front() == '.' || before.front() == ',') && before.size() > 1 &&
                            std::all_of(before.begin() + 1, before.end(), is_digit));
}

/// "2.0", a whole number as floating point is written.
bool has_zero_fraction(std::string_view text) {
  const std::size_t point = text.find('.');
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0, point - (text.starts_with('-') ? 1 : 0));
  return point != text.npos && point + 1 < text.size() && !digits.empty() &&
         digits.find_first_not_of("0123456789") == digits.npos && text.find_first_not_of('0', point + 1) == text.npos;
}

/// An id that has a number both with a fraction of zero and without; empty: all are written alike, but not with one.
std::string_view split_number(const std::vector<std::string>& ids) {
  const auto written = std::find_if(ids.begin(), ids.end(), has_zero_fraction);
  if (written == ids.end()) return {};
  if (std::all_of(ids.begin(), ids.end(), has_zero_fraction)) return *written;
  const std::set<std::string_view> all(ids.begin(), ids.end());
  const auto split = std::find_if(ids.begin(), ids.end(), [&](const std::string& id) {
    return has_zero_fraction(id) && all.contains(std::string_view(id).substr(0, id.find('.')));
  });
  return split == ids.end() ? std::string_view() : *split;
}

/// Blanks in UTF-8, those of no width among them: no-break spaces, U+2000 to U+200F, U+202A to U+202F, U+205F, U+2060,
/// U+2066 to U+2069, U+3000, the soft hyphen, and the mark of a file's beginning.
constexpr std::array<std::string_view, 38> kOuterBlanks = {" ",
                                                           "\t",
                                                           "\n",
                                                           "\r",
                                                           "\v",
                                                           "\f",
                                                           "\xC2\xA0",
                                                           "\xE2\x80\x80",
                                                           "\xE2\x80\x81",
                                                           "\xE2\x80\x82",
                                                           "\xE2\x80\x83",
                                                           "\xE2\x80\x84",
                                                           "\xE2\x80\x85",
                                                           "\xE2\x80\x86",
                                                           "\xE2\x80\x87",
                                                           "\xE2\x80\x88",
                                                           "\xE2\x80\x89",
                                                           "\xE2\x80\x8A",
                                                           "\xE2\x80\x8B",
                                                           "\xE2\x80\xAF",
                                                           "\xE2\x81\x9F",
                                                           "\xE2\x81\xA0",
                                                           "\xE3\x80\x80",
                                                           "\xEF\xBB\xBF",
                                                           "\xC2\xAD",
                                                           "\xE2\x80\x8C",
                                                           "\xE2\x80\x8D",
                                                           "\xE2\x80\x8E",
                                                           "\xE2\x80\x8F",
                                                           "\xE2\x80\xAA",
                                                           "\xE2\x80\xAB",
                                                           "\xE2\x80\xAC",
                                                           "\xE2\x80\xAD",
                                                           "\xE2\x80\xAE",
                                                           "\xE2\x81\xA6",
                                                           "\xE2\x81\xA7",
                                                           "\xE2\x81\xA8",
                                                           "\xE2\x81\xA9"};

bool has_outer_blanks(std::string_view text) {
  return std::any_of(kOuterBlanks.begin(), kOuterBlanks.end(),
                     [&](std::string_view blank) { return text.starts_with(blank) || text.ends_with(blank); });
}

/// What stands between the two ends of an edge in the languages of drawing programs.
constexpr std::array<std::string_view, 12> kArrows = {"->", "-->", "<-", "<->", "=>", "--",
                                                      "-",  "=",   "==", ">",   "<",  "|"};

[[nodiscard]] bool are_in(char quote, const std::vector<std::string>& ids) {
  return !ids.empty() && std::all_of(ids.begin(), ids.end(), [quote](const std::string& id) {
    return id.size() > 1 && id.front() == quote && id.back() == quote;
  });
}

}  // namespace

bool asks_direction(std::string_view name) {
  const std::vector<std::string> words = words_of_name(name);
  return !words.empty() && words.back() == "directed" && (words.size() == 1 || (words.size() == 2 && words[0] == "is"));
}

std::optional<bool> direction_said(std::string_view text, bool asks) {
  const std::string small = in_small_letters(std::string(trimmed(text)));
  if (small == "directed") return true;
  if (small == "undirected") return false;
  if (asks && (small == "true" || small == "1")) return true;
  if (asks && (small == "false" || small == "0")) return false;
  return std::nullopt;
}

std::string direction_guess(const std::string& column, const std::vector<std::string>& values) {
  const bool asks = asks_direction(column);
  bool says = false, gaps = false, more = false;
  std::string_view odd;
  for (const std::string& value : values) {
    if (direction_said(value, asks)) {
      says = true;
    } else if (trimmed(value).empty()) {
      gaps = true;
    } else {
      more = more || trimmed(value) != "Mutual";  // as Gephi's and other programs' edges have it
      odd = value;
    }
  }
  if (asks ? odd.empty() && !(says && gaps) : !says || more || (odd.empty() && !gaps)) return {};
  return in_quotes(column) + " is not read as the direction of edges, because it does not say one in each row (" +
         (odd.empty() ? "some have no value" : "such as " + in_quotes(odd)) +
         "); write Directed or Undirected in all of them, or say directed=True or directed=False";
}

std::span<const std::string_view> no_value_texts() noexcept { return kNoValues; }
std::span<const std::string_view> outer_blanks() noexcept { return kOuterBlanks; }

std::string ids_guess(const std::string& column, const std::vector<std::string>& ids) {
  const auto no_value = std::find_if(ids.begin(), ids.end(), [](const auto& id) { return is_one_of(id, kNoValues); });
  if (no_value != ids.end() && no_value->empty()) {
    return "an empty text in " + column +
           " is read as the id of a vertex, ''; if it stands for no value, take such rows out";
  }
  if (no_value != ids.end()) {
    return in_quotes(*no_value) + " in " + column +
           " is read as the id of a vertex; if it stands for no value, take such rows out (CSV: null=\"" + *no_value +
           "\" leaves them out)";
  }
  if (are_in('"', ids)) {
    return ids.front() + " in " + column +
           " is read with its quotes, which are part of the id; if they only enclose it, take them out (a list of "
           "edges in text: format=\"csv\", delimiter=\" \")";
  }
  if (are_in('\'', ids)) {
    return ids.front() + " in " + column +
           " is read with its single quotes, which are part of the id, as only double ones enclose a text; if these "
           "do, "
           "take them out";
  }
  const std::string is_id = " in " + column + " is read as the id of a vertex; ";
  const bool arrows = !ids.empty() && is_one_of(ids.front(), kArrows) &&
                      std::all_of(ids.begin(), ids.end(), [&](const auto& id) { return id == ids.front(); });
  if (arrows) return in_quotes(ids.front()) + is_id + "if it stands between the two ends, take it out";
  const auto blank = std::find_if(ids.begin(), ids.end(), has_outer_blanks);
  if (blank != ids.end()) return in_quotes(*blank) + is_id + "without the blanks around it, it is another one";
  if (const std::string_view split = split_number(ids); !split.empty()) {
    return in_quotes(split) + is_id + in_quotes(split.substr(0, split.find('.'))) +
           " is another one: write such numbers alike, or read ids that are all whole numbers with ids=\"integer\"";
  }
  const auto shortened = std::find_if(ids.begin(), ids.end(), is_shortened);
  if (shortened == ids.end()) return "";
  return in_quotes(*shortened) + " in " + column +
         " is read as the id of a vertex; if a spreadsheet has shortened longer numbers to it, several vertices are "
         "one: "
         "export the column as text";
}

bool looks_like_matrix(const std::vector<std::vector<double>>& rows) {
  const std::size_t n = rows.size();
  if (n < 3) return false;
  bool symmetric = true, binary = true, hollow = true;
  for (std::size_t i = 0; i < n; ++i) {
    if (rows[i].size() != n) return false;
    hollow = hollow && rows[i][i] == 0;
    for (std::size_t j = 0; j < n; ++j) {
      binary = binary && (rows[i][j] == 0 || rows[i][j] == 1);
      symmetric = symmetric && j < rows.size() && rows[j].size() == n && rows[i][j] == rows[j][i];
    }
  }
  return symmetric || binary || hollow;
}

}  // namespace rizoma
