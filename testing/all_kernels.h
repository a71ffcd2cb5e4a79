// All kernels, one after the other, on a graph that may be anything: answers are not looked at, but each comes.
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/engine.h>
#include <rizoma/graph_view.h>
#include <rizoma/result.h>

#include <cstdint>
#include <string_view>

namespace rizoma::testing {

inline constexpr std::uint64_t kAllKernels = UINT64_MAX;

/// Those whose bits are set in `which`, counted as they come.  Throws std::logic_error if one fails without a reason
/// that a kernel may have.
void run_kernels(Engine& engine, const GraphView& graph, std::uint64_t which);

/// Is told the name of a kernel that was run, and how it ended.
using HearsOfKernels = FunctionRef<void(std::string_view kernel, const Status& status)>;

/// All that exist for such a graph.
void run_each_kernel(Engine& engine, const GraphView& graph, HearsOfKernels heard);

}  // namespace rizoma::testing
