#include "engine/exchange/streamed_batches.h"

#include "base/check.h"
#include "engine/transport.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace rizoma {
namespace {

/// Of a box of one of these threads: together they have one batch under way, unless that makes small messages.
std::uint64_t batch_of(const Ranks& ranks, unsigned threads) {
  constexpr std::uint64_t kSmall = std::uint64_t{8} << 10;
  const std::uint64_t batch = ranks.batch_bytes();
  return batch == 0 ? StreamedBatches::kNever : std::max(batch / threads, std::min(batch, kSmall));
}

}  // namespace

StreamedBatches::StreamedBatches(Ranks& ranks, unsigned threads)
    : ranks_(ranks), batch_(batch_of(ranks, threads)), sent_(ranks.size()), come_(ranks.size()) {
  restart();
}

/// Sends the remaining batches first: they leave while this rank calls the transport, and others wait for them.
void StreamedBatches::restart() {
  const MutexLock lock(guard_);
  for (unsigned rank = 0; rank < sent_.size(); ++rank) {
    while (status_ && sent_[rank] > 0 && ranks_.transport_.on_the_way(rank) > 0) {
      status_ = look(std::chrono::microseconds(100));
    }
  }
  round_ = ranks_.collectives();
  for (unsigned rank = 0; rank < sent_.size(); ++rank) {
    sent_[rank] = 0;
    come_[rank].clear();
  }
}

std::uint64_t StreamedBatches::send(unsigned rank, std::vector<std::byte>& box, bool by_all) {
  const MutexLock lock(guard_);
  if (status_) status_ = look({});
  if (box.size() > kLargest) return kNever;
  if (!status_ || ranks_.transport_.on_the_way(rank) > kRing) return box.size() + batch_;
  if (by_all) ranks_.count_packed(box.size(), false);
  else ranks_.packed_.alone += box.size();
  status_ = ranks_.send(rank, std::exchange(box, {}), round_);
  ++sent_[rank];
  return batch_;
}

Status StreamedBatches::status() const {
  const MutexLock lock(guard_);
  return status_;
}

Status StreamedBatches::look(std::chrono::microseconds patience) {
  for (;;) {
    RIZOMA_ASSIGN(std::optional<RankMessage> message, ranks_.receive(patience, round_));
    if (!message) return {};
    come_[message->from].push_back(std::move(message->bytes));
    patience = {};
  }
}

void StreamedBatches::sign(unsigned rank, std::vector<std::byte>& box) const {
  if (batch_ == kNever) return;
  const MutexLock lock(guard_);
  const auto* const bytes = reinterpret_cast<const std::byte*>(&sent_[rank]);
  box.insert(box.end(), bytes, bytes + sizeof(sent_[rank]));
}

Result<std::vector<std::vector<std::byte>>> StreamedBatches::take_batches_of(unsigned rank,
                                                                             std::span<const std::byte>& box) {
  using namespace std::chrono_literals;
  if (batch_ == kNever) return std::vector<std::vector<std::byte>>();
  const MutexLock lock(guard_);
  std::uint32_t count = 0;
  RIZOMA_CHECK(box.size() >= sizeof(count));
  std::memcpy(&count, box.data() + (box.size() - sizeof(count)), sizeof(count));
  box = box.first(box.size() - sizeof(count));
  while (come_[rank].size() < count) RIZOMA_TRY(look(1ms));
  return std::exchange(come_[rank], {});
}

}  // namespace rizoma
