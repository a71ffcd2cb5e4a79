// The collection of real graphs that some tests use: a directory `data` below $RIZOMA_SHARED, or below
// `shared` next to the repository.  It is not part of the repository; tests skip where it is absent.
#pragma once

#include "testing/graph_builder.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rizoma::testing {

/// The root of the repository.
[[nodiscard]] std::filesystem::path source_directory();

/// Path of a file of the collection; empty if it is missing.
[[nodiscard]] std::optional<std::filesystem::path> shared_data(const std::string& name);

/// RIZOMA_REQUIRE_DATA is set: tests are not to be skipped for want of data.
[[nodiscard]] bool data_required();

/// All of a .zst, .gz or plain file.  Throws std::runtime_error.
[[nodiscard]] std::string read_all(const std::filesystem::path& file);

/// Edges of "source target [weight]" lines.
[[nodiscard]] std::vector<TestEdge> read_edges(const std::filesystem::path& file);

/// The figures ("name=value", also inside parentheses) that KNOWN_ANSWERS.txt has for a graph.
[[nodiscard]] std::map<std::string, std::uint64_t> known_answers(const std::string& graph);

}  // namespace rizoma::testing

/// Skips the running test unless the file is there, or fails where RIZOMA_REQUIRE_DATA=1 says that it has to
/// be; `variable` is then its path.
#define RIZOMA_SHARED_DATA(variable, name)                                              \
  const auto variable##_if_there = ::rizoma::testing::shared_data(name);                \
  if (!variable##_if_there && ::rizoma::testing::data_required())                       \
    FAIL() << "shared data file " << (name) << " absent";                               \
  if (!variable##_if_there) GTEST_SKIP() << "shared data file " << (name) << " absent"; \
  const std::filesystem::path variable = *variable##_if_there
