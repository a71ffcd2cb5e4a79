// Columns of which a scan reads all values, as predicates calculate with them: a value is then one read at random.
// Module: query.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/match.h>

#include "predicate/values.h"
#include "query/parse/query.h"

#include <cstdint>
#include <span>
#include <vector>

namespace rizoma::query {

/// All values of one column, or all ids.
struct WholeColumn {
  predicate::Slot slot;
  bool units = false;  ///< of a date or timestamp, the numbers as they lie
  predicate::Values values;
};

class WholeColumns {
 public:
  /// The columns that these filters read: of vertices all, of edges the numbers, dates and times that lie in rows, as
  /// long as they take at most `most_bytes` together.  Errors: cancelled, corrupt, io.
  [[nodiscard]] static Result<WholeColumns> read(Engine& engine, std::span<const Filter> filters,
                                                 const MatchColumns& columns, VertexId vertices,
                                                 std::uint64_t most_bytes);

  /// Null: it is to be read one value at a time.
  [[nodiscard]] const WholeColumn* find(const predicate::Slot& slot, bool units) const noexcept;

 private:
  std::vector<WholeColumn> columns_;
};

/// Puts the values at places place(0), .., place(count - 1) of a column into `to`.
template <class Place>
void gather_values(const WholeColumn& column, std::size_t count, predicate::Values& to, Place&& place) {
  to.begin(count, false);
  const auto copy = [&]<class T>(T) {
    const T* const all = column.values.data<T>();
    T* const values = to.room<T>(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = all[place(i)];
  };
  if (column.units) copy(std::int64_t{});
  else predicate::visit_type(predicate::type_of(column.slot.type), copy);
  if (column.values.all_valid) return;
  std::uint8_t* const states = to.states();
  for (std::size_t i = 0; i < count; ++i) states[i] = column.values.state(place(i));
}

}  // namespace rizoma::query
