// Reading NetworkX's dictionaries of dictionaries through Python's C interface.
#pragma once

#include "bindings.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace rizoma::python {

/// Numbers of the keys of a dictionary, in its order.  Integers that lie close together are found in a
/// table, everything else through a dictionary of Python.
class NodeNumbers {
 public:
  /// `nodes`: a dict with at most 2^32 - 1 keys.
  explicit NodeNumbers(nb::handle nodes);
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
  bool is_range_ = false;
};

/// Calls f(row, key, value) for each entry of a dict of dicts; false if an inner one is no plain dict.
template <class F>
bool for_each_entry(nb::handle adjacency, F&& f) {
  Py_ssize_t outer = 0;
  std::size_t row = 0;
  PyObject* node = nullptr;
  PyObject* neighbors = nullptr;
  while (PyDict_Next(adjacency.ptr(), &outer, &node, &neighbors)) {
    if (!PyDict_CheckExact(neighbors)) return false;
    Py_ssize_t inner = 0;
    PyObject* key = nullptr;
    PyObject* value = nullptr;
    while (PyDict_Next(neighbors, &inner, &key, &value)) f(row, key, value);
    ++row;
  }
  return true;
}

}  // namespace rizoma::python
