// The picture of a topology in text.
#include <rizoma/topology.h>

#include <algorithm>
#include <cmath>

namespace rizoma {
namespace {

/// "0-3, 8, 10-11".
std::string ranges(std::vector<unsigned> numbers) {
  std::sort(numbers.begin(), numbers.end());
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[i]);
    if (last > i) text += "-" + std::to_string(numbers[last]);
    i = last + 1;
  }
  return text;
}

std::string memory_of(const TopologyNode& node) {
  const std::string kind = node.memory_kind.empty() ? "memory" : node.memory_kind;
  if (node.memory_bytes == 0) return kind;
  const double gib = static_cast<double>(node.memory_bytes) / (1 << 30);
  const auto tenths = static_cast<unsigned long long>(std::llround(gib * 10));
  return kind + ", " + std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GiB";
}

std::string processors_of(const TopologyNode& node) {
  if (node.processors.empty()) return "no processors: memory only";
  return (node.processors.size() == 1 ? "processor " : "processors ") + ranges(node.processors);
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, text.size()), ' ');
}

std::string box(const TopologyNode& node) {
  const std::string title = " node " + std::to_string(node.id) + " ";
  const std::string memory = memory_of(node);
  const std::string processors = processors_of(node);
  const std::size_t width = std::max({title.size(), memory.size(), processors.size(), std::size_t{34}});
  return "+-" + title + std::string(width - title.size(), '-') + "-+\n" + "| " + padded(processors, width) + " |\n" +
         "| " + padded(memory, width) + " |\n+-" + std::string(width, '-') + "-+\n";
}

/// A table [from][to]; rows without any value are left out.
template <class Value>
std::string table(const Topology& topology, const char* title, const std::vector<std::vector<Value>>& values) {
  constexpr std::size_t kColumn = 10;
  if (values.empty()) return "";
  std::string text = "\n" + padded(title, 2 * kColumn);
  for (const TopologyNode& node : topology.nodes) text += padded("to " + std::to_string(node.id), kColumn);
  for (std::size_t from = 0; from < topology.nodes.size(); ++from) {
    if (topology.nodes[from].processors.empty()) continue;
    text += "\n" + padded("  from node " + std::to_string(topology.nodes[from].id), 2 * kColumn);
    for (const Value value : values[from]) {
      text += padded(value > 0 ? std::to_string(static_cast<unsigned long long>(value)) : "-", kColumn);
    }
  }
  return text + "\n";
}

}  // namespace

std::string to_text(const Topology& topology) {
  std::string text;
  for (const TopologyNode& node : topology.nodes) text += box(node);
  text += table(topology, "distance", topology.distances);
  text += table(topology, "latency (ns)", topology.latency_ns);
  text += table(topology, "bandwidth (MiB/s)", topology.bandwidth_mib);
  const unsigned processors = topology.num_processors();
  return text + "\n" + std::to_string(topology.nodes.size()) + (topology.nodes.size() == 1 ? " node, " : " nodes, ") +
         std::to_string(processors) + (processors == 1 ? " processor" : " processors") + " for this process\n";
}

}  // namespace rizoma
