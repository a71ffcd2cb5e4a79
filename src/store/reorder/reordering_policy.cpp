#include "store/reorder/reordering_policy.h"

#include <algorithm>

namespace rizoma {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kMemoryAgain{60'000};
constexpr unsigned kMostDoublings = 6;

unsigned arrived_percent(const ReorderFacts& facts) noexcept {
  return facts.entries == 0 ? 0
                            : static_cast<unsigned>(100.0 * static_cast<double>(arrived_entries(facts)) /
                                                    static_cast<double>(facts.entries));
}

/// How long after an unfinished one the next may begin.
milliseconds rest_after(const ReorderSettings& settings, unsigned unfinished) noexcept {
  return settings.rest * (1u << std::min(unfinished - 1, kMostDoublings));
}

std::string in_seconds(milliseconds time) { return std::to_string((time.count() + 999) / 1000) + " s"; }

std::string in_mebibytes(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

}  // namespace

EdgeCount arrived_entries(const ReorderFacts& facts) noexcept {
  return facts.entries - std::min(facts.entries, facts.ordered);
}

bool has_grown(const ReorderSettings& settings, const ReorderFacts& facts) noexcept {
  const bool enough = facts.entries > 0 && arrived_percent(facts) >= settings.arrived_percent;
  return enough && facts.entries >= settings.least_entries && !facts.given_for_good;
}

ReorderVerdict judge_reordering(const ReorderSettings& settings, const ReorderFacts& facts) noexcept {
  if (facts.entries < settings.least_entries) return {ReorderReason::small, {}};
  if (facts.given_for_good) return {ReorderReason::given_for_good, {}};
  if (facts.read_only) return {ReorderReason::read_only, {}};
  if (!has_grown(settings, facts)) return {ReorderReason::in_order, {}};
  if (!settings.on) return {ReorderReason::off, {}};
  if (facts.tagged) return {ReorderReason::tagged, {}};
  if (facts.needed > facts.allowed) return {ReorderReason::short_of_memory, kMemoryAgain};
  if (facts.unfinished >= settings.most_unfinished) return {ReorderReason::gave_up, {}};
  if (facts.unfinished > 0) {
    const milliseconds rest = rest_after(settings, facts.unfinished);
    if (facts.since_last < rest) return {ReorderReason::rests, rest - facts.since_last};
  }
  if (facts.idle >= settings.idle) return {ReorderReason::due, {}};
  milliseconds again = settings.idle - facts.idle;
  if (arrived_percent(facts) >= settings.urgent_percent) {
    if (facts.since_last >= settings.rest) return {ReorderReason::due, {}};
    again = std::min(again, settings.rest - facts.since_last);
  }
  return {ReorderReason::changing, again};
}

std::uint64_t reordering_memory(IdKind ids, VertexId vertices) noexcept {
  // Degrees, order and ranks (bulk_load.h), the ids with their index, the numbers of Translation; as much again is left
  // for edges.
  const std::uint64_t for_ids = ids == IdKind::integer ? 48 : ids == IdKind::string ? 96 : 0;
  return 2 * vertices * (24 + 8 + for_ids) + (std::uint64_t{16} << 20);
}

std::uint64_t reordering_pace(const ReorderSettings& settings, unsigned unfinished) noexcept {
  return settings.bytes_per_second << std::min(unfinished, kMostDoublings);
}

std::string describe_reordering(const ReorderSettings& settings, const ReorderFacts& facts) {
  const ReorderVerdict verdict = judge_reordering(settings, facts);
  const std::string arrived = std::to_string(arrived_percent(facts)) + "% of the entries came since the order was made";
  switch (verdict.reason) {
    case ReorderReason::small: return "nothing: the graph is too small for the order to matter";
    case ReorderReason::in_order:
      return settings.on ? arrived + "; it is rebuilt from " + std::to_string(settings.arrived_percent) + "% on"
                         : arrived;
    case ReorderReason::given_for_good: return "nothing: the order of the input was asked for";
    case ReorderReason::off: return arrived + "; it is rebuilt on request (reorder)";
    case ReorderReason::read_only:
      return arrived + "; this graph is open for reading: the process that writes it rebuilds the order";
    case ReorderReason::tagged:
      return arrived + "; tags keep the present order: it is rebuilt on request (reorder), or without tags";
    case ReorderReason::short_of_memory:
      return arrived + "; rebuilding it needs " + in_mebibytes(facts.needed) + " of memory, and may take " +
             in_mebibytes(facts.allowed);
    case ReorderReason::rests: return arrived + "; it is tried again in " + in_seconds(*verdict.again);
    case ReorderReason::gave_up:
      return arrived + "; rebuilding it did not finish " + std::to_string(facts.unfinished) +
             " times, so it is rebuilt on request (reorder), or once the graph is reopened";
    case ReorderReason::changing:
      return arrived + "; it is rebuilt once nothing has changed for " + in_seconds(settings.idle);
    case ReorderReason::due: return arrived + "; it is rebuilt now";
  }
  return {};
}

}  // namespace rizoma
