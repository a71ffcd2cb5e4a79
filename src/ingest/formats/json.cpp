// JSON in the node-link form that D3 and NetworkX use: `{"directed": false, "nodes": [...], "edges": [...]}`.
//
// The edges may be called `links`.  Nodes have an `id`, an integer or a text; edges have `source`, `target` and perhaps
// `weight`.  Nodes without ids are numbered from 0.  Ids of both kinds in one file are refused.  All other values are
// values of columns: a list of texts is one text; objects no column holds.  As other programs do, NaN and Infinity are
// read as numbers.
#include "base/letters.h"
#include "ingest/column_text.h"
#include "ingest/document.h"
#include "ingest/document_parser.h"
#include "ingest/document_writer.h"
#include "ingest/export_rows.h"

#include <rizoma/detail/text_items.h>

#include <array>
#include <map>
#include <optional>

namespace rizoma {
namespace {

constexpr unsigned kMostNested = 500;

/// The kinds of an id, and of other values found in its place.
enum IdBits : unsigned {
  kInteger = 1,
  kText = 2,
  kNumber = 4,
  kBoolean = 8,
  kNull = 16,
  kList = 32,
  kObject = 64,
  kLong = 128
};

/// One list of records: nodes, or edges.
struct Records {
  std::string_view name;
  bool given = false;
  bool sound = false;      ///< a list of objects
  unsigned ids = 0;        ///< kinds of ids
  std::uint64_t line = 0;  ///< of the last id that is none
};

/// A value: its kind, and its text, without quotes or as written; of an object "{...}".
struct JsonValue {
  ValueKind kind = ValueKind::null;
  std::string text;
  bool lone_half = false;             ///< of a surrogate pair, so that it is no UTF-8
  ValueKind items = ValueKind::list;  ///< of a list: `list` if its items are numbers, `text` if texts, `other`

  /// What it is as the value of a column.
  [[nodiscard]] ValueKind held() const {
    if (lone_half) return ValueKind::other;  // no column holds it
    return kind == ValueKind::list ? items : kind;
  }
};

/// Gathers the items of a list: numbers, or texts, which are one text with kItemSeparator between them; nulls and empty
/// texts of these are left out.
class ListText {
 public:
  void add(const JsonValue& item) {
    const bool is_number = item.kind == ValueKind::integer || item.kind == ValueKind::number;
    const bool is_text = item.kind == ValueKind::text && item.text.find(kItemSeparator) == std::string::npos;
    numbers_ = numbers_ && is_number;
    texts_ = texts_ && (is_text || item.kind == ValueKind::null);
    if (item.kind == ValueKind::null || item.text.empty()) return;
    if (!text_.empty()) text_ += is_number ? ", " : std::string(1, kItemSeparator);
    text_ += item.text;
  }
  [[nodiscard]] std::size_t size() const { return text_.size(); }
  /// What was gathered; "[...]": both, or something else.
  void move_to(JsonValue& list) {
    const ValueKind of_texts = text_.empty() ? ValueKind::null : ValueKind::text;
    list.kind = ValueKind::list;
    list.items = numbers_ ? ValueKind::list : texts_ ? of_texts : ValueKind::other;
    list.text = numbers_ ? "[" + text_ + "]" : texts_ ? std::move(text_) : "[...]";
  }

 private:
  bool numbers_ = true;
  bool texts_ = true;
  std::string text_;
};

/// The values of a JSON file, as the reader of a graph asks for them.  A function returns false where it fails; `error`
/// says why.
class JsonScanner : public DocumentParser {
 public:
  using DocumentParser::DocumentParser;

  /// Whether the key read last has half of a surrogate pair, so that it is no name.
  [[nodiscard]] bool lone_half_in_key() const { return lone_half_in_key_; }

  /// The next byte after blanks.
  int next() {
    for (;;) {
      const int c = text_.peek();
      if (c != ' ' && c != '\n' && c != '\r' && c != '\t') return c;
      text_.skip();
    }
  }
  /// Calls each() before every item of a list or object, whose first bracket is read.
  template <class Each>
  bool items(char close, Each each) {
    if (next() == static_cast<unsigned char>(close)) {
      text_.skip();
      return true;
    }
    for (;;) {
      if (!each()) return false;
      const int c = next();
      if (c == static_cast<unsigned char>(close)) break;
      if (c != ',') return fail_expecting("',' delimiter");
      text_.skip();
    }
    text_.skip();
    return true;
  }

  /// Calls use(key) for every key of an object, in front of the value.
  template <class Use>
  bool members(Use use) {
    return items('}', [&] {
      if (next() != '"') return fail_expecting("property name enclosed in double quotes");
      JsonValue key;
      if (!quoted(key) || !expect(':', "':' delimiter")) return false;
      lone_half_in_key_ = key.lone_half;
      return use(key.text);
    });
  }

  /// Reads a value that is no object and no list.
  bool scalar(JsonValue& value) {
    const int c = next();
    if (c == '"') return quoted(value);
    value.text.clear();
    value.lone_half = false;
    const auto stops = [](int each) {
      return (each < '0' || each > '9') && (each < 'a' || each > 'z') && (each < 'A' || each > 'Z') && each != '.' &&
             each != '+' && each != '-';
    };
    if (!text_.take_until(value.text, stops)) return fail("a number of more than 256 MiB");
    if (value.text.empty()) return fail_expecting("value");
    if (value.text == "true" || value.text == "false") {
      value.kind = ValueKind::boolean;
    } else if (value.text == "null") {
      value.kind = ValueKind::null;
    } else if (is_number(value.text)) {
      value.kind = is_whole(value.text) ? ValueKind::integer : ValueKind::number;
    } else {
      return fail("Expecting value, found " + shown(value.text));
    }
    return true;
  }

  /// Reads any value; a list is kept if it holds numbers or texts.
  bool value_of_record(JsonValue& value) {
    const int c = next();
    if (c != '{' && c != '[') return scalar(value);
    value.kind = ValueKind::other;
    value.text = "{...}";
    value.lone_half = false;
    if (c == '{') return skip_value(2);
    text_.skip();
    ListText list;
    const bool ended = items(']', [&] {
      const int each = next();
      const bool is_nested = each == '{' || each == '[';
      if (is_nested ? !skip_value(3) : !scalar(item_)) return false;
      if (is_nested) item_.kind = ValueKind::other;
      else value.lone_half = value.lone_half || item_.lone_half;
      list.add(item_);
      return list.size() <= DocumentText::kLongest || fail("a list of more than 256 MiB");
    });
    list.move_to(value);
    return ended;
  }

  bool skip_value(unsigned depth) {
    const int c = next();
    if (c != '{' && c != '[') return scalar(item_);
    if (depth > kMostNested)
      return fail("lists and objects are nested more than " + std::to_string(kMostNested) + " deep");
    text_.skip();
    const auto each = [&] { return skip_value(depth + 1); };
    return c == '[' ? items(']', each) : members([&](const std::string& /*key*/) { return each(); });
  }

 private:
  bool fail_expecting(std::string_view what) {
    const int c = text_.peek();
    const std::string found =
        c == DocumentText::kEnd ? "the end of the file" : shown(std::string(1, static_cast<char>(c)));
    return fail("Expecting " + std::string(what) + ", found " + (c < 0x80 ? found : "a letter"));
  }

  bool expect(char c, std::string_view what) {
    if (next() != static_cast<unsigned char>(c)) return fail_expecting(what);
    text_.skip();
    return true;
  }

  bool quoted(JsonValue& value) {
    text_.skip();
    value.kind = ValueKind::text;
    value.text.clear();
    value.lone_half = false;
    for (;;) {
      const auto stops = [](int c) { return c == '"' || c == '\\' || c < 0x20; };
      if (!text_.take_until(value.text, stops)) return fail("a text of more than 256 MiB");
      const int c = text_.take();
      if (c == '"') return true;
      if (c == DocumentText::kEnd) return fail("Unterminated string");
      if (c != '\\') return fail("Invalid control character in a string");
      if (!escape(value)) return false;
    }
  }

  bool escape(JsonValue& value) {
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
    const int c = text_.take();
    if (c == 'u') return escaped_unit(value);
    const std::size_t at = c == DocumentText::kEnd ? kLetters.npos : kLetters.find(static_cast<char>(c));
    if (at == kLetters.npos) return fail("Invalid escape in a string");
    value.text += kMeant[at];
    return true;
  }

  bool escaped_unit(JsonValue& value) {
    std::uint32_t unit = 0;
    if (!hexadecimal(unit)) return false;
    while (unit >= 0xD800 && unit < 0xDC00) {
      if (!text_.take_if('\\')) break;
      if (!text_.take_if('u')) {
        append_utf8(value.text, unit);
        value.lone_half = true;
        return escape(value);
      }
      std::uint32_t low = 0;
      if (!hexadecimal(low)) return false;
      if (low >= 0xDC00 && low < 0xE000) {
        append_utf8(value.text, 0x10000 + ((unit - 0xD800) << 10U) + (low - 0xDC00));
        return true;
      }
      append_utf8(value.text, unit);
      value.lone_half = true;
      unit = low;
    }
    value.lone_half = value.lone_half || (unit >= 0xD800 && unit < 0xE000);
    append_utf8(value.text, unit);
    return true;
  }

  bool hexadecimal(std::uint32_t& unit) {
    for (int i = 0; i < 4; ++i) {
      const int c = text_.take();
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) return fail("Invalid \\uXXXX escape in a string");
      unit = unit << 4U | static_cast<std::uint32_t>(digit);
    }
    return true;
  }

  /// As the definition has them, or what other programs write for numbers that are not finite.
  static bool is_number(std::string_view text) {
    if (text == "NaN" || text == "Infinity" || text == "-Infinity") return true;
    const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
    const bool begins_well = !digits.empty() && digits[0] >= '0' && digits[0] <= '9' &&
                             (digits[0] != '0' || digits.size() == 1 || digits[1] < '0' || digits[1] > '9');
    const std::size_t point = digits.find('.');
    const bool has_fraction =
        point == digits.npos || (point + 1 < digits.size() && digits[point + 1] >= '0' && digits[point + 1] <= '9');
    return begins_well && has_fraction && number_in(text).has_value();
  }

  bool lone_half_in_key_ = false;
  JsonValue item_;
};

/// Says so if edges name vertices that are not among the nodes.
void note_unlisted_ends(Document& document) {
  if (document.vertices.empty()) return;
  std::vector<bool> known(document.names.size());
  for (const std::uint32_t name : document.vertices) known[name] = true;
  std::uint64_t unlisted = 0;
  std::string first;
  for (const auto* ends : {&document.sources, &document.targets}) {
    for (const std::uint32_t name : *ends) {
      if (known[name]) continue;
      known[name] = true;
      if (unlisted++ == 0) first = document.names[name];
    }
  }
  if (unlisted == 0) return;
  document.guesses.push_back(shown(first) + (unlisted == 1 ? " is" : " and others are") +
                             " the end of an edge, but no node has this id (" + std::to_string(unlisted) +
                             " such ids): they are read as vertices, too");
}

/// Reads the graph that a file in node-link form has.
class JsonReader {
 public:
  JsonReader(DocumentText& text, const ReadOptions& options) : in_(text), document_(options), links_(options) {}

  Result<Document> read() {
    if (!whole_file() || !in_.text().status() || !finish()) return in_.error();
    return std::move(document_);
  }

 private:
  bool whole_file() {
    const int c = in_.next();
    if (c == '[') {
      return in_.fail(
          "expected an object with `nodes` and `edges`, not a list; rows of edges are read from JSON lines "
          "(.ndjson, an object a line), or as a table: rizoma.read(json.load(open(FILE)))");
    }
    if (c != '{') {
      if (!in_.scalar(item_)) return false;
      return in_.fail("expected an object with `nodes` and `edges`");
    }
    in_.text().skip();
    if (!in_.members([&](const std::string& key) { return member(key); })) return false;
    return in_.next() == DocumentText::kEnd || in_.fail("Extra data behind the object");
  }

  bool member(const std::string& key) {
    const bool list = in_.next() == '[';
    const bool object = in_.text().peek() == '{';
    any_ = true;
    all_lists_ = all_lists_ && list;
    if (key == "nodes") return records(key, nodes_, [&] { return node(); });
    if (key == "edges") return records(key, edges_, [&] { return edge(document_, edges_); });
    if (key == "links") return records(key, linked_, [&] { return edge(links_, linked_); });
    if (key == "graph" && object) {
      in_.text().skip();
      return in_.members([&](const std::string& name) {
        document_.of_graph.push_back(name);
        return in_.skip_value(2);
      });
    }
    if (key == "elements") elements_ = object;
    if (key != "directed" && key != "multigraph") document_.of_graph.push_back(key);
    if (key != "directed" || list || object) return in_.skip_value(1);
    if (document_.directed || document_.says_undirected) return fail_twice(key);
    if (!in_.scalar(item_)) return false;
    return say_direction();
  }

  /// Takes what the graph says of its direction: true or false, which some programs write as a text or a number.
  bool say_direction() {
    const std::string said = in_small_letters(item_.text);
    const bool nothing = item_.kind == ValueKind::null;
    document_.directed = !nothing && (said == "true" || said == "1");
    document_.says_undirected = !nothing && (said == "false" || said == "0");
    return nothing || document_.directed || document_.says_undirected ||
           in_.fail("`directed` is " + shown(item_.text) + ", expected true or false");
  }

  bool fail_twice(const std::string& key) {
    return in_.fail("there are two values of `" + key + "`; leave one of them out");
  }

  /// Reads a list of objects; other values are only skipped.
  template <class Read>
  bool records(const std::string& key, Records& list, Read read) {
    if (list.given) return fail_twice(key);
    list = {.name = list.name, .given = true, .sound = in_.next() == '['};
    if (!list.sound) return in_.skip_value(1);
    in_.text().skip();
    return in_.items(']', [&] {
      if (in_.next() == '{') {
        in_.text().skip();
        return read();
      }
      list.sound = false;
      return in_.skip_value(2);
    });
  }

  bool node() {
    bool has_id = false;
    const bool ended = in_.members([&](const std::string& key) {
      if (key == "id") {
        if (std::exchange(has_id, true)) return in_.fail(two_values_of(key));
        return in_.value_of_record(id_);
      }
      return add_value(document_.vertex_values, key);
    });
    if (!ended) return false;
    if (!has_id) id_ = {.kind = ValueKind::integer, .text = std::to_string(document_.vertices.size())};
    return add_id(id_, nodes_, document_.vertices) && is_new_node() && end_row(document_.vertex_values);
  }

  /// Whether no node before has the last one's id.
  bool is_new_node() {
    const std::uint32_t name = document_.vertices.back();
    if (name >= is_node_.size()) is_node_.resize(document_.names.size(), false);
    if (is_node_[name]) return in_.fail("two nodes have one id, " + shown(id_.text));
    is_node_[name] = true;
    return true;
  }

  bool edge(Document& into, Records& list) {
    bool has_source = false;
    bool has_target = false;
    bool has_weight = false;
    weight_.kind = ValueKind::null;
    const auto own = [&](const std::string& key, bool& has, JsonValue& value) {
      if (std::exchange(has, true)) return in_.fail(two_values_of(key));
      return in_.value_of_record(value);
    };
    const bool ended = in_.members([&](const std::string& key) {
      if (key == "source") return own(key, has_source, id_);
      if (key == "target") return own(key, has_target, target_);
      return key == "weight" ? own(key, has_weight, weight_) : add_value(into.edge_values, key);
    });
    if (!ended) return false;
    if (!has_source || !has_target) return in_.fail("an edge has no source or no target");
    if (!add_id(id_, list, into.sources) || !add_id(target_, list, into.targets)) return false;
    add_weight(into.weights);
    return end_row(into.edge_values);
  }

  void add_weight(DocumentWeights& weights) const {
    switch (weight_.kind) {
      case ValueKind::integer:
      case ValueKind::number: weights.add(weight_.text, weight_.kind == ValueKind::integer); break;
      case ValueKind::null: weights.add_none(); break;
      default: weights.add_text(weight_.text); break;
    }
  }

  bool add_value(DocumentValues& values, const std::string& key) {
    const bool may_be_called_so = !in_.lone_half_in_key();
    if (!in_.value_of_record(value_)) return false;
    if (!may_be_called_so) return true;
    values.set(key, value_.held(), value_.text);
    return true;
  }

  bool end_row(DocumentValues& values) {
    const std::string wrong = values.end_row();
    return wrong.empty() || in_.fail(wrong);
  }

  bool add_id(JsonValue& id, Records& list, std::vector<std::uint32_t>& column) {
    unsigned kind = 0;
    switch (id.kind) {
      case ValueKind::integer: kind = integer_in(id.text) ? kInteger : kLong; break;
      case ValueKind::text: kind = kText; break;
      case ValueKind::number: kind = kNumber; break;
      case ValueKind::boolean: kind = kBoolean; break;
      case ValueKind::null: kind = kNull; break;
      case ValueKind::list: kind = kList; break;
      case ValueKind::other: kind = kObject; break;
    }
    list.ids |= kind;
    if ((kind & (kInteger | kText)) == 0) list.line = in_.text().line();
    if (kind == kText && id.lone_half)
      return in_.fail("an id has half of a surrogate pair, which UTF-8 text cannot hold");
    if (id.text == "-0") id.text = "0";
    const std::uint32_t name = document_.names.add(id.text);
    if (name == Names::kFull) return in_.fail("more than 2^32 - 2 ids");
    column.push_back(name);
    return true;
  }

  bool finish() {
    if (!nodes_.given && !edges_.given && !linked_.given && !of_this_form()) return false;
    if (!document_.sources.empty() && !links_.sources.empty())
      return in_.fail_whole("edges are listed twice, as `edges` and as `links`; leave one of the lists out");
    if (!edges_.given) {
      document_.sources = std::move(links_.sources);
      document_.targets = std::move(links_.targets);
      document_.weights = std::move(links_.weights);
      document_.edge_values = std::move(links_.edge_values);
      edges_ = {
          .name = "edges", .given = linked_.given, .sound = linked_.sound, .ids = linked_.ids, .line = linked_.line};
    }
    for (const Records* list : {&nodes_, &edges_}) {
      if (!list->sound) return in_.fail_whole("expected a list of objects called `" + std::string(list->name) + "`");
    }
    const unsigned kinds = nodes_.ids | edges_.ids;
    if (kinds != kInteger && kinds != kText && kinds != 0) return refuse_ids(kinds);
    note_unlisted_ends(document_);
    document_.finish(kinds == kInteger);
    return true;
  }

  /// Fails for graphs that other programs write as JSON, with the way to read them.
  bool of_this_form() {
    const auto way = [](const std::string& what, const std::string& function) {
      return "an object with `nodes` and `edges` is read here; " + what + " by networkx." + function +
             "(json.load(open(FILE))), for rizoma.read";
    };
    if (elements_) return in_.fail_whole(way("Cytoscape's", "cytoscape_graph"));
    return !any_ || !all_lists_ || in_.fail_whole(way("lists of neighbours", "from_dict_of_lists"));
  }

  bool refuse_ids(unsigned kinds) {
    std::string found;
    const std::array<std::pair<unsigned, const char*>, 8> names = {{{kNull, "null"},
                                                                    {kBoolean, "bool"},
                                                                    {kObject, "dict"},
                                                                    {kNumber, "float"},
                                                                    {kInteger, "int"},
                                                                    {kLong, "int of more than 64 bits"},
                                                                    {kList, "list"},
                                                                    {kText, "str"}}};
    for (const auto& [kind, name] : names) {
      if ((kinds & kind) != 0) found += (found.empty() ? "" : ", ") + std::string(name);
    }
    const std::string what = "ids must be all integers or all strings; this file has " + found;
    const std::uint64_t line = nodes_.line != 0 ? nodes_.line : edges_.line;
    if (line == 0) return in_.fail_whole(what);
    return in_.fail_in_line(line, what);
  }

  JsonScanner in_;
  Document document_;
  Document links_;  ///< the edges that are called so, which count if none are called `edges`
  Records nodes_{.name = "nodes"};
  Records edges_{.name = "edges"};
  Records linked_{.name = "edges"};
  std::vector<bool> is_node_;  ///< by the number of a name
  bool any_ = false, all_lists_ = true, elements_ = false;
  JsonValue item_, id_, target_, weight_, value_;
};

Result<Document> parse_json(const ReadRequest& request) {
  RIZOMA_ASSIGN(DocumentText text, DocumentText::open(request.file, request.chunk_bytes, request.executor));
  return JsonReader(text, request.options).read();
}

Result<FileSummary> inspect_json(const ReadRequest& request) { return inspect_document(request, parse_json); }

void append_quoted(std::string& text, std::string_view value) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  text += '"';
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (byte >= 0x20) {
      text += c;
    } else {
      text += "\\u00";
      text += kDigits[byte >> 4U];
      text += kDigits[byte & 0xFU];
    }
  }
  text += '"';
}

/// An object in a line for each vertex and edge.
class JsonStyle final : public DocumentStyle {
 public:
  explicit JsonStyle(const IdColumn& ids) : ids_(ids) {}

  [[nodiscard]] std::string key(const ColumnSchema& column, bool /*of_vertices*/) const override {
    std::string key = ", ";
    append_quoted(key, column.name);
    return key + ": ";
  }
  void begin_vertex(std::string& text, VertexId v) const override {
    text += ",\n{\"id\": ";
    append_id(text, v);
  }
  void begin_edge(std::string& text, VertexId source, VertexId target) const override {
    text += ",\n{\"source\": ";
    append_id(text, source);
    text += ", \"target\": ";
    append_id(text, target);
  }
  void value(std::string& text, std::string_view key, ValueKind kind, std::string_view written,
             bool /*first*/) const override {
    text += key;
    if (kind == ValueKind::text) {
      append_quoted(text, written);
    } else if (kind == ValueKind::number && written.ends_with("nan")) {
      text += "NaN";
    } else if (kind == ValueKind::number && written.ends_with("inf")) {
      text += written.starts_with('-') ? "-Infinity" : "Infinity";
    } else {
      text += written;
    }
  }
  void end_vertex(std::string& text, bool /*any*/) const override { text += '}'; }
  void end_edge(std::string& text, bool /*any*/) const override { text += '}'; }
  [[nodiscard]] std::size_t separator() const override { return 1; }

 private:
  void append_id(std::string& text, VertexId v) const {
    if (const auto name = text_id(ids_, v)) return append_quoted(text, *name);
    append_number(text, integer_id(ids_, v));
  }

  const IdColumn& ids_;
};

Status write_json(const WriteRequest& request, ReplacingFile& out, Executor& executor) {
  for (const ColumnSchema& column : columns_to_write(request, true)) {
    if (column.name != "id") continue;
    return cannot_carry(
        request.file,
        "vertices have a column 'id', the name that this format uses for the ids; write .graphml instead");
  }
  const JsonStyle style(request.ids);
  const std::string directed = request.view.directed() ? "true" : "false";
  const std::string multigraph = request.parallel ? "true" : "false";
  RIZOMA_TRY(
      out.write("{\"directed\": " + directed + ", \"multigraph\": " + multigraph + ", \"graph\": {}, \"nodes\": ["));
  RIZOMA_TRY(write_vertices(request, style, out, executor));
  RIZOMA_TRY(out.write("\n], \"edges\": ["));
  RIZOMA_TRY(write_document_edges(request, style, out, executor));
  return out.write("\n]}\n");
}

constexpr std::array<std::string_view, 1> kEndings = {".json"};

}  // namespace

namespace formats {

extern const Format json;
constinit const Format json{
    .name = "json",
    .endings = kEndings,
    .inspect = inspect_json,
    .read = read_document,
    .write = write_json,
    .is_document = true,
};

}  // namespace formats
}  // namespace rizoma
