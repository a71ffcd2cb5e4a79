#include "query/plan/edge_filter.h"

#include <algorithm>
#include <array>

namespace rizoma::query {
namespace {

/// Values of edges that are together, one run a column of the program.
class RunSource final : public predicate::Source {
 public:
  RunSource(const predicate::Program& program, std::span<const ColumnRun> runs) : program_(program), runs_(runs) {}

  void load(const predicate::Slot& slot, bool units, std::size_t begin, std::size_t count,
            predicate::Values& to) override {
    predicate::load_run(runs_[static_cast<std::size_t>(&slot - program_.slots.data())], units, begin, count, to);
  }

 private:
  const predicate::Program& program_;
  std::span<const ColumnRun> runs_;
};

}  // namespace

std::size_t EdgeFilter::find_runs(const predicate::Program& program, EdgeEntry first, std::size_t most) {
  runs_.clear();
  for (const predicate::Slot& slot : program.slots) {
    runs_.push_back(columns_.run_of_edges(slot.column, first));
    most = std::min(most, runs_.back().size);
  }
  return most;
}

void EdgeFilter::run(VertexId source, EdgeCount begin, std::span<std::uint8_t> keep) {
  std::fill(keep.begin(), keep.end(), std::uint8_t{1});
  for (std::size_t i = 0; i < filters_.size(); ++i) {
    const predicate::Program& program = *filters_[i].program;
    for (std::size_t done = 0; done < keep.size();) {
      const std::array entry{EdgeEntry{source, begin + done}};
      const std::size_t together = find_runs(program, entry[0], keep.size() - done);
      const std::span<std::uint8_t> some = keep.subspan(done, std::max<std::size_t>(together, 1));
      MatchSource one({}, entry, columns_);
      RunSource many(program, runs_);
      predicate::Source& rows = together == 0 ? static_cast<predicate::Source&>(one) : many;
      if (!evaluators_[i].test(rows, some)) filters_[i].failure->note(evaluators_[i].error());
      done += some.size();
    }
  }
}

}  // namespace rizoma::query
