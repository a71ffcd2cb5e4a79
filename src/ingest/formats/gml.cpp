// GML, the Graph Modelling Language (Himsolt, 1997): `graph [ node [ id 1 label "a" ] edge [ source 1 target 2 ] ]`.
//
// Vertices are named by their labels if every one has a label and no two the same, as other programs do it; else by
// their ids.  The weight of an edge is its `weight`, or, if none has one, its `value`.  All else is values of columns;
// those that are records, such as `graphics [ ... ]`, no column holds.  Texts are UTF-8, or else ISO 8859-1, which the
// definition asks for, with references to characters as HTML has them.
#include "ingest/column_text.h"
#include "ingest/document.h"
#include "ingest/document_parser.h"
#include "ingest/document_writer.h"
#include "ingest/export_rows.h"
#include "ingest/html_text.h"

#include <array>
#include <map>
#include <optional>

namespace rizoma {
namespace {

constexpr unsigned kMostNested = 100;

bool is_letter(int c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80; }
bool is_digit(int c) noexcept { return c >= '0' && c <= '9'; }
bool is_blank(int c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_sign(int c) noexcept { return c == '+' || c == '-'; }

enum class Token : std::uint8_t { key, integer, number, text, open, close, end };

/// The tokens of a GML file, and its records key by key.  A function returns false where it fails; `error` says why.
class GmlScanner : public DocumentParser {
 public:
  using DocumentParser::DocumentParser;

  [[nodiscard]] Token token() const { return token_; }
  [[nodiscard]] std::string& word() { return word_; }  ///< the token's text
  [[nodiscard]] std::string& key() { return key_; }
  [[nodiscard]] bool ended() const { return ended_; }  ///< the last key asked for was the end of its record
  [[nodiscard]] bool is_number() const { return token_ == Token::integer || token_ == Token::number; }

  /// Reads the next key into `key_`; at the end of the record `ended_` is true.
  bool next_key(Token closed_by) {
    if (!next()) return false;
    ended_ = token_ == closed_by;
    if (ended_) return true;
    if (token_ == Token::end) return fail("the file ends within a record: it is cut off, so write or fetch it again");
    if (token_ != Token::key) return fail("expected a key, found " + shown(word_));
    key_ = word_;
    return true;
  }

  /// Brings a value's first token; words for numbers become some.
  bool next_value() {
    if (!next()) return false;
    if (token_ == Token::key && number_in(word_)) token_ = Token::number;
    if (token_ == Token::end) return fail("the file ends within a record: it is cut off, so write or fetch it again");
    return (token_ != Token::key && token_ != Token::close) || fail("expected a value, found " + shown(word_));
  }

  bool skip_rest_of_value(unsigned depth) {
    if (token_ != Token::open) return true;
    if (depth > kMostNested) return fail("records are nested more than " + std::to_string(kMostNested) + " deep");
    for (;;) {
      if (!next_key(Token::close)) return false;
      if (ended_) return true;
      if (!next_value() || !skip_rest_of_value(depth + 1)) return false;
    }
  }

 private:
  /// Brings the next token; its text is in `word_`.
  bool next() {
    for (;;) {
      const int c = text_.peek();
      if (is_blank(c)) {
        text_.skip();
      } else if (c == '#') {
        text_.skip_until([](int each) { return each == '\n'; });
      } else {
        return token_at(c);
      }
    }
  }

  bool token_at(int c) {
    word_.clear();
    if (c == DocumentText::kEnd) {
      token_ = Token::end;
    } else if (c == '[' || c == ']') {
      text_.skip();
      token_ = c == '[' ? Token::open : Token::close;
      word_ = static_cast<char>(c);
    } else if (c == '"') {
      return quoted();
    } else if (is_letter(c)) {
      token_ = Token::key;
      return within_bounds(text_.take_until(word_, [](int each) { return !is_letter(each) && !is_digit(each); }));
    } else if (is_digit(c) || is_sign(c) || c == '.') {
      const auto stops = [](int each) { return !is_letter(each) && !is_digit(each) && !is_sign(each) && each != '.'; };
      if (!within_bounds(text_.take_until(word_, stops))) return false;
      token_ = is_whole(word_) ? Token::integer : Token::number;
      if (!number_in(word_)) return fail("expected a number, found " + shown(word_));
    } else {
      return fail("expected a key, a number, a string in quotes, [ or ]");
    }
    return true;
  }

  bool within_bounds(bool fits) { return fits || fail("a text of more than 256 MiB"); }

  bool quoted() {
    text_.skip();
    token_ = Token::text;
    if (!within_bounds(text_.take_until(word_, [](int each) { return each == '"'; }))) return false;
    if (!text_.take_if('"')) return fail("the file ends within a string in quotes");
    if (word_.find('&') != word_.npos) word_ = without_references(word_);
    return true;
  }

  std::string word_, key_;
  Token token_ = Token::end;
  bool ended_ = false;
};

/// Reads the graph of a GML file.
class GmlReader {
 public:
  GmlReader(DocumentText& text, const ReadOptions& options) : in_(text), document_(options) {
    const auto is_value = [](const KeptColumn& column) { return column.name == kValue; };
    keeps_value_ = std::ranges::any_of(options.edge_columns, is_value);
  }

  /// Reads the graph of the file; a second one is an error.
  Result<Document> read() {
    if (!records() || !in_.text().status() || !name_vertices()) return in_.error();
    return std::move(document_);
  }

 private:
  /// A node or an edge that is being read.
  struct Record {
    std::optional<std::int64_t> id, source, target;
    std::optional<std::string> label;
    bool labelled = false, has_weight = false;
    std::optional<std::string> weight, value, weight_text;  ///< numbers, and a weight in quotes
    bool weight_is_integer = false, value_is_integer = false;
    std::string odd_end;  ///< an end that is the id of no node
    std::string twice;    ///< a key of the edge that stands there a second time
    void clear() { *this = {}; }
  };

  bool records() {
    bool found = false;
    bool is_record = false;
    for (;;) {
      if (!in_.next_key(Token::end)) return false;
      if (in_.ended()) return is_record || in_.fail_whole("there is no record `graph [ ... ]`");
      const bool is_graph = in_.key() == "graph";
      const bool first = is_graph && !found;
      if (!in_.next_value()) return false;
      if (is_graph && is_record && in_.token() == Token::open) return in_.fail("the file has a second graph");
      if (first && in_.token() == Token::open) {
        if (!graph()) return false;
        is_record = true;
      } else if (!in_.skip_rest_of_value(1)) {
        return false;
      }
      found = found || first;
    }
  }

  bool graph() {
    bool said = false;
    for (;;) {
      if (!in_.next_key(Token::close)) return false;
      if (in_.ended()) return true;
      const bool node = in_.key() == "node";
      const bool edge = in_.key() == "edge";
      const bool of_graph = !node && !edge && in_.key() != "directed" && in_.key() != "multigraph";
      const bool direction = in_.key() == "directed";
      if (direction && said) return in_.fail("there are two values of `directed`; leave one of them out");
      if (of_graph && std::ranges::find(document_.of_graph, in_.key()) == document_.of_graph.end())
        document_.of_graph.push_back(in_.key());
      if (!in_.next_value()) return false;
      if (direction) {
        said = true;
        if (!say_direction()) return false;
      }
      if (in_.token() == Token::open && (node || edge)) {
        if (!(node ? add_node() : add_edge())) return false;
      } else if (!in_.skip_rest_of_value(2)) {
        return false;
      }
    }
  }

  /// Takes what the graph says of its direction: 1 or 0, which some programs write in quotes.
  bool say_direction() {
    const auto number = in_.token() == Token::open ? std::nullopt : number_in(in_.word());
    if (number != 0.0 && number != 1.0) return in_.fail("expected 0 or 1 after `directed`, found " + shown(in_.word()));
    document_.directed = number == 1.0;
    return true;
  }

  /// Reads the pairs of a record: use() takes those that are its own, the rest are values.
  template <class Use>
  bool pairs(DocumentValues& values, Use use) {
    record_.clear();
    for (;;) {
      if (!in_.next_key(Token::close)) return false;
      if (in_.ended()) return true;
      in_.key().swap(name_);
      if (!in_.next_value()) return false;
      if (!use(std::string_view(name_)))
        values.set(name_, kind_of_value(), in_.token() == Token::open ? "[...]" : in_.word());
      if (!in_.skip_rest_of_value(3)) return false;
    }
  }

  [[nodiscard]] ValueKind kind_of_value() const {
    switch (in_.token()) {
      case Token::text: return ValueKind::text;
      case Token::integer: return ValueKind::integer;
      case Token::open: return ValueKind::other;
      default: return ValueKind::number;
    }
  }

  bool end_row(DocumentValues& values) {
    const std::string wrong = values.end_row();
    return wrong.empty() || in_.fail(wrong);
  }

  bool add_node() {
    bool has_id = false;
    const auto use = [&](std::string_view key) {
      if (key == "label" && !record_.labelled) {
        record_.labelled = true;
        if (in_.token() == Token::text) record_.label = in_.word();
      }
      if (key != "id") return false;
      if (!has_id && in_.token() == Token::integer) record_.id = integer_in(in_.word());
      has_id = true;
      return true;
    };
    if (!pairs(document_.vertex_values, use)) return false;
    if (!record_.id) return in_.fail("a node has no integer id");
    const std::uint32_t name = name_of(*record_.id);
    if (name == Names::kFull) return too_many();
    if (node_of_[name] != kNone) return in_.fail("two nodes have one id, " + std::to_string(*record_.id));
    const auto node = static_cast<std::uint32_t>(document_.vertices.size());
    node_of_[name] = node;
    document_.vertices.push_back(name);
    labelled_ = labelled_ && record_.label && labels_.add(*record_.label) == node;
    return end_row(document_.vertex_values);
  }

  bool add_edge() {
    const auto use = [&](std::string_view key) {
      if (key == "source" || key == "target") {
        auto& end = key == "source" ? record_.source : record_.target;
        if (end) record_.twice = key;
        end = end_of_edge();
        return true;
      }
      if (key == "weight") {
        if (record_.has_weight) record_.twice = key;
        record_.has_weight = true;
        if (in_.token() == Token::text) record_.weight_text = in_.word();
        if (in_.is_number()) record_.weight = in_.word();
        record_.weight_is_integer = in_.token() == Token::integer;
      }
      if (key == kValue && !record_.value && in_.is_number()) {
        record_.value = in_.word();
        record_.value_is_integer = in_.token() == Token::integer;
      }
      return key == "weight";
    };
    if (!pairs(document_.edge_values, use)) return false;
    if (!record_.twice.empty()) return in_.fail(two_values_of(record_.twice));
    if (!record_.odd_end.empty()) return in_.fail(of_no_node(record_.odd_end));
    if (!record_.source || !record_.target) return in_.fail("an edge has no source or no target");
    for (const std::int64_t id : {*record_.source, *record_.target}) {
      const std::uint32_t name = name_of(id);
      if (name == Names::kFull) return too_many();
      (document_.sources.size() == document_.targets.size() ? document_.sources : document_.targets).push_back(name);
    }
    record_.value ? values_.add(*record_.value, record_.value_is_integer) : values_.add_none();
    if (record_.weight) {
      document_.weights.add(*record_.weight, record_.weight_is_integer);
    } else if (record_.weight_text) {
      document_.weights.add_text(*record_.weight_text);
    } else {
      document_.weights.add_none();
    }
    return end_row(document_.edge_values);
  }

  /// The id that an edge names.
  std::optional<std::int64_t> end_of_edge() {
    std::optional<std::int64_t> id;
    if (in_.token() == Token::integer) id = integer_in(in_.word());
    if (in_.token() == Token::number) {
      const double number = number_in(in_.word()).value_or(0);
      constexpr double kBound = 9.2e18;
      if (number == static_cast<double>(static_cast<std::int64_t>(number > -kBound && number < kBound ? number : 0)))
        id = static_cast<std::int64_t>(number);
    }
    if (!id && record_.odd_end.empty()) record_.odd_end = in_.token() == Token::text ? shown(in_.word()) : in_.word();
    return id;
  }

  std::uint32_t name_of(std::int64_t id) {
    const std::uint32_t name = document_.names.add(std::to_string(id));
    if (name != Names::kFull && name == node_of_.size()) {
      node_of_.push_back(kNone);
      lines_.push_back(in_.text().line());
    }
    return name;
  }

  bool too_many() { return in_.fail("more than 2^32 - 2 ids"); }

  static std::string of_no_node(const std::string& id) {
    return "an edge leads from or to " + id + ", but no node has this id";
  }

  /// Decides what vertices are called.
  bool name_vertices() {
    choose_weights();
    for (std::uint32_t name = 0; name < node_of_.size(); ++name) {
      if (node_of_[name] != kNone) continue;
      return in_.fail_in_line(lines_[name], of_no_node(std::string(document_.names[name])));
    }
    if (labelled_) {
      for (auto* ends : {&document_.vertices, &document_.sources, &document_.targets}) {
        for (std::uint32_t& name : *ends) name = node_of_[name];
      }
      document_.names = std::move(labels_);
      document_.vertex_values.forget("label");
    }
    document_.says_undirected = !document_.directed;  // as the definition has it without a statement
    document_.finish(!labelled_);
    return true;
  }

  /// Of edges with a `weight` and a `value`; says which are the weights.
  void choose_weights() {
    if (values_.values().empty()) return;
    if (!document_.weights.values().empty() || document_.weights.odd()) {
      document_.notes.emplace_back("the weight of edges is \"weight\", not \"value\"");
      return;
    }
    document_.weights = std::move(values_);
    document_.notes.emplace_back("the weight of edges is \"value\": none has a \"weight\"");
    if (!keeps_value_) document_.edge_values.forget(kValue);
  }

  static constexpr std::uint32_t kNone = Names::kFull;
  static constexpr std::string_view kValue = "value";

  GmlScanner in_;
  Document document_;       ///< until the end names are ids
  DocumentWeights values_;  ///< of edges, called `value`
  std::string name_;        ///< of the value that is read
  Record record_;
  std::vector<std::uint32_t> node_of_;  ///< by name: the node's number
  std::vector<std::uint64_t> lines_;    ///< by name: where it is first
  Names labels_;                        ///< by the node's number, as long as no two are the same
  bool labelled_ = true;
  bool keeps_value_ = false;  ///< of edges, as a column
};

Result<Document> parse_gml(const ReadRequest& request) {
  for (const bool first : {true, false}) {
    RIZOMA_ASSIGN(DocumentText text, DocumentText::open(request.file, request.chunk_bytes, request.executor));
    if (!first) text.set_encoding(Encoding::latin1);
    Result<Document> read = GmlReader(text, request.options).read();
    if (read || text.status() || !text.is_misencoded() || text.encoding() != Encoding::utf8) return read;
  }
  return Error{ErrorCode::parse, request.file.string() + ": the file changed while it was read; read it again"};
}

Result<FileSummary> inspect_gml(const ReadRequest& request) { return inspect_document(request, parse_gml); }

/// Writes a text in quotes; references stand for non-ASCII and special characters.
void append_quoted(std::string& text, std::string_view value) {
  text += '"';
  for (std::size_t at = 0; at < value.size();) {
    const auto byte = static_cast<unsigned char>(value[at++]);
    const std::string_view plain = byte == '&'   ? "&amp;"
                                   : byte == '<' ? "&lt;"
                                   : byte == '>' ? "&gt;"
                                   : byte == '"' ? "&quot;"
                                                 : std::string_view();
    if (!plain.empty()) {
      text += plain;
    } else if (byte >= 0x20 && byte < 0x7F) {
      text += static_cast<char>(byte);
    } else {
      std::uint32_t character = byte < 0x80 ? byte : byte < 0xE0 ? byte & 0x1FU : byte < 0xF0 ? byte & 0xFU : byte & 7U;
      while (byte >= 0x80 && at < value.size() && (static_cast<unsigned char>(value[at]) & 0xC0U) == 0x80) {
        character = character << 6U | (static_cast<unsigned char>(value[at++]) & 0x3FU);
      }
      text += "&#" + std::to_string(character) + ';';
    }
  }
  text += '"';
}

/// Ids that are texts become labels, and the ids are numbers.
class GmlStyle final : public DocumentStyle {
 public:
  explicit GmlStyle(const IdColumn& ids) : ids_(ids) {}

  /// A key has letters and digits alone: other characters become _.
  [[nodiscard]] std::string key(const ColumnSchema& column, bool /*of_vertices*/) const override {
    std::string key = "    ";
    if (!column.name.empty() && is_digit(static_cast<unsigned char>(column.name[0]))) key += '_';
    for (const char c : column.name) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte >= 0x80 && byte < 0xC0) continue;  // a character is one _
      key += byte < 0x80 && (is_letter(byte) || is_digit(byte)) ? c : '_';
    }
    return key + ' ';
  }
  void begin_vertex(std::string& text, VertexId v) const override {
    text += "  node [\n    id ";
    append_id(text, v);
    if (const auto label = text_id(ids_, v)) {
      text += "\n    label ";
      append_quoted(text, *label);
    }
    text += '\n';
  }
  void begin_edge(std::string& text, VertexId source, VertexId target) const override {
    text += "  edge [\n    source ";
    append_id(text, source);
    text += "\n    target ";
    append_id(text, target);
    text += '\n';
  }
  void value(std::string& text, std::string_view key, ValueKind kind, std::string_view written,
             bool /*first*/) const override {
    text += key;
    if (kind == ValueKind::text) {
      append_quoted(text, written);
    } else if (kind == ValueKind::boolean) {
      text += written == "true" ? '1' : '0';
    } else if (kind == ValueKind::number && written.ends_with("inf")) {
      text += written.starts_with('-') ? "-INF" : "+INF";
    } else if (kind == ValueKind::number && written.ends_with("nan")) {
      text += "NAN";
    } else {
      text += written;
    }
    text += '\n';
  }
  void end_vertex(std::string& text, bool /*any*/) const override { text += "  ]\n"; }
  void end_edge(std::string& text, bool /*any*/) const override { text += "  ]\n"; }

 private:
  void append_id(std::string& text, VertexId v) const {
    if (std::holds_alternative<StringColumn>(ids_)) return append_number(text, v);
    append_number(text, integer_id(ids_, v));
  }

  const IdColumn& ids_;
};

/// Fails if two columns have one key.
Status check_keys(const WriteRequest& request, const GmlStyle& style) {
  for (const bool of_vertices : {false, true}) {
    std::map<std::string, std::string> names;  // by key
    for (const ColumnSchema& column : columns_to_write(request, of_vertices)) {
      const std::string key = style.key(column, of_vertices);
      const auto [other, is_first] = names.emplace(key, column.name);
      if (is_first) continue;
      return cannot_carry(request.file, "the columns " + shown(other->second) + " and " + shown(column.name) +
                                            " both have the name " + std::string(without_blanks(key)) +
                                            " in GML; rename one of them, or write .graphml instead");
    }
  }
  return {};
}

Status write_gml(const WriteRequest& request, ReplacingFile& out, Executor& executor) {
  const bool labelled = std::holds_alternative<StringColumn>(request.ids);
  for (const ColumnSchema& column : columns_to_write(request, true)) {
    if (column.name != "id" && !(labelled && column.name == "label")) continue;
    return cannot_carry(request.file, "vertices have a column '" + column.name +
                                          "', the name that GML uses for the ids; write .graphml instead");
  }
  const GmlStyle style(request.ids);
  RIZOMA_TRY(check_keys(request, style));
  RIZOMA_TRY(out.write(std::string("graph [\n  directed ") + (request.view.directed() ? '1' : '0') + '\n'));
  if (request.parallel) RIZOMA_TRY(out.write("  multigraph 1\n"));
  RIZOMA_TRY(write_vertices(request, style, out, executor));
  RIZOMA_TRY(write_document_edges(request, style, out, executor));
  return out.write("]\n");
}

constexpr std::array<std::string_view, 1> kEndings = {".gml"};

}  // namespace

namespace formats {

extern const Format gml;
constinit const Format gml{
    .name = "gml",
    .endings = kEndings,
    .inspect = inspect_gml,
    .read = read_document,
    .write = write_gml,
    .is_document = true,
};

}  // namespace formats
}  // namespace rizoma
