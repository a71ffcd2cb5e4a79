#include "store/publishing/healing_policy.h"

#include <algorithm>

namespace rizoma {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kMemoryAgain{60'000};
constexpr unsigned kMostDoublings = 6;

unsigned arrived_percent(const HealingFacts& facts) noexcept {
  return facts.entries == 0 ? 0
                            : static_cast<unsigned>(100.0 * static_cast<double>(arrived_entries(facts)) /
                                                    static_cast<double>(facts.entries));
}

/// How long after an unfinished one the next may begin.
milliseconds rest_after(const HealingSettings& settings, unsigned unfinished) noexcept {
  return settings.rest * (1u << std::min(unfinished - 1, kMostDoublings));
}

std::string in_seconds(milliseconds time) { return std::to_string((time.count() + 999) / 1000) + " s"; }

std::string in_mebibytes(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

}  // namespace

EdgeCount arrived_entries(const HealingFacts& facts) noexcept {
  return facts.entries - std::min(facts.entries, facts.ordered);
}

bool has_grown(const HealingSettings& settings, const HealingFacts& facts) noexcept {
  const bool enough = facts.entries > 0 && arrived_percent(facts) >= settings.arrived_percent;
  return enough && facts.entries >= settings.least_entries && !facts.given_for_good;
}

HealingVerdict judge_healing(const HealingSettings& settings, const HealingFacts& facts) noexcept {
  if (facts.entries < settings.least_entries) return {HealingReason::small, {}};
  if (facts.given_for_good) return {HealingReason::given_for_good, {}};
  if (facts.read_only) return {HealingReason::read_only, {}};
  if (!has_grown(settings, facts)) return {HealingReason::in_order, {}};
  if (!settings.on) return {HealingReason::off, {}};
  if (facts.tagged) return {HealingReason::tagged, {}};
  if (facts.needed > facts.allowed) return {HealingReason::short_of_memory, kMemoryAgain};
  if (facts.unfinished >= settings.most_unfinished) return {HealingReason::gave_up, {}};
  if (facts.unfinished > 0) {
    const milliseconds rest = rest_after(settings, facts.unfinished);
    if (facts.since_last < rest) return {HealingReason::rests, rest - facts.since_last};
  }
  if (facts.idle >= settings.idle) return {HealingReason::due, {}};
  milliseconds again = settings.idle - facts.idle;
  if (arrived_percent(facts) >= settings.urgent_percent) {
    if (facts.since_last >= settings.rest) return {HealingReason::due, {}};
    again = std::min(again, settings.rest - facts.since_last);
  }
  return {HealingReason::changing, again};
}

std::uint64_t healing_memory(IdKind ids, VertexId vertices) noexcept {
  // Degrees, order and ranks (bulk_load.h), the ids with their index, the numbers of Translation; as much again is left
  // for edges.
  const std::uint64_t for_ids = ids == IdKind::integer ? 48 : ids == IdKind::string ? 96 : 0;
  return 2 * vertices * (24 + 8 + for_ids) + (std::uint64_t{16} << 20);
}

std::uint64_t healing_pace(const HealingSettings& settings, unsigned unfinished) noexcept {
  return settings.bytes_per_second << std::min(unfinished, kMostDoublings);
}

std::string describe_healing(const HealingSettings& settings, const HealingFacts& facts) {
  const HealingVerdict verdict = judge_healing(settings, facts);
  const std::string arrived = std::to_string(arrived_percent(facts)) + "% of the entries came since the order was made";
  switch (verdict.reason) {
    case HealingReason::small: return "nothing: the graph is so small that any order will do";
    case HealingReason::in_order:
      return settings.on ? arrived + "; it is made anew from " + std::to_string(settings.arrived_percent) + "% on"
                         : arrived;
    case HealingReason::given_for_good: return "nothing: the numbers were asked for as given";
    case HealingReason::off: return arrived + "; it is made anew when asked for (reorder)";
    case HealingReason::read_only:
      return arrived + "; the graph is opened for reading: it is made anew where it is open for changes";
    case HealingReason::tagged:
      return arrived + "; tags keep the present order: it is made anew when asked for (reorder), or without them";
    case HealingReason::short_of_memory:
      return arrived + "; making it anew needs " + in_mebibytes(facts.needed) + " of memory, and may take " +
             in_mebibytes(facts.allowed);
    case HealingReason::rests: return arrived + "; it is tried again in " + in_seconds(*verdict.again);
    case HealingReason::gave_up:
      return arrived + "; making it anew did not come to its end " + std::to_string(facts.unfinished) +
             " times, so it is made when asked for (reorder), or once the graph is opened anew";
    case HealingReason::changing:
      return arrived + "; it is made anew once nothing has changed for " + in_seconds(settings.idle);
    case HealingReason::due: return arrived + "; it is made anew now";
  }
  return {};
}

}  // namespace rizoma
