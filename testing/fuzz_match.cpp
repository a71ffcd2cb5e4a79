#include "testing/fuzz_match.h"

#include <rizoma/match.h>

#include "testing/graph_builder.h"

#include <stdexcept>
#include <string>

namespace rizoma::testing {

void fuzz_match(const std::uint8_t* data, std::size_t size) {
  static const GraphView graph = build_graph(4, path_edges(4), {.directed = true, .weights = WeightType::int32});
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::size_t line = text.find('\n');
  MatchOptions options{.pattern = text.substr(0, line)};
  if (line != std::string::npos) options.where = text.substr(line + 1);
  const Result<Match> match = Match::prepare(graph, options);
  if (match) return;
  const Error& error = match.error();
  const bool placed = error.message.find('^') != std::string::npos || text.size() > (std::size_t{1} << 16);
  if (error.message.empty() || (error.code == ErrorCode::parse && !placed)) {
    throw std::logic_error("an error without its place: " + error.message);
  }
}

}  // namespace rizoma::testing
