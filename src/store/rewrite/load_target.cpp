#include "store/rewrite/load_target.h"

#include "base/check.h"
#include "store/columns/column_rules.h"
#include "store/columns/parallel_rules.h"
#include "store/dictionary/dictionary_segment.h"
#include "store/messages.h"
#include "store/rewrite/rewriter.h"
#include "store/space/data_files.h"
#include "store/checkpoint/section_writer.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {

StoreLoadTarget::StoreLoadTarget(Publisher& publisher, IdKind ids, Rebuild rebuild)
    : publisher_(publisher),
      ids_(ids),
      rebuild_(std::move(rebuild)),
      rows_(publisher.space),
      images_(publisher.space.data(), publisher.space.extents()),
      failed_syncs_(publisher.space.data()->failed_syncs()) {}

StoreLoadTarget::~StoreLoadTarget() {
  durable_ = {};
  if (serves_caller() || !publisher_.access.in_own_process()) return;  // the holder of the lock does it
  const TimedLock publishing(publisher_.mutex, std::try_to_lock);
  if (!publishing.owns_lock()) return;  // the next checkpoint will
  publishing.holds(publisher_.mutex);
  if (!publisher_.writer.ended() && publisher_.writer.committer().healthy())
    publisher_.space.give_back(publisher_.options.spare_percent);
}

Status StoreLoadTarget::begin(const LoadShape& shape) {
  block_ = std::vector<std::byte>();  // no rows follow: what builds sections needs the memory
  shape_ = shape;
  ids_ = shape.ids;
  const SectionId sections = (shape.num_vertices + (VertexId{1} << shape.section_bits) - 1) >> shape.section_bits;
  if (shape.num_vertices >> shape.section_bits >= format::kMaxSections || shape.num_vertices > format::kMaxVertices) {
    return Error{ErrorCode::invalid_argument,
                 std::to_string(shape.num_vertices) +
                     " vertices are too many; if ids have gaps, create the graph with ids=\"integer\""};
  }
  durable_.out.resize(sections);
  if (publisher_.contents.has_in()) durable_.in.resize(sections);
  if (serves_caller()) {
    publisher_.mutex.assume_held();
    locations_ = publisher_.space.locations_for_new(sections);
  } else {
    RIZOMA_ASSIGN(const TimedLock publishing, publisher_.acquire());
    publishing.holds(publisher_.mutex);
    locations_ = publisher_.space.locations_for_new(sections);
  }
  return {};
}

Status StoreLoadTarget::put(const ImageSpec& spec, std::span<const std::byte> image) {
  auto& sections = spec.direction == Direction::out ? durable_.out : durable_.in;
  RIZOMA_CHECK(spec.section < sections.size());
  RIZOMA_ASSIGN(auto lease, images_.write(image, locations_[spec.section]));
  sections[spec.section].image =
      std::make_shared<StoredImage>(std::move(lease), image_id(image), spec.num_entries, spec.num_self_loops);
  return {};
}

Status StoreLoadTarget::put_dictionary(std::span<const std::byte> segment) {
  RIZOMA_ASSIGN(auto lease, publisher_.space.write(segment));
  durable_.dictionary.push_back({std::move(lease), segment_id(segment)});
  return {};
}

Result<std::vector<double>> StoreLoadTarget::put_rows(const EdgeBatch& edges) {
  RIZOMA_ASSIGN(const CompleteColumns complete, CompleteColumns::of(publisher_.contents.present_schema(), edges));
  const std::uint64_t first = rows_end(durable_.edge_rows);
  const std::vector<ColumnSchema> columns_of_schema = publisher_.contents.present_schema().edge_columns;
  std::vector<RowColumn> columns;
  for (const ColumnSchema& column : columns_of_schema) {
    if (const ColumnValues* values = complete.find(column.name)) columns.push_back({column.id, values});
  }
  std::sort(columns.begin(), columns.end(), [](const RowColumn& a, const RowColumn& b) { return a.id < b.id; });
  std::vector<double> numbers(edges.size());
  // Where values are combined an edge without any has a row too: it may be the one that stays.
  const bool may_stay = !durable_.edge_rows.empty() || combines(publisher_.contents.present_schema());
  if ((!columns.empty() || may_stay) && edges.size() > 0) {
    left_out_.note(columns_of_schema, complete, first, edges.size());
    RIZOMA_ASSIGN(durable_.edge_rows.emplace_back(),
                  rows_.write_block(RowKind::edges, first, edges.size(), columns, block_));
    std::iota(numbers.begin(), numbers.end(), static_cast<double>(first));
  }
  return numbers;
}

Status StoreLoadTarget::combine_rows(MergedRows groups) {
  RIZOMA_ASSIGN(durable_.edge_rows,
                rows_.combined_rows(std::move(durable_.edge_rows), publisher_.space.data(),
                                    publisher_.contents.present_schema().edge_columns, std::move(groups), left_out_));
  return {};
}

std::string StoreLoadTarget::name_of(VertexId v) const {
  const auto dictionary = open_dictionary();
  if (!dictionary) return LoadTarget::name_of(v);
  const auto ids = dictionary->view(shape_.num_vertices).ids(VertexRange{v, v + 1});
  return ids ? id_text(*ids, 0) : LoadTarget::name_of(v);
}

Status StoreLoadTarget::publish(const LoadTotals& totals) {
  if (serves_caller()) {
    RIZOMA_ASSIGN(Generation generation, finished(totals));
    return rebuild_.take(std::move(generation));
  }
  RIZOMA_ASSIGN(const TimedLock publishing, publisher_.acquire());
  publishing.holds(publisher_.mutex);
  RIZOMA_ASSIGN(const TimedLock writer, publisher_.writer.acquire());
  writer.holds(publisher_.writer.mutex);
  RIZOMA_TRY(publisher_.writer.check_writable());
  publisher_.writer.settle();
  RIZOMA_TRY(expect_unchanged());
  const IdKind asked = publisher_.contents.schema.ids;
  const bool became_integers = asked == IdKind::dense && ids_ == IdKind::integer;
  if (publisher_.contents.schema.ids_fixed && asked != ids_ && !became_integers) {
    return Error{ErrorCode::invalid_argument,
                 "another thread asked for another kind of ids during this load; load again"};
  }
  RIZOMA_ASSIGN(Generation generation, finished(totals));
  return publisher_.install(std::move(generation));
}

/// What a load did not begin with would be lost.
Status StoreLoadTarget::expect_unchanged() const {
  if (!rebuilds()) {
    if (publisher_.contents.num_vertices == 0) return {};
    return Error{ErrorCode::already_exists, "another thread added vertices during this load; load again"};
  }
  const GraphSchema& before = rebuild_.of->schema();
  const GraphSchema now = publisher_.contents.present_schema();
  if (publisher_.writer.committer().log().next_sequence() == rebuild_.sequence &&
      now.edge_columns == before.edge_columns && now.vertex_columns == before.vertex_columns) {
    return {};
  }
  return Error{ErrorCode::locked, "another change was made to the graph at " + publisher_.access.where() +
                                      " during a bulk load; nothing of the load was added; load again"};
}

Result<Generation> StoreLoadTarget::finished(const LoadTotals& totals) {
  RIZOMA_TRY(images_.finish());
  if (publisher_.space.data()->failed_syncs() != failed_syncs_) {
    return Error{ErrorCode::io,
                 "while the graph at " + publisher_.access.where() +
                     " was loaded, a sync failed, so what has reached the device is unknown; load again"};
  }
  Generation made;
  ManifestState& state = made.state;
  state.schema = publisher_.contents.schema;
  state.bits_fixed = publisher_.contents.bits_fixed;
  state.schema.ids = ids_;  // another call may have settled another kind meanwhile, without adding anything
  state.schema.section_bits = shape_.section_bits;
  state.target_bytes = shape_.target_bytes;
  state.order = shape_.order;
  state.order_reason = shape_.order_reason;
  state.ordered_entries = totals.num_entries;
  state.num_vertices = shape_.num_vertices;
  RIZOMA_ASSIGN(Dictionary dictionary, open_dictionary());
  RIZOMA_ASSIGN(const RemovedVertices removed, carry_removed(dictionary));
  RIZOMA_ASSIGN(durable_.removed, write_removed(publisher_.space, removed));
  if (rebuilds()) RIZOMA_TRY(carry_rows(dictionary));
  made.durable = std::move(durable_);
  made.dictionary = std::make_shared<Dictionary>(std::move(dictionary));
  made.removed = std::make_shared<const RemovedVertices>(removed);
  return made;
}

Result<Dictionary> StoreLoadTarget::open_dictionary() const {
  std::vector<Mapping> segments;
  for (const IdentifiedExtent& tied : durable_.dictionary) {
    RIZOMA_ASSIGN(Mapping segment, publisher_.space.data()->view(tied.lease->extent()));
    segments.push_back(std::move(segment));
  }
  return Dictionary::open(ids_, shape_.num_vertices, std::move(segments), publisher_.access.where() + "/" + kDataName);
}

/// The holes that the new numbers have: those of a dense graph, whose ids stay.
Result<RemovedVertices> StoreLoadTarget::carry_removed(const Dictionary& dictionary) const {
  RemovedVertices removed(shape_.section_bits);
  if (ids_ != IdKind::dense || !rebuilds() || rebuild_.of->parts().removed->count() == 0) return removed;
  std::vector<VertexId> holes;
  const StoreSnapshot& present = *rebuild_.of;
  present.parts().removed->to_set(present.num_vertices()).for_each([&](VertexId v) { holes.push_back(v); });
  RIZOMA_ASSIGN(const IdColumn ids, present.ids().ids(holes));
  RIZOMA_ASSIGN(const std::vector<VertexId> numbers, dictionary.view(shape_.num_vertices).find(ids));
  return removed.with(numbers);
}

/// Values: edges keep the rows that they name; rows of vertices get new numbers.
Status StoreLoadTarget::carry_rows(const Dictionary& dictionary) {
  const auto& present = rebuild_.of;
  const GraphSchema& schema = present->schema();
  const auto renamed = [&](std::span<const VertexId> vertices) -> Result<std::vector<VertexId>> {
    if (!vertices.empty() && vertices.back() >= present->num_vertices()) {  // they ascend
      return corrupt("a block of rows", "has values of vertices that the graph does not have");
    }
    RIZOMA_ASSIGN(const IdColumn ids, present->ids().ids(vertices));
    return dictionary.view(shape_.num_vertices).find(ids);
  };
  const RowState& rows = *present->parts().edge_rows;
  if (rebuild_.live) {
    RIZOMA_ASSIGN(durable_.edge_rows, rows_.write_live_rows(rows, schema.edge_columns, *rebuild_.live));
  } else {
    RIZOMA_ASSIGN(durable_.edge_rows,
                  rows_.write_rows(publisher_.contents.edge_rows.parts(), rows, schema.edge_columns));
  }
  RIZOMA_ASSIGN(durable_.vertex_rows,
                rows_.renamed_rows(*present->parts().vertex_rows, schema.vertex_columns, renamed));
  return {};
}

std::unique_ptr<LoadTarget> make_rebuild_target(Publisher& publisher, std::shared_ptr<const StoreSnapshot> of,
                                                std::optional<std::vector<bool>> live, TakeGeneration take) {
  return std::make_unique<StoreLoadTarget>(
      publisher, publisher.contents.schema.ids,
      StoreLoadTarget::Rebuild{std::move(of), std::move(live), std::move(take), 0});
}

Result<std::unique_ptr<LoadTarget>> Rewriter::load_target(IdKind ids) {
  RIZOMA_TRY(publisher_.access.check());
  RIZOMA_ASSIGN(const TimedLock writer, publisher_.writer.acquire());
  writer.holds(publisher_.writer.mutex);
  RIZOMA_TRY(publisher_.writer.check_writable());
  if (publisher_.contents.dictionary->size() != 0) {
    return Error{ErrorCode::already_exists, "a bulk load needs an empty graph; " + publisher_.access.where() + " has " +
                                                std::to_string(publisher_.contents.dictionary->size()) +
                                                " vertices; use add_edges"};
  }
  return std::unique_ptr<LoadTarget>(std::make_unique<StoreLoadTarget>(publisher_, ids, StoreLoadTarget::Rebuild{}));
}

/// A load that begins with the present graph.  The store numbers the rows of edges, and removed dense ids stay removed
/// though an edge may name them, so such graphs are changed by batches.
Result<LoadOfPresent> Rewriter::append_target() {
  RIZOMA_TRY(publisher_.access.check());
  RIZOMA_ASSIGN(const TimedLock writer, publisher_.writer.acquire());
  writer.holds(publisher_.writer.mutex);
  RIZOMA_TRY(publisher_.writer.check_writable());
  publisher_.writer.settle();
  const auto present = publisher_.contents.snapshot();
  const bool holes = present->schema().ids == IdKind::dense && present->parts().removed->count() > 0;
  if (holes || publisher_.contents.load_schema().rows) {
    return Error{ErrorCode::unsupported,
                 "a graph with " + std::string(holes ? "dense ids of which some were removed" : "columns of edges") +
                     " cannot be bulk loaded; add to it with add_edges"};
  }
  StoreLoadTarget::Rebuild rebuild{present, std::nullopt, nullptr, publisher_.writer.committer().log().next_sequence()};
  return LoadOfPresent{
      present, std::make_unique<StoreLoadTarget>(publisher_, publisher_.contents.schema.ids, std::move(rebuild))};
}

}  // namespace rizoma
