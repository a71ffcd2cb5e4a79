#include "store/state/view_weights.h"

#include "base/check.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <span>
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

/// The column's values in the rows of `size` entries, a block at a time.
template <class Out>
Status read_values(const RowNumbers& numbers, EdgeCount size, const RowState& rows, const ColumnSchema& column,
                   Out* out) {
  std::array<double, 1024> block;
  for (EdgeCount begin = 0; begin < size; begin += block.size()) {
    const EdgeCount end = std::min<EdgeCount>(begin + block.size(), size);
    numbers.for_each(begin, end, [&block, begin](std::size_t i, double row) { block[i - begin] = row; });
    RIZOMA_TRY(rows.numbers(column, std::span(block).first(end - begin), out + begin));
  }
  return {};
}

/// The values of one section's entries.
Result<std::shared_ptr<const std::byte>> read_section(const SectionVersion& version, const RowState& rows,
                                                      const ColumnSchema& column, WeightType type, MergeArena& memory) {
  RIZOMA_ASSIGN(const SectionBytes section, version.load(memory));
  const EdgeCount size = section.spec.num_entries;
  const RowNumbers numbers(section.spec, section.bytes);
  std::shared_ptr<std::byte> values = memory.take(size * weight_bytes(type));
  const auto read_as = [&]<class Out>(Out) {
    return read_values(numbers, size, rows, column, reinterpret_cast<Out*>(values.get()));
  };
  Status read;
  switch (type) {
    case WeightType::int32: read = read_as(std::int32_t{}); break;
    case WeightType::float32: read = read_as(float{}); break;
    default: read = read_as(double{});
  }
  if (!read) return read.error();
  return std::shared_ptr<const std::byte>(std::move(values));
}

/// The weights of one direction.
Result<ViewWeights::Sections> read_all(const GraphView::AnyAdjacency& any, const SectionVersions& versions,
                                       const RowState& rows, const ColumnSchema& column, WeightType type,
                                       Executor& executor) {
  constexpr std::size_t kLine = 64;
  ViewWeights::Sections all(versions.size());
  MergeArena memory;
  const std::shared_ptr<const std::byte> none = memory.take(kLine);
  std::mutex mutex;
  Status failure;
  const auto read = [&](const auto& edges, SectionId s) -> Status {
    if (versions[s] != nullptr && versions[s]->elsewhere()) return {};
    all[s] = none;
    if (versions[s] == nullptr || edges.section_size(s) == 0) return {};
    RIZOMA_ASSIGN(all[s], versions[s]->kept_values(column.id));
    if (all[s] != nullptr) return {};
    RIZOMA_CHECK(edges.section(s).changed == nullptr);  // entries are numbered as stored
    RIZOMA_ASSIGN(all[s], read_section(*versions[s], rows, column, type, memory));
    return versions[s]->keep_values(column.id, all[s]);
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
  if (!failure) return failure.error();
  return all;
}

void put(GraphView::AnyAdjacency& any, const ViewWeights::Sections* weights) {
  std::visit(
      [&]<class Target>(Adjacency<Target>& edges) {
        std::vector<SectionEdges<Target>> sections;
        for (SectionId s = 0; s < edges.num_sections(); ++s) {
          sections.push_back(edges.section(s));
          sections.back().weights = weights == nullptr ? nullptr : (*weights)[s].get();
        }
        edges = Adjacency<Target>(edges.section_bits(), edges.num_vertices(), std::move(sections));
      },
      any);
}

}  // namespace

Result<std::shared_ptr<const ViewWeights>> read_weights(const ViewSections& sections, const RowState& rows,
                                                        const ColumnSchema& column, Executor& executor) {
  auto weights = std::make_shared<ViewWeights>();
  weights->type = weight_type_of(column.type);
  if (weights->type == WeightType::none) {
    return Error{ErrorCode::invalid_argument, "column '" + column.name + "' is " +
                                                  std::string(column_type_name(column.type)) +
                                                  ", but a weight must be a number; name another column"};
  }
  const GraphView::Parts& view = sections.view;
  RIZOMA_ASSIGN(weights->out, read_all(view.out, sections.out, rows, column, weights->type, executor));
  if (view.in) {
    RIZOMA_ASSIGN(weights->in, read_all(*view.in, sections.in, rows, column, weights->type, executor));
  }
  return std::shared_ptr<const ViewWeights>(std::move(weights));
}

void put_weights(GraphView::Parts& view, std::shared_ptr<const ViewWeights> weights) {
  put(view.out, weights == nullptr ? nullptr : &weights->out);
  if (view.in) put(*view.in, weights == nullptr ? nullptr : &weights->in);
  view.weight_type = weights == nullptr ? WeightType::none : weights->type;
  view.owner = std::make_shared<const std::pair<std::shared_ptr<const void>, std::shared_ptr<const ViewWeights>>>(
      std::move(view.owner), std::move(weights));
}

}  // namespace rizoma
