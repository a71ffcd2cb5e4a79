#include "configuration.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <sstream>
#include <string_view>

namespace rizoma::lab {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

std::vector<std::string> variable(const char* name, char separator) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::vector<std::string>() : split(value, separator);
}

std::vector<unsigned> numbers(const std::string& text) {
  std::vector<unsigned> result;
  for (const std::string& part : split(text, ',')) result.push_back(static_cast<unsigned>(std::stoul(part)));
  return result;
}

unsigned node_number(const std::string& name, const std::vector<std::string>& nvdimm_nodes) {
  constexpr std::string_view prefix = "nvdimm";
  if (!name.starts_with(prefix)) return static_cast<unsigned>(std::stoul(name));
  return static_cast<unsigned>(std::stoul(nvdimm_nodes.at(std::stoul(name.substr(prefix.size())))));
}

}  // namespace

Configuration read_configuration() {
  const std::vector<std::string> nvdimm_nodes = variable("LAB_NVDIMM_NODES", ' ');
  Configuration read;
  for (const std::string& node : variable("LAB_NODES", ' ')) {
    const std::vector<std::string> parts = split(node, '/');
    read.nodes.push_back({node_number(parts.at(0), nvdimm_nodes), std::stoull(parts.at(1)) << 20,
                          parts.size() > 2 ? numbers(parts[2]) : std::vector<unsigned>()});
  }
  for (const std::string& row : variable("LAB_DISTANCES", ' ')) read.distances.push_back(numbers(row));
  for (const std::string& mount : variable("LAB_DAX", ':')) read.dax_mounts.emplace_back(mount);

  // The kernel numbers nodes of NVDIMMs in an order of its own.
  std::vector<std::size_t> order(read.nodes.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return read.nodes[a].id < read.nodes[b].id; });
  Configuration sorted;
  sorted.dax_mounts = read.dax_mounts;
  for (const std::size_t from : order) {
    sorted.nodes.push_back(read.nodes[from]);
    std::vector<unsigned>& row = sorted.distances.emplace_back();
    for (const std::size_t to : order) row.push_back(read.distances.at(from).at(to));
  }
  return sorted;
}

}  // namespace rizoma::lab
