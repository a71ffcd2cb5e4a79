#include <rizoma/detail/ranks.h>
#include <rizoma/detail/same_call.h>
#include <rizoma/engine.h>

#include "base/checksum.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// A call as lines: the kernel, then "name=value" of each argument.
std::string lines_of(std::string_view kernel, std::initializer_list<CallArgument> arguments) {
  std::string lines(kernel);
  for (const CallArgument& argument : arguments) {
    lines.append("\n").append(argument.name).append("=").append(argument.value);
  }
  return lines;
}

/// Takes the next line off.
std::string_view next_line(std::string_view& lines) {
  const std::size_t end = std::min(lines.find('\n'), lines.size());
  const std::string_view line = lines.substr(0, end);
  lines.remove_prefix(std::min(end + 1, lines.size()));
  return line;
}

/// What differs first between the calls of two ranks, of the kernels or of an argument.
std::string difference(std::string_view kernel, std::string_view one, std::string_view other, const std::string& who,
                       const std::string& whom) {
  const std::string_view first = next_line(one);
  const std::string_view second = next_line(other);
  if (first != second) {
    return "ranks call different kernels: " + std::string(first) + " on " + who + ", " + std::string(second) + " on " +
           whom + "; make the same calls in the same order on all ranks";
  }
  for (;;) {
    const std::string_view a = next_line(one);
    const std::string_view b = next_line(other);
    if (a == b) continue;
    const std::string name(a.substr(0, a.find('=')));
    return name + " of " + std::string(kernel) + " differs between ranks: " + std::string(a) + " on " + who + ", " +
           std::string(b) + " on " + whom + "; give all ranks the same " + name + ".";
  }
}

}  // namespace

std::string CallArgument::text_of(double given) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), given).ptr;
  return {text.data(), end};
}

std::string CallArgument::text_of(std::span<const std::byte> content, std::size_t values) {
  return std::to_string(values) + " values (" + std::to_string(checksum(content)) + ")";
}

Status expect_same_call(Engine& engine, std::string_view kernel, std::initializer_list<CallArgument> arguments) {
  Ranks* const ranks = engine.ranks();
  if (ranks == nullptr) return {};
  const std::string mine = lines_of(kernel, arguments);
  const auto bytes = std::as_bytes(std::span(mine));
  RIZOMA_ASSIGN(const auto calls,
                ranks->collective(CollectiveKind::graph, {ranks->size(), {bytes.begin(), bytes.end()}}));
  const auto call = [&](unsigned rank) {
    return std::string_view(reinterpret_cast<const char*>(calls[rank].data()), calls[rank].size());
  };
  for (unsigned rank = 1; rank < ranks->size(); ++rank) {
    if (call(rank) == call(0)) continue;
    return Error{ErrorCode::invalid_argument,
                 difference(kernel, call(0), call(rank), ranks->name_of(0), ranks->name_of(rank))};
  }
  return {};
}

}  // namespace rizoma
