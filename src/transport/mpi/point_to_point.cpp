// Messages of an MpiTransport: messages outside of rounds, sent and received without waiting.
#include "base/check.h"
#include "transport/mpi/mpi_transport.h"
#include "transport/mpi/pause.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace rizoma::mpi {
namespace {

constexpr int kMessageTag = 19;  // the tags before it are those of rounds

}  // namespace

Status MpiTransport::send(Rank target, Bytes bytes) {
  RIZOMA_CHECK(target < peers_.size() && target != rank_ && bytes.size() <= std::numeric_limits<int>::max());
  RIZOMA_TRY(health());
  RIZOMA_TRY(reach(target));
  return ending_all_without_memory([&] {
    leaving_.push_back(std::make_unique<Mail>());
    Mail& mail = *leaving_.back();
    mail.message = {target, std::move(bytes)};
    return checked(MPI_Isend(mail.message.bytes.data(), static_cast<int>(mail.message.bytes.size()), MPI_BYTE,
                             static_cast<int>(target), kMessageTag, comm_, &mail.request),
                   "MPI_Isend");
  });
}

std::uint64_t MpiTransport::on_the_way(Rank target) const noexcept {
  std::uint64_t bytes = 0;
  for (const std::unique_ptr<Mail>& mail : leaving_)
    bytes += mail->message.from == target ? mail->message.bytes.size() : 0;
  return bytes;
}

Result<std::optional<PeerMessage>> MpiTransport::receive(std::chrono::microseconds patience) {
  using Clock = std::chrono::steady_clock;
  const auto until = patience.count() == 0 ? Clock::time_point::min() : Clock::now() + patience;
  const Watch::WaitScope waits(*watch_);
  for (Pause pause(crowded_);; pause()) {
    if (watch_->failed()) return watch_->end_of_run();
    const Status looked = ending_all_without_memory([&] { return look_for_messages(); });
    if (!looked) return watch_->diagnose(looked.error());
    if (std::optional<PeerMessage> message = take_message()) return message;
    if (until == Clock::time_point::min() || Clock::now() >= until) return std::optional<PeerMessage>();
  }
}

/// Begins to receive those that have come, and looks which are here and which have gone.
Status MpiTransport::look_for_messages() {
  for (int there = 1; there != 0;) {
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    RIZOMA_TRY(checked(MPI_Improbe(MPI_ANY_SOURCE, kMessageTag, comm_, &there, &message, &status), "MPI_Improbe"));
    if (there == 0) break;
    int count = 0;
    RIZOMA_TRY(checked(MPI_Get_count(&status, MPI_BYTE, &count), "MPI_Get_count"));
    auto begun = std::make_unique<Mail>();
    begun->message = {static_cast<Rank>(status.MPI_SOURCE), Bytes(static_cast<std::size_t>(count))};
    coming_.push_back(std::move(begun));
    Mail& mail = *coming_.back();
    RIZOMA_TRY(checked(MPI_Imrecv(mail.message.bytes.data(), count, MPI_BYTE, &message, &mail.request), "MPI_Imrecv"));
  }
  for (auto* const mails : {&coming_, &leaving_}) {
    for (const std::unique_ptr<Mail>& mail : *mails) {
      if (mail->done) continue;
      int done = 0;
      RIZOMA_TRY(checked(MPI_Test(&mail->request, &done, MPI_STATUS_IGNORE), "MPI_Test"));
      mail->done = done != 0;
    }
  }
  std::erase_if(leaving_, [](const std::unique_ptr<Mail>& mail) { return mail->done; });
  return {};
}

/// One that is whole, and the first of its sender.
std::optional<PeerMessage> MpiTransport::take_message() {
  for (auto mail = coming_.begin(); mail != coming_.end(); ++mail) {
    const Rank from = (*mail)->message.from;
    const auto first =
        std::find_if(coming_.begin(), mail, [&](const auto& other) { return other->message.from == from; });
    if (!(*mail)->done || first != mail) continue;
    std::optional<PeerMessage> message = std::move((*mail)->message);
    coming_.erase(mail);
    return message;
  }
  return std::nullopt;
}

/// MPI may use what is on its way for a moment after a rank is lost: it is never freed.
void MpiTransport::let_mail_be() noexcept {
  for (auto* const mails : {&coming_, &leaving_}) {
    for (std::unique_ptr<Mail>& mail : *mails) {
      if (!mail->done) static_cast<void>(mail.release());
    }
    mails->clear();
  }
}

}  // namespace rizoma::mpi
