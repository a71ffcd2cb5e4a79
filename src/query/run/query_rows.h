// What reads the rows of one query of a pattern.  Module: query.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/match.h>

#include <cstddef>
#include <vector>

namespace rizoma::query {

class QueryRows {
 public:
  QueryRows() = default;
  QueryRows(const QueryRows&) = delete;
  QueryRows& operator=(const QueryRows&) = delete;
  virtual ~QueryRows() = default;
  /// Adds a part for each thread that found rows; false if all have been read.
  virtual Result<bool> next(Engine& engine, std::size_t most, std::vector<MatchRows>& parts) = 0;
  [[nodiscard]] virtual double share_done() const = 0;
};

}  // namespace rizoma::query
