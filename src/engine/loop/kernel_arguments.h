// What kernels check of their arguments, and the errors that they give: one place, so that all say the same.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/result.h>

#include <cstddef>
#include <span>
#include <string_view>

namespace rizoma {

/// Ok if the engine has no ranks.  Such a kernel would go through this rank's vertices and answer as if they were
/// all.  Errors: unsupported, which names the kernel.
Status single_process_only(const Engine& engine, std::string_view kernel);

/// Errors: unsupported if the graph does not store the lists of that direction.
Status check_direction(const GraphView& graph, Direction direction, std::string_view who);

/// Errors: unsupported if the graph is directed.
Status check_undirected(const GraphView& graph, std::string_view who);

/// Errors: invalid_argument if the source is not a vertex of the graph.
Status check_source(const GraphView& graph, VertexId source, std::string_view who);

/// Errors: invalid_argument if one of the sources is not a vertex of the graph.
Status check_sources(const GraphView& graph, std::span<const VertexId> sources, std::string_view who);

/// The error of an option's value: "pagerank: alpha is 1.5; it must be at least 0 and below 1".
Error bad_option(std::string_view who, std::string_view option, double value, std::string_view must);

/// Errors: invalid_argument unless there are as many values as vertices: "pagerank: start has 3 values, but the graph
/// has 5 vertices".
Status check_one_each(const GraphView& graph, std::size_t values, std::string_view what, std::string_view who);

/// Errors: invalid_argument unless the first and the second vertices of pairs are equally many.
Status check_pairs(std::size_t first, std::size_t second, std::string_view who);

/// Errors: invalid_argument if one of the vertices that changed is not in the graph.
Status check_changed(const GraphView& graph, std::span<const VertexId> changed, std::string_view who);

/// Errors: unsupported if vertices do not have 32-bit numbers, of which one is spare.
Status check_32_bit_vertices(const GraphView& graph, std::string_view who);

/// The error of a weight that a kernel cannot use: negative, infinite or NaN.
Error bad_weight(VertexId v, std::string_view who);

/// The error of a length that a search cannot use: negative or NaN.
Error negative_weight(VertexId u, VertexId v, double weight, std::string_view who);

}  // namespace rizoma
