#include "store/writing/staged_graph.h"

#include "base/radix_sort.h"
#include "store/columns/column_rules.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>

namespace rizoma {
namespace {

bool contains(std::span<const VertexId> sorted, VertexId v) {
  return std::binary_search(sorted.begin(), sorted.end(), v);
}

/// Bytes that differ where values do; a null is like no value.
std::string text_of(const ColumnValues& values, std::size_t row) {
  if (!values.is_valid(row)) return {};
  const std::size_t width = column_width(values.type);
  const std::span<const std::byte> bytes =
      width == 0 ? values.bytes(row) : std::span(values.values).subspan(row * width, width);
  return "=" + std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

}  // namespace

Status check_ends(const EdgeBatch& edges) {
  const bool of_one_kind = edges.sources.index() == edges.targets.index() || edges.size() == 0;
  if (size(edges.sources) != size(edges.targets) || !of_one_kind) {
    return Error{ErrorCode::invalid_argument, "sources and targets must be columns of the same kind and length"};
  }
  return {};
}

std::shared_ptr<const SectionVersion> StagedGraph::section(const SectionTable& table, SectionId number) const {
  const VertexId vertices = contents_.dictionary->size();
  return table.staged(number, vertices, contents_.target_bytes_for(vertices));
}

Result<FoundEdges> StagedGraph::find(const EdgeBatch& edges) const {
  RIZOMA_TRY(check_ends(edges));
  const DictionaryView ids = contents_.dictionary->view(contents_.dictionary->size());
  RIZOMA_ASSIGN(const auto sources, ids.find(edges.sources));
  RIZOMA_ASSIGN(const auto targets, ids.find(edges.targets));
  return find(sources, targets);
}

Result<FoundEdges> StagedGraph::find(std::span<const VertexId> sources, std::span<const VertexId> targets) const {
  struct Named {
    EdgePair pair;
    std::size_t row;
  };
  std::vector<Named> named;
  named.reserve(sources.size());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i] == kNoVertex || targets[i] == kNoVertex) continue;
    const bool turned = !contents_.schema.directed && targets[i] < sources[i];
    named.push_back({turned ? EdgePair{targets[i], sources[i]} : EdgePair{sources[i], targets[i]}, i});
  }
  radix_sort(named, [](const Named& each) { return each.pair.second; });
  radix_sort(named, [](const Named& each) { return each.pair.first; });
  FoundEdges found;
  found.rows.resize(sources.size());
  for (const Named& each : named) {
    if (found.pairs.empty() || found.pairs.back() != each.pair) found.pairs.push_back(each.pair);
    found.rows[each.row] = found.pairs.size() - 1;
  }
  if (named.size() < sources.size()) {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (sources[i] == kNoVertex || targets[i] == kNoVertex) found.rows[i] = found.pairs.size();
    }
  }
  found.pairs.emplace_back(kNoVertex, kNoVertex);
  RIZOMA_TRY(find_weights(found));
  return found;
}

Status StagedGraph::find_weights(FoundEdges& found) const {
  const unsigned bits = contents_.schema.section_bits;
  const VertexId vertices = contents_.dictionary->size();
  std::vector<std::uint64_t> words;
  for (std::size_t i = 0; i + 1 < found.pairs.size(); i += words.size()) {
    const SectionId section = found.pairs[i].first >> bits;
    words.clear();
    for (std::size_t k = i; found.pairs[k].first >> bits == section; ++k) {
      words.push_back(
          change_word(ChangeKind::add, found.pairs[k].first & ((VertexId{1} << bits) - 1), found.pairs[k].second));
    }
    RIZOMA_TRY(contents_.out->find(section, words, vertices, contents_.target_bytes_for(vertices), found.weights));
  }
  found.weights.push({});  // of the last pair, which is none
  return {};
}

Result<FoundEdges> StagedGraph::find_by_key(const Batch::Step& step) const {
  RIZOMA_ASSIGN(FoundEdges found, find(step.edges));
  if (step.key.empty()) return found;
  return divided(step, found);
}

Result<FoundEdges> StagedGraph::divided(const Batch::Step& step, const FoundEdges& found) const {
  RIZOMA_TRY(check_table(step.edges.columns, step.edges.size(), contents_.schema.edge_columns, "edges"));
  const ColumnSchema* const column = find_column(contents_.schema.edge_columns, step.key);
  const ColumnValues* const given = step.edges.columns.find(step.key);
  if (column == nullptr || given == nullptr) {
    return Error{ErrorCode::invalid_argument, "'" + step.key + "' cannot tell edges apart: the " +
                                                  (column == nullptr ? "graph" : "table") +
                                                  " has no such column of edges"};
  }
  std::vector<std::uint64_t> rows;
  for (const double row : found.weights.all()) rows.push_back(static_cast<std::uint64_t>(row));
  RIZOMA_ASSIGN(const ColumnValues present, contents_.edge_rows.staged()->values(*column, rows));
  std::map<std::pair<std::size_t, std::string>, std::vector<double>> edges_of_key;
  std::size_t place = 0;
  for (std::size_t pair = 0; pair < found.pairs.size(); ++pair) {
    for (const double row : found.weights[pair]) {
      edges_of_key[{pair, text_of(present, place++)}].push_back(row);
    }
  }
  FoundEdges parts;
  std::map<std::pair<std::size_t, std::string>, std::size_t> numbers;
  for (std::size_t i = 0; i < found.rows.size(); ++i) {
    const std::pair name(found.rows[i], text_of(*given, i));
    const auto [at, added] = numbers.emplace(name, parts.pairs.size());
    parts.rows.push_back(at->second);
    if (!added) continue;
    parts.pairs.push_back(found.pairs[found.rows[i]]);
    parts.undivided.push_back(found.rows[i]);
    const auto edges = edges_of_key.find(name);
    parts.weights.push(edges == edges_of_key.end() ? std::span<const double>() : edges->second);
  }
  return parts;
}

/// Calls visit with the list of each vertex, which ascend.
Status StagedGraph::lists_of(const SectionTable& table, std::span<const VertexId> vertices,
                             FunctionRef<void(VertexId, std::span<const VertexId>)> visit) const {
  const unsigned bits = contents_.schema.section_bits;
  std::vector<std::uint32_t> places;
  for (std::size_t i = 0; i < vertices.size(); i += places.size()) {
    const SectionId section = vertices[i] >> bits;
    places.clear();
    for (std::size_t k = i; k < vertices.size() && vertices[k] >> bits == section; ++k) {
      places.push_back(static_cast<std::uint32_t>(vertices[k] - (section << bits)));
    }
    const auto version = this->section(table, section);
    if (version == nullptr) continue;
    RIZOMA_TRY(version->lists(places, [&](std::uint32_t place, std::span<const VertexId> targets,
                                          std::span<const double>) { visit((section << bits) + place, targets); }));
  }
  return {};
}

Status StagedGraph::edges_from(std::span<const VertexId> gone, std::vector<EdgePair>& edges) const {
  return lists_of(*contents_.out, gone, [&](VertexId v, std::span<const VertexId> targets) {
    for (const VertexId target : targets) {
      if (!contents_.schema.directed && target < v && contains(gone, target)) continue;
      edges.emplace_back(v, target);
    }
  });
}

Status StagedGraph::edges_to(std::span<const VertexId> gone, std::vector<EdgePair>& edges) const {
  if (!contents_.in) return search_sources(gone, edges);
  return lists_of(*contents_.in, gone, [&](VertexId v, std::span<const VertexId> sources) {
    for (const VertexId source : sources) {
      if (!contains(gone, source)) edges.emplace_back(source, v);
    }
  });
}

/// The same without in-edges: from the lists of all vertices.
Status StagedGraph::search_sources(std::span<const VertexId> gone, std::vector<EdgePair>& edges) const {
  const VertexId vertices = contents_.dictionary->size();
  const unsigned bits = contents_.schema.section_bits;
  VertexSet going(vertices);
  for (const VertexId v : gone) going.add(v);
  const auto search = [&]<class Target>(const SectionEdges<Target>& lists, VertexId first, std::uint32_t size) {
    for (std::uint32_t place = 0; place < size; ++place) {
      if (going.contains(first + place)) continue;
      for (std::uint32_t e = lists.offsets[place]; e < lists.offsets[place + 1]; ++e) {
        if (going.contains(lists.targets[e])) edges.emplace_back(first + place, lists.targets[e]);
      }
    }
  };
  for (SectionId s = 0; s << bits < vertices; ++s) {
    const auto version = section(*contents_.out, s);
    if (version == nullptr) continue;
    MergeArena memory;
    RIZOMA_ASSIGN(const SectionBytes section, version->load(memory));
    const std::uint32_t size = section.spec.num_vertices;
    section.spec.target_bytes == 4 ? search(view_image<std::uint32_t>(section.spec, section.bytes), s << bits, size)
                                   : search(view_image<std::uint64_t>(section.spec, section.bytes), s << bits, size);
  }
  return {};
}

}  // namespace rizoma
