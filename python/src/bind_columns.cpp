#include "bind_columns.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace rizoma::python {

namespace {

template <class T>
bool holds(const AnyColumn& column) {
  return column.dtype() == nb::dtype<T>();
}

template <class T, class Out>
void copy_rows(std::vector<Out>& out, const AnyColumn& column, std::size_t begin, std::size_t end) {
  const T* data = static_cast<const T*>(column.data());
  const std::int64_t stride = column.stride(0);
  const std::size_t old = out.size();
  out.resize(old + (end - begin));
  for (std::size_t i = begin; i < end; ++i) {
    out[old + i - begin] = static_cast<Out>(data[static_cast<std::int64_t>(i) * stride]);
  }
}

/// Copies rows if the column's elements are of one of the types; otherwise returns false.
template <class Out, class... T>
bool copy_if_any(std::vector<Out>& out, const AnyColumn& column, std::size_t begin, std::size_t end) {
  return ((holds<T>(column) && (copy_rows<T>(out, column, begin, end), true)) || ...);
}

}  // namespace

Status append(std::vector<std::int64_t>& out, const AnyColumn& column, std::size_t begin, std::size_t end) {
  const std::size_t old = out.size();
  if (!copy_if_any<std::int64_t, std::int64_t, std::int32_t, std::uint32_t, std::uint64_t, std::int16_t, std::uint16_t,
                   std::int8_t, std::uint8_t>(out, column, begin, end)) {
    return Error{ErrorCode::invalid_argument, "vertex ids must be integers or strings"};
  }
  if (holds<std::uint64_t>(column)) {
    for (std::size_t i = old; i < out.size(); ++i) {
      if (out[i] < 0) {
        return Error{ErrorCode::invalid_argument,
                     "vertex id " + std::to_string(static_cast<std::uint64_t>(out[i])) + " is above 2^63 - 1"};
      }
    }
  }
  return {};
}

Status append(std::vector<double>& out, const AnyColumn& column, std::size_t begin, std::size_t end) {
  if (!copy_if_any<double, double, float, std::int64_t, std::int32_t, std::uint32_t, std::uint64_t, std::int16_t,
                   std::uint16_t, std::int8_t, std::uint8_t>(out, column, begin, end)) {
    return Error{ErrorCode::invalid_argument, "weights must be numbers"};
  }
  return {};
}

Status append(StringColumn& out, const Offsets& offsets, const Bytes& bytes, std::size_t begin, std::size_t end) {
  const std::int64_t* ends = offsets.data();
  const char* text = reinterpret_cast<const char*>(bytes.data());
  out.offsets.reserve(out.offsets.size() + (end - begin));
  for (std::size_t i = begin; i < end; ++i) {
    out.push_back({text + ends[i], static_cast<std::size_t>(ends[i + 1] - ends[i])});
  }
  return {};
}

namespace {

/// `from` rows of `bytes` and their ends and flags.
ColumnValues values_of(const std::string& name, ColumnType type, const ValueBytes& bytes, const ValueEnds& ends,
                       const ValueFlags& valid, const ValueFlags& given) {
  ColumnValues values{name, type, {}, {}, {}};
  const auto* data = reinterpret_cast<const std::byte*>(bytes.data());
  values.values.assign(data, data + bytes.shape(0));
  if (ends) values.ends.assign(ends->data(), ends->data() + ends->shape(0));
  if (valid) values.valid.assign(valid->data(), valid->data() + valid->shape(0));
  if (given) values.given.assign(given->data(), given->data() + given->shape(0));
  return values;
}

}  // namespace

Status append_values(ColumnTable& table, std::size_t before, const std::string& name, const std::string& type,
                     const ValueBytes& bytes, const ValueEnds& ends, const ValueFlags& valid, const ValueFlags& given) {
  RIZOMA_ASSIGN(const ColumnType kind, parse_column_type(type));
  const bool variable = column_width(kind) == 0;
  if (variable != ends.has_value())
    return Error{ErrorCode::invalid_argument, "values of " + name + " need the ends of each text"};
  return append_columns(table, before, {{values_of(name, kind, bytes, ends, valid, given)}});
}

namespace {

/// Bytes as NumPy has them.
struct PlainBytes {
  std::vector<std::byte> bytes;
  [[nodiscard]] std::uint8_t* data() noexcept { return reinterpret_cast<std::uint8_t*>(bytes.data()); }
  [[nodiscard]] std::size_t size() const noexcept { return bytes.size(); }
};

}  // namespace

nb::tuple to_python(ColumnValues&& values) {
  const bool variable = column_width(values.type) == 0;
  nb::object bytes = nb::cast(to_numpy(PlainBytes{std::move(values.values)}));
  nb::object ends = variable ? nb::cast(to_numpy(std::move(values.ends))) : nb::none();
  nb::object valid = values.valid.empty() ? nb::none() : nb::cast(to_numpy(std::move(values.valid)));
  return nb::make_tuple(bytes, ends, valid);
}

}  // namespace rizoma::python
