#include "predicate/builder.h"
#include "predicate/parser.h"
#include "query/parse/query.h"

#include <algorithm>
#include <set>
#include <utility>

namespace rizoma::query {
namespace {

using predicate::Builder;
using predicate::Node;
using predicate::Operation;
using predicate::Program;
using predicate::Slot;
using predicate::syntax_error;

constexpr std::size_t kMostQueries = 256;
constexpr unsigned kMostItems = 64;

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

std::string names_of(const std::vector<ColumnSchema>& columns, std::vector<std::string> others = {}) {
  for (const ColumnSchema& column : columns) others.push_back(column.name);
  return list_of(others);
}

ColumnType type_of(WeightType type) {
  switch (type) {
    case WeightType::int32: return ColumnType::int32;
    case WeightType::float32: return ColumnType::float32;
    default: return ColumnType::float64;
  }
}

/// The weight of edges; ids are internal ids.
class PlainColumns final : public MatchColumns {
 public:
  explicit PlainColumns(GraphView graph) : graph_(std::move(graph)) {}

  std::vector<ColumnSchema> vertex_columns() const override { return {}; }
  std::vector<ColumnSchema> edge_columns() const override {
    if (graph_.weight_type() == WeightType::none) return {};
    return {ColumnSchema{.id = 0, .type = type_of(graph_.weight_type()), .nullable = false, .name = "weight"}};
  }
  MatchValue of_vertex(std::size_t, VertexId) const override { return std::monostate{}; }
  MatchValue of_edge(std::size_t, EdgeEntry edge) const override {
    return graph_.with_out([&](const auto& out) -> MatchValue {
      switch (graph_.weight_type()) {
        case WeightType::none: break;
        case WeightType::int32: return std::int64_t{out.template weights<std::int32_t>(edge.source)[edge.place]};
        case WeightType::float32: return double{out.template weights<float>(edge.source)[edge.place]};
        case WeightType::float64: return out.template weights<double>(edge.source)[edge.place];
      }
      return std::monostate{};
    });
  }
  ColumnRun run_of_edges(std::size_t, EdgeEntry first) const override {
    switch (graph_.weight_type()) {
      case WeightType::none: break;
      case WeightType::int32: return run_of<std::int32_t>(first);
      case WeightType::float32: return run_of<float>(first);
      case WeightType::float64: return run_of<double>(first);
    }
    return {};
  }
  MatchValue id(VertexId v) const override { return static_cast<std::int64_t>(v); }
  Result<VertexId> find(const MatchValue& id) const override {
    const auto* number = std::get_if<std::int64_t>(&id);
    if (number == nullptr || *number < 0 || static_cast<VertexId>(*number) >= graph_.num_vertices()) return kNoVertex;
    const auto v = static_cast<VertexId>(*number);
    return graph_.is_live(v) ? v : kNoVertex;
  }

 private:
  template <class W>
  [[nodiscard]] ColumnRun run_of(EdgeEntry first) const {
    return graph_.with_out([&](const auto& out) -> ColumnRun {
      const auto weights = out.template weights<W>(first.source).subspan(first.place);
      return {.type = type_of(graph_.weight_type()),
              .values = reinterpret_cast<const std::byte*>(weights.data()),
              .size = weights.size()};
    });
  }

  GraphView graph_;
};

/// An Error about a place of the pattern.
Error located(const Pattern& pattern, std::size_t place, ErrorCode code, const std::string& what) {
  return {code, syntax_error(pattern.text, place, what).message};
}

/// True if a vertex is only mentioned as an end of absent edges.
bool is_only_absent(const Pattern& pattern, unsigned v) { return !pattern.vertices[v].stands; }

/// The names of a pattern, and what stands behind them: vertices, edges, columns.
class PatternNames {
 public:
  PatternNames(const Pattern& pattern, const MatchColumns& columns)
      : pattern_(pattern),
        id_type_(columns.id_type()),
        vertex_columns_(columns.vertex_columns()),
        edge_columns_(columns.edge_columns()) {
    for (unsigned v = 0; v < pattern_.vertices.size(); ++v) {
      if (pattern_.vertices[v].name.empty() || is_only_absent(pattern_, v)) continue;
      vertex_names_.push_back(pattern_.vertices[v].name);
      vertices_.push_back(v);
    }
    for (unsigned e = 0; e < pattern_.edges.size(); ++e) {
      if (pattern_.edges[e].name.empty()) continue;
      edge_names_.push_back(pattern_.edges[e].name);
      edges_.push_back(e);
    }
  }

  /// The vertices that have a name, and their names.
  [[nodiscard]] const std::vector<unsigned>& vertices() const noexcept { return vertices_; }
  [[nodiscard]] const std::vector<std::string>& vertex_names() const noexcept { return vertex_names_; }
  [[nodiscard]] const std::vector<std::string>& edge_names() const noexcept { return edge_names_; }

  Result<Slot> reference(const predicate::Name& name) const {
    const std::string column = name.second.value_or("");
    for (const unsigned v : vertices_) {
      if (pattern_.vertices[v].name == name.first) return vertex_reference(v, column);
    }
    for (const unsigned e : edges_) {
      if (pattern_.edges[e].name == name.first) return edge_reference(e, column);
    }
    return Error{ErrorCode::invalid_argument,
                 "the pattern names no '" + name.first + "'; its names: " + list_of(all_names()) +
                     (name.second ? "" : "; a column follows the name of what has it, as in a." + name.first)};
  }

  Result<Slot> vertex_reference(unsigned v, const std::string& column) const {
    if (const ColumnSchema* const found = find_column(vertex_columns_, column)) {
      const auto number = static_cast<std::size_t>(found - vertex_columns_.data());
      return slot_of(SlotSource::vertex_column, v, number, found->type);
    }
    if (column.empty() || column == "id") return slot_of(SlotSource::vertex_id, v, 0, id_type_);
    return Error{ErrorCode::not_found,
                 "vertices have no column '" + column + "'; their columns: " + names_of(vertex_columns_, {"id"})};
  }

  Result<Slot> edge_reference(unsigned e, const std::string& column) const {
    if (const ColumnSchema* const found = find_column(edge_columns_, column)) {
      const auto number = static_cast<std::size_t>(found - edge_columns_.data());
      return slot_of(SlotSource::edge_column, e, number, found->type);
    }
    const std::string known = "; their columns: " + names_of(edge_columns_);
    if (column.empty()) {
      return Error{ErrorCode::not_found, "an edge has no value of its own; name one of its columns" + known};
    }
    return Error{ErrorCode::not_found, "edges have no column '" + column + "'" + known};
  }

 private:
  [[nodiscard]] std::vector<std::string> all_names() const {
    std::vector<std::string> names = vertex_names_;
    names.insert(names.end(), edge_names_.begin(), edge_names_.end());
    return names;
  }

  static Slot slot_of(SlotSource source, unsigned item, std::size_t column, ColumnType type) {
    return {static_cast<unsigned>(source), item, column, type};
  }

  const Pattern& pattern_;
  ColumnType id_type_;
  std::vector<ColumnSchema> vertex_columns_;
  std::vector<ColumnSchema> edge_columns_;
  std::vector<unsigned> vertices_;
  std::vector<unsigned> edges_;
  std::vector<std::string> vertex_names_;
  std::vector<std::string> edge_names_;
};

/// A predicate before the items have numbers: it speaks of the pattern's vertices, and of its edges by place.
struct Early {
  Program program;
  std::set<unsigned> vertices;
  std::set<unsigned> edges;
};

/// What a pattern, `where` and the anchors ask of its vertices and edges.
class BoundPredicates {
 public:
  BoundPredicates(const GraphView& graph, const Pattern& pattern, const MatchOptions& options,
                  const MatchColumns& columns, const PatternNames& names)
      : graph_(graph),
        pattern_(pattern),
        options_(options),
        columns_(columns),
        names_(names),
        anchors_(pattern.vertices.size()) {}

  Status read() {
    RIZOMA_TRY(take_where());
    RIZOMA_TRY(take_properties());
    return take_anchors();
  }

  [[nodiscard]] const std::vector<Early>& all() const noexcept { return early_; }
  /// Which vertices v may be.
  [[nodiscard]] const std::optional<std::vector<VertexId>>& anchor_of(unsigned v) const { return anchors_[v]; }
  [[nodiscard]] bool impossible() const noexcept { return impossible_; }

  [[nodiscard]] bool is_bound(unsigned v) const {
    if (anchors_[v]) return true;
    const auto is_about_it = [&](const Early& early) {
      return early.edges.empty() && early.vertices.size() == 1 && early.vertices.contains(v);
    };
    return std::any_of(early_.begin(), early_.end(), is_about_it) ||
           std::any_of(pattern_.edges.begin(), pattern_.edges.end(), [&](const PatternEdge& edge) {
             return !edge.absent && edge.shortest == Shortest::no && (edge.left == v || edge.right == v);
           });
  }

  [[nodiscard]] bool has_predicate(unsigned v) const {
    if (!is_only_absent(pattern_, v)) return false;
    return anchors_[v].has_value() ||
           std::any_of(early_.begin(), early_.end(), [&](const Early& early) { return early.vertices.contains(v); });
  }

  [[nodiscard]] bool has_predicate_on_edge(unsigned e) const {
    return std::any_of(early_.begin(), early_.end(), [&](const Early& early) { return early.edges.contains(e); });
  }

 private:
  Status take_where() {
    if (options_.where.empty()) return {};
    const auto resolve = [this](const predicate::Name& name) { return names_.reference(name); };
    RIZOMA_ASSIGN(const Program program, predicate::parse(options_.where, resolve));
    for (Program& part : predicate::conjuncts_of(program)) RIZOMA_TRY(take(std::move(part)));
    return {};
  }

  /// Keeps a part of the predicate: as an anchor if it names the vertices of one name.
  Status take(Program part) {
    if (const std::optional<unsigned> v = anchored_by(part)) {
      RIZOMA_ASSIGN(std::vector<VertexId> found, vertices_with(part.root(), part));
      anchor(*v, std::move(found));
      return {};
    }
    Early early{std::move(part), {}, {}};
    for (const Slot& slot : early.program.slots) {
      (source_of(slot) == SlotSource::edge_column ? early.edges : early.vertices).insert(slot.item);
    }
    early_.push_back(std::move(early));
    return {};
  }

  /// The vertex that `a = 17` or `a in [1, 2]` is about.
  static std::optional<unsigned> anchored_by(const Program& part) {
    const Node& root = part.root();
    if (root.operation != Operation::equal && root.operation != Operation::one_of) return std::nullopt;
    const Node& value = part.nodes[root.operands[0]];
    if (value.operation != Operation::column || source_of(part.slots[value.slot]) != SlotSource::vertex_id) {
      return std::nullopt;
    }
    const bool constants =
        root.operation == Operation::one_of || part.nodes[root.operands[1]].operation == Operation::constant;
    return constants ? std::optional<unsigned>(part.slots[value.slot].item) : std::nullopt;
  }

  /// The vertices whose ids such a part names.
  Result<std::vector<VertexId>> vertices_with(const Node& root, const Program& part) const {
    std::vector<VertexId> found;
    const auto add = [&](const Scalar& id) -> Status {
      RIZOMA_ASSIGN(const VertexId vertex, columns_.find(id));
      if (vertex != kNoVertex) found.push_back(vertex);
      return {};
    };
    if (root.operation == Operation::equal) {
      const predicate::Constant& id = part.nodes[root.operands[1]].constant;
      if (const auto* const text = std::get_if<std::string>(&id)) RIZOMA_TRY(add(std::string_view(*text)));
      else RIZOMA_TRY(add(std::get<std::int64_t>(id)));
    } else if (const auto* const texts = std::get_if<std::vector<std::string>>(&root.members)) {
      for (const std::string& text : *texts) RIZOMA_TRY(add(std::string_view(text)));
    } else {
      for (const std::int64_t number : std::get<std::vector<std::int64_t>>(root.members)) RIZOMA_TRY(add(number));
    }
    return found;
  }

  /// Narrows down which vertices v may be.
  void anchor(unsigned v, std::vector<VertexId> members) {
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    if (anchors_[v]) {
      std::vector<VertexId> both;
      std::set_intersection(members.begin(), members.end(), anchors_[v]->begin(), anchors_[v]->end(),
                            std::back_inserter(both));
      members = std::move(both);
    }
    impossible_ = impossible_ || members.empty();
    anchors_[v] = std::move(members);
  }

  Status take_properties() {
    for (unsigned v = 0; v < pattern_.vertices.size(); ++v) {
      const PatternVertex& vertex = pattern_.vertices[v];
      for (const Words& labels : vertex.labels) {
        RIZOMA_TRY(take_words(names_.vertex_reference(v, options_.label_column), labels, true));
      }
      for (const PropertyTest& property : vertex.properties) {
        RIZOMA_TRY(take_property(names_.vertex_reference(v, property.column), property));
      }
    }
    for (unsigned e = 0; e < pattern_.edges.size(); ++e) {
      const PatternEdge& edge = pattern_.edges[e];
      if (!edge.types.words.empty()) {
        RIZOMA_TRY(take_words(names_.edge_reference(e, options_.type_column), edge.types, false));
      }
      for (const PropertyTest& property : edge.properties) {
        RIZOMA_TRY(take_property(names_.edge_reference(e, property.column), property));
      }
    }
    return {};
  }

  /// One of these labels, of which a vertex may have several, or of these types must hold.
  Status take_words(const Result<Slot>& column, const Words& given, bool are_labels) {
    const std::string what = are_labels ? "label" : "type";
    const std::string reason = " (the column that is looked up for a " + what + "; " + what + "_column= names another)";
    if (!column) return located(pattern_, given.place, column.error().code, column.error().message + reason);
    const predicate::Type type = predicate::type_of(column->type);
    if (type != predicate::Type::text) {
      return located(pattern_, given.place, ErrorCode::invalid_argument,
                     "a " + what + " is text, and its column has " + predicate::name_of(type) + reason);
    }
    Builder make(pattern_.text);
    const Builder::NodeId value = make.column(*column, given.place);
    std::vector<Builder::NodeId> members;
    for (const std::string& word : given.words) members.push_back(make.constant(word, given.place));
    if (are_labels) {
      const predicate::Function& has = *predicate::find_function("has");
      for (Builder::NodeId& member : members) {
        RIZOMA_ASSIGN(member, make.call(has, {value, member}, given.place));
      }
    }
    RIZOMA_ASSIGN(const Builder::NodeId test, are_labels ? make.joined(Operation::any_of, members, given.place)
                                                         : make.one_of(value, members, given.place));
    RIZOMA_ASSIGN(Program program, make.finish(test));
    return take(std::move(program));
  }

  Status take_property(const Result<Slot>& column, const PropertyTest& property) {
    if (!column) return located(pattern_, property.place, column.error().code, column.error().message);
    Builder make(pattern_.text);
    const Builder::NodeId value = make.column(*column, property.place);
    const Builder::NodeId wanted = make.constant(property.value, property.place);
    RIZOMA_ASSIGN(const Builder::NodeId test, make.compared(Operation::equal, value, wanted, property.place));
    RIZOMA_ASSIGN(Program program, make.finish(test));
    return take(std::move(program));
  }

  Status take_anchors() {
    for (const auto& [name, members] : options_.anchors) {
      const auto known = std::find(names_.vertex_names().begin(), names_.vertex_names().end(), name);
      if (known == names_.vertex_names().end()) {
        return Error{ErrorCode::invalid_argument,
                     "the pattern has no vertex '" + name + "'; its vertices: " + list_of(names_.vertex_names())};
      }
      std::vector<VertexId> live;
      for (const VertexId v : members) {
        if (v < graph_.num_vertices() && graph_.is_live(v)) live.push_back(v);
      }
      anchor(names_.vertices()[static_cast<std::size_t>(known - names_.vertex_names().begin())], std::move(live));
    }
    return {};
  }

  const GraphView& graph_;
  const Pattern& pattern_;
  const MatchOptions& options_;
  const MatchColumns& columns_;
  const PatternNames& names_;
  std::vector<Early> early_;
  std::vector<std::optional<std::vector<VertexId>>> anchors_;
  bool impossible_ = false;
};

/// The queries of a pattern: one for each choice of lengths of its repeated edges.
class QueryExpander {
 public:
  QueryExpander(const GraphView& graph, const Pattern& pattern, const MatchOptions& options, const PatternNames& names,
                const BoundPredicates& predicates, BoundPattern& bound)
      : graph_(graph), pattern_(pattern), options_(options), names_(names), predicates_(predicates), bound_(bound) {}

  /// One query for each choice of lengths of the repeated edges.
  Status expand() {
    std::vector<unsigned> lengths;
    const auto most = [&](std::size_t e) {
      const PatternEdge& edge = pattern_.edges[e];
      return edge.shortest == Shortest::no ? edge.most : edge.least;
    };
    for (const PatternEdge& edge : pattern_.edges) lengths.push_back(edge.least);
    for (;;) {
      if (bound_.queries.size() == kMostQueries) {
        return Error{ErrorCode::unsupported, "the repetitions of the pattern have more than 256 combinations"};
      }
      RIZOMA_ASSIGN(Query query, query_of(lengths));
      bound_.queries.push_back(std::move(query));
      std::size_t e = 0;
      while (e < lengths.size() && ++lengths[e] > most(e)) lengths[e] = pattern_.edges[e].least, ++e;
      if (e == lengths.size()) return {};
    }
  }

 private:
  Result<Query> query_of(const std::vector<unsigned>& lengths) const {
    Query query;
    std::vector<std::optional<unsigned>> number(pattern_.vertices.size());
    for (unsigned v = 0; v < pattern_.vertices.size(); ++v) {
      if (is_only_absent(pattern_, v)) continue;
      number[v] = query.vertices++;
      query.anchors.push_back(predicates_.anchor_of(v));
    }
    for (const unsigned v : names_.vertices()) query.vertex_of_name.push_back(*number[v]);
    std::vector<std::vector<unsigned>> of_edge(pattern_.edges.size());
    for (unsigned e = 0; e < pattern_.edges.size(); ++e) add_edge(query, e, lengths[e], number, of_edge[e]);
    RIZOMA_TRY(number_edges(query, of_edge));
    for (std::size_t i = 0; i < predicates_.all().size(); ++i) RIZOMA_TRY(add_filter(query, i, number, of_edge));
    // What other predicates say of vertices and edges of other kinds counts for nothing, nor may it fail.
    std::stable_partition(query.filters.begin(), query.filters.end(), [](const Filter& each) { return each.is_kind; });
    if (options_.distinct == DistinctMatches::nodes) {
      for (unsigned a = 0; a < query.vertices; ++a) {
        for (unsigned b = a + 1; b < query.vertices; ++b) query.unequal.emplace_back(a, b);
      }
    }
    return query;
  }

  void add_edge(Query& query, unsigned e, unsigned length, const std::vector<std::optional<unsigned>>& number,
                std::vector<unsigned>& steps) const {
    const PatternEdge& edge = pattern_.edges[e];
    const bool backward = edge.arrow == Arrow::backward && graph_.directed();
    const bool either = edge.arrow == Arrow::either && graph_.directed();
    if (edge.absent) {
      query.absent.push_back(
          {number[backward ? edge.right : edge.left], number[backward ? edge.left : edge.right], either});
      return;
    }
    if (edge.shortest != Shortest::no) {
      const bool all = edge.shortest == Shortest::all;
      query.shortest.push_back({*number[backward ? edge.right : edge.left], *number[backward ? edge.left : edge.right],
                                either, all, edge.most});
      return;
    }
    unsigned at = *number[edge.left];
    for (unsigned step = 1; step <= length; ++step) {
      unsigned next = *number[edge.right];
      if (step < length) {
        next = query.vertices++;
        query.anchors.emplace_back();
      }
      steps.push_back(static_cast<unsigned>(query.edges.size()));
      query.edges.push_back({backward ? next : at, backward ? at : next, either, std::nullopt});
      at = next;
    }
  }

  /// Gives an item to each edge that is chosen separately.
  Status number_edges(Query& query, const std::vector<std::vector<unsigned>>& of_edge) const {
    for (unsigned e = 0; e < pattern_.edges.size(); ++e) {
      const bool named = !pattern_.edges[e].name.empty();
      const bool tested = predicates_.has_predicate_on_edge(e);
      for (const unsigned step : of_edge[e]) {
        if (named) query.edge_of_name.push_back(query.edge_items);
        if (named || tested || options_.distinct == DistinctMatches::edges) {
          query.edges[step].item = query.edge_items++;
        }
      }
    }
    if (query.items() > kMostItems) {
      return Error{ErrorCode::unsupported, "the pattern has more than 64 vertices and edges, repetitions included"};
    }
    if (options_.distinct == DistinctMatches::edges) {
      for (unsigned a = 0; a < query.edge_items; ++a) {
        for (unsigned b = a + 1; b < query.edge_items; ++b) query.unequal_edges.emplace_back(a, b);
      }
    }
    return {};
  }

  /// Adds the predicate, once for each step of a repeated edge.
  Status add_filter(Query& query, std::size_t place, const std::vector<std::optional<unsigned>>& number,
                    const std::vector<std::vector<unsigned>>& of_edge) const {
    const Early& early = predicates_.all()[place];
    const std::size_t copies = early.edges.empty() ? 1 : of_edge[*early.edges.begin()].size();
    for (std::size_t copy = 0; copy < copies; ++copy) {
      Program program = early.program;
      Mask mask = 0;
      for (Slot& slot : program.slots) {
        if (source_of(slot) == SlotSource::edge_column) {
          slot.item = *query.edges[of_edge[slot.item][copy]].item;
          mask |= bit(query.item_of_edge(slot.item));
        } else {
          slot.item = *number[slot.item];
          mask |= bit(slot.item);
        }
      }
      if (mask == 0) mask = bit(0);  // it names nothing, as `1 = 2`: the first vertex decides it
      const bool is_kind = reads_kind(program);
      query.filters.push_back(
          {std::make_shared<const Program>(std::move(program)), bound_.failure, mask, place, is_kind});
    }
    return {};
  }

  /// Whether a predicate is about labels, or about types, alone.
  [[nodiscard]] bool reads_kind(const Program& program) const {
    if (program.slots.size() != 1) return false;
    const Slot& slot = program.slots[0];
    if (source_of(slot) == SlotSource::vertex_id) return false;
    const bool of_edge = source_of(slot) == SlotSource::edge_column;
    const auto columns = of_edge ? bound_.columns->edge_columns() : bound_.columns->vertex_columns();
    return columns[slot.column].name == (of_edge ? options_.type_column : options_.label_column);
  }

  const GraphView& graph_;
  const Pattern& pattern_;
  const MatchOptions& options_;
  const PatternNames& names_;
  const BoundPredicates& predicates_;
  BoundPattern& bound_;
};

/// Binds one pattern.
class Binder {
 public:
  Binder(const GraphView& graph, const Pattern& pattern, const MatchOptions& options)
      : graph_(graph),
        pattern_(pattern),
        options_(options),
        columns_(options.columns != nullptr ? options.columns : columns_of(graph)),
        names_(pattern, *columns_),
        predicates_(graph, pattern, options, *columns_, names_) {}
  Binder(const Binder&) = delete;
  Binder& operator=(const Binder&) = delete;

  Result<BoundPattern> run() {
    RIZOMA_TRY(predicates_.read());
    RIZOMA_TRY(check_absent());
    for (const PatternEdge& edge : pattern_.edges) {
      if (edge.shortest != Shortest::no) RIZOMA_TRY(check_shortest(edge));
    }
    BoundPattern bound;
    bound.columns = columns_;
    bound.vertex_names = names_.vertex_names();
    bound.edge_names = names_.edge_names();
    bound.impossible = predicates_.impossible();
    RIZOMA_TRY(QueryExpander(graph_, pattern_, options_, names_, predicates_, bound).expand());
    return bound;
  }

 private:
  /// An absent edge must join vertices that exist, or one of them has none at all.
  Status check_absent() const {
    for (unsigned e = 0; e < pattern_.edges.size(); ++e) {
      const PatternEdge& edge = pattern_.edges[e];
      if (!edge.absent) continue;
      const auto left = static_cast<unsigned>(edge.left);
      const auto right = static_cast<unsigned>(edge.right);
      if (predicates_.has_predicate_on_edge(e) || predicates_.has_predicate(left) || predicates_.has_predicate(right)) {
        return located(pattern_, edge.place, ErrorCode::unsupported,
                       "a negated edge takes no type or property, nor does a vertex that only it names");
      }
      if (is_only_absent(pattern_, left) && is_only_absent(pattern_, right)) {
        return located(pattern_, edge.place, ErrorCode::parse,
                       "a negated edge must share a vertex with another path of the pattern");
      }
    }
    return {};
  }

  /// Both ends of a shortest path must be known from other parts of the pattern.
  [[nodiscard]] Status check_shortest(const PatternEdge& edge) const {
    for (const std::size_t end : {edge.left, edge.right}) {
      if (predicates_.is_bound(static_cast<unsigned>(end))) continue;
      return located(pattern_, edge.place, ErrorCode::unsupported,
                     "a shortest path needs bound ends; give each an id, a predicate, or another edge");
    }
    if (options_.distinct != DistinctMatches::none) {
      return located(pattern_, edge.place, ErrorCode::unsupported,
                     "a pattern with a shortest path cannot have distinct edges or nodes; leave distinct= out");
    }
    if (edge.arrow == Arrow::either && !graph_.has_in_edges()) {
      return located(pattern_, edge.place, ErrorCode::unsupported,
                     "a path along edges in either direction needs in-edges, which this graph does not store; create "
                     "it with in_edges=True");
    }
    return {};
  }

  const GraphView& graph_;
  const Pattern& pattern_;
  const MatchOptions& options_;
  std::shared_ptr<const MatchColumns> columns_;
  PatternNames names_;
  BoundPredicates predicates_;
};

}  // namespace

Result<BoundPattern> bind(const GraphView& graph, const Pattern& pattern, const MatchOptions& options) {
  return Binder(graph, pattern, options).run();
}

}  // namespace rizoma::query

namespace rizoma {

std::shared_ptr<const MatchColumns> columns_of(const GraphView& graph) {
  return std::make_shared<const query::PlainColumns>(graph);
}

}  // namespace rizoma
