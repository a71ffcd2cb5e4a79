// Columns of ids and weights as Python hands them over, and their way into an EdgeBatch.
#pragma once

#include "bindings.h"

#include <optional>

namespace rizoma::python {

/// Any array of one dimension, strides allowed; reading it checks its element type.
using AnyColumn = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;
/// Offsets (int64) and bytes of strings, as Arrow's large_string has them.
using Offsets = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Weights = std::optional<AnyColumn>;

/// Appends rows [begin, end) of an integer array.  Errors: invalid_argument (another type; above 2^63).
Status append(std::vector<std::int64_t>& out, const AnyColumn& column, std::size_t begin, std::size_t end);
/// Appends rows [begin, end) of a number array.
Status append(std::vector<double>& out, const AnyColumn& column, std::size_t begin, std::size_t end);
/// Appends strings [begin, end).
Status append(StringColumn& out, const Offsets& offsets, const Bytes& bytes, std::size_t begin, std::size_t end);

/// Vertices on their way into a graph.
struct VertexBatch {
  IdColumn ids;
  ColumnTable values;
};

/// Bytes of values, ends of those of variable width, and flags: which values are valid, which rows give the column.
using ValueBytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ValueEnds = std::optional<nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>>;
using ValueFlags = std::optional<nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>>;

/// Appends values of the rows after the first `before` ones, as `append_columns` does.
/// Errors: invalid_argument (a type that there is not, or another one than before).
Status append_values(ColumnTable& table, std::size_t before, const std::string& name, const std::string& type,
                     const ValueBytes& bytes, const ValueEnds& ends, const ValueFlags& valid, const ValueFlags& given);
/// (bytes, ends or None, valid or None).
nb::tuple to_python(ColumnValues&& values);

/// The batch's column as one of the given kind; a batch without rows takes any kind.
template <class Column>
Result<Column*> column_of(IdColumn& ids) {
  if (!std::holds_alternative<Column>(ids)) {
    if (size(ids) != 0) return Error{ErrorCode::invalid_argument, "the batch mixes integer and string ids"};
    ids = Column{};
  }
  return &std::get<Column>(ids);
}

}  // namespace rizoma::python
