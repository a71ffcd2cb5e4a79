// Which end of an edge the name of a column speaks of: "FromNodeId" of the source, "dst" of the target.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rizoma {

/// Words of a name in lower case: "FromNodeId", ":START_ID", "id_a" -> {from, node, id}, {start, id}, {id, a}.
[[nodiscard]] std::vector<std::string> words_of_name(std::string_view name);

/// True for names that columns of vertices have: "user", "node1", "source".
[[nodiscard]] bool is_column_name(std::string_view name);

/// All pairs of columns (source, target) that the names say to be the two ends.  Several: they do not tell.
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> ends_by_name(const std::vector<std::string>& names);

}  // namespace rizoma
