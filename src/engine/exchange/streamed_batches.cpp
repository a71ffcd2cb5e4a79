#include <rizoma/detail/ranks.h>

#include "base/check.h"
#include "engine/transport.h"

#include <cstring>
#include <limits>
#include <utility>

namespace rizoma {

StreamedBatches::StreamedBatches(Ranks& ranks)
    : ranks_(ranks), batch_(ranks.batch_bytes()), limits_(ranks.size()), sent_(ranks.size()), come_(ranks.size()) {
  restart();
}

/// Sends the remaining batches first: they leave while this rank calls the transport, and others wait for them.
void StreamedBatches::restart() {
  for (unsigned rank = 0; rank < sent_.size(); ++rank) {
    while (status_ && sent_[rank] > 0 && ranks_.transport_.on_the_way(rank) > 0) {
      status_ = look(std::chrono::microseconds(100));
    }
  }
  round_ = ranks_.collectives();
  for (unsigned rank = 0; rank < limits_.size(); ++rank) {
    sent_[rank] = 0;
    come_[rank].clear();
    set_limit(rank, 0);
  }
}

/// A batch more than a box has.
void StreamedBatches::set_limit(unsigned rank, std::uint64_t bytes) {
  const bool never = batch_ == 0 || rank == ranks_.rank();
  limits_[rank] = never ? std::numeric_limits<std::uint64_t>::max() : bytes + batch_;
}

void StreamedBatches::send(unsigned rank, std::vector<std::byte>& box) {
  if (status_) status_ = look({});
  if (box.size() > kLargest) {
    limits_[rank] = std::numeric_limits<std::uint64_t>::max();
    return;
  }
  if (!status_ || ranks_.transport_.on_the_way(rank) > kRing) {
    set_limit(rank, box.size());
    return;
  }
  status_ = ranks_.send(rank, std::exchange(box, {}), round_);
  ++sent_[rank];
  set_limit(rank, 0);
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
  if (batch_ == 0) return;
  const auto* const bytes = reinterpret_cast<const std::byte*>(&sent_[rank]);
  box.insert(box.end(), bytes, bytes + sizeof(sent_[rank]));
}

Result<std::vector<std::vector<std::byte>>> StreamedBatches::take_batches_of(unsigned rank,
                                                                             std::span<const std::byte>& box) {
  using namespace std::chrono_literals;
  if (batch_ == 0) return std::vector<std::vector<std::byte>>();
  std::uint32_t count = 0;
  RIZOMA_CHECK(box.size() >= sizeof(count));
  std::memcpy(&count, box.data() + (box.size() - sizeof(count)), sizeof(count));
  box = box.first(box.size() - sizeof(count));
  while (come_[rank].size() < count) RIZOMA_TRY(look(1ms));
  return std::exchange(come_[rank], {});
}

}  // namespace rizoma
