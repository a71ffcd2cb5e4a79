#include "predicate/values.h"

#include "predicate/times.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <variant>

namespace rizoma::predicate {
namespace {

/// The values at(0), .., at(count - 1) of a run as T, each made wider by f.
template <class Stored, class T, class At, class F>
void widen(const ColumnRun& run, At at, std::size_t count, Values& to, F f) {
  T* const values = to.room<T>(count);
  for (std::size_t i = 0; i < count; ++i) {
    Stored value;
    std::memcpy(&value, run.values + at(i) * sizeof(Stored), sizeof value);
    values[i] = f(value);
  }
}

template <class Stored, class At>
void load_numbers(const ColumnRun& run, bool units, At at, std::size_t count, Values& to) {
  if (is_time(run.type) && !units) {
    const Wide unit = nanoseconds_per_unit(run.type);
    return widen<Stored, Wide>(run, at, count, to, [unit](Stored value) { return static_cast<Wide>(value) * unit; });
  }
  if constexpr (std::is_same_v<Stored, bool>) {
    widen<std::uint8_t, std::uint8_t>(run, at, count, to,
                                      [](std::uint8_t value) { return static_cast<std::uint8_t>(value != 0); });
  } else if constexpr (std::is_floating_point_v<Stored>) {
    widen<Stored, double>(run, at, count, to, [](Stored value) { return double{value}; });
  } else if constexpr (std::is_same_v<Stored, std::uint64_t>) {
    widen<Stored, Wide>(run, at, count, to, [](Stored value) { return Wide{value}; });
  } else {
    widen<Stored, std::int64_t>(run, at, count, to, [](Stored value) { return std::int64_t{value}; });
  }
}

template <class At>
void load_texts(const ColumnRun& run, At at, std::size_t count, Values& to) {
  std::string_view* const texts = to.room<std::string_view>(count);
  const char* const bytes = reinterpret_cast<const char*>(run.values);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = at(i);
    const std::uint64_t begin = row == 0 ? run.start : run.ends[row - 1];
    texts[i] = {bytes + begin, static_cast<std::size_t>(run.ends[row] - begin)};
  }
}

template <class At>
void load_at(const ColumnRun& run, bool units, At at, std::size_t count, Values& to) {
  to.begin(count, false);
  visit_column(run.type, [&]<class Stored>(ColumnTag<Stored>) {
    if constexpr (std::is_arithmetic_v<Stored>) load_numbers<Stored>(run, units, at, count, to);
    else if constexpr (std::is_same_v<Stored, std::string_view>) load_texts(run, at, count, to);
  });
  if (run.valid == nullptr) return;
  std::size_t missing = 0;
  for (std::size_t i = 0; i < count; ++i) missing += run.valid[at(i)] == 0 ? 1 : 0;
  if (missing == 0) return;
  std::uint8_t* const states = to.states();
  for (std::size_t i = 0; i < count; ++i) states[i] = run.valid[at(i)] != 0 ? kValid : kNull;
}

/// What an operation calculates with, out of a Scalar of a column of `type`; of null, nothing.
template <class T>
T value_in(const Scalar& scalar, ColumnType type, bool units) {
  return std::visit(
      [&]<class Stored>(const Stored& stored) {
        if constexpr (std::is_same_v<T, std::string_view>) {
          if constexpr (std::is_same_v<Stored, T>) return stored;
        } else if constexpr (std::is_arithmetic_v<Stored>) {
          return static_cast<T>(stored);
        } else if constexpr (std::is_same_v<Stored, TimeValue>) {
          const Wide moment = nanoseconds_of(stored);
          return static_cast<T>(units ? floor_divided(moment, nanoseconds_per_unit(type)) : moment);
        }
        return T{};
      },
      scalar);
}

}  // namespace

void Values::take_states(const Values& operand) {
  if (operand.all_valid) return;
  std::copy_n(operand.states_.data(), rows, states());
}

void Values::join_states(const Values& a, const Values& b) {
  if (a.all_valid && b.all_valid) return;
  std::uint8_t* const joined = states();
  for (std::size_t i = 0; i < rows; ++i) joined[i] = joined_state(a.state(i), b.state(i));
}

void load_run(const ColumnRun& run, bool units, std::size_t begin, std::size_t count, Values& to) {
  load_at(run, units, [begin](std::size_t i) { return begin + i; }, count, to);
}

void load_rows(const ColumnRun& run, bool units, std::span<const std::uint64_t> rows, std::uint64_t first, Values& to) {
  load_at(run, units, [rows, first](std::size_t i) { return rows[i] - first; }, rows.size(), to);
}

void load_scalars(ColumnType type, bool units, std::size_t count, FunctionRef<Scalar(std::size_t)> read, Values& to) {
  to.begin(count, false);
  const auto load = [&]<class T>(T* values) {
    for (std::size_t i = 0; i < count; ++i) {
      const Scalar scalar = read(i);
      if constexpr (!std::is_void_v<T>) values[i] = value_in<T>(scalar, type, units);
      const bool missing = std::holds_alternative<std::monostate>(scalar);
      if (missing && to.all_valid) std::fill_n(to.states(), count, kValid);
      if (missing) to.states()[i] = kNull;
    }
  };
  if (units) return load(to.room<std::int64_t>(count));
  if (type_of(type) == Type::list) return load(static_cast<void*>(nullptr));
  visit_type(type_of(type), [&]<class T>(T) { load(to.room<T>(count)); });
}

void load_constant(const Constant& constant, Type type, Values& to) {
  to.begin(1, true);
  if (std::holds_alternative<std::monostate>(constant)) *to.states() = kNull;
  visit_type(type, [&]<class T>(T) {
    T* const value = to.room<T>(1);
    if constexpr (std::is_same_v<T, std::string_view>) {
      const auto* const text = std::get_if<std::string>(&constant);
      *value = text == nullptr ? std::string_view() : std::string_view(*text);
    } else if constexpr (std::is_same_v<T, std::uint8_t>) {
      const bool* const truth = std::get_if<bool>(&constant);
      *value = truth != nullptr && *truth ? 1 : 0;
    } else {
      const T* const number = std::get_if<T>(&constant);
      *value = number == nullptr ? T{} : *number;
    }
  });
}

}  // namespace rizoma::predicate
