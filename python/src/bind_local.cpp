#include "bind_local.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma::python {

namespace {

constexpr std::size_t kChunk = 4096;
constexpr std::size_t kPairs = 512;  // fewer than make Python look for garbage, and of a size that it keeps for reuse

Snapshot snapshot_of(const Graph& graph) { return unwrap(graph.snapshot()); }
const Snapshot& snapshot_of(const Snapshot& snapshot) { return snapshot; }

std::optional<VertexId> or_none(Result<VertexId>&& found) {
  if (found) return *found;
  const ErrorCode code = found.error().code;
  if (code == ErrorCode::not_found || code == ErrorCode::invalid_argument) return std::nullopt;
  raise(found.error());
}

/// Internal id of a possible vertex id; kNoVertex if it is none.
std::optional<VertexId> number_of(const Snapshot& snapshot, nb::handle v) {
  if (snapshot.schema().ids == IdKind::string) {
    if (!PyUnicode_Check(v.ptr())) return std::nullopt;
    Py_ssize_t size = 0;
    const char* text = PyUnicode_AsUTF8AndSize(v.ptr(), &size);
    if (text == nullptr) {  // a lone surrogate, which no id has
      PyErr_Clear();
      return std::nullopt;
    }
    return or_none(snapshot.find(std::string_view(text, static_cast<std::size_t>(size))));
  }
  if (PyBool_Check(v.ptr()) || !PyIndex_Check(v.ptr())) return std::nullopt;
  const nb::object whole =
      PyLong_Check(v.ptr()) ? nb::borrow(v) : nb::steal(PyNumber_Index(v.ptr()));  // one of NumPy's integers
  int overflow = 0;
  const long long id = whole.is_valid() ? PyLong_AsLongLongAndOverflow(whole.ptr(), &overflow) : -1;
  if (PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    return std::nullopt;
  }
  if (overflow != 0) return std::nullopt;
  return or_none(snapshot.find(std::int64_t{id}));
}

/// External ids of internal ids as a list of Python.
nb::object list_of(const Snapshot& snapshot, std::span<const VertexId> numbers) {
  const IdColumn ids = unwrap(snapshot.ids(numbers));
  nb::object list = nb::steal(PyList_New(static_cast<Py_ssize_t>(numbers.size())));
  if (!list.is_valid()) throw nb::python_error();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    PyObject* id = nullptr;
    if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&ids)) {
      id = PyLong_FromLongLong((*integers)[i]);
    } else {
      const std::string_view text = std::get<StringColumn>(ids)[i];
      id = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), nullptr);
    }
    if (id == nullptr && PyErr_ExceptionMatches(PyExc_UnicodeDecodeError) != 0) {
      PyErr_Clear();
      raise({ErrorCode::unsupported,
             "a vertex id is not UTF-8 text; convert the file that it came from (iconv) and import it again"});
    }
    if (id == nullptr) throw nb::python_error();
    PyList_SetItem(list.ptr(), static_cast<Py_ssize_t>(i), id);
  }
  return list;
}

/// A weight as a Python object: an int in a graph of whole weights.
nb::object weight_of(const Snapshot& snapshot, double weight) {
  const WeightType type = snapshot.schema().weights;
  const bool whole = type == WeightType::int32 || type == WeightType::none;
  return nb::steal(whole ? PyLong_FromLongLong(static_cast<long long>(weight)) : PyFloat_FromDouble(weight));
}

/// Ends of edges at a vertex, as NetworkX counts them: of in- and out-edges, and a loop twice.
EdgeCount degree_of(const Snapshot& snapshot, VertexId vertex) {
  const NeighborList list = unwrap(snapshot.list(vertex));
  if (snapshot.schema().directed && !snapshot.schema().in_edges) {
    raise({ErrorCode::invalid_argument,
           "this graph stores no in-edges, which g.degree counts too; use g.out_degree, or create the graph with "
           "in_edges=True"});
  }
  if (snapshot.schema().directed) return list.size() + unwrap(snapshot.list(vertex, Direction::in)).size();
  EdgeCount degree = list.size();
  for (std::size_t i = list.lower_bound(vertex); i < list.size() && list[i] == vertex; ++i) ++degree;
  return degree;
}

/// Iterates over the items of `lists`, an iterator of lists.
nb::object flattened(nb::object lists) {
  return nb::module_::import_("itertools").attr("chain").attr("from_iterable")(std::move(lists));
}

std::string text_of(nb::handle value) { return nb::repr(value).c_str(); }

/// The neighbours of a vertex by external id: a sequence that copies nothing.
class Neighbors {
 public:
  Neighbors(Snapshot snapshot, NeighborList list) : snapshot_(std::move(snapshot)), list_(std::move(list)) {}

  [[nodiscard]] std::size_t size() const noexcept { return list_.size(); }

  [[nodiscard]] nb::object some(std::size_t begin, std::size_t count, std::ptrdiff_t step = 1) const {
    std::vector<VertexId> numbers(count);
    for (std::size_t i = 0; i < count; ++i)
      numbers[i] = list_[begin + i * static_cast<std::size_t>(step)];  // a negative step wraps around, and back
    return list_of(snapshot_, numbers);
  }
  [[nodiscard]] nb::object at(Py_ssize_t i) const {
    const auto size = static_cast<Py_ssize_t>(list_.size());
    if (i < -size || i >= size) {
      const std::string there = size == 0 ? "there are none" : "they are numbered 0 to " + std::to_string(size - 1);
      throw nb::index_error(("no neighbour has the number " + std::to_string(i) + "; " + there).c_str());
    }
    return some(static_cast<std::size_t>(i < 0 ? i + size : i), 1)[0];
  }
  [[nodiscard]] nb::object slice(const nb::slice& which) const {
    const auto [start, stop, step, length] = which.compute(list_.size());
    static_cast<void>(stop);
    return some(static_cast<std::size_t>(start), length, step);
  }
  [[nodiscard]] nb::object item(nb::handle index) const {
    if (PySlice_Check(index.ptr())) return slice(nb::borrow<nb::slice>(index));
    if (PyIndex_Check(index.ptr()) == 0) {
      throw nb::type_error(("neighbours are numbered from 0, and " + text_of(index) +
                            " is no number; g[u][v] has the edge to a neighbour, `v in g.neighbors(u)` asks for one")
                               .c_str());
    }
    const Py_ssize_t at_index = PyNumber_AsSsize_t(index.ptr(), PyExc_IndexError);
    if (at_index == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
    return at(at_index);
  }
  [[nodiscard]] bool contains(nb::handle v) const {
    const auto number = number_of(snapshot_, v);
    return number && list_.contains(*number);
  }
  [[nodiscard]] nb::object weights() const { return nb::cast(to_numpy(list_.weights())); }
  [[nodiscard]] nb::object weight(std::size_t i) const { return weight_of(snapshot_, list_.weight(i)); }

 private:
  Snapshot snapshot_;
  NeighborList list_;
};

/// Lists of the neighbours, one after another.
struct NeighborChunks {
  nb::object neighbors;
  std::size_t next = 0;
};

/// Lists of the vertices of a graph, by internal id.
struct VertexChunks {
  Snapshot snapshot;
  VertexId next = 0;

  nb::object operator()() {
    std::vector<VertexId> numbers;
    for (; next < snapshot.num_vertices() && numbers.size() < kChunk; ++next) {
      if (snapshot.is_live(next)) numbers.push_back(next);
    }
    if (numbers.empty()) throw nb::stop_iteration();
    return list_of(snapshot, numbers);
  }
};

/// Python's objects for the ids of vertices, of which those met lately are kept: in a road network, a grid or a path
/// the next edges are mostly of vertices that were just met.
class RecentIds {
 public:
  /// Objects for `numbers`, which stay alive until the next call.
  const std::vector<PyObject*>& operator()(const Snapshot& snapshot, const std::vector<VertexId>& numbers) {
    ++call_;
    places_.clear();
    missing_.clear();
    for (const VertexId number : numbers) places_.push_back(place_of(number));
    made_ = list_of(snapshot, missing_);
    found_.clear();
    for (const Place place : places_) found_.push_back(object_at(place));
    return found_;
  }

 private:
  static constexpr std::size_t kSlots = 4096;
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  struct Slot {
    VertexId number = kNoVertex;
    std::uint64_t call = 0;  // the last one that needed it: until then the slot keeps its vertex
    nb::object id;
  };
  struct Place {
    std::size_t slot;  // kNone: it has none
    std::size_t made;  // kNone: the slot has the object already
  };

  Place place_of(VertexId number) {
    const std::size_t at = static_cast<std::size_t>(number) % kSlots;
    Slot& slot = slots_[at];
    if (slot.number == number && (slot.call == call_ || slot.id.is_valid())) {
      slot.call = call_;
      return {at, kNone};
    }
    missing_.push_back(number);
    if (slot.call == call_) return {kNone, missing_.size() - 1};
    slot = {number, call_, nb::object()};  // the answer owns the object, if there is one
    return {at, missing_.size() - 1};
  }

  PyObject* object_at(Place place) {
    if (place.made == kNone) return slots_[place.slot].id.ptr();
    PyObject* const id = PyList_GetItem(made_.ptr(), static_cast<Py_ssize_t>(place.made));
    if (place.slot != kNone) slots_[place.slot].id = nb::borrow(id);
    return id;
  }

  std::vector<Slot> slots_ = std::vector<Slot>(kSlots);
  std::uint64_t call_ = 0;
  nb::object made_;  // a list of the ids of `missing_`
  std::vector<VertexId> missing_;
  std::vector<Place> places_;
  std::vector<PyObject*> found_;
};

/// Lists of pairs (source, target), an undirected edge once.
struct EdgeChunks {
  Snapshot snapshot;
  VertexId vertex = 0;
  std::size_t entry = 0;
  std::optional<NeighborList> list = {};  // of `vertex`, kept over chunks: pending changes are merged in it once
  RecentIds recent = {};
  std::vector<VertexId> numbers = {};  // of each source, and then of its targets
  std::vector<std::size_t> counts = {};

  nb::object operator()() {
    numbers.clear();
    counts.clear();
    std::size_t edges = 0;
    while (vertex < snapshot.num_vertices() && edges < kPairs) {
      if (!list) {
        list = unwrap(snapshot.list(vertex));
        if (!snapshot.schema().directed) entry = list->lower_bound(vertex);
      }
      const std::size_t end = std::min(list->size(), entry + kPairs - edges);
      if (entry < end) {
        counts.push_back(end - entry);
        edges += counts.back();
        numbers.push_back(vertex);
      }
      for (; entry < end; ++entry) numbers.push_back((*list)[entry]);
      if (entry < list->size()) break;
      list.reset();
      ++vertex;
      entry = 0;
    }
    if (edges == 0) throw nb::stop_iteration();
    return pairs(edges);
  }

 private:
  [[nodiscard]] nb::object pairs(std::size_t edges) {
    nb::object made = nb::steal(PyList_New(static_cast<Py_ssize_t>(edges)));
    if (!made.is_valid()) throw nb::python_error();
    auto id = recent(snapshot, numbers).begin();
    Py_ssize_t at = 0;
    for (const std::size_t count : counts) {
      PyObject* const source = *id++;
      for (std::size_t i = 0; i < count; ++i) {
        PyObject* const pair = PyTuple_Pack(2, source, *id++);
        if (pair == nullptr) throw nb::python_error();
        PyList_SetItem(made.ptr(), at++, pair);
      }
    }
    return made;
  }
};

template <class Chunks>
void bind_chunks(nb::module_& module, const char* name) {
  nb::class_<Chunks>(module, name)
      .def("__iter__", [](nb::handle self) { return self; })
      .def("__next__", [](Chunks& self) { return self(); }, nb::sig("def __next__(self) -> list[object]"));
}

nb::object iterate(nb::handle self) {
  const Neighbors& neighbors = nb::cast<const Neighbors&>(self);
  if (neighbors.size() <= kChunk) return neighbors.some(0, neighbors.size()).attr("__iter__")();
  return flattened(nb::cast(NeighborChunks{nb::borrow(self), 0}));
}

template <class G>
void bind_questions(nb::class_<G>& readable) {
  using namespace nb::literals;
  readable
      .def(
          "has_vertex", [](const G& self, nb::handle v) { return number_of(snapshot_of(self), v).has_value(); },
          "v"_a.none())
      .def(
          "degree_of",
          [](const G& self, nb::handle v) -> std::optional<EdgeCount> {
            const Snapshot& snapshot = snapshot_of(self);
            const auto number = number_of(snapshot, v);
            if (!number) return std::nullopt;
            return degree_of(snapshot, *number);
          },
          "v"_a.none(), "None: no vertex.")
      .def(
          "neighbors_of",
          [](const G& self, nb::handle v, bool in_edges) -> std::optional<Neighbors> {
            const Snapshot& snapshot = snapshot_of(self);
            const auto number = number_of(snapshot, v);
            if (!number) return std::nullopt;
            return Neighbors(snapshot, unwrap(snapshot.list(*number, in_edges ? Direction::in : Direction::out)));
          },
          "v"_a.none(), "in_edges"_a = false, "None: no vertex.")
      .def(
          "has_edge_between",
          [](const G& self, nb::handle u, nb::handle v) {
            const Snapshot& snapshot = snapshot_of(self);
            const auto source = number_of(snapshot, u);
            const auto target = source ? number_of(snapshot, v) : std::nullopt;
            return target && unwrap(snapshot.has_edge(*source, *target));
          },
          "u"_a.none(), "v"_a.none())
      .def(
          "weights_between",
          [](const G& self, nb::handle u, nb::handle v) {
            const Snapshot& snapshot = snapshot_of(self);
            const auto source = number_of(snapshot, u);
            const auto target = source ? number_of(snapshot, v) : std::nullopt;
            nb::list weights;
            if (!target) return weights;
            const NeighborList list = unwrap(snapshot.list(*source));
            for (std::size_t i = list.lower_bound(*target); i < list.size() && list[i] == *target; ++i)
              weights.append(weight_of(snapshot, list.weight(i)));
            return weights;
          },
          "u"_a.none(), "v"_a.none(), nb::sig("def weights_between(self, u: object, v: object) -> list[float]"),
          "Of all parallel edges; empty: no edge.")
      .def(
          "iterate_vertices",
          [](const G& self) { return flattened(nb::cast(VertexChunks{Snapshot(snapshot_of(self)), 0})); },
          nb::sig("def iterate_vertices(self) -> Iterator[int | str]"))
      .def(
          "iterate_edges",
          [](const G& self) { return flattened(nb::cast(EdgeChunks{Snapshot(snapshot_of(self)), 0, 0})); },
          nb::sig("def iterate_edges(self) -> Iterator[tuple[int | str, int | str]]"));
}

}  // namespace

void bind_local(nb::class_<Graph>& graph) { bind_questions(graph); }
void bind_local(nb::class_<Snapshot>& snapshot) { bind_questions(snapshot); }

void bind_sequences(nb::module_& module) {
  using namespace nb::literals;
  bind_chunks<VertexChunks>(module, "VertexChunks");
  bind_chunks<EdgeChunks>(module, "EdgeChunks");
  nb::class_<NeighborChunks>(module, "NeighborChunks")
      .def("__iter__", [](nb::handle self) { return self; })
      .def(
          "__next__",
          [](NeighborChunks& self) {
            const auto& neighbors = nb::cast<const Neighbors&>(self.neighbors);
            const std::size_t begin = self.next;
            if (begin == neighbors.size()) throw nb::stop_iteration();
            self.next = std::min(neighbors.size(), begin + kChunk);
            return neighbors.some(begin, self.next - begin);
          },
          nb::sig("def __next__(self) -> list[object]"));
  nb::class_<Neighbors>(module, "Neighbors", "The neighbours of a vertex by external id, in the order of internal ids.")
      .def("__len__", &Neighbors::size)
      .def("__iter__", &iterate, nb::sig("def __iter__(self) -> Iterator[int | str]"))
      .def("__contains__", &Neighbors::contains, "v"_a.none())
      .def("__getitem__", &Neighbors::item, "index"_a.none(),
           nb::sig("def __getitem__(self, index: int | slice) -> Any"))
      .def(
          "__eq__",
          [](nb::handle self, nb::handle other) -> nb::object {
            if (PySequence_Check(other.ptr()) == 0) return nb::borrow(Py_NotImplemented);
            const auto list = [](nb::handle sequence) { return nb::steal(PySequence_List(sequence.ptr())); };
            const nb::object mine = list(self), theirs = list(other);
            if (!mine.is_valid() || !theirs.is_valid()) throw nb::python_error();
            return nb::cast(mine.equal(theirs));
          },
          "other"_a.none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__repr__",
           [](const Neighbors& self) {
             const std::size_t shown = std::min<std::size_t>(self.size(), 20);
             std::string text = nb::repr(self.some(0, shown)).c_str();
             if (shown < self.size())
               text.replace(text.size() - 1, 1, ", ... " + std::to_string(self.size()) + " in all]");
             return text;
           })
      .def("weights", &Neighbors::weights, nb::sig("def weights(self) -> NDArray[numpy.float64]"),
           "Of the edges to them, parallel to them.");
}

}  // namespace rizoma::python
