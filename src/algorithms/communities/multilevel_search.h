// The levels of Louvain and Leiden.
#pragma once

#include <rizoma/algorithms/louvain.h>

#include <string_view>

namespace rizoma::communities {

enum class Method : std::uint8_t { louvain, leiden };

Result<Communities> find(Engine& engine, const GraphView& graph, const CommunityOptions& options, Method method,
                         std::string_view who);

}  // namespace rizoma::communities
