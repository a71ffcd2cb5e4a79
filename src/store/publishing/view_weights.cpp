#include "store/publishing/view_weights.h"

#include "base/check.h"

#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace rizoma {
namespace {

/// What a column is as a weight; none: it holds no numbers.
WeightType weight_type_of(ColumnType type) {
  return visit_column(type, []<class T>(ColumnTag<T>) {
    if constexpr (std::is_same_v<T, float>) return WeightType::float32;
    if constexpr (std::is_integral_v<T> && (sizeof(T) < 4 || std::is_same_v<T, std::int32_t>)) return WeightType::int32;
    return std::is_arithmetic_v<T> ? WeightType::float64 : WeightType::none;
  });
}

std::vector<EdgeCount> section_sizes(const GraphView::AnyAdjacency& any) {
  return std::visit(
      [](const auto& edges) {
        std::vector<EdgeCount> sizes(edges.num_sections());
        for (SectionId s = 0; s < sizes.size(); ++s) sizes[s] = edges.section_size(s);
        return sizes;
      },
      any);
}

/// Fills in one direction.
Status fill(const GraphView::AnyAdjacency& any, Direction direction, const RowState& rows, const ColumnSchema& column,
            const ViewWeights& weights, Executor& executor) {
  std::mutex mutex;
  Status failure;
  const auto read = [&](const auto& edges, SectionId s) -> Status {
    const EdgeCount size = edges.section_size(s);
    if (size == 0) return {};
    RIZOMA_CHECK(edges.section(s).changed == nullptr);  // entries are numbered as they lie
    const std::span<const double> numbers(static_cast<const double*>(edges.section(s).weights), size);
    std::byte* out = weights.of(direction, s);
    switch (weights.type()) {
      case WeightType::int32: return rows.numbers(column, numbers, reinterpret_cast<std::int32_t*>(out));
      case WeightType::float32: return rows.numbers(column, numbers, reinterpret_cast<float*>(out));
      default: return rows.numbers(column, numbers, reinterpret_cast<double*>(out));
    }
  };
  RIZOMA_TRY(std::visit(
      [&](const auto& edges) {
        return executor.for_blocks(edges.num_sections(), 1, [&](VertexRange block, unsigned) {
          for (SectionId s = block.begin; s < block.end; ++s) {
            Status status = read(edges, s);
            if (status) continue;
            const std::lock_guard guard(mutex);
            if (failure) failure = std::move(status);
          }
        });
      },
      any));
  return failure;
}

void put(GraphView::AnyAdjacency& any, Direction direction, const ViewWeights* weights) {
  std::visit(
      [&]<class Target>(Adjacency<Target>& edges) {
        std::vector<SectionEdges<Target>> sections;
        for (SectionId s = 0; s < edges.num_sections(); ++s) {
          sections.push_back(edges.section(s));
          sections.back().weights = weights == nullptr ? nullptr : weights->of(direction, s);
        }
        edges = Adjacency<Target>(edges.section_bits(), edges.num_vertices(), std::move(sections));
      },
      any);
}

}  // namespace

ViewWeights::ViewWeights(WeightType type, const std::vector<EdgeCount>& out, const std::vector<EdgeCount>& in)
    : type_(type) {
  constexpr std::size_t kLine = 64;
  const auto lay_out = [&](const std::vector<EdgeCount>& sizes, std::vector<std::size_t>& begins) {
    for (const EdgeCount size : sizes) {
      begins.push_back(bytes_);
      bytes_ += (size * weight_bytes(type) + kLine - 1) / kLine * kLine;
    }
  };
  lay_out(out, out_);
  lay_out(in, in_);
  bytes_ += kLine;  // never none
  memory_ = allocate_pages(bytes_);
}

Result<std::shared_ptr<const ViewWeights>> read_weights(const GraphView::Parts& view, const RowState& rows,
                                                        const ColumnSchema& column, Executor& executor) {
  const WeightType type = weight_type_of(column.type);
  if (type == WeightType::none) {
    return Error{ErrorCode::invalid_argument, "column \"" + column.name + "\" is " +
                                                  std::string(column_type_name(column.type)) +
                                                  ": a weight must be a number"};
  }
  const auto weights = std::make_shared<const ViewWeights>(
      type, section_sizes(view.out), view.in ? section_sizes(*view.in) : std::vector<EdgeCount>());
  RIZOMA_TRY(fill(view.out, Direction::out, rows, column, *weights, executor));
  if (view.in) RIZOMA_TRY(fill(*view.in, Direction::in, rows, column, *weights, executor));
  return std::shared_ptr<const ViewWeights>(weights);
}

void put_weights(GraphView::Parts& view, std::shared_ptr<const ViewWeights> weights) {
  put(view.out, Direction::out, weights.get());
  if (view.in) put(*view.in, Direction::in, weights.get());
  view.weight_type = weights == nullptr ? WeightType::none : weights->type();
  view.owner = std::make_shared<const std::pair<std::shared_ptr<const void>, std::shared_ptr<const ViewWeights>>>(
      std::move(view.owner), std::move(weights));
}

}  // namespace rizoma
