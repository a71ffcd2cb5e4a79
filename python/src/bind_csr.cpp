// Compressed sparse rows in NumPy arrays as a view for kernels, and back.
#include "bindings.h"

#include <nanobind/stl/optional.h>
#include <rizoma/graph_view.h>

#include <algorithm>
#include <numeric>
#include <span>

namespace rizoma::python {

namespace {

constexpr unsigned kSectionBits = 12;

template <class T>
using Column = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Offsets = Column<std::int64_t>;
using Targets = Column<std::uint32_t>;
using Weights = std::optional<Column<double>>;

/// The data of a view over arrays, besides the arrays.
struct Owner {
  std::vector<nb::object> arrays;  ///< kept alive; released with the GIL
  std::vector<std::uint32_t> out_offsets;
  std::vector<std::uint32_t> in_offsets;

  Owner() = default;
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;
  ~Owner() {
    nb::gil_scoped_acquire held;
    arrays.clear();
  }
};

void require(bool holds, const char* what) {
  if (!holds) throw nb::value_error(what);
}

void check_rows(const Offsets& offsets, const Targets& targets, const Weights& weights) {
  const std::size_t rows = offsets.shape(0);
  require(rows > 0 && offsets.data()[0] == 0, "offsets must begin with 0");
  require(std::is_sorted(offsets.data(), offsets.data() + rows), "offsets must not decrease");
  require(static_cast<std::size_t>(offsets.data()[rows - 1]) == targets.shape(0),
          "the last offset must be the number of targets");
  require(std::all_of(targets.data(), targets.data() + targets.shape(0), [&](std::uint32_t t) { return t < rows - 1; }),
          "a target is not a row");
  require(!weights || weights->shape(0) == targets.shape(0), "give one weight for each target");
}

/// The sections of one direction; their offsets, relative to each section, go to `relative`.
Adjacency<std::uint32_t> make_adjacency(const Offsets& offsets, const Targets& targets, const Weights& weights,
                                        std::vector<std::uint32_t>& relative) {
  const VertexId rows = offsets.shape(0) - 1;
  const VertexId size = VertexId{1} << kSectionBits;
  const VertexId sections = (rows + size - 1) / size;
  relative.resize(rows + sections);
  std::vector<SectionEdges<std::uint32_t>> parts(sections);
  for (VertexId s = 0; s < sections; ++s) {
    const VertexId begin = s * size;
    const VertexId end = std::min(rows, begin + size);
    const std::int64_t base = offsets.data()[begin];
    require(offsets.data()[end] - base <= std::int64_t{0xffffffff},
            "the vertices of a section have 2^32 edges or more");
    std::uint32_t* place = relative.data() + begin + s;
    for (VertexId v = begin; v <= end; ++v) place[v - begin] = static_cast<std::uint32_t>(offsets.data()[v] - base);
    parts[s] = {place, targets.data() + base, weights ? weights->data() + base : nullptr};
  }
  return {kSectionBits, rows, std::move(parts)};
}

EdgeCount count_self_loops(const Adjacency<std::uint32_t>& out) {
  EdgeCount loops = 0;
  for (VertexId v = 0; v < out.num_vertices(); ++v) {
    const auto list = out.neighbors(v);
    loops += static_cast<EdgeCount>(std::count(list.begin(), list.end(), v));
  }
  return loops;
}

/// A view over the arrays, which it keeps alive.  Directed: the in-rows too.
GraphView csr_view(const Offsets& offsets, const Targets& targets, const Weights& weights, bool directed,
                   const std::optional<Offsets>& in_offsets, const std::optional<Targets>& in_targets,
                   const Weights& in_weights) {
  auto owner = std::make_shared<Owner>();
  const auto keep = [&](const auto& array) { owner->arrays.push_back(nb::cast(array)); };
  check_rows(offsets, targets, weights);
  keep(offsets);
  keep(targets);
  if (weights) keep(*weights);
  GraphView::Parts parts;
  parts.directed = directed;
  parts.weight_type = weights ? WeightType::float64 : WeightType::none;
  parts.num_entries = targets.shape(0);
  auto out = make_adjacency(offsets, targets, weights, owner->out_offsets);
  parts.num_self_loops = count_self_loops(out);
  parts.out = std::move(out);
  if (directed && in_offsets && in_targets) {
    check_rows(*in_offsets, *in_targets, in_weights);
    require(in_offsets->shape(0) == offsets.shape(0), "in-rows and out-rows must have the same number");
    require(in_weights.has_value() == weights.has_value(), "give weights for both directions or for neither");
    keep(*in_offsets);
    keep(*in_targets);
    if (in_weights) keep(*in_weights);
    parts.in = make_adjacency(*in_offsets, *in_targets, in_weights, owner->in_offsets);
  }
  parts.owner = std::move(owner);
  return GraphView(std::move(parts));
}

struct Transposed {
  std::vector<std::int64_t> offsets;
  std::vector<std::uint32_t> targets;
  std::vector<std::int64_t> positions;
};

/// Rows by target: sources ascend within a row.  positions[k]: where entry k stood.
Transposed transpose(std::span<const std::int64_t> offsets, std::span<const std::uint32_t> targets) {
  const std::size_t rows = offsets.size() - 1;
  Transposed out{std::vector<std::int64_t>(rows + 1, 0), std::vector<std::uint32_t>(targets.size()),
                 std::vector<std::int64_t>(targets.size())};
  for (const std::uint32_t target : targets) ++out.offsets[std::size_t{target} + 1];
  std::partial_sum(out.offsets.begin(), out.offsets.end(), out.offsets.begin());
  std::vector<std::int64_t> next(out.offsets.begin(), out.offsets.end() - 1);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::int64_t k = offsets[row]; k < offsets[row + 1]; ++k) {
      const std::int64_t place = next[targets[static_cast<std::size_t>(k)]]++;
      out.targets[static_cast<std::size_t>(place)] = static_cast<std::uint32_t>(row);
      out.positions[static_cast<std::size_t>(place)] = k;
    }
  }
  return out;
}

nb::object transpose_csr(const Offsets& offsets, const Targets& targets) {
  check_rows(offsets, targets, std::nullopt);
  Transposed out = without_gil([&]() -> Result<Transposed> {
    return transpose({offsets.data(), offsets.shape(0)}, {targets.data(), targets.shape(0)});
  });
  return nb::make_tuple(to_numpy(std::move(out.offsets)), to_numpy(std::move(out.targets)),
                        to_numpy(std::move(out.positions)));
}

struct Rows {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::uint32_t> targets;
  std::vector<double> weights;
};

template <class A>
void append_weights(Rows& rows, const A& adjacency, WeightType type, VertexId v) {
  const auto append = [&](auto column) { rows.weights.insert(rows.weights.end(), column.begin(), column.end()); };
  switch (type) {
    case WeightType::none: return;
    case WeightType::int32: return append(adjacency.template weights<std::int32_t>(v));
    case WeightType::float32: return append(adjacency.template weights<float>(v));
    case WeightType::float64: return append(adjacency.template weights<double>(v));
  }
}

/// The rows of [begin, end).
template <class A>
Rows copy_rows(const GraphView& view, const A& adjacency, VertexId begin, VertexId end) {
  Rows rows;
  rows.offsets.reserve(end - begin + 1);
  if (end - begin == view.num_vertices()) {
    rows.targets.reserve(view.num_entries());
    if (view.weight_type() != WeightType::none) rows.weights.reserve(view.num_entries());
  }
  for (VertexId v = begin; v < end; ++v) {
    for (const auto target : adjacency.neighbors(v)) rows.targets.push_back(static_cast<std::uint32_t>(target));
    append_weights(rows, adjacency, view.weight_type(), v);
    rows.offsets.push_back(static_cast<std::int64_t>(rows.targets.size()));
  }
  return rows;
}

nb::object read_csr(const GraphView& view, bool in_edges, VertexId begin, std::optional<VertexId> stop) {
  require(view.num_vertices() < 0xffffffff, "the graph has 2^32 vertices or more");
  require(!in_edges || view.has_in_edges(), "the graph stores no in-edges; create it with in_edges=True");
  const VertexId end = stop.value_or(view.num_vertices());
  require(begin <= end && end <= view.num_vertices(), "the range of vertices is not in the graph");
  Rows rows = without_gil([&]() -> Result<Rows> {
    if (!in_edges) return view.with_out([&](const auto& out) { return copy_rows(view, out, begin, end); });
    return view.with_both([&](const auto&, const auto& in) { return copy_rows(view, in, begin, end); });
  });
  nb::object weights = nb::none();
  if (view.weight_type() != WeightType::none) weights = nb::cast(to_numpy(std::move(rows.weights)));
  return nb::make_tuple(to_numpy(std::move(rows.offsets)), to_numpy(std::move(rows.targets)), weights);
}

}  // namespace

void bind_csr(nb::module_& module) {
  using namespace nb::literals;
  module.def("csr_view", &csr_view, "offsets"_a, "targets"_a, "weights"_a.none(), "directed"_a,
             "in_offsets"_a = nb::none(), "in_targets"_a = nb::none(), "in_weights"_a = nb::none(),
             "A view over compressed sparse rows, without a copy.  Kernels that say so need sorted rows.");
  module.def("transpose_csr", &transpose_csr, "offsets"_a, "targets"_a,
             nb::sig("def transpose_csr(offsets: NDArray[numpy.int64], targets: NDArray[numpy.uint32]) -> "
                     "tuple[NDArray[numpy.int64], NDArray[numpy.uint32], NDArray[numpy.int64]]"),
             "(offsets, sources ascending in each row, where each entry stood).");
  module.def("read_csr", &read_csr, "view"_a, "in_edges"_a = false, "begin"_a = 0, "end"_a = nb::none(),
             nb::sig("def read_csr(view: View, in_edges: bool = False, begin: int = 0, end: int | None = None) -> "
                     "tuple[NDArray[numpy.int64], NDArray[numpy.uint32], NDArray[numpy.float64] | None]"),
             "(offsets, targets, weights or None) of the rows [begin, end), by default of a whole view.");
}

}  // namespace rizoma::python
