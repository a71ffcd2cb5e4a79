// Which end of an edge the name of a column speaks of: "FromNodeId" of the source, "dst" of the target.
#pragma once

#include <rizoma/ingest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {

/// Words of a name in lower case: "FromNodeId", ":START_ID", "id_a" -> {from, node, id}, {start, id}, {id, a}.
[[nodiscard]] std::vector<std::string> words_of_name(std::string_view name);

/// The column whose only word is "source", "src", "from" or "u", or for targets "target", "dst", "to" or "v".
[[nodiscard]] std::optional<std::size_t> column_called_end(const std::vector<std::vector<std::string>>& columns,
                                                           bool source);

/// True for a name with a word that names one of two ends: "parent", "to_user".
[[nodiscard]] bool speaks_of_end(std::string_view name);

/// True for names that columns of vertices have: "user", "node1", "source".
[[nodiscard]] bool is_column_name(std::string_view name);

/// Texts one after the other, with this between two of them.
[[nodiscard]] std::string joined(const std::vector<std::string>& texts, std::string_view between);

}  // namespace rizoma
