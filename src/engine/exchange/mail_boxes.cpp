#include <rizoma/detail/outbox.h>

#include "base/check.h"
#include "engine/exchange/pieces.h"
#include "engine/exchange/streamed_batches.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

namespace rizoma {
namespace {

constexpr std::uint64_t kPiece = std::uint64_t{16} << 10;

/// Writes the length of the last piece.
void end_piece(MailBoxes::Box& box) {
  if (box.bytes.empty()) return;
  const auto length = static_cast<PieceLength>(box.bytes.size() - box.piece - sizeof(PieceLength));
  std::memcpy(box.bytes.data() + box.piece, &length, sizeof(length));
}

}  // namespace

MailBoxes::MailBoxes(Engine& engine)
    : engine_(engine),
      ranks_(*engine.ranks()),
      boxes_(engine.threads() + std::size_t{1}),
      early_(std::make_unique<StreamedBatches>(ranks_, engine.threads())) {
  for (auto& of_thread : boxes_) {
    of_thread.value.resize(ranks_.size());
    for (unsigned rank = 0; rank < ranks_.size(); ++rank) of_thread.value[rank].limit = early_->limit(rank);
  }
}

MailBoxes::~MailBoxes() = default;

void MailBoxes::begin_piece(Box& box, unsigned rank, unsigned thread) {
  end_piece(box);
  if (box.bytes.size() >= box.limit) box.limit = early_->send(rank, box.bytes, thread != alone());
  box.piece = box.bytes.size();
  box.last = 0;
  box.bytes.resize(box.piece + sizeof(PieceLength));
  box.full = std::min(box.piece + kPiece, std::max(box.limit, box.bytes.size() + 1));
}

/// What all threads have for a rank, with room for some bytes more.
std::vector<std::byte> MailBoxes::take_boxes_for(unsigned rank, std::size_t room) {
  std::size_t size = 0;
  std::vector<std::byte>* largest = nullptr;
  for (auto& of_thread : boxes_) {
    Box& box = of_thread.value[rank];
    end_piece(box);
    size += box.bytes.size();
    if (largest == nullptr || largest->size() < box.bytes.size()) largest = &box.bytes;
  }
  const std::size_t by_all = size - boxes_.back().value[rank].bytes.size();
  if (rank != ranks_.rank()) ranks_.count_packed(by_all);
  std::vector<std::byte> joined;
  if (largest->size() == size) joined = std::move(*largest);  // at most one thread has packed
  else joined.reserve(size + room);
  for (auto& of_thread : boxes_) {
    const Box box = std::exchange(of_thread.value[rank], {});
    of_thread.value[rank].limit = early_->limit(rank);
    joined.insert(joined.end(), box.bytes.begin(), box.bytes.end());
  }
  return joined;
}

Result<std::vector<std::vector<std::byte>>> MailBoxes::exchange(std::span<const std::byte> mine, bool by_all,
                                                                Receive receive) {
  RIZOMA_TRY(early_->status());
  std::vector<std::vector<std::byte>> to;
  constexpr std::size_t kEnd = sizeof(std::uint32_t) + 1;  // how many came before, and the kind
  for (unsigned rank = 0; rank < ranks_.size(); ++rank) {
    std::vector<std::byte>& box = to.emplace_back(take_boxes_for(rank, mine.size() + kEnd));
    const std::size_t messages = box.size();
    box.insert(box.end(), mine.begin(), mine.end());
    early_->sign(rank, box);
    if (rank != ranks_.rank()) ranks_.packed_.alone -= box.size() - messages;  // no more than a sum
  }
  RIZOMA_ASSIGN(std::vector<std::vector<std::byte>> received, ranks_.collective(CollectiveKind::mail, std::move(to)));
  std::vector<std::span<const std::byte>> boxes(received.begin(), received.end());
  std::vector<std::vector<std::vector<std::byte>>> early(ranks_.size());
  // All batches are taken before the first is used, or others would wait for a rank that fails over one of them.
  for (unsigned rank = 0; rank < ranks_.size(); ++rank) {
    RIZOMA_ASSIGN(early[rank], early_->take_batches_of(rank, boxes[rank]));
  }
  early_->restart();
  std::vector<std::vector<std::byte>> of_all(ranks_.size());
  for (unsigned rank = 0; rank < ranks_.size(); ++rank) {
    const std::span<const std::byte> box = boxes[rank];
    RIZOMA_CHECK(box.size() >= mine.size());
    const auto theirs = box.last(mine.size());
    of_all[rank].assign(theirs.begin(), theirs.end());
    if (rank != ranks_.rank()) ranks_.unpacked_.alone -= received[rank].size() - box.size() + mine.size();
    RIZOMA_TRY(deliver(rank, box.first(box.size() - mine.size()), std::move(early[rank]), by_all, receive));
    received[rank] = {};
  }
  return of_all;
}

/// Some batches at once, whose memory is free again before the next are read.
Status MailBoxes::deliver(unsigned rank, std::span<const std::byte> box, std::vector<std::vector<std::byte>> early,
                          bool by_all, Receive receive) {
  std::atomic<bool> malformed = false;
  const auto read = [&](std::span<const std::byte> piece, unsigned thread) {
    if (!receive(piece, thread)) malformed.store(true, std::memory_order_relaxed);
  };
  const auto read_all = [&](std::span<const std::span<const std::byte>> pieces) -> Status {
    if (!by_all) {
      for (const std::span<const std::byte> piece : pieces) read(piece, 0);
      return {};
    }
    return unpack_pieces(engine_, pieces, [&](std::size_t, auto piece, unsigned thread) { read(piece, thread); });
  };
  if (by_all && rank != ranks_.rank()) ranks_.count_unpacked(box.size());
  const std::size_t at_once = engine_.threads() == 1 ? 1 : std::size_t{4} * engine_.threads();
  for (std::size_t begin = 0; begin < early.size(); begin += at_once) {
    std::vector<std::span<const std::byte>> pieces;
    const std::size_t end = std::min(begin + at_once, early.size());
    for (std::size_t i = begin; i < end; ++i) {
      std::ranges::copy(pieces_of(early[i]), std::back_inserter(pieces));
      if (by_all) ranks_.count_unpacked(early[i].size(), false);
      else ranks_.unpacked_.alone += early[i].size();
    }
    RIZOMA_TRY(read_all(pieces));
    for (std::size_t i = begin; i < end; ++i) early[i] = {};
  }
  RIZOMA_TRY(read_all(pieces_of(box)));
  if (!malformed) return {};
  return Error{ErrorCode::io, ranks_.name_of(rank) + " has sent messages that make no sense"};
}

}  // namespace rizoma
