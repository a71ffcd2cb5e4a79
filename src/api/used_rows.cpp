#include "api/used_rows.h"

#include "store/messages.h"

#include <atomic>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr VertexId kListsAtOnce = 1024;  // lists that a thread takes at once

/// What one thread found.
struct alignas(64) FoundRows {
  std::vector<std::uint64_t> loops;
  EdgeCount without_values = 0;
  EdgeCount loops_without_values = 0;
  bool distinct = true;
  bool all_exist = true;
};

/// Sets bits, and says whether one was set before.
class RowMarks {
 public:
  RowMarks(std::vector<std::uint8_t>& bits, bool is_shared) : bits_(bits), is_shared_(is_shared) {}

  [[nodiscard]] bool mark(std::uint64_t row) const {
    const auto mask = static_cast<std::uint8_t>(1U << (row % 8));
    std::uint8_t& byte = bits_[row / 8];
    if (is_shared_) {
      return (std::atomic_ref<std::uint8_t>(byte).fetch_or(mask, std::memory_order_relaxed) & mask) != 0;
    }
    const bool before = (byte & mask) != 0;
    byte = static_cast<std::uint8_t>(byte | mask);
    return before;
  }

 private:
  std::vector<std::uint8_t>& bits_;
  bool is_shared_;
};

}  // namespace

Result<UsedRows> find_used_rows(const GraphView& lists, std::uint64_t size, Executor& executor) {
  UsedRows used;
  used.bits.resize((size + 7) / 8);
  const RowMarks marks(used.bits, executor.threads() > 1);
  std::vector<FoundRows> found(executor.threads());
  const auto mark_list = [&](const auto& out, VertexId v, FoundRows& mine) {
    const auto targets = out.neighbors(v);
    const auto rows = out.template weights<double>(v);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (!(rows[i] >= 0 && rows[i] < static_cast<double>(size))) mine.all_exist = false;
      if (!mine.all_exist) return;
      if (!lists.directed() && targets[i] < v) continue;  // the entry of the smaller end counts
      const auto row = static_cast<std::uint64_t>(rows[i]);
      const bool is_loop = targets[i] == v;
      if (row == 0) {
        ++mine.without_values;
        mine.loops_without_values += is_loop ? 1 : 0;
        continue;
      }
      if (marks.mark(row)) mine.distinct = false;
      if (is_loop) mine.loops.push_back(row);
    }
  };
  RIZOMA_TRY(lists.with_out([&](const auto& out) {
    return executor.for_blocks(out.num_vertices(), kListsAtOnce, [&](VertexRange block, unsigned thread) {
      for (VertexId v = block.begin; v < block.end; ++v) mark_list(out, v, found[thread]);
    });
  }));
  for (const FoundRows& each : found) {
    used.loops.insert(used.loops.end(), each.loops.begin(), each.loops.end());
    used.without_values += each.without_values;
    used.loops_without_values += each.loops_without_values;
    used.distinct = used.distinct && each.distinct;
    if (!each.all_exist) return corrupt("an edge", "names a row that does not exist");
  }
  return used;
}

}  // namespace rizoma
