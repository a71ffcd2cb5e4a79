#include "store/writing/staged_vertices.h"

#include "store/dictionary/dense_growth.h"
#include "store/dictionary/text_ids.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <variant>

namespace rizoma {
namespace {

/// True if an id is negative, or lies so far beyond the `present` vertices of a dense graph that there have to be gaps,
/// or nearly so.
bool names_far_id(const IdColumn& column, std::uint64_t edges, VertexId present) {
  const std::uint64_t limit = change_growth_limit(present, edges);
  const auto* ids = std::get_if<std::vector<std::int64_t>>(&column);
  // Strings are refused with the reason by the dictionary.
  return ids != nullptr && about_greatest_of(*ids) >= limit && greatest_of(*ids) >= limit;
}

}  // namespace

StagedVertices::StagedVertices(Contents& contents, LogPayload& payload)
    : contents_(contents),
      payload_(payload),
      first_(contents.dictionary->size()),
      logged_(first_),
      named_(contents.schema.ids == IdKind::dense, first_) {}

bool StagedVertices::contains(VertexId v) const {
  return v != kNoVertex && named_.has(v) && !contents_.staged_removed->contains(v);
}

Status StagedVertices::expect_no_gaps() { return named_.all(contents_.dictionary->size()) ? Status() : refuse_gaps(); }

Status StagedVertices::expect_near(std::initializer_list<const IdColumn*> columns) {
  if (contents_.schema.ids != IdKind::dense) return {};
  std::uint64_t ids = 0;
  for (const IdColumn* column : columns) ids += size(*column);
  for (const IdColumn* column : columns) {
    if (names_far_id(*column, (ids + 1) / 2, contents_.dictionary->size())) return refuse_gaps();
  }
  return {};
}

Status StagedVertices::refuse_gaps() {
  has_gaps_ = true;
  return Error{ErrorCode::invalid_argument,
               "the ids have gaps, but the ids of the graph are dense; create it with ids=\"integer\""};
}

Result<std::vector<VertexId>> StagedVertices::number(const IdColumn& ids) {
  Dictionary& dictionary = *contents_.dictionary;
  const VertexId before = dictionary.size();
  RIZOMA_ASSIGN(std::vector<VertexId> numbers, dictionary.find_or_add(ids));
  if (const auto* texts = std::get_if<StringColumn>(&ids)) {
    RIZOMA_TRY(check_new_ids([&](std::size_t i) { return (*texts)[i]; }, numbers, before));
  }
  named_.note(numbers, dictionary.size());
  return numbers;
}

Status StagedVertices::grow_to(std::initializer_list<std::span<const VertexId>> named) {
  RIZOMA_TRY(grow());
  for (const std::span<const VertexId> vertices : named) restore(vertices);
  return {};
}

Status StagedVertices::grow() {
  const VertexId size = contents_.dictionary->size();
  if (size == logged_) return {};
  RIZOMA_TRY(contents_.reserve(size));
  if (contents_.schema.ids == IdKind::dense) {
    payload_.vertices(size);
  } else {
    RIZOMA_ASSIGN(const IdColumn ids, contents_.dictionary->added_since(logged_));
    payload_.ids(ids);
  }
  logged_ = size;
  return {};
}

void StagedVertices::restore(std::span<const VertexId> vertices) {
  if (contents_.staged_removed->count() == 0) return;
  std::vector<VertexId> back;
  std::copy_if(vertices.begin(), vertices.end(), std::back_inserter(back),
               [&](VertexId v) { return contents_.staged_removed->contains(v); });
  if (back.empty()) return;
  std::sort(back.begin(), back.end());
  back.erase(std::unique(back.begin(), back.end()), back.end());
  payload_.restore_vertices(back);
  contents_.staged_removed = std::make_shared<const RemovedVertices>(contents_.staged_removed->without(back));
}

}  // namespace rizoma
