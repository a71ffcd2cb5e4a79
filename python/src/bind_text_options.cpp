// Of each type that an option of text has: how Python holds a value, and what is refused.
#include "bind_text_options.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rizoma::python {
namespace {

using Renamed = std::vector<RenamedColumn>;

[[noreturn]] void refuse(const char* name, nb::handle value, const std::string& expected) {
  raise(
      {ErrorCode::invalid_argument, std::string(name) + " is " + nb::repr(value).c_str() + "; it must be " + expected});
}

std::string text_in(const char* name, nb::handle value) {
  std::string text;
  if (!nb::try_cast(value, text)) refuse(name, value, "text");
  return text;
}

void set(bool& field, const char* name, nb::handle value) {
  if (!nb::try_cast(value, field)) refuse(name, value, "True or False");
}

void set(std::optional<bool>& field, const char* name, nb::handle value) {
  bool given = false;
  if (!value.is_none() && !nb::try_cast(value, given)) refuse(name, value, "True, False or None");
  field = value.is_none() ? std::nullopt : std::optional(given);
}

void set(std::uint64_t& field, const char* name, nb::handle value) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  std::int64_t number = -1;
  if (PyBool_Check(value.ptr()) || !nb::try_cast(value, number) || number < 0) {
    refuse(name, value, "a whole number from 0 to " + std::to_string(kMost));
  }
  field = static_cast<std::uint64_t>(number);
}

void set(std::string& field, const char* name, nb::handle value) {
  field = value.is_none() ? std::string() : text_in(name, value);
}

void set(std::optional<std::string>& field, const char* name, nb::handle value) {
  field = value.is_none() ? std::nullopt : std::optional(text_in(name, value));
}

void set(char& field, const char* name, nb::handle value) {
  std::string text;
  const bool is_text = value.is_none() || nb::try_cast(value, text);
  const bool ascii = text.empty() || static_cast<unsigned char>(text[0]) < 0x80;
  if (!is_text || text.size() > 1 || !ascii || text == "\n" || text == "\r") {
    std::string wanted = "one ASCII character";
    if (std::string_view(name) == "comment" && text.size() > 1 && ascii) {
      const std::string first = text.substr(0, 1);
      wanted += "; if no row begins with " + first + ", say that alone: comment=\"" + first + "\" (--comment '" +
                first + "')";
    }
    refuse(name, value, wanted);
  }
  field = text.empty() ? '\0' : text[0];
}

void set(std::optional<char>& field, const char* name, nb::handle value) {
  char given = 0;
  set(given, name, value);
  field = value.is_none() ? std::nullopt : std::optional(given);
}

void set(Renamed& field, const char* name, nb::handle value) {
  std::vector<std::pair<std::string, std::string>> pairs;
  if (!nb::try_cast(value, pairs)) refuse(name, value, "pairs of an old and a new name");
  field.clear();
  for (auto& [from, to] : pairs) field.push_back({std::move(from), std::move(to)});
}

nb::object in_python(bool value) { return nb::cast(value); }
nb::object in_python(std::uint64_t value) { return nb::cast(value); }
nb::object in_python(const std::string& text) { return text.empty() ? nb::none() : nb::cast(text); }
nb::object in_python(char c) { return in_python(c == 0 ? std::string() : std::string(1, c)); }
nb::object in_python(const Renamed& names) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const auto& [from, to] : names) pairs.emplace_back(from, to);
  return pairs.empty() ? nb::none() : nb::cast(pairs);
}
template <class T>
nb::object in_python(const std::optional<T>& value) {
  return value ? nb::cast(*value) : nb::none();
}
nb::object in_python(const std::optional<char>& c) {
  return c ? nb::cast(*c == 0 ? std::string() : std::string(1, *c)) : nb::none();
}

const char* type_of(bool) { return "bool"; }
const char* type_of(std::uint64_t) { return "int"; }
const char* type_of(const std::optional<bool>&) { return "bool | None"; }
const char* type_of(const Renamed&) { return "Mapping[str, str] | None"; }
const char* type_of(char) { return "str | None"; }
const char* type_of(const std::optional<char>&) { return "str | None"; }
const char* type_of(const std::string&) { return "str | None"; }
const char* type_of(const std::optional<std::string>&) { return "str | None"; }

template <auto kField>
void bind_one(nb::class_<ReadOptions>& options, const char* name) {
  options.def_prop_rw(
      name, [](const ReadOptions& self) { return in_python(self.*kField); },
      [name](ReadOptions& self, nb::object value) { set(self.*kField, name, value); }, nb::arg("value").none());
}

nb::list listed() {
  const ReadOptions initial_values;
  nb::list rows;
#define RIZOMA_ROW(type, field, initial, name, formats, help) \
  rows.append(nb::make_tuple(name, type_of(initial_values.field), in_python(initial_values.field), help));
  RIZOMA_TEXT_OPTIONS(RIZOMA_ROW)
#undef RIZOMA_ROW
  return rows;
}

}  // namespace

void bind_text_options(nb::module_& module, nb::class_<ReadOptions>& options) {
#define RIZOMA_BIND(type, field, initial, name, formats, help) bind_one<&ReadOptions::field>(options, name);
  RIZOMA_TEXT_OPTIONS(RIZOMA_BIND)
#undef RIZOMA_BIND
  module.def("text_options", &listed, nb::sig("def text_options() -> list[tuple[str, str, object, str]]"),
             "Name, type, default and help of each option that says how text is written.");
}

}  // namespace rizoma::python
