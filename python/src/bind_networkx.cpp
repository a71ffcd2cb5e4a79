// NetworkX graphs as compressed sparse rows: one pass over the dictionaries, no Python per edge.
#include "bind_networkx.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rizoma::python {

namespace {

constexpr std::int64_t kExact = std::int64_t{1} << 53;  ///< integers up to here are exact in a double

[[noreturn]] void raise_python() { nb::raise_python_error(); }

/// Value of an int of Python (bool too) if it fits.
std::optional<std::int64_t> small_int(PyObject* object) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
  if (overflow != 0) return std::nullopt;
  if (value == -1 && PyErr_Occurred()) raise_python();
  return value;
}

std::size_t count_entries(nb::handle adjacency) {
  Py_ssize_t at = 0;
  std::size_t count = 0;
  PyObject* node = nullptr;
  PyObject* neighbors = nullptr;
  while (PyDict_Next(adjacency.ptr(), &at, &node, &neighbors)) {
    if (PyDict_CheckExact(neighbors)) count += static_cast<std::size_t>(PyDict_Size(neighbors));
  }
  return count;
}

/// Rows in the making.
struct RowsRead {
  std::vector<std::int64_t> offsets;
  std::vector<std::uint32_t> targets;
  std::vector<std::uint32_t> edges;  ///< of a multigraph: parallel edges of each entry
  bool plain = true;                 ///< all mappings are plain dicts

  RowsRead(std::size_t rows, std::size_t entries, bool multigraph) : offsets(rows + 1, 0) {
    targets.reserve(entries);
    if (multigraph) edges.reserve(entries);
  }
  void add(std::size_t row, std::uint32_t target) {
    targets.push_back(target);
    ++offsets[row + 1];
  }
  void add_edges(PyObject* parallel) {
    plain &= PyDict_CheckExact(parallel);
    edges.push_back(plain ? static_cast<std::uint32_t>(PyDict_Size(parallel)) : 0);
  }
};

/// Reads a graph whose nodes can be looked up without Python code; false if some neighbour cannot.
bool read_plain(nb::handle adjacency, bool multigraph, NodeNumbers& numbers, RowsRead& rows) {
  bool found = true;
  rows.plain &= for_each_entry_ahead(
      adjacency, [](const Entry& entry) { return entry.key; },
      [&](std::size_t row, PyObject* key, PyObject* value) {
        const std::uint32_t target = numbers.find_plain(key);
        found &= target != NodeNumbers::kNone;
        rows.add(row, target);
        if (multigraph) rows.add_edges(value);
      });
  return found;
}

RowsRead read_rows(nb::handle adjacency, bool multigraph, NodeNumbers& numbers) {
  const std::size_t nodes = nb::len(adjacency);
  const std::size_t size = count_entries(adjacency);
  RowsRead rows(nodes, size, multigraph);
  if (numbers.plain() && read_plain(adjacency, multigraph, numbers, rows)) return rows;
  rows = RowsRead(nodes, size, multigraph);
  rows.plain &= for_each_entry(adjacency, [&](std::size_t row, PyObject* key, PyObject* value) {
    rows.add(row, numbers.find(key));
    if (multigraph) rows.add_edges(value);
  });
  return rows;
}

/// (offsets, targets, edges of each entry or None), or None if an inner mapping is no plain dict.
nb::object read_adjacency(nb::dict adjacency, bool multigraph) {
  NodeNumbers numbers(adjacency);
  RowsRead rows = read_rows(adjacency, multigraph, numbers);
  if (!rows.plain) return nb::none();
  for (std::size_t row = 0; row + 1 < rows.offsets.size(); ++row) rows.offsets[row + 1] += rows.offsets[row];
  nb::object counts = multigraph ? nb::cast(to_numpy(std::move(rows.edges))) : nb::none();
  return nb::make_tuple(to_numpy(std::move(rows.offsets)), to_numpy(std::move(rows.targets)), counts,
                        numbers.is_range());
}

/// One number of a dict of attributes.
class AttributeReader {
 public:
  AttributeReader(nb::handle name, nb::handle fallback) : name_(name), fallback_(fallback) {}

  /// The value; 0 and `plain()` false if it is no int or float that a double holds exactly.
  double read(PyObject* attributes) {
    const bool none = name_.is_none() || PyDict_Size(attributes) == 0;
    PyObject* found = none ? nullptr : PyDict_GetItemWithError(attributes, name_.ptr());
    if (found == nullptr && PyErr_Occurred()) raise_python();
    return number(found == nullptr ? fallback_.ptr() : found);
  }
  [[nodiscard]] bool plain() const noexcept { return plain_; }
  [[nodiscard]] bool integers() const noexcept { return integers_; }

 private:
  double number(PyObject* value) {
    if (PyFloat_Check(value)) {
      integers_ = false;
      return PyFloat_AsDouble(value);
    }
    if (PyLong_Check(value)) {
      const auto small = small_int(value);
      if (small && std::abs(*small) <= kExact) return static_cast<double>(*small);
    }
    plain_ = false;
    return 0;
  }

  nb::handle name_;
  nb::handle fallback_;
  bool plain_ = true;
  bool integers_ = true;
};

enum class Fold : std::uint8_t { sum, least, greatest };

/// One value for the edges between two nodes of a multigraph.
double reduce_edges(PyObject* edges, AttributeReader& reader, Fold fold) {
  Py_ssize_t at = 0;
  PyObject* key = nullptr;
  PyObject* attributes = nullptr;
  bool first = true;
  double folded = 0;
  while (PyDict_Next(edges, &at, &key, &attributes)) {
    const double value = reader.read(attributes);
    if (first) folded = value;
    else if (fold == Fold::sum) folded += value;
    else folded = fold == Fold::least ? std::min(folded, value) : std::max(folded, value);
    first = false;
  }
  return folded;
}

/// (values by entry, whether all are integers), or None if a value is no plain number.
nb::object read_weights(nb::dict adjacency, nb::object name, nb::object fallback, bool multigraph, Fold fold) {
  AttributeReader reader(name, fallback);
  std::vector<double> values;
  values.reserve(count_entries(adjacency));
  const bool strings = PyUnicode_CheckExact(name.ptr()) || name.is_none();  // else looking it up may run Python
  const auto read = [&](std::size_t, PyObject*, PyObject* value) {
    if (!PyDict_Check(value)) return;
    values.push_back(multigraph ? reduce_edges(value, reader, fold) : reader.read(value));
  };
  const bool plain = strings ? for_each_entry_ahead(
                                   adjacency, [](const Entry& entry) { return entry.value; }, read)
                             : for_each_entry(adjacency, read);
  if (!plain || !reader.plain()) return nb::none();
  return nb::make_tuple(to_numpy(std::move(values)), reader.integers());
}

/// True if no edge of a simple graph has attributes.  `targets`: of an undirected graph the numbers of the
/// neighbours, so that the attributes that both ends of an edge share are looked at once.
bool edges_are_bare(nb::dict adjacency, std::optional<Array<const std::uint32_t>> targets) {
  bool bare = true;
  std::size_t at = 0;
  const std::size_t entries = targets ? targets->shape(0) : 0;
  const bool plain = for_each_entry_ahead(
      adjacency,
      [&](const Entry& entry) -> const void* {
        if (!bare || (targets && (at >= entries || targets->data()[at++] < entry.row))) return nullptr;
        if (entry.row == 0) bare &= PyDict_Check(entry.value) && PyDict_Size(entry.value) == 0;
        return entry.value;
      },
      [&](std::size_t, PyObject*, PyObject* value) { bare &= PyDict_Check(value) && PyDict_Size(value) == 0; });
  return plain && bare;
}

/// The lists node, ..., node of a tree of paths: {nodes[order[i]]: path from its root}.
nb::dict paths_of_tree(nb::list nodes, const Array<const std::uint64_t>& order,
                       const Array<const std::uint64_t>& parent, bool reversed) {
  nb::dict paths;
  std::vector<PyObject*> list_of(nb::len(nodes), nullptr);  // borrowed: `paths` holds them
  for (std::size_t i = 0; i < order.shape(0); ++i) {
    const std::uint64_t v = order.data()[i];
    PyObject* node = PyList_GetItem(nodes.ptr(), static_cast<Py_ssize_t>(v));
    if (node == nullptr) raise_python();
    const std::uint64_t p = parent.data()[i];
    PyObject* before = p < list_of.size() ? list_of[p] : nullptr;
    const Py_ssize_t length = before == nullptr ? 0 : PyList_Size(before);
    nb::object path = nb::steal(PyList_New(length + 1));
    if (!path.is_valid()) raise_python();
    const Py_ssize_t shift = reversed ? 1 : 0;
    for (Py_ssize_t k = 0; k < length; ++k) {
      PyObject* item = PyList_GetItem(before, k);
      Py_INCREF(item);
      PyList_SetItem(path.ptr(), k + shift, item);
    }
    Py_INCREF(node);
    PyList_SetItem(path.ptr(), reversed ? 0 : length, node);
    if (PyDict_SetItem(paths.ptr(), node, path.ptr()) != 0) raise_python();
    list_of[v] = path.ptr();
  }
  return paths;
}

/// {nodes[order[i]]: values[i]}
nb::dict values_by_node(nb::list nodes, const Array<const std::uint64_t>& order, nb::list values) {
  nb::dict out;
  for (std::size_t i = 0; i < order.shape(0); ++i) {
    PyObject* node = PyList_GetItem(nodes.ptr(), static_cast<Py_ssize_t>(order.data()[i]));
    PyObject* value = PyList_GetItem(values.ptr(), static_cast<Py_ssize_t>(i));
    if (node == nullptr || value == nullptr || PyDict_SetItem(out.ptr(), node, value) != 0) raise_python();
  }
  return out;
}

/// Rows of dicts {neighbour: attributes}; `attributes` has one dict for each entry, or is None: a new one each.
nb::list rows_of_dicts(nb::list nodes, const Array<const std::int64_t>& offsets,
                       const Array<const std::uint32_t>& targets, nb::list attributes) {
  nb::list rows;
  for (std::size_t row = 0; row + 1 < offsets.shape(0); ++row) {
    nb::dict neighbors;
    for (std::int64_t k = offsets.data()[row]; k < offsets.data()[row + 1]; ++k) {
      PyObject* node = PyList_GetItem(nodes.ptr(), static_cast<Py_ssize_t>(targets.data()[k]));
      PyObject* value = PyList_GetItem(attributes.ptr(), static_cast<Py_ssize_t>(k));
      if (node == nullptr || value == nullptr || PyDict_SetItem(neighbors.ptr(), node, value) != 0) raise_python();
    }
    rows.append(neighbors);
  }
  return rows;
}

}  // namespace

NodeNumbers::NodeNumbers(nb::handle nodes) : nodes_(nodes) {
  if (nb::len(nodes) >= kNone) {
    throw nb::value_error("a NetworkX graph of 2^32 nodes or more cannot be converted");
  }
  if (!make_table()) make_dict();
}

bool NodeNumbers::make_table() {
  std::vector<std::int64_t> keys;
  keys.reserve(nb::len(nodes_));
  Py_ssize_t at = 0;
  PyObject* node = nullptr;
  PyObject* value = nullptr;
  while (PyDict_Next(nodes_.ptr(), &at, &node, &value)) {
    if (!PyLong_CheckExact(node)) return false;
    const auto key = small_int(node);
    if (!key || std::abs(*key) > kExact) return false;
    keys.push_back(*key);
  }
  if (keys.empty()) return false;
  const auto [low, high] = std::minmax_element(keys.begin(), keys.end());
  if (static_cast<std::uint64_t>(*high - *low) > 4 * keys.size() + 64) return false;
  lowest_ = *low;
  table_.assign(static_cast<std::size_t>(*high - *low) + 1, kNone);
  is_range_ = true;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    table_[static_cast<std::size_t>(keys[i] - lowest_)] = static_cast<std::uint32_t>(i);
    is_range_ &= keys[i] == static_cast<std::int64_t>(i);
  }
  return true;
}

void NodeNumbers::make_dict() {
  nb::dict numbers;
  Py_ssize_t at = 0;
  Py_ssize_t number = 0;
  PyObject* node = nullptr;
  PyObject* value = nullptr;
  while (PyDict_Next(nodes_.ptr(), &at, &node, &value)) {
    strings_ &= PyUnicode_CheckExact(node);
    const nb::object boxed = nb::steal(PyLong_FromSsize_t(number++));
    if (!boxed.is_valid() || PyDict_SetItem(numbers.ptr(), node, boxed.ptr()) != 0) raise_python();
  }
  dict_ = std::move(numbers);
}

std::uint32_t NodeNumbers::find_plain(PyObject* node) {
  if (table_.empty()) {
    if (!PyUnicode_CheckExact(node)) return kNone;
    PyObject* number = PyDict_GetItemWithError(dict_.ptr(), node);
    return number == nullptr ? kNone : static_cast<std::uint32_t>(PyLong_AsUnsignedLong(number));
  }
  if (!PyLong_CheckExact(node)) return kNone;
  const auto key = small_int(node);
  if (!key || *key < lowest_ || static_cast<std::uint64_t>(*key - lowest_) >= table_.size()) return kNone;
  return table_[static_cast<std::size_t>(*key - lowest_)];
}

std::uint32_t NodeNumbers::find(PyObject* node) {
  if (!dict_.is_valid()) make_dict();
  PyObject* number = PyDict_GetItemWithError(dict_.ptr(), node);
  if (number == nullptr) {
    if (!PyErr_Occurred()) PyErr_SetObject(PyExc_KeyError, node);
    raise_python();
  }
  return static_cast<std::uint32_t>(PyLong_AsUnsignedLong(number));
}

void bind_networkx(nb::module_& module) {
  using namespace nb::literals;
  nb::enum_<Fold>(module, "Fold").value("sum", Fold::sum).value("least", Fold::least).value("greatest", Fold::greatest);
  module.def("read_adjacency", &read_adjacency, "adjacency"_a, "multigraph"_a,
             nb::sig("def read_adjacency(adjacency: dict[Any, dict[Any, Any]], multigraph: bool) -> "
                     "tuple[NDArray[numpy.int64], NDArray[numpy.uint32], NDArray[numpy.uint32] | None, bool] | None"),
             "(offsets, targets, edges of an entry, nodes are 0..n-1); None: a row is no plain dict.");
  module.def("read_weights", &read_weights, "adjacency"_a, "name"_a.none(), "default"_a, "multigraph"_a, "fold"_a,
             nb::sig("def read_weights(adjacency: dict[Any, dict[Any, Any]], name: Any, default: Any, "
                     "multigraph: bool, fold: Fold) -> tuple[NDArray[numpy.float64], bool] | None"),
             "(values by entry, all are integers); None: a value is no plain number.");
  module.def("edges_are_bare", &edges_are_bare, "adjacency"_a, "targets"_a.none(),
             nb::sig("def edges_are_bare(adjacency: dict[Any, dict[Any, Any]], "
                     "targets: NDArray[numpy.uint32] | None) -> bool"),
             "No edge of a simple graph has attributes; `targets` (of an undirected one): looks at each edge once.");
  module.def("paths_of_tree", &paths_of_tree, "nodes"_a, "order"_a, "parent"_a, "reversed"_a = false,
             nb::sig("def paths_of_tree(nodes: list[Any], order: NDArray[numpy.uint64], "
                     "parent: NDArray[numpy.uint64], reversed: bool = False) -> dict[Any, list[Any]]"),
             "{node: path from the root of its tree}, in the given order; parents come first.");
  module.def("values_by_node", &values_by_node, "nodes"_a, "order"_a, "values"_a,
             nb::sig("def values_by_node(nodes: list[Any], order: NDArray[numpy.uint64], "
                     "values: list[Any]) -> dict[Any, Any]"));
  module.def("rows_of_dicts", &rows_of_dicts, "nodes"_a, "offsets"_a, "targets"_a, "attributes"_a,
             nb::sig("def rows_of_dicts(nodes: list[Any], offsets: NDArray[numpy.int64], "
                     "targets: NDArray[numpy.uint32], attributes: list[Any]) -> list[dict[Any, Any]]"));
}

}  // namespace rizoma::python
