#include "query/parse/query.h"
#include "query/parse/types.h"

#include <algorithm>
#include <set>
#include <utility>

namespace rizoma::query {
namespace {

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

/// Binds one pattern.
class Binder {
 public:
  Binder(const GraphView& graph, const Pattern& pattern, const MatchOptions& options)
      : graph_(graph), pattern_(pattern), options_(options) {
    bound_.columns = options.columns != nullptr ? options.columns : columns_of(graph);
    vertex_columns_ = bound_.columns->vertex_columns();
    edge_columns_ = bound_.columns->edge_columns();
  }

  Result<BoundPattern> run() {
    name_all();
    RIZOMA_TRY(take_condition());
    RIZOMA_TRY(take_properties());
    RIZOMA_TRY(take_anchors());
    RIZOMA_TRY(check_absent());
    for (const PatternEdge& edge : pattern_.edges) {
      if (edge.shortest != Shortest::no) RIZOMA_TRY(check_shortest(edge));
    }
    RIZOMA_TRY(expand());
    return std::move(bound_);
  }

 private:
  /// A condition before the items have numbers: it speaks of the pattern's vertices, and of its edges by place.
  struct Early {
    Condition condition;
    std::set<unsigned> vertices;
    std::set<unsigned> edges;
  };

  void name_all() {
    for (unsigned v = 0; v < pattern_.vertices.size(); ++v) {
      if (pattern_.vertices[v].name.empty() || is_only_absent(v)) continue;
      bound_.vertex_names.push_back(pattern_.vertices[v].name);
      named_vertices_.push_back(v);
    }
    for (unsigned e = 0; e < pattern_.edges.size(); ++e) {
      if (pattern_.edges[e].name.empty()) continue;
      bound_.edge_names.push_back(pattern_.edges[e].name);
      named_edges_.push_back(e);
    }
  }

  /// True if a vertex is only mentioned as an end of absent edges.
  [[nodiscard]] bool is_only_absent(unsigned v) const { return !pattern_.vertices[v].stands; }

  Result<Condition> reference(const std::string& name, const std::string& column) {
    for (const unsigned v : named_vertices_) {
      if (pattern_.vertices[v].name == name) return vertex_reference(v, column);
    }
    for (const unsigned e : named_edges_) {
      if (pattern_.edges[e].name == name) return edge_reference(e, column);
    }
    return Error{ErrorCode::invalid_argument,
                 "the pattern names no \"" + name + "\"; its names: " + list_of(all_names())};
  }

  [[nodiscard]] std::vector<std::string> all_names() const {
    std::vector<std::string> names = bound_.vertex_names;
    names.insert(names.end(), bound_.edge_names.begin(), bound_.edge_names.end());
    return names;
  }

  Result<Condition> vertex_reference(unsigned v, const std::string& column) const {
    if (const auto found = column_reference(vertex_columns_, column)) {
      return Condition{.operation = Operation::vertex_column, .item = v, .column = found->first, .kind = found->second};
    }
    if (column.empty() || column == "id") return Condition{.operation = Operation::vertex_id, .item = v};
    return Error{ErrorCode::not_found,
                 "vertices have no column \"" + column + "\"; their columns: " + names_of(vertex_columns_, {"id"})};
  }

  Result<Condition> edge_reference(unsigned e, const std::string& column) const {
    if (const auto found = column_reference(edge_columns_, column)) {
      return Condition{.operation = Operation::edge_column, .item = e, .column = found->first, .kind = found->second};
    }
    const std::string known = "; their columns: " + names_of(edge_columns_);
    if (column.empty()) {
      return Error{ErrorCode::not_found, "an edge has no value of its own: name one of its columns" + known};
    }
    return Error{ErrorCode::not_found, "edges have no column \"" + column + "\"" + known};
  }

  /// Number and kind of a column.
  static std::optional<std::pair<std::size_t, Kind>> column_reference(const std::vector<ColumnSchema>& columns,
                                                                      const std::string& name) {
    const ColumnSchema* const found = find_column(columns, name);
    if (found == nullptr) return std::nullopt;
    return std::pair(static_cast<std::size_t>(found - columns.data()), kind_of(found->type));
  }

  Status take_condition() {
    if (options_.where.empty()) return {};
    const Resolve resolve = [this](const std::string& name, const std::string& column) {
      return reference(name, column);
    };
    RIZOMA_ASSIGN(Condition condition, parse_condition(options_.where, resolve));
    for (Condition& part : conjuncts_of(std::move(condition))) RIZOMA_TRY(take(std::move(part)));
    return {};
  }

  /// Keeps a part of the condition: as an anchor if it says which vertices a name may be.
  Status take(Condition part) {
    if (const std::optional<unsigned> v = anchored_by(part)) {
      std::vector<VertexId> found;
      for (std::size_t i = 1; i < part.operands.size(); ++i) {
        RIZOMA_ASSIGN(const VertexId vertex, bound_.columns->find(value_of(part.operands[i].constant)));
        if (vertex != kNoVertex) found.push_back(vertex);
      }
      anchor(*v, std::move(found));
      return {};
    }
    Early early{std::move(part), {}, {}};
    for_each_part(early.condition, [&](const Condition& each) {
      if (each.operation == Operation::vertex_id || each.operation == Operation::vertex_column) {
        early.vertices.insert(each.item);
      }
      if (each.operation == Operation::edge_column) early.edges.insert(each.item);
    });
    early_.push_back(std::move(early));
    return {};
  }

  /// The vertex that `a = 17` or `a in [1, 2]` is about.
  static std::optional<unsigned> anchored_by(const Condition& part) {
    if (part.operation != Operation::equal && part.operation != Operation::one_of) return std::nullopt;
    if (part.operands[0].operation != Operation::vertex_id) return std::nullopt;
    for (std::size_t i = 1; i < part.operands.size(); ++i) {
      if (part.operands[i].operation != Operation::constant) return std::nullopt;
    }
    return part.operands[0].item;
  }

  /// Narrows down which vertices v may be.
  void anchor(unsigned v, std::vector<VertexId> members) {
    anchors_.resize(pattern_.vertices.size());
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    if (anchors_[v]) {
      std::vector<VertexId> both;
      std::set_intersection(members.begin(), members.end(), anchors_[v]->begin(), anchors_[v]->end(),
                            std::back_inserter(both));
      members = std::move(both);
    }
    bound_.impossible = bound_.impossible || members.empty();
    anchors_[v] = std::move(members);
  }

  Status take_properties() {
    for (unsigned v = 0; v < pattern_.vertices.size(); ++v) {
      const PatternVertex& vertex = pattern_.vertices[v];
      for (const Words& labels : vertex.labels) {
        RIZOMA_TRY(take_words(vertex_reference(v, options_.label_column), labels, "label"));
      }
      for (const PropertyTest& property : vertex.properties) {
        RIZOMA_TRY(take_property(vertex_reference(v, property.column), property));
      }
    }
    for (unsigned e = 0; e < pattern_.edges.size(); ++e) {
      const PatternEdge& edge = pattern_.edges[e];
      if (!edge.types.words.empty()) {
        RIZOMA_TRY(take_words(edge_reference(e, options_.type_column), edge.types, "type"));
      }
      for (const PropertyTest& property : edge.properties) {
        RIZOMA_TRY(take_property(edge_reference(e, property.column), property));
      }
    }
    return {};
  }

  /// Of labels or types one holds; `what`: which of them.
  Status take_words(Result<Condition> column, const Words& given, const std::string& what) {
    const std::string reason = " (the column that is looked up for a " + what + "; " + what + "_column names another)";
    if (!column) return located(given.place, column.error().code, column.error().message + reason);
    if (kind_of(*column) != Kind::text) {
      return located(given.place, ErrorCode::invalid_argument,
                     "a " + what + " is a text, and its column has " + name_of(kind_of(*column)) + reason);
    }
    Condition test{.operation = Operation::one_of};
    test.operands.push_back(*std::move(column));
    for (const std::string& word : given.words) {
      test.operands.push_back({.operation = Operation::constant, .constant = word});
    }
    return take(std::move(test));
  }

  Status take_property(Result<Condition> column, const PropertyTest& property) {
    if (!column) return located(property.place, column.error().code, column.error().message);
    Condition test{.operation = Operation::equal};
    test.operands.push_back(*std::move(column));
    test.operands.push_back({.operation = Operation::constant, .constant = property.value});
    if (const auto problem = fit_operands(test)) return located(property.place, ErrorCode::parse, *problem);
    return take(std::move(test));
  }

  /// An Error about a place of the pattern.
  [[nodiscard]] Error located(std::size_t place, ErrorCode code, const std::string& what) const {
    return {code, syntax_error(pattern_.text, place, what).message};
  }

  Status take_anchors() {
    for (const auto& [name, members] : options_.anchors) {
      const auto known = std::find(bound_.vertex_names.begin(), bound_.vertex_names.end(), name);
      if (known == bound_.vertex_names.end()) {
        return Error{ErrorCode::invalid_argument,
                     "the pattern has no vertex \"" + name + "\"; its vertices: " + list_of(bound_.vertex_names)};
      }
      std::vector<VertexId> live;
      for (const VertexId v : members) {
        if (v < graph_.num_vertices() && graph_.is_live(v)) live.push_back(v);
      }
      anchor(named_vertices_[static_cast<std::size_t>(known - bound_.vertex_names.begin())], std::move(live));
    }
    return {};
  }

  /// An absent edge joins vertices that are there, or says that one of them has none.
  Status check_absent() const {
    for (unsigned e = 0; e < pattern_.edges.size(); ++e) {
      const PatternEdge& edge = pattern_.edges[e];
      if (!edge.absent) continue;
      const bool conditions =
          std::any_of(early_.begin(), early_.end(), [&](const Early& early) { return early.edges.contains(e); });
      const auto left = static_cast<unsigned>(edge.left);
      const auto right = static_cast<unsigned>(edge.right);
      if (conditions || has_condition(left) || has_condition(right)) {
        return Error{ErrorCode::unsupported,
                     syntax_error(pattern_.text, edge.place,
                                  "an absent edge takes no type or property, nor does a vertex that only it names")
                         .message};
      }
      if (is_only_absent(left) && is_only_absent(right)) {
        return Error{ErrorCode::parse, syntax_error(pattern_.text, edge.place,
                                                    "an absent edge needs an end that another path of the pattern has")
                                           .message};
      }
    }
    return {};
  }

  /// Both ends of a shortest path are known from elsewhere.
  [[nodiscard]] Status check_shortest(const PatternEdge& edge) const {
    for (const std::size_t end : {edge.left, edge.right}) {
      if (is_bound(static_cast<unsigned>(end))) continue;
      return located(edge.place, ErrorCode::unsupported,
                     "a shortest path needs bound ends: give each an id, a condition, or another edge");
    }
    if (options_.distinct != DistinctMatches::none) {
      return located(edge.place, ErrorCode::unsupported, "shortest paths are not matched with distinct edges or nodes");
    }
    if (edge.arrow == Arrow::either && !graph_.has_in_edges()) {
      return located(edge.place, ErrorCode::unsupported,
                     "a path along edges in either direction needs in-edges; open the graph with in_edges=True");
    }
    return {};
  }

  [[nodiscard]] bool is_bound(unsigned v) const {
    if (v < anchors_.size() && anchors_[v]) return true;
    const auto is_about_it = [&](const Early& early) {
      return early.edges.empty() && early.vertices.size() == 1 && early.vertices.contains(v);
    };
    return std::any_of(early_.begin(), early_.end(), is_about_it) ||
           std::any_of(pattern_.edges.begin(), pattern_.edges.end(), [&](const PatternEdge& edge) {
             return !edge.absent && edge.shortest == Shortest::no && (edge.left == v || edge.right == v);
           });
  }

  [[nodiscard]] bool has_condition(unsigned v) const {
    if (!is_only_absent(v)) return false;
    return (v < anchors_.size() && anchors_[v]) ||
           std::any_of(early_.begin(), early_.end(), [&](const Early& early) { return early.vertices.contains(v); });
  }

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

  Result<Query> query_of(const std::vector<unsigned>& lengths) const {
    Query query;
    std::vector<std::optional<unsigned>> number(pattern_.vertices.size());
    for (unsigned v = 0; v < pattern_.vertices.size(); ++v) {
      if (is_only_absent(v)) continue;
      number[v] = query.vertices++;
      query.anchors.push_back(v < anchors_.size() ? anchors_[v] : std::nullopt);
    }
    for (const unsigned v : named_vertices_) query.vertex_of_name.push_back(*number[v]);
    std::vector<std::vector<unsigned>> of_edge(pattern_.edges.size());
    for (unsigned e = 0; e < pattern_.edges.size(); ++e) add_edge(query, e, lengths[e], number, of_edge[e]);
    RIZOMA_TRY(number_edges(query, of_edge));
    for (std::size_t i = 0; i < early_.size(); ++i) RIZOMA_TRY(add_filter(query, i, number, of_edge));
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

  /// Gives an item to each edge that is chosen by itself.
  Status number_edges(Query& query, const std::vector<std::vector<unsigned>>& of_edge) const {
    for (unsigned e = 0; e < pattern_.edges.size(); ++e) {
      const bool named = !pattern_.edges[e].name.empty();
      const bool tested =
          std::any_of(early_.begin(), early_.end(), [&](const Early& early) { return early.edges.contains(e); });
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

  /// Adds the condition, once for each step of a repeated edge.
  Status add_filter(Query& query, std::size_t place, const std::vector<std::optional<unsigned>>& number,
                    const std::vector<std::vector<unsigned>>& of_edge) const {
    const Early& early = early_[place];
    const std::size_t copies = early.edges.empty() ? 1 : of_edge[*early.edges.begin()].size();
    for (std::size_t copy = 0; copy < copies; ++copy) {
      Filter filter{early.condition, 0, place};
      renumber(filter.condition, [&](Condition& part) {
        if (part.operation == Operation::edge_column) {
          part.item = *query.edges[of_edge[part.item][copy]].item;
          filter.mask |= bit(query.item_of_edge(part.item));
        } else if (part.operation == Operation::vertex_id || part.operation == Operation::vertex_column) {
          part.item = *number[part.item];
          filter.mask |= bit(part.item);
        }
      });
      if (filter.mask == 0) filter.mask = bit(0);  // it names nothing, as `1 = 2`: the first vertex decides it
      query.filters.push_back(std::move(filter));
    }
    return {};
  }

  template <class F>
  static void renumber(Condition& condition, const F& f) {
    f(condition);
    for (Condition& operand : condition.operands) renumber(operand, f);
  }

  const GraphView& graph_;
  const Pattern& pattern_;
  const MatchOptions& options_;
  BoundPattern bound_;
  std::vector<ColumnSchema> vertex_columns_;
  std::vector<ColumnSchema> edge_columns_;
  std::vector<unsigned> named_vertices_;
  std::vector<unsigned> named_edges_;
  std::vector<Early> early_;
  std::vector<std::optional<std::vector<VertexId>>> anchors_;
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
