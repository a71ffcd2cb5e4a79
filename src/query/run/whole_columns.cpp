#include "query/run/whole_columns.h"

#include <algorithm>
#include <atomic>

namespace rizoma::query {
namespace {

using predicate::Slot;
using predicate::Values;

constexpr std::uint64_t kValuesAtOnce = std::uint64_t{1} << 12;  // values that a thread reads at once

bool is_same(const WholeColumn& a, const Slot& slot, bool units) {
  return a.slot.source == slot.source && a.slot.column == slot.column && a.units == units;
}

std::uint64_t width_of(const Slot& slot, bool units) {
  std::uint64_t width = sizeof(std::int64_t);
  if (!units) predicate::visit_type(predicate::type_of(slot.type), [&]<class T>(T) { width = sizeof(T); });
  return width;
}

bool is_text(const Slot& slot) { return predicate::type_of(slot.type) == predicate::Type::text; }
bool is_list(const Slot& slot) { return predicate::type_of(slot.type) == predicate::Type::list; }

/// Fills a column, block by block, by read(begin, count, values).
template <class Read>
Status fill(Engine& engine, WholeColumn& column, std::uint64_t size, Read&& read) {
  column.values.begin(size, false);
  std::uint8_t* const states = column.values.states();
  std::atomic<bool> all_valid = true;
  FirstFailure failure;
  const auto fill_as = [&]<class T>(T) -> Status {
    T* const all = column.values.room<T>(size);
    return engine.for_blocks(size, kValuesAtOnce, [&](VertexRange block, unsigned) {
      Values some;
      failure.note(read(block.begin, block.size(), some));
      if (failure.failed()) return;
      std::copy_n(some.data<T>(), block.size(), all + block.begin);
      if (!some.all_valid) all_valid.store(false, std::memory_order_relaxed);
      for (std::uint64_t i = 0; i < block.size(); ++i) states[block.begin + i] = some.state(i);
    });
  };
  Status status;
  if (column.units) status = fill_as(std::int64_t{});
  else predicate::visit_type(predicate::type_of(column.slot.type), [&]<class T>(T t) { status = fill_as(t); });
  RIZOMA_TRY(status);
  column.values.all_valid = all_valid;
  return failure.status();
}

Status fill_of_vertices(Engine& engine, WholeColumn& column, const MatchColumns& columns, VertexId vertices) {
  const bool is_id = source_of(column.slot) == SlotSource::vertex_id;
  return fill(engine, column, vertices, [&](std::uint64_t begin, std::uint64_t count, Values& to) -> Status {
    const ColumnRun run = is_id ? ColumnRun() : columns.run_of_vertices(column.slot.column, begin);
    if (run.size >= count) {
      predicate::load_run(run, column.units, 0, count, to);
      return {};
    }
    const auto value = [&](std::size_t i) {
      return is_id ? columns.id(begin + i) : columns.of_vertex(column.slot.column, begin + i);
    };
    predicate::load_scalars(column.slot.type, column.units, count, value, to);
    return {};
  });
}

Status fill_of_edges(Engine& engine, WholeColumn& column, const EdgeRows& rows) {
  return fill(engine, column, rows.size(), [&](std::uint64_t begin, std::uint64_t count, Values& to) -> Status {
    RIZOMA_ASSIGN(const ColumnValues values, rows.values(column.slot.column, begin, begin + count));
    predicate::load_run(run_of(values, 0, count), column.units, 0, count, to);
    return {};
  });
}

}  // namespace

Result<WholeColumns> WholeColumns::read(Engine& engine, std::span<const Filter> filters, const MatchColumns& columns,
                                        VertexId vertices, std::uint64_t most_bytes) {
  WholeColumns whole;
  for (const Filter& filter : filters) {
    for (const predicate::Node& node : filter.program->nodes) {
      const bool units = node.operation == predicate::Operation::units;
      if (!units && node.operation != predicate::Operation::column) continue;
      const Slot& slot = filter.program->slots[node.slot];
      const bool of_edges = source_of(slot) == SlotSource::edge_column;
      const EdgeRows* const rows = of_edges ? columns.edge_rows() : nullptr;
      if (whole.find(slot, units) != nullptr || is_list(slot) || (of_edges && (rows == nullptr || is_text(slot)))) {
        continue;
      }
      const std::uint64_t bytes = (of_edges ? rows->size() : vertices) * (width_of(slot, units) + 1);
      if (bytes > most_bytes) continue;
      most_bytes -= bytes;
      WholeColumn column{slot, units, {}};
      RIZOMA_TRY(of_edges ? fill_of_edges(engine, column, *rows) : fill_of_vertices(engine, column, columns, vertices));
      whole.columns_.push_back(std::move(column));
    }
  }
  return whole;
}

const WholeColumn* WholeColumns::find(const Slot& slot, bool units) const noexcept {
  const auto found = std::find_if(columns_.begin(), columns_.end(),
                                  [&](const WholeColumn& each) { return is_same(each, slot, units); });
  return found == columns_.end() ? nullptr : &*found;
}

}  // namespace rizoma::query
