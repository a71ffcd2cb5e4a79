// Moments of time out of texts and numbers of columns.  Module: query.
#pragma once

#include <rizoma/columns.h>
#include <rizoma/match.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace rizoma::query {

/// `2026-01-31`, with `12:30`, seconds and a fraction of up to 9 digits behind a blank or a `T`, and a `Z` at the end
/// or none: UTC.  None: the text is no such moment.
[[nodiscard]] std::optional<MatchTime> timestamp_of(std::string_view text);

/// What a number of a date or timestamp column stands for.
[[nodiscard]] MatchTime timestamp_of(ColumnType type, std::int64_t number);

}  // namespace rizoma::query
