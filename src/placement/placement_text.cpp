// Placement as text: names, the option of tiers, and the lines for people.
#include <rizoma/placement.h>

#include <algorithm>
#include <array>
#include <span>

namespace rizoma {
namespace {

constexpr std::array<std::string_view, kStructures> kStructureNames{"sections", "vertex_state", "frontiers", "rr_sets"};
constexpr std::array<std::string_view, 4> kTierNames{"in_place", "dram", "slow", "hbm"};
constexpr std::array<std::string_view, 4> kChoices{"preferred", "bind", "all", "interleave"};

/// The value whose name this is.
template <class Enum>
Result<Enum> parse_name(std::span<const std::string_view> names, const char* what, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<Enum>(found - names.begin());
  std::string message = std::string(what) + " '" + std::string(name) + "' is not known; choose one of ";
  for (const std::string_view known : names) message.append(known == names.front() ? "" : ", ").append(known);
  return Error{ErrorCode::invalid_argument, std::move(message)};
}

/// The text before the first `end`, which is taken off `text` together with it.
std::string_view take_until(std::string_view& text, char end) {
  const std::size_t at = std::min(text.find(end), text.size());
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return taken;
}

std::string counted(std::size_t n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

}  // namespace

std::string_view name_of(Structure structure) noexcept { return kStructureNames[static_cast<std::size_t>(structure)]; }
std::string_view name_of(MemoryTier tier) noexcept { return kTierNames[static_cast<std::size_t>(tier)]; }
std::string_view name_of(NodeChoice nodes) noexcept { return kChoices[static_cast<std::size_t>(nodes)]; }

Result<PlacementPolicy> parse_policy(std::string_view name) {
  return parse_name<PlacementPolicy>(placement_policy_names(), "placement", name);
}

namespace {

/// Also by the name that `rr_sets` had.
Result<Structure> parse_structure(std::string_view name) {
  if (name == "sketches") return Structure::rr_sets;
  return parse_name<Structure>(kStructureNames, "structure", name);
}

}  // namespace

Result<Tiers> parse_tiers(std::string_view text) {
  Tiers tiers;
  while (!text.empty()) {
    std::string_view choice = take_until(text, ',');
    RIZOMA_ASSIGN(const Structure structure, parse_structure(take_until(choice, '=')));
    RIZOMA_ASSIGN(tiers[structure].tier, parse_name<MemoryTier>(kTierNames, "tier", take_until(choice, ':')));
    if (choice.empty()) continue;
    RIZOMA_ASSIGN(tiers[structure].nodes, parse_name<NodeChoice>(kChoices, "choice of nodes", choice));
  }
  return tiers;
}

std::string to_text(const Tiers& tiers) {
  std::string text;
  for (std::size_t i = 0; i < kStructures; ++i) {
    const auto structure = static_cast<Structure>(i);
    const TierChoice choice = tiers[structure];
    if (choice == TierChoice{}) continue;
    text.append(text.empty() ? "" : ",").append(name_of(structure)).append("=").append(name_of(choice.tier));
    if (choice.nodes != NodeChoice::preferred) text.append(":").append(name_of(choice.nodes));
  }
  return text;
}

std::string to_text(const Placement& placement) {
  std::string text =
      "placement " + std::string(name_of(placement.policy)) + " over " + counted(placement.homes, "home");
  for (unsigned home = 0; home < placement.homes; ++home) {
    const auto count = [home](const std::vector<unsigned>& homes) {
      return static_cast<std::size_t>(std::count(homes.begin(), homes.end(), home));
    };
    text += "\n  home " + std::to_string(home);
    if (!placement.node_of_home.empty()) text += " (node " + std::to_string(placement.node_of_home[home]) + ")";
    if (!placement.home_of_section.empty()) text += ": " + counted(count(placement.home_of_section), "section");
    if (!placement.home_of_thread.empty()) text += ", " + counted(count(placement.home_of_thread), "thread");
    if (!placement.processor_of_thread.empty()) text += " bound";
  }
  const std::string tiers = to_text(placement.tiers);
  return tiers.empty() ? text : text + "\n  tiers: " + tiers;
}

}  // namespace rizoma
