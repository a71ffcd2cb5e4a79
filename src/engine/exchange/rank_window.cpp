#include "engine/exchange/rank_window.h"

#include <atomic>

namespace rizoma {

Result<std::optional<RankWindow>> RankWindow::make(Ranks& ranks, std::size_t bytes) {
  // A rank in this round has not ended by an Error: either all reach the next call, or none.
  RIZOMA_TRY(ranks.collective(CollectiveKind::lists, std::vector<Bytes>(ranks.size())));
  Result<std::optional<Allocated>> allocated = ranks.transport_.allocate(bytes);
  if (!allocated) {
    ranks.transport_.abort(allocated.error());
    return allocated.error();
  }
  if (!*allocated) return std::optional<RankWindow>();
  ranks.windows_.push_back((*allocated)->window);
  return std::optional<RankWindow>(RankWindow(ranks, **allocated));
}

Status RankWindow::read(unsigned rank, std::span<const Wanted> wanted) {
  std::uint64_t bytes = 0;
  for (const Wanted& some : wanted) bytes += some.place.size();
  if (bytes == 0) return {};
  if (rank != ranks_->rank()) ranks_->count_read(rank, bytes);
  return ranks_->transport_.read_all(rank, allocated_.window, wanted);
}

Result<std::uint64_t> RankWindow::fetch_add(unsigned rank, std::uint64_t offset, std::uint64_t amount) {
  if (rank != ranks_->rank()) ranks_->count_read(rank, sizeof(std::uint64_t));
  return ranks_->transport_.fetch_add(rank, allocated_.window, offset, amount);
}

}  // namespace rizoma
