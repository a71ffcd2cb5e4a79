#include "ingest/export_rows.h"

#include <algorithm>

namespace rizoma {

void read_row(const GraphView& view, const GraphView::AnyAdjacency& any, VertexId v, EntryRow& row) {
  row.clear();
  std::visit(
      [&](const auto& adjacency) {
        const auto targets = adjacency.neighbors(v);
        const auto with = [&](auto weights) {
          for (std::size_t i = 0; i < targets.size(); ++i) row.push_back({targets[i], static_cast<double>(weights[i])});
        };
        switch (view.weight_type()) {
          case WeightType::none:
            for (const auto target : targets) row.push_back({target, 0});
            break;
          case WeightType::int32: with(adjacency.template weights<std::int32_t>(v)); break;
          case WeightType::float32: with(adjacency.template weights<float>(v)); break;
          case WeightType::float64: with(adjacency.template weights<double>(v)); break;
        }
      },
      any);
}

void append_weight(std::string& text, WeightType type, double weight) {
  if (type == WeightType::int32) {
    append_number(text, static_cast<std::int32_t>(weight));
  } else if (type == WeightType::float32) {
    append_number(text, static_cast<float>(weight));
  } else {
    append_number(text, weight);
  }
}

Error cannot_carry(const std::filesystem::path& file, const std::string& why) {
  return {ErrorCode::unsupported, file.string() + ": " + why};
}

Result<NumberedRows> NumberedRows::create(const WriteRequest& request) {
  const auto* numbers = std::get_if<std::vector<std::int64_t>>(&request.ids);
  const std::string need = "this format needs the ids 0..n-1, each once; ";
  const std::string remedy = "write an edge list (.el) or .csv instead";
  if (numbers == nullptr) return cannot_carry(request.file, need + "this graph's ids are strings; " + remedy);
  NumberedRows rows(request.view, *numbers);
  rows.vertices_.assign(numbers->size(), kNoVertex);
  for (VertexId v = 0; v < numbers->size(); ++v) {
    const std::int64_t id = (*numbers)[v];
    const bool fits = request.view.is_live(v) && id >= 0 && static_cast<std::uint64_t>(id) < numbers->size();
    if (!fits || rows.vertices_[static_cast<std::size_t>(id)] != kNoVertex) {
      return cannot_carry(request.file,
                          need + "this graph has other ids, or gaps (id " + std::to_string(id) + "); " + remedy);
    }
    rows.vertices_[static_cast<std::size_t>(id)] = v;
  }
  return rows;
}

void NumberedRows::read(const GraphView::AnyAdjacency& adjacency, std::uint64_t id, EntryRow& row) const {
  read_row(*view_, adjacency, vertices_[id], row);
  for (RowEntry& entry : row) entry.target = static_cast<std::uint64_t>((*ids_)[entry.target]);
  std::stable_sort(row.begin(), row.end(), [](const RowEntry& a, const RowEntry& b) { return a.target < b.target; });
}

}  // namespace rizoma
