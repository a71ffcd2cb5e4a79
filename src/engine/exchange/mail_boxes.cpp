#include <rizoma/detail/ranks.h>

#include <utility>

namespace rizoma {

Result<std::vector<std::vector<std::byte>>> MailBoxes::exchange(
    std::span<const std::byte> mine, FunctionRef<bool(std::span<const std::byte> batch, VertexId& v)> deliver) {
  RIZOMA_TRY(early_.status());
  for (unsigned rank = 0; rank < ranks_.size(); ++rank) {
    to_[rank].insert(to_[rank].end(), mine.begin(), mine.end());
    early_.sign(rank, to_[rank]);
  }
  RIZOMA_ASSIGN(const std::vector<std::vector<std::byte>> received,
                ranks_.collective(CollectiveKind::mail, std::move(to_)));
  to_.assign(ranks_.size(), {});
  last_.assign(ranks_.size(), 0);
  std::vector<std::span<const std::byte>> boxes(received.begin(), received.end());
  std::vector<std::vector<std::vector<std::byte>>> early(ranks_.size());
  // All batches are taken before the first is used, or others would wait for a rank that fails over one of them.
  for (unsigned rank = 0; rank < ranks_.size(); ++rank) {
    RIZOMA_ASSIGN(early[rank], early_.take_batches_of(rank, boxes[rank]));
  }
  early_.restart();
  std::vector<std::vector<std::byte>> of_all(ranks_.size());
  for (unsigned rank = 0; rank < ranks_.size(); ++rank) {
    const std::span<const std::byte> box = boxes[rank];
    if (box.size() < mine.size()) return malformed(rank);
    const auto theirs = box.last(mine.size());
    of_all[rank].assign(theirs.begin(), theirs.end());
    VertexId v = 0;
    for (std::vector<std::byte>& of_rank : early[rank]) {
      const std::vector<std::byte> batch = std::move(of_rank);  // and its memory is free again
      if (!deliver(batch, v)) return malformed(rank);
    }
    if (!deliver(box.first(box.size() - mine.size()), v)) return malformed(rank);
  }
  return of_all;
}

Error MailBoxes::malformed(unsigned rank) const {
  return {ErrorCode::io, ranks_.name_of(rank) + " has sent messages that make no sense"};
}

}  // namespace rizoma
