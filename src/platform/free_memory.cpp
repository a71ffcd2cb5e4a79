#include "platform/free_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace rizoma {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

/// The number behind `name` in a file of lines "name number ..."; nothing if there is none.
std::optional<std::uint64_t> number_of(const fs::path& file, const std::string& name) {
  std::ifstream in(file);
  std::string word;
  while (in >> word) {
    std::uint64_t number = 0;
    if (word == name && in >> number) return number;
    in.clear();
    in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::nullopt;
}

/// The only number in a file; nothing if it holds a word ("max").
std::optional<std::uint64_t> number_in(const fs::path& file) {
  std::ifstream in(file);
  std::uint64_t number = 0;
  return in >> number ? std::optional(number) : std::nullopt;
}

/// The process's control group, as a path below the root of all.
fs::path group_of(const fs::path& proc) {
  std::ifstream in(proc / "self" / "cgroup");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("0::/")) return line.substr(4);
  }
  return {};
}

/// What one group still allows; its page cache counts as free, for the kernel drops it first.
std::uint64_t left_in(const fs::path& group) {
  const auto limit = number_in(group / "memory.max");
  const auto used = number_in(group / "memory.current");
  if (!limit || !used) return kUnlimited;
  const std::uint64_t cache = number_of(group / "memory.stat", "inactive_file").value_or(0);
  const std::uint64_t held = *used - std::min(*used, cache);
  return *limit - std::min(*limit, held);
}

}  // namespace

std::uint64_t free_memory(const fs::path& proc, const fs::path& cgroups) {
  const auto available = number_of(proc / "meminfo", "MemAvailable:");
  std::uint64_t least = available ? *available * 1024 : kUnlimited;
  fs::path group = cgroups;
  least = std::min(least, left_in(group));
  for (const fs::path& part : group_of(proc)) {
    group /= part;
    least = std::min(least, left_in(group));
  }
  return least == kUnlimited ? 0 : least;
}

std::uint64_t free_memory() { return free_memory("/proc", "/sys/fs/cgroup"); }

}  // namespace rizoma
