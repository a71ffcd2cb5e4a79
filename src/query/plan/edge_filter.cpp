#include "query/plan/edge_filter.h"

#include "predicate/run_source.h"

#include <algorithm>
#include <array>

namespace rizoma::query {
std::size_t EdgeFilter::find_runs(const predicate::Program& program, EdgeEntry first, std::size_t most) {
  runs_.clear();
  for (const predicate::Slot& slot : program.slots) {
    runs_.push_back(columns_.run_of_edges(slot.column, first));
    most = std::min(most, runs_.back().size);
  }
  return most;
}

void EdgeFilter::test_rows(VertexId source, EdgeCount begin, std::span<std::uint8_t> keep) const {
  columns_.edge_rows()->lists()->with_out([&](const auto& out) {
    const auto rows = out.template weights<double>(source);
    for (std::size_t i = 0; i < keep.size(); ++i) keep[i] = bits_->holds(row_of(rows[begin + i])) ? 1 : 0;
  });
}

void EdgeFilter::run(VertexId source, EdgeCount begin, std::span<std::uint8_t> keep) {
  if (bits_ != nullptr) return test_rows(source, begin, keep);
  std::fill(keep.begin(), keep.end(), std::uint8_t{1});
  for (std::size_t i = 0; i < filters_.size(); ++i) {
    const predicate::Program& program = *filters_[i].program;
    for (std::size_t done = 0; done < keep.size();) {
      const std::array entry{EdgeEntry{source, begin + done}};
      const std::size_t together = find_runs(program, entry[0], keep.size() - done);
      const std::span<std::uint8_t> some = keep.subspan(done, std::max<std::size_t>(together, 1));
      MatchSource one({}, entry, columns_);
      predicate::RunSource many(program, runs_);
      predicate::Source& rows = together == 0 ? static_cast<predicate::Source&>(one) : many;
      if (!evaluators_[i].test(rows, some)) filters_[i].failure->note(evaluators_[i].error());
      done += some.size();
    }
  }
}

}  // namespace rizoma::query
