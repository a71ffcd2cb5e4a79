// EdgeBatch: edges on their way from a source into a store, by external id.  Module: graph.
#pragma once

#include <rizoma/columns.h>
#include <rizoma/ids.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace rizoma {

/// How external ids look.
enum class IdKind : std::uint8_t {
  dense = 0,    ///< integers 0..n-1, taken as they are; the graph has max id + 1 vertices
  integer = 1,  ///< any 64-bit integers (a dictionary maps them)
  string = 2,   ///< UTF-8 strings (a dictionary maps them)
};

/// Strings one behind the other: string i is bytes[offsets[i], offsets[i+1]).
struct StringColumn {
  std::vector<std::uint64_t> offsets{0};
  std::string bytes;

  [[nodiscard]] std::size_t size() const noexcept { return offsets.size() - 1; }
  [[nodiscard]] std::string_view operator[](std::size_t i) const noexcept {
    return std::string_view(bytes).substr(offsets[i], offsets[i + 1] - offsets[i]);
  }
  void push_back(std::string_view text) {
    bytes.append(text);
    offsets.push_back(bytes.size());
  }
  void clear() noexcept {
    offsets.resize(1);
    bytes.clear();
  }
};

/// A column of external ids: integers, or strings.
using IdColumn = std::variant<std::vector<std::int64_t>, StringColumn>;

[[nodiscard]] inline std::size_t size(const IdColumn& ids) noexcept {
  return std::visit([](const auto& column) { return column.size(); }, ids);
}

/// Columns of equal length: edge i goes from sources[i] to targets[i] with weights[i].
/// Both id columns are of the same kind.  `weights` is empty for unweighted edges; weights are
/// carried as float64 (exact for int32 and float32) and narrowed by the store.
struct EdgeBatch {
  IdColumn sources;
  IdColumn targets;
  std::vector<double> weights;
  ColumnTable columns;  ///< other columns, by name

  [[nodiscard]] std::size_t size() const noexcept { return rizoma::size(sources); }
};

}  // namespace rizoma
