// GraphML (Brandes et al., 2002): XML with `graph`, `node` and `edge`, and `data` for what belongs to them.
//
// Ids are texts, or integers if all of them are written as such.  The weight of an edge is its datum whose key has the
// attr.name `weight`; all other data are values of columns, of the types that their keys have; a type that is none of
// GraphML's is text.  Keys of one name, as NetworkX writes one for each type of value, are one column.  In a graph with
// edges of both kinds those without a direction count in both.  Nested graphs and hyperedges are refused, and so are
// entities (xml_scanner.h).
#include "base/letters.h"
#include "ingest/column_text.h"
#include "ingest/document.h"
#include "ingest/document_parser.h"
#include "ingest/document_writer.h"
#include "ingest/export_rows.h"
#include "ingest/xml_scanner.h"

#include <rizoma/detail/column_types.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <set>
#include <utility>
#include <vector>

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

/// The type that programs mean which write others than GraphML's: "String", "java.lang.Integer", "float64".
std::string known_type(std::string type) {
  type = in_small_letters(type.substr(type.find_last_of(".:") + 1));
  if (type == "boolean" || type == "bool") return "boolean";
  if (type == "int" || type == "integer" || type == "long" || type == "int32" || type == "int64") return "long";
  const bool number = type == "float" || type == "double" || type == "real" || type == "float32" || type == "float64";
  return number ? "double" : "string";
}

ColumnType column_type_of(std::string_view type) {
  if (type == "boolean") return ColumnType::boolean;
  if (type == "long") return ColumnType::int64;
  return type == "double" ? ColumnType::float64 : ColumnType::string;
}

enum class Whose : std::uint8_t { vertices, edges };

/// The keys that a file declares, and what a datum is by its key.
class GraphmlKeys {
 public:
  struct Key {
    std::string name;
    std::string type;
  };
  explicit GraphmlKeys(const ReadOptions& options) : options_(options) {}

  /// `whose`: the elements that it is for, as `for` has them.  Returns what is wrong; empty: nothing.
  [[nodiscard]] std::string declare(const std::string& id, const std::string& whose, Key key) {
    names_.emplace(id, key.name);
    last_ = std::move(key);
    last_for_.clear();
    for (const Whose each : {Whose::vertices, Whose::edges}) {
      if (whose != "all" && whose != (each == Whose::vertices ? "node" : "edge")) continue;
      last_for_.push_back(each);
      if (!keys_[static_cast<std::size_t>(each)].emplace(id, last_).second) return "two keys have one id, " + shown(id);
    }
    return {};
  }

  /// Whether values of a key are read: asked for, or the weight.
  [[nodiscard]] bool is_read(const Key& key, Whose whose) const {
    return is_wanted(key.name, whose) || (whose == Whose::edges && key.name == "weight");
  }

  /// Those of keys for graphs and ports, too.
  [[nodiscard]] bool is_declared(const std::string& id) const { return names_.contains(id); }
  /// Of a key for any elements; the id if none is declared.
  [[nodiscard]] const std::string& name_of(const std::string& id) const {
    const auto found = names_.find(id);
    return found == names_.end() ? id : found->second;
  }
  /// Nullptr: there is none.
  [[nodiscard]] const Key* find(Whose whose, const std::string& id) const {
    const auto& keys = keys_[static_cast<std::size_t>(whose)];
    const auto found = keys.find(id);
    return found == keys.end() ? nullptr : &found->second;
  }
  /// The key that was declared last, and for which elements.
  [[nodiscard]] const Key& last() const noexcept { return last_; }
  [[nodiscard]] const std::vector<Whose>& last_for() const noexcept { return last_for_; }

  /// What a text is by its key, which makes it "true" or "false" if it is one of these.  A key without a wanted value
  /// may be anything: then it is text.  Returns what is wrong; empty: nothing.
  [[nodiscard]] std::string read(const Key& key, Whose whose, std::string& text, ValueKind& kind) const {
    kind = ValueKind::text;
    if (key.type == "string" && (key.name != "weight" || whose == Whose::vertices)) return {};
    std::string wrong = read_typed(key, text, kind);
    return is_wanted(key.name, whose) ? wrong : std::string();
  }

 private:
  /// Whether a value of this name is asked for, so that it must have the type of its key.
  [[nodiscard]] bool is_wanted(const std::string& name, Whose whose) const {
    const auto& kept = whose == Whose::edges ? options_.edge_columns : options_.vertex_columns;
    return std::ranges::any_of(kept, [&](const KeptColumn& column) { return column.name == name; });
  }

  static std::string read_typed(const Key& key, std::string& text, ValueKind& kind) {
    std::string bare(without_blanks(text));
    if (key.type == "boolean") {
      bare = in_small_letters(bare);
      const bool yes = bare == "true" || bare == "1";
      if (!yes && bare != "false" && bare != "0")
        return "the " + key.name + " " + shown(bare) + " is neither true nor false";
      kind = ValueKind::boolean;
      text = yes ? "true" : "false";
      return {};
    }
    const bool whole = key.type == "long";
    if (!number_in(bare) || (whole && !is_whole(bare)))
      return "the " + key.name + " " + shown(bare) + " is not a number";
    kind = whole ? ValueKind::integer : ValueKind::number;
    text = std::move(bare);
    return {};
  }

  using Keys = std::map<std::string, Key, std::less<>>;

  const ReadOptions& options_;
  std::array<Keys, 2> keys_;                               ///< of vertices and of edges, by their ids
  std::map<std::string, std::string, std::less<>> names_;  ///< by their ids, of keys for graphs and ports, too
  Key last_;
  std::vector<Whose> last_for_;
};

/// The weight of the edge that is read, and what edges weigh that do not say it.
class EdgeWeight {
 public:
  void begin() {
    here_ = default_;
    is_set_ = false;
  }
  /// False if the edge has one.
  [[nodiscard]] bool set(ValueKind kind, const std::string& text) {
    here_ = {true, kind, text};
    return !std::exchange(is_set_, true);
  }
  void set_default(ValueKind kind, const std::string& text) { default_ = {true, kind, text}; }

  void add_to(DocumentWeights& weights) const {
    if (!here_.given) {
      weights.add_none();
    } else if (here_.kind == ValueKind::text) {
      weights.add_text(here_.text);
    } else if (here_.kind == ValueKind::boolean) {
      weights.add(here_.text == "true" ? "1" : "0", false);
    } else {
      weights.add(here_.text, here_.kind == ValueKind::integer);
    }
  }

 private:
  struct Weight {
    bool given = false;
    ValueKind kind = ValueKind::text;
    std::string text;
  };
  Weight here_, default_;
  bool is_set_ = false;
};

/// Whether the id of the n-th edge says nothing but its number, counted from 0 or 1: "", "7", "e7".
bool counts_edges(std::string_view id, std::size_t n) {
  if (id.starts_with('e')) id.remove_prefix(1);
  return id.empty() || id == std::to_string(n - 1) || id == std::to_string(n);
}

/// What vertices and edges have that no option keeps: descriptions and ports, say, which are no data.
class UnreadNames {
 public:
  void add(Whose whose, std::string_view name) { names_[static_cast<std::size_t>(whose)].emplace(name); }
  /// The attributes of an element, but for those that are read.
  void add_attributes(Whose whose, const XmlScanner& xml, std::initializer_list<std::string_view> read) {
    for (const XmlScanner::Attribute& each : xml.attributes()) {
      const bool is_read = std::ranges::find(read, each.name) != read.end();
      if (!is_read && !each.name.starts_with("xml")) add(whose, each.name);
    }
  }
  void note(std::vector<std::string>& notes) const {
    for (const Whose whose : {Whose::edges, Whose::vertices}) {
      std::string all;
      for (const std::string& name : names_[static_cast<std::size_t>(whose)])
        all += (all.empty() ? " '" : ", '") + name + '\'';
      if (!all.empty())
        notes.push_back(std::string("not read, of ") + (whose == Whose::edges ? "edges:" : "vertices:") + all);
    }
  }

 private:
  std::array<std::set<std::string, std::less<>>, 2> names_;
};

enum class Element : std::uint8_t { graph, node, edge, other };
static Element kind_of(std::string_view tag) {
  if (tag == "graph") return Element::graph;
  if (tag == "node") return Element::node;
  return tag == "edge" ? Element::edge : Element::other;
}

class GraphmlReader : DocumentParser {
 public:
  GraphmlReader(DocumentText& text, const ReadOptions& options)
      : DocumentParser(text), xml_(text), document_(options), keys_(options) {}

  Result<Document> read() {
    if (!elements() || !finish()) return error();
    return std::move(document_);
  }

 private:
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

  bool start(std::string_view tag) {
    if (!in_datum_ && !within_.empty() && tag != "data") {
      if (within_.back() == Element::graph && tag == "desc") document_.of_graph.emplace_back(tag);
      if (within_.back() == Element::node) unread_.add(Whose::vertices, tag);
      if (within_.back() == Element::edge) unread_.add(Whose::edges, tag);
    }
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
    const std::string* id = xml_.attribute("key");
    if (within_.back() == Element::graph && id != nullptr) document_.of_graph.push_back(keys_.name_of(*id));
    if (within_.back() != Element::node && within_.back() != Element::edge) return true;
    if (id == nullptr) return fail("a value has no key");
    key_ = keys_.find(within_.back() == Element::node ? Whose::vertices : Whose::edges, *id);
    if (key_ == nullptr && !keys_.is_declared(*id))
      return fail("a value has the key " + shown(*id) + ", which no <key> before the graph declares");
    if (key_ == nullptr) {
      const bool of_vertex = within_.back() == Element::node;
      if (keys_.is_read({keys_.name_of(*id), ""}, of_vertex ? Whose::vertices : Whose::edges)) {
        return fail(std::string(of_vertex ? "a node" : "an edge") + " has a value of the key " + shown(*id) +
                    ", which its <key> declares for other elements (for=)");
      }
      (of_vertex ? document_.vertex_values : document_.edge_values).set(keys_.name_of(*id), ValueKind::text, "");
    }
    in_datum_ = key_ != nullptr;
    begin_datum();
    return true;
  }

  bool start_key() {
    const std::string id = xml_.attribute_or("id", "");
    const std::string name = xml_.attribute_or("attr.name", id);
    const std::string type = xml_.attribute_or("attr.type", name == "weight" ? "double" : "string");
    const std::string wrong = keys_.declare(id, xml_.attribute_or("for", "all"), {name, known_type(type)});
    if (!wrong.empty()) return fail(wrong);
    if (xml_.attribute("attr.name") == nullptr) return true;  // what programs keep for themselves
    for (const Whose whose : keys_.last_for()) {
      if (whose == Whose::edges && name == "weight") continue;
      (whose == Whose::vertices ? document_.vertex_values : document_.edge_values)
          .declare(name, column_type_of(keys_.last().type));
    }
    return true;
  }

  bool start_graph() {
    if (std::ranges::find(within_, Element::graph) != within_.end()) return fail("a graph within a node is not read");
    if (++graphs_ > 1) return fail("the file has a second graph");
    const std::string said = in_small_letters(xml_.attribute_or("edgedefault", ""));
    directed_by_default_ = said == "directed";
    if (said.empty()) {
      document_.guesses.emplace_back(
          "the graph does not say its `edgedefault`: edges that do not say so themselves have no direction");
    }
    return directed_by_default_ || said.empty() || said == "undirected" ||
           fail("edgedefault is " + shown(said) + ", expected directed or undirected");
  }

  bool start_node() {
    unread_.add_attributes(Whose::vertices, xml_, {"id"});
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
    unread_.add_attributes(Whose::edges, xml_, {"id", "source", "target", "directed"});
    const std::string said = in_small_letters(xml_.attribute_or("directed", directed_by_default_ ? "true" : "false"));
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
    if (!counts_edges(xml_.attribute_or("id", ""), undirected_.size())) unread_.add(Whose::edges, "id");
    weight_.begin();
    return !std::exchange(in_edge_, true) || fail("an edge within an edge is not read");
  }

  bool end(std::string_view tag) {
    if (tag == "node") {
      in_node_ = false;
      return end_row(document_.vertex_values);
    }
    if (tag == "edge") {
      in_edge_ = false;
      weight_.add_to(document_.weights);
      return end_row(document_.edge_values);
    }
    if (!in_datum_ || within_.size() != datum_depth_) return true;
    in_datum_ = false;
    return tag == "data" ? end_datum() : end_default();
  }

  bool end_datum() {
    const bool of_vertex = !within_.empty() && within_.back() == Element::node;
    const Whose whose = of_vertex ? Whose::vertices : Whose::edges;
    ValueKind kind{};
    const std::string wrong = keys_.read(*key_, whose, datum_, kind);
    if (!wrong.empty()) return fail(wrong);
    if (of_vertex) {
      document_.vertex_values.set(key_->name, kind, datum_);
    } else if (key_->name == "weight") {
      if (!weight_.set(kind, datum_)) return fail(two_values_of(key_->name));
    } else {
      document_.edge_values.set(key_->name, kind, datum_);
    }
    return true;
  }

  bool end_default() {
    const GraphmlKeys::Key& key = keys_.last();
    for (const Whose whose : keys_.last_for()) {
      const bool first = defaults_[static_cast<std::size_t>(whose)].insert(key.name).second;
      if (!first && keys_.is_read(key, whose))
        return fail("two keys called " + shown(key.name) + " have default values; leave one of them out");
      ValueKind kind{};
      const std::string wrong = keys_.read(key, whose, datum_, kind);
      if (!wrong.empty()) return fail(wrong);
      if (whose == Whose::vertices) {
        document_.vertex_values.set_default(key.name, kind, datum_);
      } else if (key.name == "weight") {
        weight_.set_default(kind, datum_);
      } else {
        document_.edge_values.set_default(key.name, kind, datum_);
      }
    }
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
    unread_.note(document_.notes);
    document_.finish(integers_);
    return true;
  }

  void find_direction() {
    const auto without = static_cast<std::size_t>(std::ranges::count(undirected_, true));
    document_.directed = undirected_.empty() ? directed_by_default_ : without < undirected_.size();
    document_.says_undirected = !document_.directed;
    if (document_.directed && without > 0) document_.undirected = std::move(undirected_);
  }

  XmlScanner xml_;
  Document document_;
  GraphmlKeys keys_;
  EdgeWeight weight_;
  bool directed_by_default_ = false;
  std::vector<bool> undirected_;  ///< by edge
  std::vector<Element> within_;
  unsigned graphs_ = 0;
  const GraphmlKeys::Key* key_ = nullptr;          ///< of the datum that is being read
  std::array<std::set<std::string>, 2> defaults_;  ///< names of values of vertices and of edges that have one
  std::string datum_;
  bool in_datum_ = false, in_node_ = false, in_edge_ = false;
  std::size_t datum_depth_ = 0;       ///< elements around it
  std::vector<bool> is_node_;         ///< by name
  std::vector<std::uint64_t> lines_;  ///< by name: where it is first
  bool integers_ = true;
  UnreadNames unread_;  ///< ids of edges among them, if they say more than their numbers
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
  switch (column_kind(type)) {
    case ColumnKind::boolean: return "boolean";
    case ColumnKind::integer: return column_width(type) < 4 || type == ColumnType::int32 ? "int" : "long";
    case ColumnKind::real: return column_width(type) == 4 ? "float" : "double";
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
