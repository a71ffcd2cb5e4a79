// EdgeBatch and VertexBatch: edges and vertices gathered from arrays.
#include "bind_columns.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <rizoma/batch.h>

namespace rizoma::python {

namespace {

Status add_weights(EdgeBatch& batch, const Weights& weights, std::size_t rows) {
  if (!weights) return {};
  if (weights->shape(0) != rows) return Error{ErrorCode::invalid_argument, "weights and edges differ in length"};
  return append(batch.weights, *weights, 0, rows);
}

Status add_integers(EdgeBatch& batch, const AnyColumn& sources, const AnyColumn& targets, const Weights& weights) {
  const std::size_t rows = sources.shape(0);
  if (targets.shape(0) != rows) return Error{ErrorCode::invalid_argument, "sources and targets differ in length"};
  RIZOMA_ASSIGN(auto* from, column_of<std::vector<std::int64_t>>(batch.sources));
  RIZOMA_ASSIGN(auto* to, column_of<std::vector<std::int64_t>>(batch.targets));
  RIZOMA_TRY(append(*from, sources, 0, rows));
  RIZOMA_TRY(append(*to, targets, 0, rows));
  return add_weights(batch, weights, rows);
}

Status add_strings(EdgeBatch& batch, const Offsets& source_offsets, const Bytes& source_bytes,
                   const Offsets& target_offsets, const Bytes& target_bytes, const Weights& weights) {
  const std::size_t rows = source_offsets.shape(0) - 1;
  if (target_offsets.shape(0) - 1 != rows) {
    return Error{ErrorCode::invalid_argument, "sources and targets differ in length"};
  }
  RIZOMA_ASSIGN(auto* from, column_of<StringColumn>(batch.sources));
  RIZOMA_ASSIGN(auto* to, column_of<StringColumn>(batch.targets));
  RIZOMA_TRY(append(*from, source_offsets, source_bytes, 0, rows));
  RIZOMA_TRY(append(*to, target_offsets, target_bytes, 0, rows));
  return add_weights(batch, weights, rows);
}

Status add_integers(VertexBatch& batch, const AnyColumn& ids) {
  RIZOMA_ASSIGN(auto* column, column_of<std::vector<std::int64_t>>(batch.ids));
  return append(*column, ids, 0, ids.shape(0));
}

Status add_strings(VertexBatch& batch, const Offsets& offsets, const Bytes& bytes) {
  RIZOMA_ASSIGN(auto* column, column_of<StringColumn>(batch.ids));
  return append(*column, offsets, bytes, 0, offsets.shape(0) - 1);
}

/// Steps of a commit.  They take the content of the batches, which are empty afterwards.
void bind_steps(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<Batch>(module, "Batch", "Changes in order, for one commit; a step takes what it is given, without a copy.")
      .def(nb::init<>())
      .def(
          "add_edges", [](Batch& batch, EdgeBatch& edges) { batch.add_edges(std::exchange(edges, {})); }, "edges"_a)
      .def(
          "remove_edges",
          [](Batch& batch, EdgeBatch& edges, Missing missing, Parallel parallel, const std::string& key) {
            batch.remove_edges(std::exchange(edges, {}), missing, parallel, key);
          },
          "edges"_a, "missing"_a, "parallel"_a, "key"_a = "")
      .def(
          "set_weights",
          [](Batch& batch, EdgeBatch& edges, Missing missing) { batch.set_weights(std::exchange(edges, {}), missing); },
          "edges"_a, "missing"_a)
      .def(
          "add_vertices",
          [](Batch& batch, VertexBatch& vertices) {
            batch.add_vertices(std::exchange(vertices.ids, {}), std::exchange(vertices.values, {}));
          },
          "vertices"_a)
      .def(
          "set_edges",
          [](Batch& batch, EdgeBatch& edges, Missing missing, const std::string& key) {
            batch.set_edges(std::exchange(edges, {}), missing, key);
          },
          "edges"_a, "missing"_a, "key"_a = "")
      .def(
          "set_vertices",
          [](Batch& batch, VertexBatch& vertices, Missing missing) {
            batch.set_vertices(std::exchange(vertices.ids, {}), std::exchange(vertices.values, {}), missing);
          },
          "vertices"_a, "missing"_a)
      .def(
          "remove_vertices",
          [](Batch& batch, VertexBatch& vertices, Missing missing) {
            batch.remove_vertices(std::exchange(vertices.ids, {}), missing);
          },
          "vertices"_a, "missing"_a);
}

}  // namespace

void bind_batch(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<EdgeBatch>(module, "EdgeBatch", "Edges by external id, on their way into a graph.")
      .def(nb::init<>())
      .def("__len__", &EdgeBatch::size)
      .def(
          "add_column",
          [](EdgeBatch& batch, std::size_t before, const std::string& name, const std::string& type,
             const ValueBytes& bytes, const ValueEnds& ends, const ValueFlags& valid, const ValueFlags& given) {
            without_gil([&] { return append_values(batch.columns, before, name, type, bytes, ends, valid, given); });
          },
          "before"_a, "name"_a, "type"_a, "bytes"_a, "ends"_a = nb::none(), "valid"_a = nb::none(),
          "given"_a = nb::none(), "Appends values of the edges from number `before` on.")
      .def("pad_columns", [](EdgeBatch& batch) { pad_columns(batch.columns, batch.size()); })
      .def(
          "add_integers",
          [](EdgeBatch& batch, const AnyColumn& sources, const AnyColumn& targets, const Weights& weights) {
            without_gil([&] { return add_integers(batch, sources, targets, weights); });
          },
          "sources"_a, "targets"_a, "weights"_a = nb::none(), "Appends edges; integers of any width, strides allowed.")
      .def(
          "add_strings",
          [](EdgeBatch& batch, const Offsets& source_offsets, const Bytes& source_bytes, const Offsets& target_offsets,
             const Bytes& target_bytes, const Weights& weights) {
            without_gil([&] {
              return add_strings(batch, source_offsets, source_bytes, target_offsets, target_bytes, weights);
            });
          },
          "source_offsets"_a, "source_bytes"_a, "target_offsets"_a, "target_bytes"_a, "weights"_a = nb::none(),
          "Appends edges between strings, given as the buffers of Arrow's large_string.");
  nb::class_<VertexBatch>(module, "VertexBatch", "Vertices by external id, on their way into a graph.")
      .def(nb::init<>())
      .def("__len__", [](const VertexBatch& batch) { return size(batch.ids); })
      .def(
          "add_integers",
          [](VertexBatch& batch, const AnyColumn& ids) { without_gil([&] { return add_integers(batch, ids); }); },
          "ids"_a)
      .def(
          "add_strings",
          [](VertexBatch& batch, const Offsets& offsets, const Bytes& bytes) {
            without_gil([&] { return add_strings(batch, offsets, bytes); });
          },
          "offsets"_a, "bytes"_a)
      .def(
          "add_column",
          [](VertexBatch& batch, std::size_t before, const std::string& name, const std::string& type,
             const ValueBytes& bytes, const ValueEnds& ends, const ValueFlags& valid, const ValueFlags& given) {
            without_gil([&] { return append_values(batch.values, before, name, type, bytes, ends, valid, given); });
          },
          "before"_a, "name"_a, "type"_a, "bytes"_a, "ends"_a = nb::none(), "valid"_a = nb::none(),
          "given"_a = nb::none(), "Appends values of the vertices from number `before` on.")
      .def("pad_columns", [](VertexBatch& batch) { pad_columns(batch.values, size(batch.ids)); });
  bind_steps(module);
}

}  // namespace rizoma::python
