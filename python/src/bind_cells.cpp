// Rows counted by cells: for each column a table says which part of the cell a value stands for.
#include "bindings.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace rizoma::python {

namespace {

template <class T>
using Given = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Whole = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
/// Values; flags of those that are there; what they are divided by; the least quotient of the table, the parts of it
/// and of those after it, the last for null; below what number parts are.
using Column = std::tuple<Whole, std::optional<Given<std::uint8_t>>, std::int64_t, std::int64_t, Given<std::int64_t>,
                          std::int64_t>;

constexpr std::size_t kAtOnce = 1024;  // rows
constexpr std::int64_t kDay = 86'400;

/// One column as it is read, some rows at a time.
class Axis {
 public:
  explicit Axis(const Column& given)
      : values_(std::get<0>(given)),
        valid_(std::get<1>(given) ? std::get<1>(given)->data() : nullptr),
        divisor_(std::get<2>(given)),
        least_(static_cast<std::uint64_t>(std::get<3>(given))),
        parts_(std::get<4>(given).data(), std::get<4>(given).shape(0)),
        size_(static_cast<std::uint64_t>(std::get<5>(given))) {}

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

  /// cells[i] = cells[i] * size + the part of row begin + i.  False if the table lacks a value.
  bool add(std::size_t begin, std::span<std::uint64_t> cells) const {
    const nb::dlpack::dtype type = values_.dtype();
    if (type == nb::dtype<std::int64_t>()) return add_as<std::int64_t>(begin, cells);
    if (type == nb::dtype<std::int32_t>()) return add_as<std::int32_t>(begin, cells);
    if (type == nb::dtype<std::int16_t>()) return add_as<std::int16_t>(begin, cells);
    return type == nb::dtype<std::int8_t>() && add_as<std::int8_t>(begin, cells);
  }

 private:
  /// A divisor that is known here takes no division.
  template <class T>
  bool add_as(std::size_t begin, std::span<std::uint64_t> cells) const {
    const T* const values = static_cast<const T*>(values_.data()) + begin;
    switch (divisor_) {
      case 1: return add_parts(begin, cells, [&](std::size_t i) { return std::int64_t{values[i]}; });
      case kDay: return add_parts(begin, cells, [&](std::size_t i) { return floor_of<kDay>(values[i]); });
      case kDay * 1'000:
        return add_parts(begin, cells, [&](std::size_t i) { return floor_of<kDay * 1'000>(values[i]); });
      case kDay * 1'000'000:
        return add_parts(begin, cells, [&](std::size_t i) { return floor_of<kDay * 1'000'000>(values[i]); });
      case kDay * 1'000'000'000:
        return add_parts(begin, cells, [&](std::size_t i) { return floor_of<kDay * 1'000'000'000>(values[i]); });
      default: return false;
    }
  }

  template <std::int64_t Divisor>
  static std::int64_t floor_of(std::int64_t value) noexcept {
    return value / Divisor - (value % Divisor < 0 ? 1 : 0);
  }

  template <class Value>
  bool add_parts(std::size_t begin, std::span<std::uint64_t> cells, Value&& value) const {
    const std::uint64_t null = parts_.size() - 1;
    bool lacks = false;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::uint64_t place = static_cast<std::uint64_t>(value(i)) - least_;
      const bool there = valid_ == nullptr || valid_[begin + i] != 0;
      lacks = lacks || (there && place >= null);
      cells[i] = cells[i] * size_ + static_cast<std::uint64_t>(parts_[there ? std::min(place, null) : null]);
    }
    return !lacks;
  }

  const Whole& values_;
  const std::uint8_t* valid_;
  std::int64_t divisor_;
  std::uint64_t least_;
  std::span<const std::int64_t> parts_;
  std::uint64_t size_;
};

struct Cells {
  std::vector<std::int64_t> counts;
  std::vector<std::int64_t> of_rows;  ///< if they were asked for
};

/// None if a table lacks a value.
std::optional<Cells> cells_of(const std::vector<Column>& columns, bool with_rows) {
  std::vector<Axis> axes(columns.begin(), columns.end());
  std::uint64_t size = 1;
  for (const Axis& axis : axes) size *= axis.size();
  const std::size_t rows = std::get<0>(columns[0]).shape(0);
  Cells found{std::vector<std::int64_t>(size), {}};
  if (with_rows) found.of_rows.reserve(rows);
  std::array<std::uint64_t, kAtOnce> memory;
  for (std::size_t begin = 0; begin < rows; begin += kAtOnce) {
    const std::span cells = std::span(memory).first(std::min(kAtOnce, rows - begin));
    std::fill(cells.begin(), cells.end(), std::uint64_t{0});
    for (const Axis& axis : axes) {
      if (!axis.add(begin, cells)) return std::nullopt;
    }
    for (const std::uint64_t cell : cells) ++found.counts[cell];
    if (with_rows) found.of_rows.insert(found.of_rows.end(), cells.begin(), cells.end());
  }
  return found;
}

}  // namespace

void bind_cells(nb::module_& module) {
  using namespace nb::literals;
  module.def(
      "cells_of",
      [](const std::vector<Column>& columns, bool with_rows) -> nb::object {
        std::optional<Cells> found;
        {
          const nb::gil_scoped_release released;
          found = cells_of(columns, with_rows);
        }
        if (!found) return nb::none();
        return nb::make_tuple(to_numpy(std::move(found->counts)), to_numpy(std::move(found->of_rows)));
      },
      "columns"_a, "with_rows"_a,
      nb::sig("def cells_of(columns: Sequence[tuple[NDArray[Any], NDArray[numpy.uint8] | None, int, int, "
              "NDArray[numpy.int64], int]], with_rows: bool) -> tuple[NDArray[numpy.int64], NDArray[numpy.int64]] | "
              "None"),
      "How many rows each cell has, and, with `with_rows`, the cell of each row.  A column is: whole numbers (int8 to "
      "int64); flags of those that are there; 1, or the units of a day, by which they are divided, rounded down; the "
      "least quotient that has a part; the parts of it and of all after it, and of null; below what number parts are.  "
      "The cell is the number that the parts are digits of, the first column's the highest.  None if a quotient has no "
      "part.");
}

}  // namespace rizoma::python
