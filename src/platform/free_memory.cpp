#include "platform/free_memory.h"

#include "platform/pages.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace rizoma {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

/// The number after `name` in a file of lines "name number ..."; nullopt if there is none.
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

/// Control groups of one version: their root, and the names of the files of each.
struct Hierarchy {
  fs::path root;
  std::string controllers;  ///< as /proc/self/cgroup names them
  std::string limit;
  std::string used;
  std::string cache;  ///< in memory.stat
};

/// The process's group, as a path below the root.
fs::path group_of(const fs::path& proc, const Hierarchy& of) {
  std::ifstream in(proc / "self" / "cgroup");
  for (std::string line; std::getline(in, line);) {  // number:controllers:/path
    const std::size_t path = line.find(':' + of.controllers + ":/");
    if (path != std::string::npos) return line.substr(path + of.controllers.size() + 3);
  }
  return {};
}

/// The memory that one group still allows; its page cache counts as free, because the kernel drops it first.
std::uint64_t left_in(const fs::path& group, const Hierarchy& of) {
  const auto limit = number_in(group / of.limit);
  const auto used = number_in(group / of.used);
  if (!limit || !used) return kUnlimited;
  const std::uint64_t cache = number_of(group / "memory.stat", of.cache).value_or(0);
  const std::uint64_t held = *used - std::min(*used, cache);
  return *limit - std::min(*limit, held);
}

/// What all groups that hold the process leave of their limits.
std::uint64_t left_in_groups(const fs::path& proc, const Hierarchy& of) {
  fs::path group = of.root;
  std::uint64_t least = left_in(group, of);
  for (const fs::path& part : group_of(proc, of)) {
    group /= part;
    least = std::min(least, left_in(group, of));
  }
  return least;
}

struct Resident {
  std::uint64_t all = 0;
  std::uint64_t of_files = 0;
};

Resident resident_pages() {
  std::ifstream in("/proc/self/statm");
  std::uint64_t mapped = 0;  // in memory or not
  Resident pages;
  in >> mapped >> pages.all >> pages.of_files;
  return pages;
}

}  // namespace

std::uint64_t free_memory(const fs::path& proc, const fs::path& cgroups) {
  const auto available = number_of(proc / "meminfo", "MemAvailable:");
  std::uint64_t least = available ? *available * 1024 : kUnlimited;
  const Hierarchy second{cgroups, "", "memory.max", "memory.current", "inactive_file"};
  const Hierarchy first{cgroups / "memory", "memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                        "total_inactive_file"};
  least = std::min({least, left_in_groups(proc, second), left_in_groups(proc, first)});
  return least == kUnlimited ? 0 : least;
}

std::uint64_t free_memory() { return free_memory("/proc", "/sys/fs/cgroup"); }

std::uint64_t own_memory() {
  const Resident pages = resident_pages();
  return (pages.all - std::min(pages.all, pages.of_files)) * page_bytes();
}

std::uint64_t mapped_memory() { return resident_pages().of_files * page_bytes(); }

}  // namespace rizoma
