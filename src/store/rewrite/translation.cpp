#include "store/rewrite/translation.h"

#include "base/check.h"
#include "store/columns/row_block_writer.h"
#include "store/messages.h"

#include <algorithm>
#include <utility>

namespace rizoma {
namespace {

constexpr VertexId kNotLookedUp = kNoVertex - 1;

}  // namespace

Translation::Translation(std::shared_ptr<const StoreSnapshot> from, Contents& to, std::shared_ptr<const DataFiles> data,
                         std::string where)
    : from_(std::move(from)),
      to_(to),
      data_(std::move(data)),
      where_(std::move(where)),
      replayer_(to, where_),
      numbers_(from_->num_vertices(), kNotLookedUp) {}

LogPayload Translation::take_record() { return std::exchange(record_, {}); }

Status Translation::look_up(std::vector<VertexId> vertices) {
  if (vertices.empty()) return {};
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  RIZOMA_ASSIGN(const IdColumn ids, from_->ids().ids(vertices));
  RIZOMA_ASSIGN(const std::vector<VertexId> found, to_.dictionary->view(to_.dictionary->size()).find(ids));
  for (std::size_t i = 0; i < vertices.size(); ++i) numbers_[vertices[i]] = found[i];
  return {};
}

/// In their order; kNoVertex for one that the successor does not have.
Result<std::vector<VertexId>> Translation::numbers_of(std::span<const VertexId> vertices) {
  const bool dense = to_.schema.ids == IdKind::dense;
  std::vector<VertexId> unknown;
  for (const VertexId v : vertices) {
    if (v < numbers_.size() && numbers_[v] == kNotLookedUp) unknown.push_back(v);
    if (v >= numbers_.size() && !dense) {
      return corrupt(where_, "changes a vertex that does not exist");
    }
  }
  RIZOMA_TRY(look_up(std::move(unknown)));
  std::vector<VertexId> numbers(vertices.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = vertices[i] < numbers_.size() ? numbers_[vertices[i]] : vertices[i];
  }
  return numbers;
}

Status Translation::vertices(VertexId num_vertices) {
  record_.vertices(num_vertices);
  return replayer_.vertices(num_vertices);
}

Status Translation::ids(const IdColumn& ids) {
  const VertexId first = to_.dictionary->size();
  for (VertexId i = 0; i < size(ids); ++i) numbers_.push_back(first + i);
  record_.ids(ids);
  return replayer_.ids(ids);
}

Status Translation::edges(ChangeKind kind, const EdgeColumns& edges) {
  RIZOMA_ASSIGN(const std::vector<VertexId> sources, numbers_of(edges.sources));
  RIZOMA_ASSIGN(const std::vector<VertexId> targets, numbers_of(edges.targets));
  const EdgeColumns translated{sources, targets, edges.weights};
  record_.edges(kind, translated);
  return replayer_.edges(kind, translated);
}

Status Translation::remove_vertices(std::span<const VertexId> vertices) {
  RIZOMA_ASSIGN(std::vector<VertexId> numbers, numbers_of(vertices));
  std::sort(numbers.begin(), numbers.end());
  record_.remove_vertices(numbers);
  return replayer_.remove_vertices(numbers);
}

Status Translation::restore_vertices(std::span<const VertexId> vertices) {
  RIZOMA_ASSIGN(const std::vector<VertexId> numbers, numbers_of(vertices));
  std::vector<VertexId> left_out, restored;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] == kNoVertex ? left_out.push_back(vertices[i]) : restored.push_back(numbers[i]);
  }
  if (!left_out.empty()) {
    RIZOMA_ASSIGN(const IdColumn ids, from_->ids().ids(left_out));
    const VertexId first = to_.dictionary->size();
    for (std::size_t i = 0; i < left_out.size(); ++i) numbers_[left_out[i]] = first + i;
    record_.ids(ids);
    RIZOMA_TRY(replayer_.ids(ids));
  }
  if (restored.empty()) return {};
  std::sort(restored.begin(), restored.end());
  record_.restore_vertices(restored);
  return replayer_.restore_vertices(restored);
}

/// Edges go on naming the rows that they have; rows of vertices are numbered as the successor's are.
Status Translation::rows(std::span<const std::byte> bytes) {
  auto copy = std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
  RIZOMA_ASSIGN(RowBlock block, RowBlock::open(*copy, copy, where_));
  const std::uint64_t count = block.size();
  if (block.kind() == RowKind::edges) {
    record_.rows(count, bytes);
    return replayer_.rows(bytes);
  }
  RIZOMA_ASSIGN(const std::vector<std::byte> renamed,
                renamed_block(data_, std::move(block), to_.vertex_rows.end(), to_.schema.vertex_columns,
                              [&](std::span<const VertexId> vertices) { return numbers_of(vertices); }));
  record_.rows(count, renamed);
  return replayer_.rows(renamed);
}

}  // namespace rizoma
