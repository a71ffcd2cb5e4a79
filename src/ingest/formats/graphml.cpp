// GraphML (Brandes et al., 2002): XML with `graph`, `node` and `edge`, and `data` for what belongs to them.
//
// Ids are texts, or integers if all of them are written as such.  The weight of an edge is its datum whose key has the
// attr.name `weight`; all other data are values of columns, of the types that their keys have; a type that is none of
// GraphML's is text.  In a graph with edges of both kinds those without a direction count in both.  Nested graphs and
// hyperedges are refused, and so are entities (xml_scanner.h).
#include "ingest/column_text.h"
#include "ingest/document.h"
#include "ingest/document_parser.h"
#include "ingest/document_writer.h"
#include "ingest/export_rows.h"
#include "ingest/xml_scanner.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <set>
#include <utility>

namespace rizoma {
namespace {

/// How an integer is written, and no other way, so that ids that differ stay apart: no sign but -, no zero in front,
/// and 18 digits at most.
bool is_plain_integer(std::string_view text) noexcept {
  if (text == "-0") return false;
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || text.size() > 18 || (text[0] == '0' && text.size() > 1)) return false;
  return text.find_first_not_of("0123456789") == text.npos;
}

std::string in_small_letters(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return text;
}

/// The type that programs mean which write others than GraphML's: "String", "java.lang.Integer", "float64".
std::string known_type(std::string type) {
  type = in_small_letters(type.substr(type.find_last_of(".:") + 1));
  if (type == "boolean" || type == "bool") return "boolean";
  if (type == "int" || type == "integer" || type == "long" || type == "int32" || type == "int64") return "long";
  const bool number = type == "float" || type == "double" || type == "real" || type == "float32" || type == "float64";
  return number ? "double" : "string";
}

class GraphmlReader : DocumentParser {
 public:
  GraphmlReader(DocumentText& text, const ReadOptions& options)
      : DocumentParser(text), xml_(text), document_(options), options_(options) {}

  Result<Document> read() {
    if (!elements() || !finish()) return error();
    return std::move(document_);
  }

 private:
  enum class Whose : std::uint8_t { vertices, edges };
  static constexpr std::array<Whose, 2> kBoth = {Whose::vertices, Whose::edges};
  struct Key {
    std::string name;
    std::string type;
  };
  /// A value of its key's type.
  struct Datum {
    ValueKind kind = ValueKind::text;
    double number = 0;  ///< of kinds that are numbers, and of true and false
  };

  bool elements() {
    for (;;) {
      switch (xml_.next()) {
        case XmlScanner::Event::start:
          if (!start(xml_.name())) return false;
          within_.push_back(kind_of(xml_.name()));
          break;
        case XmlScanner::Event::end:
          within_.pop_back();
          if (!end(xml_.name())) return false;
          break;
        case XmlScanner::Event::text:
          if (in_datum_) datum_ += xml_.text();
          if (datum_.size() > DocumentText::kLongest) return fail("a value of more than 256 MiB");
          break;
        case XmlScanner::Event::finished: return true;
        case XmlScanner::Event::failed: error_ = xml_.error(); return false;
      }
    }
  }

  enum class Element : std::uint8_t { graph, node, edge, other };
  static Element kind_of(std::string_view tag) {
    if (tag == "graph") return Element::graph;
    if (tag == "node") return Element::node;
    return tag == "edge" ? Element::edge : Element::other;
  }

  bool start(std::string_view tag) {
    if (tag == "data") return start_datum();
    if (tag == "edge") return start_edge();
    if (tag == "node") return start_node();
    if (tag == "key") return start_key();
    if (tag == "graph") return start_graph();
    if (tag == "hyperedge") return fail("hyperedges are not read");
    if (tag == "default" && !in_datum_) {
      in_datum_ = true;
      begin_datum();
    }
    return true;
  }

  void begin_datum() {
    datum_.clear();
    datum_depth_ = within_.size();
  }

  bool start_datum() {
    if (in_datum_ || within_.empty()) return true;
    if (within_.back() != Element::node && within_.back() != Element::edge) return true;
    const std::string* id = xml_.attribute("key");
    if (id == nullptr) return fail("a value has no key");
    const auto& keys = keys_of(within_.back() == Element::node ? Whose::vertices : Whose::edges);
    const auto found = keys.find(*id);
    if (found == keys.end() && !declared_ids_.contains(*id))
      return fail("a value has the key " + shown(*id) + ", which no <key> before the graph declares");
    in_datum_ = found != keys.end();
    begin_datum();
    if (in_datum_) key_ = &found->second;
    return true;
  }

  bool start_key() {
    const std::string wanted = attribute_or("for", "all");
    const std::string id = attribute_or("id", "");
    declared_.name = attribute_or("attr.name", id);
    declared_.type = known_type(attribute_or("attr.type", declared_.name == "weight" ? "double" : "string"));
    declared_ids_.insert(id);
    declared_for_.clear();
    for (const Whose whose : kBoth) {
      if (wanted != "all" && wanted != (whose == Whose::vertices ? "node" : "edge")) continue;
      declared_for_.push_back(whose);
      keys_of(whose).insert_or_assign(id, declared_);
    }
    return true;
  }

  bool start_graph() {
    if (std::ranges::find(within_, Element::graph) != within_.end()) return fail("a graph within a node is not read");
    if (++graphs_ > 1) return fail("the file has a second graph");
    const std::string said = in_small_letters(attribute_or("edgedefault", ""));
    directed_by_default_ = said == "directed";
    return directed_by_default_ || said.empty() || said == "undirected" ||
           fail("edgedefault is " + shown(said) + ", expected directed or undirected");
  }

  bool start_node() {
    const std::string* id = xml_.attribute("id");
    if (id == nullptr) return fail("a node has no id");
    std::uint32_t name = 0;
    if (!add_name(*id, name)) return false;
    if (is_node_[name]) return fail("two nodes have one id, " + shown(*id));
    is_node_[name] = true;
    document_.vertices.push_back(name);
    if (std::exchange(in_node_, true)) return fail("a node within a node is not read");
    return true;
  }

  bool start_edge() {
    const std::string said = in_small_letters(attribute_or("directed", directed_by_default_ ? "true" : "false"));
    if (said != "true" && said != "1" && said != "false" && said != "0")
      return fail("the direction of an edge is " + shown(said) + ", expected true or false");
    undirected_.push_back(said == "false" || said == "0");
    for (const char* which : {"source", "target"}) {
      const std::string* id = xml_.attribute(which);
      if (id == nullptr) return fail("an edge has no " + std::string(which));
      std::uint32_t name = 0;
      if (!add_name(*id, name)) return false;
      (which[0] == 's' ? document_.sources : document_.targets).push_back(name);
    }
    has_weight_ = has_default_weight_;
    weight_ = default_weight_;
    weight_text_ = default_weight_text_;
    return !std::exchange(in_edge_, true) || fail("an edge within an edge is not read");
  }

  bool end(std::string_view tag) {
    if (tag == "node") {
      in_node_ = false;
      return end_row(document_.vertex_values);
    }
    if (tag == "edge") {
      in_edge_ = false;
      add_weight();
      return end_row(document_.edge_values);
    }
    if (!in_datum_ || within_.size() != datum_depth_) return true;
    in_datum_ = false;
    return tag == "data" ? end_datum() : end_default();
  }

  void add_weight() {
    if (!has_weight_) {
      document_.weights.add_none();
    } else if (weight_.kind == ValueKind::text) {
      document_.weights.add_text(weight_text_);
    } else {
      document_.weights.add(weight_.number, weight_.kind == ValueKind::integer);
    }
  }

  bool end_datum() {
    Datum value;
    const bool of_vertex = !within_.empty() && within_.back() == Element::node;
    if (!read_value(*key_, of_vertex ? Whose::vertices : Whose::edges, value)) return false;
    if (of_vertex) {
      document_.vertex_values.set(key_->name, value.kind, datum_);
    } else if (key_->name == "weight") {
      has_weight_ = true;
      weight_ = value;
      weight_text_ = datum_;
    } else {
      document_.edge_values.set(key_->name, value.kind, datum_);
    }
    return true;
  }

  bool end_default() {
    Datum value;
    for (const Whose whose : declared_for_) {
      if (!read_value(declared_, whose, value)) return false;
      if (whose == Whose::vertices) {
        document_.vertex_values.set_default(declared_.name, value.kind, datum_);
      } else if (declared_.name == "weight") {
        has_default_weight_ = true;
        default_weight_ = value;
        default_weight_text_ = datum_;
      } else {
        document_.edge_values.set_default(declared_.name, value.kind, datum_);
      }
    }
    return true;
  }

  /// Whether a value of this name is asked for, so that it must have the type of its key.
  [[nodiscard]] bool is_wanted(const std::string& name, Whose whose) const {
    const auto& kept = whose == Whose::edges ? options_.edge_columns : options_.vertex_columns;
    return std::ranges::any_of(kept, [&](const KeptColumn& column) { return column.name == name; });
  }

  /// What `datum_` is by its key, which makes it "true" or "false" if it is one of these.  A key without a wanted value
  /// may be anything: then it is text.
  bool read_value(const Key& key, Whose whose, Datum& value) {
    value.kind = ValueKind::text;
    if (key.type == "string" && (key.name != "weight" || whose == Whose::vertices)) return true;
    if (read_typed(key, value)) return true;
    if (is_wanted(key.name, whose)) return false;
    error_ = {};
    value = {};
    return true;
  }

  bool read_typed(const Key& key, Datum& value) {
    std::string text(without_blanks(datum_));
    if (key.type == "boolean") {
      text = in_small_letters(text);
      const bool yes = text == "true" || text == "1";
      if (!yes && text != "false" && text != "0")
        return fail("the " + key.name + " " + shown(text) + " is neither true nor false");
      value = {ValueKind::boolean, yes ? 1.0 : 0.0};
      datum_ = value.number != 0 ? "true" : "false";
      return true;
    }
    const bool whole = key.type == "long";
    const auto number = number_in(text);
    if (!number || (whole && !is_whole(text))) return fail("the " + key.name + " " + shown(text) + " is not a number");
    value = {whole ? ValueKind::integer : ValueKind::number, *number};
    datum_ = std::move(text);
    return true;
  }

  bool end_row(DocumentValues& values) {
    const std::string wrong = values.end_row();
    return wrong.empty() || fail(wrong);
  }

  bool add_name(std::string_view id, std::uint32_t& name) {
    name = document_.names.add(id);
    if (name == Names::kFull) return fail("more than 2^32 - 2 ids");
    if (name < is_node_.size()) return true;
    is_node_.push_back(false);
    lines_.push_back(text_.line());
    integers_ = integers_ && is_plain_integer(id);
    return true;
  }

  bool finish() {
    if (graphs_ == 0) return fail_whole("there is no element `graph`");
    const auto found = std::ranges::find(is_node_, false);
    if (found != is_node_.end()) {
      const auto name = static_cast<std::uint32_t>(found - is_node_.begin());
      return fail_in_line(lines_[name],
                          "an edge leads from or to " + shown(document_.names[name]) + ", but no node has this id");
    }
    find_direction();
    document_.finish(integers_);
    return true;
  }

  void find_direction() {
    const auto without = static_cast<std::size_t>(std::ranges::count(undirected_, true));
    document_.directed = undirected_.empty() ? directed_by_default_ : without < undirected_.size();
    document_.says_undirected = !document_.directed;
    if (document_.directed && without > 0) document_.undirected = std::move(undirected_);
  }

  std::string attribute_or(std::string_view name, std::string_view otherwise) const {
    const std::string* found = xml_.attribute(name);
    return found == nullptr ? std::string(otherwise) : *found;
  }

  using Keys = std::map<std::string, Key, std::less<>>;
  Keys& keys_of(Whose whose) { return keys_[static_cast<std::size_t>(whose)]; }

  XmlScanner xml_;
  Document document_;
  const ReadOptions& options_;
  bool directed_by_default_ = false;
  std::vector<bool> undirected_;  ///< by edge
  std::vector<Element> within_;
  unsigned graphs_ = 0;
  std::array<Keys, 2> keys_;                         ///< of vertices and of edges, by their ids
  std::set<std::string, std::less<>> declared_ids_;  ///< of keys for graphs and ports, too
  Key declared_;                                     ///< the last declared key, and for which elements
  std::vector<Whose> declared_for_;
  const Key* key_ = nullptr;  ///< of the datum that is being read
  std::string datum_;
  bool in_datum_ = false, in_node_ = false, in_edge_ = false;
  std::size_t datum_depth_ = 0;  ///< elements around it
  Datum weight_, default_weight_;
  std::string weight_text_, default_weight_text_;
  bool has_weight_ = false, has_default_weight_ = false;
  std::vector<bool> is_node_;         ///< by name
  std::vector<std::uint64_t> lines_;  ///< by name: where it is first
  bool integers_ = true;
};

Result<Document> parse_graphml(const ReadRequest& request) {
  RIZOMA_ASSIGN(DocumentText text, DocumentText::open(request.file, request.chunk_bytes, request.executor));
  return GraphmlReader(text, request.options).read();
}

Result<FileSummary> inspect_graphml(const ReadRequest& request) { return inspect_document(request, parse_graphml); }

/// As text, or in quotes, where blanks other than ' ' are written as references.
void append_escaped(std::string& text, std::string_view value, bool in_quotes) {
  for (const char c : value) {
    switch (c) {
      case '&': text += "&amp;"; break;
      case '<': text += "&lt;"; break;
      case '>': text += "&gt;"; break;
      case '\r': text += "&#13;"; break;
      case '"': text += in_quotes ? "&quot;" : "\""; break;
      case '\n': text += in_quotes ? "&#10;" : "\n"; break;
      case '\t': text += in_quotes ? "&#9;" : "\t"; break;
      default: text += c;
    }
  }
}

std::string in_quotes(std::string_view value) {
  std::string text = "\"";
  append_escaped(text, value, true);
  return text + '"';
}

/// Whether a text has characters that XML cannot carry in any form.
bool has_forbidden(std::string_view text) {
  return std::ranges::any_of(text, [](unsigned char c) { return c < 0x20 && c != '\t' && c != '\n' && c != '\r'; }) ||
         text.find("\xEF\xBF\xBE") != text.npos || text.find("\xEF\xBF\xBF") != text.npos;
}

std::string_view type_name(ColumnType type) {
  switch (type) {
    case ColumnType::boolean: return "boolean";
    case ColumnType::int8:
    case ColumnType::int16:
    case ColumnType::int32:
    case ColumnType::uint8:
    case ColumnType::uint16: return "int";
    case ColumnType::int64:
    case ColumnType::uint32:
    case ColumnType::uint64: return "long";
    case ColumnType::float32: return "float";
    case ColumnType::float64: return "double";
    default: return "string";
  }
}

class GraphmlStyle final : public DocumentStyle {
 public:
  explicit GraphmlStyle(const IdColumn& ids) : ids_(ids) {}

  /// The id of a key; names of columns of edges and of vertices may be equal.
  [[nodiscard]] std::string key(const ColumnSchema& column, bool of_vertices) const override {
    return in_quotes((of_vertices ? "vertex " : "") + column.name);
  }
  void begin_vertex(std::string& text, VertexId v) const override {
    text += "<node id=";
    append_id(text, v);
  }
  void begin_edge(std::string& text, VertexId source, VertexId target) const override {
    text += "<edge source=";
    append_id(text, source);
    text += " target=";
    append_id(text, target);
  }
  void value(std::string& text, std::string_view key, ValueKind kind, std::string_view written,
             bool first) const override {
    if (first) text += '>';
    text += "<data key=";
    text += key;
    text += '>';
    if (kind == ValueKind::number && written.ends_with("inf")) {
      text += written.starts_with('-') ? "-INF" : "INF";
    } else if (kind == ValueKind::number && written.ends_with("nan")) {
      text += "NaN";
    } else {
      append_escaped(text, written, false);
      unwritable_ = unwritable_ || (kind == ValueKind::text && has_forbidden(written));
    }
    text += "</data>";
  }
  void end_vertex(std::string& text, bool any) const override { text += any ? "</node>\n" : "/>\n"; }
  void end_edge(std::string& text, bool any) const override { text += any ? "</edge>\n" : "/>\n"; }

  /// Whether a text was met that XML cannot carry.
  [[nodiscard]] bool met_unwritable() const { return unwritable_; }

 private:
  void append_id(std::string& text, VertexId v) const {
    text += '"';
    if (const auto name = text_id(ids_, v)) {
      append_escaped(text, *name, true);
      unwritable_ = unwritable_ || has_forbidden(*name);
    } else {
      append_number(text, integer_id(ids_, v));
    }
    text += '"';
  }

  const IdColumn& ids_;
  mutable std::atomic<bool> unwritable_ = false;
};

Status write_graphml(const WriteRequest& request, ReplacingFile& out, Executor& executor) {
  const GraphmlStyle style(request.ids);
  std::string head =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
  for (const bool of_vertices : {false, true}) {
    for (const ColumnSchema& column : columns_to_write(request, of_vertices)) {
      head += "<key id=" + style.key(column, of_vertices) + " for=\"" + (of_vertices ? "node" : "edge") +
              "\" attr.name=" + in_quotes(column.name) + " attr.type=\"" + std::string(type_name(column.type)) +
              "\"/>\n";
    }
  }
  head += std::string("<graph edgedefault=\"") + (request.view.directed() ? "directed" : "undirected") + "\">\n";
  RIZOMA_TRY(out.write(head));
  RIZOMA_TRY(write_vertices(request, style, out, executor));
  RIZOMA_TRY(write_document_edges(request, style, out, executor));
  if (style.met_unwritable()) {
    return cannot_carry(request.file,
                        "an id or a value has a control character, which XML cannot hold; write .json or .gml instead");
  }
  return out.write("</graph>\n</graphml>\n");
}

constexpr std::array<std::string_view, 1> kEndings = {".graphml"};

}  // namespace

namespace formats {

extern const Format graphml;
constinit const Format graphml{
    .name = "graphml",
    .endings = kEndings,
    .inspect = inspect_graphml,
    .read = read_document,
    .write = write_graphml,
    .is_document = true,
};

}  // namespace formats
}  // namespace rizoma
