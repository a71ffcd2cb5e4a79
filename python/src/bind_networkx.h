// Reading NetworkX's dictionaries of dictionaries through Python's C interface.
#pragma once

#include "bindings.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace rizoma::python {

/// Numbers of the keys of a dictionary, in its order.  Integers that lie close together are found in a
/// table, everything else through a dictionary of Python.
class NodeNumbers {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  /// `nodes`: a dict with at most 2^32 - 1 keys.
  explicit NodeNumbers(nb::handle nodes);
  /// True if all nodes are ints near each other, or all are strings: finding those runs no Python code.
  [[nodiscard]] bool plain() const noexcept { return !table_.empty() || strings_; }
  /// Number of a node if that takes no Python code; else kNone.  Requires plain().
  [[nodiscard]] std::uint32_t find_plain(PyObject* node);
  /// Number of a node.  Raises what hashing and comparing it raise, or KeyError.
  [[nodiscard]] std::uint32_t find(PyObject* node);
  /// True if the keys are the integers 0, 1, 2, ... in this order.
  [[nodiscard]] bool is_range() const noexcept { return is_range_; }

 private:
  bool make_table();
  void make_dict();

  nb::handle nodes_;
  std::vector<std::uint32_t> table_;  ///< number of the integer lowest_ + i; empty: use dict_
  std::int64_t lowest_ = 0;
  nb::object dict_;
  bool strings_ = true;  ///< all keys of dict_ are of type str
  bool is_range_ = false;
};

/// An entry of a dict of dicts; both references are borrowed.
struct Entry {
  std::size_t row;
  PyObject* key;
  PyObject* value;
};

/// Calls f(row, key, value) for each entry of a dict of dicts; false if an inner one is no plain dict.
/// Rows are looked at some at a time before they are walked: their memory is then fetched side by side.
template <class F>
bool for_each_entry(nb::handle adjacency, F&& f) {
  constexpr std::size_t kTogether = 16;
  std::array<PyObject*, kTogether> together{};
  Py_ssize_t outer = 0;
  PyObject* node = nullptr;
  PyObject* key = nullptr;
  PyObject* value = nullptr;
  for (std::size_t row = 0;;) {
    std::size_t count = 0;
    while (count < kTogether && PyDict_Next(adjacency.ptr(), &outer, &node, &together[count])) {
      __builtin_prefetch(together[count++]);
    }
    if (count == 0) return true;
    for (std::size_t i = 0; i < count; ++i) {
      if (!PyDict_CheckExact(together[i])) return false;
      Py_ssize_t first = 0;
      PyDict_Next(together[i], &first, &key, &value);
    }
    for (std::size_t i = 0; i < count; ++i, ++row) {
      Py_ssize_t inner = 0;
      while (PyDict_Next(together[i], &inner, &key, &value)) f(row, key, value);
    }
  }
}

/// As for_each_entry, for an f that runs no Python code: entries are gathered some hundred at a time, so that
/// the memory of `touched(entry)` is on its way when f wants it.  Entries where that is null are left out.
template <class Touched, class F>
bool for_each_entry_ahead(nb::handle adjacency, Touched&& touched, F&& f) {
  constexpr std::size_t kAhead = 256;
  std::vector<Entry> waiting;
  waiting.reserve(kAhead);
  const auto flush = [&] {
    for (const Entry& entry : waiting) f(entry.row, entry.key, entry.value);
    waiting.clear();
  };
  const bool plain = for_each_entry(adjacency, [&](std::size_t row, PyObject* key, PyObject* value) {
    const Entry entry{row, key, value};
    const void* memory = touched(entry);
    if (memory == nullptr) return;
    waiting.push_back(entry);
    __builtin_prefetch(memory);
    if (waiting.size() == kAhead) flush();
  });
  flush();
  return plain;
}

}  // namespace rizoma::python
