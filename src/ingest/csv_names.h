// Which end of an edge the name of a column speaks of: "FromNodeId" of the source, "dst" of the target.
#pragma once

#include <rizoma/ingest.h>

#include <string>
#include <string_view>
#include <vector>

namespace rizoma {

/// Words of a name in lower case: "FromNodeId", ":START_ID", "id_a" -> {from, node, id}, {start, id}, {id, a}.
[[nodiscard]] std::vector<std::string> words_of_name(std::string_view name);

/// True for names that columns of vertices have: "user", "node1", "source".
[[nodiscard]] bool is_column_name(std::string_view name);

}  // namespace rizoma
