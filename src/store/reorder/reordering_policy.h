// Reordering: when a graph that grew by small changes is to get its inner order again by itself.  The rule, apart from
// clocks, locks and files (docs/decisions/0012-*.md).
//
// The rule.  Reordering begins once enough entries came since the order was made, in a graph that is large enough to
// gain by an order, as soon as nothing has changed for a while; or among changes, if most of the graph came since and
// the last one is long enough ago.  One that did not finish (others wanted the store, or the device was full)
// is tried again later, each time after twice as long and at twice the pace, and after `most_unfinished` of them no
// more until the graph is reopened or a call renumbers it.  Numbers that were asked for as given stay.  So do all
// while there are tags, whose states would cost as much again as the graph once its sections are written again.
#pragma once

#include <rizoma/ids.h>
#include <rizoma/schema.h>

#include "store/store_options.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace rizoma {

/// What is known of a store without looking at its edges.
struct ReorderFacts {
  EdgeCount entries = 0;  ///< an upper bound; of the out-direction
  EdgeCount ordered = 0;  ///< when the order was made; 0: it never was
  bool given_for_good = false;
  bool read_only = false;
  bool tagged = false;                      ///< tags keep older states
  std::chrono::milliseconds idle{0};        ///< since the last change
  unsigned unfinished = 0;                  ///< reorderings in a row that did not finish
  std::chrono::milliseconds since_last{0};  ///< since the last one ended, or the graph was opened
  std::uint64_t needed = 0;                 ///< bytes of memory that cannot be spilled
  std::uint64_t allowed = 0;                ///< that it may take
};

enum class ReorderReason : std::uint8_t {
  small,           ///< any order will do
  in_order,        ///< few entries arrived since the order was made
  given_for_good,  ///< the user asked for the given numbers
  off,
  read_only,
  tagged,  ///< older states would no longer share anything with the current one
  short_of_memory,
  rests,     ///< after one that did not finish
  gave_up,   ///< too many of them did not
  changing,  ///< it waits for a pause between changes
  due,
};

struct ReorderVerdict {
  ReorderReason reason = ReorderReason::small;
  std::optional<std::chrono::milliseconds> again;  ///< when to ask again, even if nothing changes
};

/// Entries that arrived since the order was made, at most.
[[nodiscard]] EdgeCount arrived_entries(const ReorderFacts& facts) noexcept;

[[nodiscard]] ReorderVerdict judge_reordering(const ReorderSettings& settings, const ReorderFacts& facts) noexcept;

/// Whether the graph would be faster in an order rebuilt, whatever keeps it from being made now.
[[nodiscard]] bool has_grown(const ReorderSettings& settings, const ReorderFacts& facts) noexcept;

/// Bytes of memory that renumbering this many vertices takes, even if all edges are spilled.
[[nodiscard]] std::uint64_t reordering_memory(IdKind ids, VertexId vertices) noexcept;

/// Bytes a second that the next one writes at most, 0: as fast as it can.
[[nodiscard]] std::uint64_t reordering_pace(const ReorderSettings& settings, unsigned unfinished) noexcept;

/// The next step and its reason, for people.
[[nodiscard]] std::string describe_reordering(const ReorderSettings& settings, const ReorderFacts& facts);

}  // namespace rizoma
